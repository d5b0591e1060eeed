"""From the dependence service to the tables that the native reducer works with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from beeline.analysis.dependence import Dependence, EdgeFacts, Test
from beeline.analysis.footprint import Footprint
from beeline.engine import core
from beeline.model.expressions import FALSE, At, Binary, Builtin, Expression, Unary, walk
from beeline.model.network import Network
from beeline.model.property import Acceptance, Property
from beeline.por.declaration import AMPLE, SEEDS, Asked, Reduction
from beeline.por.weights import seeds
from beeline.properties.halting import substituted
from beeline.properties.repetition import repetition_reason
from beeline.records import Record, field

COMPARISONS = {"==": 0, "!=": 1, "<": 2, "<=": 3, ">": 4, ">=": 5}
PROVISO_CODES = {"none": 0, "closed": 1, "stack": 1, "visited": 2, "duplicate": 2, "static": 3}
BEGINS, JOINS, UNCERTAIN, ASKS_TIMEOUT, SHOWS_INSIDE, VISIBLE, STICKY = (1 << i for i in range(7))
TEST, UNKNOWN, ALL, ANY = range(4)
PATIENCE = 2048
STATIC = "static"
"""The cycle condition that looks at nothing but the network's own state."""
MOST_EDGES_OF_A_LOCATION = 64
LARGEST_TABLE = 2**23  # entries: rows times locations


def unsupported_reason(network: Network) -> str | None:
    """Why steps of this network cannot be left out, if so: what a step means there depends on all processes."""
    rules = network.rules
    used = network.builtins
    if rules.priorities or any(any(channel.every_priority) for channel in network.channels):
        return "priorities compare all steps with each other"
    if any(location.committed for process in network.processes for location in process.locations):
        return "committed locations stop all other processes"
    if network.assumes:
        return "assumptions rule out steps by what they come to"
    for name in ("last", "enabled", "priority"):
        if name in used:
            return f"'{name}' looks at all processes"
    return None


Exchange = Mapping[tuple[int, int], tuple[int, int]]
"""Where a permutation takes locations, each with its kind of processes; those that it leaves are not in it."""


class Watched(Record, frozen=True):
    """What is seen of a run: expressions, and whether some process is at a location that is marked so."""

    expressions: tuple[Expression, ...] = ()
    accept: bool = False
    progress: bool = False
    alike: tuple[Exchange, ...] | None = None
    """Where states are folded by symmetry: what generates the permutations."""


def watched_by(asked: Property) -> Watched | str:
    """What a question about whole runs sees of them, or why steps cannot be left out for it."""
    used = {part.name for each in asked.expressions for part in walk(each) if isinstance(part, Builtin)}
    if "timeout" in used:
        return "the property asks for timeouts"
    if reason := repetition_reason(asked):
        return reason
    # Progress is a matter of labels: not every change of a location is one of progress.
    seen = substituted(asked.expressions, {Builtin("nonprogress"): FALSE})
    return Watched(seen, isinstance(asked, Acceptance), "nonprogress" in used)


class Plan(Record, frozen=True):
    """A reduction made for one program. `proviso` is the cycle condition in force, "none" where none is needed.
    `unsound` says that one is needed, and was forbidden."""

    native: core.Reducer
    proviso: str
    needs_proviso: bool

    @property
    def unsound(self) -> bool:
        return self.needs_proviso and self.proviso == "none"


