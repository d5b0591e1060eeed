"""Walks through a model one step at a time: what can be done in a state, what each step leads to, and how a walk ends.

The reference interpreter takes the steps of networks; a user's own space is asked itself. `beeline.timed.simulate` does
the same for models with clocks."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from beeline.engine import Action, split_successor
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.source import BeelineError
from beeline.records import Record
from beeline.trace.naming import Naming
from beeline.trace.pieces import changes, pieces
from beeline.trace.replay import show_step
from beeline.trace.trace import TraceStep, show_place


class Turn(Record, frozen=True):
    """A step that can be taken, and the state it leads to; None if it fails."""

    step: TraceStep
    target: Any


class World(ABC):
    """A model to walk through."""

    @abstractmethod
    def initial(self) -> Any:
        """The state in which a walk begins."""

    @abstractmethod
    def turns(self, state: Any, number: int) -> list[Turn]:
        """What can be done in a state, as steps with this number."""

    @abstractmethod
    def describe(self, state: Any) -> dict[str, str]:
        """What a state consists of, as text."""

    @abstractmethod
    def ending(self, state: Any) -> str:
        """What it means that nothing can be done in a state."""

    def wait(self, state: Any, amount: Fraction, number: int) -> Turn | None:
        """Time that passes; None where it cannot."""
        return None

    def plan(self, path: Path) -> list[Turn]:
        """The turns of the trace in a file that `beeline check --json` wrote. Raises `TrailError`."""
        from beeline.trace.trail import TrailError, read_steps

        state, found = self.initial(), list[Turn]()
        for wanted in read_steps(path)[0]:
            turns = self._wanted(state, len(found) + 1, wanted)
            if not turns:
                raise TrailError(f"{path}: step {wanted.get('step', len(found) + 1)} is not a step of this model")
            found += turns
            state = turns[-1].target
        return found

    def _wanted(self, state: Any, number: int, wanted: dict[str, Any]) -> list[Turn]:
        """The turns that a step of a trace in a file stands for; none if there are no such."""
        alike = [turn for turn in self.turns(state, number) if is_alike(turn.step, wanted)]
        return alike[:1]


def is_alike(step: TraceStep, wanted: dict[str, Any]) -> bool:
    """Whether a step is told as in a file."""
    told = {name: list(pair) for name, pair in step.changes.items()}
    return (step.process, step.action) == (wanted.get("process"), wanted.get("action")) and (
        step.error == (wanted.get("error") or "") and told == wanted.get("changes", {})
    )


class NetworkWorld(World):
    """A network without clocks."""

    def __init__(self, network: Network) -> None:
        self.network, self.semantics, self.naming = network, Semantics(network), Naming(network)

    def initial(self) -> Any:
        return self.semantics.unopened()

    def turns(self, state: Any, number: int) -> list[Turn]:
        steps = self.semantics.openings() if self.semantics.is_unopened(state) else self.semantics.steps(state)
        return [Turn(show_step(self.network, state, step, number), step.target) for step in steps]

    def describe(self, state: Any) -> dict[str, str]:
        return self.naming.describe(state)

    def ending(self, state: Any) -> str:
        if self.semantics.rests_at_end(state):
            return "the end: every process is at a valid end"
        kinds = self.network.processes
        places = [kinds[process.kind].locations[process.location] for process in state.processes]
        names = [self.naming.process(state, pid) for pid in range(len(places))]
        pairs = zip(names, places, strict=True)
        waiting = [f"{name} at {show_place(place.name)}" for name, place in pairs if not place.end]
        return f"deadlock: no step is possible, and not at a valid end: {', '.join(waiting)}"

    def plan(self, path: Path) -> list[Turn]:
        from beeline.trace.trail import read_trail

        trail = read_trail(path, self.network)
        taken = zip(trail.shown().steps, trail.steps, strict=True)
        before = self.turns(self.initial(), 1) if self.network.rules.opened else []
        opening = [turn for turn in before if turn.target == trail.start][:1]
        return [*opening, *(Turn(shown, step.target) for shown, step in taken)]


class UserWorld(World):
    """A space that a user wrote in Python."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def initial(self) -> Any:
        first = self.model.initial()
        return next(first) if isinstance(first, Iterator) else first

    def turns(self, state: Any, number: int) -> list[Turn]:
        found = []
        for item in self.model.successors(state) or ():
            label, target = split_successor(self.model, item)
            process, what = (label.process, label.what) if isinstance(label, Action) else ("", str(label or ""))
            before, after = pieces([state, target])
            found.append(Turn(TraceStep(number, process, what, changes(before, after)), target))
        return found

    def describe(self, state: Any) -> dict[str, str]:
        return pieces([state])[0]

    def ending(self, state: Any) -> str:
        if getattr(self.model, "deadlock_is_violation", False):
            return "deadlock: no step is possible"
        return "the end: no step is possible"

    def _wanted(self, state: Any, number: int, wanted: dict[str, Any]) -> list[Turn]:
        # How states come apart depends on all of a trace: the label has to do, if the changes do not tell.
        turns = self.turns(state, number)
        exact = [turn for turn in turns if is_alike(turn.step, wanted)]
        named = [
            turn for turn in turns if (turn.step.process, turn.step.action) == (wanted["process"], wanted["action"])
        ]
        return (exact or named)[:1]


