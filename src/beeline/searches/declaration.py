"""How a search declares itself: name, paper, promises, options. Command line and documentation are made from this."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from beeline.model.source import BeelineError
from beeline.records import Record, field, replace

if TYPE_CHECKING:
    from beeline.engine import core
    from beeline.engine.native_space import NativeSpace
    from beeline.engine.outcome import Found
    from beeline.heuristics.declaration import Estimator


class SearchError(BeelineError, ValueError):
    """A search was asked for that does not exist, or with options that it does not have."""


class Option(Record, frozen=True):
    """A whole number that can be given after the search's name: `name:value` or `name:option=value`."""

    name: str
    summary: str
    default: int | None = None
    least: int = 0
    most: int = 2**64 - 1

    def parse(self, text: str) -> int:
        """Return the value that `text` names, or raise SearchError."""
        try:
            value = int(text)
        except ValueError:
            raise SearchError(f"{self.name} must be a whole number, not {text!r}") from None
        if not self.least <= value <= self.most:
            raise SearchError(f"{self.name} must lie between {self.least} and {self.most}")
        return value


class Choice(Option, frozen=True):
    """An option that is one of several names; its value is the position of the name."""

    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, summary: str, names: tuple[str, ...]) -> Choice:
        """A choice of which the first name is the default."""
        return cls(name, f"{summary}: {', '.join(names)}", 0, 0, len(names) - 1, names)

    def parse(self, text: str) -> int:
        """Return the position of the name `text`, or raise SearchError."""
        if text.strip() not in self.names:
            raise SearchError(f"{self.name} must be one of {', '.join(self.names)}, not {text!r}")
        return self.names.index(text.strip())


class Promises(Record, frozen=True):
    """What holds for every run of a search that reaches no limit."""

    shortest: bool
    """The violation it reports has a path of the fewest steps."""
    complete: bool
    """If there is a violation, it finds one; if it ends without one, there is none."""
    shortest_if: str = ""
    """What `shortest` depends on: nothing, "admissible" (the heuristic must be so) or "proven" (the outcome says)."""


class Takes(enum.Enum):
    """How many heuristics a search makes use of."""

    NONE = 0
    ONE = 1
    SEVERAL = 2


class Ties(Record, frozen=True):
    """Which of several equally good states comes first: the oldest, the newest, or one by chance.

    >>> Ties.parse("random:7")
    Ties(rule='random', seed=7)
    """

    rule: str
    seed: int = 0

    @classmethod
    def parse(cls, text: str) -> Ties:
        """Return the rule that `text` names: fifo, lifo, random or random:SEED."""
        match = re.fullmatch(r"\s*(fifo|lifo|random)\s*(?::\s*(\d+)\s*)?", text)
        if match is None or (match[2] is not None and match[1] != "random"):
            raise SearchError(f"ties are broken by fifo, lifo or random:SEED, not by {text!r}")
        seed = int(match[2] or 0)
        if seed >= 2**64:
            raise SearchError("the seed of ties must lie below 2**64")
        return cls(match[1], seed)

    def __str__(self) -> str:
        return f"{self.rule}:{self.seed}" if self.rule == "random" else self.rule


class Checkpoint(Record, frozen=True):
    """Where a search leaves what it needs to go on later."""

    file: str
    every: float
    """Seconds."""
    resumes: bool = False
    """Whether it goes on from what is there."""


class Guide(Record, frozen=True):
    """What a directed search is told beside its options: by what to go, and what it looks for."""

    stop: Found
    estimators: tuple[Estimator, ...] = ()
    ties: Ties | None = None
    weights: tuple[int, ...] = ()
    """What steps cost, by action; nothing if all cost the same."""
    folder: str = ""
    """Where a store on disk keeps its files."""
    checkpoint: Checkpoint | None = None
    steps: Callable[[], core.Task | None] = lambda: None
    """Lists the model's steps as facts and operators, where there are not too many."""

    @property
    def natives(self) -> list[core.Estimator]:
        """The estimators as the engine knows them."""
        return [estimator.native for estimator in self.estimators]

    @property
    def native(self) -> core.Estimator:
        """The only one, for searches that go by one."""
        return self.estimators[0].native

    @property
    def prune(self) -> bool:
        """Whether dead ends may be dropped: only if nothing else is looked for than what the heuristics are about, and
        not where all states are to be counted."""
        return bool(self.stop) and all(self.stop in estimator.covers for estimator in self.estimators)

    def tie_options(self, default: str = "fifo") -> dict[str, Any]:
        """Keyword arguments for the engine's options."""
        ties = self.ties or Ties(default)
        return {"ties": ties.rule, "seed": ties.seed}


