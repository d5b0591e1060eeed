"""Breadth-first search from both ends: the cheaper side goes on until the two meet."""

from __future__ import annotations

from time import monotonic

from beeline.records import replace
from beeline.symbolic.advance import learn_in_advance
from beeline.symbolic.backward import LevelsBack
from beeline.symbolic.forward import Levels
from beeline.symbolic.quest import Findings, Quest


def search(quest: Quest) -> Findings:
    """The sum of both distances grows by one each time, so that the first meeting is on a shortest way. The first step
    is one back, because a step that fails leads to no state where the two could meet."""
    backward = LevelsBack(quest, learn_in_advance(quest.system, quest.meter))
    forward = Levels(quest)
    seconds = [1.0, 0.0]  # what the last level took, forward and backward
    while True:
        meeting = forward.layers[-1] & backward.layers[-1]
        if meeting.satisfiable():
            rest = backward.way_from(meeting)
            start = quest.back_through(forward.layers[:-1], quest.system.encoding.state(rest.states[0]))
            way = replace(rest, states=(*start[:-1], *rest.states))
            return Findings(forward.reached | backward.reached, way)
        side = min((0, 1), key=seconds.__getitem__)
        began = monotonic()
        if not (backward.advance() if side else forward.advance()):
            return Findings(forward.reached | backward.reached)
        seconds[side] = monotonic() - began
