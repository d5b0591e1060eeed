"""Reads a whole network as trees, and finds out on the way which of its numbers are names of things.

Only what can happen once all processes are there is read: what starts them may treat each differently.
"""

from __future__ import annotations

from collections.abc import Sequence

from beeline.analysis.configuration import Configuration
from beeline.model.expressions import (
    Bind,
    Expression,
    Field,
    Index,
    Literal,
    Place,
    Ref,
)
from beeline.model.network import Channel, Edge, Network, Process, Receive, Send
from beeline.model.scope import initial_values
from beeline.model.statements import (
    Alias,
    Assign,
    Declare,
    Do,
    Start,
    Terminate,
    nested,
)
from beeline.model.types import CHANNEL, ArrayType, bounds
from beeline.symmetry.code import Code, Reader, Unfoldable, kind_tree
from beeline.symmetry.sorts import LARGEST, Many, Parts, Scalar, Shape, Sort, leaves, shape_of
from beeline.symmetry.trees import Name, Node, Symbol, Tree, may_fail


class Text(Code):
    """A network's code as trees, `facts`, with the sorts of its places. `numbers` are variables that name nothing, by
    their kinds of processes (-1: the network) and names."""

    def __init__(
        self,
        network: Network,
        configuration: Configuration,
        questions: Sequence[Expression] = (),
        numbers: Sequence[tuple[int, str]] = (),
    ) -> None:
        super().__init__(network, configuration)
        for kind, name in numbers:
            for _, leaf in leaves((self.variables if kind < 0 else self.locals[kind])[name]):
                leaf.sort.make_plain()
        self.terminating: set[int] = set()
        self.channels = self._number_channels()
        self._read_all(questions)
        self._settle()
        self._things = {sort: None for sort in self._sorts() if not sort.plain and self.domain(sort)}
        self._say_sorts()

    # What there is

    def _number_channels(self) -> list[Channel]:
        """All channels by number, the first being number 1."""
        found = list(self.scope.channel_kinds)
        for kind in self.configuration.kinds:
            found += [one for made in self.network.processes[kind].channels for one in made.elements]
        if any(one.broadcast for one in found):
            raise Unfoldable("receivers of a broadcast act in the order of their numbers")
        for one in found:
            self.message(one)
        return found

    def _read_all(self, questions: Sequence[Expression]) -> None:
        for variable in self.network.variables:
            self._begin(self.variables[variable.name], initial_values(variable))
            if variable.hidden:
                self._held(
                    ("hidden",), self.variables[variable.name], initial_values(variable), [("variable", variable.name)]
                )
        self._fixed_variables()
        for name, function in self.scope.functions.items():
            self._function(-1, name, function)
        present = sorted(set(self.configuration.kinds))
        for kind, process in enumerate(self.network.processes):
            resting = frozenset[int]()
            if kind in present:
                resting = self.configuration.resting[self.configuration.kinds.index(kind)]
                self._process(kind, process, resting)
            for edge in process.edges:
                if edge.source_location not in resting:
                    self._before(kind, edge)
        for number in range(len(self.configuration)):
            self._instance(number)
        for number, channel in enumerate(self.channels, 1):
            about = (channel.capacity, channel.urgent, channel.priority, str(channel.fields))
            self.facts.append(Node(("channel", *about), [Name(self.channel, number)]))
        for number, expression in enumerate(questions):  # a run tells them apart
            self.facts.append(Node(("asked", number), [self.truth(expression, Reader())]))
        if self.network.monitor is not None:
            self._watching(self.network.monitor)

    def _watching(self, monitor: Process) -> None:
        """What a monitor does, besides looking: its guards are among the questions."""
        if monitor.parameters or monitor.variables or monitor.channels or monitor.functions:
            raise Unfoldable("what watches it has variables of its own")
        for number, edge in enumerate(monitor.edges):
            if edge.effect:
                self.facts.append(Node(("watching", number), self._statements(edge.effect, Reader())))

    def _begin(self, shape: Shape, values: Sequence[int]) -> None:
        for (_, leaf), value in zip(leaves(shape), values, strict=True):
            leaf.sort.root.values.add(value)

    def _held(self, label: tuple[object, ...], shape: Shape, values: Sequence[int], whose: list[Tree]) -> None:
        """What a variable holds for ever, cell by cell."""
        for (way, leaf), value in zip(leaves(shape), values, strict=True):
            path = tuple(step if isinstance(step, str) else None for step in way)
            names = [Name(*step) for step in way if not isinstance(step, str)]
            self.facts.append(Node((*label, path), [*whose, *names, Name(leaf.sort, value)]))

    def _fixed_variables(self) -> None:
        from beeline.model.usage import globals_written

        written = globals_written(self.network)
        for variable in self.network.variables:
            if variable.name not in written:
                whose: list[Tree] = [("variable", variable.name)]
                self._held(("fixed",), self.variables[variable.name], initial_values(variable), whose)
        for channel in self.network.channels:
            if channel.size is not None:
                numbers = self.scope.numbers_of_channels[channel.name]
                shape = self.variables[channel.name] = shape_of(ArrayType(CHANNEL, channel.size), self.channel)
                self._held(("channels",), shape, numbers, [("variable", channel.name)])

    def _instance(self, number: int) -> None:
        kind = self.configuration.kinds[number]
        process, own = self.network.processes[kind], self.process(number)
        self.facts.append(Node(("process",), [kind_tree(kind), own]))
        if number < len(self.network.initial):
            for parameter, value in zip(process.parameters, self.network.initial[number].arguments, strict=False):
                self._begin(self.locals[kind][parameter.name], [value])
        known = self.configuration.constants[number]
        for name in sorted(self.configuration.names[number]):
            slot = self.scope.processes[kind].slots[name]
            shape = self.locals[kind][name]
            values = [known[slot.offset + i] for i, _ in enumerate(leaves(shape))]
            self._begin(shape, values)
            self._held(("constant", name), shape, values, [own])

    # Processes

    def _process(self, kind: int, process: Process, resting: frozenset[int]) -> None:
        for variable in (*process.parameters, *process.variables):
            if variable.expression is None:
                self._begin(self.locals[kind][variable.name], initial_values(variable))
            else:
                self._anything(self.locals[kind][variable.name])
        for function in process.functions:
            self._function(kind, function.name, function)
        where = Reader(kind)
        self.facts.append(Node(("provided",), [kind_tree(kind), self.truth(process.provided, where)]))
        for position in sorted(resting):
            location = process.locations[position]
            kept = location.committed, location.urgent, location.deterministic, location.end
            more = location.accept, location.progress
            place: Tree = ("location", kind, position)
            invariant = self.truth(location.invariant, where)
            self.facts.append(Node(("location", *kept, *more), [kind_tree(kind), place, invariant]))
        for number, edge in enumerate(process.edges):
            if edge.source_location in resting:
                self._edge(kind, process, number, edge)

    def _edge(self, kind: int, process: Process, number: int, edge: Edge) -> None:
        siblings = process.leaving[edge.source_location]
        ordered = process.locations[edge.source_location].deterministic
        ordered |= any(process.edges[other].otherwise for other in siblings)
        place = siblings.index(number) if ordered else -1
        where = Reader(kind)
        parts: list[Tree] = [
            kind_tree(kind),
            ("location", kind, edge.source_location),
            ("location", kind, edge.target_location),
            self.truth(edge.guard, where),
        ]
        if edge.sync is not None:
            parts.append(self._sync(edge, where))
        parts += self._statements(edge.effect, where)
        if any(isinstance(one, Terminate) for one in nested(edge.effect)):
            self.terminating.add(kind)
        self.facts.append(Node(("edge", edge.rank, edge.keeps_control, edge.otherwise, place), parts))

    def _sync(self, edge: Edge, where: Reader) -> Tree:
        match edge.sync:
            case Send(channel, values, in_order):
                told = [self.value(value, where) for value in values]
                for fields in self._fields(channel, len(told), where):
                    for (_, scalar), leaf in zip(told, fields, strict=True):
                        scalar.sort.join(leaf.sort)
                        if in_order:
                            leaf.sort.make_plain()
                return Node(("send", in_order), [self._channel(channel, where), *(tree for tree, _ in told)])
            case Receive(channel, patterns, anywhere, keep):
                return Node(("receive", anywhere, keep), self._patterns(channel, patterns, where))
            case _:
                raise Unfoldable("processes that move together act in the order of their numbers")

    def _before(self, kind: int, edge: Edge) -> None:
        """What an edge that is only taken in the beginning may leave behind."""
        where = Reader(kind)
        if isinstance(edge.sync, Receive):
            for pattern in edge.sync.patterns:
                if isinstance(pattern, Bind):
                    self._anything(self._target(pattern.place, where))
        if isinstance(edge.sync, Send):
            for fields in self._fields(edge.sync.channel, len(edge.sync.values), where):
                for value, leaf in zip(edge.sync.values, fields, strict=True):
                    self._left(value, leaf)
        for statement in nested(edge.effect):
            match statement:
                case Assign(target, value):
                    self._left(value, self._target(target, where))
                case Start(process, arguments, result):
                    started = self.network.process_index[process]
                    parameters = self.network.processes[started].parameters
                    for value, parameter in zip(arguments, parameters, strict=False):
                        self._left(value, self.locals[started][parameter.name])
                    if result is not None:
                        self._anything(self._target(result, where))
                case Declare() | Alias() | Do():
                    raise Unfoldable("the beginning of a run is not looked through")
                case _:
                    pass

    def _target(self, place: Place, where: Reader) -> Shape:
        match place:
            case Ref(name):
                return self._named(name, where)
            case Index(base, _):
                whole = self._target(base, where)
                assert isinstance(whole, Many)
                return whole.element
            case Field(base, name):
                whole = self._target(base, where)
                assert isinstance(whole, Parts)
                return whole.fields[name]

    def _left(self, value: Expression, shape: Shape) -> None:
        known = self._known(value)
        if known is not None and isinstance(shape, Scalar):
            shape.sort.root.values.add(known)
        else:
            self._anything(shape)

    def _known(self, value: Expression) -> int | None:
        match value:
            case Literal(number):
                return number
            case Ref(name) if name in self.scope.constants:
                return self.scope.constants[name]
            case Ref(name) if name in self.scope.channel_numbers:
                return self.scope.channel_numbers[name]
            case _:
                return None

    def _anything(self, shape: Shape) -> None:
        for _, leaf in leaves(shape):
            if leaf.type is not None and leaf.sort.root is not self.channel.root:
                leaf.sort.root.spans.add(bounds(leaf.type))

    # The end

    def _settle(self) -> None:
        """Makes plain what cannot be names."""
        changed = True
        while changed:
            changed = False
            for sort in self._sorts():
                if not sort.plain and not self._fits(sort):
                    sort.plain = changed = True
            for sort, low, high, body in self._quantified:
                root = sort.root
                if not root.plain and (may_fail(body) or not self.domain(root) <= set(range(low, high + 1))):
                    root.plain = changed = True

    def _sorts(self) -> list[Sort]:
        """The sorts of all that holds values."""
        found = [self.pid.root, self.channel.root]
        for shape in (*self.variables.values(), *(one for shapes in self.locals for one in shapes.values())):
            for way, leaf in leaves(shape):
                found += [leaf.sort.root, *(step[0].root for step in way if not isinstance(step, str))]
        found += [leaf.sort.root for fields in self._messages.values() for leaf in fields]
        found += [leaf.sort.root for shape in self._returns.values() for _, leaf in leaves(shape)]
        found += [sort.root for sort, _, _, _ in self._quantified]
        return list(dict.fromkeys(found))

    def _fits(self, sort: Sort) -> bool:
        if (sort.pid and sort.channel) or max(sort.sizes, default=0) > LARGEST:
            return False
        reach = self.reach(sort)
        return not reach or all(low <= min(reach) and max(reach) <= high for low, high in sort.bounds)

    def _say_sorts(self) -> None:
        """Says which sorts the variables have, and which things are of a sort: what is exchanged must agree in it."""
        for name, shape in self.variables.items():
            self.facts.append(self._typed(("variable", name), shape))
        for kind in sorted(set(self.configuration.kinds)):
            process = self.network.processes[kind]
            about = Node(("kind", len(process.locations), repr(process.channels)), [kind_tree(kind)])
            self.facts += [about, *(self._typed(kind_tree(kind), *named) for named in self.locals[kind].items())]
        for sort in self._things:
            self.facts.append(Node(("sort", sort.pid, sort.channel, tuple(sorted(sort.sizes))), [("sort", sort)]))
            for value in sorted(self.domain(sort)):
                fits = tuple(value < size for size in sorted(sort.sizes))
                self.facts.append(Node(("of sort", fits), [("sort", sort), Name(sort, value)]))

    def _typed(self, whose: Tree, *shape: str | Shape) -> Node:
        label: list[object] = ["typed", *(part for part in shape if isinstance(part, str))]
        sorts: list[Tree] = [whose]
        for part in shape:
            for way, leaf in leaves(part) if not isinstance(part, str) else ():
                for step in (*way, (leaf.sort, str(leaf.type))):
                    if isinstance(step, str):
                        label.append(step)
                        continue
                    label.append(step[1])
                    root = step[0].root
                    sorts.append(("sort", root) if root in self._things else Node(("plain",)))
        return Node(tuple(label), sorts)

    def symbol(self, tree: Tree) -> Symbol | None:
        """The thing that a leaf names, if it names one."""
        if isinstance(tree, tuple):
            return tree
        assert isinstance(tree, Name)
        return self.thing(tree.sort, tree.value)

    def thing(self, sort: Sort, value: int) -> Symbol | None:
        root = sort.root
        if root is self.pid.root and root.plain and 0 <= value < len(self.configuration):
            return None if self.pid_used else ("process", value)
        if root not in self._things or value not in self.domain(root):
            return None
        return ("value", root, value)
