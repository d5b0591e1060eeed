"""Checks spaces that users write in Python."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from beeline.checking.settings import Result, Settings, open_verdict
from beeline.engine import Found, Status, python_space, user_path, user_reason
from beeline.heuristics import Context
from beeline.heuristics.defaults import choose
from beeline.model.network import Property
from beeline.trace import Trace
from beeline.trace.trace import TraceStep


def check_user_space(model: Any, settings: Settings) -> Result:
    asked = Property("violates", "goal", text="violates(state)")
    space = python_space(model)
    estimates = choose(settings.search, settings.heuristic, Context(asked=asked, space=space))
    outcome = settings.run(space, Found.ANYTHING, estimates)
    if outcome.status is not Status.FOUND:
        return settings.result(asked, outcome, estimates, open_verdict(outcome, settings.search))
    path = user_path(space, outcome)
    steps = tuple(
        TraceStep(i, "", str(after.label or ""), {"state": (repr(before.state), repr(after.state))})
        for i, (before, after) in enumerate(pairwise(path), start=1)
    )
    trace = Trace({"state": repr(path[0].state)}, steps, tuple(step.state for step in path))
    reason = "deadlock" if Found.DEADLOCK in outcome.found else user_reason(space, outcome) or "violating state reached"
    return settings.result(asked, outcome, estimates, ("violated", reason), trace)
