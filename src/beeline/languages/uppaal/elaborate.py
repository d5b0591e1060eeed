"""From the syntax tree of a file to the network that it means."""

from __future__ import annotations

import math
from pathlib import Path

from beeline.languages.uppaal import syntax
from beeline.languages.uppaal.declare import declare
from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.instances import Made, make_processes
from beeline.languages.uppaal.kinds import BOOL
from beeline.languages.uppaal.lowering import Lowering
from beeline.languages.uppaal.operands import (
    ChannelGroup,
    Computed,
    Constant,
    FunctionSymbol,
    Operand,
    ProcessSymbol,
    Scope,
    Stored,
    Symbol,
    TemplateSymbol,
)
from beeline.languages.uppaal.queries import parse_query
from beeline.languages.uppaal.read import read
from beeline.languages.uppaal.text import from_string
from beeline.languages.uppaal.unparse import show
from beeline.languages.uppaal.world import World
from beeline.model.expressions import At, Instance, Literal
from beeline.model.network import Initial, Network, Rules
from beeline.model.property import (
    Goal,
    Inevitable,
    Invariant,
    LeadsTo,
    PotentiallyAlways,
    Property,
    Range,
    Unanswered,
)
from beeline.model.source import Source
from beeline.model.validation import validate
from beeline.properties import Asked, property_of
from beeline.records import replace

_KINDS: dict[str, type[Asked]] = {"E<>": Goal, "A[]": Invariant, "E[]": PotentiallyAlways, "A<>": Inevitable}


ASKED = "--property"  # where a query stands that is in no file
_latest: tuple[Network, Elaboration] | None = None  # the network that was made last, which is mostly asked about


