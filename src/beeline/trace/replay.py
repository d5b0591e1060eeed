"""Replays an engine's path with the reference interpreter: nothing is shown to a person that does not replay.

A path may skip states in which a process kept control; the replay finds the way through them again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from beeline.model.evaluate import Context, StepError, evaluate
from beeline.model.network import Network, Process, Send, Together
from beeline.model.printer import show_edge
from beeline.model.semantics import ANY, Move, Semantics, Sought, Step
from beeline.model.source import UNKNOWN, Source
from beeline.model.state import Draft, ProcessState, State, changed
from beeline.records import replace
from beeline.trace.naming import Naming
from beeline.trace.trace import Trace, TraceStep

LONGEST_RUN = 100_000  # states looked at inside one uninterrupted run


class ReplayError(Exception):
    """The engine and the interpreter disagree: a fault of ours, never a verdict."""


class Spurious(ReplayError):
    """A path through zones that include more than what is reachable, because clocks are stopped; perhaps there is
    another way, perhaps none."""


Watch = Callable[[int, int], None]
"""Told the number of a step that is about to be replayed, and how many there are."""


def unwatched(number: int, total: int) -> None:
    """Nobody wants to know."""


class Path:
    """States that a search says it went through, one at a time, and how each step to the next began, if that is known.

    `follow` gives the next state, given one that equals the last: states that have parts in common are quick to
    compare."""

    def __init__(self, states: Sequence[State]) -> None:
        self.start = states[0] if states else None
        self.length = max(0, len(states) - 1)
        self._states = states

    def follow(self, number: int, before: State) -> State:
        """The state after step `number`, the first of which is 1."""
        return self._states[number]

    def first_move(self, number: int) -> Move | None:
        """The move that step `number` begins with; the failing one comes after the last."""
        return None


def replay(network: Network, states: Sequence[State] | Path, failed: bool, watch: Watch = unwatched) -> Trace:
    """The trace through `states`; with `failed` a last step ends in an error. Raises `ReplayError`."""
    start, steps = steps_between(network, states, failed, watch)
    return trace_of(network, start, steps)


def steps_between(
    network: Network, states: Sequence[State] | Path, failed: bool, watch: Watch = unwatched
) -> tuple[State, list[Step]]:
    """The initial state and the interpreter's steps through `states`; see `replay`."""
    start, groups = grouped_steps(network, states, failed, watch)
    return start, [step for group in groups for step in group]


def grouped_steps(
    network: Network, states: Sequence[State] | Path, failed: bool = False, watch: Watch = unwatched
) -> tuple[State, list[list[Step]]]:
    """The same, with the steps of each step of the path together: several, where it passes over what lies between."""
    path = states if isinstance(states, Path) else Path(states)
    semantics = Semantics(network)
    if path.start is None and failed and network.rules.opened:
        return semantics.unopened(), [_failed_opening(semantics, path.first_move(0))]
    if path.start is None or not _is_initial(semantics, path.start, path.first_move(0)):
        raise ReplayError("the path does not begin in an initial state")
    groups: list[list[Step]] = []
    state = path.start
    for number in range(1, path.length + 1):
        watch(number, path.length)
        target = path.follow(number, state)
        groups.append(_between(semantics, state, target, path.first_move(number)))
        last = groups[-1][-1].target
        assert last is not None
        state = last
    if failed:
        first = path.first_move(path.length + 1)
        groups.append(_first_way(semantics, state, _beginnings(first), lambda step: step.error is not None))
    return path.start, groups


def _is_initial(semantics: Semantics, state: State, first: Move | None) -> bool:
    """Whether a state is an initial one; where the network is opened, by that move, if it is known."""
    if not semantics.network.rules.opened:
        return state == semantics.unopened()
    return any(step.target == state for sought in _beginnings(first) for step in semantics.openings(sought))


def _failed_opening(semantics: Semantics, first: Move | None) -> list[Step]:
    for sought in _beginnings(first):
        for step in semantics.openings(sought):
            if step.error is not None:
                return [step]
    raise ReplayError("the interpreter knows no start that fails")


def _between(semantics: Semantics, start: State, target: State, first: Move | None) -> list[Step]:
    """The steps from one state to another, of which the first begins with `first`, if that is known. Processes that
    the target shows in another state are likely to take part; only if no such step leads there is every other worked
    out."""
    likely = _partners(semantics.network, start, target)
    tried = [Sought(frozenset(likely))]
    if first is not None:
        others = {pid: moves for pid, moves in likely.items() if pid != first.pid}
        tried = [Sought(frozenset([first.pid]), first, others), *_beginnings(first)[:-1], *tried]
    return _first_way(semantics, start, [*tried, ANY], lambda step: step.target == target)


def _beginnings(first: Move | None) -> list[Sought]:
    return [ANY] if first is None else [Sought(frozenset([first.pid]), first), ANY]


