"""What expressions do besides having a value: assignments, steps, calls and the channels of synchronisations."""

from __future__ import annotations

from beeline.languages.uppaal import operators, syntax
from beeline.languages.uppaal.errors import Unsupported
from beeline.languages.uppaal.kinds import BOOL, Bool, Chan, Clock, Kind, compatible, is_number, is_scalar
from beeline.languages.uppaal.operands import (
    ChannelGroup,
    Computed,
    Constant,
    FunctionSymbol,
    Operand,
    ProcessSymbol,
    Stored,
)
from beeline.languages.uppaal.values import EXPANSION_LIMIT, ValueLowering
from beeline.model import expressions as ir
from beeline.model import folding as fold
from beeline.model.source import Source
from beeline.model.statements import Assign, Do, Reset
from beeline.records import replace

__all__ = ["EXPANSION_LIMIT", "Lowering", "channel_expression"]

# Functions over reals and random numbers that UPPAAL knows; none has a meaning for timed automata.
_REAL = """fabs fmod fma fmax fmin fdim exp exp2 expm1 ln log log10 log2 log1p pow sqrt cbrt hypot sin cos tan asin acos
    atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma ceil floor trunc round fint ldexp ilogb logb
    nextafter copysign fpclassify isfinite isinf isnan isnormal signbit isunordered random random_arcsine random_beta
    random_gamma random_normal random_poisson random_tri random_weibull"""
REAL_FUNCTIONS = frozenset(_REAL.split())


