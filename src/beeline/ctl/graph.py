"""A space whose states are numbered and looked at one by one; sets are whole numbers, a bit for each state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from beeline.ctl.structure import Structure


class Graph(Structure[int, int]):
    """States by number, the initial ones first, each with its successors."""

    def __init__(
        self, successors: Sequence[Sequence[int]], holds: Callable[[int, str], bool], initial: int = 1
    ) -> None:
        self._successors = [list(row) or [number] for number, row in enumerate(successors)]
        self._holds = holds
        self.everything = (1 << len(successors)) - 1
        self.nothing = 0
        self.initial = (1 << initial) - 1

    @cached_property
    def _predecessors(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self._successors]
        for number, row in enumerate(self._successors):
            for target in row:
                found[target].append(number)
        return found

    def where(self, name: str) -> int:
        return _set_of(number for number in range(len(self._successors)) if self._holds(number, name))

    def before(self, states: int) -> int:
        return _set_of(source for number in _members(states) for source in self._predecessors[number])

    def after(self, state: int) -> int:
        return _set_of(self._successors[state])

    def both(self, left: int, right: int) -> int:
        return left & right

    def either(self, left: int, right: int) -> int:
        return left | right

    def without(self, left: int, right: int) -> int:
        return left & ~right

    def only(self, state: int) -> int:
        return 1 << state

    def pick(self, states: int) -> int:
        return (states & -states).bit_length() - 1

    def is_empty(self, states: int) -> bool:
        return states == 0

    def has(self, states: int, state: int) -> bool:
        return bool(states >> state & 1)

    def staying(self, states: int) -> int:
        """By taking out, one by one, states of which no successor is left."""
        inside = set(_members(states))
        left = {number: sum(target in inside for target in self._successors[number]) for number in inside}
        gone = [number for number, count in left.items() if count == 0]
        for number in gone:
            for source in self._predecessors[number]:
                if source in left:
                    left[source] -= 1
                    if left[source] == 0:
                        gone.append(source)
        return states & ~_set_of(gone)


def _set_of(numbers: Iterable[int]) -> int:
    """Through bytes: a whole number would be copied for each bit that is set."""
    members = list(numbers)
    if not members:
        return 0
    bits = bytearray(max(members) // 8 + 1)
    for number in members:
        bits[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(bits, "little")


def _members(states: int) -> list[int]:
    found = []
    for place, byte in enumerate(states.to_bytes((states.bit_length() + 7) // 8, "little")):
        while byte:
            low = byte & -byte
            found.append(8 * place + low.bit_length() - 1)
            byte ^= low
    return found
