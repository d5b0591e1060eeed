"""Random networks of processes that are alike with questions about whole runs: every search that folds them against
plain searches for cycles.

A question is a formula, mostly one that all processes are alike in, or a never claim, or labels in the loop of the
processes. Ways to representatives and reductions take turns beside the searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from beeline import check, explore
from beeline.engine import Limits
from beeline.model.network import Network
from beeline.problems.settings import Result

from .liveness import random_claim
from .symmetric_networks import found_once, read
from .symmetric_promela import symmetric_promela_of
from .tool import Beeline

FORMULAS = 2
MOST = Limits(states=1500)
PAIRS = Limits(states=60_000)
"""In searches among pairs of states, of which there may be many: then there is no answer."""
SEARCHES: tuple[dict[str, Any], ...] = (
    {"search": "ndfs"}, {"search": "scc"}, {"search": "ndfs", "threads": 2}, {"search": "auto"}, {"search": "bfs"},
    {"search": "astar"}, {"search": "greedy"}, {"search": "dfs"}, {"search": "multi"},
)  # fmt: skip
SYMMETRIES = ("exact", "auto", "quick")
REDUCTIONS = ("none", "stubborn", "none", "ample", "seeds", "none", "transactions")
_LOOP = re.compile(r"^  do$", re.MULTILINE)


def symmetric_runs_of(seed: int) -> str:
    """A program; its first lines are the questions, one in each."""
    dice = Random(f"runs {seed}")
    text, _ = symmetric_promela_of(seed)
    text = re.sub(r"assert\([^;\n]*\)(?=;| }|$)", "skip", text, flags=re.MULTILINE) if dice.random() < 0.9 else text
    ids = sorted({int(one) for one in re.findall(r"flag\[(\d+)\]|run client\((\d+)", text) for one in one if one})
    count = text.count("run client(")
    ids = ids[:count] if len(ids) >= count else list(range(count))
    kind = dice.choice(["formula"] * 5 + ["accept", "progress", "claim"])
    if kind in ("accept", "progress"):
        return "/* */\n" + _LOOP.sub(lambda m: f"{kind}_here: do" if dice.random() < 0.7 else m[0], text)
    if kind == "claim":
        return "/* */\n" + text + random_claim(["x", "x", "st[1]" if dice.random() < 0.2 else "x"], dice)
    formulas = "".join(f"/* ltl: {_formula(ids, dice, 3)} */\n" for _ in range(FORMULAS))
    return formulas + text


def _formula(ids: list[int], dice: Random, depth: int) -> str:
    if depth == 0 or dice.random() < 0.15:
        return _condition(ids, dice)
    kind = dice.choice(["[]", "<>", "[]", "<>", "!", "&&", "||", "->", "U", "X"])
    inner = _formula(ids, dice, depth - 1)
    return (
        f"{kind} ({inner})"
        if kind in ("[]", "<>", "!", "X")
        else f"({inner}) {kind} ({_formula(ids, dice, depth - 1)})"
    )


def _condition(ids: list[int], dice: Random) -> str:
    """What may be said of a state; now and then of one process alone."""
    if dice.random() < 0.08:
        return f"(flag[{dice.choice(ids)}] == 1)"
    each, between = dice.choice(["flag[{0}] == 1", "st[{0}] == 1", "st[{0}] != 2"]), dice.choice(["&&", "||"])
    every = f" {between} ".join(f"({each.format(one)})" for one in dice.sample(ids, len(ids)))
    return dice.choice(
        [f"(x == {dice.randrange(3)})", f"({every})", f"({every})", "(len(box) == 0)", "(flag[turn] == 1)"]
    )


def runs_differences(text: str, _: Beeline | None = None) -> tuple[str, str]:
    """What became of a network, and in what searches differ."""
    network = read(text)
    if not explore(network, limits=MOST).complete:
        return "too large", ""
    turn, folds = sum(map(ord, text)), 0
    with found_once():
        for number, asked in enumerate(asked_of(text, network)):
            difference, folded = answers_differ(network, asked, turn + number)
            folds += folded
            if difference:
                return "disagrees", difference
    return ("agrees" if folds else "nothing alike"), ""


def asked_of(text: str, network: Network) -> Iterator[str]:
    """The questions of a program."""
    yield from re.findall(r"^/\* (ltl: .*) \*/$", text, re.MULTILINE)
    for name in ("claim", "acceptance", "progress"):
        if any(asked.kind == name for asked in network.properties):
            yield name


def answers_differ(network: Network, asked: str, turn: int) -> tuple[str, bool]:
    """In what a search differs from plain ones, and whether any of them folded states; `turn` says which symmetry and
    which reduction go with it."""
    expected = check(network, asked, search="ndfs")
    folds = False
    for place, search in enumerate(SEARCHES):
        way: dict[str, Any] = {
            **search,
            "symmetry": SYMMETRIES[(turn + place) % len(SYMMETRIES)],
            "reduce": REDUCTIONS[(turn + place) % len(REDUCTIONS)],
            "limits": PAIRS,
        }
        found = check(network, asked, **way)
        folds |= found.symmetry != "none"
        if found.verdict != expected.verdict and not (found.verdict == "unknown" and "limit" in found.reason):
            return f"verdict: {expected.verdict}, {found.verdict} by {way}, {asked}", folds
        if found.trace is not None and _comes_back(found) is False:
            return f"lasso: does not come back by {way}, {asked}", folds
    return _lengths_differ(network, asked), folds


def _comes_back(found: Result) -> bool:
    trace = found.trace
    assert trace is not None
    return trace.cycle is None or trace.states[trace.cycle] == trace.states[-1]


def _lengths_differ(network: Network, asked: str) -> str:
    """Traces that end are the shortest beside symmetry, too."""
    plain, folded = (check(network, asked, search="bfs", symmetry=one, limits=PAIRS) for one in ("none", "exact"))
    if "unknown" in (plain.verdict, folded.verdict) or not (plain.shortest and folded.shortest):
        return ""
    lengths = len(plain.trace or ()), len(folded.trace or ())
    return "" if lengths[0] == lengths[1] else f"length: {lengths[0]}, {lengths[1]} by bfs, {asked}"
