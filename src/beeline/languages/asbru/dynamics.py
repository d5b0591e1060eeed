"""A guideline as a synchronous system, whose step is a micro-step.

`tick` is true in stable states. The step from there begins a macro-step: time passes, and the patient and the user do
what they like. Timers follow the time exactly if they are among `exact`, and are chosen freely otherwise, which allows
all that is possible and more."""

from __future__ import annotations

from collections.abc import Collection

from beeline.languages.asbru.guideline import (
    ABORTED,
    ACTIVATED,
    BOOLEAN,
    COMPLETED,
    CONSIDERED,
    FRESH,
    INACTIVE,
    PLAN_STATE,
    REJECTED,
    RUNNING,
    SELECTED,
    TERMINATED,
    TICK,
    Annotation,
    Guideline,
    Parameter,
    Period,
    Plan,
)
from beeline.languages.asbru.moves import MOVER, Moves, Turn, all_of, any_of, done_of, is_at, turn_of
from beeline.model.expressions import FALSE, TRUE, Binary, Expression, Literal, Ref, negate
from beeline.model.network import Variable
from beeline.model.synchronous import Choice, Phase, Synchronous, Update, next_value
from beeline.model.types import IntType, ScalarType, bounds
from beeline.records import rebuilt

TICKS: Expression = Ref(TICK)
REACTS: Expression = negate(TICKS)
Cases = list[tuple[Expression, Expression]]


def counter_of(timer: str) -> str:
    """The variable by which a timer follows the time."""
    return f"{timer}_clock"


def chosen_of(variable: str) -> str:
    """The choice of what a variable becomes."""
    return f"{variable}_chosen"


def system_of(guideline: Guideline, exact: Collection[str]) -> Synchronous:
    """The system in which the timers named in `exact` follow the time."""
    return _Dynamics(guideline, frozenset(exact)).system()


