"""Steps that all processes take together, as in synchronous circuits.

What each process can do then is one relation between the cells that it reads and writes. The step is all of them at
once; they are joined to a set one after the other, and cells that no later one reads are dropped on the way (Burch,
Clarke and Long, Symbolic model checking with partitioned transition relations, 1991). The machine is asked about each
process alone, in a network in which nobody waits for others.

That is the same only if no process sees what others have done in the same step, and nothing can go wrong: see
`is_joint`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beeline.analysis.configuration import find_configuration
from beeline.analysis.footprint import Footprints
from beeline.compile.program import Program, compile_network
from beeline.engine import core
from beeline.model.expressions import TRUE, Binary, Conditional, Expression, Field, Index, Literal, Ref, Unary, walk
from beeline.model.network import Edge, Network, Process, Together
from beeline.model.statements import Assign
from beeline.records import replace
from beeline.symbolic.diagrams import Diagram, joined, union
from beeline.symbolic.encoding import Cells, Encoding
from beeline.symbolic.relation import Group, ProcessMover, Rank

MOST_NODES = 3_000  # of relations that are joined before the search


def is_joint(program: Program) -> bool:
    """Whether all steps are taken together, and each is what its edges do by themselves: guards always have a value,
    and no edge reads or writes what another one has written in the same step."""
    network = program.network
    if not network.processes or network.channels or network.functions or network.rules.priorities:
        return False
    if not all(_is_plain(process) for process in network.processes):
        return False
    if len({start.process for start in network.initial}) != len(network.initial):
        return False
    configuration = find_configuration(network)
    if configuration is None:
        return False
    footprints = Footprints(program.layout, configuration)
    written: dict[str, int] = {}  # by label
    for number, start in enumerate(network.initial):
        edges = network.process(start.process).edges
        effects = [footprints.statements(edge.effect, number) for edge in edges]
        labels = [edge.sync.label for edge in edges if isinstance(edge.sync, Together)]
        for label, effect in zip(labels, effects, strict=True):
            if written.get(label, 0) & (effect.reads | effect.writes):
                return False
        for label, effect in zip(labels, effects, strict=True):
            written[label] = written.get(label, 0) | effect.writes
    return True


def _is_plain(process: Process) -> bool:
    if process.parameters or process.variables or process.channels or process.functions or process.provided != TRUE:
        return False
    if any(place.committed or place.deterministic for place in process.locations):
        return False
    return all(_is_plain_edge(edge) for edge in process.edges)


def _is_plain_edge(edge: Edge) -> bool:
    if not isinstance(edge.sync, Together) or edge.rank or edge.otherwise or edge.keeps_control:
        return False
    if not all(isinstance(statement, Assign) for statement in edge.effect):
        return False
    values = [statement.value for statement in edge.effect if isinstance(statement, Assign)]
    places = [statement.target for statement in edge.effect if isinstance(statement, Assign)]
    return all(map(_always_has_value, [edge.guard, *values, *places]))


def _always_has_value(expression: Expression) -> bool:
    for part in walk(expression):
        match part:
            case Binary("/" | "%", _, right) if not isinstance(right, Literal) or right.value == 0:
                return False
            case Index(_, index) if not isinstance(index, Literal):
                return False
            case Ref() | Literal() | Index() | Field() | Unary() | Binary() | Conditional():
                continue
        return False
    return True


def parts_of(program: Program) -> Program | None:
    """The program in which each process takes its edges alone, if its steps are joint ones."""
    network = program.network
    if not is_joint(program):
        return None

    def alone(process: Process) -> Process:
        return replace(process, edges=tuple(replace(edge, sync=None) for edge in process.edges))

    rules = replace(network.rules, opened=False)
    parts = replace(network, processes=tuple(map(alone, network.processes)), rules=rules)
    made = compile_network(parts, None, program.layout.max_processes)
    assert made.layout.cells == program.layout.cells
    return made


class Part(ProcessMover):
    """What one process can do; a rank says with which label."""

    def __init__(self, encoding: Encoding, space: core.ProgramSpace, program: Program, number: int) -> None:
        super().__init__(encoding, space, number)
        self._program = program
        self.labels = _labels(program.network.process(program.network.initial[number].process).edges)

    def rank_of(self, step: core.LocalStep) -> Rank:
        action = self._program.actions[step.action]
        sync = self._program.network.processes[action.kind].edges[action.edge].sync
        assert isinstance(sync, Together)
        return Rank(label=sync.label)

    def with_label(self, label: str) -> list[Group]:
        """The known steps with a label."""
        return [group for group in self.listed if group.rank.label == label]

    def failing_with(self, label: str) -> Diagram:
        """The states in which a step with a label goes wrong."""
        return self.failing.get(Rank(label=label), self.encoding.diagrams.false)


def _labels(edges: Iterable[Edge]) -> dict[str, None]:
    return dict.fromkeys(edge.sync.label for edge in edges if isinstance(edge.sync, Together))


def _opening(network: Network) -> dict[str, None]:
    """The labels of the steps that open a network, which come never again."""
    if not network.rules.opened:
        return {}
    first = network.process(network.initial[0].process)
    return _labels(edge for edge in first.edges if edge.source_location == first.initial)


class JointGroup(Group):
    """Steps with one label. Its relation is kept in pieces, each of some processes."""

    def __init__(self, encoding: Encoding, pieces: Sequence[Group], rank: Rank) -> None:
        self.pieces = list(pieces)
        super().__init__(encoding, frozenset().union(*(piece.written for piece in pieces)), rank)
        self.reads = frozenset().union(*(piece.reads for piece in pieces))
        self._dropped = self._last_uses()

    def _last_uses(self) -> list[Diagram]:
        """For each piece the cells that are written and that no later one reads."""
        left = set(self.written)
        found: list[Diagram] = []
        for piece in reversed(self.pieces):
            here = left & piece.touched
            left -= here
            found.append(self.encoding.now(frozenset(here)))
        if found:
            found[-1] = found[-1] & self.encoding.now(frozenset(left))
        return found[::-1]

    @property
    def relation(self) -> Diagram:
        found = self.encoding.diagrams.true
        for piece in self.pieces:
            found = found & piece.relation
        return found

    def image(self, states: Diagram) -> Diagram:
        for piece, dropped in zip(self.pieces, self._dropped, strict=True):
            states = joined(states, piece.relation, dropped)
        return states.substitute(self.encoding.to_now(self.written))

    def preimage(self, states: Diagram) -> Diagram:
        found = states.substitute(self.encoding.to_next(self.written))
        for piece in self.pieces:
            found = joined(found, piece.relation, self.encoding.next(piece.written))
        return found

    def onto(self, cells: Cells) -> Group:
        return JointGroup(self.encoding, [piece.onto(cells) for piece in self.pieces], self.rank)


class JointMover(ProcessMover):
    """All processes as one who moves, with a group of steps for each label."""

    def __init__(self, encoding: Encoding, program: Program, alone: Program) -> None:
        space = core.ProgramSpace(alone.native)
        super().__init__(encoding, space, 0)
        self._parts = [Part(encoding, space, program, number) for number in range(len(program.network.initial))]
        opening = _opening(program.network)
        labels = _labels(edge for process in program.network.processes for edge in process.edges)
        self.labels = [label for label in labels if label not in opening]
        self._opening = list(opening)
        self._pieces: dict[tuple[int, str], tuple[int, Group]] = {}
        self._joined: dict[str, tuple[int, JointGroup]] = {}

    def learn(self, states: Diagram) -> bool:
        asked = [part.learn(states) for part in self._parts]
        if any(asked):
            self._tell()
        return any(asked)

    def opened(self, before: Diagram) -> Diagram:
        """The initial states, from the one that is there before the network is opened."""
        self.learn(before)
        return union([self.group(label).image(before) for label in self._opening], self.encoding.diagrams.false)

    def group(self, label: str) -> JointGroup:
        """The known steps with a label."""
        members = [part for part in self._parts if label in part.labels]
        questions = sum(part.questions for part in members)
        known = self._joined.get(label)
        if known is None or known[0] != questions:
            pieces = [self._piece(part, label) for part in members]
            known = questions, JointGroup(self.encoding, _merged(pieces), Group.UNRANKED)
            self._joined[label] = known
        return known[1]

    def _tell(self) -> None:
        """What is known of all, from what is known of each."""
        self.cells = frozenset().union(*(part.cells for part in self._parts))
        self.questions = sum(part.questions for part in self._parts)
        self.written = set().union(*(part.written for part in self._parts))
        self.listed = [self.group(label) for label in self.labels]
        self.steps = [group for label in self.labels for part in self._parts for group in part.with_label(label)]
        none = self.encoding.diagrams.false
        self.able = {Group.UNRANKED: union([self._able(label) for label in self.labels], none)}
        failing = [self._able(label) & part.failing_with(label) for label in self.labels for part in self._parts]
        if any(states.satisfiable() for states in failing):
            self.failing = {Group.UNRANKED: union(failing, none)}

    def _able(self, label: str) -> Diagram:
        """The states in which everyone who knows a label can take part."""
        found = self.encoding.diagrams.true
        for part in self._parts:
            if label in part.labels:
                found = found & part.able.get(Rank(label=label), self.encoding.diagrams.false)
        return found

    def _piece(self, part: Part, label: str) -> Group:
        key = part.number, label
        known = self._pieces.get(key)
        if known is None or known[0] != part.questions:
            known = part.questions, _whole(self.encoding, part.with_label(label))
            self._pieces[key] = known
        return known[1]


def _whole(encoding: Encoding, groups: Sequence[Group]) -> Group:
    """Steps of one process that write different cells: what some do not write stays as it is."""
    written: Cells = frozenset().union(*(group.written for group in groups))
    pairs = [group.relation & encoding.stays(written - group.written) for group in groups]
    reads = frozenset().union(*(group.reads | (written - group.written) for group in groups))
    return Group.of(encoding, written, reads, union(pairs, encoding.diagrams.false))


def _merged(pieces: Sequence[Group]) -> list[Group]:
    """Pieces that are near in the order of variables, joined while that makes no large relation. Those on low variables
    come first: what they alone read is dropped early."""
    found: list[Group] = []
    for piece in sorted(pieces, key=lambda piece: -piece.top):
        if found:
            both = found[-1].relation & piece.relation
            if both.node_count() <= MOST_NODES:
                last = found.pop()
                piece = Group.of(piece.encoding, last.written | piece.written, last.reads | piece.reads, both)
        found.append(piece)
    return found
