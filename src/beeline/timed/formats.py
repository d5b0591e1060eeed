"""Timed traces as JSON: the usual steps, and when each one happens."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from beeline.trace.formats import to_json
from beeline.trace.timed import TimedTrace, show_time


def to_timed_json(trace: TimedTrace) -> dict[str, Any]:
    """Steps as `beeline.trace.to_json` gives them, each with its `delay` and moment `at`, and the last delay; with
    the `zone` after each step and the first one, if the trace has them."""
    steps = to_json(trace)
    moment = Fraction(0)
    for delay, step in zip(trace.delays, steps, strict=False):
        moment += delay
        step["delay"], step["at"] = show_time(delay), show_time(moment)
    for step, zone in zip(steps, trace.zones[1:], strict=False):
        step["zone"] = zone
    return {
        "steps": steps,
        "last_delay": show_time(trace.delays[-1]),
        "first_zone": trace.zones[0] if trace.zones else None,
    }
