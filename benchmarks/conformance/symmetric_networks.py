"""Random networks of processes that are alike: every search that folds them against plain breadth-first search.

Each network is asked one question by every search; ways to representatives and reductions take turns beside them, so
that many networks see all combinations.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from beeline import check, explore
from beeline.analysis.configuration import processes_to_come
from beeline.compile.program import compile_network
from beeline.engine import Limits, Statistics, core
from beeline.languages.promela import LANGUAGE
from beeline.model.expressions import Expression
from beeline.model.network import Network
from beeline.problems.folding import folded
from beeline.problems.settings import Result
from beeline.symmetry import find_symmetry
from beeline.symmetry.found import Symmetries, find_symmetries

from .symmetric_promela import symmetric_promela_of
from .tool import Beeline

MOST = Limits(states=3000)
FEW = 400
SEARCHES = (
    "bfs", "dfs", "random-dfs", "iddfs", "idfs", "adfs", "astar", "wastar", "idastar", "greedy", "ut", "multi", "auto",
    "walk",
)  # fmt: skip
SYMMETRIES = ("exact", "auto", "quick")
REDUCTIONS = ("none", "stubborn", "none", "ample", "seeds", "none", "transactions")
"""Of another length than the other lists, so that over many networks each meets each."""
UNPROVEN = ("walk", "idfs", "idastar")
"""Searches that find no proof, or very late, where there is nothing to be found."""
BRIEF = Limits(time=0.3)


def symmetric_network_of(seed: int) -> str:
    """A program whose first line is a question about it."""
    text, question = symmetric_promela_of(seed)
    return f"/* {question} */\n{text}"


def read(text: str) -> Network:
    assert LANGUAGE.read is not None
    return LANGUAGE.read(text, Path("model.pml"))


def network_differences(text: str, _: Beeline | None = None) -> tuple[str, str]:
    """What became of a network, and in what searches differ."""
    network = read(text)
    turn = sum(map(ord, text))
    question = text[2 : text.index("*/")].strip() if turn % 3 else None
    with found_once():
        plain, exact = explore(network, limits=MOST), explore(network, limits=MOST, symmetry="exact")
        if not plain.complete:
            return "too large", ""
        if exact.symmetry == "none":
            alike = exact.statistics.stored == plain.statistics.stored
            return ("nothing alike", "") if alike else ("disagrees", "states: without symmetry")
        difference = (
            _counts_differ(plain.statistics, exact.statistics)
            or classes_differ(network)
            or verdicts_differ(network, question, turn)
        )
    if difference:
        return "disagrees", difference
    return ("agrees" if exact.statistics.stored < plain.statistics.stored else "as many states"), ""


def _counts_differ(plain: Statistics, exact: Statistics) -> str:
    if exact.stored > plain.stored:
        return f"states: {plain.stored}, folded {exact.stored}"
    if bool(exact.deadlocks) != bool(plain.deadlocks):
        return f"deadlocks: {plain.deadlocks}, folded {exact.deadlocks}"
    if bool(exact.errors) != bool(plain.errors):
        return f"errors: {plain.errors}, folded {exact.errors}"
    return ""


def verdicts_differ(network: Network, question: str | None, turn: int) -> str:
    """In what a search differs from plain breadth-first search; `turn` says which symmetry and reduction go with it."""
    expected = check(network, question, search="bfs")
    for place, search in enumerate(SEARCHES):
        way: dict[str, Any] = {
            "search": search,
            "symmetry": SYMMETRIES[(turn + place) % len(SYMMETRIES)],
            "reduce": REDUCTIONS[(turn + place) % len(REDUCTIONS)],
        }
        if search in UNPROVEN:
            way["limits"] = BRIEF
        if search == "bfs" and way["reduce"] == "none":
            way["threads"] = 2
        if difference := _answers_differ(expected, check(network, question, **way)):
            return f"{difference} by {way}, {question}"
    return ""


def _answers_differ(expected: Result, other: Result) -> str:
    unproven = other.search in UNPROVEN and other.verdict == "unknown"
    if other.verdict != expected.verdict and not unproven:
        return f"verdict: {expected.verdict}, {other.verdict}"
    if other.shortest:
        lengths = len(expected.trace or ()), len(other.trace or ())
        if lengths[0] != lengths[1]:
            return f"length: {lengths[0]}, {lengths[1]}"
    return ""


def classes_differ(network: Network) -> str:
    """In what a small folded space differs from the representatives of all states."""
    program = compile_network(network, max_processes=processes_to_come(network))
    made = folded(program, find_symmetry("exact"), None).native
    if made is None:
        return ""

    def representatives(states: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
        return {tuple(made.representative(program.native, list(words))) for words in states}

    states = reachable(core.ProgramSpace(program.native), FEW)
    if states is None:
        return ""
    small = reachable(core.ReducedProgramSpace(core.ProgramSpace(program.native), symmetry=made), FEW)
    expected = representatives(states)
    if representatives(expected) != expected:
        return "representatives: not their own"
    if small is None or representatives(small) != expected:
        return "classes: not those of the states"
    return ""


def reachable(space: core.ProgramSpace | core.ReducedProgramSpace, most: int) -> set[tuple[int, ...]] | None:
    """All states of a space; None if there are too many."""
    waiting = [words for _, _, _, words in space.initial_arcs() if words is not None]
    found = set(waiting)
    while waiting:
        for _, _, _, words in space.successor_arcs(waiting.pop())[1]:
            if words is not None and words not in found:
                found.add(words)
                waiting.append(words)
        if len(found) > most:
            return None
    return found


@contextmanager
def found_once() -> Iterator[None]:
    """Meanwhile the symmetries of a network are found once for each question, not for each search."""
    known: list[tuple[Network, tuple[Expression, ...], Symmetries]] = []

    def find(network: Network, asked: tuple[Expression, ...], _: object = ()) -> Symmetries:
        for other, question, found in known:
            if (other, question) == (network, asked):
                return found
        known.append((network, asked, find_symmetries(network, asked)))
        return known[-1][2]

    with patch("beeline.symmetry.found.find_symmetries", find):
        yield
