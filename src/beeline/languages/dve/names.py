"""Who is called what in a DVE model, and the translation of its expressions with the names looked up."""

from __future__ import annotations

from collections.abc import Mapping

from beeline.languages.dve import fold, syntax
from beeline.languages.dve.errors import SourceText
from beeline.model import expressions as ir
from beeline.model.network import Variable
from beeline.model.source import Source
from beeline.model.types import BYTE, SHORT, ArrayType, IntType, Overflow, Type
from beeline.records import Record, field

# A value that a variable cannot hold is an error, as in DiVinE's interpreter; on its way through a typed channel
# it is cut to the field's width.
KINDS: Mapping[str, IntType] = {
    "byte": IntType(0, 255, Overflow.ERROR, "byte"),
    "int": IntType(-(2**15), 2**15 - 1, Overflow.ERROR, "int"),
}
FIELDS: Mapping[str, IntType] = {"byte": BYTE, "int": SHORT}
_OPERATORS = {"and": "&&", "or": "||", "not": "!"}


class Known(Record, frozen=True):
    """A declared variable with its first values; a constant's value never changes."""

    declaration: syntax.Variable
    values: tuple[int, ...]

    @property
    def is_array(self) -> bool:
        return self.declaration.size is not None

    @property
    def constant(self) -> bool:
        return self.declaration.constant


class Scope(Record):
    """The names visible in one process (or outside all): its own variables over the global ones.

    With `outside` the process's names are meant, but read from outside it, as a property must."""

    source: SourceText
    variables: dict[str, Known]
    processes: Mapping[str, syntax.Process]
    locals_of: Mapping[str, Mapping[str, Known]]
    own: dict[str, Known] = field(default_factory=dict)
    outside: str | None = None

    def find(self, reference: syntax.Reference) -> Known:
        """The variable that a reference means; raises `DveError` if there is none."""
        if reference.process is None:
            known = self.own.get(reference.name) or self.variables.get(reference.name)
            names = [*self.own, *self.variables]
        else:
            owner = self.find_process(reference.process, reference.at).name
            known = self.locals_of[owner].get(reference.name)
            names = [*self.locals_of[owner]]
        if known is None:
            raise self.source.unknown("variable", reference.name, names, reference.at)
        if reference.index is not None and not known.is_array:
            raise self.source.error(f"`{reference.name}` is not an array", reference.at, "drop the index")
        return known

    def find_process(self, name: str, at: Source) -> syntax.Process:
        if name not in self.processes:
            raise self.source.unknown("process", name, self.processes, at)
        return self.processes[name]

    # Declarations

    def declare(self, declaration: syntax.Variable, table: dict[str, Known]) -> None:
        """Adds a variable to `table`, with its first values worked out from what was declared before it."""
        name, at = declaration.name, declaration.at
        if name in table:
            raise self.source.error(f"`{name}` is declared twice", at, "rename one of them")
        if declaration.size == 0:
            raise self.source.error(f"the array `{name}` has no elements", at)
        if declaration.constant and declaration.initial is None:
            raise self.source.error(f"the constant `{name}` has no value", at, f"write `{name} = VALUE`")
        count = declaration.size or 1
        # Surplus initial values are dropped, as DiVinE does; its own models rely on it.
        values = [self.initial(value) for value in declaration.initial or ()][:count]
        kind = KINDS[declaration.kind]
        for value in values:
            if not kind.low <= value <= kind.high:
                message = f"`{name}` starts with {value}, outside {kind.low}..{kind.high}"
                raise self.source.error(message, at, f"a {declaration.kind} cannot hold it")
        table[name] = Known(declaration, tuple(values) + (0,) * (count - len(values)))

    def initial(self, expression: syntax.Expression) -> int:
        """The value of an initialiser, in which variables stand for their own first values."""
        value = self.translate(expression, first_values=True)
        if not isinstance(value, ir.Literal):
            remedy = "use numbers, constants and variables declared before"
            raise self.source.error("this first value cannot be worked out", expression.at, remedy)
        return value.value

    # Expressions

    def translate(self, expression: syntax.Expression, first_values: bool = False) -> ir.Expression:
        """The IR's expression, constant parts folded. With `first_values` a variable stands for its first value."""
        match expression:
            case syntax.Number(value):
                return ir.Literal(value)
            case syntax.Unary(operator, operand):
                return fold.unary(_OPERATORS.get(operator, operator), self.translate(operand, first_values))
            case syntax.Binary(operator, left, right):
                # A left-leaning row of operators can be thousands long: go down it without recursion.
                row: list[tuple[str, syntax.Expression]] = [(operator, right)]
                while isinstance(left, syntax.Binary):
                    row.append((left.operator, left.right))
                    left = left.left
                result = self.translate(left, first_values)
                for symbol, operand in reversed(row):
                    right_part = self.translate(operand, first_values)
                    result = fold.binary(_OPERATORS.get(symbol, symbol), result, right_part)
                return result
            case syntax.InState():
                return self._in_state(expression)
            case syntax.Reference():
                return self._reference(expression, first_values)

    def _in_state(self, expression: syntax.InState) -> ir.Expression:
        process = self.find_process(expression.process, expression.at)
        states = [state.name for state in process.states]
        if expression.state not in states:
            raise self.source.unknown(f"state of {process.name}", expression.state, states, expression.at)
        return ir.At(ir.Instance(process.name), expression.state)

    def _reference(self, reference: syntax.Reference, first_values: bool) -> ir.Expression:
        known = self.find(reference)
        # An array without an index is its first element, as in DiVinE.
        index = ir.Literal(0) if reference.index is None else self.translate(reference.index, first_values)
        decided = known.constant or first_values
        if decided and isinstance(index, ir.Literal) and 0 <= index.value < len(known.values):
            return ir.Literal(known.values[index.value])
        place: ir.Place = ir.Ref(reference.name)
        if known.is_array:
            place = ir.Index(place, index)
        owner = reference.process or (self.outside if reference.name in self.own else None)
        return place if owner is None else ir.Remote(ir.Instance(owner), place)

    def place(self, reference: syntax.Reference) -> ir.Place:
        """A place that may be written; raises `DveError` for constants and other processes' variables."""
        if reference.process is not None:
            remedy = "make the variable global"
            raise self.source.error("another process's variable cannot be written", reference.at, remedy)
        if self.find(reference).constant:
            raise self.source.error(f"`{reference.name}` is a constant", reference.at, "drop `const`")
        place = self._reference(reference, False)
        assert isinstance(place, ir.Ref | ir.Index)
        return place


def as_variable(known: Known) -> Variable:
    """The IR's declaration. A constant array is a variable that is never written."""
    declaration = known.declaration
    kind = KINDS[declaration.kind]
    if known.constant:
        kind = IntType(min(known.values), max(known.values), Overflow.ERROR, f"const {declaration.kind}")
    whole: Type = kind if declaration.size is None else ArrayType(kind, declaration.size)
    return Variable(declaration.name, whole, known.values, source=declaration.at)
