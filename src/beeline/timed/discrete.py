"""The discrete part of a network with clocks: what remains for the machine when the clocks are taken out.

Every clock becomes an integer at the same place that only carries a wish from an effect to the step that runs it: the
value to reset the clock to, plus one, or zero for none. Guards and invariants keep their parts without clocks.
"""

from __future__ import annotations

from collections.abc import Iterator

from beeline.model.expressions import Binary, Conditional, Expression, Literal, conjunction
from beeline.model.network import Edge, Function, Location, Network, Process, Variable
from beeline.model.scope import initial_values
from beeline.model.source import ModelError
from beeline.model.statements import Assign, If, Reset, Statement, While, nested
from beeline.model.types import ArrayType, ClockType, IntType, RecordType, Type
from beeline.records import Record, replace
from beeline.timed.bound_limit import largest_constant
from beeline.timed.clocks import Clocks, Constraint, Given
from beeline.timed.ranges import values_of


class TimedNetwork(Record, frozen=True):
    """A network, its clocks, its discrete part, and the constraints on clocks that the latter lacks.

    Constraints are by kind of process and position of the edge or location.
    """

    network: Network
    clocks: Clocks
    discrete: Network
    guards: dict[tuple[int, int], tuple[Constraint, ...]]
    invariants: dict[tuple[int, int], tuple[Constraint, ...]]
    rates: dict[tuple[int, int], tuple[Given, ...]]  # of locations that give any


def take_apart(network: Network) -> TimedNetwork:
    """Separates clocks from the rest; raises ModelError for conditions on clocks that are not convex."""
    clocks = Clocks(network)
    wishes = IntType(0, largest_reset(clocks) + 1)
    guards: dict[tuple[int, int], tuple[Constraint, ...]] = {}
    invariants: dict[tuple[int, int], tuple[Constraint, ...]] = {}
    rates: dict[tuple[int, int], tuple[Given, ...]] = {}
    processes: list[Process] = []
    for kind, process in enumerate(network.processes):
        locations: list[Location] = []
        for at, location in enumerate(process.locations):
            parts = clocks.split(location.invariant, kind, location.source)
            invariants[kind, at] = parts.constraints
            if parts.rates:
                rates[kind, at] = parts.rates
            locations.append(replace(location, invariant=conjunction(list(parts.plain))))
        edges: list[Edge] = []
        for at, edge in enumerate(process.edges):
            parts = clocks.split(edge.guard, kind, edge.source)
            if parts.rates:
                raise ModelError("the rate of a clock can be given in an invariant only", edge.source)
            guards[kind, at] = parts.constraints
            edges.append(replace(edge, guard=conjunction(list(parts.plain)), effect=_wishes(edge.effect)))
        processes.append(
            replace(
                process,
                locations=tuple(locations),
                edges=tuple(edges),
                variables=tuple(without_clock(variable, wishes) for variable in process.variables),
                functions=tuple(map(_in_function, process.functions)),
            )
        )
    discrete = replace(
        network,
        processes=tuple(processes),
        variables=tuple(without_clock(variable, wishes) for variable in network.variables),
        functions=tuple(map(_in_function, network.functions)),
        properties=(),
    )
    return TimedNetwork(network, clocks, discrete, guards, invariants, rates)


def largest_reset(clocks: Clocks) -> int:
    """The greatest value that a clock may be set to."""
    largest = 0
    network = clocks.network
    for kind, process in enumerate(network.processes):
        bodies = [edge.effect for edge in process.edges]
        bodies += [function.body for function in (*process.functions, *network.functions)]
        for statement in (found for body in bodies for found in nested(body)):
            if isinstance(statement, Reset):
                largest = max(largest, values_of(statement.value, clocks, kind)[1])
    return min(largest, largest_constant(clocks.dimension))


def without_clock(variable: Variable, wishes: IntType) -> Variable:
    """The variable with a number of that type in the place of each clock."""
    changed = _type_without_clock(variable.type, wishes)
    if changed == variable.type:
        return variable
    given = iter(initial_values(variable))
    return replace(variable, type=changed, initial=tuple(_filled(variable.type, given)))


def _filled(kind: Type, given: Iterator[int]) -> Iterator[int]:
    """Initial values in layout order, with zeros where clocks were."""
    match kind:
        case ClockType():
            yield 0
        case ArrayType(element, size):
            for _ in range(size):
                yield from _filled(element, given)
        case RecordType(_, fields):
            for _, part in fields:
                yield from _filled(part, given)
        case _:
            yield next(given)


def _type_without_clock(kind: Type, wishes: IntType) -> Type:
    match kind:
        case ClockType():
            return wishes
        case ArrayType(element, size):
            return ArrayType(_type_without_clock(element, wishes), size)
        case RecordType(name, fields):
            return RecordType(name, tuple((label, _type_without_clock(part, wishes)) for label, part in fields))
        case _:
            return kind


def _in_function(function: Function) -> Function:
    return replace(function, body=_wishes(function.body))


def _wishes(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    return tuple(map(_wish, statements))


def _wish(statement: Statement) -> Statement:
    match statement:
        case Reset(clock, value, source):
            return Assign(clock, _one_more(value), source)
        case If(condition, then, otherwise, source):
            return If(condition, _wishes(then), _wishes(otherwise), source)
        case While(condition, body, source):
            return While(condition, _wishes(body), source)
        case _:
            return statement


def _one_more(value: Expression) -> Expression:
    """The wish for a value; a negative one is made to fail as out of range."""
    if isinstance(value, Literal):
        return Literal(value.value + 1 if value.value >= 0 else -1)
    return Conditional(Binary("<", value, Literal(0)), Literal(-1), Binary("+", value, Literal(1)))
