"""Smaller formulas of the same language, by rewriting (Somenzi and Bloem 2000; Etessami and Holzmann 2000).

The rules never enlarge the number of temporal operators much; each is tested on random words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from beeline.automata.formula import FALSE, TRUE, Formula
from beeline.automata.implication import Insight
from beeline.automata.normal import normal_form

_ROUNDS = 6


def simplify(formula: Formula) -> Formula:
    """An equivalent formula in negation normal form, simplified.

    >>> p, q = Formula.atom("p"), Formula.atom("q")
    >>> simplify(Formula("F", (Formula("U", (p, q)),)))
    Formula('<>q')
    """
    formula = normal_form(formula)
    for _ in range(_ROUNDS):
        smaller = Simplifier().of(formula)
        if smaller is formula:
            break
        formula = smaller
    return formula


def conjunction(parts: Iterable[Formula]) -> Formula:
    """The conjunction without repetitions and constants, in the order of formulas."""
    return _gather("and", parts)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Likewise the disjunction."""
    return _gather("or", parts)


def _gather(kind: str, parts: Iterable[Formula]) -> Formula:
    zero, one = (FALSE, TRUE) if kind == "and" else (TRUE, FALSE)
    found: set[Formula] = set()
    for part in parts:
        found.update(part.children if part.kind == kind else (part,))
    found.discard(one)
    if zero in found:
        return zero
    if len(found) < 2:
        return found.pop() if found else one
    return Formula(kind, tuple(sorted(found, key=lambda formula: formula.key)))