class Lowering(ValueLowering):
    """Brings expressions with their side effects to the network's form; see `ValueLowering` for its parts."""

    def perform(self, expression: syntax.Expression) -> None:
        """Runs an expression for its side effects only."""
        assert self.effects is not None
        match expression:
            case syntax.Assign():
                self.assign(expression)
            case syntax.Step(operator, _, target, source):
                one = syntax.Number(1, source)
                self.assign(syntax.Assign(operator[0] + "=", target, one, source))
            case syntax.Call():
                found = self.call(expression)
                if isinstance(found, Computed) and isinstance(found.expression, ir.Call):
                    self.effects.append(Do(found.expression, expression.source))
            case _:
                self.operand(expression)

    def assign(self, expression: syntax.Assign) -> Operand:
        """Appends the assignment to the effects; the target is its value."""
        if self.effects is None:
            raise self.error("an assignment is not possible here", expression.source)
        target = self.operand(expression.target)
        if not isinstance(target, Stored) or not target.writable or target.process is not None:
            raise self.error("the left side of an assignment must be a variable", expression.source)
        self.note_write(target)
        value = self.operand(expression.value)
        if isinstance(target.kind, Clock):
            self._reset(expression, target, value)
            return target
        if expression.operator != "=":
            operator = expression.operator[:-1]
            value = self.apply(expression.source, operators.binary, operator, target, value)
        self.effects.append(Assign(target.place, self.fit(target.kind, value, expression.source), expression.source))
        return target

    def _reset(self, expression: syntax.Assign, target: Stored, value: Operand) -> None:
        assert self.effects is not None
        if expression.operator != "=":
            raise self.error("a clock can only be set with '='", expression.source)
        if isinstance(value.kind, Clock):
            raise Unsupported("assigning a clock to a clock", expression.source, context=self.context)
        amount = self.apply(expression.source, operators.read, value)
        self.effects.append(Reset(target.place, amount, expression.source))

    def fit(self, kind: Kind, value: Operand, source: Source) -> ir.Expression:
        """`value` as something that a variable of type `kind` can be set to."""
        if not compatible(kind, value.kind):
            raise self.error(f"a value of type {value.kind} does not fit a variable of type {kind}", source)
        if isinstance(kind, Bool):
            found = self.apply(source, operators.read, value)
            return fold.as_bool(found, value.kind == BOOL)
        if is_scalar(kind):
            return self.apply(source, operators.read, value)
        return self.place(value, source)

    def place(self, operand: Operand, source: Source) -> ir.Place:
        """Where an array or struct stands."""
        match operand:
            case Stored(process=None):
                return operand.place
            case Constant():
                return self.table(operand, source).place
            case _:
                raise self.error("a variable is needed here", source)

    def note_write(self, target: Stored) -> None:
        if self.frame is None:
            return
        if target.parameter >= 0:
            self.frame.writes_parameters.add(target.parameter)
        elif not target.scratch:
            self.frame.writes = True

    def step(self, expression: syntax.Step) -> Operand:
        if self.effects is None:
            raise self.error(f"{expression.operator} is not possible here", expression.source)
        target = self.operand(expression.target)
        before: Operand = target
        if not expression.prefix and is_number(target.kind):
            before = self.temporary(target.kind, operators.read(target))
        self.perform(expression)
        return before

    # Calls

    def call(self, expression: syntax.Call) -> Operand:
        function = expression.function
        if isinstance(function, syntax.Member) and self.members is not None:
            return self._call_of_process(function, expression)
        if not isinstance(function, syntax.Name):
            raise self.error("a function is called by its name", expression.source)
        name = function.name
        symbol = self.scope.find(name)
        if name == "abs" and symbol is None and len(expression.arguments) == 1:
            value = self.value(expression.arguments[0])
            negative = fold.binary("<", value, ir.Literal(0))
            return operators.number(fold.conditional(negative, fold.minus(value), value))
        if not isinstance(symbol, FunctionSymbol):
            if symbol is None and name in REAL_FUNCTIONS:
                what = f"functions on doubles and random numbers ({name})"
                raise Unsupported(what, function.source, context=self.context)
            self.check_usable(symbol, expression.source)
            what = "a process is not a value" if isinstance(symbol, ProcessSymbol) else f"there is no function {name}"
            raise self.error(what, expression.source)
        arguments = self._arguments(name, symbol, expression)
        if self.frame is not None and symbol.writes:
            self.frame.writes = True
        if symbol.fills:
            return self._filled(symbol, arguments, expression.source)
        return Computed(symbol.returns, ir.Call(symbol.name, arguments))

    def _call_of_process(self, function: syntax.Member, expression: syntax.Call) -> Operand:
        """``P.f(1)`` in a query."""
        process = self._process(function.base)
        if process is None or self.members is None:
            raise self.error(f"there is no function {function.name}", expression.source)
        symbol = self.members.function(process, function.name, expression.source)
        arguments = self._arguments(function.name, symbol, expression)
        if symbol.fills:
            return self._filled(symbol, arguments, expression.source)
        return Computed(symbol.returns, ir.Remote(ir.Instance(process), ir.Call(symbol.name, arguments)))

    def _arguments(self, name: str, symbol: FunctionSymbol, expression: syntax.Call) -> tuple[ir.Expression, ...]:
        if len(expression.arguments) != len(symbol.parameters):
            count = len(symbol.parameters)
            raise self.error(f"{name} takes {count} arguments, not {len(expression.arguments)}", expression.source)
        if self.effects is None and (symbol.writes or symbol.writes_parameters):
            raise self.error(f"{name} has side effects and cannot be called here", expression.source)
        return tuple(self._argument(symbol, at, argument) for at, argument in enumerate(expression.arguments))

    def _filled(self, symbol: FunctionSymbol, arguments: tuple[ir.Expression, ...], source: Source) -> Stored:
        """A scratch variable with the struct or array that a function returns."""
        if self.effects is None:
            what = "functions that return structs or arrays, outside of updates and functions,"
            raise Unsupported(what, source, context=self.context)
        result = self.temporary(symbol.returns, None)
        self.effects.append(Do(ir.Call(symbol.name, (*arguments, result.place)), source))
        return replace(result, writable=False)

    def _argument(self, symbol: FunctionSymbol, at: int, argument: syntax.Expression) -> ir.Expression:
        kind, reference = symbol.parameters[at]
        operand = self.operand(argument)
        if not reference:
            return self.fit(kind, operand, argument.source)
        if not compatible(kind, operand.kind):
            raise self.error(f"a value of type {operand.kind} does not fit {kind}", argument.source)
        if at in symbol.writes_parameters:
            if not isinstance(operand, Stored) or not operand.writable:
                raise self.error("a variable is needed for a reference parameter", argument.source)
            self.note_write(operand)
        if isinstance(operand, Constant) and is_scalar(kind):
            return self.table(operand, argument.source).place
        return self.place(operand, argument.source)

    # Channels

    def channel(self, expression: syntax.Expression) -> tuple[ir.Expression, Chan]:
        """The channel of a synchronisation."""
        operand = self.operand(expression)
        if not isinstance(operand, ChannelGroup) or not isinstance(operand.kind, Chan):
            raise self.error(f"a channel is needed here, not a value of type {operand.kind}", expression.source)
        return channel_expression(operand), operand.kind


def channel_expression(group: ChannelGroup) -> ir.Expression:
    """One channel of a declaration; several dimensions are laid out as one."""
    if not group.sizes:
        return ir.Ref(group.name)
    index: ir.Expression = ir.Literal(0)
    for size, part in zip(group.sizes, group.indices, strict=True):
        if len(group.sizes) > 1 and not (isinstance(part, ir.Literal) and 0 <= part.value < size):
            part = _within(part, size, len(group.sizes))
        index = fold.binary("+", fold.binary("*", index, ir.Literal(size)), part)
    return ir.Index(ir.Ref(group.name), index)


def _within(index: ir.Expression, size: int, dimensions: int) -> ir.Expression:
    """`index`, or something outside the whole array if it is outside its own dimension."""
    low = fold.binary(">=", index, ir.Literal(0))
    inside = fold.binary("&&", low, fold.binary("<", index, ir.Literal(size)))
    return fold.conditional(inside, index, ir.Literal(-(2**30) // dimensions))
