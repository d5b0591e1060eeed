"""Names and types: what each identifier of a model stands for, with SPIN's rules of scope and of storage.

Braces open a scope; a name that is visible cannot be declared again. Every variable of a proctype, also of an inner
block, lives as long as the process. Types are those that SPIN's verifier stores: a lone `bit` has one bit, an
array of bits has bytes.
"""

from __future__ import annotations

from beeline.model import types as ir
from beeline.model.source import Source
from beeline.model.types import Type
from beeline.records import Record, field, replace

from .errors import PromelaError, UnsupportedPromela
from .syntax import (
    Binary,
    ChannelInit,
    Conditional,
    Declaration,
    Declarator,
    Expression,
    Number,
    Reference,
    Typedef,
    Unary,
    references,
)

MTYPE = ir.IntType(0, 255, ir.Overflow.WRAP, "mtype")
PID = ir.IntType(0, 255, ir.Overflow.WRAP, "pid")
SCALARS: dict[str, Type] = {
    "bit": ir.BIT,
    "bool": ir.BOOL,
    "byte": ir.BYTE,
    "pid": PID,
    "mtype": MTYPE,
    "short": ir.SHORT,
    "int": ir.INT,
    "chan": ir.CHANNEL,
}
INITIAL_ORDER = ("unsigned", "bit", "byte", "chan", "mtype", "short", "int")
"""SPIN gives global variables their first values by type, in this order; records come last."""


class Symbol(Record):
    """A declared variable, channel or parameter. `ir_name` is its name in the Network.

    A record that is a parameter, or that makes channels for a process, is kept in `parts`: one variable a field."""

    name: str
    ir_name: str
    type: Type
    source: Source
    declared: str  # the type's name as written
    is_global: bool = False
    channel: ChannelInit | None = None  # it is (also) a channel made here
    initial: Expression | list[Expression] | None = None
    hidden: bool = False
    mtype_set: str = ""  # the name of the mtype set that it holds members of
    parts: dict[str, Symbol] | None = None


class RecordInfo(Record):
    """A typedef: its IR type and, field by field, how a fresh one is filled."""

    type: ir.RecordType
    fields: dict[str, Declarator]
    kinds: dict[str, str]  # type name of each field


class Types(Record):
    """The named types of a model and the values of its mtype members."""

    records: dict[str, RecordInfo] = field(default_factory=dict)
    members: dict[str, int] = field(default_factory=dict)
    member_sets: dict[str, str] = field(default_factory=dict)  # by member, the name of the set; the usual one has none
    sizes: dict[str, int] = field(default_factory=dict)  # globals with a constant first value, usable as bounds

    def declare(self, typedef: Typedef) -> None:
        if typedef.name in self.records:
            raise PromelaError(f"type '{typedef.name}' is declared twice", typedef.source)
        fields: list[tuple[str, Type]] = []
        info = RecordInfo(ir.RecordType(typedef.name, ()), {}, {})
        for declaration in typedef.fields:
            for declarator in declaration.declarators:
                if declarator.name in info.fields:
                    raise PromelaError(f"two fields are called '{declarator.name}'", declarator.source)
                fields.append((declarator.name, self.type_of(declaration, declarator)))
                info.fields[declarator.name] = declarator
                info.kinds[declarator.name] = declaration.type
        info.type = ir.RecordType(typedef.name, tuple(fields))
        self.records[typedef.name] = info

    def named(self, name: str, source: Source) -> Type:
        """The type called `name`, a typedef or a basic type."""
        if name in self.records:
            return self.records[name].type
        if name.startswith("mtype"):
            return MTYPE if ":" not in name else replace(MTYPE, name=name)
        if name not in SCALARS:
            raise PromelaError(f"unknown type '{name}'", source)
        return SCALARS[name]

    def type_of(self, declaration: Declaration, declarator: Declarator) -> Type:
        """The type of one declared name, as the verifier stores it."""
        if declaration.type == "unsigned":
            element = self._unsigned(declarator)
        else:
            if declarator.bits is not None:
                raise PromelaError("only an unsigned variable can have a width", declarator.source)
            kind = f"mtype:{declaration.mtype_set}" if declaration.mtype_set else declaration.type
            element = self.named(kind, declaration.source)
        if declarator.size is None:
            return element
        size = self.bound(declarator.size)
        if size <= 0:
            raise PromelaError(f"array '{declarator.name}' has size {size}", declarator.source)
        if element in (ir.BIT, ir.BOOL):
            element = ir.BYTE
        whole = ir.ArrayType(element, size)
        if why := ir.excess(f"array '{declarator.name}'", ir.width(whole)):
            raise PromelaError(why, declarator.source, "make it smaller")
        return whole

    def bound(self, expression: Expression) -> int:
        """The value of an array's size or another number that must be known before the first step."""
        return constant(expression, {**self.members, **self.sizes})

    def _unsigned(self, declarator: Declarator) -> Type:
        bits = declarator.bits
        if bits is None:
            raise PromelaError(f"'{declarator.name}' has no width", declarator.source, "write  unsigned x : 4")
        if not 0 < bits < 32:
            raise PromelaError(f"'{declarator.name}' has an invalid width of {bits} bits", declarator.source)
        return ir.IntType(0, 2**bits - 1, ir.Overflow.WRAP, f"unsigned:{bits}")

    def makes_channels(self, kind: Type) -> bool:
        """Whether a fresh record of this type comes with channels."""
        if not isinstance(kind, ir.RecordType):
            return False
        info = self.records[kind.name]
        return any(
            isinstance(info.fields[label].initial, ChannelInit) or self.makes_channels(part)
            for label, part in kind.fields
        )

    def message_fields(self, init: ChannelInit) -> tuple[Type, ...]:
        """The scalar types of a message; records are flattened. A message of one bit travels in a byte."""
        found: list[Type] = []
        for name in init.fields:
            found.extend(ir.scalars(self.named(name, init.source)))
        if len(found) == 1 and found[0] in (ir.BIT, ir.BOOL):
            return (ir.BYTE,)
        return tuple(found)


