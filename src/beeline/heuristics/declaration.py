"""How a heuristic declares itself, what it is built from, and what comes out.

Command line and documentation are made from the declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from beeline.compile.program import Program
from beeline.engine import core
from beeline.engine.outcome import Found
from beeline.model.expressions import Expression
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.source import BeelineError
from beeline.model.state import State
from beeline.records import Record, field, replace

if TYPE_CHECKING:
    from beeline.heuristics.alike import Exchange

T = TypeVar("T")


class HeuristicError(BeelineError, ValueError):
    """A heuristic was asked for that does not exist, or that says nothing about this model or property."""


class Promises(Record, frozen=True):
    """What holds for every estimate that a heuristic gives.

    All three are about the violations that the heuristic aims at; see `Estimator.covers`."""

    admissible: bool = False
    """It never says more than the steps that are missing."""
    consistent: bool = False
    """It drops by at most one with each step."""
    safe: bool = False
    """From what it calls a dead end there is no way on."""

    def __and__(self, other: Promises) -> Promises:
        return Promises(
            self.admissible and other.admissible, self.consistent and other.consistent, self.safe and other.safe
        )


NOTHING = Promises()
EVERYTHING = Promises(admissible=True, consistent=True, safe=True)


class Estimator(Record, frozen=True):
    """A heuristic that is bound to one compiled model, ready for a search.

    `covers` are the violations that its promises are about: a way to a goal may be long where an assertion fails at
    once. A search that also stops at others does not drop dead ends, and does not call a way to others shortest."""

    text: str
    native: core.Estimator
    promises: Promises
    covers: Found = Found.GOAL
    note: str = ""
    """What it took to build it, if that is worth a word."""
    whole: bool = False
    """Whether it looks at zones, too: states may differ for it whose locations and variables are equal."""

    def __str__(self) -> str:
        return self.text


class Context(Record):
    """What a heuristic may be built from. A user's own space has only `space`; all else belongs to networks.

    `goal` is the expression that is searched for, if the property has one; `stop` is what ends the search."""

    network: Network | None = None
    program: Program | None = None
    native: core.Program | None = None
    asked: Property | None = None
    goal: Expression | None = None
    stop: Found = Found.ANYTHING
    target: State | None = None
    space: core.PythonSpace | None = None
    effort: int = 20_000_000
    """Instructions that may be spent on looking at the model, before it is approximated or given up."""
    deadline: float | None = None
    """When tables must be ready, by `time.monotonic`."""
    memory: int | None = None
    """What the whole check may use, in bytes, if somebody said so."""
    closes_cycles: bool = False
    """Whether the search is one of pairs, for the closing of a cycle."""
    is_optional: bool = False
    """Whether nobody asked for the heuristic: the search can do without."""
    clocked: Callable[[], Any] | None = None
    """Makes the network in which clocks are conditions, of one with clocks; see `beeline.timed.conditions`."""
    alike: tuple[Exchange, ...] = ()
    """Where states are folded by symmetries that were found: what generates these."""
    shared: dict[Any, Any] = field(default_factory=dict)

    @property
    def share(self) -> tuple[float | None, int | None]:
        """Seconds and memory of the process in which the model's steps are listed, where the search can do without
        them. Otherwise it is the check's own limits that end the work."""
        if not self.is_optional:
            return None, None
        seconds = None if self.deadline is None else max(0.0, self.deadline - monotonic())
        return seconds, None if self.memory is None else self.memory // 4 * 3

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """What `make` returned when `key` was first asked for: several heuristics may be built on one analysis."""
        if key not in self.shared:
            self.shared[key] = make()
        known: T = self.shared[key]
        return known

    def compiled(self, name: str) -> tuple[Program, core.Program]:
        """The compiled network, or an error that says that `name` needs one."""
        if self.program is None or self.native is None:
            raise HeuristicError(f"{name} needs a network; a space written in Python can have an estimate() of its own")
        return self.program, self.native


class Option(Record, frozen=True):
    """What can be given after a heuristic's name: `name:value` or `name:option=value;option=value`."""

    name: str
    summary: str
    default: int | str

    def parse(self, text: str) -> int | str:
        """Return the value that `text` names, of the default's type."""
        if isinstance(self.default, str):
            return text
        try:
            return int(text)
        except ValueError:
            raise HeuristicError(f"{self.name} must be a whole number, not {text!r}") from None


Options = Mapping[str, Any]


class Heuristic(Record, frozen=True):
    """A way to estimate how many steps are still missing.

    `build` makes the native estimator, or an `Estimator` of this module where the promises depend on the model; it
    raises `HeuristicError` with a sentence where it has nothing to say. With `whole_text` everything after the colon is
    one option."""

    name: str
    summary: str
    paper: str
    promises: Promises
    build: Callable[[Context, Options], core.Estimator | Estimator]
    covers: Found = Found.GOAL
    options: tuple[Option, ...] = ()
    whole_text: bool = False
    sets: str = ""
    """The module of `beeline.symbolic` that makes the same heuristic for sets of states, if there is one."""

    def bind(self, context: Context, text: str = "") -> Estimator:
        """The estimator for a model, with the options in `text`."""
        written = f"{self.name}:{text}" if text else self.name
        built = self.build(context, self.read(text))
        if isinstance(built, Estimator):
            return replace(built, text=written)
        return Estimator(written, built, self.promises, self.covers)

    def read(self, text: str) -> dict[str, int | str]:
        """The options in `text`, defaults where it names none."""
        values = {option.name: option.default for option in self.options}
        if self.whole_text:
            return {self.options[0].name: text.strip()}
        for position, part in enumerate(text.split(";") if text.strip() else []):
            name, equals, value = part.partition("=")
            option = self._option(name.strip()) if equals else self._option_at(position)
            values[option.name] = option.parse((value if equals else part).strip())
        return values

    def _option(self, name: str) -> Option:
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options) or "none"
        raise HeuristicError(f"{self.name} has no option {name!r}; it has: {known}")

    def _option_at(self, position: int) -> Option:
        if position >= len(self.options):
            raise HeuristicError(f"{self.name} takes {len(self.options) or 'no'} option(s)")
        return self.options[position]