def only_sets(*_: object) -> core.Outcome:
    """What searches say that look at sets of states only, if they are asked to look at single ones."""
    raise SearchError("this search works with sets of states: use --engine bdd")


Values = Mapping[str, int | None]


def with_defaults(options: tuple[Option, ...]) -> dict[str, int | None]:
    """The default values of options."""
    return {option.name: option.default for option in options}


def given_options(owner: str, options: tuple[Option, ...], text: str) -> dict[str, int | None]:
    """The values in `text`, for the `options` of `owner`: in order, or as option=value, separated by commas."""
    given: dict[str, int | None] = {}
    for position, part in enumerate(text.split(",")):
        name, equals, value = part.partition("=")
        option = _option(owner, options, name) if equals else _option_at(owner, options, position)
        if option.name in given:
            raise SearchError(f"{option.name} of {owner} is given twice")
        given[option.name] = option.parse(value if equals else part)
    return given


def _option(owner: str, options: tuple[Option, ...], name: str) -> Option:
    for option in options:
        if option.name == name.strip():
            return option
    known = ", ".join(option.name for option in options) or "none"
    raise SearchError(f"{owner} has no option {name!r}; it has: {known}")


def _option_at(owner: str, options: tuple[Option, ...], position: int) -> Option:
    if position >= len(options):
        raise SearchError(f"{owner} takes {len(options) or 'no'} option(s)")
    return options[position]


FAIRNESS = ("none", "weak", "strong")
"""The kinds of fairness that a search for cycles can respect."""


AUTOMATA = ("auto", "tlba", "slba", "ta", "tgta")
"""What can watch runs for violations of a formula: the best for the search, or an automaton of this kind."""


class Search(Record, frozen=True):
    """A search algorithm, with the values of its options."""

    name: str
    summary: str
    paper: str
    promises: Promises
    call: Callable[[NativeSpace, core.Request, Values, Guide], core.Outcome]
    options: tuple[Option, ...] = ()
    takes: Takes = Takes.NONE
    given: Values = field(default_factory=dict)
    promises_with: Callable[[Values], Promises] | None = None
    """What is left of the promises under given options, where these matter."""
    provisos: tuple[str, ...] = ("static",)
    """The cycle conditions that a reduction can keep under this search, the best one first."""
    threads: bool = False
    """Whether several threads can share the work."""
    store: str = "plain"
    """How states are kept, with the options of the store; see `beeline.stores`, which sets this and what follows."""
    zones: bool = True
    """Whether it can be used on zones, of which one may cover another."""
    keeps: bool = False
    """Whether it can leave checkpoints."""
    cycles: bool = False
    """Whether it looks for cycles, not for states."""
    tells_omission: bool = False
    """Whether its store may miss states, and the outcome says how probably."""
    elapsed: bool = False
    """Whether zones have to tell how much time has passed since the start."""
    sets: str = ""
    """The module of `beeline.symbolic` that does the same with sets of states, if there is one."""

    def races(self) -> bool:
        """Whether several threads do searches of their own instead of sharing one."""
        return bool(self.values().get("race"))

    @property
    def needs_sets(self) -> bool:
        """Whether it works with sets of states only."""
        return self.call is only_sets

    def start(
        self, space: NativeSpace, request: core.Request, guide: Guide, *, seed: int | None = None
    ) -> core.Outcome:
        """Run on `space`; `seed` stands in for an option of that name that was not given."""
        if self.takes is Takes.ONE and len(guide.estimators) != 1:
            raise SearchError(f"{self.name} goes by one heuristic; join several by max(..) or sum(..)")
        return self.call(space, request, self.values(seed), guide)

    def values(self, seed: int | None = None) -> Values:
        """The values of all options; `seed` is the default of an option of that name."""
        values = with_defaults(self.options)
        for option in self.options:
            if option.name == "seed" and seed is not None:
                values["seed"] = option.parse(str(seed))
        return {**values, **self.given}

    def with_options(self, text: str) -> Search:
        """Return this search with the options in `text`: values in order, or option=value, separated by commas."""
        given = given_options(self.name, self.options, text)
        promises = self.promises if self.promises_with is None else self.promises_with(given)
        return replace(self, given=given, promises=promises)

    def __str__(self) -> str:
        given = ",".join(f"{name}={value}" for name, value in self.given.items())
        return f"{self.name}:{given}" if given else self.name
