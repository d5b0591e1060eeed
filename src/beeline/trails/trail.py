"""A trail: the steps of the interpreter from the start to a violation, which can be cut and put in another order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from beeline.model.evaluate import StepError
from beeline.model.network import Network, Property
from beeline.model.semantics import Move, Semantics, Step
from beeline.model.source import BeelineError
from beeline.model.state import State
from beeline.properties import violation
from beeline.records import Record
from beeline.trace import Trace
from beeline.trace.naming import Naming
from beeline.trace.replay import steps_between, trace_of

Moves = tuple[Move, ...]


class TrailError(BeelineError, ValueError):
    """A trail that does not fit the model."""


class Trail(Record, frozen=True):
    """States and the steps between them; the last step may have failed, and then leads nowhere."""

    network: Network
    start: State
    steps: tuple[Step, ...]

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def states(self) -> list[State]:
        return [self.start, *(step.target for step in self.steps if step.target is not None)]

    @property
    def units(self) -> list[tuple[Moves, ...]]:
        """The moves of each step, those of an uninterrupted run together: nobody can come in between."""
        found: list[list[Moves]] = []
        inside = False
        for step in self.steps:
            if inside:
                found[-1].append(step.moves)
            else:
                found.append([step.moves])
            inside = step.target is not None and step.target.control >= 0
        return [tuple(unit) for unit in found]

    @property
    def switches(self) -> int:
        """How often another process goes on."""
        movers = [next((move.pid for move in step.moves if move.pid >= 0), -1) for step in self.steps]
        return sum(a != b for a, b in pairwise(movers))

    def shown(self) -> Trace:
        """The trail as a trace for people."""
        return trace_of(self.network, self.start, self.steps)


class Replayer:
    """Follows moves from the start, and tells whether the end is a violation."""

    def __init__(self, network: Network, asked: Property) -> None:
        self.network = network
        self.asked = asked
        self.semantics = Semantics(network)
        self._known: dict[State, list[Step]] = {}

    def steps(self, state: State) -> list[Step]:
        """The steps of a state; trails of one error meet the same states again and again."""
        if state not in self._known:
            self._known[state] = self.semantics.steps(state)
        return self._known[state]

    def follow(self, units: Sequence[tuple[Moves, ...]]) -> Trail | None:
        """The trail that makes these moves and ends in a violation; None if there is none."""
        state = self.semantics.initial_states()[0]
        start, steps = state, []
        for unit in units:
            for moves in unit:
                taken = next((step for step in self.steps(state) if step.moves == moves), None)
                if taken is None:
                    return None
                steps.append(taken)
                if taken.target is None:
                    return Trail(self.network, start, tuple(steps))  # it failed: that is a violation, too
                state = taken.target
        return Trail(self.network, start, tuple(steps)) if self.is_violation(state) else None

    def is_violation(self, state: State) -> bool:
        """Whether what is asked is violated in a state, failing steps aside."""
        wanted = violation(self.asked)
        if wanted is not None:
            try:
                return self.semantics.holds(wanted, state)
            except StepError:
                return True
        return self.asked.kind in ("deadlock", "safety") and not self.steps(state) and self.semantics.is_deadlock(state)


def trail_of(network: Network, states: Sequence[State], failed: bool) -> Trail:
    """The trail through states that a search found; see `beeline.trace.replay`."""
    return Trail(network, states[0], tuple(steps_between(network, states, failed)))


def read_trail(path: str | Path, network: Network) -> tuple[Trail, dict[str, Any]]:
    """The trail in a JSON file as `beeline check --json` wrote it, and the object around it (empty for a bare list)."""
    try:
        content = json.loads(Path(path).read_text())
    except OSError as error:
        raise TrailError(f"{path}: {error.strerror}\n  hint: `beeline check MODEL --json` writes traces") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise TrailError(f"{path}: this is no JSON ({error})\n  hint: SPIN's trails end in .trail") from None
    steps = content.get("trace") if isinstance(content, dict) else content
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise TrailError(f"{path} holds no trace: a list of steps, or an object with one under 'trace'")
    return follow_shown(network, steps, str(path)), content if isinstance(content, dict) else {}


def follow_shown(network: Network, shown: Sequence[dict[str, Any]], name: str = "the trace") -> Trail:
    """The trail that looks like `shown`. Where several steps look alike, all are kept until the trace tells."""
    semantics, naming = Semantics(network), Naming(network)
    start = semantics.initial_states()[0]
    ways: dict[State, tuple[Step, ...]] = {start: ()}
    for position, wanted in enumerate(shown, start=1):
        changes = {part: tuple(change) for part, change in wanted.get("changes", {}).items()}
        following: dict[State, tuple[Step, ...]] = {}
        for state, way in ways.items():
            for step in semantics.steps(state):
                if wanted.get("error"):
                    if step.error is not None and naming.process(state, step.moves[0].pid) == wanted.get("process"):
                        return Trail(network, start, (*way, step))
                elif step.target is not None and naming.changes(state, step.target) == changes:
                    following.setdefault(step.target, (*way, step))
        if not following:
            raise TrailError(f"{name}: step {position} is not a step of this model")
        ways = following
    return Trail(network, start, next(iter(ways.values())))
