"""Safe abstraction: processes that move by themselves and can always get to where others need them are taken out.

A component is a process, or a few that depend on each other, with the variables that only they write. It is
independent if every edge that changes it looks at nothing else and changes nothing else; the others look at it in
conjuncts of guards and of the goal, or through edges of it that change nothing of it. It is taken out if each such
demand that it can ever meet, it can meet again and again. A trace of what is left is made concrete by moving the
component to where each step wants it, so the trace is longer by those steps; verdicts stay.
Wehrle and Helmert, The causal graph revisited for directed model checking, SAS 2009. Beyond the paper, components may
consist of several processes, and need be strongly connected only as far as somebody can tell.
"""

from __future__ import annotations

from collections.abc import Iterator

from beeline.model.expressions import FALSE, TRUE, Binary, Expression, Unary, conjunction, conjuncts
from beeline.model.network import Edge, Location, Process, Receive, Send
from beeline.model.property import Goal, Property
from beeline.model.statements import Terminate
from beeline.preprocessing.declaration import Technique
from beeline.preprocessing.layer import Layer, without
from beeline.preprocessing.recurrence import Demand, Graph, Refused
from beeline.preprocessing.touching import EdgeTouch, Touching, union
from beeline.records import replace

NAME = "safe"
MOST_PROCESSES = 3  # of one component
GuardPart = tuple[int, int, int]  # process, edge, position among the conjuncts


def safe_abstraction(touching: Touching, asked: Property) -> Layer | None:
    """The layer without one component, the first that can be taken out."""
    if asked.sought is None or touching.unsupported_reason is not None:
        return None
    goal = [(part, touching.reads(part)) for part in _parts(asked.sought)]
    for members in _candidates(touching):
        try:
            return _Component(touching, asked, members, goal).layer()
        except Refused:
            continue
    return None


# Candidates


def _candidates(touching: Touching) -> Iterator[frozenset[int]]:
    """Small sets of processes that nobody else can move, the smallest first."""
    needs = _needs(touching)
    found: set[frozenset[int]] = set()
    for number in range(len(touching.edges)):
        closed = _closure(number, needs)
        if closed is not None:
            found.add(closed)
    yield from sorted(found, key=lambda members: (len(members), sorted(members)))


def _needs(touching: Touching) -> list[set[int]]:
    """For each process those that write what it looks at when it changes its place, or move along."""
    writers: dict[int, set[int]] = {}
    for number, mask in enumerate(touching.writes):
        for bit in _bits(mask) if mask >= 0 else ():
            writers.setdefault(bit, set()).add(number)
    unknown = {number for number, mask in enumerate(touching.writes) if mask < 0}
    found: list[set[int]] = []
    for number, touches in enumerate(touching.edges):
        needed = set(unknown)
        for touch in touches:
            if touch.stays:
                continue
            if touch.reads < 0:
                needed = set(range(len(touching.edges)))
                break
            for bit in _bits(touch.reads):
                needed |= writers.get(bit, set())
        found.append(needed - {number})
    return found


def _closure(number: int, needs: list[set[int]]) -> frozenset[int] | None:
    members, waiting = {number}, [number]
    while waiting:
        for other in needs[waiting.pop()] - members:
            members.add(other)
            waiting.append(other)
            if len(members) > MOST_PROCESSES:
                return None
    return frozenset(members)


# One component


