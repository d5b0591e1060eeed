"""Formulas about networks, watched by automata that read propositions: the kinds that `--automaton` names."""

from __future__ import annotations

from typing import cast

from beeline.automata.observer import TESTING, Observer, observer
from beeline.automata.stuttering import require_stutter_invariant
from beeline.compile.program import compile_values
from beeline.engine import Found, NativeSpace, core
from beeline.engine.budget import doing
from beeline.model import expressions as ir
from beeline.model.network import Edge, Location, Network, Process
from beeline.model.property import Property
from beeline.model.source import ModelError
from beeline.problems.networks import NetworkProblem, ReadyNetwork
from beeline.problems.settings import Reduced, Settings
from beeline.properties.linear import Linear

_BEYOND_A_STATE = frozenset({"timeout", "nonprogress", "enabled"})
_ONLOOKER = Process("onlooker", (Location("watching"),), (Edge(0, 0),), 0)
"""Sees nothing, and always can move: a network that it watches goes on in its last state when it comes to rest."""


class ObservedProblem(NetworkProblem):
    """A network and the automaton of the runs that violate a formula."""

    asked: Linear

    def __init__(self, model: Network, asked: Linear, automaton: Observer, max_processes: int | None = None) -> None:
        super().__init__(model, asked, max_processes=max_processes)
        self.automaton = automaton

    @property
    def stop(self) -> Found:
        return super().stop | Found.CYCLE

    def ready(self, settings: Settings) -> ReadyObserved:
        return ReadyObserved(self)

    def with_more_processes(self) -> ObservedProblem:
        wider = super().with_more_processes().max_processes
        return ObservedProblem(self.model, self.asked, self.automaton, wider)


class ReadyObserved(ReadyNetwork):
    """A compiled network with its automaton."""

    def __init__(self, problem: ObservedProblem) -> None:
        super().__init__(problem, None)
        self._automaton = problem.automaton
        atoms = dict(problem.asked.atoms)
        tables, self._blocks = compile_values(
            self.program.layout, [atoms[name] for name in problem.automaton.propositions]
        )
        self._values = core.Program(tables)

    def space(self, merged: bool = False, reduced: Reduced | None = None) -> NativeSpace:
        plain = super().space(merged)
        assert isinstance(plain, core.ProgramSpace)
        watched = core.ObservedSpace(plain, self._values, self._blocks, _native(self._automaton))
        return cast(NativeSpace, watched)  # it offers the searches for its kinds of acceptance, and no others


def observed(network: Network, asked: Property, kind: str) -> ObservedProblem:
    """The problem whether no run of a network is accepted by the automaton of a formula's negation. Raises `ModelError`
    for a question that no such automaton can answer."""
    if not isinstance(asked, Linear):
        remedy = "leave out --automaton, or ask for a formula by --property"
        raise ModelError(f"{asked.name} is no formula that an automaton could be chosen for", asked.source, remedy)
    named = {part.name for _, atom in asked.atoms for part in ir.walk(atom) if isinstance(part, ir.Builtin)}
    if strange := named & _BEYOND_A_STATE:
        message = f"a state does not tell the value of '{min(strange)}' to such an automaton"
        raise ModelError(message, asked.source, "leave out --automaton")
    doing("translating")
    try:
        if kind in TESTING:
            require_stutter_invariant(asked.formula, "a testing automaton")
        automaton = observer(kind, ~asked.formula)
    except ModelError as error:
        raise ModelError(error.message, asked.source, error.remedy) from None
    return ObservedProblem(network.watched_by(_ONLOOKER), asked, automaton)


def _native(automaton: Observer) -> core.ObserverAutomaton:
    states = range(automaton.states)
    return core.ObserverAutomaton(
        automaton.reads,
        len(automaton.propositions),
        list(automaton.moves),
        [int(state in automaton.accepting) for state in states],
        [int(state in automaton.livelock) for state in states],
        automaton.sets,
    )