def plan(
    dependence: Dependence,
    native: core.Program,
    reduction: Reduction,
    proviso: str,
    goal: Expression | None,
    asked: Asked,
    patience: int = PATIENCE,
    watched: Watched | None = None,
) -> Plan | str:
    """The reduction for the program that `dependence` speaks about, or a sentence that says why there is none.
    `proviso` is the cycle condition to use where one is needed. After `patience` states in a row of which nothing could
    be left out, only some are looked at. `watched` is what an automaton sees of runs that must all be kept, up to the
    repetition of states. What is left out must then depend on the network's state alone, whatever the automaton's is
    (Siegel, What's wrong with on-the-fly partial order reduction, CAV 2019)."""
    builder = _Tables(dependence, goal, watched or Watched())
    if builder.goal_reads < 0:
        return "the property looks at all processes"
    if watched is not None and builder.goal_fails:
        return "a proposition may have no value"
    if watched is not None and dependence.network.rules.stuttering:
        return "steps that change nothing belong to a run"
    fails = asked.errors and dependence.may_fail()
    needed = fails or watched is not None or (reduction.strategy in (AMPLE, SEEDS) and asked.goals)
    tables = builder.tables()
    tables["strategy"] = reduction.strategy
    tables["seeds"] = seeds(dependence, reduction.finishes) if reduction.strategy == SEEDS else []
    tables["proviso"] = PROVISO_CODES[proviso] if needed else 0
    tables["patience"] = patience
    tables["keep_one"] = int(asked.deadlocks or fails or watched is not None)
    tables["watched"] = int(watched is not None)
    if len(tables["rows"]) * len(tables["resting"]) > LARGEST_TABLE:
        return "the model is too large for its tables"
    if builder.most_leaving() > MOST_EDGES_OF_A_LOCATION:
        return f"a location has more than {MOST_EDGES_OF_A_LOCATION} edges"
    return Plan(core.Reducer(native, tables), proviso if needed else "none", needed)


