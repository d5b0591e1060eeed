"""Conditions on all pairs of processes, asked by counting: at most one is there, or two different ones are.

``forall (i : T) forall (j : T) P(i).c && P(j).c imply i == j`` written out has as many parts as there are pairs; the
number of processes at c says the same, and is as long as there are processes."""

from __future__ import annotations

from beeline.languages.uppaal import syntax
from beeline.records import Record

LARGEST_WRITTEN_OUT = 10_000  # pairs: up to here heuristics profit from seeing them one by one


class Pairs(Record, frozen=True):
    """Two different values `first` and `second` of a domain of which `one` and `other` hold."""

    first: str
    second: str
    one: syntax.Expression
    other: syntax.Expression


def sought_pair(expression: syntax.Quantified) -> Pairs | None:
    """The pair that makes ``forall forall body`` false or ``exists exists body`` true, if it is of that form: the two
    values differ, and each of the other conditions is about one of them."""
    inner = expression.body
    if not isinstance(inner, syntax.Quantified) or inner.kind != expression.kind or inner.name == expression.name:
        return None
    first, second = expression.name, inner.name
    parts: dict[frozenset[str], list[syntax.Expression]] = {}
    differ = False
    for part in _conjuncts(inner.body, expression.kind == "exists"):
        if _says_different(part, first, second):
            differ = True
        else:
            parts.setdefault(names_in(part) & {first, second}, []).append(part)
    one, other = parts.pop(frozenset((first,)), None), parts.pop(frozenset((second,)), None)
    if not differ or one is None or other is None or parts:
        return None
    return Pairs(first, second, _all(one), _all(other))


def _conjuncts(expression: syntax.Expression, wanted: bool) -> list[syntax.Expression]:
    """Conditions that together say that `expression` is true, or with `wanted` false that it is not."""
    match expression, wanted:
        case syntax.Unary("!", operand), _:
            return _conjuncts(operand, not wanted)
        case syntax.Binary("&&", left, right), True:
            return _conjuncts(left, True) + _conjuncts(right, True)
        case syntax.Binary("||", left, right), False:
            return _conjuncts(left, False) + _conjuncts(right, False)
        case syntax.Binary("imply", left, right), False:
            return _conjuncts(left, True) + _conjuncts(right, False)
        case syntax.Binary("==", left, right, source), False:
            return [syntax.Binary("!=", left, right, source)]
        case _:
            return [expression if wanted else syntax.Unary("!", expression, expression.source)]


def _says_different(part: syntax.Expression, first: str, second: str) -> bool:
    match part:
        case syntax.Binary("!=", syntax.Name(left), syntax.Name(right)):
            return {left, right} == {first, second}
        case _:
            return False


def _all(parts: list[syntax.Expression]) -> syntax.Expression:
    result = parts[0]
    for part in parts[1:]:
        result = syntax.Binary("&&", result, part, part.source)
    return result


def names_in(node: object) -> frozenset[str]:
    """All names that are written in an expression."""
    if isinstance(node, syntax.Name):
        return frozenset((node.name,))
    if isinstance(node, tuple):
        return frozenset().union(*map(names_in, node))
    if isinstance(node, Record):
        fields = (getattr(node, label) for label in node.__struct_fields__ if label != "source")
        return frozenset().union(*map(names_in, fields))
    return frozenset()
