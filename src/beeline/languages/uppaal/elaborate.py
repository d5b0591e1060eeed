"""From the syntax tree of a file to the network that it means."""

from __future__ import annotations

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
    Operand,
    ProcessSymbol,
    Scope,
    Stored,
    TemplateSymbol,
)
from beeline.languages.uppaal.queries import parse_query
from beeline.languages.uppaal.read import read
from beeline.languages.uppaal.text import from_string
from beeline.languages.uppaal.world import World
from beeline.model.expressions import At, Builtin, Instance, Unary
from beeline.model.network import Initial, Network, Property, Rules
from beeline.model.source import Source
from beeline.records import replace

_KINDS = {"E<>": "goal", "A[]": "invariant"}


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
        properties = [
            self.property_of(query, f"query{number}") for number, query in enumerate(self.document.queries, 1)
        ]
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
        if group.indices:
            raise Unsupported("priorities of single channels of an array", expression.source)
        for at, channel in enumerate(self.world.channels):
            if channel.name == group.name:
                self.world.channels[at] = replace(channel, priority=priority)

    # Queries

    def property_of(self, query: syntax.Query, name: str) -> Property:
        """A query as a property; what cannot be checked yet is kept as text."""
        if query.path not in _KINDS or query.formula is None:
            return Property(name, "tctl", None, query.text, query.source)
        lowering = Lowering(self.world, self.queries, "query", members=self.member)
        expression = lowering.formula(query.formula)
        if query.path == "A[]" and expression == Unary("!", Builtin("deadlock")):
            return Property(name, "deadlock", None, query.text, query.source)
        return Property(name, _KINDS[query.path], expression, query.text, query.source)

    def member(self, process: str, name: str, source: Source) -> Operand:
        """A location or variable of a process, as a query sees it."""
        made = self.made[process]
        if any(location.name == name for location in made.process.locations):
            return Computed(BOOL, At(Instance(process), name))
        scope: Scope | None = made.scope
        while scope is not None and scope is not self.scope:
            found = scope.names.get(name)
            if isinstance(found, Constant | ChannelGroup):
                return found
            if isinstance(found, Stored):
                return replace(found, process=Instance(process)) if found.own else found
            scope = scope.parent
        raise UppaalError(f"process {process} has no location or variable {name}", source, context="query")


def elaborate(document: syntax.Document) -> Network:
    """The network that a file means; mistakes in it are errors with their place."""
    return Elaboration(document).network()


def ask(network: Network, text: str) -> Property:
    """A further query about a network that was loaded from a file, as a property of it.

    Raises UppaalError if the text is no query, or names what the model does not have.
    """
    if not Path(network.source.file).is_file():
        remedy = "write it into the text as query { .. }, or load the model from a file"
        raise UppaalError("a further query needs the model's file", network.source, remedy)
    elaboration = Elaboration(read(network.source.file))
    elaboration.network()
    query = parse_query(from_string(text, "query"))
    return elaboration.property_of(query, text)