def constant(expression: Expression, values: dict[str, int] | None = None) -> int:
    """The value of a constant expression; names are looked up in `values`."""
    found = fold(expression, values or {})
    if found is None:
        raise PromelaError("this must be a constant", expression.source)
    return found


def fold(expression: Expression, values: dict[str, int]) -> int | None:
    """The value of an expression over constants and `values`, or None."""
    match expression:
        case Number(value=value):
            return value
        case Reference(name=name, index=None, field=None):
            return values.get(name)
        case Unary(operator=operator, operand=operand):
            inner = fold(operand, values)
            if inner is None:
                return None
            return ir.wrap32({"-": -inner, "~": ~inner, "!": int(not inner)}[operator])
        case Binary(operator=operator, left=left, right=right):
            a, b = fold(left, values), fold(right, values)
            return None if a is None or b is None else _apply(operator, a, b)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            test = fold(condition, values)
            return None if test is None else fold(then if test else otherwise, values)
    return None


def _apply(operator: str, a: int, b: int) -> int | None:
    if operator in ("/", "%"):
        if b == 0:
            return None
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if operator == "/" else a - quotient * b
    simple = {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b,
        "<<": a << (b & 31), ">>": a >> (b & 31), "==": int(a == b), "!=": int(a != b), "<": int(a < b),
        "<=": int(a <= b), ">": int(a > b), ">=": int(a >= b), "&&": int(bool(a and b)), "||": int(bool(a or b)),
    }  # fmt: skip
    return ir.wrap32(simple[operator]) if operator in simple else None


