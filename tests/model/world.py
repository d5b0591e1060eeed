"""Small networks, walked by hand: what can happen, what it changes, and that the engine says the same."""

from __future__ import annotations

from tests.compile.test_agreement import explore_both

from beeline.model.builder import NetworkBuilder
from beeline.model.network import Network
from beeline.model.semantics import Semantics, Step
from beeline.model.state import State
from beeline.trace.naming import Naming


class World:
    """A network and its steps. Making one compares the engine's arcs with the interpreter's."""

    def __init__(self, model: NetworkBuilder | Network) -> None:
        self.network = model.build() if isinstance(model, NetworkBuilder) else model
        self.semantics = Semantics(self.network)
        self.naming = Naming(self.network)
        self.state = self.semantics.initial_states()[0]
        explore_both(self.network)

    def steps(self) -> list[Step]:
        return self.semantics.steps(self.state)

    def movers(self) -> list[str]:
        """Who can move now, one entry for each step: the names of its processes, joined by +."""
        return [self._label(step) for step in self.steps()]

    def _label(self, step: Step) -> str:
        names = [self.naming.process(self.state, move.pid) for move in step.moves]
        return "+".join(dict.fromkeys(names))

    def go(self, *labels: str) -> World:
        """Takes, for each label, the first step of these movers."""
        for label in labels:
            step = next((step for step in self.steps() if self._label(step) == label), None)
            assert step is not None, f"{label} is not among {self.movers()}"
            assert step.target is not None, step.error
            self.state = step.target
        return self

    def __getitem__(self, name: str) -> str:
        """A part of the present state as text: a variable, a channel's contents, a process's location."""
        return self.naming.describe(self.state)[name]

    def targets(self, *names: str) -> list[tuple[str, ...]]:
        """The values of some parts after each possible step."""
        found = [self.naming.describe(step.target) for step in self.steps() if step.target is not None]
        return [tuple(parts[name] for name in names) for parts in found]

    def errors(self) -> list[str]:
        """The kinds of errors that steps from here end in."""
        return [step.error.kind for step in self.steps() if step.error is not None]

    def is_deadlock(self) -> bool:
        return self.semantics.is_deadlock(self.state)

    def reachable(self) -> set[State]:
        """All states; only for networks that have few."""
        found = {self.state}
        pending = [self.state]
        while pending:
            for step in self.semantics.steps(pending.pop()):
                if step.target is not None and step.target not in found:
                    found.add(step.target)
                    pending.append(step.target)
        return found
