"""From representatives back to states: those that a path of representatives stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from beeline.engine import core
from beeline.records import Record
from beeline.trace import ReplayError

Words = Sequence[int]
Arcs = Sequence[tuple[int, int, int, Words | None]]  # action, marks, detail and target, as spaces tell them


class Unfolded(Record, frozen=True):
    """States, the action that leads to each, and the arcs that leave the last."""

    states: list[Words]
    actions: list[int]
    arcs: Arcs


def unfold(
    space: core.ProgramSpace | core.TimedSpace,
    representative: Callable[[Words], list[int]],
    path: Iterable[Words],
) -> Unfolded:
    """States of a space behind a path of representatives: each that one stands for has a step to one of those that the
    next stands for. All states that are alike have one `representative`."""
    states: list[Words] = []
    actions: list[int] = []
    arcs: Arcs = space.initial_arcs()
    for folded in path:
        action, words = _step_to(representative(folded), arcs, representative)
        states.append(words)
        actions.append(action)
        arcs = space.successor_arcs(words)[1]
    return Unfolded(states, actions, arcs)


def _step_to(wanted: list[int], arcs: Arcs, representative: Callable[[Words], list[int]]) -> tuple[int, Words]:
    """The first of some arcs to a state that a representative stands for."""
    for action, _, _, words in arcs:
        if words is not None and representative(words) == wanted:
            return action, words
    raise ReplayError("no state stands behind a representative")
