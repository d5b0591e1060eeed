"""Counterexamples as objects: states, actions, and what each step changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self, overload

from beeline.model.source import UNKNOWN, Source
from beeline.records import Record, replace, show

Changes = Mapping[str, tuple[str | None, str | None]]
UNNAMED = re.compile(r"(\d+)#\d+")
"""What a place in a Promela process is called that has no label: its line, and a number."""


def is_unnamed(place: str | None) -> bool:
    return place is not None and UNNAMED.fullmatch(place) is not None


def show_place(value: str) -> str:
    """A value; of a place without a name its line."""
    found = UNNAMED.fullmatch(value)
    return value if found is None else f"line {found[1]}"


def _shown(value: str | None) -> str | None:
    return None if value is None else show_place(value)


class TraceStep(Record, frozen=True):
    """One step: who moved, what was done and where that stands in the model, and what changed by it."""

    number: int
    process: str
    action: str
    changes: Changes
    source: Source = UNKNOWN
    partners: tuple[tuple[str, str], ...] = ()  # other processes of a synchronisation with their actions
    output: tuple[str, ...] = ()
    error: str = ""  # the step ended in this run-time error or failed assertion
    elapsed: tuple[str, ...] = ()  # of what changed, the clocks that only time changed
    message: str = ""  # what a handshake hands over: the channel, and the values if there are any

    def __str__(self) -> str:
        """
        >>> print(TraceStep(3, "P", "x++", {"x": ("0", "1")}))
        3 P: x++
        """
        who = f"{self.process}: " if self.process else ""
        return f"{self.number} {who}{self.action}"

    @property
    def shown_changes(self) -> Changes:
        """What a person wants to read of the changes: no clocks that only time changed, and no moves between places
        that have no name, since the line of each action tells those."""
        return {
            name: (_shown(before), _shown(after))
            for name, (before, after) in self.changes.items()
            if name not in self.elapsed and not (is_unnamed(before) and is_unnamed(after))
        }

    @property
    def moves(self) -> int:
        """How many processes take part: two in a handshake. A partner that goes on in the same step counts once."""
        return len({self.process, *(process for process, _ in self.partners)})


class Trace(Record, frozen=True):
    """A path from the initial state to a violation, already replayed by the reference interpreter.

    `states` holds what every state consists of, the initial one first; a step that ended in an error has no state. A
    lasso has a `cycle`: the run goes on for ever from the state after so many steps, which the last state equals;
    `promise` says which part of a formula it breaks in every turn.
    `opening` says how the network comes to the initial state, where there are several ways."""

    initial: Mapping[str, str]
    steps: tuple[TraceStep, ...]
    states: tuple[Any, ...] = ()
    cycle: int | None = None
    promise: str = ""
    opening: str = ""
    staying: ClassVar[str] = "nothing happens any more, for ever"
    """What to say of a run that stays in its last state, and"""
    returning: ClassVar[str] = "as"
    """of one that comes back."""

    def __repr__(self) -> str:
        return show(self, "states")

    def __str__(self) -> str:
        """The table that the command line shows."""
        from beeline.trace.table import to_text

        return to_text(self)

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, place: int) -> TraceStep: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> TraceStep | Self:
        """A step, the first of which is ``trace[0]``; or a part of the trace, which begins where ``initial`` then says.

        >>> steps = tuple(TraceStep(i, "P", "x++", {"x": (str(i - 1), str(i))}) for i in (1, 2, 3))
        >>> trace = Trace({"x": "0"}, steps)
        >>> trace[-1].number, len(trace[1:]), trace[1:].initial
        (3, 2, {'x': '1'})
        """
        if not isinstance(place, slice):
            return self.steps[place]
        start, stop, stride = place.indices(len(self.steps))
        if stride != 1:
            raise ValueError("a part of a trace is without gaps: leave out the step of the slice")
        stop = max(start, stop)
        cycle = self.cycle - start if self.cycle is not None and start <= self.cycle and stop == len(self) else None
        return replace(
            self,
            initial=_values(self.initial, self.steps[:start]),
            steps=self.steps[start:stop],
            states=self.states[start : stop + 1],
            cycle=cycle,
            **self._more(start, stop),
        )

    def _more(self, start: int, stop: int) -> dict[str, Any]:
        """What a part has in other fields."""
        return {}

    @property
    def moves(self) -> int:
        """The length when a handshake counts as two steps, as in HSF-SPIN and in the depths that `pan` prints."""
        return sum(step.moves for step in self.steps)

    def __iter__(self) -> Iterator[TraceStep]:
        return iter(self.steps)

    def final(self) -> dict[str, str]:
        """What the last state consists of, as text."""
        return _values(self.initial, self.steps)


def _values(initial: Mapping[str, str], steps: Iterable[TraceStep]) -> dict[str, str]:
    """What a state consists of after some steps, as text."""
    values = dict(initial)
    for step in steps:
        for name, (_, after) in step.changes.items():
            if after is None:
                values.pop(name, None)
            else:
                values[name] = after
    return values
