"""`--engine auto` on a machine with a GPU: a search that takes long is handed on to it.

The processor goes first, because most answers come soon and its searches are directed. What it stored stays behind: the
device stores as much within milliseconds. If the device has no answer either, for want of memory say, the processor
has the rest of the time."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic

from beeline.engine import Limits, Status
from beeline.engines.declaration import Engine
from beeline.model.source import BeelineError
from beeline.problems.problem import Problem
from beeline.problems.settings import INTERRUPTED, LIMIT_REASONS, Result, Settings
from beeline.records import replace

PATIENCE = 5.0
"""Seconds of the processor."""
DRIVER = Path("/dev/nvidiactl")
ENDS = (LIMIT_REASONS[Status.TIME], INTERRUPTED)
"""Reasons after which nothing is tried any more."""
CHOICE = "BEELINE_DEVICE"  # as in beeline.gpu.device, which is not needed on most machines


def device_at_hand() -> bool:
    """Whether it is worth looking for a device; takes no time."""
    return CHOICE in os.environ or DRIVER.exists()


def solve(first: Engine, second: Engine, problem: Problem, settings: Settings) -> Result:
    """The answer of the first engine if it comes soon, or else that of the second one."""
    limits, began = settings.limits or Limits(), monotonic()
    if limits.time is not None and limits.time <= PATIENCE:
        return first.solve(problem, settings)
    soon = first.solve(problem, replace(settings, limits=replace(limits, time=PATIENCE)))
    if not _is_cut(soon):
        return soon
    settings.tell(f"going on with the engine {second.name}")
    try:
        later = replace(second.solve(problem, settings.after(monotonic() - began)), engine=second.name)
    except BeelineError:  # it does not take the model after all, or the device failed
        later = soon
    if later is soon or (later.verdict == "unknown" and later.reason not in ENDS):
        later = first.solve(problem, settings.after(monotonic() - began))
    return soon if later.verdict == "unknown" and soon.verdict != "unknown" else later


def _is_cut(result: Result) -> bool:
    """Whether more time might have brought more: an answer, or a shorter trace."""
    return result.truncated or result.reason == LIMIT_REASONS[Status.TIME]
