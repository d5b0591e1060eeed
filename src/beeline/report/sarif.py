"""SARIF 2.1.0, the format in which code hosts take findings: the violating line is annotated, and the trace can be
walked through line by line."""

from __future__ import annotations

import json
import linecache
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from beeline import __version__
from beeline.model.source import Source
from beeline.report.verdicts import Case
from beeline.trace.formats import CYCLE_BEGINS, show_changes
from beeline.trace.trace import Trace, TraceStep

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RULES = {
    "violated": "A property is violated; the message says how.",
    "holds": "A property holds that was expected to be violated.",
    "unknown": "A property could be neither proved nor refuted within the limits.",
    "error": "A model or property could not be checked.",
}
LEVELS = {"violated": "error", "holds": "warning", "unknown": "warning", "error": "error"}
MOST_STEPS = 1000  # of a trace that is told line by line, the last ones; code hosts show no more


def to_sarif(cases: Sequence[Case]) -> str:
    """The log with one result for each case that is not as expected."""
    run = {
        "tool": {
            "driver": {
                "name": "Beeline",
                "version": __version__,
                "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(case) for case in cases if not case.as_expected],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _result(case: Case) -> dict[str, Any]:
    text = " ".join(part for part in (f"{case.asked}: {case.verdict} ({case.reason})", case.span) if part)
    if case.text:
        text += "\n\n" + case.text
    told: dict[str, Any] = {
        "ruleId": case.verdict,
        "ruleIndex": list(RULES).index(case.verdict),
        "level": LEVELS[case.verdict],
        "message": {"text": text},
        "locations": [{"physicalLocation": _place(case.source, case.model)}],
        "partialFingerprints": {"beelineProperty/v1": f"{case.model}:{case.asked}"},
    }
    if case.trace is not None and case.trace.steps:
        told["codeFlows"] = [_flow(case.trace, case.model)]
    return told


def _flow(trace: Trace, model: str) -> dict[str, Any]:
    """The trace, a place for each step."""
    shown = trace.steps[-MOST_STEPS:]
    locations = [
        {
            "location": {
                "physicalLocation": _place(step.source, model),
                "message": {"text": _told(step, step.number - 1 == trace.cycle)},
            },
            "executionOrder": position,
            "importance": "essential" if step is trace.steps[-1] else "important",
        }
        for position, step in enumerate(shown, start=1)
    ]
    left_out = len(trace) - len(shown)
    note = f"the last {MOST_STEPS:,} of {len(trace):,} steps" if left_out else f"{len(trace)} steps"
    return {"message": {"text": note}, "threadFlows": [{"locations": locations}]}


def _told(step: TraceStep, begins_cycle: bool) -> str:
    """A step in a line."""
    partners = "".join(f"; {process} {action}" for process, action in step.partners if process != step.process)
    who = f"{step.process}: " if step.process else ""
    changed = f"! {step.error}" if step.error else show_changes(step.shown_changes)
    begins = f"{CYCLE_BEGINS}; " if begins_cycle else ""
    return f"{begins}{step.number}. {who}{step.action}{partners}{f'   ({changed})' if changed else ''}"


def _place(source: Source, model: str) -> dict[str, Any]:
    file = source.file or model
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if source.line:
        place["region"] = _region(file, source)
    return place


def _region(file: str, source: Source) -> dict[str, Any]:
    """From the place to the end of its line, with its text, if the file can be read."""
    region: dict[str, Any] = {"startLine": source.line}
    if source.column:
        region["startColumn"] = source.column
    line = linecache.getline(file, source.line).rstrip()
    if line and source.column <= len(line):
        region |= {"endLine": source.line, "endColumn": len(line) + 1}
        region["snippet"] = {"text": line[max(0, source.column - 1) :]}
    return region


def _uri(file: str) -> str:
    path = Path(file)
    if path.is_absolute():
        try:
            path = path.relative_to(Path.cwd())
        except ValueError:
            return path.as_uri()
    return quote(path.as_posix())
