"""What GitHub's pages show of a run: annotations beside the lines of a change, and a summary of the job."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from beeline.columns import Look
from beeline.report.verdicts import Case, counted
from beeline.trace.table import to_table

LEVELS = {"violated": "error", "error": "error", "unknown": "warning", "holds": "warning"}
FOLDED = Look(fold=True)


def workflow_commands(cases: Sequence[Case]) -> list[str]:
    """A command of the workflow for each case that is not as expected.

    >>> workflow_commands([Case("m.pml", "safe", "violated", "deadlock")])
    ['::error file=m.pml,title=safe%3A violated::deadlock']
    """
    return [_annotation(case) for case in cases if not case.as_expected]


def _annotation(case: Case) -> str:
    place = {"file": case.source.file or case.model}
    if case.source.line:
        place["line"] = str(case.source.line)
        if case.source.column:
            place["col"] = str(case.source.column)
    wanted = "" if case.expected == "holds" else f", expected {case.expected_word}"
    place["title"] = f"{case.asked}: {case.word}{wanted}"
    shown = ",".join(f"{name}={_quoted(value, ':,')}" for name, value in place.items())
    return f"::{LEVELS[case.verdict]} {shown}::{_quoted(' '.join(filter(None, (case.reason, case.span))))}"


def _quoted(text: str, more: str = "") -> str:
    """Text in which no letter has a meaning to the workflow."""
    return "".join(f"%{ord(letter):02X}" if letter in f"%\r\n{more}" else letter for letter in text)


def to_summary(cases: Sequence[Case]) -> str:
    """The cases as Markdown: a table, and the traces of those that are not as expected, folded."""
    wrong = [case for case in cases if not case.as_expected]
    lines = [
        f"### Beeline: {counted(cases)}",
        "",
        "| | model | property | verdict | expected | steps | states | time |",
        "|---|---|---|---|---|--:|--:|--:|",
    ]
    for case in cases:
        mark = "✅" if case.as_expected else "❔" if case.verdict == "unknown" else "❌"
        cells = (mark, _code(case.model), _code(case.asked), case.word, case.expected_word)
        length = "" if case.length is None else f"{case.length:,}"
        lines.append(f"| {' | '.join(cells)} | {length} | {case.states:,} | {case.seconds:.2f} s |")
    for case in wrong:
        told = case.details if case.trace is None else to_table(case.trace, FOLDED)
        headline = f"{escape(case.model)}, {escape(case.asked)}: {case.word} ({escape(case.reason)})"
        lines += ["", f"<details><summary>{headline}</summary>", "", f"<pre>{escape(told)}</pre>", "</details>"]
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """Text as code in a cell; nothing in it is markup."""
    safe = escape(text.replace("\n", " ")).replace("|", "&#124;").replace("`", "&#96;")
    return f"<code>{safe}</code>"
