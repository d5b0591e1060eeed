"""Acceptance of any kind, as HOA has it, made one of sets that must all be met infinitely often.

An acceptance condition is a list of options, of which one must be fulfilled: some sets are met infinitely often, some
only finitely often. For each option there is a copy of the automaton without the edges that may be taken only finitely
often; a run guesses when it has taken the last of these, and goes over into the copy (as from Rabin to Büchi automata:
Safra and Vardi, STOC 1989).
"""

from __future__ import annotations

from itertools import product

from beeline.automata.graph import Arc
from beeline.records import Record

Set = tuple[int, bool]
"""The number of an acceptance set, and whether the edges outside of it are meant."""


class Option(Record, frozen=True):
    """Edges of each set of `often` infinitely often, and edges of the sets of `seldom` only finitely often."""

    often: frozenset[Set] = frozenset()
    seldom: frozenset[Set] = frozenset()

    def __le__(self, other: Option) -> bool:
        """Whether this asks for no more than `other`."""
        return self.often <= other.often and self.seldom <= other.seldom


Acceptance = tuple[Option, ...]
ALWAYS: Acceptance = (Option(),)
NEVER: Acceptance = ()


def either(left: Acceptance, right: Acceptance) -> Acceptance:
    """The options of both; those that ask for more than others are left out.

    >>> either(ALWAYS, (Option(often=frozenset({(0, False)})),)) == ALWAYS
    True
    """
    options = tuple(dict.fromkeys((*left, *right)))
    return tuple(one for one in options if not any(other <= one for other in options if other != one))


def both(left: Acceptance, right: Acceptance) -> Acceptance:
    """An option of each at once."""
    found = (Option(one.often | other.often, one.seldom | other.seldom) for one, other in product(left, right))
    return either(tuple(found), NEVER)


def all_sets(rows: list[list[Arc]], acceptance: Acceptance) -> tuple[list[list[Arc]], int]:
    """The arcs of an automaton that accepts the same from each of its states, and has sets that must all be met; and
    how many these are. Its first states are those of `rows`, whose marks are the sets that `acceptance` speaks of."""
    if not acceptance:
        return [[] for _ in rows], 0
    if len(acceptance) == 1 and not acceptance[0].seldom:
        often = sorted(acceptance[0].often)
        return [[(guard, _met(marks, often), target) for guard, marks, target in row] for row in rows], len(often)
    sets = max(1, *(len(option.often) for option in acceptance))
    found: list[list[Arc]] = [[(guard, 0, target) for guard, _, target in row] for row in rows]
    for option in acceptance:
        often, offset = sorted(option.often), len(found)
        spare = (1 << sets) - (1 << len(often))
        for state, row in enumerate(rows):
            kept = [arc for arc in row if not _met(arc[1], sorted(option.seldom))]
            found.append([(guard, _met(marks, often) | spare, offset + target) for guard, marks, target in kept])
            found[state] += [(guard, 0, offset + target) for guard, _, target in row]
    return found, sets


def _met(marks: int, sets: list[Set]) -> int:
    """Of `sets`, the mask of those that an arc with `marks` is in."""
    return sum(1 << place for place, (index, outside) in enumerate(sets) if (marks >> index & 1) != outside)
