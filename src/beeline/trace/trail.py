"""A trail: the steps of the interpreter from the start to a violation, which can be cut and put in another order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.semantics import ANY, Move, Semantics, Sought, Step
from beeline.model.source import BeelineError
from beeline.model.state import State
from beeline.records import Record, replace
from beeline.trace import Trace
from beeline.trace.ending import ending
from beeline.trace.naming import Naming
from beeline.trace.replay import find_way, steps_between, trace_of

Moves = tuple[Move, ...]


class TrailError(BeelineError, ValueError):
    """A trail that does not fit the model."""


class Trail(Record, frozen=True):
    """States and the steps between them; the last step may have failed, and then leads nowhere. What comes after
    `cycle` steps, if that is given, comes again and again."""

    network: Network
    start: State
    steps: tuple[Step, ...]
    cycle: int | None = None

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def states(self) -> list[State]:
        return [self.start, *(step.target for step in self.steps if step.target is not None)]

    @property
    def units(self) -> list[tuple[Moves, ...]]:
        """The moves of each step, those of an uninterrupted run together."""
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
        return replace(trace_of(self.network, self.start, self.steps), cycle=self.cycle)


class Replayer:
    """Follows moves from the start, and tells whether the end is a violation."""

    def __init__(self, network: Network, asked: Property) -> None:
        self.network = network
        self.asked = asked
        self.semantics = Semantics(network)

    def follow(self, units: Sequence[tuple[Moves, ...]]) -> Trail | None:
        """The trail that makes these moves and ends in a violation; None if there is none."""
        trails = (self._follow(start, units) for start in self.semantics.initial_states())
        return next((trail for trail in trails if trail is not None), None)

    def _follow(self, start: State, units: Sequence[tuple[Moves, ...]]) -> Trail | None:
        state, steps = start, []
        for unit in units:
            for moves in unit:
                taken = self.semantics.step(state, moves)
                if taken is None:
                    return None
                steps.append(taken)
                if taken.target is None:
                    return Trail(self.network, start, tuple(steps))  # it failed: that is a violation, too
                state = taken.target
        return Trail(self.network, start, tuple(steps)) if self.is_violation(state) else None

    def is_violation(self, state: State) -> bool:
        """Whether what is asked is violated in a state, failing steps aside."""
        stuck = self.asked.seeks_deadlock and self.semantics.is_deadlock(state)
        return ending(self.semantics, self.asked, state, stuck) is not None


def trail_of(network: Network, states: Sequence[State], failed: bool) -> Trail:
    """The trail through states that a search found; see `beeline.trace.replay`."""
    start, steps = steps_between(network, states, failed)
    return Trail(network, start, tuple(steps))


def read_trail(path: str | Path, network: Network) -> Trail:
    """The trail in a JSON file as `beeline check --json` wrote it; the network is one that its property watches."""
    return follow_shown(network, read_steps(path)[0], str(path))


def read_steps(path: str | Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The steps in a JSON file, and the object around them (empty for a bare list)."""
    try:
        content = json.loads(Path(path).read_text())
    except OSError as error:
        raise TrailError(f"{path}: {error.strerror}\n  hint: `beeline check MODEL --json` writes traces") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise TrailError(f"{path}: this is no JSON ({error})\n  hint: SPIN's trails end in .trail") from None
    steps = content.get("trace") if isinstance(content, dict) else content
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise TrailError(f"{path} holds no trace: a list of steps, or an object with one under 'trace'")
    return steps, content if isinstance(content, dict) else {}


class _Way(Record, frozen=True):
    """Where a trail has come to, by which step, and the way before it."""

    state: State
    step: Step | None = None
    before: _Way | None = None

    def trail(self, network: Network) -> Trail:
        steps: list[Step] = []
        way: _Way = self
        while way.before is not None and way.step is not None:
            steps.append(way.step)
            way = way.before
        return Trail(network, way.state, tuple(reversed(steps)))

    def extended(self, steps: Sequence[Step]) -> _Way:
        way = self
        for step in steps:
            way = _Way(way.state if step.target is None else step.target, step, way)
        return way


def follow_shown(network: Network, shown: Sequence[dict[str, Any]], name: str = "the trace") -> Trail:
    """The trail that looks like `shown`. Where several steps look alike, all are kept until the trace tells."""
    semantics, naming = Semantics(network), Naming(network)
    ways = [_Way(state) for state in semantics.initial_states()]
    for position, wanted in enumerate(shown, start=1):
        ways = [longer for way in ways for longer in _continued(semantics, naming, way, wanted)]
        if not ways:
            raise TrailError(f"{name}: step {position} is not a step of this model")
        if len(ways) > 1:
            ways = list({way.state: way for way in reversed(ways)}.values())[::-1]
        if wanted.get("error"):
            break
    return ways[0].trail(network)


def _continued(semantics: Semantics, naming: Naming, way: _Way, wanted: dict[str, Any]) -> list[_Way]:
    """Ways that go on with a step that looks as wanted. Those of the process that is named are tried first, and steps
    that change just what is told. But a step may also stand for an uninterrupted run, and leave out changes of what
    was taken out of the network before it was searched."""
    changes = {part: tuple(change) for part, change in wanted.get("changes", {}).items()}

    def fails(step: Step) -> bool:
        first = next((move for move in step.moves if move.pid >= 0), step.moves[0])
        return step.error is not None and naming.process(way.state, first.pid) == wanted.get("process")

    def changes_just_that(step: Step) -> bool:
        return step.target is not None and naming.changes(way.state, step.target) == changes

    def changes_that(step: Step) -> bool:
        return step.target is not None and changes.items() <= naming.changes(way.state, step.target).items()

    for sought in _sought(naming, way.state, wanted.get("process")):
        begun = semantics.steps(way.state, sought)
        for looks_right in (fails,) if wanted.get("error") else (changes_just_that, changes_that):
            found = [way.extended([step]) for step in begun if looks_right(step)]
            run = [] if found else find_way(semantics, way.state, sought, looks_right)
            if found or run:
                return found or [way.extended(run)]
    return []


def _sought(naming: Naming, state: State, process: Any) -> list[Sought]:
    """Where to look for a step of the process with this name."""
    if process == "monitor":
        return [Sought(frozenset()), ANY]
    named = naming.number(state, str(process))
    return [ANY] if named is None else [Sought(frozenset([named])), ANY]
