"""What a directed search goes by: the largest of its estimates, and never 0 where nothing is found yet."""

from __future__ import annotations

from beeline.symbolic.advance import learn_in_advance
from beeline.symbolic.distances import Distances, largest
from beeline.symbolic.quest import Quest


def guidance(quest: Quest) -> Distances:
    """Learns all steps, and makes the estimates that the quest names."""
    targets = quest.targets(learn_in_advance(quest.system, quest.meter))
    found = Distances([targets.near, ~targets.near])
    parts = [guide(quest, targets) for guide in quest.guides]
    return largest([found, *parts], quest.system.diagrams.false)
