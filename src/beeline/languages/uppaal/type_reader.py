"""Types as written brought to types with known bounds, and initial values worked out."""

from __future__ import annotations

from beeline.languages.uppaal import syntax
from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.kinds import (
    ANY_INT,
    BOOL,
    CLOCK,
    DEFAULT_INT,
    REAL,
    VOID,
    Array,
    Bool,
    Chan,
    Int,
    Kind,
    Real,
    ScalarSet,
    Struct,
    Value,
    compatible,
    count,
    domain,
)
from beeline.languages.uppaal.operands import Constant, Operand, Scope, TypeSymbol
from beeline.model.source import Source
from beeline.model.types import excess
from beeline.records import replace


class TypeReader:
    """The half of lowering that knows types; the other half works out the numbers in them."""

    scope: Scope
    context: str

    def constant(self, expression: syntax.Expression, what: str = "this") -> int:
        raise NotImplementedError

    def operand(self, expression: syntax.Expression) -> Operand:
        raise NotImplementedError

    def known(self, operand: Operand) -> Operand:
        raise NotImplementedError

    def error(self, message: str, source: Source) -> UppaalError:
        raise NotImplementedError

    def kind(self, written: syntax.TypeExpression) -> Kind:
        """The type that was written, without what `const`, `meta` and the like say."""
        self._check_prefixes(written)
        match written.base:
            case "int":
                if written.low is None or written.high is None:
                    return ANY_INT if "const" in written.prefixes else DEFAULT_INT
                low = self.constant(written.low, "the bound of a type")
                high = self.constant(written.high, "the bound of a type")
                if low > high:
                    raise self.error(f"the type int[{low},{high}] has no values", written.source)
                return Int(low, high)
            case "bool":
                return BOOL
            case "double" if "const" in written.prefixes:
                return REAL
            case "double" | "string":
                raise Unsupported(f"the type {written.base}", written.source, context=self.context)
            case "clock" if "hybrid" in written.prefixes:
                raise Unsupported("hybrid clocks", written.source, context=self.context)
            case "clock":
                return CLOCK
            case "void":
                return VOID
            case "chan":
                return Chan("broadcast" in written.prefixes, "urgent" in written.prefixes)
            case "scalar":
                assert written.high is not None
                size = self.constant(written.high, "the size of a scalar type")
                if size < 1:
                    raise self.error("a scalar type needs at least one value", written.source)
                return ScalarSet(f"scalar{written.source.line}:{written.source.column}", size)
            case "struct":
                fields = tuple((part.name, self.declared(part)) for part in written.fields)
                return Struct("", fields)
            case _:
                return self._named(written)

    def _named(self, written: syntax.TypeExpression) -> Kind:
        symbol = self.scope.find(written.name)
        if not isinstance(symbol, TypeSymbol):
            raise self.error(f"unknown type {written.name}", written.source)
        if isinstance(symbol.kind, Chan):
            broadcast = symbol.kind.broadcast or "broadcast" in written.prefixes
            return Chan(broadcast, symbol.kind.urgent or "urgent" in written.prefixes)
        return symbol.kind

    def _check_prefixes(self, written: syntax.TypeExpression) -> None:
        for prefix in ("urgent", "broadcast"):
            if prefix in written.prefixes and written.base not in ("chan", "named"):
                raise self.error(f"only channels can be {prefix}", written.source)
        if written.base == "clock" and written.prefixes & {"const", "meta"}:
            raise self.error("a clock can be neither const nor meta", written.source)

    def declared(self, declarator: syntax.Declarator | syntax.Typedef) -> Kind:
        """The type of a declared name, array dimensions included."""
        kind = self.kind(declarator.kind)
        for dimension in reversed(declarator.dimensions):
            kind = self._array(kind, dimension)
        return kind

    def _array(self, element: Kind, dimension: syntax.Dimension) -> Kind:
        index: Kind | None = None
        if isinstance(dimension, syntax.TypeExpression):
            index = self.kind(dimension)
        elif isinstance(dimension, syntax.Name):
            symbol = self.scope.find(dimension.name)
            index = symbol.kind if isinstance(symbol, TypeSymbol) else None
        if index is not None:
            values = domain(index)
            if values is None:
                raise self.error(f"{index} cannot be the index of an array", dimension.source)
            return self._sized(Array(element, len(values), values[0], index), dimension.source)
        assert not isinstance(dimension, syntax.TypeExpression)
        size = self.constant(dimension, "the size of an array")
        if size < 1:
            raise self.error(f"an array needs at least one element, not {size}", dimension.source)
        return self._sized(Array(element, size), dimension.source)

    def _sized(self, kind: Array, source: Source) -> Array:
        if why := excess("the array", count(kind)):
            raise self.error(f"{why}: make it smaller", source)
        return kind

    def typedef(self, definition: syntax.Typedef) -> Kind:
        """The type that a definition gives a name to."""
        kind = self.declared(definition)
        if isinstance(kind, Struct | ScalarSet) and definition.kind.base != "named":
            return replace(kind, name=definition.name)
        return kind

    # Initial values

    def initial(self, kind: Kind, expression: syntax.Expression) -> Value:
        """The constant that a variable of type `kind` starts with."""
        if isinstance(expression, syntax.Braces):
            return self._parts(kind, expression)
        found = self.known(self.operand(expression))
        if not isinstance(found, Constant):
            raise self.error("an initial value must be a constant", expression.source)
        if not compatible(kind, found.kind):
            raise self.error(f"a value of type {found.kind} does not fit {kind}", expression.source)
        return self.checked(kind, found.value, expression.source)

    def checked(self, kind: Kind, value: Value, source: Source) -> Value:
        """`value`, which must be within the bounds of the type."""
        match kind, value:
            case Bool(), int():
                return int(value != 0)
            case Real(), int() | float():
                return float(value)
            case Int(low, high), int() if not low <= value <= high:
                raise self.error(f"{value} is outside {low}..{high}", source)
            case Array(element), tuple():
                return tuple(self.checked(element, part, source) for part in value)
            case Struct(_, fields), tuple():
                pairs = zip(fields, value, strict=True)
                return tuple(self.checked(inner, part, source) for (_, inner), part in pairs)
            case _:
                return value

    def _parts(self, kind: Kind, braces: syntax.Braces) -> Value:
        match kind:
            case Array(element, size):
                inner = [("", element)] * size
            case Struct(_, fields):
                inner = list(fields)
            case _:
                raise self.error(f"a value of type {kind} has no parts", braces.source)
        if len(braces.parts) != len(inner):
            raise self.error(f"{len(inner)} values are needed, not {len(braces.parts)}", braces.source)
        values: list[Value | None] = [None] * len(inner)
        for at, (label, part) in enumerate(braces.parts):
            if label and isinstance(kind, Struct):
                position = kind.position(label)
                if position is None:
                    raise self.error(f"{kind} has no field {label}", braces.source)
                at = position
            if values[at] is not None:
                raise self.error("two values for the same field", braces.source)
            values[at] = self.initial(inner[at][1], part)
        return tuple(value for value in values if value is not None)
