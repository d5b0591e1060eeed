"""Formulas of branching time: the states are found, single or as sets, and labelled; evidence is replayed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from beeline.ctl import Evidence, Labelling, Structure, bounds, show
from beeline.ctl.structure import NeverRests, NoValue
from beeline.engine import Ending, Found, Statistics, Status
from beeline.engine.budget import SEARCHING, doing
from beeline.engines.numbering import LimitHit, NetworkStates, Numbering, StepFailed, UserStates
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.problems.again import begin_again
from beeline.problems.networks import NetworkProblem
from beeline.problems.settings import LIMIT_REASONS, Branch, Result, Settings
from beeline.problems.user_spaces import UserProblem
from beeline.properties.branching import Branching
from beeline.records import replace
from beeline.trace import ReplayError, Trace
from beeline.trace.lasso import replay_lasso
from beeline.trace.replay import Path, trace_of

if TYPE_CHECKING:
    from beeline.symbolic.quest import Quest

NO_VALUE = "'{}' has no value in a reachable state"
EARLY = "known before all states were seen"


def check_single(problem: NetworkProblem | UserProblem, settings: Settings) -> Result:
    """With states one by one. What can be asked of states or runs is asked so; else states are labelled every now and
    then. Both end where the answer is known."""
    if not isinstance(problem, NetworkProblem):
        return _of_user(problem, settings)
    linear = _asked(problem).linear()
    # Of several initial states each must have a witness.
    if linear is not None and not (linear.wants_witness and problem.model.rules.opened):
        from beeline.engines.explicit import solve
        from beeline.problems.make import problem_of

        return replace(solve(problem_of(problem.model, linear), settings), property=problem.asked)
    return begin_again(problem, lambda one: _of_network(one, settings))


def _asked(problem: NetworkProblem | UserProblem) -> Branching:
    assert isinstance(problem.asked, Branching)
    return problem.asked


def _of_network(problem: NetworkProblem, settings: Settings) -> Result:
    asked = _asked(problem)
    program = problem.compiled([expression for _, expression in asked.atoms])
    numbering = NetworkStates(program, [name for name, _ in asked.atoms], settings)
    try:
        return _labelled(asked, settings, numbering, NetworkWitness(problem))
    except StepFailed as failure:
        return failed(problem, settings, failure.path, numbering.statistics)


def _of_user(problem: UserProblem, settings: Settings) -> Result:
    numbering = UserStates(problem.model, settings)
    try:
        return _labelled(_asked(problem), settings, numbering, UserWitness(problem, numbering))
    except Exception as error:
        way = numbering.labelled(numbering.path(len(numbering.rows))) if numbering.states else []
        result = problem.failed_behind(way, error, settings)
        if result is None:
            raise
        return result


def _labelled(asked: Branching, settings: Settings, numbering: Numbering[Any], witness: Witness) -> Result:
    """Labels what has been seen of the states, until that is enough."""
    doing(SEARCHING)
    try:
        for graph, unknown in numbering.graphs():
            answer = judged(asked, settings, graph, numbering.statistics, numbering.decode, witness, unknown)
            if answer is not None:
                return answer
    except NeverRests as reason:
        outcome = Ending(Status.GAVE_UP, Found.NOTHING, numbering.statistics)
        return settings.result(asked, outcome, [], ("unknown", str(reason)))
    except NoValue as wrong:
        outcome = Ending(Status.GAVE_UP, Found.NOTHING, numbering.statistics)
        return settings.result(asked, outcome, [], ("unknown", NO_VALUE.format(wrong)))
    except LimitHit as end:
        return _unknown(asked, settings, end.status, numbering.statistics)
    except KeyboardInterrupt:
        return _unknown(asked, settings, Status.INTERRUPTED, numbering.statistics)
    raise AssertionError("all states are known, and the formula is not")


def _unknown(asked: Branching, settings: Settings, status: Status, statistics: Statistics) -> Result:
    return settings.result(asked, Ending(status, Found.NOTHING, statistics), [], ("unknown", LIMIT_REASONS[status]))


def failed(problem: NetworkProblem, settings: Settings, states: list[State], statistics: Statistics) -> Result:
    """A step that fails violates any formula."""
    trace, _ = problem.trace_along(Path(states), True)
    outcome = Ending(Status.FOUND, Found.ERROR, statistics)
    return settings.result(problem.asked, outcome, [], problem.confirm(outcome, trace), trace)


def judged(
    asked: Branching,
    settings: Settings,
    structure: Structure[Any, Any],
    statistics: Statistics,
    decode: Callable[[Any], Any],
    witness: Witness,
    unknown: Any,
) -> Result | None:
    """The verdict on all initial states, with evidence where there can be some; None if it depends on what comes behind
    states of which nothing more is known."""
    if structure.is_empty(structure.initial):
        outcome = Ending(Status.EXHAUSTED, Found.NOTHING, statistics)
        return settings.result(asked, outcome, [], ("holds", "there is no initial state"))
    whole = structure.is_empty(unknown)
    sure, possible = bounds(structure, asked.fairness, unknown)

    def failing(where: Labelling[Any, Any], fair: Labelling[Any, Any]) -> Any:
        """The initial states that count by one labelling and do not satisfy the formula by the other."""
        asking = structure.both(structure.initial, fair.fair) if asked.begins_fair else structure.initial
        return structure.without(asking, where.holding(asked.formula))

    wrong = failing(possible, sure)
    holds = structure.is_empty(wrong)
    if holds and not whole and not structure.is_empty(failing(sure, possible)):
        return None
    doing("replaying")
    shown = structure.both(structure.initial, sure.holding(asked.formula)) if holds else wrong
    trace, branches = None, list[Branch]()
    if not structure.is_empty(shown):
        trace, branches = _replayed(witness, show(sure, asked.formula, structure.pick(shown)), decode)
    verdict = ("holds", "exhausted" if whole else EARLY)
    if not holds:
        verdict = ("violated", f"the formula fails ({asked.fragment})")
    status = Status.EXHAUSTED if trace is None and whole else Status.FOUND
    result = settings.result(asked, Ending(status, Found.NOTHING, statistics), [], verdict, trace)
    return replace(result, branches=tuple(branches))


class Witness(ABC):
    """What evidence is compared with, which knows no labels."""

    @abstractmethod
    def holds(self, name: str, state: Any) -> bool:
        """Whether a proposition holds in a state."""

    @abstractmethod
    def trace(self, states: Sequence[Any], cycle: int | None) -> Trace:
        """The trace along states; raises `ReplayError` if there is none."""


class NetworkWitness(Witness):
    """The interpreter."""

    def __init__(self, problem: NetworkProblem) -> None:
        self._problem = problem
        self._semantics = Semantics(problem.model)
        self._atoms = dict(_asked(problem).atoms)

    def holds(self, name: str, state: State) -> bool:
        return bool(self._semantics.holds(self._atoms[name], state))

    def trace(self, states: Sequence[State], cycle: int | None) -> Trace:
        for number, (before, after) in enumerate(pairwise(states)):
            if before == after and not self._semantics.steps(before):  # it comes to rest, and stays there
                states, cycle = states[: number + 1], None if cycle is None else number
                break
        if cycle is None:
            return self._problem.trace_along(Path(list(states)), False)[0]
        lasso = replay_lasso(self._problem.model, Path(list(states)), cycle)
        return replace(trace_of(lasso.network, lasso.start, lasso.steps), cycle=lasso.cut)


class UserWitness(Witness):
    """The user's own methods."""

    def __init__(self, problem: UserProblem, states: UserStates) -> None:
        self._problem, self._states = problem, states

    def holds(self, name: str, state: Any) -> bool:
        return self._states.is_true(name, state)

    def trace(self, states: Sequence[Any], cycle: int | None) -> Trace:
        steps = self._states.labelled(states)
        trace = self._problem.trace_along(steps)
        return trace if cycle is None else replace(trace, cycle=min(cycle, len(steps) - 1))


