"""The steps of a synchronous system from the states of one of its phases.

The states before a set are found by putting the functions into it, with no relation at all; the states after a set by
joining the functions one by one, with each variable quantified as soon as no function to come reads it (Burch, Clarke
and Long, Symbolic model checking with partitioned transition relations, 1991)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from beeline.model.synchronous import Phase
from beeline.symbolic.diagrams import Diagram, Diagrams, joined

if TYPE_CHECKING:
    from beeline.symbolic.functions import Functions


class PhaseSteps:
    """The steps from the states of a phase. There, many bits stay as they are or become the same in all states; only
    the others need their functions."""

    def __init__(self, whole: Functions, phase: Phase) -> None:
        self._diagrams = whole.diagrams
        self.condition = whole.terms.truth(phase.condition)
        known = whole.bits_with(phase.known)
        self._fixed = whole.bits_with(phase.fixed)
        self._changing: list[tuple[int, int, Diagram]] = []
        """The bits that change: now, next, and the function."""
        for now, following, function in whole.bits():
            if now not in self._fixed:
                self._examine(now, following, _cofactor(function, known, self._diagrams))
        self._choices = [(_cofactor(one, known, self._diagrams), bits) for one, bits in whole.choices()]
        self._forget_choices()
        values = (self._diagrams.false, self._diagrams.true)
        constants = [(bit, values[value]) for bit, value in self._fixed.items()]
        self._functions = Diagram.make_substitution([*((now, f) for now, _, f in self._changing), *constants])
        self._renaming = self._diagrams.renaming((following, now) for now, following, _ in self._changing)
        self._schedule = self._scheduled(whole)

    def _examine(self, now: int, following: int, function: Diagram) -> None:
        """Tells whether a bit changes."""
        if function == self._diagrams.literal(now, True):
            return
        if not function.satisfiable() or not (~function).satisfiable():
            self._fixed[now] = function.satisfiable()
        else:
            self._changing.append((now, following, function))

    def _forget_choices(self) -> None:
        """A choice that nothing depends on need not be made: there is always one."""
        read = set().union(*(_support(function) for _, _, function in self._changing))
        kept = []
        for allowed, bits in reversed(self._choices):
            if read & set(bits):
                kept.append((allowed, bits))
                read |= _support(allowed)
        self._choices = kept[::-1]

    def _within(self, states: Diagram, parts: Iterable[Diagram]) -> Diagram:
        for part in parts:
            states = states & part
        return states

    def _scheduled(self, whole: Functions) -> list[tuple[Diagram, Diagram]]:
        """What is joined to a set one after the other, each with the bits that nothing to come reads."""
        leaving = {now for now, _, _ in self._changing} | set(self._fixed)
        leaving |= {bit for _, bits in self._choices for bit in bits}
        parts = [(allowed, _support(allowed)) for allowed, _ in self._choices]
        together: dict[str, list[Diagram]] = {}
        for now, following, function in self._changing:
            step = self._diagrams.literal(following, True).equiv(function)
            together.setdefault(whole.owner[now], []).append(step)
        for steps in together.values():
            whole_step = self._within(self._diagrams.true, steps)
            parts.append((whole_step, _support(whole_step) & whole.present))
        parts.sort(key=lambda part: max(part[1], default=0))
        found, later = [], set[int]()
        for diagram, read in reversed(parts):
            gone = (read & leaving) - later
            later |= read
            found.append((diagram, self._diagrams.variables(gone)))
        return [(self._diagrams.true, self._diagrams.variables(leaving - later)), *reversed(found)]

    def before(self, states: Diagram, region: Diagram) -> Diagram:
        """Those of the states in a region of this phase from which a step leads to these."""
        found = states.substitute(self._functions)
        for allowed, bits in reversed(self._choices):  # those before may say what is allowed
            found = joined(found, allowed, self._diagrams.variables(bits))
        return found & region

    def after(self, states: Diagram) -> Diagram:
        """Where steps lead from states of this phase."""
        if not states.satisfiable():
            return states
        for part, gone in self._schedule:
            states = joined(states, part, gone)
        return states.substitute(self._renaming) & self._diagrams.cube(self._fixed.items())

    def leading_to(self, state: Diagram, after: Mapping[int, bool]) -> Diagram:
        """A state with all choices that make its bits so."""
        found = self._within(state, (allowed for allowed, _ in self._choices))
        return self._within(found, (function if after[now] else ~function for now, _, function in self._changing))


def _cofactor(function: Diagram, known: Mapping[int, bool], diagrams: Diagrams) -> Diagram:
    values = [(bit, diagrams.true if value else diagrams.false) for bit, value in known.items()]
    return function.substitute(Diagram.make_substitution(values)) if values else function


def _support(function: Diagram) -> set[int]:
    """The bits that a function depends on."""
    seen: set[int] = set()
    waiting, visited = [function], {function}
    while waiting:
        one = waiting.pop()
        variable = one.node_var()
        if variable is None:
            continue
        seen.add(variable)
        for part in one.cofactors() or ():
            if part not in visited:
                visited.add(part)
                waiting.append(part)
    return seen
