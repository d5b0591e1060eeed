"""One self-contained page for one result: markup, style, script and data in a single file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from beeline.languages import languages
from beeline.model.source import BeelineError
from beeline.trace.messages import messages
from beeline.trace.trace import TraceStep

HERE = Path(__file__).parent
SCRIPTS = (
    "model.js",
    "layout.js",
    "elements.js",
    "chart.js",
    "state.js",
    "source.js",
    "why.js",
    "automata.js",
    "timeline.js",
    "plots.js",
    "graph.js",
    "viewer.js",
)
LARGEST_SOURCE = 2_000_000  # characters of a model file that are put into the page


class ResultError(BeelineError):
    """A file that is no result of `beeline check --json`."""


def read_result(text: str, name: str) -> dict[str, Any]:
    """The result in the text of a file; raises `ResultError`."""
    try:
        found = json.loads(text, parse_constant=lambda _: None)  # NaN is no JSON for a browser
    except ValueError as error:
        raise ResultError(f"{name}: this is not JSON ({error})\n  hint: write it with `beeline check --json`") from None
    if isinstance(found, dict) and "verdict" not in found and isinstance(found.get("trace"), list):
        # What `beeline improve` wrote: a trace that is known to end in a violation.
        found = {"verdict": "violated", "reason": found.get("note", ""), "trace_length": len(found["trace"]), **found}
    if not isinstance(found, dict) or "verdict" not in found:
        raise ResultError(f"{name}: this is no result of a check\n  hint: write it with `beeline check --json`")
    trace = found.get("trace")
    if trace is not None and not (isinstance(trace, list) and all(_is_step(step) for step in trace)):
        raise ResultError(f"{name}: its trace is not a list of steps")
    return found


def _is_step(step: Any) -> bool:
    if not isinstance(step, dict) or not isinstance(step.get("changes", {}), dict):
        return False
    pairs = step.get("changes", {}).values()
    return all(isinstance(pair, list) and len(pair) == 2 for pair in pairs)


def read_sources(result: Mapping[str, Any], given: Sequence[Path] = ()) -> dict[str, list[str]]:
    """The lines of the model files that a trace names.

    A result may come from anywhere: files it names are read only if they lie below the current folder and have the
    suffix of a model. Files that a person names are read in any case, for the name in the trace that fits best."""
    named = {
        file
        for step in result.get("trace") or []
        if isinstance(place := step.get("source"), dict) and isinstance(file := place.get("file"), str) and file
    }
    suffixes = {suffix for language in languages() for suffix in language.suffixes}
    found: dict[str, list[str]] = {}
    for path in given:
        same = next((name for name in named if Path(name).name == path.name), str(path))
        found[same] = _lines(path)
    here = Path.cwd().resolve()
    for name in sorted(named - set(found)):
        path = Path(name).resolve()
        if path.suffix in suffixes and path.is_relative_to(here) and path.is_file():
            found[name] = _lines(path)
    return found


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace")[:LARGEST_SOURCE].splitlines()
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from None


def build_page(
    result: Mapping[str, Any],
    sources: Mapping[str, Sequence[str]] | None = None,
    other: Mapping[str, Any] | None = None,
) -> str:
    """The page as text, with a comparison if there is another result.

    Its policy lets it run its own script and style and reach nothing else.

    >>> "<script>alert" in build_page({"verdict": "holds", "property": "<script>alert(1)</script>"})
    False
    """
    script = "".join((HERE / name).read_text(encoding="utf-8") for name in SCRIPTS)
    style = (HERE / "viewer.css").read_text(encoding="utf-8")
    parts = {
        "POLICY": policy(script, style),
        "STYLE": style,
        "SCRIPT": script,
        "DATA": embed({"result": result, "sources": sources or {}, "other": other, "messages": _messages(result)}),
    }
    page = (HERE / "page.html").read_text(encoding="utf-8")
    # All places are filled at once: what is put into one is never searched for another.
    return re.sub("@(POLICY|STYLE|SCRIPT|DATA)@", lambda place: parts[place[1]], page)


def _messages(result: Mapping[str, Any]) -> list[tuple[str, str, int, int]]:
    """Who sent the messages of a trace, and who received them. A result may come from anywhere: what is no text is
    none."""
    steps = []
    for step in result.get("trace") or ():
        pairs = {
            name: (before, after)
            for name, (before, after) in step.get("changes", {}).items()
            if isinstance(before, str) and isinstance(after, str)
        }
        steps.append(TraceStep(0, "", "", pairs))
    return [(one.channel, one.text, one.sent, one.received) for one in messages(steps)]


def embed(value: Any) -> str:
    """JSON that can stand inside a script element: no character of it can end or begin an element or a comment."""
    text = json.dumps(value, ensure_ascii=True)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def policy(script: str, style: str) -> str:
    """The content security policy of the page: this script, this style, no network."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
