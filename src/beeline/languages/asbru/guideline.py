"""A guideline with its names resolved: plans in a tree, their conditions as expressions, and what depends on time."""

from __future__ import annotations

from collections.abc import Mapping

from beeline.languages.asbru import syntax
from beeline.languages.asbru.monitors import Monitor
from beeline.model.expressions import Expression, Ref
from beeline.model.source import Source
from beeline.model.types import EnumType, IntType, ScalarType
from beeline.records import Record, field

STATES = (
    "inactive", "considered", "possible", "selected", "activated", "suspended", "completed", "aborted", "rejected",
)  # fmt: skip
INACTIVE, CONSIDERED, POSSIBLE, SELECTED, ACTIVATED, SUSPENDED, COMPLETED, ABORTED, REJECTED = range(len(STATES))
SELECTING = (INACTIVE, CONSIDERED, POSSIBLE, SELECTED)
RUNNING = (ACTIVATED, SUSPENDED)
TERMINATED = (COMPLETED, ABORTED, REJECTED)
PLAN_STATE = EnumType("plan_state", STATES)
TICK, FRESH = "tick", "fresh"


class Parameter(Record, frozen=True):
    """A parameter or a variable. One that is `read` in each macro-step may be anything then."""

    name: str
    written: str
    type: ScalarType
    initial: int
    read: bool
    source: Source


class Timer(Record, frozen=True):
    """What depends on time: an annotation, or the moment when a cyclical plan repeats its subplan. In a guideline it
    is a variable that is true or false; it can be chosen freely, or follow the time exactly."""

    name: str
    text: str
    source: Source


class Annotation(Timer, frozen=True, kw_only=True):
    """True as `monitor` says that reads `proposition`: since `plan` was activated, or since the start."""

    proposition: Expression
    monitor: Monitor
    plan: str | None


class Period(Timer, frozen=True, kw_only=True):
    """True when it is time for the subplan again: between `least` and `most` macro-steps after it was considered."""

    plan: str
    child: str
    least: int
    most: int


class Intention(Record, frozen=True):
    """What a plan is meant to bring about. `condition` is None for an action, which is a plan."""

    goal: str
    span: str
    about: str
    condition: Expression | None
    action: str
    text: str
    source: Source

    @property
    def form(self) -> str:
        return f"{self.goal}-{self.span}-{self.about}"


class Assignment(Record, frozen=True):
    variable: str
    value: Expression


class Plan(Record, frozen=True):
    """A plan; `name` is that of its variable, `written` that in the text. Names of others are those of variables.
    `conditions` has those that the text gives. A plan without children has an action: ``user-performed``, ``ask``,
    ``assign``, or none at all."""

    name: str
    written: str
    parent: str | None
    source: Source
    children: tuple[str, ...] = ()
    order: str = syntax.SEQUENTIAL
    wait_for: str | tuple[str, ...] = "all"
    retry: bool = False
    period: str | None = None
    action: str = ""
    asks: str | None = None
    assigns: Assignment | None = None
    conditions: Mapping[str, Expression] = field(default_factory=dict)
    intentions: tuple[Intention, ...] = ()

    @property
    def state(self) -> Expression:
        return Ref(self.name)


class Guideline(Record, frozen=True):
    """All plans, parents before children; the first one is the root."""

    name: str
    plans: tuple[Plan, ...]
    parameters: tuple[Parameter, ...]
    timers: tuple[Timer, ...]
    source: Source

    @property
    def by_name(self) -> dict[str, Plan]:
        return {plan.name: plan for plan in self.plans}


BOOLEAN = IntType(0, 1, name="boolean")


def ir_name(written: str) -> str:
    """The name of the variable for a name in a text.

    >>> ir_name("regular-treatments*")
    'regular_treatments_all'
    """
    return written.replace("-", "_").replace("*", "_all")
