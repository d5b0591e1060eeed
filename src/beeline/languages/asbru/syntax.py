"""The syntax tree of an Asbru text."""

from __future__ import annotations

from beeline.model.source import Source
from beeline.records import Record, field

SEQUENTIAL, PARALLEL, ANY_ORDER, UNORDERED, CYCLICAL = "sequential", "parallel", "any-order", "unordered", "cyclical"
BODY_TYPES = (SEQUENTIAL, PARALLEL, ANY_ORDER, UNORDERED, CYCLICAL)
CONDITIONS = ("filter", "setup", "activate", "suspend", "reactivate", "complete", "abort")
GOALS, SPANS, ABOUT = ("achieve", "maintain", "avoid"), ("intermediate", "overall"), ("state", "action")
NOW, SELF = "NOW", "SELF"


class Truth(Record, frozen=True):
    value: bool
    at: Source


class Named(Record, frozen=True):
    """A parameter that is true or false, a definition, or the plan of an intended action."""

    name: str
    at: Source


class Comparison(Record, frozen=True):
    """``name operator value``: of a parameter and one of its values, or of a plan and one of its states."""

    name: str
    operator: str
    value: str
    at: Source
    value_at: Source


class Not(Record, frozen=True):
    part: Condition
    at: Source


class Junction(Record, frozen=True):
    """``and`` or ``or`` of some conditions."""

    operator: str
    parts: tuple[Condition, ...]
    at: Source


Bound = int | None
"""In units of time; None: there is none."""


class Window(Record, frozen=True):
    """``[[ESS, LSS], [EFS, LFS], [MinDu, MaxDu]]``: when an interval begins, when it ends, how long it is."""

    earliest_start: Bound = None
    latest_start: Bound = None
    earliest_finish: Bound = None
    latest_finish: Bound = None
    least_duration: Bound = None
    most_duration: Bound = None


class Timed(Record, frozen=True):
    """A time annotation: the condition is true all through some interval of the window."""

    part: Condition
    window: Window
    reference: str
    text: str
    at: Source


Condition = Truth | Named | Comparison | Not | Junction | Timed


class Domain(Record, frozen=True):
    """Named values, or a range of numbers; ``boolean`` has neither."""

    members: tuple[str, ...] = ()
    low: int = 0
    high: int = 1


class Parameter(Record, frozen=True):
    """Something about the patient. It may change with every macro-step, or where it is `asked`, by asking only. A
    `variable` is changed by plans alone."""

    name: str
    domain: Domain
    at: Source
    asked: bool = False
    variable: bool = False
    initial: str | None = None


class Ask(Record, frozen=True):
    name: str
    at: Source


class Put(Record, frozen=True):
    """``assign name := value``, or ``name := name + number``."""

    name: str
    value: str
    sign: int
    amount: int
    at: Source


class UserPerformed(Record, frozen=True):
    at: Source


class Subplan(Record, frozen=True):
    name: str
    at: Source


class Body(Record, frozen=True):
    """What a plan does. `wait_for` is ``all``, ``one``, ``none`` or names of subplans."""

    elements: tuple[Element, ...]
    at: Source
    type: str | None = None
    wait_for: tuple[str, ...] = ("all",)
    wait_at: Source | None = None
    retry: bool = False
    every: tuple[int, int] | None = None


Element = Ask | Put | UserPerformed | Subplan | Body


class Intention(Record, frozen=True):
    goal: str
    span: str
    about: str
    condition: Condition
    text: str
    at: Source


class Plan(Record, frozen=True):
    name: str
    at: Source
    intentions: tuple[Intention, ...] = ()
    conditions: dict[str, Condition] = field(default_factory=dict)
    definitions: dict[str, Condition] = field(default_factory=dict)
    body: Body | None = None


class Text(Record, frozen=True):
    """A whole file."""

    parameters: tuple[Parameter, ...]
    plans: tuple[Plan, ...]
    unit: int
    """Minutes between two macro-steps."""
    file: str
    text: str
