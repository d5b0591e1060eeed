"""A network with clocks made flat: the program of its discrete part, and the tables of its clocks for the engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from beeline.compile.assembler import Constant, Operand
from beeline.compile.expressions import Environment
from beeline.compile.layout import Layout
from beeline.compile.program import NOWHERE, Action, _Compiler
from beeline.model.expressions import TRUE, Binary, Expression
from beeline.model.network import Network, Process
from beeline.model.source import ModelError
from beeline.records import Record
from beeline.timed.bound_limit import largest_constant
from beeline.timed.clocks import OPERATORS, Clock, Constraint, Given, Term
from beeline.timed.discrete import TimedNetwork, take_apart
from beeline.timed.goals import Case
from beeline.timed.limits import Limits, analyse, note
from beeline.timed.options import Extrapolation, ZoneOptions

Rows = list[list[int]]
_NO_TIME = "the trace that takes the least time is not known for this model"
_REMEDY = "ask without --search fastest"
_CASES = ("goals", "avoided", "premises")


class Measure(Record, frozen=True):
    """What is measured in the states in which the goal holds: a clock, exactly up to `largest`, or a number."""

    expression: Expression
    is_clock: bool = False
    largest: int = 0


class Confinement(Record, frozen=True):
    """What runs may not meet, and where the promise of it begins."""

    avoided: tuple[Case, ...]
    premises: tuple[Case, ...] = ()


class TimedProgram(Record, frozen=True):
    """Tables for the engine's zone graph, and what is needed to read its answers."""

    timed: TimedNetwork
    layout: Layout
    actions: list[Action]
    tables: dict[str, object]
    rows: dict[str, Rows]
    numbers: dict[str, int]
    goals: list[Case]

    @property
    def dimension(self) -> int:
        """Rows of a zone's matrix, with the clock that tells the time where there is one."""
        return self.numbers["clocks"] + 1

    @property
    def discrete_goal(self) -> Expression | None:
        """What of the goal does not ask for clocks or deadlock; None where nothing is left."""
        return discrete_part(self.goals)


def discrete_part(goals: list[Case]) -> Expression | None:
    """A condition that holds wherever a goal does, without clocks; None if that is everywhere."""
    if not goals or any(case.condition == TRUE for case in goals):
        return None
    return reduce(lambda one, other: Binary("||", one, other), (case.condition for case in goals))


def compile_timed(
    network: Network,
    goals: list[Case] | None = None,
    options: ZoneOptions = ZoneOptions(),  # noqa: B008  # a frozen value
    deadlocks: bool = False,
    measures: Sequence[Measure] = (),
    confinement: Confinement | None = None,
    elapsed: bool = False,
) -> TimedProgram:
    """Compiles a network with clocks; `goals` are the cases of what is sought, `measures` is measured where they hold,
    and runs keep to a `confinement`. With `elapsed` there is one more clock, the last, which tells the time since the
    start. Only how little has passed is of interest, so that no zone has an upper bound of it.

    With `deadlocks` the engine finds them exactly. That, priorities and broadcasts heard under clock guards ask where
    a guard does not hold, so that the widening may only forget what is above all constants: ``lu`` becomes ``m``.
    """
    timed = take_apart(network)
    wanted = goals or []
    return _TimedCompiler(timed, wanted, measures, confinement).timed_program(options, deadlocks, elapsed)