class _Component:
    """A set of processes with what they own, examined for whether it can be taken out. Raises `Refused`."""

    def __init__(
        self, touching: Touching, asked: Property, members: frozenset[int], goal: list[tuple[Expression, int]]
    ) -> None:
        self.touching = touching
        self.goal = goal  # the parts of what is sought, and what each of them reads
        self.network = touching.network
        self.asked = asked
        self.members = members
        self.written = union(touching.writes)
        self.outside = union([mask for number, mask in enumerate(touching.writes) if number not in members])
        self.owned = self._owned()
        self.replaced: dict[GuardPart, Expression] = {}
        self.impossible: set[tuple[int, int]] = set()  # process and edge

    def layer(self) -> Layer:
        """The network without the component."""
        self._check_members()
        demands = self._demands()
        goal = self._goal_demand()
        graph = Graph.explore(self.touching.discrete, self.moving())
        for demand in (*demands, goal):
            demand.met = graph.meets(demand)
            graph.check_recurs(demand.met)
        strict = [demand for demand in demands if len(demand.met) < len(graph.states)]
        if strict or len(goal.met) < len(graph.states):
            self._check_setup_is_possible()
        self._check_one_demand_for_each_step(strict)
        for demand in demands:
            self._replace(demand)
        return self._made(goal)

    # What belongs to it

    def _owned(self) -> int:
        """Resources that only moving edges of members write. Edges that stay and write what they should not take what
        they write out of it; edges that leave their place must be clean."""
        places = union([self.touching.place(number) for number in self.members])
        if self.outside & places:
            raise Refused
        owned = (union([self.touching.writes[number] for number in self.members]) & ~self.outside) | places
        while True:
            foreign = 0
            for touch in self._own_edges():
                if self._is_moving(touch, owned) and not self._is_clean(touch, owned):
                    if not touch.stays:
                        raise Refused
                    foreign |= touch.writes
            if not owned & foreign:
                return owned
            owned &= ~foreign
            if places & ~owned:
                raise Refused

    def _own_edges(self) -> list[EdgeTouch]:
        return [touch for number in sorted(self.members) for touch in self.touching.edges[number]]

    def _is_moving(self, touch: EdgeTouch, owned: int) -> bool:
        return not touch.stays or bool(touch.writes & owned)

    def _is_clean(self, touch: EdgeTouch, owned: int) -> bool:
        """Whether an edge looks at nothing that others change, and changes nothing that is not owned."""
        return not touch.reads & self.written & ~owned and not touch.writes & ~owned

    def moving(self) -> list[EdgeTouch]:
        """The edges that change the component."""
        return [touch for touch in self._own_edges() if self._is_moving(touch, self.owned)]

    def _loops(self) -> list[EdgeTouch]:
        """The edges that change nothing of it."""
        return [touch for touch in self._own_edges() if not self._is_moving(touch, self.owned)]

    def _check_members(self) -> None:
        for number in self.members:
            process = self.touching.process_of(number)
            plain = process.provided == TRUE and not process.channels
            if not plain or self.touching.is_timed(number) or any(place.committed for place in process.locations):
                raise Refused
        loops = self._loops()
        for touch in self._own_edges():
            ends = any(isinstance(statement, Terminate) for statement in touch.edge.effect)
            if ends or touch.edge.keeps_control:
                raise Refused
        for touch in loops:
            # Whether a broadcast is heard makes a difference even where nobody waits for it.
            mixed = any(
                other.edge.rank != touch.edge.rank or other.edge.otherwise
                for other in self.touching.edges[touch.process]
                if other.edge.source_location == touch.edge.source_location
            )
            if mixed or touch.sync.reads & self.touching.broadcast_channels or self._source(touch).deterministic:
                raise Refused

    def _source(self, touch: EdgeTouch) -> Location:
        return self.network.processes[touch.kind].locations[touch.edge.source_location]

    # What others want of it

    def _demands(self) -> list[Demand]:
        found: list[Demand] = []
        loops = {(touch.process, touch.position) for touch in self._loops()}
        for number, touches in enumerate(self.touching.edges):
            own = number in self.members
            if not own and self.touching.standing[number].reads & self.owned:
                raise Refused
            for touch in touches:
                if own and (number, touch.position) not in loops:
                    continue
                demand = self._demand(touch)
                if own:
                    demand.place = (number, touch.edge.source_location)
                if demand.conditions or demand.place is not None:
                    found.append(demand)
        return found

    def _demand(self, touch: EdgeTouch) -> Demand:
        """What an edge of somebody else, or one that stays, asks of the component: only parts of its guard may."""
        demand = Demand(touch.process, touch=touch)
        for position, (part, condition) in enumerate(zip(touch.guards, conjuncts(touch.edge.guard), strict=True)):
            if self._asks(part.reads):
                demand.conditions.append(condition)
                self.replaced[touch.process, touch.position, position] = TRUE
        if (touch.sync.reads | union([piece.reads for piece in touch.effects])) & self.owned:
            raise Refused
        return demand

    def _asks(self, reads: int) -> bool:
        """Whether a condition is about the component; one that is about others, too, cannot be taken apart."""
        if not reads & self.owned:
            return False
        if reads & self.written & ~self.owned:
            raise Refused
        return True

    def _goal_demand(self) -> Demand:
        conditions = [part for part, reads in self.goal if self._asks(reads)]
        if conditions and len(conditions) == len(self.goal):
            raise Refused  # it is what the question is about
        return Demand(-1, conditions)

    # Whether it can always be moved to where it is wanted

    def _check_setup_is_possible(self) -> None:
        """Nobody may keep the component from moving before a step."""
        for process in self.network.processes:
            if any(place.committed for place in process.locations) or any(e.keeps_control for e in process.edges):
                raise Refused

    def _check_one_demand_for_each_step(self, demands: list[Demand]) -> None:
        """Edges with demands must not go together, nor hurry time, nor be listened for, nor stand before others."""
        sides: dict[int, set[tuple[bool, int]]] = {}
        for demand in demands:
            touch = demand.touch
            assert touch is not None
            bits = touch.sync.reads & touch.sync.writes & ~self._cells
            siblings = self.touching.edges[touch.process]
            beside = [one.edge for one in siblings if one.edge.source_location == touch.edge.source_location]
            ranks = {(edge.rank, edge.otherwise) for edge in beside}
            listens = isinstance(touch.edge.sync, Receive) and bool(bits & self.touching.broadcast_channels)
            if len(ranks) > 1 or bits & self.touching.urgent_channels or listens or self._source(touch).deterministic:
                raise Refused
            sends = isinstance(touch.edge.sync, Send)
            for bit in _bits(bits):
                sides.setdefault(bit, set()).add((sends, touch.process))
        for bit, parties in sides.items():
            if len({number for _, number in parties}) > 1 and self._meet(bit, parties):
                raise Refused

    def _meet(self, bit: int, parties: set[tuple[bool, int]]) -> bool:
        """Whether two of these can be in one step: both ends of a channel, or any two of a label."""
        footprints = self.touching.footprints
        is_label = bit >= len(footprints.layout.cells) + 2 * len(footprints.channels)
        return is_label or len({sends for sends, _ in parties}) > 1

    # The network without it

    @property
    def _cells(self) -> int:
        return (1 << len(self.touching.footprints.layout.cells)) - 1

    def _replace(self, demand: Demand) -> None:
        """Notes what becomes of a demand: it is met whenever that is wanted, or never."""
        touch = demand.touch
        assert touch is not None
        if demand.met:
            return
        self.impossible.add((touch.process, touch.position))
        for key in self.replaced:
            if key[:2] == (touch.process, touch.position):
                self.replaced[key] = FALSE

    def _relaxed(self, touch: EdgeTouch) -> Edge:
        """The edge without what it asks of the component."""
        parts = [
            self.replaced.get((touch.process, touch.position, at), part)
            for at, part in enumerate(conjuncts(touch.edge.guard))
        ]
        return replace(touch.edge, guard=conjunction([part for part in parts if part != TRUE]))

    def _kinds(self) -> tuple[Process, ...]:
        """The kinds of processes with relaxed guards. Processes of one kind must agree about them."""
        edges = [list(process.edges) for process in self.network.processes]
        done: set[int] = set()
        for number, kind in enumerate(self.touching.configuration.kinds):
            if number in self.members:
                continue
            relaxed = [self._relaxed(touch) for touch in self.touching.edges[number]]
            if kind in done and relaxed != edges[kind]:
                raise Refused
            done.add(kind)
            edges[kind] = relaxed
        return tuple(replace(process, edges=tuple(edges[kind])) for kind, process in enumerate(self.network.processes))

    def _made(self, goal: Demand) -> Layer:
        asked = self.asked
        if goal.conditions:
            asked = Goal(asked.name, asked.text, asked.source, expression=self._goal_left(goal))
        stand_ins, origins = self._stand_ins()
        smaller = without(replace(self.network, processes=self._kinds(), properties=(asked,)), stand_ins)
        names = (*(self.network.initial[number].name for number in sorted(self.members)), *self._variable_names())
        movers = frozenset((touch.process, touch.position) for touch in self.moving())
        return Layer(NAME, self.network, smaller, asked, names, movers, tuple(goal.conditions), origins)

    def _goal_left(self, goal: Demand) -> Expression:
        wanted = self.asked.sought
        assert wanted is not None
        instead = TRUE if goal.met else FALSE
        parts = [instead if part in goal.conditions else part for part in _parts(wanted)]
        return conjunction([part for part in parts if part != TRUE])

    def _variable_names(self) -> list[str]:
        written = union([touch.writes for touch in self.moving()]) & self.owned
        return [name for name, cells in self.touching.variables() if cells & written and "." not in name]

    def _stand_ins(self) -> tuple[dict[int, Process], dict[tuple[int, int], tuple[int, int]]]:
        """In place of each member a process with one place and the edges that others need it for, and the edges that
        these stand for."""
        made: dict[int, Process] = {}
        origins: dict[tuple[int, int], tuple[int, int]] = {}
        for position, number in enumerate(sorted(self.members)):
            edges: list[Edge] = []
            for touch in self._loops():
                if touch.process == number:
                    origins[len(self.network.processes) + position, len(edges)] = (touch.kind, touch.position)
                    edges.append(self._loop(touch))
            anywhere = (Location("anywhere", end=True),)
            made[number] = replace(self.touching.process_of(number), locations=anywhere, edges=tuple(edges), initial=0)
        return made, origins

    def _loop(self, touch: EdgeTouch) -> Edge:
        guard = FALSE if (touch.process, touch.position) in self.impossible else self._relaxed(touch).guard
        return replace(touch.edge, source_location=0, target_location=0, guard=guard)


def _parts(expression: Expression, wanted: bool = True) -> list[Expression]:
    """The parts of a conjunction, negations driven inwards. Only what has a value everywhere is turned round."""
    match expression:
        case Unary("!", operand):
            return _parts(operand, not wanted)
        case Binary("&&", left, right) if wanted:
            return _parts(left) + _parts(right)
        case Binary("||", left, right) if not wanted:
            return _parts(left, False) + _parts(right, False)
        case Binary("imply", left, right) if not wanted:
            return _parts(left) + _parts(right, False)
        case _:
            return [expression if wanted else Unary("!", expression)]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


TECHNIQUE = Technique(
    name=NAME,
    summary="takes out processes that move by themselves and can always get to where others need them",
    paper="Wehrle and Helmert, The causal graph revisited for directed model checking, SAS 2009",
    promises=("the same verdicts",),
    apply=safe_abstraction,
    told="searched without what can be moved at will",
)
