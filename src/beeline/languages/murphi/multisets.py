"""Multisets in the network: arrays of entries that are kept in order, so that equal multisets are equal states."""

from __future__ import annotations

from beeline.languages.murphi.expressions import Expressions, leaves
from beeline.languages.murphi.kinds import ENTRY, THERE, Array, Kind, Multiset, RecordKind, to_ir
from beeline.model import expressions as ir
from beeline.model.network import Function, Parameter
from beeline.model.statements import Assign, Declare, Do, For, If, Statement
from beeline.model.types import ArrayType


def sorting(place: ir.Place, kind: Kind, text: Expressions) -> list[Statement]:
    """Statements that put all multisets at a place in order, by functions that are added to those of the text."""
    match kind:
        case Array(_, element):
            name = text.fresh.name("each")
            inner = sorting(ir.Index(place, ir.Ref(name)), element, text)
            return [For(name, 0, kind.size - 1, 1, tuple(inner))] if inner else []
        case RecordKind(fields):
            return [made for name, part in fields for made in sorting(ir.Field(place, name), part, text)]
        case Multiset():
            return [Do(ir.Call(_sort(kind, text), (place,)))]
        case _:
            return []


def _sort(kind: Multiset, text: Expressions) -> str:
    """A function that exchanges neighbours until entries that are there stand first, the smaller before the larger."""
    entries = to_ir(kind)
    assert isinstance(entries, ArrayType)
    given = ir.Ref("entries")
    body: list[Statement] = []
    for i in range(kind.size):
        # Multisets inside of entries come first: entries are compared part by part.
        body += sorting(ir.Field(ir.Index(given, ir.Literal(i)), ENTRY), kind.element, text)
    for end in range(kind.size - 1, 0, -1):
        for i in range(end):
            one, other = ir.Index(given, ir.Literal(i)), ir.Index(given, ir.Literal(i + 1))
            swapped = (Declare("kept", entries.element, one), Assign(one, other), Assign(other, ir.Ref("kept")))
            body.append(If(_comes_before(other, one, kind), swapped))
    name = text.function_name("sort")
    text.functions.append(Function(name, (Parameter("entries", entries, reference=True),), None, tuple(body)))
    return name


def _comes_before(one: ir.Place, other: ir.Place, kind: Multiset) -> ir.Expression:
    """Whether an entry belongs before another."""
    there, also = ir.Field(one, THERE), ir.Field(other, THERE)
    mine, its = leaves(ir.Field(one, ENTRY), kind.element), leaves(ir.Field(other, ENTRY), kind.element)
    smaller: ir.Expression = ir.FALSE
    for (left, _), (right, _) in reversed(list(zip(mine, its, strict=True))):
        equal = ir.Binary("&&", ir.Binary("==", left, right), smaller)
        smaller = ir.Binary("||", ir.Binary("<", left, right), equal)
    return ir.Binary("||", ir.Binary("<", also, there), ir.Binary("&&", ir.Binary("==", there, also), smaller))