class Simplifier:
    """One round of rewriting from the leaves to the root; equal subformulas are worked on once."""

    def __init__(self) -> None:
        self.insight = Insight()
        self._known: dict[Formula, Formula] = {}
        self._rules: dict[str, Callable[..., Formula]] = {
            "X": self.next, "F": self.eventually, "G": self.always, "U": self.until, "R": self.release,
            "W": self.weak_until, "M": self.strong_release,
        }  # fmt: skip

    def of(self, formula: Formula) -> Formula:
        found = self._known.get(formula)
        if found is None:
            found = self._known[formula] = self._rewritten(formula)
        return found

    def _rewritten(self, formula: Formula) -> Formula:
        if formula.kind in ("true", "false", "atom", "not"):
            return formula
        parts = [self.of(child) for child in formula.children]
        if formula.kind == "and":
            return self.both(parts)
        if formula.kind == "or":
            return self.either(parts)
        return self._rules[formula.kind](*parts)

    def next(self, body: Formula) -> Formula:
        if body.kind in ("true", "false") or self.insight.is_suspendable(body):
            return body
        return Formula("X", (body,))

    def eventually(self, body: Formula) -> Formula:
        kind, parts = body.kind, body.children
        if kind in ("true", "false") or self.insight.is_eventual(body):
            return body
        if kind == "U":
            return self.eventually(parts[1])
        if kind == "M":
            return self.eventually(self.both(parts))
        if kind == "X":
            return self.next(self.eventually(parts[0]))
        if kind == "W":
            return self.either([self.eventually(self.always(parts[0])), self.eventually(parts[1])])
        if kind == "and":
            outside = [part for part in parts if self.insight.is_suspendable(part)]
            if outside:
                inside = [part for part in parts if part not in outside]
                return self.both([self.eventually(self.both(inside)), *outside])
        if kind == "or":
            single = [self.eventually(part) for part in parts if not self.insight.is_eventual(part)]
            if any(result.kind != "F" or result.children[0] not in parts for result in single):
                return self.either([*single, *(part for part in parts if self.insight.is_eventual(part))])
        if kind == "G" and parts[0].kind == "or":  # F G (a || G b) is F G a || F G b
            inner = parts[0].children
            outside = [part for part in inner if self.insight.is_universal(part)]
            if outside:
                rest = self.either([part for part in inner if part not in outside])
                return self.either([self.eventually(self.always(part)) for part in (*outside, rest)])
        return Formula("F", (body,))

    def always(self, body: Formula) -> Formula:
        kind, parts = body.kind, body.children
        if kind in ("true", "false") or self.insight.is_universal(body):
            return body
        if kind == "R":
            return self.always(parts[1])
        if kind == "W":
            return self.always(self.either(parts))
        if kind == "X":
            return self.next(self.always(parts[0]))
        if kind == "M":
            return self.both([self.always(parts[1]), self.always(self.eventually(parts[0]))])
        if kind == "U":
            return self.both([self.always(self.either(parts)), self.always(self.eventually(parts[1]))])
        if kind == "or":
            outside = [part for part in parts if self.insight.is_suspendable(part)]
            if outside:
                inside = [part for part in parts if part not in outside]
                return self.either([self.always(self.either(inside)), *outside])
        if kind == "and":
            single = [self.always(part) for part in parts]
            if any(result.children != (part,) for result, part in zip(single, parts, strict=True)):
                return self.both(single)
        if kind == "F" and parts[0].kind == "and":  # G F (a && F b) is G F a && G F b
            inner = parts[0].children
            outside = [part for part in inner if self.insight.is_eventual(part)]
            if outside:
                rest = self.both([part for part in inner if part not in outside])
                return self.both([self.always(self.eventually(part)) for part in (*outside, rest)])
        return Formula("G", (body,))

    def until(self, left: Formula, right: Formula) -> Formula:
        insight = self.insight
        if right.kind in ("true", "false") or insight.is_eventual(right) or insight.implies(left, right):
            return right
        if insight.exhaust(right, left):
            return self.eventually(right)
        if left.kind == "or":  # (a || b) U b is a U b
            left = self.either([part for part in left.children if not insight.implies(part, right)])
        if right.kind == "U" and insight.implies(left, right.children[0]):
            return right
        if left.kind == "U" and insight.implies(left.children[0], right):
            return self.until(left.children[1], right)
        if left.kind == right.kind == "X":
            return self.next(self.until(left.children[0], right.children[0]))
        return self.eventually(right) if left is TRUE else Formula("U", (left, right))

    def release(self, left: Formula, right: Formula) -> Formula:
        insight = self.insight
        if right.kind in ("true", "false") or insight.is_universal(right) or insight.implies(right, left):
            return right
        if insight.contradict(left, right):
            return self.always(right)
        if left.kind == "and":  # (a && b) R b is a R b
            left = self.both([part for part in left.children if not insight.implies(right, part)])
        if right.kind == "R" and insight.implies(right.children[0], left):
            return right
        if left.kind == "R" and insight.implies(right, left.children[0]):
            return self.release(left.children[1], right)
        if left.kind == right.kind == "X":
            return self.next(self.release(left.children[0], right.children[0]))
        if right.kind == "and":
            outside = [part for part in right.children if insight.is_universal(part)]
            if outside:
                inside = self.both([part for part in right.children if part not in outside])
                return self.both([self.release(left, inside), *outside])
        return self.always(right) if left is FALSE else Formula("R", (left, right))

    def weak_until(self, left: Formula, right: Formula) -> Formula:
        insight = self.insight
        if right is TRUE or left.kind == "false" or insight.implies(left, right):
            return right
        if left is TRUE or insight.exhaust(left, right):
            return TRUE
        if insight.is_eventual(right):
            return self.either([self.always(left), right])
        if left.kind == "or":
            left = self.either([part for part in left.children if not insight.implies(part, right)])
        if right.kind == "W" and insight.implies(left, right.children[0]):
            return right
        if left.kind == right.kind == "X":
            return self.next(self.weak_until(left.children[0], right.children[0]))
        return self.always(left) if right is FALSE else Formula("W", (left, right))

    def strong_release(self, left: Formula, right: Formula) -> Formula:
        insight = self.insight
        if right is FALSE or left.kind == "true" or insight.implies(right, left):
            return right
        if left is FALSE or insight.contradict(left, right):
            return FALSE
        if insight.is_universal(right):
            return self.both([self.eventually(left), right])
        if left.kind == "and":
            left = self.both([part for part in left.children if not insight.implies(right, part)])
        if right.kind == "M" and insight.implies(right.children[0], left):
            return right
        if left.kind == right.kind == "X":
            return self.next(self.strong_release(left.children[0], right.children[0]))
        return self.eventually(left) if right is TRUE else Formula("M", (left, right))

    def both(self, parts: Iterable[Formula]) -> Formula:
        """The conjunction: what is implied goes, what fits together is joined."""
        implies = self.insight.implies
        whole = conjunction(self._joined(conjunction(parts), "and"))
        if whole.kind != "and":
            return whole
        kept = self._under(_minimal(whole.children, implies), "or", "and", implies)
        if any(self.insight.contradict(a, b) for i, a in enumerate(kept) for b in kept[:i]):
            return FALSE
        return conjunction(kept)

    def either(self, parts: Iterable[Formula]) -> Formula:
        """The disjunction, likewise."""
        implies = self.insight.implies
        whole = disjunction(self._joined(disjunction(parts), "or"))
        if whole.kind != "or":
            return whole
        kept = _minimal(whole.children, lambda a, b: implies(b, a))
        kept = self._gathered_under_f(self._under(kept, "and", "or", lambda a, b: implies(b, a)))
        if any(self.insight.exhaust(a, b) for i, a in enumerate(kept) for b in kept[:i]):
            return TRUE
        return disjunction(kept)

    @staticmethod
    def _under(
        parts: list[Formula], outer: str, inner: str, below: Callable[[Formula, Formula], bool]
    ) -> list[Formula]:
        """``a && (b || (a && c))`` as ``a && (b || c)``, and the dual."""
        result: list[Formula] = []
        for part in parts:
            if part.kind == outer:
                others = [other for other in parts if other is not part]
                choices = [
                    _gather(inner, [c for c in choice.children if not any(below(other, c) for other in others)])
                    if choice.kind == inner
                    else choice
                    for choice in part.children
                ]
                part = _gather(outer, choices)
            result.append(part)
        return result

    def _gathered_under_f(self, parts: list[Formula]) -> list[Formula]:
        """``F a || G F b`` as ``F (a || G F b)``: the automaton may wait in one state for both."""
        waiting = next((part for part in parts if part.kind == "F"), None)
        eventual = [part for part in parts if part is not waiting and self.insight.is_eventual(part)]
        if waiting is None or not eventual:
            return parts
        others = [part for part in parts if part is not waiting and part not in eventual]
        return [*others, Formula("F", (disjunction([*waiting.children, *eventual]),))]

    def _joined(self, whole: Formula, kind: str) -> list[Formula]:
        """The parts of a conjunction (disjunction), with those joined that share an operator which distributes."""
        if whole.kind != kind:
            return [whole]
        inner = self.both if kind == "and" else self.either
        groups: dict[tuple[str, Formula | None] | None, list[Formula]] = {}
        for part in _alike(whole.children, kind):
            groups.setdefault(_shared(part, kind), []).append(part)
        joined: list[Formula] = []
        for shared, group in groups.items():
            if shared is None or len(group) == 1:
                joined.extend(group)
                continue
            first = group[0]
            if len(first.children) == 1:
                body = inner([part.children[0] for part in group])
                joined.append(self._rules[first.kind](body))
            else:
                side = 0 if first.children[1] is shared[1] else 1
                body = inner([part.children[side] for part in group])
                pair = (body, first.children[1]) if side == 0 else (first.children[0], body)
                joined.append(self._rules[first.kind](*pair))
        return _completed(joined, kind)


