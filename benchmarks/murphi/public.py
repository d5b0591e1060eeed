"""Murphi models from elsewhere: what Rumur and CMurphi say of them, and what Beeline says.

A model that holds has the same number of states; one that does not has a trace of the same length. A tool that does not
read a model, or does not come to an end with it, says nothing of it.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmarks.beem.tables import table
from benchmarks.conformance.murphi import verdicts_differ
from benchmarks.conformance.running import Tally, ended_early
from benchmarks.conformance.tool import INTERNAL, Beeline, Inside, ToolLimits
from benchmarks.murphi.peers import FOLDED, PLAIN, Answer, CMurphi, Limits, PeerMissing, Rumur

FAST_TO_BUILD = ("-O0",)  # most models are small
Ask = Callable[[Path], Answer]


def tools(folds: bool, limits: Limits) -> dict[str, Ask]:
    """The tools that are here."""
    found: dict[str, Ask] = {"Rumur": Rumur(*(FOLDED if folds else PLAIN), limits=limits, optimise=FAST_TO_BUILD).ask}
    try:
        options = ("-permlimit0",) if folds else ("-nosym",)
        found["CMurphi"] = CMurphi(*options, limits=limits, optimise=FAST_TO_BUILD).ask
    except PeerMissing as missing:
        print(f"without CMurphi: {missing}")
    return found


def compare(path: Path, answer: Answer, beeline: Beeline, symmetry: str) -> tuple[str, str]:
    """What became of a model, and in what Beeline differs."""
    if not answer.accepted:
        return "not read", ""
    if not answer.complete:
        return "no answer", ""
    folded = ["--symmetry", symmetry]
    explored = beeline.ask("explore", path, folded) if answer.verdict == "holds" else None
    if explored is not None:
        if explored.refused or explored.status == INTERNAL:
            return "disagrees", f"refused: {explored.message}"
        if not explored.values["complete"]:
            return "too large", ""
        if folded != ["--symmetry", "none"] and explored.values.get("symmetry", "none") == "none":
            return "not folded", ""
        if explored.values["states"] != answer.states:
            return "disagrees", f"states: {answer.states}, Beeline {explored.values['states']}"
    if set(answer.kinds) == {"liveness"}:
        answer = replace(answer, kinds=())  # its trace ends elsewhere: its length says nothing
    difference = verdicts_differ(path, answer, beeline, folded)
    return ("disagrees" if difference else "agrees"), difference


def is_too_large(path: Path, beeline: Beeline, symmetry: str, most: int | None) -> bool:
    """Whether Beeline finds neither an error nor the end in so many states: then no other tool is asked."""
    if most is None:
        return False
    asked = beeline.ask("check", path, ["--search", "bfs", "--symmetry", symmetry, "--max-states", str(most)])
    return asked.values.get("verdict") == "unknown"


def public(arguments: Namespace) -> str:
    """Compares all models in a folder; what becomes of each is told at once."""
    beeline = Beeline(Inside(), ToolLimits(time_s=2 * arguments.seconds))
    found = tools(arguments.symmetry != "none", Limits(arguments.seconds, memory_mb=3000))
    became = {name: Tally() for name in found}
    with ended_early():
        for path in sorted(arguments.folder.rglob("*.m")):
            if not any(word in path.name for word in arguments.models):
                continue
            large = is_too_large(path, beeline, arguments.symmetry, arguments.most)
            for name, ask in found.items():
                kind, difference = "too large", ""
                if not large:
                    kind, difference = compare(path, ask(path), beeline, arguments.symmetry)
                became[name][kind] += 1
                told = f"{kind}: {difference}" if difference else kind
                print(f"{path.relative_to(arguments.folder)}, {name}: {told}", flush=True)
    kinds = sorted({kind for counts in became.values() for kind in counts})
    return table(("", *kinds), [(name, *(str(counts[kind]) for kind in kinds)) for name, counts in became.items()])
