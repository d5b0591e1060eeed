"""Boolean equation systems solved as a whole, on sets, by Zielonka's algorithm: short and slow, to check answers with.

A system is a parity game. The blocks play no part: a play stays in one block in the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from beeline.records import Record

FALSE_RANK, TRUE_RANK = 1, 2


class Row(Record, frozen=True):
    """A variable: a disjunction or a conjunction of others, with its rank: odd for least fixpoints."""

    is_disjunction: bool
    rank: int
    successors: tuple[int, ...]


def solve_game(rows: Sequence[Row]) -> list[bool]:
    """The value of each variable; a disjunction of nothing is false, a conjunction of nothing true.

    >>> solve_game([Row(True, 1, (0, 1)), Row(False, 2, (1,))])
    [True, True]
    """
    played = [row if row.successors else _end(number, row) for number, row in enumerate(rows)]
    true = _won_by_even(played, set(range(len(rows))))
    return [number in true for number in range(len(rows))]


def _end(number: int, row: Row) -> Row:
    return Row(row.is_disjunction, FALSE_RANK if row.is_disjunction else TRUE_RANK, (number,))


def _won_by_even(rows: Sequence[Row], inside: set[int]) -> set[int]:
    """Where the player of disjunctions wins, in the part of a game that is `inside`."""
    if not inside:
        return set()
    highest = max(rows[number].rank for number in inside)
    even = highest % 2 == 0
    own = _attracted(rows, inside, {number for number in inside if rows[number].rank == highest}, even)
    rest = inside - own
    won = _won_by_even(rows, rest)
    lost = rest - won if even else won
    if not lost:
        return inside if even else set()
    theirs = _attracted(rows, inside, lost, not even)
    won = _won_by_even(rows, inside - theirs)
    return won if even else won | theirs


def _attracted(rows: Sequence[Row], inside: set[int], aim: set[int], even: bool) -> set[int]:
    """From where a player can force a play into `aim`."""
    found = set(aim)
    while True:
        more = set()
        for number in inside - found:
            targets = [target for target in rows[number].successors if target in inside]
            chooses = rows[number].is_disjunction == even
            if (any if chooses else all)(target in found for target in targets):
                more.add(number)
        if not more:
            return found
        found |= more