def walk_at_random(world: World, steps: int, seed: int) -> Iterator[Turn]:
    """The turns of a walk, the same for the same seed: at most so many, fewer if none is possible or one fails."""
    source, state = random.Random(seed), world.initial()
    for number in range(1, steps + 1):
        possible = world.turns(state, number)
        if not possible:
            return
        taken = possible[source.randrange(len(possible))]
        yield taken
        if taken.target is None:
            return
        state = taken.target


class NoSuchStep(BeelineError):
    """A step that is not possible."""


class Walk:
    """Where somebody has come to, step by step, with ways back and forth."""

    def __init__(self, world: World, plan: Sequence[Turn] = ()) -> None:
        self.world, self.plan = world, list(plan)
        self.start = world.initial()
        self.taken: list[Turn] = []
        self._undone: list[Turn] = []  # the next one last

    @property
    def state(self) -> Any:
        """Where the walk is; before a step that failed, where that began."""
        reached = [turn.target for turn in self.taken if turn.target is not None]
        return reached[-1] if reached else self.start

    @property
    def steps(self) -> list[TraceStep]:
        return [turn.step for turn in self.taken]

    @property
    def has_failed(self) -> bool:
        return bool(self.taken) and self.taken[-1].target is None

    def possible(self) -> list[Turn]:
        """What can be done now."""
        return [] if self.has_failed else self.world.turns(self.state, len(self.taken) + 1)

    def planned(self) -> Turn | None:
        """The next turn of the plan, if the walk has followed it so far."""
        done = len(self.taken)
        followed = self.taken == self.plan[:done]
        return self.plan[done] if followed and done < len(self.plan) else None

    def take(self, turn: Turn) -> None:
        """Goes on. What was undone can be done again only if it is the same."""
        if self._undone and self._undone[-1] == turn:
            self._undone.pop()
        else:
            self._undone.clear()
        self.taken.append(turn)

    def go_to(self, number: int) -> None:
        """To the state after so many steps: back, or forward again through what was undone."""
        known = len(self.taken) + len(self._undone)
        if not 0 <= number <= known:
            raise NoSuchStep(f"there are {known} steps to go to, not {number}")
        while len(self.taken) > number:
            self._undone.append(self.taken.pop())
        while len(self.taken) < number:
            self.taken.append(self._undone.pop())

    def find(self, text: str) -> list[Turn]:
        """The possible turns that a text tells of: those of a process, those that begin so, or those that contain
        it."""
        wanted = text.lower()
        told = [(f"{turn.step.process}: {turn.step.action}".lower(), turn) for turn in self.possible()]
        alone = [turn for name, turn in told if wanted == name.partition(": ")[0]]
        if alone:
            return alone
        begin = [turn for name, turn in told if name.startswith(wanted) or name.partition(": ")[2].startswith(wanted)]
        return begin or [turn for name, turn in told if wanted in name]
