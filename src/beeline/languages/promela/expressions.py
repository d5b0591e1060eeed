"""Promela expressions and places turned into those of the Network."""

from __future__ import annotations

from collections.abc import Iterable

from beeline.model import expressions as ir
from beeline.model.source import Source
from beeline.model.types import CHANNEL, ArrayType, RecordType, Type, is_scalar
from beeline.spelling import closest

from .errors import PromelaError
from .show import show_reference
from .symbols import Scope, Symbol
from .syntax import (
    Binary,
    Builtin,
    ChannelTest,
    Conditional,
    Eval,
    Expression,
    Number,
    Pattern,
    Poll,
    Reference,
    RemoteLabel,
    RemoteVariable,
    Run,
    Unary,
)

_PREDEFINED = {
    "_pid": ir.Builtin("pid"),
    "_nr_pr": ir.Builtin("processes"),
    "_last": ir.Builtin("last"),
    "_priority": ir.Builtin("priority", ir.Builtin("pid")),
}
_BUILTINS = {"timeout": "timeout", "np_": "nonprogress", "enabled": "enabled", "pc_value": "location"}


class ExpressionTranslator:
    """Translates within one scope. `remote` knows the other proctypes' locals, for remote references."""

    def __init__(self, scope: Scope, remote: dict[str, dict[str, Symbol]] | None = None) -> None:
        self.scope = scope
        self.remote = remote if remote is not None else {}
        self.proctype = ""  # whose statements are being read
        self.in_d_step = False

    # Values

    def value(self, expression: Expression) -> ir.Expression:
        """The IR expression with the same value."""
        match expression:
            case Number(value=number):
                return ir.Literal(number)
            case Reference():
                return self._read(expression)
            case Unary(operator=operator, operand=operand) if operator in "-!~":
                return ir.Unary(operator, self.value(operand))
            case Binary(operator=operator, left=left, right=right) if operator in ir.BINARY_OPERATORS:
                return ir.Binary(operator, self.value(left), self.value(right))
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                return ir.Conditional(self.value(condition), self.value(then), self.value(otherwise))
            case ChannelTest(what="len", channel=channel):  # SPIN takes any number for that of a channel
                return ir.ChannelInfo("len", self.scalar(channel))
            case ChannelTest(what=what, channel=channel):
                return ir.ChannelInfo(what, self.channel(channel))
            case Poll(channel=channel, patterns=patterns, anywhere=anywhere):
                return ir.Poll(self.channel(channel), self.patterns(patterns, polling=True), anywhere)
            case Builtin(name="get_priority", argument=argument):
                assert argument is not None
                return ir.Builtin("priority", self.value(argument))
            case Builtin(name=name, argument=argument):
                return ir.Builtin(_BUILTINS[name], None if argument is None else self.value(argument))
            case RemoteLabel(process=process, pid=pid, label=label):
                return ir.At(self._process(process, pid, expression.source), label)
            case RemoteVariable(process=process, pid=pid, variable=variable):
                return self._remote_variable(process, pid, variable, expression.source)
            case Run():
                raise PromelaError("'run' cannot be part of an expression", expression.source, "write  x = run P()")
        raise PromelaError("a temporal operator outside an ltl formula", expression.source)

    def _read(self, reference: Reference) -> ir.Expression:
        if reference.name in _PREDEFINED and self.scope.find(reference.name) is None:
            return _PREDEFINED[reference.name]
        if reference.name in self.scope.types.members and self.scope.find(reference.name) is None:
            return ir.Literal(self.scope.types.members[reference.name])
        if reference.name == "_":
            raise PromelaError("the value of '_' cannot be read", reference.source)
        return self.scalar(reference)

    def scalar(self, reference: Reference) -> ir.Place:
        """The place of a single value."""
        place, kind = self.place(reference)
        if isinstance(kind, ArrayType):
            remedy = f"choose an element, for instance {show_reference(reference)}[0]"
            raise PromelaError(f"missing array index for '{show_reference(reference)}'", reference.source, remedy)
        if not is_scalar(kind):
            raise PromelaError(f"'{show_reference(reference)}' is a {kind}, not a number", reference.source)
        return place

    def channel(self, reference: Reference) -> ir.Expression:
        """The number of the channel that a reference denotes."""
        place = self.scalar(reference)
        if self.place(reference)[1] != CHANNEL:
            raise PromelaError(f"'{show_reference(reference)}' is no channel", reference.source, "declare it as chan")
        return place

    # Places

    def place(self, reference: Reference) -> tuple[ir.Place, Type]:
        """Where a reference points to, and the type found there."""
        symbol = self.scope.find(reference.name)
        if symbol is None:
            raise self._undeclared(reference)
        return self._within(symbol, reference)

    def _within(self, symbol: Symbol, reference: Reference) -> tuple[ir.Place, Type]:
        if symbol.parts is not None and reference.field is not None:
            part = symbol.parts.get(reference.field.name)
            if part is None:
                raise self._no_field(symbol.type, reference.field)
            return self._within(part, reference.field)
        return self._select(ir.Ref(symbol.ir_name), symbol.type, reference)

    def _select(self, place: ir.Place, kind: Type, reference: Reference) -> tuple[ir.Place, Type]:
        """Follows an index and a field."""
        if reference.index is not None:
            index = self.value(reference.index)
            if isinstance(kind, ArrayType):
                place, kind = ir.Index(place, index), kind.element
            elif index != ir.Literal(0):
                raise PromelaError(f"'{reference.name}' is no array but has an index", reference.source)
        if reference.field is None:
            return place, kind
        if not isinstance(kind, RecordType):
            raise PromelaError(f"'{reference.name}' is no record", reference.source)
        found = kind.field(reference.field.name)
        if found is None:
            raise self._no_field(kind, reference.field)
        return self._select(ir.Field(place, reference.field.name), found, reference.field)

    def leaves(self, place: ir.Place, kind: Type) -> list[ir.Place]:
        """All scalars of a place, in the order in which a message carries them."""
        match kind:
            case ArrayType(element, size):
                return [p for i in range(size) for p in self.leaves(ir.Index(place, ir.Literal(i)), element)]
            case RecordType(_, fields):
                return [p for name, part in fields for p in self.leaves(ir.Field(place, name), part)]
        return [place]

    def symbol_leaves(self, symbol: Symbol) -> list[ir.Place]:
        if symbol.parts is None:
            return self.leaves(ir.Ref(symbol.ir_name), symbol.type)
        return [leaf for part in symbol.parts.values() for leaf in self.symbol_leaves(part)]

    def _leaves_of(self, reference: Reference) -> list[ir.Place]:
        symbol = self.scope.find(reference.name)
        if symbol is not None and symbol.parts is not None and reference.field is None:
            return self.symbol_leaves(symbol)
        place, kind = self.place(reference)
        return self.leaves(place, kind)

    # Messages

    def message(self, values: list[Expression]) -> tuple[ir.Expression, ...]:
        """The scalars that are sent; a record sends all its fields."""
        found: list[ir.Expression] = []
        for value in values:
            if isinstance(value, Reference) and self.is_record(value):
                found.extend(self._leaves_of(value))
            else:
                found.append(self.value(value))
        return tuple(found)

    def is_record(self, reference: Reference) -> bool:
        known = self.scope.find(reference.name) is not None
        return known and isinstance(self.place(reference)[1], RecordType)

    def patterns(self, patterns: list[Pattern], polling: bool = False) -> tuple[ir.Pattern, ...]:
        """What a receive expects. A poll stores nothing."""
        found: list[ir.Pattern] = []
        for pattern in patterns:
            match pattern:
                case Number(value=number):
                    found.append(ir.Match(ir.Literal(number)))
                case Eval(value=value):
                    found.append(ir.Match(self.value(value)))
                case Reference(name="_"):
                    found.append(ir.Skip())
                case Reference(name=name) if name in self.scope.types.members:
                    found.append(ir.Match(ir.Literal(self.scope.types.members[name])))
                case Reference(name="_pid"):
                    found.append(ir.Skip())  # SPIN overwrites it, but keeps it out of the state
                case Reference():
                    leaves = self._leaves_of(pattern) if self.is_record(pattern) else [self.scalar(pattern)]
                    found.extend(ir.Skip() if polling else ir.Bind(leaf) for leaf in leaves)
        return tuple(found)

    # Other processes

    def _process(self, name: str, pid: Expression | None, source: Source) -> ir.Numbered:
        if name not in self.remote:
            raise PromelaError(f"there is no proctype '{name}' above", source, _close(name, self.remote))
        if self.in_d_step:
            raise PromelaError("a remote reference inside a d_step", source, "use atomic")
        return ir.Numbered(name, None if pid is None else self.value(pid))

    def _remote_variable(
        self, process: str, pid: Expression | None, variable: Reference, source: Source
    ) -> ir.Expression:
        who = self._process(process, pid, source)
        symbol = self.remote[process].get(variable.name)
        if symbol is None:
            remedy = _close(variable.name, self.remote[process])
            raise PromelaError(f"proctype '{process}' has no local variable '{variable.name}'", source, remedy)
        place, _ = self._within(symbol, variable)
        return ir.Remote(who, place)

    # Errors

    def _undeclared(self, reference: Reference) -> PromelaError:
        known = [*(s.name for s in self.scope.locals), *self.scope.global_symbols, *self.scope.types.members]
        remedy = _close(reference.name, known) or "declare it before its first use"
        return PromelaError(f"undeclared variable '{reference.name}'", reference.source, remedy)

    def _no_field(self, kind: Type, reference: Reference) -> PromelaError:
        known = ", ".join(name for name, _ in kind.fields) if isinstance(kind, RecordType) else ""
        return PromelaError(f"{kind} has no field '{reference.name}'", reference.source, f"its fields are {known}")


def _close(name: str, known: Iterable[str]) -> str:
    found = closest(name, known)
    return f"did you mean '{found}'?" if found else ""
