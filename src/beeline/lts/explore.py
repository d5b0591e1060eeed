"""The labelled transition system of a model: its states, and what its steps do that others can see."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from beeline.lts.lts import TAU, Arc, Lts
from beeline.model.source import BeelineError
from beeline.simulate import NetworkWorld, World
from beeline.trace.messages import contents
from beeline.trace.trace import TraceStep

Label = Callable[[TraceStep], str]


class Unfinished(BeelineError):
    """A limit was reached before all states were seen."""


class TooManyStates(Unfinished):
    """A model has more states than are wanted."""

    def __init__(self, most: int) -> None:
        super().__init__(f"state limit: there are more than {most:,} states")


def lts_of(world: World, label: Label, most: int | None = None, seen: Callable[[int], None] | None = None) -> Lts:
    """All states of a model and the arcs between them. A step that fails leads to a state of its own, in which nothing
    can be done. `seen` is told of each state how many there are by then."""
    numbers: dict[Any, int] = {}
    waiting: deque[Any] = deque()
    arcs: list[Arc] = []

    def number(state: Any) -> int:
        if state not in numbers:
            if most is not None and len(numbers) >= most:
                raise TooManyStates(most)
            numbers[state] = len(numbers)
            waiting.append(state)
            if seen is not None:
                seen(len(numbers))
        return numbers[state]

    number(world.initial())
    failed: list[tuple[int, str]] = []
    while waiting:
        state = waiting.popleft()
        for turn in world.turns(state, 1):
            if turn.target is None:
                failed.append((numbers[state], label(turn.step)))
            else:
                arcs.append((numbers[state], label(turn.step), number(turn.target)))
    arcs += [(source, text, len(numbers)) for source, text in failed]
    return Lts.of(len(numbers) + bool(failed), 0, arcs)


def label_by_step(step: TraceStep) -> str:
    """Who does what, as a trace tells it."""
    text = f"{step.process}: {step.action}" if step.process else step.action
    return f"{text} [error: {step.error}]" if step.error else text or TAU


def label_by_event(world: World) -> Label:
    """What others can see of a step: messages of networks, with their values; the actions of a user's own space, and of
    networks whose processes have no channels, such as Murphi's rules.

    All else is hidden, but for failures: ``error: ..``."""

    def of_network(step: TraceStep) -> str:
        if step.error:
            return f"error: {step.error}"
        if step.message:
            channel, _, values = step.message.partition(": ")
            return f"{channel}({values.replace(', ', ',')})" if values else channel
        return "; ".join(_events(step)) or TAU

    return of_network if isinstance(world, NetworkWorld) and _communicates(world) else label_by_step


def _communicates(world: NetworkWorld) -> bool:
    return any(edge.sync is not None for process in world.network.processes for edge in process.edges)


def _events(step: TraceStep) -> list[str]:
    """The messages that a step puts into channels, and those that it takes out."""
    found = []
    for name, (before, after) in step.changes.items():
        old, new = contents(before), contents(after)
        if old is None or new is None:
            continue
        found += [f"{name}?{_values(message)}" for message in _missing(old, new)]
        found += [f"{name}!{_values(message)}" for message in _missing(new, old)]
    return found


def _values(message: str) -> str:
    """The values of a message as labels have them.

    >>> _values("(red, 3)")
    'red,3'
    """
    return ",".join(contents(message) or [message])


def _missing(one: list[str], other: list[str]) -> list[str]:
    """The elements of a list that another lacks, as often as it lacks them."""
    left = list(other)
    found = []
    for element in one:
        if element in left:
            left.remove(element)
        else:
            found.append(element)
    return found
