"""What a file asks, and the answers, in one table; and what was not asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from beeline.checking import Result
from beeline.columns import OF_VERDICT, Column, Look, laid_out
from beeline.model.network import Network
from beeline.properties import asks_deadlock

WORDS = {"holds": "holds", "violated": "VIOLATED", "unknown": "unknown"}
WORDS_OF_UPPAAL = {"holds": "satisfied", "violated": "NOT satisfied", "unknown": "unknown"}
SAYS_NOTHING = ("exhausted", "invariant violated")
"""Reasons that only repeat the verdict; in UPPAAL's words these do, too:"""
SATISFACTION = ("goal reached", "no such state is reachable", "there is no such run")
COLUMNS = (
    Column(8),
    Column(16),
    Column(13),
    Column(right=True),
    Column(right=True),
    Column(right=True),
)


def word_of(result: Result, model: Any) -> str:
    """The verdict in the words of the model's language."""
    return (WORDS_OF_UPPAAL if _is_uppaal(model) else WORDS)[result.verdict]


def to_table(results: Sequence[Result], model: Any, how: Look = Look()) -> str:  # noqa: B008  # a frozen value
    """A row for each answer: what was asked, the answer, the length of the trace, the states stored, the time."""
    rows = [("name", "question", "answer", "steps", "states", "time")]
    for result in results:
        asked, trace = result.property, result.trace
        text = asked.text if asked.text != asked.name else ""
        rows.append(
            (
                asked.name,
                text,
                _answer(result, model),
                "" if trace is None else f"{len(trace):,}",
                f"{result.statistics.stored:,}" if result.statistics.stored else "",
                f"{result.statistics.seconds:.2f} s",
            )
        )

    def style(row: int, column: int) -> str | None:
        return "head" if row == 0 else OF_VERDICT[results[row - 1].verdict] if column == 2 else None

    if not any(row[1] for row in rows[1:]):
        rows[0] = ("", *rows[0][1:])
    return "\n".join(laid_out(rows, COLUMNS, how, style))


def _answer(result: Result, model: Any) -> str:
    """The verdict, and why, where that says more."""
    word = word_of(result, model) + (", certified" if result.certificate is not None else "")
    said = "" if _says_nothing(result, model) else result.reason.removeprefix("not checked: ")
    doubt = f"not certified: {result.certificate_note}" if result.certificate_note else ""
    why = "; ".join(part for part in (said, doubt) if part)
    return f"{word} ({why})" if why else word


def _says_nothing(result: Result, model: Any) -> bool:
    return result.reason in (*SAYS_NOTHING, *(SATISFACTION if _is_uppaal(model) else ()))


def title_of(result: Result, model: Any) -> str:
    """What was asked: its name, of a query of UPPAAL its text."""
    asked = result.property
    return asked.text if _is_uppaal(model) and asked in model.properties else asked.name


def not_asked(results: Sequence[Result], model: Any) -> list[str]:
    """The names of questions about a network that were not asked: others of the model, or else deadlock."""
    if not isinstance(model, Network):
        return []
    asked = [result.property for result in results]
    names, texts = {one.name for one in asked}, {one.text for one in asked if one.text}
    missing = [one.name for one in model.properties if not one.part and one.name not in names and one.text not in texts]
    if missing or not model.properties or any(one.seeks_deadlock or asks_deadlock(one) for one in asked):
        return missing
    return ["deadlock"]


def _is_uppaal(model: Any) -> bool:
    return isinstance(model, Network) and model.language == "uppaal"
