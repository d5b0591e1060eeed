"""The dependence service: which edges of a network's processes can enable, disable or disturb which others.

It speaks about the edges of the processes of one configuration, one entry for each process and edge. All answers are
safe: "may" where it is not known better.

There are three tiers, each with fewer dependences than the one before. By syntax, an array is one thing. By index, its
elements are told apart where an index is known. An SMT solver (`proofs.py`) looks at what the code does.
"""

from __future__ import annotations

from functools import cached_property

from beeline.analysis.closing import closing_edges, sticky_edges
from beeline.analysis.configuration import Configuration
from beeline.analysis.footprint import Footprint, Footprints
from beeline.analysis.tiers import INDEX, SYNTAX
from beeline.compile.program import Program
from beeline.model.expressions import (
    At,
    Binary,
    Bind,
    Builtin,
    ChannelInfo,
    Expression,
    Field,
    Index,
    Literal,
    Match,
    Poll,
    ProcessRef,
    Ref,
    Unary,
    conjuncts,
    walk,
)
from beeline.model.network import Edge, Process, Receive, Send, Together
from beeline.model.statements import Terminate
from beeline.records import Record, field

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Test(Record, frozen=True):
    """A comparison of one cell with a number. Where it is false, only a member of `makers` can make it true. With
    `after_first` that is so only where the edge's first test on the same channel holds."""

    cell: int
    operator: str
    value: int
    makers: frozenset[int]
    after_first: bool = False


def compare(left: int, operator: str, right: int) -> bool:
    """Whether a comparison of two numbers is true."""
    return {
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]


class EdgeFacts(Record):
    """One edge of one process, and what is known about it.

    `own` is what the edge itself does and looks at; `run` adds all that can follow before another process has its turn,
    the partners of a synchronisation included. `condition` are the resources that decide whether it is enabled, the
    process's own location aside. `partners` are edges that can be taken along with this one."""

    number: int  # the engine's number of the edge
    process: int
    edge: Edge
    own: Footprint = field(default_factory=Footprint)
    run: Footprint = field(default_factory=Footprint)
    condition: int = 0
    begins: bool = True  # it can be the first of its step; receives of handshakes are not
    joins: bool = False  # it can be taken along with another
    asks_timeout: bool = False
    guard_fails: bool = False
    provided_fails: bool = False
    channels: tuple[int, ...] = ()
    partners: tuple[int, ...] = ()
    members: frozenset[int] = frozenset()  # the edges of the run

    @property
    def source(self) -> int:
        return self.edge.source_location

    @property
    def target(self) -> int:
        return self.edge.target_location


