"""States one by one, numbered in the order of their distance, for labelling with formulas of branching time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from beeline.ctl.graph import Graph
from beeline.ctl.structure import NeverRests, NoValue
from beeline.engine import Limits, SpaceStep, Statistics, Status, core, split_successor
from beeline.engine.budget import SEARCHING
from beeline.model.state import State
from beeline.problems.user_branching import holds_in
from beeline.trace import ReplayError

if TYPE_CHECKING:
    from beeline.compile.program import Program
    from beeline.problems.settings import Settings

K = TypeVar("K", bound=Hashable)
LOOK = 256  # states between two looks at the limits
FIRST_ANSWER = 1_000  # states after which an answer is sought for the first time,
NEXT_ANSWER = 4  # and then whenever there are so many times as many


class LimitHit(Exception):
    """A limit ended the search."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


class StepFailed(Exception):
    """A step fails behind these states."""

    def __init__(self, path: list[Any]) -> None:
        super().__init__(path)
        self.path = path


class Numbering(ABC, Generic[K]):
    """All states at rest."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._limits = settings.limits or Limits()
        self._began = monotonic()
        self.states: list[K] = []
        self.initial = 0
        """How many of them are initial ones."""
        self.rows: list[list[int]] = []
        """The successors of each state that has been looked at."""
        self._parents: list[int] = []
        self._numbers: dict[K, int] = {}
        self._true: dict[tuple[int, str], bool] = {}

    @abstractmethod
    def begin(self) -> Iterable[K] | None:
        """The initial states; None if a step to them fails."""

    @abstractmethod
    def after(self, state: K) -> Iterable[K] | None:
        """Where steps lead; None if one fails."""

    @abstractmethod
    def is_true(self, name: str, state: K) -> bool:
        """Whether a proposition holds in a state. Raises `NoValue`."""

    @abstractmethod
    def decode(self, number: int) -> Any:
        """A state as it is shown."""

    def graphs(self) -> Iterator[tuple[Graph, int]]:
        """What has been seen so far, again and again, and the states of which nothing more is known; in the end all."""
        starts = self.begin()
        if starts is None:
            raise StepFailed([])
        for state in starts:
            self._number(state, -1)
        self.initial = len(self.states)
        next_answer = FIRST_ANSWER
        for number, state in enumerate(self.states):
            if number % LOOK == 0:
                self._look()
            if number == next_answer:
                next_answer *= NEXT_ANSWER
                yield self._graph()
            row = self.after(state)
            if row is None:
                raise StepFailed(self.path(number))
            self.rows.append([self._number(target, number) for target in row])
        yield self._graph()

    def _graph(self) -> tuple[Graph, int]:
        open_ones = len(self.states) - len(self.rows)
        graph = Graph([*self.rows, *[[]] * open_ones], self._holds, self.initial)
        return graph, ((1 << open_ones) - 1) << len(self.rows)

    def _holds(self, number: int, name: str) -> bool:
        key = number, name
        if key not in self._true:
            self._true[key] = self.is_true(name, self.states[number])
        return self._true[key]

    def _number(self, state: K, parent: int) -> int:
        if state not in self._numbers:
            self._numbers[state] = len(self.states)
            self.states.append(state)
            self._parents.append(parent)
        return self._numbers[state]

    def path(self, number: int) -> list[Any]:
        """A shortest way to a state, as it is shown."""
        found = []
        while number >= 0:
            found.append(self.decode(number))
            number = self._parents[number]
        return found[::-1]

    def _look(self) -> None:
        if self._limits.time is not None and monotonic() - self._began >= self._limits.time:
            raise LimitHit(Status.TIME)
        if self._limits.states is not None and len(self.states) > self._limits.states:
            raise LimitHit(Status.STATES)
        if self._settings.progress is not None:
            self._settings.progress(self.statistics)

    @property
    def statistics(self) -> Statistics:
        return Statistics(stored=len(self.states), seconds=monotonic() - self._began, phase=SEARCHING)


class NetworkStates(Numbering[tuple[int, ...]]):
    """Those of a compiled network; its values are the propositions with these names."""

    def __init__(self, program: Program, names: Sequence[str], settings: Settings) -> None:
        super().__init__(settings)
        self._program = program
        self._space = core.ProgramSpace(program.native)
        self._blocks = dict(zip(names, program.values, strict=True))

    def begin(self) -> Iterable[tuple[int, ...]] | None:
        return _unfailed((marks, words) for _, marks, _, words in self._space.initial_arcs())

    def after(self, state: tuple[int, ...]) -> Iterable[tuple[int, ...]] | None:
        """Where steps lead that pass over uninterrupted runs."""
        found: dict[tuple[int, ...], None] = {}
        seen, waiting = {state}, deque([state])
        while waiting:
            row = _unfailed((marks, words) for _, marks, _, words in self._space.successor_arcs(waiting.popleft())[1])
            if row is None:
                return None
            for words in row:
                if self._rests(words):
                    found[words] = None
                elif words not in seen:
                    seen.add(words)
                    waiting.append(words)
        if not found and len(seen) > 1:
            raise NeverRests
        return found

    def _rests(self, words: tuple[int, ...]) -> bool:
        control = self._program.layout.control
        return control < 0 or self._program.native.unpack(words)[control] < 0

    def is_true(self, name: str, state: tuple[int, ...]) -> bool:
        _, value, failed = self._space.local_value(state, self._blocks[name])
        if failed:
            raise NoValue(name)
        return value != 0

    def decode(self, number: int) -> State:
        return self._program.layout.decode(self._program.native.unpack(self.states[number]))


def _unfailed(arcs: Iterable[tuple[int, tuple[int, ...] | None]]) -> list[tuple[int, ...]] | None:
    """Where arcs lead; None if one fails."""
    found = []
    for marks, words in arcs:
        if marks & core.ERROR or words is None:
            return None
        found.append(words)
    return found


class UserStates(Numbering[Any]):
    """Those of a space that a user wrote in Python; propositions are its methods that take a state."""

    def __init__(self, model: Any, settings: Settings) -> None:
        super().__init__(settings)
        self._model = model

    def begin(self) -> Iterable[Any]:
        first = self._model.initial()
        return first if isinstance(first, Iterator) else [first]

    def after(self, state: Any) -> Iterable[Any]:
        return [target for _, target in self.steps(state)]

    def steps(self, state: Any) -> list[tuple[Hashable, Any]]:
        """Labels and states."""
        return [split_successor(self._model, item) for item in self._model.successors(state) or ()]

    def is_true(self, name: str, state: Any) -> bool:
        return holds_in(self._model, name, state)

    def decode(self, number: int) -> Any:
        return self.states[number]

    def labelled(self, states: Sequence[Any]) -> list[SpaceStep]:
        """A path with the labels of its steps, as far as there are steps: a run that comes to rest stays there."""
        found = [SpaceStep(None, states[0])]
        for before, target in pairwise(states):
            steps = self.steps(before)
            if not steps and before == target:
                break
            label = [label for label, state in steps if state == target]
            if not label:
                raise ReplayError("the space does not give the same successors again")
            found.append(SpaceStep(label[0], target))
        return found
