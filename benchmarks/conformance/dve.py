"""Random DVE models: Beeline against an explicit search of the syntax tree, and its searches against each other."""

from __future__ import annotations

import tempfile
from pathlib import Path

from beeline.languages.dve.parser import parse_model

from .dve_reference import Found, Reference
from .tool import INTERNAL, Beeline

MOST_STATES = 3_000
WAYS = (
    ["--search", "bfs"],
    ["--search", "dfs"],
    ["--search", "auto"],
    ["--search", "bfs", "--store", "tree"],
    ["--search", "bfs", "--threads", "2"],
)


def dve_differences(text: str, beeline: Beeline) -> tuple[str, str]:
    """What became of a model (`agrees`, `disagrees`, `too large`, `rejected`), and the disagreement."""
    with tempfile.TemporaryDirectory(prefix="random-dve-") as name:
        path = Path(name) / "model.dve"
        path.write_text(text)
        explored = beeline.ask("explore", path, ["--tier", "bytecode"])
        if explored.refused:  # only models in which the order of a handshake's effects matters
            return ("rejected" if "order would matter" in explored.message else "disagrees"), explored.message
        if explored.status == INTERNAL:
            return "disagrees", explored.message
        reference = Reference(parse_model(text))
        found = reference.explore(MOST_STATES)
        if not found.complete:
            return "too large", ""
        difference = (
            _counts_differ(found, explored.values)
            or _tiers_differ(path, beeline, explored.values)
            or _verdicts_differ(path, beeline, found, reference)
        )
        return ("disagrees" if difference else "agrees"), difference


def _counts_differ(found: Found, values: dict[str, object]) -> str:
    if found.states != values["states"]:
        return f"states: reference {found.states}, Beeline {values['states']}"
    if bool(found.failures) != bool(values["errors"]):
        return f"errors: reference {found.failures}, Beeline {values['errors']}"
    if found.failures:
        return ""  # what else a state can do whose guard has no value is nobody's concern
    if found.steps != values["transitions"]:
        return f"transitions: reference {found.steps}, Beeline {values['transitions']}"
    if found.deadlocks != values["deadlocks"]:
        return f"deadlocks: reference {found.deadlocks}, Beeline {values['deadlocks']}"
    return ""


def _tiers_differ(path: Path, beeline: Beeline, values: dict[str, object]) -> str:
    counts = ("states", "transitions", "deadlocks", "errors")
    answer = beeline.ask("explore", path, ["--tier", "native"])
    if answer.status == INTERNAL:
        return f"native code: {answer.message}"
    native = answer.values
    if not native.get("complete"):  # the compiler took the time
        return ""
    for count in counts:
        if native.get(count) != values[count]:
            return f"native code: {count} {native.get(count)}, bytecode {values[count]}"
    return ""


def _verdicts_differ(path: Path, beeline: Beeline, found: Found, reference: Reference) -> str:
    asked = {"deadlock": found.deadlocks > 0 or found.failures > 0}
    if any(process.assertions for process in reference.system):
        asked["assertions"] = found.asserts or found.failures > 0
    if reference.watch is not None and not found.failures:
        watched = reference.watched(MOST_STATES)
        if watched.complete:
            asked["claim"] = watched.claim
    for prop, violated in asked.items():
        lengths = set()
        for way in WAYS:
            answer = beeline.ask("check", path, [*way, "--property", prop])
            expected = "violated" if violated else "holds"
            if answer.values.get("verdict") != expected:
                return f"{prop} by {' '.join(way)}: reference {expected}, Beeline {answer.values.get('verdict')}"
            if answer.values.get("trace_is_shortest"):
                lengths.add(answer.values["trace_length"])
        if len(lengths) > 1:
            return f"{prop}: traces of lengths {sorted(lengths)} are called shortest"
    return ""