class _Tables(Record, dict=True):
    dependence: Dependence
    goal: Expression | None
    watched: Watched
    rows: dict[frozenset[int], int] = field(default_factory=dict)
    nodes: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.program = self.dependence.program
        self.configuration = self.dependence.configuration
        kinds = self.configuration.kinds
        sizes = [len(self.program.network.processes[kind].locations) for kind in kinds]
        self.first_location = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
        found = Footprint()
        for expression in (*(() if self.goal is None else (self.goal,)), *self.watched.expressions):
            found |= self.dependence.footprints.reads(expression, -1)
        self.goal_reads = found.reads
        self.goal_fails = found.fails

    def row(self, edges: Iterable[int]) -> int:
        """The number of a set of edges; equal sets are one."""
        return self.rows.setdefault(frozenset(edges), len(self.rows))

    def most_leaving(self) -> int:
        """The largest number of edges that leave one location."""
        edges = self.dependence.edges
        return max((len(self.dependence.leaving(facts.process, facts.source)) for facts in edges), default=0)

    def tables(self) -> dict[str, Any]:
        tests: list[list[int]] = []
        edges = [self._edge(position, tests) for position in range(len(self.dependence.edges))]
        visible = self.row(self.dependence.writers(self.goal_reads))
        if self.goal is not None:
            self._goal()
        return {
            "processes": self._processes(),
            "constants": self._constants(),
            "resting": [
                int(location in resting)
                for kind, resting in zip(self.configuration.kinds, self.configuration.resting, strict=True)
                for location in range(len(self.program.network.processes[kind].locations))
            ],
            "edges": edges,
            "tests": tests,
            "goal": self.nodes,
            "visible_row": visible,
            "rows": [sorted(row) for row in self.rows],
        }

    def _processes(self) -> list[list[int]]:
        places = self.program.layout.processes
        return [
            [
                places[number].tag,
                places[number].location,
                kind + 1,
                self.first_location[number],
                self.first_location[number + 1] - self.first_location[number],
            ]
            for number, kind in enumerate(self.configuration.kinds)
        ]

    def _constants(self) -> list[list[int]]:
        """What must be as the analysis took it to be; what cannot be otherwise need not be looked at."""
        found: list[list[int]] = []
        if self.configuration.fixed:
            return found
        layout = self.program.layout
        for number, kind in enumerate(self.configuration.kinds):
            first = layout.processes[number].kinds[kind].locals
            for position, value in self.configuration.constants[number].items():
                cell = layout.cells[first + position]
                if cell.low != cell.high:
                    found.append([number, first + position, value])
        return found

    def _edge(self, position: int, tests: list[list[int]]) -> list[int]:
        facts = self.dependence.edges[position]
        first = len(tests)
        tests += [self._test(test) for test in self.dependence.tests(position)]
        start = self.first_location[facts.process]
        return [
            facts.number,
            facts.process,
            start + facts.source,
            start + facts.target,
            self._flags(position),
            self.row(self.dependence.disturbed_by(position)),
            self.row(self.dependence.enablers(position)),
            self.row(self.dependence.pairs_of(position) if facts.joins else ()),
            first,
            len(tests) - first,
        ]

    def _test(self, test: Test) -> list[int]:
        return [test.cell, COMPARISONS[test.operator], test.value, self.row(test.makers), int(test.after_first)]

    def _flags(self, position: int) -> int:
        facts = self.dependence.edges[position]
        members = [self.dependence.edges[i] for i in facts.members]
        going_on = [member for member in members if member.edge.keeps_control]
        return (
            BEGINS * facts.begins
            | JOINS * facts.joins
            | UNCERTAIN * bool(going_on)
            | ASKS_TIMEOUT * facts.asks_timeout
            | SHOWS_INSIDE * any(member.own.writes & self.goal_reads for member in going_on)
            | VISIBLE * (self._shows(position) or any(map(self._meets_label, members)))
            | STICKY * (not self._closing.isdisjoint(facts.members))
        )

    @cached_property
    def _closing(self) -> frozenset[int]:
        """Where states are folded by symmetry, a cycle may be one of several processes in turn: edges that are alike
        must all be among these, or none."""
        if self.watched == Watched():
            return self.dependence.closing
        if self.watched.alike is None:
            return self.dependence.sticky
        return self._all_alike(self.dependence.closing, self.watched.alike)

    def _all_alike(self, positions: frozenset[int], generators: Sequence[Exchange]) -> frozenset[int]:
        """These edges, with all that are between the same locations in some process that is alike."""
        edges, kinds = self.dependence.edges, self.configuration.kinds

        def ends(position: int) -> tuple[tuple[int, int], tuple[int, int]]:
            facts = edges[position]
            return (kinds[facts.process], facts.source), (kinds[facts.process], facts.target)

        found = set(map(ends, positions))
        waiting = list(found)
        while waiting:
            source, target = waiting.pop()
            for exchange in generators:
                image = exchange.get(source, source), exchange.get(target, target)
                if image not in found:
                    found.add(image)
                    waiting.append(image)
        return frozenset(position for position in range(len(edges)) if ends(position) in found)

    def _shows(self, position: int) -> bool:
        """Whether a step may be seen. Where a goal is all that is looked for, one that never leads away from it cannot:
        who gets there without the step, gets there after it as well."""
        if not self.dependence.edges[position].run.writes & self.goal_reads:
            return False
        if self.goal is None or self.goal_fails or self.watched != Watched():
            return True
        return self.dependence.may_undo(position, self.goal)

    def _meets_label(self, facts: EdgeFacts) -> bool:
        places = self.program.network.processes[self.configuration.kinds[facts.process]].locations
        seen, ends = self.watched, (places[facts.source], places[facts.target])
        return any((seen.accept and place.accept) or (seen.progress and place.progress) for place in ends)

    # Goals

    def _goal(self) -> None:
        assert self.goal is not None
        if self.goal_fails:
            self._node([UNKNOWN, self.row(self.dependence.writers(self.goal_reads))])
        else:
            self._part(self.goal, True)

    def _node(self, node: list[int]) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _part(self, expression: Expression, wanted: bool) -> int:
        """The node of an expression, or of its negation; negations are pushed inwards."""
        match expression:
            case Unary("!", operand):
                return self._part(operand, not wanted)
            case Binary("&&" | "||" as operator, left, right):
                parts = [self._part(left, wanted), self._part(right, wanted)]
                return self._node([ALL if (operator == "&&") == wanted else ANY, *parts])
            case Binary("imply", left, right):
                parts = [self._part(left, not wanted), self._part(right, wanted)]
                return self._node([ANY if wanted else ALL, *parts])
            case _:
                return self._leaf(expression, wanted)

    def _leaf(self, expression: Expression, wanted: bool) -> int:
        test = self.dependence.test(expression, -1, wanted)
        if test is not None:
            found = self._node([TEST, *self._test(test)[:4]])
            if not isinstance(expression, At):
                return found
            # A process that has ended is nowhere, whatever its location still says.
            alive = self._node([TEST, *self._test(self.dependence.alive(expression.process))[:4]])
            return self._node([ALL, alive, found])
        reads = self.dependence.footprints.reads(expression, -1).reads
        return self._node([UNKNOWN, self.row(self.dependence.writers(reads))])
