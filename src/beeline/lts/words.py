"""The visible words of a system: what can be seen one after the other, hidden steps in between left out."""

from __future__ import annotations

from collections import deque

from beeline.lts.lts import TAU, Arc, Lts

Place = frozenset[int]
"""The states in which a system may be after a word."""


class Words:
    """A system as those see it who do not see hidden steps: after a word it is in one of several states.

    >>> words = Words(Lts.of(3, 0, [(0, TAU, 1), (1, "a", 2)]))
    >>> sorted(words.first), words.after(words.first)
    ([0, 1], {'a': frozenset({2})})
    """

    def __init__(self, lts: Lts) -> None:
        self._successors = lts.successors()
        self.first = self._closed({lts.initial})

    def _closed(self, states: set[int]) -> Place:
        waiting = list(states)
        while waiting:
            for label, target in self._successors[waiting.pop()]:
                if label == TAU and target not in states:
                    states.add(target)
                    waiting.append(target)
        return frozenset(states)

    def after(self, place: Place) -> dict[str, Place]:
        """By what can be seen next: where the system may be then."""
        found: dict[str, set[int]] = {}
        for state in sorted(place):
            for label, target in self._successors[state]:
                if label != TAU:
                    found.setdefault(label, set()).add(target)
        return {label: self._closed(found[label]) for label in sorted(found)}


def determinised(lts: Lts) -> Lts:
    """The system with the same visible words that has no hidden steps and no choice between arcs of one label."""
    words = Words(lts)
    numbers, order = {words.first: 0}, [words.first]
    arcs: list[Arc] = []
    for place in order:
        for label, target in words.after(place).items():
            if target not in numbers:
                numbers[target] = len(numbers)
                order.append(target)
            arcs.append((numbers[place], label, numbers[target]))
    return Lts.of(len(order), 0, arcs)


def distinguishing_word(one: Lts, other: Lts) -> tuple[list[str], bool] | None:
    """A shortest visible word that only one of two systems has, and whether the first has it; None if there is none."""
    left, right = Words(one), Words(other)
    start = left.first, right.first
    came_from: dict[tuple[Place, Place], tuple[tuple[Place, Place], str] | None] = {start: None}
    waiting = deque([start])
    while waiting:
        pair = waiting.popleft()
        mine, its = left.after(pair[0]), right.after(pair[1])
        alone = sorted(mine.keys() ^ its.keys())
        if alone:
            return [*_way(came_from, pair), alone[0]], alone[0] in mine
        for label in mine:
            following = mine[label], its[label]
            if following not in came_from:
                came_from[following] = pair, label
                waiting.append(following)
    return None


def _way(
    came_from: dict[tuple[Place, Place], tuple[tuple[Place, Place], str] | None], pair: tuple[Place, Place]
) -> list[str]:
    labels = []
    step = came_from[pair]
    while step is not None:
        pair, label = step
        labels.append(label)
        step = came_from[pair]
    return labels[::-1]
