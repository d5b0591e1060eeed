"""Time annotations as finite automata.

``(p in [[ESS,LSS],[EFS,LFS],[MinDu,MaxDu]] REF)`` is true if there is an interval [s,e] up to now with
ESS <= s-REF <= LSS, EFS <= e-REF <= LFS and MinDu <= e-s <= MaxDu, all through which p is true. Time is counted in
macro-steps. For each end e only one start need be looked at, the latest that is allowed: s = min(LSS, e - MinDu), since
p is true all through a part of an interval if it is all through the interval. So an automaton counts how long p has
been true, up to the longest that matters, and the time since the reference point, up to the last bound.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, TypeVar

from beeline.languages.asbru.syntax import Bound, Window
from beeline.records import Record

FAR = 1 << 30
MOST_STATES = 4096
"""Of an automaton before it is minimised."""
Q = TypeVar("Q", bound=Hashable)


class Monitor(Record, frozen=True):
    """An automaton that reads p once in each macro-step. State 0 is the one before the first."""

    after: tuple[tuple[int, int], ...]
    """The next state where p is false, and where it is true."""
    true: tuple[bool, ...]
    """The states in which the annotation is true."""

    @property
    def may_start_true(self) -> bool:
        return any(self.true[target] for target in self.after[0])


class TooLong(Exception):
    """The window is too long for its unit of time."""


class _Steps(Protocol[Q]):
    start: Q

    def step(self, state: Q, holds: bool) -> Q: ...

    def value(self, state: Q) -> bool: ...


def _low(bound: Bound) -> int:
    return -FAR if bound is None else bound


def _high(bound: Bound) -> int:
    return FAR if bound is None else bound


class _Bounds:
    def __init__(self, window: Window) -> None:
        self.ess, self.lss = _low(window.earliest_start), _high(window.latest_start)
        self.efs, self.lfs = _low(window.earliest_finish), _high(window.latest_finish)
        self.least, self.most = max(0, _low(window.least_duration)), _high(window.most_duration)

    def needed(self, end: int) -> int | None:
        """How long p must have been true at an end that is so far from the reference point; None: never enough."""
        start = min(self.lss, end - self.least)
        allowed = self.efs <= end <= self.lfs and start >= self.ess and end - start <= self.most
        return end - start if allowed else None

    @property
    def finite(self) -> list[int]:
        known = (self.ess, self.lss, self.efs, self.lfs, self.least, self.most)
        return [abs(bound) for bound in known if abs(bound) < FAR]


Since = tuple[int, int, bool]


class _SinceActivation:
    """With a reference point that is fixed: its history begins there. A state is the time since, how long p has been
    true (-1: it is not) and whether an interval was found. Both counts stop where no bound can tell more."""

    start: Since = (-1, -1, False)
    found: Since = (0, 0, True)
    lost: Since = (-2, -1, False)

    def __init__(self, window: Window) -> None:
        self._bounds = _Bounds(window)
        self._bounds.ess = max(self._bounds.ess, 0)
        self._last = sum(self._bounds.finite) + 1

    def step(self, state: Since, holds: bool) -> Since:
        if state in (self.found, self.lost):
            return state
        time = min(state[0] + 1, self._last)
        length = min(state[1] + 1, self._last) if holds else -1
        needed = self._bounds.needed(time)
        if needed is not None and length >= needed:
            return self.found
        # Behind all bounds either p must have been true since LSS, which it has not, or for MinDu at any time.
        hopeless = time == self._last and (needed is None or self._bounds.lss < FAR)
        return self.lost if hopeless else (time, length, False)

    def value(self, state: Since) -> bool:
        return state == self.found


Sliding = tuple[int, int]


class _UpToNow:
    """With a reference point that moves along. A state is how long p has been true, and the coming macro-steps in which
    intervals that are over make the annotation true: a bit for each, the lowest for the present one. The highest
    stands for all later ones."""

    start: Sliding = (-1, 0)

    def __init__(self, window: Window) -> None:
        self._bounds = _Bounds(window)
        self._longest = sum(self._bounds.finite) + 1
        self._bits = self._longest + 1

    def step(self, state: Sliding, holds: bool) -> Sliding:
        length = min(state[0] + 1, self._longest) if holds else -1
        later = state[1] >> 1 | (state[1] & 1 << self._bits - 1)
        for ahead in range(self._bits):
            needed = self._bounds.needed(-ahead)
            if needed is not None and length >= needed:
                later |= 1 << ahead
        return length, later

    def value(self, state: Sliding) -> bool:
        return bool(state[1] & 1)


def monitor(window: Window, moves: bool) -> Monitor:
    """The smallest automaton of a window, whose reference point moves along with the present or is fixed. Raises
    `TooLong`."""
    return _minimised(_explored(_UpToNow(window)) if moves else _explored(_SinceActivation(window)))


def _explored(steps: _Steps[Q]) -> Monitor:
    numbers: dict[Q, int] = {steps.start: 0}
    waiting, after = [steps.start], []
    for state in waiting:
        row = []
        for holds in (False, True):
            target = steps.step(state, holds)
            if target not in numbers:
                if len(numbers) == MOST_STATES:
                    raise TooLong
                numbers[target] = len(numbers)
                waiting.append(target)
            row.append(numbers[target])
        after.append((row[0], row[1]))
    return Monitor(tuple(after), tuple(steps.value(state) for state in waiting))


def _minimised(automaton: Monitor) -> Monitor:
    """States that cannot be told apart become one (Moore's algorithm)."""
    block = [int(value) for value in automaton.true]
    while True:
        kinds: dict[tuple[int, int, int], int] = {}
        finer = [
            kinds.setdefault((block[state], block[low], block[high]), len(kinds))
            for state, (low, high) in enumerate(automaton.after)
        ]
        if len(kinds) == len(set(block)):
            break
        block = finer
    first = [finer.index(kind) for kind in range(len(kinds))]  # state 0 is of kind 0
    after = tuple((finer[automaton.after[one][0]], finer[automaton.after[one][1]]) for one in first)
    return Monitor(after, tuple(automaton.true[one] for one in first))
