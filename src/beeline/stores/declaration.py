"""How a store declares itself: name, paper, promise, and the searches that work with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from beeline.records import Record, field
from beeline.searches.declaration import Guide, Option, Values

if TYPE_CHECKING:
    from beeline.engine import core
    from beeline.engine.native_space import NativeSpace


class Use(Record, frozen=True):
    """How one search works with a store."""

    call: Callable[[NativeSpace, core.Request, Values, Guide], core.Outcome]
    """Runs the search, given the options of the search and of the store together."""
    options: tuple[Option, ...] = ()
    reduces: bool = False
    """Whether a partial-order reduction can be used with it."""
    zones: bool = False
    """Whether it can keep zones, of which one may cover another."""
    blind: bool = False
    """Whether the search goes by no heuristic with it."""
    keeps: bool = False
    """Whether it can leave checkpoints."""
    tells_omission: bool = False
    """Whether the outcome says how probable it is that a state was missed."""


class Store(Record, frozen=True):
    """A way to keep states."""

    name: str
    summary: str
    paper: str
    exact: bool
    """Whether no state is ever taken for another one: then the promises of the search stay true."""
    uses: Mapping[str, Use] = field(default_factory=dict)
    """The searches that work with it, by their names; none are named for the store that every search has anyway."""

    in_folder: bool = False
    """Whether a folder for files is named after the colon, and no options."""

    @property
    def options(self) -> tuple[Option, ...]:
        """All options, whichever search they are for."""
        return tuple({option.name: option for use in self.uses.values() for option in use.options}.values())
