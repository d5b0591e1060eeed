"""From representatives back to states: those that a path of representatives stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

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
        action, words = next(_steps_to(representative(folded), arcs, representative))
        states.append(words)
        actions.append(action)
        arcs = space.successor_arcs(words)[1]
    return Unfolded(states, actions, arcs)


def unfold_lasso(
    space: core.ProgramSpace,
    representative: Callable[[Words], list[int]],
    path: Sequence[Words],
    cycle: int,
) -> tuple[Unfolded, int]:
    """The same for a path whose last representative is the one at `cycle`, and the position of the state to which the
    states come back. They are back among those that are alike after one round of the cycle, and go round until they
    are where they were: each round takes them on by some permutation, and that has an order."""
    way = unfold(space, representative, path[: cycle + 1])
    around = [representative(folded) for folded in path[cycle + 1 :]]
    if not around:
        return way, cycle
    states, actions, arcs = way.states, way.actions, way.arcs
    met = {(0, tuple(states[-1])): cycle}
    while True:
        passed = (len(states) - 1 - cycle) % len(around)
        able = list(_steps_to(around[passed], arcs, representative))
        position = (passed + 1) % len(around)
        action, words = next((one for one in able if (position, tuple(one[1])) in met), able[0])
        states.append(words)
        actions.append(action)
        arcs = space.successor_arcs(words)[1]
        before = met.setdefault((position, tuple(words)), len(states) - 1)
        if before < len(states) - 1:
            return Unfolded(states, actions, arcs), before


def _steps_to(
    wanted: list[int], arcs: Arcs, representative: Callable[[Words], list[int]]
) -> Iterator[tuple[int, Words]]:
    """The actions and targets of those arcs that lead to a state that a representative stands for; there is one."""
    found = False
    for action, _, _, words in arcs:
        if words is not None and representative(words) == wanted:
            found = True
            yield action, words
    if not found:
        raise ReplayError("no state stands behind a representative")
