"""Breadth-first search and saturation in turns: the one is quick where a violation is near, the other where there is
none. They learn from each other, since they share the relation."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from beeline.symbolic.diagrams import Diagram
from beeline.symbolic.forward import Levels
from beeline.symbolic.quest import Findings, Quest
from beeline.symbolic.saturation import Saturation


def search(quest: Quest) -> Findings:
    """What the first of the two says. What saturation finds may be far from the start: then the other goes on for as
    long as that took, to find a shortest way."""
    levels = Levels(quest)
    if not quest.system.is_local:
        for _ in levels.run():
            pass
        return levels.findings()
    saturation = Saturation(quest)
    near, whole = _Turn(levels.run()), _Turn(saturation.run())
    while not near.is_over and not whole.is_over:
        (near if near.seconds <= whole.seconds else whole).go_on()
    if near.is_over:
        return levels.findings()
    findings = saturation.findings()
    if findings.way is not None:
        while not near.is_over and near.seconds < whole.seconds + 1:
            near.go_on()
    return levels.findings() if near.is_over else findings


class _Turn:
    """A search that goes on when it is its turn."""

    def __init__(self, run: Iterator[Diagram]) -> None:
        self._run = run
        self.seconds = 0.0
        self.is_over = False

    def go_on(self) -> None:
        began = monotonic()
        self.is_over = next(self._run, None) is None
        self.seconds += monotonic() - began
