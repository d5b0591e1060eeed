"""Do two systems do the same, and if not, what tells them apart?

A word that only one of them has is the easiest to read, so that it is looked for first; where the words are the same, a
formula tells which choice one of them has and the other has not. Formulas are evaluated in both systems before anyone
sees them.
"""

from __future__ import annotations

from typing import Any

from beeline.lts.formula import Can, Formula, Not, Until, holds, inner, to_text
from beeline.lts.lts import TAU, Lts
from beeline.lts.refine import Rounds, branching, strong
from beeline.lts.words import distinguishing_word
from beeline.records import Record

Pair = tuple[int, int]


class Difference(Record, frozen=True):
    """What one of two systems can do and the other cannot: a visible word, or where there is none, a formula."""

    by_first: bool
    word: tuple[str, ...] = ()
    formula: Formula | None = None

    def __str__(self) -> str:
        return " . ".join(self.word) if self.formula is None else to_text(self.formula)


def compare(one: Lts, other: Lts, equivalence: str) -> Difference | None:
    """What tells two systems apart, or None if they are equivalent (see `EQUIVALENCES`).

    >>> chooses_late = Lts.of(4, 0, [(0, "a", 1), (1, "b", 2), (1, "c", 3)])
    >>> chooses_early = Lts.of(5, 0, [(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 4)])
    >>> print(compare(chooses_late, chooses_early, "trace"))
    None
    >>> print(compare(chooses_late, chooses_early, "strong"))
    <a> (<c> true and <b> true)
    """
    word = distinguishing_word(one, other)
    if word is not None:
        return Difference(word[1], tuple(word[0]))
    if equivalence == "trace":
        return None
    both, pair = one.beside(other), (one.initial, one.states + other.initial)
    rounds = strong(both) if equivalence == "strong" else branching(both)
    if rounds[-1][pair[0]] == rounds[-1][pair[1]]:
        return None
    formula = _Reasons(both, rounds, equivalence == "branching").formula(pair)
    true_in = holds(both, formula)
    assert pair[0] in true_in and pair[1] not in true_in, "the formula does not tell the two apart"
    return Difference(True, formula=formula)


class _Reasons:
    """Formulas that are true in one state and not in another, built from the rounds in which they parted."""

    def __init__(self, lts: Lts, rounds: Rounds, hides: bool) -> None:
        self._rounds, self._hides = rounds, hides
        self._successors = lts.successors()
        self._known: dict[Pair, Formula] = {}
        self._made: dict[tuple[Any, ...], Formula] = {}

    def formula(self, pair: Pair) -> Formula:
        waiting = [pair]
        while waiting:
            one, other = waiting[-1]
            plan = self._plan(one, other)
            missing = [needed for needed in plan.needs if needed not in self._known]
            if missing:
                waiting += missing
            else:
                self._known[waiting.pop()] = self._shared(plan.formula(self._known))
        return self._known[pair]

    def _shared(self, formula: Formula) -> Formula:
        """The same formula as before, if there was such a one: parts of formulas are compared by what they are."""
        return self._made.setdefault((type(formula), getattr(formula, "label", ""), *map(id, inner(formula))), formula)

    def _plan(self, one: int, other: int) -> _Plan:
        level = next(k for k, blocks in enumerate(self._rounds) if blocks[one] != blocks[other])
        blocks = self._rounds[level - 1]
        plan = self._alone(one, other, blocks)
        return _Plan(negates=(other, one)) if plan is None else plan

    def _alone(self, one: int, other: int, blocks: list[int]) -> _Plan | None:
        """What the first state can do and the second cannot, as far as the blocks tell targets apart."""
        mine, its = self._inside(one, blocks), self._inside(other, blocks)
        able = {(label, blocks[target]) for state in its for label, target in self._successors[state]}
        for state in mine:
            for label, target in self._successors[state]:
                stays = self._hides and label == TAU and blocks[target] == blocks[one]
                if not stays and (label, blocks[target]) not in able:
                    return self._told(one, label, target, its, blocks)
        return None

    def _inside(self, state: int, blocks: list[int]) -> list[int]:
        """The states that hidden steps inside its block lead to, where these do not count."""
        found, waiting = {state: None}, [state] if self._hides else []
        while waiting:
            for label, target in self._successors[waiting.pop()]:
                if label == TAU and blocks[target] == blocks[state] and target not in found:
                    found[target] = None
                    waiting.append(target)
        return list(found)

    def _told(self, one: int, label: str, target: int, its: list[int], blocks: list[int]) -> _Plan:
        reached = [after for state in its for name, after in self._successors[state] if name == label]
        if self._hides and label == TAU:
            reached += its
        left = [
            after
            for state in its
            for name, after in self._successors[state]
            if self._hides and name == TAU and blocks[after] != blocks[one]
        ]
        through = tuple(dict.fromkeys((one, after) for after in left))
        return _Plan(label, through, tuple(dict.fromkeys((target, after) for after in reached)), until=self._hides)


class _Plan(Record, frozen=True):
    """How a formula is put together from those of other pairs of states."""

    label: str = ""
    through: tuple[Pair, ...] = ()
    then: tuple[Pair, ...] = ()
    until: bool = False
    negates: Pair | None = None

    @property
    def needs(self) -> tuple[Pair, ...]:
        return (self.negates,) if self.negates is not None else (*self.through, *self.then)

    def formula(self, known: dict[Pair, Formula]) -> Formula:
        if self.negates is not None:
            return Not(known[self.negates])
        through, then = ({id(known[pair]): known[pair] for pair in pairs} for pairs in (self.through, self.then))
        if self.until:
            return Until(tuple(through.values()), self.label, tuple(then.values()))
        return Can(self.label, tuple(then.values()))
