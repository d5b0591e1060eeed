"""How a technique that makes networks smaller declares itself. Command line and documentation are made from this."""

from __future__ import annotations

from collections.abc import Callable

from beeline.model.property import Property
from beeline.preprocessing.layer import Layer
from beeline.preprocessing.touching import Touching
from beeline.records import Record


class Technique(Record, frozen=True):
    """A way to take something out of a network; `apply` gives the layer, or None if there is nothing."""

    name: str
    summary: str
    paper: str
    promises: tuple[str, ...]
    apply: Callable[[Touching, Property], Layer | None]
    told: str
    """What a result says before the names of what it had an effect on."""
    automatic: bool = True
    """Whether `all` has it applied; if not, it is asked for by its name."""
    option: str = "shrink"
    """The option that takes its name."""