class Dependence:
    """What the edges of a configuration's processes have to do with each other.

    Edges are named by their position in `edges`."""

    def __init__(self, program: Program, configuration: Configuration, tier: str = INDEX) -> None:
        self.tier = tier
        self.program = program
        self.network = program.network
        self.configuration = configuration
        self.footprints = Footprints(program.layout, configuration, tier != SYNTAX)
        self.edges = self._collect()
        self._leaving = self._by_source()
        self._join()
        for facts in self.edges:
            self._add_ranks(facts)
            if self.network.rules.stuttering:  # whether it changes anything depends on all that it looks at
                facts.condition |= facts.own.reads | facts.own.writes
        for position in range(len(self.edges)):
            self._add_run(position)

    # Asking

    def disturbs(self, one: int, other: int) -> bool:
        """Whether two edges, when both enabled, may disable each other or lead elsewhere in the other order."""
        return self.edges[one].run.meets(self.edges[other].own)

    def disturbed_by(self, one: int) -> frozenset[int]:
        """The edges that disturb an edge, itself among them if it is repeated to another effect."""
        run = self.edges[one].run
        return self._touching(run.reads | run.writes, run.writes)

    def enablers(self, position: int) -> frozenset[int]:
        """The edges that may enable an edge whose process stands at its source; see also `tests`."""
        facts = self.edges[position]
        if facts.asks_timeout:
            return frozenset(range(len(self.edges)))
        found = set(self._touching(facts.condition, 0))
        for partner in facts.partners:
            found |= self._entering[self.edges[partner].process].get(self.edges[partner].source, set())
        return frozenset(found)

    def writers(self, resources: int) -> frozenset[int]:
        """The edges that may write one of `resources`."""
        return self._touching(resources, 0)

    def may_undo(self, position: int, goal: Expression) -> bool:
        """Whether an edge that writes what a goal looks at may lead from a state with the goal to one without."""
        return True

    def unproved(self, invariants: list[Expression]) -> list[Expression]:
        """Those of some invariants, all of which were assumed, that a run may be the first to break."""
        return invariants

    def may_fail(self) -> bool:
        """Whether some edge may end in a run-time error or a failed assertion."""
        return any(facts.run.fails for facts in self.edges)

    def pairs_of(self, position: int) -> frozenset[int]:
        """The edges that can take this one along."""
        return frozenset(other for other, facts in enumerate(self.edges) if position in facts.partners)

    # Comparisons

    def tests(self, position: int) -> list[Test]:
        """Comparisons that all must hold where the edge is enabled."""
        facts = self.edges[position]
        found: list[Test] = []
        if facts.provided_fails:
            return found  # then it is an error whatever the guard says
        for part in conjuncts(facts.edge.guard):
            test = self.test(part, facts.process)
            if test is not None:
                found.append(test)
            if self.footprints.reads(part, facts.process).fails:
                return found  # what stands behind it counts only where this has a value
        if not facts.guard_fails and len(facts.channels) == 1 and not facts.joins:
            found += self._channel_tests(facts)
        return found

    def test(self, expression: Expression, number: int, wanted: bool = True) -> Test | None:
        """The expression as a comparison of one cell, if it is one."""
        match expression:
            case Unary("!", operand):
                return self.test(operand, number, not wanted)
            case Binary(operator, left, right) if operator in OPPOSITE:
                return self._comparison(left, operator if wanted else OPPOSITE[operator], right, number)
            case Ref() | Index() | Field():
                return self._comparison(expression, "!=" if wanted else "==", Literal(0), number)
            case At(process, name):
                return self._at_test(self.footprints.processes_meant(process, number), name, wanted)
            case ChannelInfo(what, channel) if what in ("empty", "nempty", "full", "nfull"):
                return self._length_test(what if wanted else _NOT[what], channel, number)
            case _:
                return None

    def _comparison(self, left: Expression, operator: str, right: Expression, number: int) -> Test | None:
        value = self.footprints.value(right, number)
        if value is None:
            value, left, operator = self.footprints.value(left, number), right, MIRRORED[operator]
        if value is None:
            return None
        if isinstance(left, ChannelInfo) and left.what == "len":
            return self._length_compared(left.channel, operator, value, number)
        if not isinstance(left, (Ref, Index, Field)):
            return None
        room = self.footprints.room(left, number)
        if room is None or room.first is None or room.fails or room.cells.bit_count() != 1:
            return None
        return self._cell_test(room.first, operator, value)

    def _cell_test(self, cell: int, operator: str, value: int) -> Test:
        makers = {
            position
            for position in self._touching(1 << cell, 0)
            if (known := self.edges[position].own.known.get(cell)) is None
            or any(compare(each, operator, value) for each in known)
        }
        return Test(cell, operator, value, frozenset(makers))

    def alive(self, process: ProcessRef) -> Test:
        """That a process, of which it is known which one it is, has not ended. If it has, that stays so."""
        (number,) = self.footprints.processes_meant(process, -1)
        return Test(self.program.layout.processes[number].tag, "==", self.configuration.kinds[number] + 1, frozenset())

    def _at_test(self, meant: list[int], name: str, wanted: bool) -> Test | None:
        """Only where it is known which process is meant, and that it cannot be another place of the same name."""
        if len(meant) != 1 or not wanted:
            return None
        scope = self.footprints.scope.processes[self.configuration.kinds[meant[0]]]
        places = scope.location_index.get(name, frozenset())
        if len(places) != 1:
            return None
        return self._cell_test(self.program.layout.processes[meant[0]].location, "==", next(iter(places)))

    def _length_test(self, what: str, channel: Expression, number: int) -> Test | None:
        which = self.footprints.value(channel, number)
        if which is None or not 1 <= which <= len(self.footprints.channels):
            return None
        capacity = self.footprints.channels[which - 1].channel.capacity
        if capacity == 0:
            return None
        operator, value = {
            "empty": ("==", 0),
            "nempty": (">", 0),
            "full": (">=", capacity),
            "nfull": ("<", capacity),
        }[what]
        return self._length_compared(channel, operator, value, number)

    def _length_compared(self, channel: Expression, operator: str, value: int, number: int) -> Test | None:
        which = self.footprints.value(channel, number)
        if which is None or not 1 <= which <= len(self.footprints.channels):
            return None
        changes = {
            ">": self.footprints.back(which),
            ">=": self.footprints.back(which),
            "<": self.footprints.front(which),
            "<=": self.footprints.front(which),
        }.get(operator, self.footprints.front(which) | self.footprints.back(which))
        return Test(self.footprints.channels[which - 1].length, operator, value, self._touching(changes, 0))

    def _channel_tests(self, facts: EdgeFacts) -> list[Test]:
        """That there is room for a message, or a message, and one that fits."""
        which = facts.channels[0]
        place = self.footprints.channels[which - 1]
        if self._is_handshake(which) or self.network.rules.lossy:
            return []
        front, back = self.footprints.front(which), self.footprints.back(which)
        if isinstance(facts.edge.sync, Send):
            if self.footprints.message(facts.edge.sync.values, facts.channels, facts.process).fails:
                return []
            return [Test(place.length, "<", place.channel.capacity, self._touching(front, 0))]
        assert isinstance(facts.edge.sync, Receive)
        found = [Test(place.length, ">", 0, self._touching(back, 0))]
        if facts.edge.sync.anywhere:
            return found
        for position, pattern in enumerate(facts.edge.sync.patterns[: len(place.fields)]):
            if not isinstance(pattern, Match):
                continue
            value = self.footprints.value(pattern.value, facts.process)
            if value is None:
                break  # it may fail, and then it matters more than what follows
            # The first message stays the first whatever is sent, unless sends insert: then they work at the front too.
            found.append(Test(place.base + position, "==", value, self._touching(front, 0), after_first=True))
        return found

    # Collecting

    def _collect(self) -> list[EdgeFacts]:
        found: list[EdgeFacts] = []
        for number, action in enumerate(self.program.actions):
            living = action.number < len(self.configuration) and self.configuration.kinds[action.number] == action.kind
            if living:
                edge = self.network.processes[action.kind].edges[action.edge]
                found.append(self._facts(number, action.number, self.network.processes[action.kind], edge))
        return found

    def _facts(self, number: int, process: int, kind: Process, edge: Edge) -> EdgeFacts:
        facts = EdgeFacts(number, process, edge)
        cell = self.program.layout.processes[process].location
        own = Footprint(reads=1 << cell, fails=kind.locations[edge.target_location].deterministic)
        if edge.target_location != edge.source_location:
            own |= Footprint(writes=1 << cell, known={cell: {edge.target_location}})
        guard, provided = (self.footprints.reads(part, process) for part in (edge.guard, kind.provided))
        facts.guard_fails, facts.provided_fails = guard.fails, provided.fails
        own |= self._guard(edge.guard, process)
        own |= self._guard(kind.provided, process)
        facts.condition = guard.reads | provided.reads
        facts.asks_timeout = Builtin("timeout") in walk(edge.guard) + walk(kind.provided)
        if any(isinstance(statement, Terminate) for statement in edge.effect):
            for higher in range(process + 1, len(self.configuration)):
                facts.condition |= self.footprints.tag(higher)
        own.reads |= facts.condition & ~self._all_ends()
        own |= self.footprints.statements(edge.effect, process)
        self._add_sync(facts, own)
        facts.own = own
        return facts

    def _guard(self, guard: Expression, process: int) -> Footprint:
        """What a guard that holds depends on. That a channel has a message, or room, stays true whatever happens at its
        other end."""
        found = Footprint()
        for part in conjuncts(guard):
            reads = self.footprints.reads(part, process)
            match part:
                case ChannelInfo("nempty", channel) | Poll(channel, _, _) | Unary("!", ChannelInfo("empty", channel)):
                    reads.reads &= ~self._ends(channel, process, back=True)
                case ChannelInfo("nfull", channel) | Unary("!", ChannelInfo("full", channel)):
                    reads.reads &= ~self._ends(channel, process, back=False)
                case _:
                    pass
            found |= reads
        return found

    def _all_ends(self) -> int:
        """The resources of all channels."""
        return -1 << len(self.program.layout.cells)

    def _ends(self, channel: Expression, process: int, back: bool) -> int:
        mask = 0
        for which in self.footprints.channels_meant(channel, process):
            mask |= self.footprints.back(which) if back else self.footprints.front(which)
        return mask

    def _add_sync(self, facts: EdgeFacts, own: Footprint) -> None:
        match facts.edge.sync:
            case Send(channel, values, in_order):
                self._add_channel(facts, own, channel)
                message = self.footprints.message(values, facts.channels, facts.process)
                own |= message
                for which in facts.channels:
                    self._add_send(facts, own, which, in_order)
                if message.fails or any(self._is_handshake(which) for which in facts.channels):
                    facts.condition |= message.reads
            case Receive():
                self._add_channel(facts, own, facts.edge.sync.channel)
                self._add_receive(facts, own, facts.edge.sync)
            case Together():
                facts.joins = True
            case None:
                pass

    def _add_channel(self, facts: EdgeFacts, own: Footprint, channel: Expression) -> None:
        which = self.footprints.channel(channel, facts.process)
        own |= which
        facts.guard_fails |= self.footprints.value(channel, facts.process) is None
        facts.condition |= which.reads
        facts.channels = tuple(self.footprints.channels_meant(channel, facts.process))

    def _is_handshake(self, which: int) -> bool:
        channel = self.footprints.channels[which - 1].channel
        return channel.broadcast or channel.capacity == 0

    def _add_send(self, facts: EdgeFacts, own: Footprint, which: int, in_order: bool) -> None:
        if self._is_handshake(which):
            return
        front, back = self.footprints.front(which), self.footprints.back(which)
        own |= Footprint(reads=back, writes=back | (front if in_order else 0))
        facts.condition |= front
        if self.network.rules.lossy:
            own.reads |= front  # whether a message is lost depends on what was taken out

    def _add_receive(self, facts: EdgeFacts, own: Footprint, sync: Receive) -> None:
        facts.begins = any(not self._is_handshake(which) for which in facts.channels)
        facts.joins = any(self._is_handshake(which) for which in facts.channels)
        for which in facts.channels:
            if not self._is_handshake(which):
                front = self.footprints.front(which)
                own |= Footprint(reads=front, writes=0 if sync.keep else front)
                facts.condition |= front | self.footprints.back(which)
        for position, pattern in enumerate(sync.patterns):
            if isinstance(pattern, Match):
                reads = self.footprints.reads(pattern.value, facts.process)
                own |= reads
                facts.condition |= reads.reads
                facts.guard_fails |= reads.fails
            elif isinstance(pattern, Bind):
                own |= self.footprints.binding(pattern.place, position, facts.channels, facts.process)

    # Joining

    def _by_source(self) -> dict[tuple[int, int], list[int]]:
        found: dict[tuple[int, int], list[int]] = {}
        for position, facts in enumerate(self.edges):
            found.setdefault((facts.process, facts.source), []).append(position)
        return found

    def leaving(self, process: int, location: int) -> list[int]:
        """The edges of a process that leave a location."""
        return self._leaving.get((process, location), [])

    def _join(self) -> None:
        joining = [position for position, facts in enumerate(self.edges) if facts.joins]
        for facts in self.edges:
            if isinstance(facts.edge.sync, Receive) or facts.edge.sync is None:
                continue
            mates = [position for position in joining if self._can_join(facts, self.edges[position])]
            facts.partners = tuple(mates)
            for position in mates:
                facts.condition |= self.edges[position].condition
                if isinstance(facts.edge.sync, Together):
                    # Who must move along, and who begins, depends on who is alive.
                    alive = self.footprints.tag(self.edges[position].process)
                    facts.condition |= alive
                    facts.own.reads |= alive

    def _can_join(self, first: EdgeFacts, second: EdgeFacts) -> bool:
        if first.process == second.process:
            return False
        if isinstance(first.edge.sync, Together):
            return first.edge.sync == second.edge.sync
        shared = set(first.channels) & set(second.channels)
        return isinstance(second.edge.sync, Receive) and any(self._is_handshake(which) for which in shared)

    def _add_ranks(self, facts: EdgeFacts) -> None:
        """An edge is enabled only while none of a lower rank is, or none before it: it looks at what they look at."""
        for position in self.leaving(facts.process, facts.source):
            lower = self.edges[position]
            if lower.edge.rank >= facts.edge.rank and not (facts.edge.otherwise and lower is not facts):
                continue
            mask = lower.condition
            for which in lower.channels:
                mask |= self.footprints.front(which) | self.footprints.back(which)
            for partner in lower.partners:
                mask |= self.footprints.location(self.edges[partner].process)
            for pair in self.pairs_of(position) if lower.joins else ():
                mask |= self.footprints.location(self.edges[pair].process) | self.edges[pair].condition
            facts.condition |= mask
            facts.own.reads |= mask

    def _add_run(self, start: int) -> None:
        """What can happen before another process has its turn: partners, and uninterrupted continuations."""
        run = Footprint()
        waiting, seen = [start], {start}
        while waiting:
            facts = self.edges[waiting.pop()]
            run |= facts.own
            following = set(facts.partners)
            if self.goes_on(facts):
                following |= set(self.leaving(facts.process, facts.target))
            for position in following - seen:
                seen.add(position)
                waiting.append(position)
        self.edges[start].run = run
        self.edges[start].members = frozenset(seen)

    def goes_on(self, facts: EdgeFacts) -> bool:
        """Whether the process may go on by itself after this edge."""
        kind = self.network.processes[self.configuration.kinds[facts.process]]
        return facts.edge.keeps_control or kind.locations[facts.target].deterministic

    @cached_property
    def closing(self) -> frozenset[int]:
        """Edges without which no process could come back to a location."""
        return closing_edges(self)

    @cached_property
    def sticky(self) -> frozenset[int]:
        """Edges without which no run could come back to a state; not the same ones for processes that are alike."""
        return sticky_edges(self)

    # Indices

    def entering(self, process: int, location: int) -> frozenset[int]:
        """The edges of a process that lead to a location."""
        return frozenset(self._entering.get(process, {}).get(location, ()))

    @cached_property
    def _entering(self) -> dict[int, dict[int, set[int]]]:
        """The edges by process and target location."""
        found: dict[int, dict[int, set[int]]] = {}
        for position, facts in enumerate(self.edges):
            found.setdefault(facts.process, {}).setdefault(facts.target, set()).add(position)
        return found

    @cached_property
    def _readers_and_writers(self) -> tuple[dict[int, set[int]], dict[int, set[int]], set[int], set[int]]:
        """The edges by resource that they read or write, and those that read or write everything."""
        reading: dict[int, set[int]] = {}
        writing: dict[int, set[int]] = {}
        read_all = {i for i, facts in enumerate(self.edges) if facts.own.reads < 0}
        write_all = {i for i, facts in enumerate(self.edges) if facts.own.writes < 0}
        for position, facts in enumerate(self.edges):
            for mask, table in ((facts.own.reads, reading), (facts.own.writes, writing)):
                for resource in _bits(mask) if mask > 0 else ():
                    table.setdefault(resource, set()).add(position)
        return reading, writing, read_all, write_all

    def _touching(self, written: int, touched: int) -> frozenset[int]:
        """The edges that write one of `written`, or read or write one of `touched`."""
        reading, writing, read_all, write_all = self._readers_and_writers
        found: set[int] = set()
        if written:
            found |= write_all
        if touched:
            found |= read_all
        if written < 0 or touched < 0:
            found |= {i for i, facts in enumerate(self.edges) if facts.own.writes & written}
            found |= {i for i, facts in enumerate(self.edges) if facts.own.reads & touched}
            return frozenset(found)
        for resource in _bits(written):
            found |= writing.get(resource, set())
        for resource in _bits(touched):
            found |= reading.get(resource, set())
        return frozenset(found)


_NOT = {"empty": "nempty", "nempty": "empty", "full": "nfull", "nfull": "full"}


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
