"""Expressions brought to the network's form: names looked up, constants worked out, operators applied."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Protocol, Self, TypeVar

from beeline.languages.uppaal import operators, syntax
from beeline.languages.uppaal.computed import computed
from beeline.languages.uppaal.conditions import Condition, Disjunction, Plain, in_guard, in_property
from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.kinds import (
    ANY_INT,
    BOOL,
    REAL,
    Array,
    Clock,
    Int,
    Kind,
    ScalarSet,
    Struct,
    compatible,
    contains_real,
    domain,
    is_scalar,
    to_ir,
)
from beeline.languages.uppaal.operands import (
    ChannelGroup,
    ClockCondition,
    Computed,
    Constant,
    FunctionSymbol,
    Operand,
    ProcessSymbol,
    RefusedSymbol,
    Scope,
    Stored,
    Symbol,
    TemplateSymbol,
    TypeSymbol,
)
from beeline.languages.uppaal.operators import Beyond, Mismatch
from beeline.languages.uppaal.pairs import LARGEST_WRITTEN_OUT, sought_pair
from beeline.languages.uppaal.rates import is_rate, rate_condition
from beeline.languages.uppaal.type_reader import TypeReader
from beeline.languages.uppaal.world import World
from beeline.model import expressions as ir
from beeline.model import folding as fold
from beeline.model.source import Source
from beeline.model.statements import Assign, Declare, If, Statement
from beeline.records import replace

EXPANSION_LIMIT = 100_000  # values of one quantifier or of a selection
MOST_WRITTEN_OUT = 250_000  # bodies of the quantifiers of one condition that are written out

_ASSOCIATIVE = ("&&", "||", "+")

_Result = TypeVar("_Result")


def _chain(expression: syntax.Binary) -> list[syntax.Expression]:
    """The parts of ``a op b op c``, however many."""
    parts: list[syntax.Expression] = []
    first: syntax.Expression = expression
    while isinstance(first, syntax.Binary) and first.operator == expression.operator:
        parts.append(first.right)
        first = first.left
    return [first, *reversed(parts)]


class Members(Protocol):
    """What queries see of processes."""

    def member(self, process: str, name: str, source: Source) -> Operand:
        """A location or variable of a process."""

    def function(self, process: str, name: str, source: Source) -> FunctionSymbol:
        """A function that is declared in a process."""


class ValueLowering(TypeReader):
    """Brings expressions in one scope to the network's form.

    `effects` receives the statements of side effects; without it an expression with side effects is an error.
    `frame` is the function being lowered, if any, and learns what it writes. `members` looks into processes; it is
    only there for queries.
    """

    def __init__(
        self,
        world: World,
        scope: Scope,
        context: str = "",
        effects: list[Statement] | None = None,
        frame: FunctionSymbol | None = None,
        members: Members | None = None,
    ) -> None:
        self.world = world
        self.scope = scope
        self.context = context
        self.effects = effects
        self.frame = frame
        self.members = members

    def inner(self, scope: Scope | None = None, effects: list[Statement] | None = None) -> Self:
        """The same place with another scope or another list for side effects."""
        return type(self)(self.world, scope or self.scope, self.context, effects, self.frame, self.members)

    # What the other half knows, see `beeline.languages.uppaal.lowering`

    def assign(self, expression: syntax.Assign) -> Operand:
        raise NotImplementedError

    def step(self, expression: syntax.Step) -> Operand:
        raise NotImplementedError

    def call(self, expression: syntax.Call) -> Operand:
        raise NotImplementedError

    def place(self, operand: Operand, source: Source) -> ir.Place:
        raise NotImplementedError

    def error(self, message: str, source: Source) -> UppaalError:
        return UppaalError(message, source, context=self.context)

    # What callers ask for

    def value(self, expression: syntax.Expression) -> ir.Expression:
        """A number or truth value."""
        return self.apply(expression.source, operators.read, self.operand(expression))

    def constant(self, expression: syntax.Expression, what: str = "this") -> int:
        """A number that must be known before the model runs."""
        found = self.known(self.operand(expression))
        if not isinstance(found, Constant):
            raise self.error(f"{what} must be a constant", expression.source)
        value = self.apply(expression.source, operators.read, found)
        assert isinstance(value, ir.Literal)
        return value.value

    def known(self, operand: Operand) -> Operand:
        """The constant that an operand comes to, if functions compute it from constants; else the operand."""
        if not isinstance(operand, Computed) or not is_scalar(operand.kind):
            return operand
        value = computed(operand.expression, self.world)
        return operand if value is None else Constant(operand.kind, value)

    def condition(self, expression: syntax.Expression) -> Condition:
        return self.apply(expression.source, operators.condition, self.operand(expression))

    def guard(self, expression: syntax.Expression | None) -> ir.Expression:
        """A guard or invariant: a conjunction with clocks in at most one part of each disjunction."""
        if expression is None:
            return ir.TRUE
        try:
            return in_guard(self.condition(expression))
        except Disjunction:
            remedy = "split it into several edges"
            message = "clocks on both sides of a disjunction make the condition non-convex"
            raise UppaalError(message, expression.source, remedy, self.context) from None

    def formula(self, expression: syntax.Expression) -> ir.Expression:
        """The condition of a query."""
        return in_property(self.condition(expression))

    def measured(self, expression: syntax.Expression) -> ir.Expression:
        """A clock or a number, whose range is asked for."""
        operand = self.operand(expression)
        if isinstance(operand.kind, Clock):
            found = operators.linear(operand)
            if found.plus is None or found.minus is not None or found.offset != ir.FALSE:
                raise Unsupported("ranges of sums and differences of clocks", expression.source, context=self.context)
            return found.plus
        if isinstance(operand, ClockCondition):
            raise Unsupported("ranges of conditions on clocks", expression.source, context=self.context)
        return self.apply(expression.source, operators.read, operand)

    def truth(self, expression: syntax.Expression) -> ir.Expression:
        """A condition that may not speak of clocks."""
        found = self.condition(expression)
        if not isinstance(found, Plain):
            raise self.error("clocks cannot be read here", expression.source)
        return found.expression

    def apply(self, source: Source, function: Callable[..., _Result], *arguments: object) -> _Result:
        try:
            return function(*arguments)
        except Beyond as beyond:
            raise Unsupported(str(beyond), source, context=self.context) from None
        except Mismatch as mismatch:
            raise self.error(str(mismatch), source) from None

    # Operands

    def operand(self, expression: syntax.Expression) -> Operand:
        match expression:
            case syntax.Number(number, source):
                if number == 2**31:
                    raise self.error("number does not fit in 32 bits", source)
                return Constant(ANY_INT, number)
            case syntax.Decimal(value):
                return Constant(REAL, value)
            case syntax.Boolean(value):
                return Constant(BOOL, int(value))
            case syntax.Name():
                return self._name(expression)
            case syntax.Unary("-", syntax.Number(number)):
                return Constant(ANY_INT, -number)
            case syntax.Unary(operator, inner, source):
                return self.apply(source, operators.unary, operator, self.operand(inner))
            case syntax.Binary():
                return self._binary(expression)
            case syntax.Conditional():
                return self._conditional(expression)
            case syntax.Assign():
                return self.assign(expression)
            case syntax.Step():
                return self.step(expression)
            case syntax.Index():
                return self._index(expression)
            case syntax.Member():
                return self._member(expression)
            case syntax.Call():
                return self.call(expression)
            case syntax.Quantified():
                return self._quantified(expression)
            case syntax.Rate(_, source):
                raise self.error("the rate of a clock can only be given, as in x' == 0", source)
            case syntax.Deadlock(source):
                if self.members is None:
                    raise self.error("deadlock can only be asked in a query", source)
                return Computed(BOOL, ir.Builtin("deadlock"))
            case syntax.Braces(_, source):
                raise self.error("a list in braces is only possible as an initial value", source)

    def _name(self, expression: syntax.Name) -> Operand:
        symbol = self.scope.find(expression.name)
        self.check_usable(symbol, expression.source)
        match symbol:
            case None | RefusedSymbol():
                raise self.error(f"unknown name {expression.name}", expression.source)
            case TypeSymbol():
                raise self.error(f"{expression.name} is a type, not a value", expression.source)
            case FunctionSymbol():
                raise self.error(f"{expression.name} is a function: call it", expression.source)
            case ProcessSymbol():
                raise self.error(f"{expression.name} is a process, not a value", expression.source)
            case TemplateSymbol():
                raise self.error(f"{expression.name} is a template, not a value", expression.source)
            case _:
                return symbol

    def check_usable(self, symbol: Symbol | None, source: Source) -> None:
        if isinstance(symbol, RefusedSymbol):
            raise Unsupported(symbol.construct, source, context=self.context)

    def _binary(self, expression: syntax.Binary) -> Operand:
        if is_rate(expression):
            return rate_condition(self, expression)
        if self.effects is None and expression.operator in _ASSOCIATIVE:
            parts = [self.operand(part) for part in _chain(expression)]
            return self._joined(expression.operator, parts, expression.source)
        left = self.operand(expression.left)
        mark = len(self.effects) if self.effects is not None else 0
        right = self.operand(expression.right)
        if self.effects is not None and len(self.effects) > mark:
            if expression.operator in ("&&", "||", "imply"):
                return self._short_circuit(expression, left, right, mark)
            left = self._pin(left, mark)
        return self.apply(expression.source, operators.binary, expression.operator, left, right)

    def _short_circuit(self, expression: syntax.Binary, left: Operand, right: Operand, mark: int) -> Operand:
        """The right side's side effects happen only where the left side does not decide."""
        assert self.effects is not None
        later = self.effects[mark:]
        del self.effects[mark:]
        decided = self.apply(expression.source, operators.read, left)
        decided = fold.as_bool(decided, left.kind == BOOL)
        if expression.operator == "imply":
            decided = fold.negation(decided)
        result = self.temporary(BOOL, decided)
        assert isinstance(result.place, ir.Ref)
        other = fold.as_bool(self.apply(expression.source, operators.read, right), right.kind == BOOL)
        again = result.place if expression.operator == "&&" else fold.negation(result.place)
        self.effects.append(If(again, (*later, Assign(result.place, other)), source=expression.source))
        return result

    def _pin(self, operand: Operand, mark: int) -> Operand:
        """Keeps a value as it was before the side effects from `mark` on."""
        assert self.effects is not None
        if not isinstance(operand, Stored | Computed) or not is_scalar(operand.kind):
            return operand
        later = self.effects[mark:]
        del self.effects[mark:]
        kept = self.temporary(operand.kind, operators.read(operand))
        self.effects.extend(later)
        return kept

    def temporary(self, kind: Kind, value: ir.Expression | None) -> Stored:
        """A scratch variable that starts with `value`."""
        assert self.effects is not None
        name = self.world.fresh("_t")
        wide = ANY_INT if isinstance(kind, Int) else kind
        self.effects.append(Declare(name, to_ir(wide), value))
        return Stored(wide, ir.Ref(name), scratch=True)

    def _conditional(self, expression: syntax.Conditional) -> Operand:
        condition = self.condition(expression.condition)
        then_effects: list[Statement] = []
        else_effects: list[Statement] = []
        pure = self.effects is None
        then = self.inner(effects=None if pure else then_effects).operand(expression.then)
        otherwise = self.inner(effects=None if pure else else_effects).operand(expression.otherwise)
        if isinstance(then, ClockCondition) or isinstance(otherwise, ClockCondition):
            return self._timed_choice(expression, condition, then, otherwise)
        if not isinstance(condition, Plain):
            raise self.error("clocks cannot be read here", expression.source)
        test = condition.expression
        if isinstance(test, ir.Literal) and not then_effects and not else_effects:
            return then if test.value else otherwise
        one: ir.Expression
        other: ir.Expression
        kind: Kind
        if isinstance(then.kind, Array | Struct) and compatible(then.kind, otherwise.kind):
            if self.effects is None:
                what = "choices between structs or arrays (c ? a : b), outside of updates and functions,"
                raise Unsupported(what, expression.source, context=self.context)
            kind = then.kind
            one, other = self.place(then, expression.source), self.place(otherwise, expression.source)
        else:
            one = self.apply(expression.source, operators.read, then)
            other = self.apply(expression.source, operators.read, otherwise)
            kind = then.kind if then.kind == otherwise.kind and not isinstance(then.kind, Int) else ANY_INT
            if not then_effects and not else_effects:
                return Computed(kind, fold.conditional(test, one, other))
        result = self.temporary(kind, None)
        assert self.effects is not None
        first = (*then_effects, Assign(result.place, one))
        second = (*else_effects, Assign(result.place, other))
        self.effects.append(If(test, first, second, expression.source))
        return result

    def _timed_choice(
        self, expression: syntax.Conditional, condition: Condition, then: Operand, otherwise: Operand
    ) -> Operand:
        """``b ? x : y`` as ``(b imply x) and (!b imply y)``."""
        test = operators.truth(condition)
        first = self.apply(expression.source, operators.binary, "imply", test, then)
        second = self.apply(expression.source, operators.binary, "||", test, otherwise)
        return self.apply(expression.source, operators.binary, "&&", first, second)

    def _quantified(self, expression: syntax.Quantified) -> Operand:
        kind = self.kind(expression.domain)
        values = domain(kind)
        if values is None or len(values) > EXPANSION_LIMIT:
            raise self.error(f"{expression.kind} needs a small bounded type", expression.source)
        scope = Scope(self.scope)
        if self.members is None and len(values) > 0:
            name = self.world.unused(expression.name)
            scope.names[expression.name] = Computed(kind, ir.Ref(name))
            body = self.inner(scope).operand(expression.body)
            if not isinstance(body, ClockCondition):
                return self._quantifier(expression, name, values, body)
        return self._counted(expression, kind, values) or self._expanded(expression, kind, values, scope)

    def _counted(self, expression: syntax.Quantified, kind: Kind, values: range) -> Operand | None:
        """A condition on all pairs of many processes, by counting; None for any other."""
        if len(values) ** 2 <= LARGEST_WRITTEN_OUT or not isinstance(expression.body, syntax.Quantified):
            return None
        pair = sought_pair(expression)
        if pair is None or self.kind(expression.body.domain) != kind:
            return None
        ones = self._plain_for_each(pair.first, pair.one, kind, values)
        others = self._plain_for_each(pair.second, pair.other, kind, values)
        if ones is None or others is None:
            return None
        source = expression.source
        apply = functools.partial(self.apply, source, operators.binary)
        many, zero = self._joined("+", ones, source), Constant(ANY_INT, 0)
        found = apply(">", many, Constant(ANY_INT, 1))
        if ones != others:  # then there is a pair unless just one value is in both, and no other in either
            more = self._joined("+", others, source)
            found = apply("||", found, apply(">", more, Constant(ANY_INT, 1)))
            both = [apply("&&", one, other) for one, other in zip(ones, others, strict=True)]
            found = apply("||", found, self.apply(source, operators.unary, "!", self._joined("||", both, source)))
            found = apply("&&", apply("&&", apply(">", many, zero), apply(">", more, zero)), found)
        return found if expression.kind == "exists" else self.apply(source, operators.unary, "!", found)

    def _plain_for_each(
        self, name: str, condition: syntax.Expression, kind: Kind, values: range
    ) -> list[Operand] | None:
        """A condition for each value of a name, each as 0 or 1; None if it speaks of clocks."""
        scope, made = Scope(self.scope), list[Operand]()
        for value in values:
            scope.names[name] = Constant(kind, value)
            found = self.inner(scope).condition(condition)
            if not isinstance(found, Plain):
                return None
            made.append(operators.boolean(fold.as_bool(found.expression, False)))
        return made

    def _quantifier(self, expression: syntax.Quantified, name: str, values: range, body: Operand) -> Operand:
        inner = self.apply(expression.source, operators.read, body)
        low, high = values[0], values[-1]
        result = ir.Quantified(expression.kind, name, low, high, inner)
        return Computed(ANY_INT if expression.kind == "sum" else BOOL, result)

    def _expanded(self, expression: syntax.Quantified, kind: Kind, values: range, scope: Scope) -> Operand:
        """The body written out for every value, as clocks and processes need."""
        operator, unit = {
            "forall": ("&&", Constant(BOOL, 1)),
            "exists": ("||", Constant(BOOL, 0)),
            "sum": ("+", Constant(ANY_INT, 0)),
        }[expression.kind]
        self.world.network.written_out += len(values)
        if self.world.network.written_out > MOST_WRITTEN_OUT:
            message = f"written out, the quantifiers have more than {MOST_WRITTEN_OUT:,} parts"
            raise UppaalError(message, expression.source, "quantify over fewer values", self.context)
        bodies: list[Operand] = [unit]
        for value in values:
            scope.names[expression.name] = Constant(kind, value)
            bodies.append(self.inner(scope).operand(expression.body))
        return self._joined(operator, bodies, expression.source)

    def _joined(self, operator: str, parts: list[Operand], source: Source) -> Operand:
        """``a op b op c op d`` as ``(a op b) op (c op d)``: the same value, and no deeper than it has to be."""
        while len(parts) > 1:
            pairs = [
                self.apply(source, operators.binary, operator, parts[at], parts[at + 1])
                for at in range(0, len(parts) - 1, 2)
            ]
            parts = pairs + parts[2 * len(pairs) :]
        return parts[0]

    # Parts of variables

    def _index(self, expression: syntax.Index) -> Operand:
        base = self.operand(expression.base)
        kind = base.kind
        if not isinstance(kind, Array):
            raise self.error(f"a value of type {kind} has no elements", expression.source)
        given = self.operand(expression.index)
        wanted = kind.index if isinstance(kind.index, ScalarSet) else ANY_INT
        if not compatible(wanted, given.kind):
            raise self.error(f"the index is of type {given.kind}, not {wanted}", expression.index.source)
        index = self.apply(expression.source, operators.read, given)
        index = fold.binary("-", index, ir.Literal(kind.low))
        match base, index:
            case Constant(value=tuple(parts)), ir.Literal(at) if 0 <= at < len(parts):
                return Constant(kind.element, parts[at])
            case Constant(), _:
                table = self.table(base, expression.source)
                return operators.part(table, kind.element, ir.Index(table.place, index))
            case Stored(), _:
                return operators.part(base, kind.element, ir.Index(base.place, index))
            case ChannelGroup(), _:
                return replace(base, kind=kind.element, indices=(*base.indices, index))
            case _:
                raise self.error("only variables have elements", expression.source)

    def table(self, constant: Constant, source: Source) -> Stored:
        """A constant as a variable that nothing writes, so that it can be indexed at run time."""
        if contains_real(constant.kind):
            raise Unsupported("arrays of doubles, other than indexed by constants,", source, context=self.context)
        return self.world.table(constant)

    def _member(self, expression: syntax.Member) -> Operand:
        process = self._process(expression.base)
        if process is not None:
            assert self.members is not None
            return self.members.member(process, expression.name, expression.source)
        base = self.operand(expression.base)
        position = base.kind.position(expression.name) if isinstance(base.kind, Struct) else None
        if position is None:
            raise self.error(f"a value of type {base.kind} has no field {expression.name}", expression.source)
        return self.apply(expression.source, operators.member, base, position)

    def _process(self, expression: syntax.Expression) -> str | None:
        """The instance that ``P`` or ``P(1, 2)`` names in a query; None if it is no process."""
        arguments: tuple[syntax.Expression, ...] = ()
        if isinstance(expression, syntax.Call):
            arguments = expression.arguments
            expression = expression.function
        symbol = self.scope.find(expression.name) if isinstance(expression, syntax.Name) else None
        if not isinstance(symbol, ProcessSymbol) or self.members is None:
            return None
        key = tuple(self.constant(argument, "the number of a process") for argument in arguments)
        if key not in symbol.instances:
            shown = ", ".join(map(str, key))
            raise self.error(f"there is no process {symbol.name}({shown})", expression.source)
        return symbol.instances[key]
