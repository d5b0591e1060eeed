"""Tables in Markdown, and sentences about what they show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(title: str, text: str, head: Sequence[str], rows: Iterable[Sequence[object]], *relations: str) -> str:
    """A section with a table and a list of relations that hold in it, or do not."""
    lines = [f"## {title}", "", text, "", f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    lines += ["", *(f"- {relation}" for relation in relations)] if relations else []
    return "\n".join(lines) + "\n"


def relation(claim: str, holds: bool, otherwise: str = "") -> str:
    """The published relation, whether ours is the same, and why not where it is not."""
    return f"{claim}: holds." if holds else f"{claim}: does not hold. {otherwise}".rstrip()
