"""The symmetries of a network: found as automorphisms of its text as a graph, and checked on the text itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from math import factorial, prod

from beeline.analysis.configuration import Configuration, find_configuration
from beeline.model.expressions import Expression
from beeline.model.network import Network, Process
from beeline.records import Record, replace
from beeline.symmetry.automorphisms import Graph, Group, Permutation, TooHard, automorphisms
from beeline.symmetry.code import Unfoldable
from beeline.symmetry.sorts import Sort
from beeline.symmetry.text import Text
from beeline.symmetry.trees import Compact, Name, Symbol, Tree, compact, renamed


class Role(Record, frozen=True):
    """Symbols that go with the members of a set, one with each: a process, its channel, its number."""

    set: int
    symbols: tuple[int, ...]


class Sets(Record, frozen=True):
    """Sets of things of which all orders are possible, by their sizes, and what goes with their members."""

    sizes: tuple[int, ...]
    roles: tuple[Role, ...]

    @property
    def order(self) -> int:
        return prod(map(factorial, self.sizes))


class Symmetries:
    """What may be exchanged in a network whose processes are all there. Raises `Unfoldable` if nothing may."""

    def __init__(
        self,
        network: Network,
        configuration: Configuration,
        questions: tuple[Expression, ...],
        numbers: Sequence[tuple[int, str]] = (),
    ) -> None:
        self.network, self.configuration = network, configuration
        self.text = Text(network, configuration, questions, numbers)
        self.symbols: list[Symbol] = []
        self._positions: dict[Symbol, int] = {}
        self._name_everything()
        self.facts = [compact(fact, self._position) for fact in self.text.facts]
        self.graph = self._graph()
        try:
            self.group: Group = automorphisms(self.graph, len(self.symbols))
        except TooHard:
            raise Unfoldable("its symmetries are not found in time") from None
        if self.group.order == 1:
            raise Unfoldable("no two parts of the model are alike")
        for generator in self.group.generators:
            self.check(generator)

    # Symbols

    def _name_everything(self) -> None:
        for number in range(len(self.configuration)):
            self._position(Name(self.text.pid, number))
        for fact in self.text.facts:
            self._name(fact)

    def _name(self, tree: Tree) -> None:
        if isinstance(tree, (Name, tuple)):
            self._position(tree)
        else:
            for child in tree.children:
                self._name(child)

    def _position(self, tree: Tree) -> int | None:
        symbol = self.text.symbol(tree)
        return None if symbol is None else self._of(symbol)

    def _of(self, symbol: Symbol) -> int:
        if symbol not in self._positions:
            self._positions[symbol] = len(self.symbols)
            self.symbols.append(symbol)
        return self._positions[symbol]

    def position(self, sort: Sort, value: int) -> int | None:
        """The symbol that a value of a sort names, if it may be exchanged."""
        thing = self.text.thing(sort, value)
        return None if thing is None else self._positions.get(thing)

    def location(self, kind: int, location: int) -> int | None:
        return self._positions.get(("location", kind, location))

    def kind(self, kind: int) -> int | None:
        return self._positions.get(("kind", kind))

    def variable(self, name: str) -> int | None:
        return self._positions.get(("variable", name))

    def _colour(self, position: int) -> object:
        """What the facts do not say of a symbol."""
        symbol = self.symbols[position]
        match symbol:
            case ("location", _, _) if self.text.places_used:
                return symbol
            case ("value", Sort() as sort, int(number)) if sort is self.text.pid.root:
                return "value", self._pinned(number)
            case ("process", int(number)):
                return "process", self._pinned(number)
            case _:
                return symbol[0]

    def _pinned(self, number: int) -> int:
        """The number of a process that cannot be exchanged: who may end, ends in the order of numbers."""
        there = number < len(self.configuration)
        return number if there and self.configuration.kinds[number] in self.text.terminating else -1

    @property
    def moves(self) -> tuple[dict[tuple[int, int], tuple[int, int]], ...]:
        """Where each generator takes locations, each with its kind of processes."""
        found = []
        for generator in self.group.generators:
            pairs = ((symbol, self.symbols[generator[i]]) for i, symbol in enumerate(self.symbols))
            found.append({_place(a): _place(b) for a, b in pairs if a[0] == "location" and a != b})
        return tuple(found)

    # The graph

    def _graph(self) -> Graph:
        graph = Graph()
        for position in range(len(self.symbols)):
            graph.add(self._colour(position))
        for fact in self.facts:
            if not isinstance(fact, str):
                self._add(graph, fact, None, "fact")
        return graph

    def _add(self, graph: Graph, tree: Compact, above: int | None, place: object) -> None:
        assert not isinstance(tree, str)
        if isinstance(tree, int):
            vertex = graph.add((place, "names"))
            graph.connect(vertex, tree)
        else:
            label, free, parts = tree
            said = tuple((None if free else i, part) for i, part in enumerate(parts) if isinstance(part, str))
            vertex = graph.add((place, label, free, said))
            for i, part in enumerate(parts):
                if not isinstance(part, str):
                    self._add(graph, part, vertex, None if free else i)
        if above is not None:
            graph.connect(vertex, above)

    # The check

    @cached_property
    def _facts_as_they_are(self) -> Counter[Compact]:
        return Counter(renamed(fact, range(len(self.symbols))) for fact in self.facts)

    def check(self, permutation: Permutation) -> None:
        """Raises `Unfoldable` unless the text under other names is the text."""
        if Counter(renamed(fact, permutation) for fact in self.facts) != self._facts_as_they_are:
            raise Unfoldable("a symmetry of its graph is none of its text")

    # Sets of which all orders are possible

    @cached_property
    def sets(self) -> Sets | None:
        """The sets whose orders make up the whole group, if there are such."""
        try:
            found = self._find_sets()
        except TooHard:
            return None
        return found if found is not None and found.order == self.group.order else None

    def _find_sets(self) -> Sets | None:
        sizes: list[int] = []
        roles: list[Role] = []
        moved = {i for generator in self.group.generators for i, to in enumerate(generator) if i != to}
        self.graph.work = 0
        while moved:
            first = min(moved)  # processes are numbered first
            members = sorted(self._orbit(first))
            swaps = [self._swap(one, other, members) for one, other in pairwise(members)]
            if None in swaps:
                return None
            made = self._roles(len(sizes), len(members), [swap for swap in swaps if swap is not None])
            if made is None:
                return None
            sizes.append(len(members))
            roles += made
            taken = {symbol for role in made for symbol in role.symbols}
            if not taken <= moved:
                return None
            moved -= taken
        return Sets(tuple(sizes), tuple(roles))

    def _orbit(self, first: int) -> set[int]:
        found, waiting = {first}, [first]
        while waiting:
            one = waiting.pop()
            for generator in self.group.generators:
                if generator[one] not in found:
                    found.add(generator[one])
                    waiting.append(generator[one])
        return found

    def _swap(self, one: int, other: int, members: list[int]) -> Permutation | None:
        """An automorphism that exchanges two members of an orbit and leaves the others, and all that it can."""
        most = max(self.graph.colours) + 1
        before, after = list(self.graph.colours), list(self.graph.colours)
        for position, member in enumerate(members):
            before[member] = after[member] = most + position
        after[one], after[other] = before[other], before[one]
        found = self.graph.isomorphism(before, after)
        return None if found is None else found[: len(self.symbols)]

    def _roles(self, number: int, size: int, swaps: list[Permutation]) -> list[Role] | None:
        """What goes with the members of a set, given the exchanges of each with the next."""
        moved_by: dict[int, list[int]] = {}
        for position, swap in enumerate(swaps):
            for symbol, to in enumerate(swap):
                if symbol != to:
                    moved_by.setdefault(symbol, []).append(position)
        roles: list[Role] = []
        left = set(moved_by)
        for symbol in sorted(moved_by):
            if symbol not in left or moved_by[symbol] != [0]:
                continue
            way = [symbol]
            for swap in swaps:
                way.append(swap[way[-1]])
            expected = [[i for i in (j - 1, j) if 0 <= i < size - 1] for j in range(size)]
            if len(set(way)) != size or [moved_by[s] for s in way] != expected:
                return None
            if any(swap[swap[s]] != s for swap in swaps for s in way):
                return None
            roles.append(Role(number, tuple(way)))
            left -= set(way)
        return None if left else roles

    def __str__(self) -> str:
        order = self.group.order
        moved = {i for generator in self.group.generators for i, to in enumerate(generator) if i != to}
        processes = sum(self.position(self.text.pid, number) in moved for number in range(len(self.configuration)))
        return f"{order:,} ways to exchange {processes} processes" if processes else f"{order:,} ways to rename values"


def find_symmetries(
    network: Network, questions: tuple[Expression, ...], numbers: Sequence[tuple[int, str]] = ()
) -> Symmetries:
    """The symmetries of a network that questions have, too; raises `Unfoldable` if there are none. `numbers` are
    variables that name nothing, by their kinds of processes (-1: the network) and names."""
    if network.rules.opened:
        raise Unfoldable("its rules are not looked through")
    early = find_configuration(network.alone)
    if early is None:
        raise Unfoldable("processes are started all the time")
    late = _later(network, early)
    found: Symmetries | None = None
    try:
        found = Symmetries(network, early, questions, numbers)
    except Unfoldable:
        if late == early:
            raise
    if late == early:
        assert found is not None
        return found
    try:
        other = Symmetries(network, late, questions, numbers)
    except Unfoldable:
        if found is None:
            raise
        return found
    return other if found is None or other.group.order > found.group.order else found


def _place(symbol: Symbol) -> tuple[int, int]:
    _, kind, location = symbol
    assert isinstance(kind, int) and isinstance(location, int)
    return kind, location


def _later(network: Network, configuration: Configuration) -> Configuration:
    """The same, where who starts others counts as at rest only when it comes to locations that it never leaves: what it
    does before, such as setting up tables, may treat each process differently."""
    resting = list(configuration.resting)
    for number, kind in enumerate(configuration.kinds):
        process = network.processes[kind]
        if len(resting[number]) < len(process.locations):
            resting[number] = _last_locations(process)
    return replace(configuration, resting=tuple(resting))


def _last_locations(process: Process) -> frozenset[int]:
    """Locations to which a process can come back from wherever it can go."""
    ways = [frozenset({location}) for location in range(len(process.locations))]
    changed = True
    while changed:
        changed = False
        for edge in process.edges:
            further = ways[edge.source_location] | ways[edge.target_location]
            if further != ways[edge.source_location]:
                ways[edge.source_location] = further
                changed = True
    return frozenset(one for one, way in enumerate(ways) if all(one in ways[other] for other in way))
