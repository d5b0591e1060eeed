"""What can be seen of a specification: after each word of stimuli, outputs and silence, what may come next.

A state is silent if it does nothing more until it is stimulated: it has neither outputs nor hidden steps, or can go
round by hidden steps for ever. Silence is seen as an output of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from beeline.lts import TAU, Lts
from beeline.lts.words import Place, Words
from beeline.records import Record

QUIET = "quiet"
"""The label of silence."""


class Suspension(Record, frozen=True):
    """A deterministic system that begins in state 0: by state, its labels with their targets. All that is no stimulus
    is an output."""

    rows: tuple[dict[str, int], ...]
    is_stimulus: Callable[[str], bool]

    def outputs(self, state: int) -> list[str]:
        return [label for label in self.rows[state] if not self.is_stimulus(label)]

    def stimuli(self, state: int) -> list[str]:
        return [label for label in self.rows[state] if self.is_stimulus(label)]


def suspension_of(lts: Lts, is_stimulus: Callable[[str], bool]) -> Suspension:
    """What can be seen of a system."""
    quiet = silent_states(lts, is_stimulus)
    words = Words(Lts.of(lts.states, lts.initial, (*lts.arcs, *((state, QUIET, state) for state in sorted(quiet)))))
    numbers: dict[Place, int] = {words.first: 0}
    order = [words.first]
    rows = []
    for place in order:
        row = {}
        for label, target in words.after(place).items():
            if target not in numbers:
                numbers[target] = len(numbers)
                order.append(target)
            row[label] = numbers[target]
        rows.append(row)
    return Suspension(tuple(rows), is_stimulus)


def silent_states(lts: Lts, is_stimulus: Callable[[str], bool]) -> set[int]:
    """The states that may do nothing more until they are stimulated."""
    arcs = lts.successors()
    at_rest = {state for state in range(lts.states) if all(is_stimulus(label) for label, _ in arcs[state])}
    return at_rest | _on_hidden_cycles(lts)


def _on_hidden_cycles(lts: Lts) -> set[int]:
    """States with an endless run of hidden steps: what is left when those without are taken out again and again."""
    hidden = {state: set[int]() for state in range(lts.states)}
    before: dict[int, list[int]] = {}
    for source, label, target in lts.arcs:
        if label == TAU:
            hidden[source].add(target)
            before.setdefault(target, []).append(source)
    waiting = [state for state, targets in hidden.items() if not targets]
    left = set(hidden)
    while waiting:
        state = waiting.pop()
        left.discard(state)
        for source in before.get(state, []):
            hidden[source].discard(state)
            if not hidden[source] and source in left:
                waiting.append(source)
    return left
