"""Expressions as their author wrote them: members of enumerations by their names, where only their numbers are left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beeline.model.expressions import Binary, Expression, Field, Index, Literal, Numbered, Ref, Remote
from beeline.model.scope import Slot
from beeline.model.types import ArrayType, EnumType, RecordType, Type
from beeline.records import Record, replace
from beeline.trace.naming import Naming, is_mtype

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def with_names(expression: Expression, naming: Naming, kind: int | None) -> Expression:
    """The expression with names in the place of numbers that are compared with an enumeration. `kind` is that of the
    process that evaluates it."""
    if isinstance(expression, Binary) and expression.operator in COMPARISONS:
        left, right = expression.left, expression.right
        if isinstance(right, Literal):
            return replace(expression, right=_named(right, _type(left, naming, kind), naming))
        if isinstance(left, Literal):
            return replace(expression, left=_named(left, _type(right, naming, kind), naming))
    changed = {
        name: _inside(getattr(expression, name), naming, kind) for name in getattr(expression, "__struct_fields__", ())
    }
    return replace(expression, **changed) if changed else expression


def _inside(part: Any, naming: Naming, kind: int | None) -> Any:
    if isinstance(part, tuple):
        return tuple(_inside(one, naming, kind) for one in part)
    found: Any = part
    return with_names(found, naming, kind) if isinstance(part, Record) else part


def _named(number: Literal, kind: Type | None, naming: Naming) -> Expression:
    is_enumeration = kind is not None and (isinstance(kind, EnumType) or is_mtype(kind))
    text = naming.value(kind, number.value) if is_enumeration and kind is not None else ""
    return Ref(text) if text and not text.lstrip("-").isdecimal() else number


def _type(place: Expression, naming: Naming, kind: int | None) -> Type | None:
    """The type of a variable, a cell or a field, as far as it is known."""
    match place:
        case Ref(name):
            slot = _slots(naming, kind).get(name) or naming.scope.slots.get(name)
            return None if slot is None else slot.type
        case Index(base, _):
            whole = _type(base, naming, kind)
            return whole.element if isinstance(whole, ArrayType) else None
        case Field(base, name):
            whole = _type(base, naming, kind)
            return dict(whole.fields).get(name) if isinstance(whole, RecordType) else None
        case Remote(Numbered(name, _), inner):
            return _type(inner, naming, naming.network.process_index.get(name))
    return None


def _slots(naming: Naming, kind: int | None) -> Mapping[str, Slot]:
    return {} if kind is None else naming.scope.processes[kind].slots
