"""Replays an engine's path with the reference interpreter: nothing is shown to a person that does not replay.

A path may skip states in which a process kept control; the replay finds the way through them again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from beeline.model.evaluate import StepError
from beeline.model.network import Network
from beeline.model.printer import show_edge
from beeline.model.semantics import Move, Semantics, Step
from beeline.model.source import UNKNOWN, Source
from beeline.model.state import State
from beeline.trace.naming import Naming
from beeline.trace.trace import Trace, TraceStep

LONGEST_RUN = 100_000  # states looked at inside one uninterrupted run


class ReplayError(Exception):
    """The engine and the interpreter disagree: a fault of ours, never a verdict."""


def replay(network: Network, states: Sequence[State], failed: bool) -> Trace:
    """The trace through `states`; with `failed` a last step ends in an error. Raises `ReplayError`."""
    steps = steps_between(network, states, failed)
    return trace_of(network, states[0], steps)


def steps_between(network: Network, states: Sequence[State], failed: bool) -> list[Step]:
    """The interpreter's steps through `states`; see `replay`."""
    semantics = Semantics(network)
    if not states or states[0] not in semantics.initial_states():
        raise ReplayError("the path does not begin in an initial state")
    steps: list[Step] = []
    for before, after in pairwise(states):
        steps += _between(semantics, before, after)
    if failed:
        last = _search(semantics.steps, states[-1], lambda step: step.error is not None)
        steps += _known(last)
    return steps


def _between(semantics: Semantics, start: State, target: State) -> list[Step]:
    """The steps from one state to another. Those of a process that the target shows in another state are the likely
    ones, and working out all others takes long where there are hundreds."""
    changed = frozenset(_changed(start, target))

    def likely(state: State) -> list[Step]:
        return semantics.steps_begun_by(state, changed)

    def arrived(step: Step) -> bool:
        return step.target == target

    return _search(likely, start, arrived) or _known(_search(semantics.steps, start, arrived))


def _changed(before: State, after: State) -> Iterator[int]:
    for pid, process in enumerate(before.processes):
        if pid >= len(after.processes) or after.processes[pid] != process:
            yield pid


def _search(steps: Callable[[State], list[Step]], start: State, arrived: Callable[[Step], bool]) -> list[Step]:
    """The steps to a wanted one, over states in which a process keeps control; none if there is no way."""
    queue: deque[tuple[State, tuple[Step, ...]]] = deque([(start, ())])
    seen = {start}
    while queue and len(seen) < LONGEST_RUN:
        state, way = queue.popleft()
        for step in steps(state):
            if arrived(step):
                return [*way, step]
            if step.target is not None and step.target.control >= 0 and step.target not in seen:
                seen.add(step.target)
                queue.append((step.target, (*way, step)))
    return []


def _known(way: list[Step]) -> list[Step]:
    if not way:
        raise ReplayError("the interpreter knows no such step")
    return way


def trace_of(network: Network, start: State, steps: Sequence[Step]) -> Trace:
    """Steps of the interpreter in readable form."""
    naming = Naming(network)
    shown: list[TraceStep] = []
    states = [start]
    for number, step in enumerate(steps, start=1):
        shown.append(show_step(network, states[-1], step, number, naming))
        if step.target is not None:
            states.append(step.target)
    return Trace(naming.describe(start), tuple(shown), tuple(states))


def show_step(network: Network, before: State, step: Step, number: int, naming: Naming | None = None) -> TraceStep:
    """A step of the interpreter in readable form."""
    naming = naming or Naming(network)
    system = [move for move in step.moves if move.pid >= 0]
    first = system[0] if system else step.moves[0]
    others = tuple((naming.process(before, m.pid), _action(network, m)) for m in system[1:])
    return TraceStep(
        number,
        naming.process(before, first.pid),
        _action(network, first),
        {} if step.target is None else naming.changes(before, step.target),
        _source(network, first, step.error),
        others,
        step.output,
        _error_text(step.error),
    )


def _error_text(error: StepError | None) -> str:
    if error is None:
        return ""
    if error.kind != "assertion":
        return error.message
    asked = error.message
    inner = asked[len("assert(") : -1] if asked.startswith("assert(") and asked.endswith(")") else asked
    return f"assertion failed: {inner}"


def _action(network: Network, move: Move) -> str:
    process = network.monitor if move.pid < 0 else network.processes[move.kind]
    assert process is not None
    edge = process.edges[move.edge]
    return edge.text or show_edge(edge) or f"-> {process.locations[edge.target_location].name}"


def _source(network: Network, move: Move, error: StepError | None) -> Source:
    if error is not None and error.source.line:
        return error.source
    process = network.monitor if move.pid < 0 else network.processes[move.kind]
    return process.edges[move.edge].source if process is not None else UNKNOWN