class _Towards:
    """The moves of a process that lead to where it is after a step; all if it is there no more."""

    def __init__(self, process: Process, after: ProcessState | None) -> None:
        self._edges, self._after = process.edges, after

    def __contains__(self, move: object) -> bool:
        assert isinstance(move, Move)
        return self._after is None or self._edges[move.edge].target_location == self._after.location


def _partners(network: Network, before: State, after: State) -> dict[int, _Towards]:
    """The processes that changed, each with the moves from where it was to where it is."""
    found: dict[int, _Towards] = {}
    for pid in changed(before.processes, after.processes):
        if pid < len(before.processes):
            old, new = before.processes[pid], after.processes[pid] if pid < len(after.processes) else None
            if old != new:
                found[pid] = _Towards(network.processes[old.kind], new)
    return found


def _first_way(
    semantics: Semantics, start: State, tried: Sequence[Sought], arrived: Callable[[Step], bool]
) -> list[Step]:
    """The steps to a wanted one. The first of them is looked for in several ways, the quickest first."""
    for sought in tried:
        way = find_way(semantics, start, sought, arrived)
        if way:
            return way
    raise ReplayError("the interpreter knows no such step")


def find_way(semantics: Semantics, start: State, sought: Sought, arrived: Callable[[Step], bool]) -> list[Step]:
    """The steps to a wanted one, over states in which a process keeps control; none if there is no way."""
    begun = semantics.steps(start, sought)
    direct = next((step for step in begun if arrived(step)), None)
    if direct is not None:
        return [direct]
    queue: deque[tuple[Step, tuple[Step, ...]]] = deque((step, (step,)) for step in begun)
    seen = {start}
    while queue and len(seen) < LONGEST_RUN:
        last, way = queue.popleft()
        state = last.target
        if state is None or state.control < 0 or state in seen:
            continue
        seen.add(state)
        for step in semantics.steps(state):
            if arrived(step):
                return [*way, step]
            queue.append((step, (*way, step)))
    return []


def trace_of(network: Network, start: State, steps: Sequence[Step]) -> Trace:
    """Steps of the interpreter in readable form."""
    naming = Naming(network)
    shown: list[TraceStep] = []
    states = [start]
    opening = opening_of(network, start)
    for number, step in enumerate(steps, start=1):
        shown.append(show_step(network, states[-1], step, number, naming))
        if step.target is not None:
            states.append(step.target)
    return Trace(naming.describe(start), tuple(shown), tuple(states), opening=opening)


def opening_of(network: Network, start: State) -> str:
    """How the network comes to an initial state, where it says so."""
    if not network.rules.opened:
        return ""
    found = (step for step in Semantics(network).openings() if step.target == start)
    return next((_action(network, step.moves[0]) for step in found), "")


def show_step(network: Network, before: State, step: Step, number: int, naming: Naming | None = None) -> TraceStep:
    """A step of the interpreter in readable form."""
    naming = naming or Naming(network)
    shown = show_moves(network, before, step.moves, number, naming)
    return replace(
        shown,
        changes={} if step.target is None else naming.changes(before, step.target),
        source=step.error.source if step.error is not None and step.error.source.line else shown.source,
        output=step.output,
        error=_error_text(step.error),
    )


def show_moves(network: Network, before: State, moves: tuple[Move, ...], number: int, naming: Naming) -> TraceStep:
    """Who moves in a step and how, what it changes left out."""
    system = [move for move in moves if move.pid >= 0] or list(moves)
    if not system:
        return TraceStep(number, "", "", {})
    first = system[0]
    partners = [] if network.rules.quiet_partners else system[1:]
    others = tuple((naming.process(before, move.pid), _action(network, move)) for move in partners)
    process, message = naming.process(before, first.pid), _handed_over(network, before, system, naming)
    return TraceStep(number, process, _action(network, first), {}, _source(network, first), others, message=message)


def _handed_over(network: Network, before: State, moves: Sequence[Move], naming: Naming) -> str:
    """The channel of a handshake and the values that go through it, as text; empty where there is none."""
    first = moves[0]
    if first.pid < 0:
        return ""
    sync = network.processes[first.kind].edges[first.edge].sync
    if isinstance(sync, Together):
        return sync.label
    if len({move.pid for move in moves}) < 2 or not isinstance(sync, Send):
        return ""
    context = Context(naming.scope, Draft(before), first.pid)
    try:
        number, values = evaluate(sync.channel, context), [evaluate(value, context) for value in sync.values]
    except StepError:
        return ""
    return naming.handed_over(before, number, tuple(values))


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


def _source(network: Network, move: Move) -> Source:
    process = network.monitor if move.pid < 0 else network.processes[move.kind]
    return process.edges[move.edge].source if process is not None else UNKNOWN
