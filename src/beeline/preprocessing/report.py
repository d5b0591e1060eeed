"""What a result says about the reductions of its task."""

from __future__ import annotations

from beeline.preprocessing.choices import CONE, SAFE
from beeline.preprocessing.smaller import Shrunk
from beeline.records import Record


class Shrinking(Record, frozen=True):
    """What was taken out of a network before it was searched, and what that did to the trace.

    `added` counts the steps that were put into the trace of the smaller network, None without a trace."""

    by_technique: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The names of techniques, and of the processes and variables on which each had an effect."""
    added: int | None = None
    note: str = ""

    @classmethod
    def of(cls, shrunk: Shrunk, added: int | None = None, note: str = "") -> Shrinking:
        """What a network that was made smaller has to say."""
        names: dict[str, dict[str, None]] = {}  # arrays go cell by cell, and are named once
        for layer in shrunk.layers:
            names.setdefault(layer.technique, {}).update(dict.fromkeys(layer.removed))
        by_technique = tuple((technique, tuple(found)) for technique, found in names.items() if found)
        return cls(by_technique, added if shrunk.layers else None, note)

    def by(self, technique: str) -> tuple[str, ...]:
        """The names of what a technique had an effect on."""
        return dict(self.by_technique).get(technique, ())

    @property
    def cone(self) -> tuple[str, ...]:
        """What cannot matter."""
        return self.by(CONE)

    @property
    def safe(self) -> tuple[str, ...]:
        """What can be moved at will."""
        return self.by(SAFE)

    @property
    def removed(self) -> tuple[str, ...]:
        """Names of processes and variables that were taken out."""
        return self.cone + self.safe
