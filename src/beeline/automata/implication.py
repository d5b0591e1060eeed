"""What can be seen of formulas in negation normal form without any automaton: that one implies another, and that the
words before or after do not matter (Etessami and Holzmann 2000, Somenzi and Bloem 2000, Babiak et al. 2012).

All answers are sound; "no" may also mean "not seen".
"""

from __future__ import annotations

from collections.abc import Callable

from beeline.automata.formula import Formula
from beeline.automata.normal import normal_form


class Insight:
    """Implications between formulas, remembered while one formula is worked on."""

    def __init__(self) -> None:
        self._implied: dict[tuple[Formula, Formula], bool] = {}
        self._eventual: dict[Formula, bool] = {}
        self._universal: dict[Formula, bool] = {}

    def is_eventual(self, formula: Formula) -> bool:
        """Whether putting letters in front of a word of the language gives a word of it: a pure eventuality."""
        found = self._eventual.get(formula)
        if found is None:
            found = self._eventual[formula] = self._insensitive(formula, "F", self.is_eventual, ("U", "F"))
        return found

    def is_universal(self, formula: Formula) -> bool:
        """Whether every suffix of a word of the language is a word of it: pure universality."""
        found = self._universal.get(formula)
        if found is None:
            found = self._universal[formula] = self._insensitive(formula, "G", self.is_universal, ("R", "G"))
        return found

    def is_suspendable(self, formula: Formula) -> bool:
        """Whether no finite part of a word matters."""
        return self.is_eventual(formula) and self.is_universal(formula)

    @staticmethod
    def _insensitive(
        formula: Formula, always: str, holds: Callable[[Formula], bool], by_right: tuple[str, ...]
    ) -> bool:
        if formula.kind in ("atom", "not"):
            return False
        if formula.kind == always:
            return True
        if formula.kind in by_right:
            return holds(formula.children[-1])
        return all(holds(child) for child in formula.children)

    def contradict(self, left: Formula, right: Formula) -> bool:
        """Whether no word satisfies both, as far as can be seen."""
        return self.implies(left, normal_form(right, negated=True))

    def exhaust(self, left: Formula, right: Formula) -> bool:
        """Whether each word satisfies one of them, as far as can be seen."""
        return self.implies(normal_form(left, negated=True), right)

    def implies(self, left: Formula, right: Formula) -> bool:
        """Whether each word of `left` is one of `right`, as far as can be seen."""
        if left is right or left.kind == "false" or right.kind == "true":
            return True
        pair = (left, right)
        found = self._implied.get(pair)
        if found is None:
            self._implied[pair] = False  # while it is being found out
            found = self._implied[pair] = self._from_left(left, right) or self._to_right(left, right)
        return found

    def _from_left(self, left: Formula, right: Formula) -> bool:
        """Rules that take `left` apart."""
        implies, parts = self.implies, left.children
        match left.kind:
            case "or":
                return all(implies(part, right) for part in parts)
            case "and":
                return any(implies(part, right) for part in parts)
            case "G":
                return implies(parts[0], right)
            case "F" | "X" if self.is_eventual(right) and implies(parts[0], right):
                return True
            case "U" | "W":
                if implies(parts[0], right) and implies(parts[1], right):
                    return True
                return left.kind == "U" and self.is_eventual(right) and implies(parts[1], right)
            case "R" | "M":
                if implies(parts[1], right):
                    return True
                return left.kind == "M" and self.is_eventual(right) and implies(parts[0], right)
        return left.kind == right.kind == "X" and implies(parts[0], right.children[0])

    def _to_right(self, left: Formula, right: Formula) -> bool:
        """Rules that take `right` apart."""
        implies, parts = self.implies, right.children
        universal = self.is_universal(left)
        match right.kind:
            case "and":
                return all(implies(left, part) for part in parts)
            case "or":
                return any(implies(left, part) for part in parts)
            case "F":
                return implies(left, parts[0])
            case "G" | "X":
                return universal and implies(left, parts[0])
            case "U" | "W":
                if implies(left, parts[1]) or (right.kind == "W" and universal and implies(left, parts[0])):
                    return True
                kinds = ("U",) if right.kind == "U" else ("U", "W")
            case "R" | "M":
                if implies(left, parts[1]) and (implies(left, parts[0]) or (right.kind == "R" and universal)):
                    return True
                kinds = ("M",) if right.kind == "M" else ("M", "R")
            case _:
                return False
        return left.kind in kinds and all(map(implies, left.children, parts))
