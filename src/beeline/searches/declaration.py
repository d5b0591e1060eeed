"""How a search declares itself: name, paper, promises, options. Command line and documentation are made from this."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from beeline import _native
    from beeline.engine.runner import NativeSpace


class SearchError(ValueError):
    """A search was asked for that does not exist, or with options that it does not have."""


@dataclass(frozen=True)
class Option:
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


@dataclass(frozen=True)
class Promises:
    """What holds for every run of a search that reaches no limit."""

    shortest: bool
    """The first violation it reports has a path of the fewest steps."""
    complete: bool
    """If there is a violation, it finds one; if it ends without one, there is none."""


Values = Mapping[str, int | None]


@dataclass(frozen=True)
class Search:
    """A search algorithm, with the values of its options."""

    name: str
    summary: str
    paper: str
    promises: Promises
    call: Callable[[NativeSpace, _native.Request, Values], _native.Outcome]
    options: tuple[Option, ...] = ()
    given: Values = field(default_factory=dict)
    promises_with: Callable[[Values], Promises] | None = None
    """What is left of the promises under given options, where these matter."""

    def start(self, space: NativeSpace, request: _native.Request, *, seed: int | None = None) -> _native.Outcome:
        """Run on `space`; `seed` stands in for an option of that name that was not given."""
        values = {option.name: option.default for option in self.options}
        for option in self.options:
            if option.name == "seed" and seed is not None:
                values["seed"] = option.parse(str(seed))
        return self.call(space, request, {**values, **self.given})

    def with_options(self, text: str) -> Search:
        """Return this search with the options in `text`: values in order, or option=value, separated by commas."""
        given: dict[str, int | None] = {}
        for position, part in enumerate(text.split(",")):
            name, equals, value = part.partition("=")
            option = self._option(name) if equals else self._option_at(position)
            if option.name in given:
                raise SearchError(f"{option.name} of {self.name} is given twice")
            given[option.name] = option.parse(value if equals else part)
        promises = self.promises if self.promises_with is None else self.promises_with(given)
        return replace(self, given=given, promises=promises)

    def _option(self, name: str) -> Option:
        for option in self.options:
            if option.name == name.strip():
                return option
        known = ", ".join(option.name for option in self.options) or "none"
        raise SearchError(f"{self.name} has no option {name!r}; it has: {known}")

    def _option_at(self, position: int) -> Option:
        if position >= len(self.options):
            raise SearchError(f"{self.name} takes {len(self.options) or 'no'} option(s)")
        return self.options[position]

    def __str__(self) -> str:
        given = ",".join(f"{name}={value}" for name, value in self.given.items())
        return f"{self.name}:{given}" if given else self.name
