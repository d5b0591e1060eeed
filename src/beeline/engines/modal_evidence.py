"""Why a formula of the mu-calculus has its value: a part of the equation system that has the same solution alone.

The interpreter checks each of its values: that the propositions are as said, that each step is one, and that none is
missing where all of them are needed. Then the part is solved again, as a whole. Runs through it become traces."""

from __future__ import annotations

from functools import cached_property

from beeline.compile.program import Program
from beeline.engine import core
from beeline.lts.step_labels import StepLabels
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.mu.equations import MIXED, Equation
from beeline.mu.game import FALSE_RANK, TRUE_RANK, Row, solve_game
from beeline.problems.networks import NetworkProblem
from beeline.problems.paths import ConcretePath
from beeline.properties.modal import Modal
from beeline.records import Record, replace
from beeline.trace import ReplayError, Trace
from beeline.trace.lasso import replay_lasso
from beeline.trace.replay import trace_of

Node = tuple[int, bool, int, list[tuple[int, int]]]
"""An equation, its value, the number of a state, and reasons: nodes, and the arcs by which they are met (-1: none)."""
Words = tuple[int, ...]


class Diagnostic:
    """The values on which that of the first node rests; `words` are the states, None where a step failed."""

    def __init__(
        self,
        problem: NetworkProblem,
        program: Program,
        labels: StepLabels,
        nodes: list[Node],
        words: list[Words | None],
    ) -> None:
        self._problem, self._program, self._labels = problem, program, labels
        asked = problem.asked
        assert isinstance(asked, Modal)
        self.system, self.atoms = asked.system, dict(asked.atoms)
        self.nodes, self.words = nodes, list(words)
        self._given = list(nodes)  # before any is replaced
        self._semantics = Semantics(program.network)
        self._space = core.ProgramSpace(program.native)
        self._steps: dict[int, list[tuple[str, State | None]]] = {}

    @cached_property
    def states(self) -> list[State | None]:
        return [None if words is None else self._labels.decode(words) for words in self.words]

    # Checking

    def check(self, value: bool) -> None:
        """Raises `ReplayError` unless the interpreter agrees with all of it."""
        for number in range(len(self.nodes)):
            self._check_node(number)
        solved = solve_game([self._row(equation, reasons) for equation, _, _, reasons in self.nodes])
        if solved != [one[1] for one in self.nodes] or self.nodes[0][1] != value:
            raise ReplayError("the diagnostic of a formula does not have the value that was found")

    def _row(self, number: int, reasons: list[tuple[int, int]]) -> Row:
        equation = self.system.equations[number]
        kind = self.system.kinds[equation.block]
        rank = equation.rank if kind == MIXED else FALSE_RANK if kind == "mu" else TRUE_RANK
        return Row(equation.is_disjunction, rank, tuple(reason for reason, _ in reasons))

    def _check_node(self, number: int) -> None:
        which, value, at, reasons = self.nodes[number]
        equation = self.system.equations[which]
        if self._is_decided(equation, at):
            agrees = value == equation.is_disjunction and not reasons
            if agrees and value != solve_game([self._row(which, [])])[0]:
                self._replace_by_constant(number)
        else:
            met = {(self._given[reason][0], self.states[self._given[reason][2]]) for reason, _ in reasons}
            possible = self._successors(equation, at)
            agrees = met == possible if value != equation.is_disjunction else len(met) == 1 and met <= possible
        if not agrees:
            raise ReplayError("the interpreter does not agree with a value of the diagnostic")

    def _replace_by_constant(self, number: int) -> None:
        """What propositions decide has no reasons, and would be solved as if there were none: it is its own one."""
        _, value, at, _ = self.nodes[number]
        self.nodes[number] = (self._constant(value), value, at, [])

    def _constant(self, value: bool) -> int:
        """An equation of no terms: a conjunction of nothing is true, a disjunction of nothing is false."""
        wanted = Equation(not value, ())
        if wanted not in self.system.equations:
            self.system = replace(self.system, equations=(*self.system.equations, wanted))
        return self.system.equations.index(wanted)

    def _is_decided(self, equation: Equation, at: int) -> bool:
        """Whether a proposition, or a step that is possible or not, decides an equation in a state."""
        for term in equation.terms:
            if term.leads:
                continue
            if term.kind == "proposition":
                state = self.states[at]
                holds = state is not None and self._semantics.holds(
                    self.atoms[self.system.propositions[term.which]], state
                )
            else:
                holds = any(self.system.sets[term.which].has(label) for label, _ in self._steps_of(at))
            if (holds != term.negated) == equation.is_disjunction:
                return True
        return False

    def _successors(self, equation: Equation, at: int) -> set[tuple[int, State | None]]:
        """The equations and states on which one depends in a state, as the interpreter sees it."""
        found: set[tuple[int, State | None]] = set()
        for term in equation.terms:
            if term.kind == "here":
                found.add((term.equation, self.states[at]))
            elif term.kind == "step":
                actions = self.system.sets[term.which]
                found |= {(term.equation, target) for label, target in self._steps_of(at) if actions.has(label)}
        return found

    def _steps_of(self, at: int) -> list[tuple[str, State | None]]:
        if at not in self._steps:
            state = self.states[at]
            steps = [] if state is None else self._semantics.steps(state)
            self._steps[at] = [(self._labels.of_step(state, step), step.target) for step in steps if state is not None]
        return self._steps[at]

    # Showing

    def trace(self) -> tuple[Trace | None, bool]:
        """The run along which each value has one reason that needs others, and whether that is all of the diagnostic.
        No run if there is not a step in it."""
        run, node = _Run([self.nodes[0][2]], [0]), 0
        met: dict[int, int] = {}
        while node not in met:
            met[node] = len(run.states) - 1
            reasons = self.nodes[node][3]
            going_on = [one for one in reasons if self.nodes[one[0]][3]] or reasons[:1]
            if not going_on:
                self._take_deciding(run, node)
            if len(going_on) != 1:
                return self._told(run, None), not going_on
            self._take(run, node, *going_on[0])
            node = going_on[0][0]
        return self._told(run, met[node]), True

    def _take(self, run: _Run, node: int, reason: int, arc: int) -> None:
        if arc >= 0:
            words = self.words[self.nodes[node][2]]
            assert words is not None
            run.actions.append(self._space.successor_arcs(words)[1][arc][0])
            run.states.append(self.nodes[reason][2])

    def _take_deciding(self, run: _Run, node: int) -> None:
        """The step whose being possible decides the last value, if that does."""
        which, _, at, _ = self._given[node]
        words, equation = self.words[at], self.system.equations[which]
        sets = [
            self.system.sets[term.which]
            for term in equation.terms
            if term.kind == "can" and term.negated != equation.is_disjunction
        ]
        if words is None:
            return
        for action, _, detail, target in self._space.successor_arcs(words)[1]:
            label = self._labels.of_arc(words, action, detail, target)
            if any(actions.has(label) for actions in sets):
                run.actions.append(action)
                run.states.append(self._number_of(target))
                return

    def _number_of(self, words: Words | None) -> int:
        """The number of a state, which may be new here."""
        if words not in self.words:
            self.words.append(words)
            self.states.append(None if words is None else self._labels.decode(words))
        return self.words.index(words)

    def _told(self, run: _Run, cycle: int | None) -> Trace | None:
        """The run as the interpreter tells it; with a cycle, it goes round from that position on."""
        states = [self.states[number] for number in run.states]
        reached = [state for state in states if state is not None]
        if len(states) == 1:
            return None
        path, fails = ConcretePath(self._program, reached, run.actions), len(reached) < len(states)
        if cycle is None or cycle == len(states) - 1:
            return self._problem.trace_along(path, fails)[0]
        lasso = replay_lasso(self._problem.model, path, cycle)
        return replace(trace_of(lasso.network, lasso.start, lasso.steps), cycle=lasso.cut)


class _Run(Record):
    """Numbers of states, and the actions between them, with one before the first."""

    states: list[int]
    actions: list[int]
