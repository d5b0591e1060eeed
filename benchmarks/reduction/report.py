"""Tables in Markdown, and sentences about what they show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(title: str, text: str, head: Sequence[str], rows: Iterable[Sequence[object]], *relations: str) -> str:
    """A section with a table and a list of relations that hold in it, or do not."""
    lines = [f"## {title}", "", text, "", f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    lines += ["", *(f"- {relation}" for relation in relations)] if relations else []
    return "\n".join(lines) + "\n"


def relation(claim: str, against: Sequence[str]) -> str:
    """The published relation, and whether ours is the same: it is not where something is against it, which is told as
    it was measured."""
    return f"{claim}: does not hold. Against it: {'; '.join(against)}." if against else f"{claim}: holds."


def exceeding(rows: Iterable[tuple[object, float, float]]) -> list[str]:
    """The rows in which the first figure is larger than the second, with both."""
    return [f"{name}, {one:,} and {other:,}" for name, one, other in rows if one > other]
