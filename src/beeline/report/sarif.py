"""SARIF 2.1.0, the format in which code hosts take findings: the violating line is annotated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from beeline import __version__
from beeline.model.source import Source
from beeline.report.verdicts import Case

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RULES = {
    "violated": "A property is violated; the message says how.",
    "holds": "A property holds that was expected to be violated.",
    "unknown": "A property could be neither proved nor refuted within the limits.",
    "error": "A model or property could not be checked.",
}
LEVELS = {"violated": "error", "holds": "warning", "unknown": "warning", "error": "error"}


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
    if case.details:
        text += "\n\n" + case.details
    return {
        "ruleId": case.verdict,
        "ruleIndex": list(RULES).index(case.verdict),
        "level": LEVELS[case.verdict],
        "message": {"text": text},
        "locations": [{"physicalLocation": _place(case.source, case.model)}],
        "partialFingerprints": {"beelineProperty/v1": f"{case.model}:{case.asked}"},
    }


def _place(source: Source, model: str) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(source.file or model)}}
    if source.line:
        place["region"] = {"startLine": source.line}
        if source.column:
            place["region"]["startColumn"] = source.column
    return place


def _uri(file: str) -> str:
    path = Path(file)
    if path.is_absolute():
        try:
            path = path.relative_to(Path.cwd())
        except ValueError:
            return path.as_uri()
    return quote(path.as_posix())
