"""Functions and their statements brought to the network's form."""

from __future__ import annotations

from beeline.languages.uppaal import operators, syntax
from beeline.languages.uppaal.errors import Unsupported
from beeline.languages.uppaal.kinds import (
    ANY_INT,
    BOOL,
    Array,
    Chan,
    Clock,
    Int,
    Kind,
    Struct,
    Void,
    contains_clock,
    contains_real,
    domain,
    innermost,
    to_ir,
)
from beeline.languages.uppaal.lowering import Lowering
from beeline.languages.uppaal.operands import Constant, FunctionSymbol, Scope, Stored, TypeSymbol
from beeline.languages.uppaal.world import World
from beeline.model import expressions as ir
from beeline.model import folding as fold
from beeline.model import network
from beeline.model.statements import Assert, Assign, Declare, If, Return, Statement, While


def lower_function(definition: syntax.Function, world: World, scope: Scope, context: str) -> FunctionSymbol:
    """Adds a function to the world and returns what callers need to know of it."""
    where = f"{context}, function {definition.name}" if context else f"function {definition.name}"
    reader = Lowering(world, scope, where)
    returns = reader.kind(definition.result)
    inside = Scope(scope)
    parameters: list[tuple[Kind, bool]] = []
    made: list[network.Parameter] = []
    for at, parameter in enumerate(definition.parameters):
        kind = reader.declared(parameter)
        if isinstance(innermost(kind), Chan) or contains_clock(kind):
            raise Unsupported("channels and clocks as parameters of functions", parameter.source, context=where)
        if contains_real(kind):
            raise Unsupported("the type double", parameter.source, context=where)
        if parameter.name in inside.names:
            raise reader.error(f"two parameters are called {parameter.name}", parameter.source)
        name = world.unused(parameter.name)
        writable = "const" not in parameter.kind.prefixes
        position = at if parameter.reference else -1
        inside.names[parameter.name] = Stored(kind, ir.Ref(name), writable, scratch=True, parameter=position)
        parameters.append((kind, parameter.reference))
        made.append(network.Parameter(name, to_ir(kind), parameter.reference))
    symbol = FunctionSymbol(world.fresh(definition.name), tuple(parameters), returns)
    if symbol.fills:  # the network's functions return scalars: others write to where the caller wants it
        made.append(network.Parameter(symbol.fills, to_ir(returns), True))
    body = StatementLowering(world, inside, where, symbol).block(definition.body, inside)
    result = None if isinstance(returns, Void) or symbol.fills else to_ir(returns)
    world.functions.append(network.Function(symbol.name, tuple(made), result, tuple(body), definition.source))
    return symbol


