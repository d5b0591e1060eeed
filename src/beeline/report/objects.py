"""A result as the documented JSON object; see docs/json.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from beeline import __version__
from beeline.checking import Result
from beeline.engine import Sample
from beeline.model.source import Source
from beeline.preprocessing.choices import INFLUENCE
from beeline.timed.formats import to_timed_json
from beeline.trace import Trace, TraceStep, to_json
from beeline.trace.timed import TimedTrace, show_time

SCHEMA = 2
"""The version of the object; see docs/json.md for what changed."""


def answer_object(result: Result) -> dict[str, Any]:
    """One line of an answer."""
    return {
        "property": result.property.name,
        "text": result.property.text,
        "property_kind": result.property.kind,
        "verdict": result.verdict,
        "reason": result.reason,
        "ranges": _ranges_object(result),
        "trace_length": None if result.trace is None else len(result.trace),
        "states": result.statistics.stored,
        "time_s": result.statistics.seconds,
    }


def result_object(result: Result) -> dict[str, Any]:
    """The result as the documented JSON object."""
    statistics = result.statistics
    return {
        "schema": SCHEMA,
        "verdict": result.verdict,
        "reason": result.reason,
        "property": result.property.name,
        "property_kind": result.property.kind,
        "ranges": _ranges_object(result),
        "engine": result.engine,
        "engine_note": result.engine_note,
        "search": result.search,
        "store": result.store,
        "heuristic": result.heuristic,
        "heuristic_note": result.heuristic_note,
        "omission_probability": result.omission,
        "threads": result.threads,
        "threads_note": result.threads_note,
        "tier": result.tier,
        "certificate": _certificate_object(result),
        "certificate_text": result.certified(),
        "learning": _learning_object(result),
        "reduction": result.reduction,
        "reduction_note": result.reduction_note,
        "dependence": result.dependence,
        "symmetry": result.symmetry,
        "symmetry_note": result.symmetry_note,
        "shrinking": {
            "cone": list(result.shrinking.cone),
            "safe": list(result.shrinking.safe),
            "matched": list(result.shrinking.by(INFLUENCE)),
            "by_technique": {name: list(found) for name, found in result.shrinking.by_technique},
            "added": result.shrinking.added,
            "note": result.shrinking.note,
        },
        "states": {
            "stored": statistics.stored,
            "expanded": statistics.expanded,
            "generated": statistics.generated,
            "reopened": statistics.reopened,
            "evaluated": statistics.evaluated,
            "dead_ends": statistics.dead_ends,
            "transient": statistics.transient,
        },
        "depth": statistics.depth,
        "trace_length": None if result.trace is None else len(result.trace),
        "trace_moves": None if result.trace is None else result.trace.moves,
        "trace_is_shortest": result.shortest if result.trace is not None else None,
        "trace_cost": result.cost,
        "trace_is_cheapest": result.cheapest if result.cost is not None else None,
        "cycle_start": None if result.trace is None else result.trace.cycle,
        "broken_promise": None if result.trace is None else result.trace.promise or None,
        "trace": _trace_object(result.trace),
        "branches": [
            {
                "at": branch.at,
                "claim": branch.claim,
                "cycle_start": branch.trace.cycle,
                "trace": _trace_object(branch.trace),
            }
            for branch in result.branches
        ],
        "duration": show_time(result.trace.duration) if isinstance(result.trace, TimedTrace) else None,
        "least_time": None if result.least_time is None else result.least_time.moment,
        "least_time_is_attained": None if result.least_time is None else result.least_time.attained,
        "initial": None if result.trace is None else dict(result.trace.initial),
        "time_s": statistics.seconds,
        "memory_bytes": statistics.memory,
        "disk_bytes": statistics.disk,
        "disk_read_bytes": statistics.disk_read,
        "disk_written_bytes": statistics.disk_written,
        "bytes_per_state": statistics.bytes_per_state,
        "frontier": statistics.frontier,
        "best_estimate": statistics.best_estimate,
        "estimates": list(statistics.estimates),
        "history": _history_object(result.history),
        "version": __version__,
    }


def _learning_object(result: Result) -> dict[str, Any] | None:
    """The assumptions by which components were checked one by one, and what it took to learn them."""
    learning = result.learning
    if learning is None:
        return None
    return {
        "assumptions": [
            {"component": one.component, "states": one.states, "arcs": [list(arc) for arc in one.arcs]}
            for one in learning.assumptions
        ],
        "queries": learning.queries,
        "conjectures": learning.conjectures,
        "environments": learning.environments,
        "refinements": learning.refinements,
    }


def _ranges_object(result: Result) -> list[dict[str, Any]]:
    """The range of each value that was asked for; without its ends where there is no such state."""
    return [
        {
            "value": name,
            "low": None if found is None else found.low,
            "high": None if found is None else found.high,
            "low_open": found is not None and found.low_open,
            "high_open": found is not None and found.high_open,
            "empty": found is None,
        }
        for name, found in result.ranges
    ]


def _certificate_object(result: Result) -> dict[str, Any] | None:
    proof = result.certificate
    if proof is None:
        return None
    return {"states": proof.states, "steps": proof.steps, "time_s": proof.seconds}


def _trace_object(trace: Trace | None) -> list[dict[str, Any]] | None:
    if isinstance(trace, TimedTrace):
        steps: list[dict[str, Any]] = to_timed_json(trace)["steps"]
        return steps
    return None if trace is None else to_json(trace)


def _history_object(history: Sequence[Sample]) -> dict[str, list[Any]]:
    """The samples by column."""
    return {
        "seconds": [round(sample.seconds, 6) for sample in history],
        "stored": [sample.stored for sample in history],
        "frontier": [sample.frontier for sample in history],
        "best_estimate": [sample.best_estimate for sample in history],
        "memory_bytes": [sample.memory for sample in history],
    }


def read_trace(told: Mapping[str, Any]) -> Trace | None:
    """The trace inside the object of a result."""
    if told.get("trace") is None:
        return None
    steps = tuple(_read_step(step) for step in told["trace"])
    initial, cycle = told.get("initial") or {}, told.get("cycle_start")
    delays = [Fraction(step["delay"]) for step in told["trace"] if "delay" in step]
    if len(delays) < len(steps) or not told.get("duration"):
        return Trace(initial, steps, cycle=cycle, promise=told.get("broken_promise") or "")
    rest = Fraction(told["duration"]) - sum(delays, Fraction(0))
    return TimedTrace(initial, steps, cycle=cycle, delays=(*delays, rest))


def _read_step(step: Mapping[str, Any]) -> TraceStep:
    place = step.get("source") or {}
    return TraceStep(
        step["step"],
        step["process"],
        step["action"],
        {name: (before, after) for name, (before, after) in step["changes"].items()},
        Source(place.get("file") or "", place.get("line") or 0, place.get("column") or 0),
        tuple((one["process"], one["action"]) for one in step["partners"]),
        tuple(step["output"]),
        step["error"] or "",
        tuple(step.get("elapsed", ())),
        step.get("message") or "",
    )
