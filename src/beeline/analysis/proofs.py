"""The third tier of the dependence service: what reads and writes cannot tell, an SMT solver may prove.

Two edges are independent if, wherever both are enabled, neither changes what the other comes to, and both orders lead
to the same state (Bhattacharya, German and Gopalakrishnan, "Exploiting symmetry and transactions for partial order
reduction of rule based specifications", SPIN 2006, conditions En and Co). The same is asked of who can
enable whom, and of whom a goal can see. Pairs that differ only in the names of interchangeable things are asked about
once.

What is asked to hold in all states is taken to hold: up to the first state where it does not, which the search looks
for, that is so. (The paper strengthens guards instead and checks that the new guards follow from the old ones.)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

from beeline.analysis import formulas
from beeline.analysis.configuration import Configuration
from beeline.analysis.dependence import Dependence, EdgeFacts, Test
from beeline.analysis.formulas import Truth, conjunction, disjunction, negation
from beeline.analysis.solver import Solver
from beeline.analysis.symbolic_steps import Memory, Outcome, Symbols, Unfollowed, follow, truth_of
from beeline.analysis.tiers import SMT
from beeline.compile.program import Program
from beeline.model.evaluate import StepError
from beeline.model.expressions import TRUE, Expression
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.model.types import EnumType
from beeline.records import replace

ALTOGETHER = 60.0
"""Seconds that proofs may take before a search."""


class Proved(Dependence):
    """Dependence with what a solver proves on top. `alike`: members of interchangeable types are so in the question,
    too."""

    def __init__(
        self,
        program: Program,
        configuration: Configuration,
        seconds: float,
        assumed: Expression | None = None,
        alike: bool = False,
    ) -> None:
        super().__init__(program, configuration, SMT)
        self._alike = alike and all(self._is_plain(kind) for kind in set(configuration.kinds))
        self._symbols = Symbols(self.footprints)
        self._start = Memory(self._symbols)
        self.solver = Solver(seconds, ALTOGETHER, self._symbols.bounds(), self._taken_for_granted(assumed))
        self._outcomes: dict[int, Outcome | None] = {}
        self._answers: dict[Hashable, bool] = {}

    # What is refined

    def disturbed_by(self, one: int) -> frozenset[int]:
        return frozenset(other for other in super().disturbed_by(one) if not self._independent(one, other))

    def enablers(self, position: int) -> frozenset[int]:
        return frozenset(other for other in super().enablers(position) if not self._never_enables(other, position))

    def tests(self, position: int) -> list[Test]:
        found = super().tests(position)
        return [
            replace(
                test, makers=frozenset(one for one in test.makers if not self._never_makes(one, test, (position, i)))
            )
            for i, test in enumerate(found)
        ]

    def may_undo(self, position: int, goal: Expression) -> bool:
        """Whether an edge may lead from a state with a goal to one without."""
        return not self._proved("undo", (position,), lambda: self._undone(position, goal))

    def unproved(self, invariants: list[Expression]) -> list[Expression]:
        """The others hold at the start and are kept by every step from a state where all hold, so that none of them can
        be the first to be broken: who looks for the first state without one, need not look for them."""
        semantics = Semantics(self.network)
        start = semantics.initial_states()
        return [
            one
            for number, one in enumerate(invariants)
            if not (all(_holds(semantics, one, state) for state in start) and self._is_kept(one, number))
        ]

    def _is_kept(self, invariant: Expression, number: int) -> bool:
        opening = range(1 if self.network.rules.opened else 0)  # its steps lead to the initial states
        return all(
            self._proved(f"keep {number}", (position,), partial(self._broken, position, invariant))
            for position, facts in enumerate(self.edges)
            if facts.process not in opening
        )

    def _broken(self, position: int, invariant: Expression) -> Truth:
        outcome = self._outcome(position)
        kept = truth_of(self.footprints, invariant, outcome.after)
        return conjunction(self._able(outcome, self._start), negation(outcome.fails), negation(kept))

    # Questions, each a condition that must be impossible

    def _independent(self, one: int, other: int) -> bool:
        if self.edges[one].process == self.edges[other].process:
            return False
        return self._proved("accord", (one, other), lambda: self._disturbed(one, other))

    def _disturbed(self, one: int, other: int) -> Truth:
        first, second = self._outcome(one), self._outcome(other)
        second_after, first_after = self._after(other, first.after), self._after(one, second.after)
        here = self._start
        return conjunction(
            self._able(first, here),
            self._able(second, here),
            disjunction(
                conjunction(negation(second.fails), self._altered(first, first_after, second.after)),
                conjunction(negation(first.fails), self._altered(second, second_after, first.after)),
                conjunction(
                    negation(first.fails), negation(second.fails), first_after.after.differs(second_after.after)
                ),
            ),
        )

    def _altered(self, before: Outcome, later: Outcome, there: Memory) -> Truth:
        """Whether an edge that is enabled comes to something else: is disabled, or fails instead of leading on."""
        return disjunction(
            negation(self._able(later, there)),
            negation(formulas.same(before.fails, later.fails)),
            negation(formulas.same(before.unguarded, later.unguarded)),
        )

    def _never_enables(self, maker: int, made: int) -> bool:
        if self.edges[maker].process == self.edges[made].process:
            return False
        return self._proved("enable", (maker, made), lambda: self._enabled(maker, made))

    def _enabled(self, maker: int, made: int) -> Truth:
        first, second = self._outcome(maker), self._outcome(made)
        after = self._after(made, first.after)
        return conjunction(
            self._able(first, self._start),
            negation(first.fails),
            negation(self._able(second, self._start)),
            self._able(after, first.after),
        )

    def _never_makes(self, maker: int, test: Test, which: tuple[int, int]) -> bool:
        if self.edges[maker].process == self.edges[which[0]].process or test.after_first:
            return False
        return self._proved(f"make {which[1]}", (maker, which[0]), lambda: self._made(maker, test))

    def _made(self, maker: int, test: Test) -> Truth:
        first = self._outcome(maker)
        before, after = (
            formulas.compare(test.operator, state[test.cell], test.value) for state in (self._start, first.after)
        )
        return conjunction(self._able(first, self._start), negation(first.fails), negation(before), after)

    def _undone(self, position: int, goal: Expression) -> Truth:
        outcome = self._outcome(position)
        return conjunction(
            self._able(outcome, self._start),
            negation(outcome.fails),
            truth_of(self.footprints, goal, self._start),
            negation(truth_of(self.footprints, goal, outcome.after)),
        )

    # Following edges

    def _able(self, outcome: Outcome, before: Memory) -> Truth:
        """Whether there is such a step. One that changes nothing is none where the network's rules say so."""
        if not self.network.rules.stuttering:
            return outcome.enabled
        return conjunction(outcome.enabled, disjunction(outcome.fails, outcome.after.changed(before)))

    def _outcome(self, position: int) -> Outcome:
        """Raises `Unfollowed` for an edge of which nothing can be said."""
        if position not in self._outcomes:
            try:
                self._outcomes[position] = self._after(position, self._start)
            except Unfollowed:
                self._outcomes[position] = None
        found = self._outcomes[position]
        if found is None:
            raise Unfollowed
        return found

    def _after(self, position: int, before: Memory) -> Outcome:
        facts = self.edges[position]
        kind = self.network.processes[self.configuration.kinds[facts.process]]
        ranks = {self.edges[other].edge.rank for other in self.leaving(facts.process, facts.source)}
        alone = len(facts.members) == 1 and facts.edge.sync is None and not facts.edge.otherwise and len(ranks) == 1
        if not alone or self._is_inside(facts) or facts.asks_timeout or kind.provided != TRUE:
            raise Unfollowed
        return follow(self.footprints, facts.process, facts.edge, before)

    def _is_inside(self, facts: EdgeFacts) -> bool:
        """Whether an edge may belong to a run that nobody interrupts; inside of it nothing is asked of states."""
        before = (self.edges[other] for other in self.entering(facts.process, facts.source))
        return self.goes_on(facts) or any(map(self.goes_on, before))

    # Proving

    def _proved(self, what: str, edges: tuple[int, ...], question: Callable[[], Truth]) -> bool:
        key = (what, *self._class_of(edges))
        if key not in self._answers:
            try:
                self._answers[key] = self.solver.impossible(question(), assuming=what != "undo")
            except Unfollowed:
                self._answers[key] = False
        return self._answers[key]

    def _taken_for_granted(self, assumed: Expression | None) -> Truth:
        try:
            return True if assumed is None else truth_of(self.footprints, assumed, self._start)
        except Unfollowed:
            return True

    def _class_of(self, edges: tuple[int, ...]) -> tuple[Hashable, ...]:
        """The edges, with interchangeable values of parameters numbered as they come; the same for edges that are
        alike."""
        if not self._alike:
            return edges
        found: list[Hashable] = []
        numbered: dict[tuple[str, int], int] = {}
        for position in edges:
            facts = self.edges[position]
            kind = self.configuration.kinds[facts.process]
            found.append((kind, facts.edge.source_location, self.leaving(facts.process, facts.source).index(position)))
            constants = self.configuration.constants[facts.process]
            for slot in self.footprints.scope.processes[kind].slots.values():
                value = constants.get(slot.offset)
                if isinstance(slot.type, EnumType) and slot.type.interchangeable and value is not None:
                    found.append(numbered.setdefault((slot.type.name, value), len(numbered)))
                else:
                    found.append((value,))
        return tuple(found)

    def _is_plain(self, kind: int) -> bool:
        """Whether the parameters of a kind are not of joined types, whose values may be those of several."""
        slots = self.footprints.scope.processes[kind].slots.values()
        return all(not isinstance(slot.type, EnumType) or not slot.type.parts for slot in slots)


def _holds(semantics: Semantics, invariant: Expression, state: State) -> bool:
    try:
        return semantics.holds(invariant, state)
    except StepError:
        return False
