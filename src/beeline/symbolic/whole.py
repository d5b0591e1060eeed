"""All reachable states: by saturation where steps are local, else level by level."""

from __future__ import annotations

from beeline.symbolic import forward, saturation
from beeline.symbolic.quest import Findings, Quest


def search(quest: Quest) -> Findings:
    """Goes on to the end."""
    return saturation.search(quest) if quest.system.is_local else forward.search(quest)