class Scope:
    """The names visible at one point. Globals are at the bottom; a proctype adds its own on top."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.global_symbols: dict[str, Symbol] = {}
        self.locals: list[Symbol] = []  # of the proctype being read, in order of declaration
        self.own: dict[str, Symbol] = {}  # the same by name; of several in different blocks the first
        self.exclusive: dict[tuple[str, str], str] = {}  # (xr or xs, channel): the proctype that says so
        self._blocks: list[dict[str, Symbol]] = []
        self._names_used: dict[str, int] = {}

    def open_proctype(self) -> None:
        self.locals, self.own, self._blocks, self._names_used = [], {}, [{}], {}

    def close_proctype(self) -> None:
        self._blocks = []

    def open_block(self) -> None:
        self._blocks.append({})

    def close_block(self) -> None:
        self._blocks.pop()

    def find(self, name: str) -> Symbol | None:
        for block in reversed(self._blocks):
            if name in block:
                return block[name]
        return self.global_symbols.get(name)

    def declare(self, declaration: Declaration, as_parameter: bool = False) -> list[Symbol]:
        """Takes in the names of a declaration and returns their symbols."""
        for declarator in declaration.declarators:
            self._check_initial(declarator.initial)
        return [self._declare(declaration, declarator, as_parameter) for declarator in declaration.declarators]

    def _declare(self, declaration: Declaration, declarator: Declarator, as_parameter: bool) -> Symbol:
        name = declarator.name
        old = self.find(name)
        if old is not None:
            remedy = f"it is declared at {old.source}; variables of inner blocks cannot have its name either"
            raise PromelaError(f"redeclaration of '{name}'", declarator.source, remedy)
        if name in self.types.members:
            raise PromelaError(f"'{name}' is a member of an mtype and cannot be a variable", declarator.source)
        if declaration.visibility == "hidden":
            self._check_hidden(declaration, declarator)
        symbol = Symbol(
            name,
            self._unique(name),
            self.types.type_of(declaration, declarator),
            declarator.source,
            declaration.type,
            is_global=not self._blocks,
            hidden=declaration.visibility == "hidden",
            mtype_set=declaration.mtype_set or "",
        )
        if isinstance(declarator.initial, ChannelInit):
            if declaration.type != "chan":
                raise PromelaError(f"'{name}' is no channel but is declared as one", declarator.source, "use chan")
            symbol.channel = declarator.initial
        else:
            symbol.initial = declarator.initial
        if isinstance(symbol.type, ir.RecordType) and symbol.initial is not None:
            remedy = "give first values to the fields, in the typedef"
            raise PromelaError(f"the record '{name}' cannot have a first value", declarator.source, remedy)
        if isinstance(symbol.type, ir.RecordType) and self._blocks:
            if as_parameter and _has_array(symbol.type):
                raise UnsupportedPromela(f"the record parameter '{name}' contains an array", declarator.source)
            if as_parameter or self.types.makes_channels(symbol.type):
                self._split(symbol)
        self._enter(symbol)
        return symbol

    def _check_hidden(self, declaration: Declaration, declarator: Declarator) -> None:
        if self._blocks:
            raise PromelaError(f"'{declarator.name}' is not global and cannot be hidden", declarator.source)
        if declaration.type in ("chan", "bit", "bool"):
            raise PromelaError(f"'{declarator.name}' is a {declaration.type} and cannot be hidden", declarator.source)

    def _check_initial(self, initial: Expression | ChannelInit | list[Expression] | None) -> None:
        """A first value can only speak of what is declared before the whole declaration."""
        for part in references(initial):
            if not self._is_known(part.name):
                raise PromelaError(f"undeclared variable '{part.name}'", part.source, "declare it before its first use")

    def _is_known(self, name: str) -> bool:
        return name.startswith("_") or name in self.types.members or self.find(name) is not None

    def _unique(self, name: str) -> str:
        """A name that no other local of the process has: inner blocks may use one name twice in turn."""
        if not self._blocks:
            return name
        count = self._names_used.get(name, 0)
        self._names_used[name] = count + 1
        return name if count == 0 else f"{name}'{count + 1}"

    def _enter(self, symbol: Symbol) -> None:
        if self._blocks:
            self._blocks[-1][symbol.name] = symbol
            self.locals.append(symbol)
            self.own.setdefault(symbol.name, symbol)
        else:
            self.global_symbols[symbol.name] = symbol
            if symbol.initial is not None and not isinstance(symbol.initial, list):
                value = fold(symbol.initial, self.types.sizes)
                if value is not None:
                    self.types.sizes[symbol.name] = value

    def _split(self, symbol: Symbol) -> None:
        """Gives a record one variable for each field."""
        assert isinstance(symbol.type, ir.RecordType)
        info = self.types.records[symbol.type.name]
        symbol.parts = {}
        for label, kind in symbol.type.fields:
            initial = info.fields[label].initial
            part = Symbol(label, f"{symbol.ir_name}.{label}", kind, symbol.source, info.kinds[label])
            if isinstance(initial, ChannelInit):
                part.channel = initial
            else:
                part.initial = initial
            if isinstance(kind, ir.RecordType):
                self._split(part)
            symbol.parts[label] = part


def whole(symbol: Symbol) -> list[Symbol]:
    """The symbol, or the parts that stand for it."""
    if symbol.parts is None:
        return [symbol]
    return [leaf for part in symbol.parts.values() for leaf in whole(part)]


def _has_array(kind: Type) -> bool:
    if isinstance(kind, ir.RecordType):
        return any(_has_array(part) for _, part in kind.fields)
    return isinstance(kind, ir.ArrayType)
