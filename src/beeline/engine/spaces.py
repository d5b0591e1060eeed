"""Spaces that users write as Python classes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Protocol

from beeline.engine.core import PythonSpace
from beeline.engine.outcome import Outcome
from beeline.records import Record


class PythonModel(Protocol):
    """The least that a class needs to be searched.

    `initial()` returns a state, or an iterator of several; `successors(state)` gives states or (label, state) pairs.
    States are any hashable values. It may also have:

    - `violates(state)`: whether the state is the sought one; a text is taken as the reason;
    - `estimate(state)`: a guess of the steps that are still missing, None for a dead end;
    - `estimate_promises = ("admissible", "consistent", "safe")`: which of these `estimate` keeps; see `beeline list`;
    - `deadlock_is_violation = True`: a state without successors is a violation;
    - `labelled = True` or `False`: whether successors are pairs. Without it, a pair that begins with a str is one.
    """

    def initial(self) -> Any: ...
    def successors(self, state: Any) -> Iterable[Any]: ...


class Action(str):
    """The label of a step that says who takes it, which charts and tables then show.

    >>> Action("worker 1", "writes").process, str(Action("worker 1", "writes"))
    ('worker 1', 'worker 1: writes')
    """

    __slots__ = ("process", "what")
    process: str
    what: str

    def __new__(cls, process: str, what: str) -> Action:
        made = super().__new__(cls, f"{process}: {what}")
        made.process, made.what = process, what
        return made


class SpaceStep(Record, frozen=True):
    """A step in the user's own terms: the label (None if it had none, or for an initial state) and the state."""

    label: Hashable
    state: Any


def python_space(model: PythonModel, deadlocks: bool = False) -> PythonSpace:
    """Make a user's object searchable by `run`; raise TypeError if it lacks what a space needs. With `deadlocks` these
    are found even if the model does not call them violations."""
    return PythonSpace(model, deadlocks)


def split_successor(model: PythonModel, item: Any) -> tuple[Hashable, Any]:
    """The label of a successor (None if it has none) and its state, told apart as the native engine does."""
    labelled = getattr(model, "labelled", None)
    if labelled is None:
        labelled = isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)
    return (item[0], item[1]) if labelled else (None, item)


STEPS_SHOWN = 10


def note_state(space: PythonSpace, error: BaseException) -> None:
    """Has an exception of a user's code tell the state that it was asked about, and how that was reached."""
    way = [f"{space.label(action) or ''}  {space.state(number)!r}".strip() for action, number in space.way_to_asked()]
    if not way:
        return
    left_out = [f"... {len(way) - STEPS_SHOWN} steps ..."] if len(way) > STEPS_SHOWN else []
    shown = [*way[:1], *left_out, *way[1 - STEPS_SHOWN :]] if left_out else way
    error.add_note("\n".join(["when it was asked about the last of these states:", *(f"    {line}" for line in shown)]))


def user_path(space: PythonSpace, outcome: Outcome) -> list[SpaceStep]:
    """Return the path of `outcome` in the user's own states and labels."""
    return [SpaceStep(space.label(step.action), space.state(step.state[0])) for step in outcome.path]


def user_reason(space: PythonSpace, outcome: Outcome) -> str | None:
    """Return the text by which the user's `violates` explained what was found, if it gave one."""
    if not outcome.path:
        return None
    reason = space.reason(outcome.path[-1].state[0])
    return None if reason is None else str(reason)
