"""All that SPIN and Beeline say about a small program, kind of error by kind of error, and where they differ.

Without a claim: the numbers of states and of transitions, whether there are invalid end states, whether something fails
(an assertion, an index, a division), the verdict of breadth-first search and of the default search. With a claim: the
number of states of program and claim together, and the verdicts. States and transitions are counted only where `pan`
meets no error that leaves it in undefined memory.
"""

from __future__ import annotations

import dataclasses
import re
import tempfile
from pathlib import Path
from typing import Any

from .quick import LIMITS, SMALL_TABLE
from .spin import PLAIN_CC, PLAIN_SPIN, PanRun, Verifier
from .tool import INTERNAL, Answer, Beeline

# Arithmetic of Promela wraps, that of C need not; a division by zero ends the run, where C folds `x % x` to zero.
SEMANTICS = ("-fwrapv", "-fsanitize=integer-divide-by-zero", "-fsanitize-undefined-trap-on-error")
MOST_STATES = 60_000
LARGE = 2_000  # from here on the other stores are asked, too


@dataclasses.dataclass(frozen=True)
class Facts:
    """What SPIN says; None where it says nothing that can be compared."""

    states: int | None = None
    verdict: str = "unknown"
    transitions: int | None = None  # without the arrival at the first state, which `pan` counts
    ends: bool | None = None
    faults: bool = False  # assertions, indices, divisions
    claim: bool = False
    exact: bool = True  # with a claim: all states were counted
    message: str = ""
    too_large: bool = False


class Refused(Exception):
    """The verifier does not run this program."""


def has_claim(text: str) -> bool:
    """Whether a program has a never claim."""
    return re.search(r"^never\b", text, re.M) is not None


def ask_spin(text: str, folder: Path) -> Facts:
    """SPIN's answers to all questions about a program; a message says that it refuses the program."""
    (folder / "model.pml").write_text(text)
    verifier = Verifier(folder, LIMITS)
    accepted, message = verifier.generate(folder / "model.pml", [], PLAIN_SPIN)
    if not accepted:
        return Facts(message=message)
    claim = has_claim(text)
    flags = [flag for flag in PLAIN_CC if not (claim and flag == "-DNOCLAIM")]
    complaint = verifier.build("pan", [*SEMANTICS, *flags], vector=1024, optimise="-O0")
    if complaint:
        return Facts(message=complaint)
    try:
        return _with_claim(verifier, "proctype Clock" in text) if claim else _without_claim(verifier)
    except Refused as refused:
        return Facts(message=str(refused))


def _search(verifier: Verifier, *options: str) -> PanRun:
    """A run of the verifier; one that divides by zero or leaves its memory has found an error."""
    run = verifier.search("pan", [*options, SMALL_TABLE])
    if "unconditional self-loop" in run.reason:
        raise Refused(run.reason)
    crashed = run.reason.startswith("no report")
    return dataclasses.replace(run, error="crashed", reason="") if crashed else run


def _too_large(run: PanRun) -> bool:
    return run.reason in ("time", "memory", "depth") or (run.states or 0) > MOST_STATES


def _without_claim(verifier: Verifier) -> Facts:
    ends, faults, both = (_search(verifier, option) for option in ("-A", "-E", "-c1"))
    if any(_too_large(run) for run in (ends, faults, both)):
        return Facts(too_large=True)
    count = _search(verifier, "-E", "-A", "-c0")
    sound = not count.error and count.complete
    return Facts(
        count.states if sound else None,
        both.verdict,
        count.transitions - 1 if sound and count.transitions else None,
        bool(ends.error) if sound else None,
        bool(faults.error),
    )


def _with_claim(verifier: Verifier, exact: bool) -> Facts:
    run = _search(verifier)
    if _too_large(run):
        return Facts(too_large=True)
    return Facts(run.states if run.complete and not run.error else None, run.verdict, claim=True, exact=exact)


def differences(text: str, beeline: Beeline) -> tuple[str, str]:
    """What became of a program (`agrees`, `disagrees`, `too large`, `rejected`), and the disagreement."""
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        spin = ask_spin(text, Path(name))
        if spin.message:
            return "rejected", spin.message
        if spin.too_large:
            return "too large", ""
        path = Path(name) / "model.pml"
        difference = _differs_with_claim(spin, path, beeline) if spin.claim else _differs(spin, path, beeline)
        if "limit" in difference:  # on a busy machine
            return "too large", difference
        return ("disagrees" if difference else "agrees"), difference


def _failed(answer: Answer) -> str:
    return answer.message if answer.refused or answer.status == INTERNAL else ""


def _differs(spin: Facts, path: Path, beeline: Beeline) -> str:
    explored = beeline.explore(path)
    if message := _failed(explored):
        return f"SPIN {spin.states} states, Beeline: {message}"
    values = explored.values
    if not values["complete"]:
        return str(values["reason"])
    garbled = spin.faults and values["errors"] > 0  # `pan` goes on with whatever the memory holds
    if spin.states is not None and not garbled and values["states"] != spin.states:
        return f"states: SPIN {spin.states}, Beeline {values['states']}"
    if spin.transitions is not None and not garbled and values["transitions"] != spin.transitions:
        return f"transitions: SPIN {spin.transitions}, Beeline {values['transitions']}"
    if spin.ends is not None and not garbled and (values["deadlocks"] > 0) != spin.ends:
        return f"end states: SPIN {spin.ends}, Beeline {values['deadlocks']}"
    checked = beeline.ask("check", path, ["--property", "A[] true"])
    if checked.values.get("verdict") not in ("violated", "holds"):
        return str(checked.values.get("reason") or checked.message)
    failing = checked.values["verdict"] == "violated"
    if failing != spin.faults:
        return f"errors: SPIN {spin.faults}, Beeline {failing}"
    ways = [["--search", "bfs"], ["--search", "auto"]]
    if values["states"] > LARGE:
        ways += [["--store", "tree", "--search", "bfs"], ["--search", "dfs"]]
    return _verdicts_differ(spin, path, beeline, ways)


def _verdicts_differ(spin: Facts, path: Path, beeline: Beeline, ways: list[list[str]]) -> str:
    for way in ways:
        checked = beeline.ask("check", path, way)
        if message := _failed(checked):
            return f"{' '.join(way)}: SPIN {spin.verdict}, Beeline: {message}"
        answer = _answer(checked, spin)
        if answer["verdict"] != spin.verdict:
            ours = f"{answer['verdict']} ({answer['reason']})"
            return f"verdict by {' '.join(way)}: SPIN {spin.verdict}, Beeline {ours}"
    return ""


def _answer(checked: Answer, spin: Facts) -> dict[str, Any]:
    """The answer to what SPIN was asked: about the claim if there is one, else about safety; not about cycles."""
    kind = "claim" if spin.claim else "safety"
    return next(answer for answer in checked.values["answers"] if answer["property_kind"] == kind)


def _differs_with_claim(spin: Facts, path: Path, beeline: Beeline) -> str:
    difference = _verdicts_differ(spin, path, beeline, [["--search", "bfs"], ["--search", "auto"]])
    if difference or spin.states is None:
        return difference
    counted = beeline.ask("check", path, ["--search", "dfs", "--shrink", "none"])
    stored = _answer(counted, spin)["states"]
    fine = stored == spin.states if spin.exact else stored >= spin.states
    return "" if fine else f"states with claim: SPIN {spin.states}, Beeline {stored}"
