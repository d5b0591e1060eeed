"""Components one by one, with assumptions about each other that are learned: the whole is never built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from beeline.engine import Ending, Found, Statistics, Status
from beeline.engine.budget import SEARCHING, doing
from beeline.engines.declaration import Engine, EngineError
from beeline.problems.networks import NetworkProblem
from beeline.problems.problem import Problem
from beeline.problems.settings import LIMIT_REASONS, Assumption, Learning, Result, Settings
from beeline.records import replace
from beeline.searches.declaration import Choice, Values, given_options, with_defaults
from beeline.trace.replay import Path

if TYPE_CHECKING:
    from beeline.compositional.components import Components
    from beeline.compositional.rules import Conclusion, Rule
    from beeline.compositional.systems import Automaton, System

NAME = "compositional"
PACKAGE = "aalpy"
PAPER = "Pasareanu and Giannakopoulou, Towards a compositional SPIN, 2006"
RULES, LEARNERS, ALPHABETS = ("chain", "circular", "symmetric"), ("lstar", "kv", "lsharp"), ("refined", "whole")
OPTIONS = (
    Choice.of("rule", "how assumptions prove the property", RULES),
    Choice.of("learner", "the algorithm that learns assumptions", LEARNERS),
    Choice.of("alphabet", "of assumptions: labels as they prove necessary, or all at once", ALPHABETS),
)
NOT_A_RUN = "the components can break it, each in its turn, but not in the order that the whole network keeps"


def accepts(problem: Problem) -> str | None:
    """Which labels may follow each other, of networks without clocks that come apart."""
    from importlib.util import find_spec

    from beeline.compositional.division import NotDivided, divide
    from beeline.compositional.question import forbidden_by

    if find_spec(PACKAGE) is None:
        return f"it needs the package {PACKAGE}: install beeline[learning]"
    if not isinstance(problem, NetworkProblem):
        return "only networks without clocks are taken apart"
    if forbidden_by(problem.asked) is None:
        return "it forbids no words of labels: ask for assertions, or as in `mu: [-*.put.(not get)*.put] false`"
    try:
        divided = divide(problem.model)
    except NotDivided as error:
        return str(error)
    return "all its processes share variables or buffers" if len(divided.components) < 2 else None


def _solver(values: Values) -> Callable[[Problem, Settings], Result]:
    def solve(problem: Problem, settings: Settings) -> Result:
        from beeline.compositional.components import Components
        from beeline.compositional.division import NotDivided, divide
        from beeline.compositional.question import forbidden_by, property_of
        from beeline.lts import TooManyStates

        assert isinstance(problem, NetworkProblem)
        runs, began = forbidden_by(problem.asked), monotonic()
        assert runs is not None

        def seen(states: int) -> None:
            if settings.progress is not None and states % 500 == 0:
                settings.progress(Statistics(stored=states, seconds=monotonic() - began, phase="taking apart"))

        doing("taking apart")
        try:
            components = Components(
                problem.model, divide(problem.model), None if settings.limits is None else settings.limits.states, seen
            )
            asked = property_of(runs, components.labels, components.text_of)
        except NotDivided as error:
            raise EngineError(f"the engine {NAME} does not take '{problem.asked.name}': {error}") from None
        except TooManyStates:
            ending = Ending(Status.STATES, Found.NOTHING, Statistics(seconds=monotonic() - began))
            return settings.result(problem.asked, ending, [], ("unknown", LIMIT_REASONS[Status.STATES]))
        systems = components.systems(lambda label: label in asked.alphabet)
        rule, order = _rule(values, systems)
        doing(SEARCHING)
        found = rule.prove(order, asked)
        largest = max(rule.effort.most_states, *(system.lts.states for system in systems))
        statistics = Statistics(stored=largest, seconds=monotonic() - began)
        if found.word is not None:
            return _broken(problem, settings, components, asked, found, statistics)
        _certify(values, order, asked, found)
        ending = Ending(Status.EXHAUSTED, Found.NOTHING, statistics)
        result = settings.result(problem.asked, ending, [], ("holds", "every premise holds"))
        return replace(result, learning=_learning(rule, found))

    return solve


def _rule(values: Values, systems: list[System]) -> tuple[Rule, list[System]]:
    """The rule that was asked for, and the components in its order."""
    from beeline.compositional.chain import Chain
    from beeline.compositional.symmetric import Symmetric

    learner, refines = LEARNERS[values["learner"] or 0], not values["alphabet"]
    match RULES[values["rule"] or 0]:
        case "symmetric":
            return Symmetric(learner), systems
        case "circular":
            return Chain(learner, refines), [*systems, systems[0]]
    return Chain(learner, refines), systems


def _certify(values: Values, order: Sequence[System], asked: Automaton, found: Conclusion) -> None:
    from beeline.compositional.certificate import check_chain, check_symmetric

    check = check_symmetric if RULES[values["rule"] or 0] == "symmetric" else check_chain
    check(order, asked, found.assumptions)


def _learning(rule: Rule, found: Conclusion) -> Learning:
    effort = rule.effort
    assumptions = tuple(
        Assumption(one.owner, one.automaton.size, one.automaton.lts().arcs) for one in found.assumptions
    )
    return Learning(assumptions, effort.queries, effort.conjectures, effort.environments, effort.refinements)


def _broken(
    problem: NetworkProblem,
    settings: Settings,
    components: Components,
    asked: Automaton,
    found: Conclusion,
    statistics: Statistics,
) -> Result:
    """What components do together that is forbidden, as a run of the whole network."""
    from beeline.compositional.whole import run_along

    assert found.word is not None
    doing("replaying")

    def is_seen(label: str) -> bool:
        return label in asked.alphabet or components.is_between(label)

    run = run_along(problem.model, found.word, components.label_of, is_seen)
    if run is None:
        ending = Ending(Status.GAVE_UP, Found.NOTHING, statistics)
        return settings.result(problem.asked, ending, [], ("unknown", NOT_A_RUN))
    trace, _ = problem.trace_along(Path(run.states), run.failed)
    ending = Ending(Status.FOUND, Found.ERROR if run.failed else Found.NOTHING, statistics)
    reason = (
        trace.steps[-1].error if run.failed else f"the formula fails: {' . '.join(map(components.text_of, found.word))}"
    )
    return replace(settings.result(problem.asked, ending, [], ("violated", reason), trace), shortest=False)


def _engine(values: Values) -> Engine:
    return Engine(
        NAME,
        "components one by one, with assumptions about each other that are learned",
        accepts,
        _solver(values),
        PAPER,
        automatic=False,
        configure=lambda text: _engine({**values, **given_options(NAME, OPTIONS, text)}),
    )


ENGINE = _engine(with_defaults(OPTIONS))