class StatementLowering:
    """Statements of one function. Names of scratch variables are kept apart, so that none hides another."""

    def __init__(self, world: World, scope: Scope, context: str, frame: FunctionSymbol) -> None:
        self.world = world
        self.context = context
        self.frame = frame
        self.used = set(scope.names)

    def lowering(self, scope: Scope, effects: list[Statement] | None) -> Lowering:
        return Lowering(self.world, scope, self.context, effects, self.frame)

    def block(self, block: syntax.Block, scope: Scope) -> list[Statement]:
        made: list[Statement] = []
        for declaration in block.declarations:
            if isinstance(declaration, syntax.Typedef):
                scope.names[declaration.name] = TypeSymbol(self.lowering(scope, None).typedef(declaration))
            else:
                self.declare(declaration, scope, made)
        for statement in block.statements:
            made.extend(self.statement(statement, scope))
        return made

    def _name(self, name: str) -> str:
        candidate, count = self.world.unused(name), 1
        while candidate in self.used:
            count += 1
            candidate = self.world.unused(f"{name}_{count}")
        self.used.add(candidate)
        return candidate

    def declare(self, declaration: syntax.Declarator, scope: Scope, made: list[Statement]) -> None:
        lowering = self.lowering(scope, made)
        kind = lowering.declared(declaration)
        if isinstance(innermost(kind), Chan | Clock | Void):
            raise lowering.error(f"a variable of type {kind} is not possible in a function", declaration.source)
        constant = "const" in declaration.kind.prefixes
        if constant and declaration.value is not None:
            value = lowering.inner().initial(kind, declaration.value)
            scope.names[declaration.name] = Constant(kind, value, declaration.name)
            return
        name = self._name(declaration.name)
        stored = Stored(kind, ir.Ref(name), not constant, scratch=True)
        if declaration.value is None:
            made.append(Declare(name, to_ir(kind), None, declaration.source))
        elif isinstance(declaration.value, syntax.Braces):
            made.append(Declare(name, to_ir(kind), None, declaration.source))
            self._fill(stored, declaration.value, lowering, made)
        else:
            operand = lowering.operand(declaration.value)
            start = lowering.fit(kind, operand, declaration.source)
            made.append(Declare(name, to_ir(kind), start, declaration.source))
        scope.names[declaration.name] = stored

    def _fill(self, stored: Stored, value: syntax.Expression, lowering: Lowering, made: list[Statement]) -> None:
        """An initial value in braces, part by part; inside a function the parts need not be constant."""
        if not isinstance(value, syntax.Braces):
            fitted = lowering.fit(stored.kind, lowering.operand(value), value.source)
            made.append(Assign(stored.place, fitted, value.source))
            return
        kind = stored.kind
        parts = kind.size if isinstance(kind, Array) else len(kind.fields) if isinstance(kind, Struct) else -1
        if len(value.parts) != parts:
            raise lowering.error(f"the initial value does not fit the type {kind}", value.source)
        for at, (label, part) in enumerate(value.parts):
            if isinstance(kind, Struct):
                position = kind.position(label) if label else at
                if position is None:
                    raise lowering.error(f"{kind} has no field {label}", value.source)
                inner = operators.member(stored, position)
            else:
                inner = operators.element(stored, at)
            assert isinstance(inner, Stored)
            self._fill(inner, part, lowering, made)

    def statement(self, statement: syntax.Statement, scope: Scope) -> list[Statement]:
        made: list[Statement] = []
        lowering = self.lowering(scope, made)
        match statement:
            case syntax.Block():
                return self.block(statement, Scope(scope))
            case syntax.Evaluate(expressions):
                for expression in expressions:
                    lowering.perform(expression)
            case syntax.If(condition, then, otherwise, source):
                test = lowering.truth(condition)
                first = tuple(self.statement(then, scope))
                second = tuple(self.statement(otherwise, scope)) if otherwise is not None else ()
                made.append(If(test, first, second, source))
            case syntax.While(condition, body, first, source):
                self._loop(condition, self.statement(body, scope), (), first, scope, made)
            case syntax.For(start, test, step, body, source):
                for expression in start:
                    lowering.perform(expression)
                condition = test if test is not None else syntax.Boolean(True, source)
                self._loop(condition, self.statement(body, scope), step, False, scope, made)
            case syntax.ForEach():
                self._iterate(statement, scope, made)
            case syntax.Return():
                self._return(statement, lowering, made)
            case syntax.Assert(condition, source):
                made.append(Assert(lowering.truth(condition), source=source))
        return made

    def _loop(
        self,
        condition: syntax.Expression,
        body: list[Statement],
        step: tuple[syntax.Expression, ...],
        body_first: bool,
        scope: Scope,
        made: list[Statement],
    ) -> None:
        """A loop; one whose test has side effects, or comes last, is steered by a flag."""
        stepping = self.lowering(scope, body)
        for expression in step:
            stepping.perform(expression)
        testing: list[Statement] = []
        test = self.lowering(scope, testing).truth(condition)
        if not testing and not body_first:
            made.append(While(test, tuple(body), condition.source))
            return
        flag = ir.Ref(self.world.fresh("_t"))
        made.append(Declare(flag.name, to_ir(BOOL), ir.TRUE))
        decide = [*testing, Assign(flag, fold.as_bool(test, False))]
        if body_first:
            made.append(While(flag, (*body, *decide), condition.source))
        else:
            made.append(While(flag, (*decide, If(flag, tuple(body))), condition.source))

    def _iterate(self, statement: syntax.ForEach, scope: Scope, made: list[Statement]) -> None:
        kind = self.lowering(scope, None).kind(statement.domain)
        values = domain(kind)
        if values is None or (isinstance(kind, Int) and kind == ANY_INT):
            raise self.lowering(scope, None).error("the loop needs a bounded type", statement.source)
        name = self._name(statement.name)
        inside = Scope(scope)
        inside.names[statement.name] = Stored(kind, ir.Ref(name), False, scratch=True)
        counter = to_ir(Int(values[0], values[-1] + 1))
        body = self.statement(statement.body, inside)
        place = ir.Ref(name)
        body.append(Assign(place, fold.binary("+", place, ir.Literal(1))))
        made.append(Declare(name, counter, ir.Literal(values[0]), statement.source))
        made.append(While(fold.binary("<=", place, ir.Literal(values[-1])), tuple(body), statement.source))

    def _return(self, statement: syntax.Return, lowering: Lowering, made: list[Statement]) -> None:
        returns = self.frame.returns
        if statement.value is None:
            if not isinstance(returns, Void):
                raise lowering.error(f"a value of type {returns} must be returned", statement.source)
            made.append(Return(None, statement.source))
            return
        if isinstance(returns, Void):
            raise lowering.error("a function of type void returns no value", statement.source)
        value = lowering.fit(returns, lowering.operand(statement.value), statement.source)
        if self.frame.fills:
            made.append(Assign(ir.Ref(self.frame.fills), value, statement.source))
            made.append(Return(None, statement.source))
        else:
            made.append(Return(value, statement.source))
