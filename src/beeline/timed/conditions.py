"""Upper bounds on clocks as conditions that heuristics see: a network without clocks that allows all that one with
clocks allows, and still asks whether a clock is too late.

A clock becomes a number: how many of the upper bounds that it is compared with lie behind it for certain. A guard or an
invariant ``x <= c`` asks that its bound is none of these; setting the clock sets the number. Time is no step: the
number only grows with time, which makes nothing possible, so that a state's number is right or too small from then on.
Lower bounds are left out, since one can wait for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from beeline.compile.program import Program, compile_network
from beeline.engine import Found, core
from beeline.heuristics import Context, HeuristicError
from beeline.model.expressions import TRUE, Binary, Call, Expression, Index, Literal, Place, Ref, conjunction, walk
from beeline.model.network import Edge, Function, Network, Process
from beeline.model.property import Property
from beeline.model.statements import Alias, Assign, Declare, Do, For, Reset, Statement, expressions, mapped, nested
from beeline.model.types import ArrayType, ClockType, IntType, Type
from beeline.records import Record, replace
from beeline.timed.clocks import Clock, Clocks, Constraint
from beeline.timed.discrete import without_clock
from beeline.timed.ranges import values_of
from beeline.timed.tables import TimedProgram, discrete_part

_UPPER = ("<", "<=", "==")
_LARGEST = 2**26  # so that sums of two bounds are numbers that the engine has

Key = tuple[int | None, str, int]
"""The kind of process that has a clock (None: the network), its variable, and its place in that."""


class _Conditions:
    """What clocks are compared with from above, and the network that asks for it."""

    def __init__(self, program: TimedProgram) -> None:
        self.timed = program.timed
        self.clocks: Clocks = program.timed.clocks
        self.network: Network = program.timed.network
        self.goals = program.goals
        self.numbers: dict[int, int] = {}  # of a process, by its kind
        for number, start in enumerate(self.network.initial):
            self.numbers.setdefault(self.network.process_index[start.process], number)
        self.limits: dict[Key, list[int]] = {}
        for key, bound in self._compared():
            known = self.limits.setdefault(key, [])
            if bound not in known:
                known.append(bound)
        for known in self.limits.values():
            known.sort()

    # Which clock, which bound

    def key(self, clock: Clock) -> Key:
        kind = None if clock.process is None else self.clocks.kind_number(clock.process)
        return kind, clock.variable, clock.offset

    def _clock(self, place: Expression, number: int | None) -> Clock | None:
        """The clock that a place always stands for."""
        term = self.clocks.term(place, number)
        return None if term.steps else self.clocks.all[term.base - 1]

    def bound(self, constraint: Constraint, number: int | None) -> tuple[Key, int] | None:
        """The clock that must not be later, and than what; None where a constraint does not ask for that alone."""
        if constraint.operator not in _UPPER or constraint.minus is not None:
            return None
        clock = self._clock(constraint.plus, number)
        kind = None if number is None else self.clocks.kind_number(number)
        greatest = values_of(constraint.bound, self.clocks, kind)[1]
        bound = 2 * greatest + (constraint.operator != "<")
        if clock is None or self._place(clock) is None or not 1 <= bound <= _LARGEST:
            return None
        return self.key(clock), bound

    def _place(self, clock: Clock) -> Place | None:
        """How its process writes to a clock: a variable, or an element of an array; None for what lies deeper."""
        kind: Type | None = self.clocks.type_of(Ref(clock.variable), self.key(clock)[0])
        match kind:
            case ClockType():
                return Ref(clock.variable)
            case ArrayType(ClockType(), _):
                return Index(Ref(clock.variable), Literal(clock.offset))
            case _:
                return None

    def _compared(self) -> Iterator[tuple[Key, int]]:
        for tests in (self.timed.guards, self.timed.invariants):
            for (kind, _), constraints in tests.items():
                for constraint in constraints if kind in self.numbers else ():
                    found = self.bound(constraint, self.numbers[kind])
                    if found is not None:
                        yield found
        for case in self.goals:
            for constraint in case.constraints:
                found = self.bound(constraint, None)
                if found is not None:
                    yield found

    def _asked(self, constraint: Constraint, number: int | None) -> Expression:
        found = self.bound(constraint, number)
        if found is None:
            return TRUE
        at = self.limits[found[0]].index(found[1])
        asked: Expression = Binary("<=", constraint.plus, Literal(at))
        return asked if constraint.unless is None else Binary("||", constraint.unless, asked)

    # The network

    def made(self) -> Network:
        width = max(map(len, self.limits.values()))
        numbers = IntType(0, width)
        discrete = self.timed.discrete
        processes = [self._process(kind, process, numbers) for kind, process in enumerate(discrete.processes)]
        return replace(
            discrete,
            processes=tuple(processes),
            variables=tuple(without_clock(variable, numbers) for variable in self.network.variables),
            functions=tuple(self._function(function, None) for function in self.network.functions),
        )

    def _process(self, kind: int, process: Process, numbers: IntType) -> Process:
        original = self.network.processes[kind]
        if kind not in self.numbers:
            return process
        edges = [
            self._edge(kind, at, edge, replace(original.edges[at], guard=edge.guard))
            for at, edge in enumerate(process.edges)
        ]
        return replace(
            process,
            edges=(*edges, *self._later(kind, process.initial)),
            variables=tuple(without_clock(variable, numbers) for variable in original.variables),
            functions=tuple(self._function(function, kind) for function in original.functions),
        )

    def _edge(self, kind: int, at: int, edge: Edge, original: Edge) -> Edge:
        number = self.numbers[kind]
        asked = [edge.guard] + [self._asked(one, number) for one in self.timed.guards[kind, at]]
        for one in self.timed.invariants[kind, edge.target_location]:
            found = self.bound(one, number)
            # What holds on arrival held before where nothing sets the clock: others do not set a process's own.
            if found is not None and found[0][0] == kind and not _may_set(original.effect, found[0][1]):
                asked.append(self._asked(one, number))
        guard = conjunction([one for one in asked if one != TRUE])
        return replace(edge, guard=guard, effect=self._without_resets(original.effect, kind, frozenset()))

    def _function(self, function: Function, kind: int | None) -> Function:
        own = {parameter.name for parameter in function.parameters}
        own |= {one.name for one in nested(function.body) if isinstance(one, Declare | Alias | For)}
        return replace(function, body=self._without_resets(function.body, kind, frozenset(own)))

    def _without_resets(
        self, statements: tuple[Statement, ...], kind: int | None, own: frozenset[str]
    ) -> tuple[Statement, ...]:
        def change(statement: Statement) -> Statement:
            return self._set(statement, kind, own) if isinstance(statement, Reset) else statement

        return mapped(statements, change)

    def _set(self, reset: Reset, kind: int | None, own: frozenset[str]) -> Statement:
        """The bounds that lie behind a clock when it is set; none, where that is not known here."""
        behind = 0
        value, root = reset.value, _root(reset.clock)
        if isinstance(value, Literal) and root not in own:
            clock = self._clock(reset.clock, None if kind is None else self.numbers.get(kind))
            limits = [] if clock is None else self.limits.get(self.key(clock), [])
            behind = sum(_lies_behind(limit, value.value) for limit in limits)
        return Assign(reset.clock, Literal(behind), reset.source)

    def _later(self, kind: int, location: int) -> list[Edge]:
        """Steps that make clocks later, so that all their numbers are known to occur; they make nothing possible."""
        found: list[Edge] = []
        done: set[Key] = set()
        for clock in self.clocks.all:
            key = self.key(clock)
            is_own = key[0] == kind or (key[0] is None and kind == min(self.numbers))
            place = self._place(clock)
            if place is not None and is_own and key not in done:
                done.add(key)
                for behind in range(1, len(self.limits.get(key, ())) + 1):
                    found.append(Edge(location, location, effect=(Assign(place, Literal(behind)),)))
        return found

    def goal(self) -> Expression | None:
        cases = [
            replace(case, plain=(*case.plain, *(one for one in map(self._sought, case.constraints) if one != TRUE)))
            for case in self.goals
        ]
        return discrete_part(cases)

    def _sought(self, constraint: Constraint) -> Expression:
        return self._asked(constraint, None)


class Clocked(Record, frozen=True):
    """What heuristics see instead of a network with clocks, and the way back."""

    program: Program
    native: core.Program
    goal: Expression | None
    original: TimedProgram
    plain: core.Program
    rows: list[list[int]]
    actions: list[int]

    def context(self, asked: Property, stop: Found) -> Context:
        return Context(self.program.network, self.program, self.native, asked, self.goal, stop)

    def estimator(self, inner: core.Estimator) -> core.Estimator:
        """What `inner` says of the network, asked about zones."""
        clocks = self.original.dimension - 1
        return core.clock_estimator(inner, self.plain, self.native, clocks, self.rows, self.actions)


def clocked(program: TimedProgram, plain: core.Program) -> Clocked:
    """The network in which clocks are conditions. Raises `HeuristicError` where no clock has an upper bound."""
    conditions = _Conditions(program)
    if not any(conditions.limits.values()):
        raise HeuristicError("no clock of this model is compared with an upper bound")
    goal = conditions.goal()
    made = compile_network(conditions.made(), goal)
    rows = []
    for clock in program.timed.clocks.all:
        limits = conditions.limits.get(conditions.key(clock))
        if limits:
            rows.append([clock.number, program.rows["clock_cells"][clock.number - 1][0], *limits])
    numbers = {action: number for number, action in enumerate(program.actions)}
    actions = [numbers.get(action, -1) for action in made.actions]
    return Clocked(made, core.Program(made.tables), goal, program, plain, rows, actions)


def _lies_behind(bound: int, value: int) -> bool:
    """Whether a clock that has at least this value is beyond an upper bound."""
    return bound <= 2 * value


def _root(place: Expression) -> str:
    return place.name if isinstance(place, Ref) else next(one.name for one in walk(place) if isinstance(one, Ref))


def _may_set(statements: tuple[Statement, ...], variable: str) -> bool:
    """Whether an effect may set a clock of a variable: by its name, by another one, or in a function."""
    for statement in nested(statements):
        if isinstance(statement, Do | Alias) or (isinstance(statement, Reset) and _root(statement.clock) == variable):
            return True
        if any(isinstance(part, Call) for one in expressions(statement) for part in walk(one)):
            return True
    return False