class _TimedCompiler(_Compiler):
    def __init__(
        self, timed: TimedNetwork, goals: list[Case], measures: Sequence[Measure], confinement: Confinement | None
    ) -> None:
        super().__init__(timed.discrete, Layout(timed.discrete), assertions=True)
        self.timed = timed
        self.goals = goals
        self.measures = measures
        self.confinement = confinement
        self.analysis = analyse(timed)
        self.base = Limits()
        self.clock_rows: dict[str, Rows] = {
            name: []
            for name in ("tests", "edge_tests", "invariants", "location_rates", "rates", "measures", "limits", *_CASES)
        }

    def timed_program(self, options: ZoneOptions, deadlocks: bool, elapsed: bool) -> TimedProgram:
        # The engine looks for the goal by itself, with its clocks; the discrete part is what heuristics aim at.
        program = self.compile(discrete_part(self.goals))
        confined = self.confinement is not None
        deadlocks = deadlocks or confined or any(case.deadlock for case in self.goals)
        symmetric = deadlocks or self._asks_where_guards_fail()
        extrapolation = options.extrapolation
        if symmetric and extrapolation in (Extrapolation.LU, Extrapolation.LU_PLUS):
            plus = extrapolation is Extrapolation.LU_PLUS
            extrapolation = Extrapolation.M_PLUS if plus else Extrapolation.M
        clocks = len(self.timed.clocks.all)
        if elapsed:
            self._check_elapsed()
            clocks += 1
            self.base.raise_upper(clocks, largest_constant(clocks + 1))
        channels = [int(place.channel.urgent) for place in self.layout.channels]
        rows = {
            **self.clock_rows,
            "base_limits": [[number for row in self.base.rows() for number in row]],
            "diagonals": [list(diagonal) for diagonal in self.analysis.diagonals],
            "clock_cells": [[self._cell(clock)] for clock in self.timed.clocks.all],
            "urgent_channels": [[urgent] for urgent in channels],
        }
        numbers = {
            "clocks": clocks,
            "elapsed": clocks if elapsed else 0,
            "extrapolation": list(Extrapolation).index(extrapolation),
            "deadlocks": int(deadlocks),
            "confined": int(confined),
            "merges": int(options.merge and not confined and not elapsed),
        }
        return TimedProgram(self.timed, self.layout, program.actions, program.tables, rows, numbers, self.goals)

    def _check_elapsed(self) -> None:
        if self.timed.rates:
            raise ModelError(f"{_NO_TIME}: it stops clocks", self.network.source, _REMEDY)
        if self.analysis.diagonals:
            raise ModelError(f"{_NO_TIME}: it compares differences of clocks", self.network.source, _REMEDY)

    def _asks_where_guards_fail(self) -> bool:
        network = self.timed.network
        if network.rules.priorities or any(any(channel.every_priority) for channel in network.channels):
            return True
        broadcasting = any(channel.broadcast for channel in network.channels)
        return broadcasting and any(
            self.timed.guards[kind, at]
            for kind, process in enumerate(network.processes)
            for at, edge in enumerate(process.edges)
            if edge.sync is not None
        )

    def _cell(self, clock: Clock) -> int:
        """The cell through which an effect asks for a clock's reset: a leaf of the variable that stands for it."""
        if clock.process is None:
            slot = self.layout.scope.slots[clock.variable]
            return slot.offset + self.timed.clocks.leaf(clock)
        kind = self.network.process_index[self.network.initial[clock.process].process]
        place = self.layout.processes[clock.process].kinds[kind]
        slot = place.scope.slots[clock.variable]
        return place.locals + slot.offset + self.timed.clocks.leaf(clock)

    # Hooks into the compilation of the discrete part

    def _locations(self, process: Process, number: int, kind: int, env: Environment) -> None:
        first = len(self.actions)
        super()._locations(process, number, kind, env)
        for action in self.actions[first:]:
            constraints = self.timed.guards[kind, action.edge]
            self.clock_rows["edge_tests"].append(self._tests(constraints, number, env))
        for at, location in enumerate(process.locations):
            condition = self.condition(location.invariant, env)
            tests = self._tests(self.timed.invariants[kind, at], number, env)
            rates = self._rates(self.timed.rates.get((kind, at), ()), number, env)
            self.clock_rows["invariants"].append([condition, *tests, int(location.urgent)])
            self.clock_rows["location_rates"].append(rates)
            limits = self.analysis.locations[number, at]
            self.clock_rows["limits"].append([value for row in limits.rows() for value in row])

    def _monitor(self) -> None:
        super()._monitor()
        env = Environment()
        confinement = self.confinement or Confinement(())
        for name, cases in zip(_CASES, (self.goals, confinement.avoided, confinement.premises), strict=True):
            self.clock_rows[name] += [self._case(case, env) for case in cases]
        for measure in self.measures:
            self.clock_rows["measures"].append([int(measure.is_clock), *self._measured(measure, env)])

    def _case(self, case: Case, env: Environment) -> list[int]:
        condition = self.condition(case.condition, env) if case.condition != TRUE else NOWHERE
        for constraint in case.constraints:
            note(self.timed, constraint, None, self.base, self.analysis, self.network.source)
        return [condition, *self._tests(case.constraints, None, env), case.deadlock]

    def _measured(self, measure: Measure, env: Environment) -> tuple[int, int]:
        if not measure.is_clock:
            return self._number(measure.expression, env)
        term = self.timed.clocks.term(measure.expression, None)
        for clock in term.possible():
            self.base.raise_lower(clock, measure.largest)
            self.base.raise_upper(clock, measure.largest)
        return self._clock(term, env)

    # Constraints

    def _tests(self, constraints: tuple[Constraint, ...], number: int | None, env: Environment) -> list[int]:
        first = len(self.clock_rows["tests"])
        for constraint in constraints:
            unless = self._unless(constraint.unless, env)
            if unless is None:
                continue
            plus = self._clock(self.timed.clocks.term(constraint.plus, number), env)
            minus = (0, NOWHERE)
            if constraint.minus is not None:
                minus = self._clock(self.timed.clocks.term(constraint.minus, number), env)
            bound = self._number(constraint.bound, env)
            comparison = OPERATORS.index(constraint.operator)
            self.clock_rows["tests"].append([unless, *plus, *minus, comparison, *bound])
        return [first, len(self.clock_rows["tests"]) - first]

    def _rates(self, given: tuple[Given, ...], number: int, env: Environment) -> list[int]:
        first = len(self.clock_rows["rates"])
        for rate in given:
            unless = self._unless(rate.unless, env)
            if unless is not None:
                clock = self._clock(self.timed.clocks.term(rate.clock, number), env)
                self.clock_rows["rates"].append([unless, *clock, *self._number(rate.value, env)])
        return [first, len(self.clock_rows["rates"]) - first]

    def _unless(self, condition: Expression | None, env: Environment) -> int | None:
        """The block of a condition that waives a constraint; None if it always does, nowhere if it never does."""
        if condition is None:
            return NOWHERE
        entry = self.condition(condition, env)
        return None if entry == NOWHERE else entry

    def _number(self, expression: Expression, env: Environment) -> tuple[int, int]:
        """A number that is known now, or the block that computes it."""
        entry = self._block()
        value = self.code.value(expression, env)
        return self._returned(value, entry)

    def _clock(self, term: Term, env: Environment) -> tuple[int, int]:
        entry = self._block()
        if not term.steps:
            return term.base, NOWHERE
        total: Operand = Constant(term.base)
        for index, stride, size in term.steps:
            scaled = self.code._result("SCALE", self.code.value(index, env), stride, size)
            total = self.code._arithmetic("+", total, scaled)
        return self._returned(total, entry)

    def _returned(self, value: Operand, entry: int) -> tuple[int, int]:
        if isinstance(value, Constant) and self.assembler.position == entry:
            return value.value, NOWHERE
        self.code.emit("RETURN_VALUE", value)
        return 0, entry