def _alike(parts: tuple[Formula, ...], kind: str) -> list[Formula]:
    """``(a M b) || (b U c)`` as ``(b U (a && b)) || (b U c)``, which can be joined; ``(a W b) && (b R c)`` as
    ``(b R (a || b)) && (b R c)``."""
    odd, other, inner = ("W", "R", "or") if kind == "and" else ("M", "U", "and")
    shared = {part.children[0] for part in parts if part.kind == other}
    return [
        Formula(other, (part.children[1], _gather(inner, part.children)))
        if part.kind == odd and part.children[1] in shared
        else part
        for part in parts
    ]


def _shared(part: Formula, kind: str) -> tuple[str, Formula | None] | None:
    """What `part` must share with another one so that both can be joined under one operator, or None.

    ``G a && G b`` is ``G (a && b)``, ``X`` likewise, ``(a U c) && (b U c)`` is ``(a && b) U c``, and so on.
    """
    if part.kind == "X" or part.kind == ("G" if kind == "and" else "F"):
        return part.kind, None
    if part.kind in ("U", "W"):
        return part.kind, part.children[1 if kind == "and" else 0]
    if part.kind in ("R", "M"):
        return part.kind, part.children[0 if kind == "and" else 1]
    return None


def _completed(parts: list[Formula], kind: str) -> list[Formula]:
    """``F a && (a R b)`` is ``a M b``, ``F b && (a W b)`` is ``a U b``; ``G a || (a U b)`` is ``a W b``,
    ``G b || (a M b)`` is ``a R b``; ``F G a && F G b`` is ``F G (a && b)``, ``G F a || G F b`` is ``G F (a || b)``."""
    outer, twice = ("F", "G") if kind == "and" else ("G", "F")
    bodies = {part.children[0]: part for part in parts if part.kind == outer}
    changes = {"R": ("M", 0), "W": ("U", 1)} if kind == "and" else {"U": ("W", 0), "M": ("R", 1)}
    used: set[Formula] = set()
    result: list[Formula] = []
    for part in parts:
        change = changes.get(part.kind)
        if change is not None and (other := bodies.get(part.children[change[1]])) is not None:
            used.add(other)
            part = Formula(change[0], part.children)
        result.append(part)
    result = [part for part in result if part not in used]
    double = [part for part in result if part.kind == outer and part.children[0].kind == twice]
    if len(double) > 1:
        body = _gather(kind, (part.children[0].children[0] for part in double))
        result = [part for part in result if part not in double]
        result.append(Formula(outer, (Formula(twice, (body,)),)))
    return result


def _minimal(parts: tuple[Formula, ...], below: Callable[[Formula, Formula], bool]) -> list[Formula]:
    """The parts that are above no other one; of equivalent ones the first."""
    kept: list[Formula] = []
    for part in parts:
        if not any(below(other, part) for other in kept):
            kept = [other for other in kept if not below(part, other)] + [part]
    return kept
