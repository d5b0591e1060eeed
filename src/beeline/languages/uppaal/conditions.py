"""Conditions over clocks: kept as trees until it is known whether they stand in a guard or in a property."""

from __future__ import annotations

from beeline.model import folding as fold
from beeline.model.expressions import TRUE, Binary, Expression, Literal, Place, Rate, conjunction
from beeline.records import Record


class Plain(Record, frozen=True):
    """A condition without clocks."""

    expression: Expression


class Atom(Record, frozen=True):
    """``plus - minus operator bound``; `minus` None stands for zero."""

    operator: str
    plus: Expression
    minus: Expression | None
    bound: Expression


class RateIs(Record, frozen=True):
    """``clock' == value``, where all rates are 0 or 1."""

    clock: Place
    value: Expression


class And(Record, frozen=True):
    parts: tuple[Condition, ...]


class Or(Record, frozen=True):
    parts: tuple[Condition, ...]


Condition = Plain | Atom | RateIs | And | Or


class Disjunction(Exception):
    """A guard or invariant that is not convex: clocks on both sides of an `or`."""


def negate(condition: Condition) -> Condition:
    match condition:
        case Plain(expression):
            return Plain(fold.negation(expression))
        case Atom("==", plus, minus, bound):
            return Or((Atom("<", plus, minus, bound), Atom(">", plus, minus, bound)))
        case Atom("!=", plus, minus, bound):
            return Atom("==", plus, minus, bound)
        case Atom(operator, plus, minus, bound):
            return Atom(fold.opposite(operator), plus, minus, bound)
        case RateIs(clock, value):
            return RateIs(clock, fold.binary("-", TRUE, value))
        case And(parts):
            return Or(tuple(negate(part) for part in parts))
        case Or(parts):
            return And(tuple(negate(part) for part in parts))


def both(left: Condition, right: Condition) -> Condition:
    if isinstance(left, Plain) and isinstance(left.expression, Literal):
        return right if left.expression.value else left
    if isinstance(right, Plain) and isinstance(right.expression, Literal):
        return left if right.expression.value else right
    return And((left, right))


def either(left: Condition, right: Condition) -> Condition:
    if isinstance(left, Plain) and isinstance(left.expression, Literal):
        return left if left.expression.value else right
    if isinstance(right, Plain) and isinstance(right.expression, Literal):
        return right if right.expression.value else left
    return Or((left, right))


def in_property(condition: Condition) -> Expression:
    """The condition as one expression, atoms combined freely."""
    match condition:
        case Plain(expression):
            return expression
        case Atom(operator, plus, minus, bound):
            return Binary(operator, plus if minus is None else Binary("-", plus, minus), bound)
        case RateIs(clock, value):
            return Binary("==", Rate(clock), value)
        case And(parts):
            return conjunction([in_property(part) for part in parts])
        case Or(parts):
            result = in_property(parts[0])
            for part in parts[1:]:
                result = Binary("||", result, in_property(part))
            return result


def in_guard(condition: Condition) -> Expression:
    """A conjunction in which every part has at most one atom: plain, an atom, or ``plain || atom``."""
    return conjunction(list(dict.fromkeys(_conjuncts(condition))))  # nested quantifiers repeat themselves


def _conjuncts(condition: Condition) -> list[Expression]:
    match condition:
        case Plain(expression):
            return [] if expression == TRUE else [expression]
        case Atom("!=", _, _, _):
            raise Disjunction
        case Atom() | RateIs():
            return [in_property(condition)]
        case And(parts):
            return [found for part in parts for found in _conjuncts(part)]
        case Or(parts):
            return _disjunction(parts)


def _disjunction(parts: tuple[Condition, ...]) -> list[Expression]:
    plain: Expression = Literal(0)
    timed: list[Expression] | None = None
    for part in parts:
        if isinstance(part, Plain):
            plain = fold.binary("||", plain, part.expression)
        elif timed is None:
            timed = _conjuncts(part)
        else:
            raise Disjunction
    return [_weaken(plain, one) for one in timed or []]


def _weaken(plain: Expression, conjunct: Expression) -> Expression:
    """``plain || conjunct`` with the atom, if any, last."""
    if isinstance(conjunct, Binary) and conjunct.operator == "||":
        return Binary("||", fold.binary("||", plain, conjunct.left), conjunct.right)
    return Binary("||", plain, conjunct)
