"""First values: what variables and channels hold before the first step, in SPIN's order of initialisation."""

from __future__ import annotations

from collections.abc import Iterable

from beeline.model import types as ir
from beeline.model.network import Channel, Variable
from beeline.model.types import ArrayType, ChannelType, RecordType, Type

from .errors import UnsupportedPromela
from .expressions import ExpressionTranslator
from .symbols import INITIAL_ORDER, Symbol, Types, constant, fold, whole
from .syntax import ChannelInit, Expression


class GlobalStore:
    """The Network's variables and channels, made from the global declarations.

    A channel that the model never assigns to is known by its own name; another is a variable that first holds
    the number of a channel without a name."""

    def __init__(self, types: Types, assigned: set[str]) -> None:
        self.types = types
        self.assigned = assigned
        self.variables: list[Variable] = []
        self.channels: list[Channel] = []
        self._count = 0
        self._values: dict[str, int] = dict(types.members)

    def fill(self, symbols: Iterable[Symbol]) -> None:
        ordered = sorted(symbols, key=_rank)
        for symbol in ordered:
            self._values.setdefault(symbol.name, 0)  # what it holds until its turn comes
        for symbol in ordered:
            if symbol.channel is not None and symbol.name not in self.assigned:
                self._channel(symbol.name, symbol.channel, symbol)
            else:
                initial = self._initial(symbol)
                self.variables.append(
                    Variable(symbol.ir_name, symbol.type, initial, hidden=symbol.hidden, source=symbol.source)
                )
                if len(initial) == 1:
                    self._values[symbol.name] = initial[0]

    def _channel(self, name: str, init: ChannelInit, symbol: Symbol, size: int | None = None) -> int:
        """Declares a channel or an array of them; returns the number of the first."""
        if size is None and isinstance(symbol.type, ArrayType) and name == symbol.name:
            size = symbol.type.size
        first = self._count + 1
        self._count += size or 1
        self.channels.append(make_channel(name, init, self.types, size))
        self._values[name] = first
        return first

    def _initial(self, symbol: Symbol) -> tuple[int, ...]:
        count = ir.width(symbol.type)
        if symbol.channel is not None:
            size = symbol.type.size if isinstance(symbol.type, ArrayType) else None
            first = self._channel(f"{symbol.name}@start", symbol.channel, symbol, size)
            return tuple(range(first, first + count))
        if isinstance(symbol.type, (ArrayType, RecordType)) and symbol.initial is None:
            return tuple(self._fresh(symbol.declared, symbol.type, symbol.name, symbol))
        return tuple(self._scalars(symbol.initial, symbol.type))

    def _scalars(self, initial: Expression | list[Expression] | None, kind: Type) -> list[int]:
        return constant_values(initial, kind, self._values)

    def _fresh(self, declared: str, kind: Type, name: str, symbol: Symbol) -> list[int]:
        """The scalars of a new record (or array of records), the channels in it made on the way."""
        if isinstance(kind, ArrayType):
            return [
                value for i in range(kind.size) for value in self._fresh(declared, kind.element, f"{name}[{i}]", symbol)
            ]
        if not isinstance(kind, RecordType):
            return [0]
        info = self.types.records[kind.name]
        values: list[int] = []
        for label, part in kind.fields:
            initial = info.fields[label].initial
            if isinstance(initial, ChannelInit):
                size = part.size if isinstance(part, ArrayType) else None
                first = self._channel(f"{name}.{label}", initial, symbol, size)
                values += range(first, first + ir.width(part))
            elif initial is None and not ir.is_scalar(part):
                values += self._fresh(info.kinds[label], part, f"{name}.{label}", symbol)
            else:
                values += self._scalars(initial, part)
        return values


def _rank(symbol: Symbol) -> int:
    kind = {"bool": "bit", "pid": "byte"}.get(symbol.declared, symbol.declared)
    return INITIAL_ORDER.index(kind) if kind in INITIAL_ORDER else len(INITIAL_ORDER)


def make_channel(name: str, init: ChannelInit, types: Types, size: int | None) -> Channel:
    capacity = constant(init.capacity, types.members)
    return Channel(name, capacity, types.message_fields(init), size, source=init.source)


def constant_values(initial: Expression | list[Expression] | None, kind: Type, values: dict[str, int]) -> list[int]:
    """The scalars of a variable that starts with constants; one value fills a whole array."""
    count = ir.width(kind)
    if initial is None:
        return [0] * count
    given = initial if isinstance(initial, list) else [initial] * count
    numbers = [constant(value, values) for value in given]
    numbers += [numbers[-1]] * (count - len(numbers))
    return [_fit(leaf, number) for leaf, number in zip(ir.scalars(kind), numbers, strict=False)]


def _fit(kind: ir.ScalarType, value: int) -> int:
    stored = ir.store_value(kind, value)
    return value if stored is None else stored


def local_variables(
    symbols: list[Symbol], translator: ExpressionTranslator, types: Types
) -> tuple[tuple[Variable, ...], tuple[Channel, ...]]:
    """The variables and channels of a process; values that are not constant are computed at its start."""
    variables: list[Variable] = []
    channels: list[Channel] = []
    for symbol in [part for declared in symbols for part in whole(declared)]:
        if symbol.channel is not None:
            size = symbol.type.size if isinstance(symbol.type, ArrayType) else None
            channels.append(make_channel(symbol.ir_name, symbol.channel, types, size))
            continue
        variables.append(_local(symbol, translator, types))
    return tuple(variables), tuple(channels)


def _local(symbol: Symbol, translator: ExpressionTranslator, types: Types) -> Variable:
    base = Variable(symbol.ir_name, symbol.type, source=symbol.source)
    initial = symbol.initial
    if initial is None:
        values = _record_values(symbol.type, types, symbol)
        return Variable(symbol.ir_name, symbol.type, tuple(values) if any(values) else (), source=symbol.source)
    parts = initial if isinstance(initial, list) else [initial]
    if all(fold(part, types.members) is not None for part in parts):
        numbers = constant_values(initial, symbol.type, types.members)
        return Variable(symbol.ir_name, symbol.type, tuple(numbers), source=symbol.source)
    if not ir.is_scalar(symbol.type) or isinstance(initial, list):
        raise UnsupportedPromela(
            f"array '{symbol.name}' starts with values that are not constant", base.source, "set it by statements"
        )
    return Variable(symbol.ir_name, symbol.type, expression=translator.value(initial), source=symbol.source)


def _record_values(kind: Type, types: Types, symbol: Symbol) -> list[int]:
    match kind:
        case ArrayType(element, size):
            return [value for _ in range(size) for value in _record_values(element, types, symbol)]
        case RecordType(name, fields):
            values: list[int] = []
            for label, part in fields:
                initial = types.records[name].fields[label].initial
                if isinstance(initial, ChannelInit):
                    what = f"the local array of records '{symbol.name}' makes channels '{label}'"
                    raise UnsupportedPromela(what, symbol.source, "declare it globally")
                values += _record_values(part, types, symbol) if initial is None else constant_values(initial, part, {})
            return values
        case ChannelType():
            return [0]
    return [0]
