"""What SPIN's parser refuses in statements that its grammar allows, because of the types of what they name."""

from __future__ import annotations

from beeline.model.types import CHANNEL, ArrayType, Type

from .errors import PromelaError
from .show import show_reference
from .symbols import Scope, Symbol, Types
from .syntax import (
    Assign,
    Binary,
    ChannelInit,
    ChannelTest,
    Conditional,
    Expression,
    Number,
    Pattern,
    Poll,
    Reference,
    Unary,
)


def check_assignment(scope: Scope, statement: Assign) -> None:
    """Channels are copied whole: there is no arithmetic with them. A set of mtype members keeps to itself."""
    target, value = statement.target, statement.value
    if _is_channel(scope, target) and isinstance(value, (Number, Unary, Binary)):
        raise PromelaError(f"'{show_reference(target)}' can only be set to another channel", target.source)
    if not isinstance(value, Reference):
        _check_no_channel(scope, value)
    symbol = scope.find(target.name)
    check_member(scope.types, symbol.mtype_set if symbol is not None else "", value)


def check_initial(scope: Scope, symbol: Symbol, value: Expression | ChannelInit | list[Expression] | None) -> None:
    """The same for a first value."""
    if value is not None and not isinstance(value, (Reference, ChannelInit, list)):
        _check_no_channel(scope, value)
        check_member(scope.types, symbol.mtype_set, value)


def check_member(types: Types, wanted: str, value: Expression) -> None:
    """Whether a member of an mtype may be where one of the set `wanted` belongs; the set without a name takes all."""
    if wanted and isinstance(value, Number):
        _check_same_set(types, wanted, value)


def check_argument(scope: Scope, wanted: str | None, value: Expression) -> None:
    """The same for an argument of `run` where an mtype is expected (None: where not), and variables keep to it, too.
    Fields of records are let through: SPIN takes none at all."""
    if wanted is None:
        return
    if isinstance(value, Number):
        _check_same_set(scope.types, wanted, value)
    if isinstance(value, Reference) and value.field is None:
        symbol = scope.find(value.name)
        if symbol is None or (symbol.declared, symbol.mtype_set) != ("mtype", wanted):
            raise PromelaError(f"'{show_reference(value)}' is not of {_set_name(wanted)}", value.source)


def _check_same_set(types: Types, wanted: str, value: Number) -> None:
    belongs = types.member_sets.get(value.text, wanted)
    if belongs != wanted:
        told = f"'{value.text}' is a member of {_set_name(belongs)}, not of {_set_name(wanted)}"
        raise PromelaError(told, value.source)


def _set_name(name: str) -> str:
    return f"mtype:{name}" if name else "the mtype without a name"


def check_received(patterns: list[Pattern]) -> None:
    """One receive cannot put two fields into one variable."""
    seen: set[str] = set()
    for pattern in patterns:
        if isinstance(pattern, Reference) and pattern.index is None and pattern.field is None and pattern.name != "_":
            if pattern.name in seen:
                raise PromelaError(f"two fields of a message go into '{pattern.name}'", pattern.source)
            seen.add(pattern.name)


def _check_no_channel(scope: Scope, expression: Expression) -> None:
    for part in _operands(expression):
        if _is_channel(scope, part):
            raise PromelaError(f"'{show_reference(part)}' is a channel and cannot be part of a value", part.source)


def _operands(expression: Expression) -> list[Reference]:
    """The variables whose values are worked with; not those that choose a channel or an element."""
    match expression:
        case Reference():
            return [expression]
        case ChannelTest() | Poll():
            return []
        case Unary(operand=operand):
            return _operands(operand)
        case Binary(left=left, right=right):
            return _operands(left) + _operands(right)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return _operands(condition) + _operands(then) + _operands(otherwise)
    return []


def _is_channel(scope: Scope, reference: Reference) -> bool:
    """Whether a variable holds a channel; SPIN does not look into records."""
    symbol = scope.find(reference.name)
    return symbol is not None and reference.field is None and _element(symbol.type) == CHANNEL


def _element(kind: Type) -> Type:
    return kind.element if isinstance(kind, ArrayType) else kind
