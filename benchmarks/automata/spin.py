"""The never claims that SPIN makes of formulas: how large they are."""

from __future__ import annotations

import re
import shutil
import subprocess

from beeline.automata import Formula
from beeline.automata.normal import normal_form

_SYMBOLS = {"and": "&&", "or": "||", "U": "U", "R": "V", "F": "<>", "G": "[]", "X": "X", "not": "!"}


def is_present() -> bool:
    return shutil.which("spin") is not None


def text_of(formula: Formula) -> str:
    """The formula for ``spin -f``, which knows neither ``W`` nor ``M``, with all parentheses.

    ``a W b`` becomes ``b V (a || b)``, the form of which SPIN makes the smallest claims.
    """
    parts = [text_of(child) for child in formula.children]
    match formula.kind:
        case "atom":
            return formula.name
        case "W":
            return f"({parts[1]} V ({parts[0]} || {parts[1]}))"
        case "M":
            return f"({parts[1]} U ({parts[0]} && {parts[1]}))"
        case "true" | "false":
            return formula.kind
        case "not" | "F" | "G" | "X":
            return f"({_SYMBOLS[formula.kind]} {parts[0]})"
    return "(" + f" {_SYMBOLS[formula.kind]} ".join(parts) + ")"


def claim_states(formula: Formula, seconds: float = 10.0) -> int | None:
    """The reachable states of SPIN's claim for a formula without X; None if SPIN takes too long."""
    command = ["spin", "-f", text_of(normal_form(formula))]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    if not done.stdout.startswith("never"):
        raise ValueError(f"spin -f failed for {command[-1]}: {done.stdout[:200]}")
    return len(_reachable(done.stdout))


def _reachable(claim: str) -> set[str]:
    """The states of a claim's text that can be entered; a group of labels is one state."""
    names: dict[str, str] = {}
    targets: dict[str, list[str]] = {}
    group: list[str] = []
    first = ""
    for line in claim.splitlines():
        label = re.fullmatch(r"(\w+):\s*", line)
        if label:
            group.append(label[1])
            continue
        if group:
            first = group[0]
            names.update(dict.fromkeys(group, first))
            targets[first] = []
            group = []
        if first:
            targets[first].extend(re.findall(r"goto (\w+)", line))
            if "assert(!" in line:  # how SPIN writes the step to accept_all
                targets[first].append("accept_all")
    seen = {next(iter(targets))}
    stack = list(seen)
    while stack:
        for target in targets[stack.pop()]:
            state = names[target]
            if state not in seen:
                seen.add(state)
                stack.append(state)
    return seen
