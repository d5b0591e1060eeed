"""A word of the components as a run of the whole network, step by step, by the interpreter."""

from __future__ import annotations

from collections.abc import Callable

from beeline.compositional.systems import Word
from beeline.lts.explore import label_by_event
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.state import State
from beeline.model.steps import Step
from beeline.records import Record
from beeline.simulate import NetworkWorld
from beeline.trace.naming import Naming
from beeline.trace.replay import show_step


class Run(Record, frozen=True):
    """The states of a run; its last step may have failed."""

    states: tuple[State, ...]
    failed: bool


def run_along(
    network: Network, word: Word, label_of: Callable[[Step, str], str], is_seen: Callable[[str], bool]
) -> Run | None:
    """A run that does the labels of a word, and nothing else that is seen; None if there is none. Those that have come
    furthest are followed first. `label_of` tells the label of a step from its text."""
    semantics, naming = Semantics(network), Naming(network)
    text_of = label_by_event(NetworkWorld(network))
    first = semantics.initial_states()[0]
    came_from: dict[tuple[State, int], tuple[State, int] | None] = {(first, 0): None}
    waiting: list[list[State]] = [[] for _ in range(len(word) + 1)]
    waiting[0].append(first)

    def run(state: State, position: int, *last: State) -> tuple[State, ...]:
        states, at = list[State](last), came_from[state, position]
        states.insert(0, state)
        while at is not None:
            states.insert(0, at[0])
            at = came_from[at]
        return tuple(states)

    while any(waiting):
        position = max(at for at, states in enumerate(waiting) if states)
        state = waiting[position].pop()
        if position == len(word):
            return Run(run(state, position), False)
        for step in semantics.steps(state):
            label = label_of(step, text_of(show_step(network, state, step, 1, naming)))
            if label != word[position] and is_seen(label):
                continue
            reached = position + (label == word[position])
            if step.target is None:
                if reached == len(word):
                    return Run(run(state, position), True)
            elif (step.target, reached) not in came_from:
                came_from[step.target, reached] = state, position
                waiting[reached].append(step.target)
    return None
