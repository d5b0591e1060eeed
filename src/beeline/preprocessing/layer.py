"""One reduction of a task: the network before and after it, and the way back for counterexamples."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from beeline.model.evaluate import StepError
from beeline.model.expressions import Expression
from beeline.model.network import Location, Network, Process
from beeline.model.property import Property
from beeline.model.semantics import Move, Semantics, Sought, Step
from beeline.model.state import State
from beeline.records import Record, field, replace
from beeline.trace.replay import ReplayError

if TYPE_CHECKING:
    from beeline.timed.semantics import TimedSemantics

LONGEST_SETUP = 20_000  # states looked at to prepare one step
Moves = tuple[Move, ...]


class Stepper:
    """Steps of a network as the interpreter sees them; with clocks, whatever those say."""

    def __init__(self, network: Network, timed: bool) -> None:
        self._timed: TimedSemantics | None = None
        if timed:
            from beeline.timed.semantics import TimedSemantics

            self._timed = TimedSemantics(network)
        self._semantics: Semantics = Semantics(network) if self._timed is None else self._timed.steps_of

    def start(self) -> State:
        return self._semantics.initial_states()[0]

    def steps(self, state: State, pids: Set[int]) -> list[Step]:
        """What the given processes can begin in a state."""
        if self._timed is None:
            return self._semantics.steps_begun_by(state, pids)
        discrete = self._timed.steps_of
        return [
            self._settled(discrete.take(state, candidate)) for candidate, _ in discrete.variants(state, Sought(pids))
        ]

    def step(self, state: State, moves: Moves, fails: bool) -> Step | None:
        """The step that consists of these moves and ends in an error or not."""
        if self._timed is None:
            return self._semantics.step(state, moves, fails)
        found = self._timed.steps_of.variant(state, moves)
        step = None if found is None else self._settled(self._timed.steps_of.take(state, found[0]))
        return step if step is not None and (step.error is not None) == fails else None

    def _settled(self, step: Step) -> Step:
        """The step once the resets that it asks for are granted."""
        if self._timed is None or step.target is None:
            return step
        return replace(step, target=self._timed.without_wishes(step.target, self._timed.wishes(step.target)))

    def holds(self, conditions: Sequence[Expression], state: State) -> bool:
        """Whether all conditions hold; one that has no value is as bad as what is looked for."""
        try:
            return all(self._semantics.holds(condition, state) for condition in conditions)
        except StepError:
            return True


class Layer(Record, frozen=True):
    """What one technique made of a network and of what is asked.

    Processes keep their numbers: one that is taken out leaves a process behind that does nothing, or only what others
    need it for. `movers` are edges (process and position) of what was taken out; they can be taken before each step to
    make it possible, and at the end to meet `ending`. `origins` has for edges of processes that stand in for others
    (by kind and position) the edges that are meant."""

    technique: str
    network: Network
    smaller: Network
    asked: Property
    removed: tuple[str, ...]
    movers: frozenset[tuple[int, int]] = frozenset()
    ending: tuple[Expression, ...] = ()
    origins: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def lift(self, moves: Sequence[Moves], stepper: Stepper, failed: bool) -> list[Step]:
        """Steps of the larger network that do what `moves` of the smaller one do; with `failed` the last of them ends
        in an error. Raises `ReplayError` if there are none."""
        found: list[Step] = []
        state = stepper.start()
        for number, joint in enumerate(moves, start=1):
            fails = failed and number == len(moves)
            wanted = tuple(self._origin(move) for move in joint)
            way = self._prepare(state, stepper, wanted, fails)
            found += way
            if way[-1].target is None:
                return found
            state = way[-1].target
        return found + self._arrive(state, stepper)

    def _origin(self, move: Move) -> Move:
        kind, edge = self.origins.get((move.kind, move.edge), (move.kind, move.edge))
        return Move(move.pid, kind, edge)

    def _prepare(self, start: State, stepper: Stepper, wanted: Moves, fails: bool) -> list[Step]:
        """The fewest moves of what was taken out after which the wanted step is possible, and that step."""
        for state, way in self._setups(start, stepper):
            step = stepper.step(state, wanted, fails)
            if step is not None:
                return [*way, step]
        raise ReplayError("a step of the smaller network has no counterpart in the whole one")

    def _arrive(self, start: State, stepper: Stepper) -> list[Step]:
        for state, way in self._setups(start, stepper):
            if stepper.holds(self.ending, state):
                return list(way)
        raise ReplayError("the end of a trace of the smaller network has no counterpart in the whole one")

    def _setups(self, start: State, stepper: Stepper) -> Iterator[tuple[State, tuple[Step, ...]]]:
        """States that what was taken out can bring about, the nearest first, and the ways to them."""
        pids = frozenset(pid for pid, _ in self.movers)
        queue: deque[tuple[State, tuple[Step, ...]]] = deque([(start, ())])
        seen = {start}
        while queue and len(seen) < LONGEST_SETUP:
            state, way = queue.popleft()
            yield state, way
            for step in stepper.steps(state, pids) if pids else ():
                if step.target is not None and step.target not in seen and self._is_setup(step):
                    seen.add(step.target)
                    queue.append((step.target, (*way, step)))

    def _is_setup(self, step: Step) -> bool:
        return all((move.pid, move.edge) in self.movers for move in step.moves)


def without(network: Network, gone: Mapping[int, Process]) -> Network:
    """The network with other processes in place of some, who keep their numbers and names."""
    processes = list(network.processes)
    initial = list(network.initial)
    for number, stand_in in gone.items():
        named = replace(stand_in, name=f"{network.initial[number].name} (removed)")
        processes.append(named)
        old = network.initial[number]
        initial[number] = replace(old, process=named.name, arguments=old.arguments if stand_in.parameters else ())
    # What kinds without processes would write must not count as written.
    alive = {start.process for start in initial}
    processes = [process if process.name in alive else replace(process, edges=()) for process in processes]
    return replace(network, processes=tuple(processes), initial=tuple(initial))


NOBODY = Process("nobody", (Location("removed", end=True),), ())