class _Dynamics:
    def __init__(self, guideline: Guideline, exact: frozenset[str]) -> None:
        self.guideline, self.exact = guideline, exact
        self.plans = guideline.by_name
        self.moves = Moves(guideline)
        self.variables: list[Variable] = []
        self.choices: list[Choice] = []
        self.updates: dict[str, Update] = {}

    def system(self) -> Synchronous:
        self.parts()
        return Synchronous(
            self.guideline.name,
            tuple(self.variables),
            tuple(self.choices),
            tuple(self.updates.values()),
            self.phases(),
            "guideline",
            "micro-step",
        )

    def parts(self) -> None:
        nobody = Binary("==", Ref(MOVER), Literal(0))
        self.choices.append(self.turns())
        self.declare(TICK, BOOLEAN, 1, [(TICKS, FALSE), (all_of(nobody, negate(Ref(FRESH))), TRUE)])
        self.declare(FRESH, BOOLEAN, 0, [(TICKS, TRUE), (nobody, FALSE)])
        for parameter in self.guideline.parameters:
            self.parameter(parameter)
        for plan in self.guideline.plans:
            self.plan(plan)
            if plan.period is not None:
                timer = next(one for one in self.guideline.timers if one.name == plan.period)
                assert isinstance(timer, Period)
                self.period(timer)
            for timer in self.guideline.timers:
                if isinstance(timer, Annotation) and (timer.plan or self.guideline.plans[0].name) == plan.name:
                    self.annotation(timer)

    def may_move(self, turn: Turn) -> Expression:
        """Whether it could be somebody's turn, as far as he is concerned."""
        return all_of(REACTS, Ref(FRESH) if turn.early else negate(Ref(FRESH)), turn.condition)

    def turns(self) -> Choice:
        """Who moves: the first who can."""
        turns = enumerate(self.moves.turns, 1)
        options = tuple((number, self.may_move(turn)) for number, turn in turns)
        return Choice(MOVER, IntType(0, len(options)), options, "turn", first=True)

    def phases(self) -> tuple[Phase, ...]:
        """Who moves says what can change."""

        def known(tick: int, mover: int = 0) -> tuple[tuple[str, int], ...]:
            return ((TICK, tick), (MOVER, mover))

        def moving(early: bool) -> list[Phase]:
            turns = enumerate(self.moves.turns, 1)
            return [
                Phase(self.may_move(turn), (*known(0, number), (FRESH, int(early))), ((TICK, 0), (FRESH, int(early))))
                for number, turn in turns
                if turn.early == early
            ]

        return (
            Phase(TICKS, known(1), ((TICK, 0), (FRESH, 1))),
            *moving(True),
            Phase(Ref(FRESH), (*known(0), (FRESH, 1)), ((TICK, 0), (FRESH, 0))),
            *moving(False),
            Phase(TRUE, (*known(0), (FRESH, 0)), ((TICK, 1), (FRESH, 0))),
        )

    def declare(self, name: str, kind: ScalarType, initial: int, cases: Cases) -> None:
        self.variables.append(Variable(name, kind, (initial,)))
        if cases:
            self.updates[name] = Update(name, tuple(cases))

    def choose(self, variable: str, kind: ScalarType, options: Cases, text: str) -> Ref:
        """A choice among values, each with its condition."""
        name = chosen_of(variable)
        made = tuple((value.value, condition) for condition, value in options if isinstance(value, Literal))
        self.choices.append(Choice(name, kind, made, text))
        return Ref(name)

    # The patient

    def parameter(self, parameter: Parameter) -> None:
        name, cases = parameter.name, Cases()
        asking = [is_at(plan, ACTIVATED) for plan in self.guideline.plans if plan.asks == name]
        asked = TRUE if parameter.read else any_of([self.acting(p) for p in self.guideline.plans if p.asks == name])
        if parameter.read or asking:
            low, high = bounds(parameter.type)
            when = all_of(TICKS, asked)
            anything: Cases = [(when, Literal(value)) for value in range(low, high + 1)]
            cases.append((when, self.choose(name, parameter.type, anything, parameter.written)))
        for plan in self.guideline.plans:
            if plan.assigns is not None and plan.assigns.variable == name:
                cases.append((all_of(REACTS, self.moves.to(plan, COMPLETED)), plan.assigns.value))
        self.declare(name, parameter.type, parameter.initial, cases)

    def after_reading(self, expression: Expression) -> Expression:
        """An expression about the patient as it is judged when new values have been read."""

        def read(part: object) -> object:
            if isinstance(part, Ref) and part.name in self.updates and part.name not in self.plans:
                return next_value(self.updates[part.name])
            return part

        found: Expression = rebuilt(expression, read)
        return found

    # Plans

    def acting(self, plan: Plan) -> Expression:
        """Whether a plan is being carried out."""
        return all_of(is_at(plan, ACTIVATED), negate(self.moves.frozen(plan)))

    def plan(self, plan: Plan) -> None:
        cases: Cases = [
            (all_of(REACTS, move.condition), Literal(move.target)) for move in self.moves.of.get(plan.name, [])
        ]
        self.declare(plan.name, PLAN_STATE, INACTIVE, cases)
        if plan.action in ("user-performed", "ask"):
            self.doing(plan)
        if plan.order == "any-order" and len(plan.children) > 0:
            options = [
                (number, all_of(REACTS, self.moves.may_take_turn(self.plans[child])))
                for number, child in enumerate(plan.children, 1)
            ]
            text = f"next of {plan.written}"
            self.choices.append(Choice(turn_of(plan), IntType(0, len(plan.children)), tuple(options), text))

    def doing(self, plan: Plan) -> None:
        """Whether the user has done it; an answer to a question comes with the next macro-step."""
        name, when = done_of(plan), all_of(TICKS, self.acting(plan))
        left = all_of(REACTS, self.moves.to(plan, INACTIVE, ABORTED, COMPLETED))
        if plan.action == "ask":
            said: Expression = TRUE
        else:
            said = self.choose(name, BOOLEAN, [(when, FALSE), (when, TRUE)], f"{plan.written} is done")
        self.declare(name, BOOLEAN, 0, [(when, said), (left, FALSE)])

    # Time

    def annotation(self, timer: Annotation) -> None:
        if timer.plan is None:
            self.timed(timer, TICKS, FALSE, FALSE)
            return
        plan = self.plans[timer.plan]
        passes = all_of(TICKS, is_at(plan, *RUNNING))
        begins = all_of(REACTS, is_at(plan, SELECTED), self.moves.to(plan, ACTIVATED))
        ends = all_of(REACTS, is_at(plan, *RUNNING), self.moves.to(plan, INACTIVE, ABORTED, COMPLETED, REJECTED))
        self.timed(timer, passes, begins, ends)

    def timed(self, timer: Annotation, passes: Expression, begins: Expression, ends: Expression) -> None:
        """A timer over which time `passes`, that `begins` with what is the case then, and `ends`."""
        if timer.name not in self.exact:
            uncertain = any_of([passes, begins if timer.monitor.may_start_true else FALSE])
            free = self.choose(timer.name, BOOLEAN, [(uncertain, FALSE), (uncertain, TRUE)], timer.text)
            self.declare(timer.name, BOOLEAN, 0, [(uncertain, free), (ends, FALSE)])
            return
        clock, follows = counter_of(timer.name), self.after_reading(timer.proposition)
        automaton = timer.monitor
        value: Cases = []
        count: Cases = []
        for state, (low, high) in enumerate(automaton.after):
            here = Binary("==", Ref(clock), Literal(state))
            for holds, target in ((negate(follows), low), (follows, high)):
                count.append((all_of(passes, here, holds), Literal(target)))
                value.append((all_of(passes, here, holds), Literal(int(automaton.true[target]))))
        for holds, target in (
            (negate(timer.proposition), automaton.after[0][0]),
            (timer.proposition, automaton.after[0][1]),
        ):
            count.append((all_of(begins, holds), Literal(target)))
            value.append((all_of(begins, holds), Literal(int(automaton.true[target]))))
        self.declare(timer.name, BOOLEAN, 0, [*value, (ends, FALSE)])
        self.declare(clock, IntType(0, len(automaton.after) - 1), 0, [*count, (ends, Literal(0))])

    def period(self, timer: Period) -> None:
        """It is time again after the least and before the most, counted from when the subplan was considered."""
        plan, child = self.plans[timer.plan], self.plans[timer.child]
        waits = all_of(TICKS, is_at(plan, ACTIVATED), is_at(child, *TERMINATED))
        begins = all_of(REACTS, self.moves.to(child, CONSIDERED))
        stops = all_of(REACTS, self.moves.to(plan, INACTIVE, ABORTED, COMPLETED, REJECTED))
        if timer.name not in self.exact:
            free = self.choose(timer.name, BOOLEAN, [(waits, FALSE), (waits, TRUE)], timer.text)
            self.declare(timer.name, BOOLEAN, 0, [(waits, free), (begins, FALSE), (stops, FALSE)])
            return
        clock = counter_of(timer.name)
        now = Binary("min", Literal(timer.most), Binary("+", Ref(clock), Literal(1)))
        late, early = Binary(">=", now, Literal(timer.most)), Binary("<", now, Literal(timer.least))
        options: Cases = [(all_of(waits, negate(late)), FALSE), (all_of(waits, negate(early)), TRUE)]
        free = self.choose(timer.name, BOOLEAN, options, timer.text)
        self.declare(timer.name, BOOLEAN, 0, [(waits, free), (begins, FALSE), (stops, FALSE)])
        running = all_of(TICKS, is_at(plan, *RUNNING))
        cases: Cases = [(running, now), (begins, Literal(0)), (stops, Literal(0))]
        self.declare(clock, IntType(0, timer.most), 0, cases)
