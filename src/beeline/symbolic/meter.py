"""Limits and progress of searches with sets: looked at between two operations on diagrams."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from beeline.engine import Limits, Progress, Statistics, Status
from beeline.symbolic.diagrams import NODE_BYTES, Diagram, Diagrams
from beeline.symbolic.ended import Ended

BETWEEN_REPORTS = 0.2  # seconds
FEW_NODES = 1 << 20  # that are not worth a collection of garbage


class Meter:
    """What a search may use, and what it has used. `count` tells how many states a set has."""

    def __init__(
        self,
        diagrams: Diagrams,
        count: Callable[[Diagram], int],
        limits: Limits | None = None,
        progress: Progress | None = None,
        began: float | None = None,
    ) -> None:
        self._diagrams, self._count = diagrams, count
        self.limits = limits or Limits()
        self._progress = progress
        self._began = monotonic() if began is None else began
        self._reported = self._began
        self.most_nodes = 0
        self._garbage = FEW_NODES
        self.iterations = 0
        self.depth = 0
        self.seen: Diagram | None = None
        """What had been reached at the last operation."""

    def tick(self, reached: Diagram, frontier: Diagram | None = None, phase: str = "searching") -> None:
        """Counts an operation. Raises `Ended`."""
        self.iterations += 1
        self.seen = reached
        nodes = self._diagrams.nodes
        self.most_nodes = max(self.most_nodes, nodes)
        if nodes > self._garbage:
            self._diagrams.manager.gc()
            self._garbage = max(FEW_NODES, 2 * self._diagrams.nodes)
        now = monotonic()
        if self.limits.time is not None and now - self._began >= self.limits.time:
            raise Ended(Status.TIME)
        if self._progress is not None and now - self._reported >= BETWEEN_REPORTS:
            self._reported = now
            self._progress(self.statistics(reached, frontier, self._told(phase, reached, frontier)))

    def level(self, depth: int, reached: Diagram) -> None:
        """The search has come so far. Raises `Ended` if that is as far as it may go."""
        self.depth = depth
        if self.limits.depth is not None and depth >= self.limits.depth:
            raise Ended(Status.DEPTH)
        self.grown(reached)

    def grown(self, reached: Diagram) -> None:
        """So much has been found. Raises `Ended` if that is more than there may be."""
        if self.limits.states is not None and self._count(reached) > self.limits.states:
            raise Ended(Status.STATES)

    def _told(self, phase: str, reached: Diagram, frontier: Diagram | None) -> str:
        parts = [f"{phase}: iteration {self.iterations:,}", f"{reached.node_count():,} nodes"]
        if frontier is not None:
            parts.append(f"{frontier.node_count():,} in the frontier")
        return ", ".join([*parts, f"{self._diagrams.nodes:,} in all"])

    def statistics(self, reached: Diagram, frontier: Diagram | None = None, phase: str = "") -> Statistics:
        """What there is to say about the search."""
        return Statistics(
            stored=self._count(reached),
            depth=self.depth,
            frontier=0 if frontier is None else self._count(frontier),
            memory=NODE_BYTES * self.most_nodes,
            seconds=monotonic() - self._began,
            phase=phase,
        )
