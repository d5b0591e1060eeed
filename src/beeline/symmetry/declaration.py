"""How a way of finding representatives declares itself. Command line and documentation are made from this."""

from __future__ import annotations

from beeline.model.source import BeelineError
from beeline.records import Record

NONE = "none"


class SymmetryError(BeelineError, ValueError):
    """A symmetry was asked for that does not exist."""


class Symmetry(Record, frozen=True):
    """A way of finding representatives of states. `most` is how many orders of interchangeable things are looked at for
    one state, 0 for as many as are needed: then there is one representative for all states that are alike."""

    name: str
    summary: str
    paper: str
    most: int

    def __str__(self) -> str:
        return self.name
