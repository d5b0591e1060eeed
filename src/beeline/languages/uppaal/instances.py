"""Templates made into processes: parameters bound, declarations entered, edges and locations lowered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from beeline.languages.uppaal import syntax
from beeline.languages.uppaal.conditions import Plain
from beeline.languages.uppaal.declare import declare
from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.kinds import Chan, Clock, compatible, domain, innermost
from beeline.languages.uppaal.lowering import EXPANSION_LIMIT, Lowering
from beeline.languages.uppaal.operands import (
    ChannelGroup,
    Constant,
    Operand,
    Scope,
    Stored,
    TemplateSymbol,
)
from beeline.languages.uppaal.unparse import show_selected
from beeline.languages.uppaal.world import World
from beeline.model.expressions import FALSE
from beeline.model.network import Edge, Location, Process, Receive, Send
from beeline.model.source import Source
from beeline.model.statements import Statement
from beeline.records import Record


class Made(Record, frozen=True):
    """A process of the network and the names that are seen inside it."""

    name: str
    arguments: tuple[int, ...]
    process: Process
    scope: Scope
    source: Source


def make_processes(symbol: TemplateSymbol, world: World, globals_: Scope, source: Source) -> Iterator[Made]:
    """One process for every choice of the parameters that are left open."""
    template = symbol.innermost
    if template.refusal:
        raise Unsupported(template.refusal, template.source, context=f"template {template.name}")
    reader = Lowering(world, globals_, f"process {symbol.name}")
    ranges = []
    for parameter in symbol.parameters:
        kind = reader.declared(parameter)
        values = domain(kind)
        if values is None or parameter.reference or len(values) > EXPANSION_LIMIT:
            message = f"the parameter {parameter.name} of {symbol.name} is left open but is not a bounded value"
            raise UppaalError(message, source, "instantiate the template with an argument")
        ranges.append([Constant(kind, value) for value in values])
    for choice in product(*ranges):
        numbers = tuple(value.value for value in choice if isinstance(value.value, int))
        shown = f"({','.join(map(str, numbers))})" if choice else ""
        yield _make(symbol, symbol.name + shown, numbers, choice, world, globals_)


def _make(
    symbol: TemplateSymbol,
    name: str,
    numbers: tuple[int, ...],
    arguments: tuple[Operand, ...],
    world: World,
    globals_: Scope,
) -> Made:
    own = World(world)
    scope = _bind(symbol, arguments, own, globals_)
    template = symbol.innermost
    while symbol.inner is not None:
        reader = Lowering(own, scope, f"process {symbol.name}")
        arguments = tuple(reader.known(reader.operand(argument)) for argument in symbol.arguments)
        symbol = symbol.inner
        scope = _bind(symbol, arguments, own, globals_)
    inside = Scope(scope)
    context = f"template {template.name}"
    declare(template.declarations, own, inside, context)
    positions, locations = _locations(template, own, inside, context)
    edges = [
        made
        for edge, label in zip(template.edges, symbol.labels, strict=True)
        for made in _edges(edge, label, positions, Lowering(own, inside, f"{context}, edge {template.between(edge)}"))
    ]
    process = Process(
        name,
        locations,
        tuple(edges),
        positions[template.initial],
        variables=tuple(own.variables),
        functions=tuple(own.functions),
        source=template.source,
    )
    return Made(name, numbers, process, inside, template.source)


def _bind(symbol: TemplateSymbol, arguments: tuple[Operand, ...], own: World, globals_: Scope) -> Scope:
    """A scope with the parameters standing for their arguments."""
    scope = Scope(globals_)
    context = f"template {symbol.name}, parameters"
    assigned = symbol.assigned
    for parameter, argument in zip(symbol.parameters, arguments, strict=True):
        reader = Lowering(own, scope, context)
        kind = reader.declared(parameter)
        if not compatible(kind, argument.kind):
            message = f"the parameter {parameter.name} is of type {kind}, its argument of type {argument.kind}"
            raise reader.error(message, parameter.source)
        if isinstance(innermost(kind), Chan | Clock):
            if not isinstance(argument, ChannelGroup | Stored):
                raise reader.error(f"{parameter.name} needs a declared name as argument", parameter.source)
            scope.names[parameter.name] = argument
        elif parameter.reference:
            if not isinstance(argument, Stored | Constant):
                raise reader.error(f"{parameter.name} needs a variable as argument", parameter.source)
            scope.names[parameter.name] = argument
        elif isinstance(argument, Constant):
            value = reader.checked(kind, argument.value, parameter.source)
            if parameter.name in assigned and "const" not in parameter.kind.prefixes:
                scope.names[parameter.name] = own.variable(parameter.name, kind, value, parameter.source)
            else:
                scope.names[parameter.name] = Constant(kind, value, parameter.name)
        else:
            raise reader.error(f"the argument for {parameter.name} must be a constant", parameter.source)
    return scope


def _locations(
    template: syntax.Template, own: World, scope: Scope, context: str
) -> tuple[dict[str, int], tuple[Location, ...]]:
    positions: dict[str, int] = {}
    names: set[str] = set()
    made: list[Location] = []
    for place in template.locations:
        where = f"{context}, location {place.name or place.key}"
        name = place.name or f"_{place.key}"
        if name in names:
            raise UppaalError(f"two locations are called {name}", place.source, context=context)
        names.add(name)
        positions[place.key] = len(made)
        lowering = Lowering(own, scope, f"{where}, invariant")
        made.append(
            Location(
                name,
                committed=place.committed,
                urgent=place.urgent,
                invariant=lowering.guard(place.invariant),
                source=place.source,
            )
        )
    return positions, tuple(made)


def _edges(edge: syntax.Edge, label: str, positions: dict[str, int], reader: Lowering) -> Iterator[Edge]:
    """The edge for every choice of its selected values; choices whose guard is never true are left out."""
    own, where = reader.world, reader.context
    for selected, inner in _selections(edge.select, Lowering(own, reader.scope, f"{where}, select")):
        guard_reader = Lowering(own, inner, f"{where}, guard")
        guard = guard_reader.guard(edge.guard)
        if guard == FALSE:
            continue
        for weight in edge.weights:
            _check_weight(weight, Lowering(own, inner, f"{where}, weight"))
        sync: Send | Receive | None = None
        if edge.sync is not None:
            sync_reader = Lowering(own, inner, f"{where}, synchronisation")
            channel, kind = sync_reader.channel(edge.sync.channel)
            sync = Send(channel) if edge.sync.direction == "!" else Receive(channel)
            if kind.urgent and edge.guard is not None and not isinstance(guard_reader.condition(edge.guard), Plain):
                raise guard_reader.error("an edge on an urgent channel cannot have a clock guard", edge.source)
        effects: list[Statement] = []
        updater = Lowering(own, inner, f"{where}, update", effects)
        for update in edge.updates:
            updater.perform(update)
        yield Edge(
            positions[edge.origin],
            positions[edge.target],
            guard,
            sync,
            tuple(effects),
            text=show_selected(selected, label),
            source=edge.source,
        )


def _check_weight(weight: syntax.Expression, reader: Lowering) -> None:
    """What is possible does not depend on the weight of a branch, as long as it is positive."""
    found = reader.operand(weight)
    if not (isinstance(found, Constant) and isinstance(found.value, int | float) and found.value > 0):
        raise Unsupported("branches whose weight is not a positive constant", weight.source, context=reader.context)


def _selections(
    select: tuple[tuple[str, syntax.TypeExpression], ...], reader: Lowering
) -> Iterator[tuple[dict[str, int], Scope]]:
    ranges: list[list[Constant]] = []
    total = 1
    for _, written in select:
        kind = reader.kind(written)
        values = domain(kind)
        total *= len(values) if values is not None else 0
        if values is None or total > EXPANSION_LIMIT:
            raise reader.error("a selection needs a small bounded type", written.source)
        ranges.append([Constant(kind, value) for value in values])
    for choice in product(*ranges):
        scope = Scope(reader.scope)
        selected: dict[str, int] = {}
        for (name, _), value in zip(select, choice, strict=True):
            scope.names[name] = value
            assert isinstance(value.value, int)
            selected[name] = value.value
        yield selected, scope
