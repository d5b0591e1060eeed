"""What a result says about the reductions of its task."""

from __future__ import annotations

from beeline.preprocessing.choices import CONE, DEAD, INFLUENCE, SAFE
from beeline.preprocessing.smaller import Shrunk
from beeline.records import Record


class Shrinking(Record, frozen=True):
    """What was taken out of a network before it was searched, by technique, and what that did to the trace.

    `added` counts the steps that were put into the trace of the smaller network, None without a trace."""

    cone: tuple[str, ...] = ()
    safe: tuple[str, ...] = ()
    added: int | None = None
    note: str = ""
    cleared: tuple[str, ...] = ()
    """Processes whose locals are set back where they do not matter."""
    matched: tuple[str, ...] = ()
    """Variables that are not compared where they do not matter."""

    @classmethod
    def of(cls, shrunk: Shrunk, added: int | None = None, note: str = "") -> Shrinking:
        """What a network that was made smaller has to say."""
        names: dict[str, list[str]] = {CONE: [], SAFE: [], DEAD: [], INFLUENCE: []}
        for layer in shrunk.layers:
            names[layer.technique] += layer.removed
        cone, safe = (tuple(dict.fromkeys(names[technique])) for technique in (CONE, SAFE))  # arrays go cell by cell
        steps = added if shrunk.layers else None
        return cls(cone, safe, steps, note, tuple(names[DEAD]), tuple(names[INFLUENCE]))

    @property
    def removed(self) -> tuple[str, ...]:
        """Names of processes and variables."""
        return self.cone + self.safe
