"""Formulas of branching time: the states are found, single or as sets, and labelled; evidence is replayed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from time import monotonic
from typing import TYPE_CHECKING, Any

from beeline.ctl import Evidence, Labelling, Structure, show
from beeline.ctl.graph import Graph
from beeline.ctl.structure import NeverRests, NoValue
from beeline.engine import Ending, Found, Limits, Statistics, Status, core
from beeline.engine.budget import SEARCHING, doing
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.problems.again import begin_again
from beeline.problems.networks import NetworkProblem
from beeline.problems.settings import LIMIT_REASONS, Branch, Result, Settings
from beeline.properties.branching import Branching
from beeline.records import Record, replace
from beeline.trace import ReplayError, Trace
from beeline.trace.lasso import replay_lasso
from beeline.trace.replay import Path, trace_of

if TYPE_CHECKING:
    from beeline.compile.program import Program
    from beeline.symbolic.quest import Quest

LOOK = 256  # states between two looks at the limits
NO_VALUE = "'{}' has no value in a reachable state"
Decode = Callable[[Any], State]


def check_single(problem: NetworkProblem, settings: Settings) -> Result:
    """With states one by one. What can be asked of states or runs is asked so, and ends where the answer is known."""
    asked = _asked(problem)
    linear = asked.linear()
    # Of several initial states each must have a witness.
    if linear is not None and not (linear.wants_witness and problem.model.rules.opened):
        from beeline.engines.explicit import solve
        from beeline.problems.make import problem_of

        return replace(solve(problem_of(problem.model, linear), settings), property=asked)
    return begin_again(problem, lambda one: _labelled(one, settings))


def _asked(problem: NetworkProblem) -> Branching:
    assert isinstance(problem.asked, Branching)
    return problem.asked


class _Ended(Exception):
    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


class _Failed(Record, frozen=True):
    """A step fails behind these states."""

    path: list[tuple[int, ...]]


class Explorer:
    """All states at rest, numbered in the order of their distance."""

    def __init__(self, program: Program, settings: Settings) -> None:
        self.program, self._settings = program, settings
        self._space = core.ProgramSpace(program.native)
        self._limits = settings.limits or Limits()
        self._began = monotonic()
        self.states: list[tuple[int, ...]] = []
        self.initial = 0
        """How many of them are initial ones."""
        self._parents: list[int] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        self._values: dict[tuple[int, int], bool] = {}

    def run(self) -> list[list[int]] | _Failed:
        """The successors of each state, or the way to a step that fails."""
        rows: list[list[int]] = []
        for _, marks, _, words in self._space.initial_arcs():
            if marks & core.ERROR or words is None:
                return _Failed([])
            self._number(words, -1)
        self.initial = len(self.states)
        for number, state in enumerate(self.states):
            if number % LOOK == 0:
                self._look()
            row = self._after(state)
            if row is None:
                return _Failed(self._path(number))
            rows.append([self._number(words, number) for words in row])
        return rows

    def _after(self, state: tuple[int, ...]) -> list[tuple[int, ...]] | None:
        """Where steps lead that pass over uninterrupted runs; None if one fails."""
        found: dict[tuple[int, ...], None] = {}
        seen, waiting = {state}, deque([state])
        while waiting:
            for _, marks, _, words in self._space.successor_arcs(waiting.popleft())[1]:
                if marks & core.ERROR or words is None:
                    return None
                if self._rests(words):
                    found[words] = None
                elif words not in seen:
                    seen.add(words)
                    waiting.append(words)
        if not found and len(seen) > 1:
            raise NeverRests
        return list(found)

    def _rests(self, words: tuple[int, ...]) -> bool:
        control = self.program.layout.control
        return control < 0 or self.program.native.unpack(words)[control] < 0

    def _number(self, words: tuple[int, ...], parent: int) -> int:
        if words not in self._numbers:
            self._numbers[words] = len(self.states)
            self.states.append(words)
            self._parents.append(parent)
        return self._numbers[words]

    def _path(self, number: int) -> list[tuple[int, ...]]:
        found = []
        while number >= 0:
            found.append(self.states[number])
            number = self._parents[number]
        return found[::-1]

    def _look(self) -> None:
        if self._limits.time is not None and monotonic() - self._began >= self._limits.time:
            raise _Ended(Status.TIME)
        if self._limits.states is not None and len(self.states) > self._limits.states:
            raise _Ended(Status.STATES)
        if self._settings.progress is not None:
            self._settings.progress(self.statistics)

    @property
    def statistics(self) -> Statistics:
        return Statistics(stored=len(self.states), seconds=monotonic() - self._began, phase=SEARCHING)

    def holds(self, number: int, block: int) -> bool:
        """Whether an expression is true in a state."""
        _, value, failed = self._space.local_value(self.states[number], block)
        if failed:
            raise ValueError
        return value != 0

    def decode(self, words: tuple[int, ...]) -> State:
        return self.program.layout.decode(self.program.native.unpack(words))


def _labelled(problem: NetworkProblem, settings: Settings) -> Result:
    asked = _asked(problem)
    program = problem.compiled([expression for _, expression in asked.atoms])
    doing(SEARCHING)
    explorer = Explorer(program, settings)
    try:
        rows = explorer.run()
    except NeverRests as reason:
        outcome = Ending(Status.GAVE_UP, Found.NOTHING, explorer.statistics)
        return settings.result(asked, outcome, [], ("unknown", str(reason)))
    except _Ended as end:
        return _unknown(asked, settings, end.status, explorer.statistics)
    except KeyboardInterrupt:
        return _unknown(asked, settings, Status.INTERRUPTED, explorer.statistics)
    if isinstance(rows, _Failed):
        return failed(problem, settings, [explorer.decode(words) for words in rows.path], explorer.statistics)
    blocks = dict(zip((name for name, _ in asked.atoms), program.values, strict=True))

    def holds(number: int, name: str) -> bool:
        try:
            return explorer.holds(number, blocks[name])
        except ValueError:
            raise NoValue(name) from None

    graph = Graph(rows, holds, explorer.initial)
    try:
        return judged(
            problem, settings, graph, explorer.statistics, lambda number: explorer.decode(explorer.states[number])
        )
    except NoValue as wrong:
        outcome = Ending(Status.GAVE_UP, Found.NOTHING, explorer.statistics)
        return settings.result(asked, outcome, [], ("unknown", NO_VALUE.format(wrong)))


def _unknown(asked: Branching, settings: Settings, status: Status, statistics: Statistics) -> Result:
    return settings.result(asked, Ending(status, Found.NOTHING, statistics), [], ("unknown", LIMIT_REASONS[status]))


def failed(problem: NetworkProblem, settings: Settings, states: list[State], statistics: Statistics) -> Result:
    """A step that fails violates any formula."""
    trace, _ = problem.trace_along(Path(states), True)
    outcome = Ending(Status.FOUND, Found.ERROR, statistics)
    return settings.result(problem.asked, outcome, [], problem.confirm(outcome, trace), trace)


def judged(
    problem: NetworkProblem, settings: Settings, structure: Structure[Any, Any], statistics: Statistics, decode: Decode
) -> Result:
    """The verdict on all initial states, with evidence where there can be some."""
    asked = _asked(problem)
    if structure.is_empty(structure.initial):
        outcome = Ending(Status.EXHAUSTED, Found.NOTHING, statistics)
        return settings.result(asked, outcome, [], ("holds", "there is no initial state"))
    labelling = Labelling(structure, asked.fairness)
    asking = structure.both(structure.initial, labelling.fair) if asked.begins_fair else structure.initial
    wrong = structure.without(asking, labelling.holding(asked.formula))
    holds = structure.is_empty(wrong)
    doing("replaying")
    evidence = show(labelling, asked.formula, structure.pick(structure.initial if holds else wrong))
    trace, branches = _replayed(problem, evidence, decode)
    verdict = ("holds", "exhausted") if holds else ("violated", f"the formula fails ({asked.fragment})")
    outcome = Ending(Status.FOUND if trace is not None else Status.EXHAUSTED, Found.NOTHING, statistics)
    return replace(settings.result(asked, outcome, [], verdict, trace), branches=tuple(branches))


def _replayed(problem: NetworkProblem, evidence: Evidence[Any], decode: Decode) -> tuple[Trace | None, list[Branch]]:
    """The path of some evidence, and all paths that branch off it, each from the start."""
    semantics = Semantics(problem.model)
    atoms = dict(_asked(problem).atoms)
    branches: list[Branch] = []

    def follow(part: Evidence[Any], before: list[State]) -> Trace | None:
        states = [decode(state) for state in part.path]
        for position, name, value in part.facts:
            if semantics.holds(atoms[name], states[position]) != value:
                raise ReplayError("the interpreter does not agree with a fact of the evidence")
        for position, branch in part.branches:
            trace = follow(branch, [*before, *states[:position]])
            if trace is not None:
                branches.append(Branch(len(before) + position, branch.claim, trace))
        if len(states) == 1 and part.cycle is None and not before:
            return None
        return _trace(problem, semantics, [*before, *states], None if part.cycle is None else len(before) + part.cycle)

    return follow(evidence, []), branches


def _trace(problem: NetworkProblem, semantics: Semantics, states: Sequence[State], cycle: int | None) -> Trace:
    for number, (before, after) in enumerate(pairwise(states)):
        if before == after and not semantics.steps(before):  # it comes to rest, and stays there
            states, cycle = states[: number + 1], None if cycle is None else number
            break
    if cycle is None:
        return problem.trace_along(Path(states), False)[0]
    lasso = replay_lasso(problem.model, Path(states), cycle)
    return replace(trace_of(lasso.network, lasso.start, lasso.steps), cycle=lasso.cut)


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
        return judged(problem, settings, structure, quest.meter.statistics(found), system.program.layout.decode)
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