def _replayed(
    witness: Witness, evidence: Evidence[Any], decode: Callable[[Any], Any]
) -> tuple[Trace | None, list[Branch]]:
    """The path of some evidence, and all paths that branch off it, each from the start."""
    branches: list[Branch] = []

    def follow(part: Evidence[Any], before: list[Any]) -> Trace | None:
        states = [decode(state) for state in part.path]
        for position, name, value in part.facts:
            if witness.holds(name, states[position]) != value:
                raise ReplayError("the interpreter does not agree with a fact of the evidence")
        for position, branch in part.branches:
            trace = follow(branch, [*before, *states[:position]])
            if trace is not None:
                branches.append(Branch(len(before) + position, branch.claim, trace))
        if len(states) == 1 and part.cycle is None and not before:
            return None
        return witness.trace([*before, *states], None if part.cycle is None else len(before) + part.cycle)

    return follow(evidence, []), branches


def check_sets(problem: NetworkProblem, settings: Settings, quest: Quest) -> Result:
    """With sets of states; `quest` is about steps that fail, and its program has the propositions as values."""
    from beeline.symbolic import whole
    from beeline.symbolic.ended import Ended
    from beeline.symbolic.kripke import Kripke

    asked, system = _asked(problem), quest.system
    found = system.initial
    try:
        findings = whole.search(quest)
        found = findings.reached
        if findings.way is not None:
            states = [system.program.layout.decode(cells) for cells in findings.way.states]
            return failed(problem, settings, states, quest.meter.statistics(found))
        blocks = zip(asked.atoms, system.program.values, strict=True)
        structure = Kripke(quest, found, {name: system.predicate(block) for (name, _), block in blocks})
        decode = system.program.layout.decode
        witness, nothing = NetworkWitness(problem), structure.nothing
        answer = judged(asked, settings, structure, quest.meter.statistics(found), decode, witness, nothing)
        assert answer is not None
        return answer
    except NoValue as wrong:
        outcome = Ending(Status.GAVE_UP, Found.NOTHING, quest.meter.statistics(found))
        return settings.result(asked, outcome, [], ("unknown", NO_VALUE.format(wrong)))
    except NeverRests as reason:
        outcome = Ending(Status.GAVE_UP, Found.NOTHING, quest.meter.statistics(found))
        return settings.result(asked, outcome, [], ("unknown", str(reason)))
    except Ended as end:
        return _unknown(asked, settings, end.status, quest.meter.statistics(found))
    except MemoryError:
        return _unknown(asked, settings, Status.MEMORY, quest.meter.statistics(found))
    except KeyboardInterrupt:
        return _unknown(asked, settings, Status.INTERRUPTED, quest.meter.statistics(found))