class Elaboration:
    """One model on its way to a network."""

    def __init__(self, document: syntax.Document) -> None:
        self.document = document
        self.world = World()
        self.scope = Scope()
        self.queries = Scope(self.scope)  # what queries see: processes hide templates
        self.made: dict[str, Made] = {}
        self.priorities: list[int] = []

    def network(self) -> Network:
        declare(self.document.declarations, self.world, self.scope)
        self._channel_priorities()
        for name, priority, source in self.document.system:
            self._compose(name, priority, source)
        properties = [self.listed(query, f"query{number}") for number, query in enumerate(self.document.queries, 1)]
        processes = [made.process for made in self.made.values()]
        initial = [
            Initial(made.name, made.name, priority=priority)
            for made, priority in zip(self.made.values(), self.priorities, strict=True)
        ]
        return Network(
            Path(self.document.file).stem or "model",
            tuple(processes),
            tuple(initial),
            tuple(self.world.variables),
            tuple(self.world.channels),
            tuple(self.world.functions),
            properties=tuple(properties),
            rules=Rules(priorities=any(self.priorities)),
            language="uppaal",
            source=Source(self.document.file),
        )

    def _compose(self, name: str, priority: int, source: Source) -> None:
        symbol = self.scope.find(name)
        if not isinstance(symbol, TemplateSymbol):
            raise UppaalError(f"there is no process {name}", source)
        if isinstance(self.queries.names.get(name), ProcessSymbol):
            raise UppaalError(f"{name} is composed twice", source)
        instances: dict[tuple[int, ...], str] = {}
        for made in make_processes(symbol, self.world, self.scope, source):
            self.made[made.name] = made
            self.priorities.append(priority)
            instances[made.arguments] = made.name
        self.queries.names[name] = ProcessSymbol(name, instances)

    def _channel_priorities(self) -> None:
        """``chan priority a < default < b``: levels count from the default one."""
        for declaration in self.document.declarations:
            if isinstance(declaration, syntax.ChannelPriority):
                middle = next((at for at, level in enumerate(declaration.levels) if None in level), -1)
                for at, level in enumerate(declaration.levels):
                    for channel in level:
                        if channel is not None:
                            self._set_priority(channel, at - middle)

    def _set_priority(self, expression: syntax.Expression, priority: int) -> None:
        group = Lowering(self.world, self.scope, "channel priorities").operand(expression)
        if not isinstance(group, ChannelGroup):
            raise UppaalError("only channels have priorities", expression.source)
        at = next(at for at, channel in enumerate(self.world.channels) if channel.name == group.name)
        channel = self.world.channels[at]
        if not group.sizes:
            self.world.channels[at] = replace(channel, priority=priority)
            return
        meant = self._positions(group, expression.source)
        given = channel.priorities or (channel.priority,) * math.prod(group.sizes)
        changed = tuple(priority if number in meant else one for number, one in enumerate(given))
        self.world.channels[at] = replace(channel, priorities=changed)

    def _positions(self, group: ChannelGroup, source: Source) -> range:
        """The channels of an array that an expression means: one, or all of a row."""
        first, count = 0, math.prod(group.sizes)
        for size, index in zip(group.sizes, group.indices, strict=False):
            if not isinstance(index, Literal) or not 0 <= index.value < size:
                raise UppaalError("the index of a channel with a priority must be a constant within its array", source)
            count //= size
            first += index.value * count
        return range(first, first + count)

    # Queries

    def listed(self, query: syntax.Query, name: str) -> Property:
        """A query among others: a mistake in it is kept with it, so that the others are answered."""
        try:
            return self.property_of(query, name)
        except UppaalError as error:
            known = isinstance(error, Unsupported)
            reason = error.plain if known else f"{error.source}: {error.plain}"
            return Unanswered(name, query.text, error.source, reason=reason)
        except RecursionError:
            return Unanswered(name, query.text, query.source, reason="the query is nested too deeply")

    def property_of(self, query: syntax.Query, name: str) -> Property:
        """A query as a property; what cannot be checked yet is kept as text."""
        if query.mistake:
            raise UppaalError(query.mistake, query.source)
        if query.values and query.formula is not None:
            return self._range(query, query.formula, name)
        if query.formula is None:
            return Unanswered(name, query.text, query.source, reason=f"not supported: {query.refusal}")
        self.world.written_out = 0
        lowering = Lowering(self.world, self.queries, "query", members=self)
        expression = lowering.formula(query.formula)
        if query.then is not None:
            then = lowering.formula(query.then)
            return LeadsTo(name, query.text, query.source, condition=expression, expression=then)
        return property_of(_KINDS[query.path], name, expression, query.text, query.source)

    def _range(self, query: syntax.Query, condition: syntax.Expression, name: str) -> Range:
        self.world.written_out = 0
        lowering = Lowering(self.world, self.queries, "query", members=self)
        values = tuple(lowering.measured(value) for value in query.values)
        names = tuple(show(value) for value in query.values)
        states = lowering.formula(condition)
        return Range(name, query.text, query.source, which=query.path, condition=states, values=values, names=names)

    def member(self, process: str, name: str, source: Source) -> Operand:
        """A location or variable of a process, as a query sees it."""
        made = self.made[process]
        if any(location.name == name for location in made.process.locations):
            return Computed(BOOL, At(Instance(process), name))
        found = self._inside(made, name)
        if isinstance(found, Stored):
            return replace(found, process=Instance(process)) if found.own else found
        if isinstance(found, Constant | ChannelGroup):
            return found
        if isinstance(found, FunctionSymbol):
            raise UppaalError(f"{name} is a function of {process}: call it", source, context="query")
        raise UppaalError(f"process {process} has no location or variable {name}", source, context="query")

    def function(self, process: str, name: str, source: Source) -> FunctionSymbol:
        """A function of a process, as a query sees it."""
        found = self._inside(self.made[process], name)
        if not isinstance(found, FunctionSymbol):
            raise UppaalError(f"process {process} has no function {name}", source, context="query")
        return found

    def _inside(self, made: Made, name: str) -> Symbol | None:
        """What a name means in a process and not outside."""
        scope: Scope | None = made.scope
        while scope is not None and scope is not self.scope:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None


def elaborate(document: syntax.Document) -> Network:
    """The network that a file means; mistakes in it are errors with their place."""
    global _latest
    elaboration = Elaboration(document)
    network = elaboration.network()
    validate(network)
    _latest = (network, elaboration)
    return network


def ask(network: Network, text: str) -> Property:
    """A further query about a network that was loaded here, as a property of it.

    Raises UppaalError if the text is no query, or names what the model does not have.
    """
    query = parse_query(from_string(text, ASKED), bare=True)
    elaboration = _elaboration_of(network)
    known = len(elaboration.world.variables)
    asked = elaboration.property_of(query, text)
    if len(elaboration.world.variables) > known:
        elaboration.world.forget(known)
        remedy = "write the query into the model's file"
        raise UppaalError("a constant is indexed here that the model itself nowhere indexes", query.source, remedy)
    return asked


def _elaboration_of(network: Network) -> Elaboration:
    """What is known of the names of a network: kept from loading it, or found by reading its file again."""
    if _latest is not None and _latest[0] is network:
        return _latest[1]
    if not Path(network.source.file).is_file():
        remedy = "write it into the text as query { .. }, or load the model from a file"
        raise UppaalError("a further query needs the model's file", network.source, remedy)
    elaboration = Elaboration(read(network.source.file))
    elaboration.network()
    return elaboration
