"""Source positions and the exceptions that carry them, shared by every front end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from beeline.records import Record, replace


class Source(Record, frozen=True):
    """A place in a model file: 1-based line and column, 0 where unknown."""

    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file or "<model>"]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


UNKNOWN = Source()

MOST_SHOWN = 120  # letters of a line that an error shows


class BeelineError(Exception):
    """Base of every error that Beeline reports to a person; `str()` is the whole message. `option` names the option
    that is wrong, if one is."""

    option: str = ""


@contextmanager
def not_too_deep() -> Iterator[None]:
    """Around what follows the structure of a model by recursion."""
    try:
        yield
    except RecursionError:
        raise ModelError("the model or the property is nested too deeply", remedy="split it into parts") from None


class ModelError(BeelineError):
    """A mistake in a model or property: where, what, and what to do about it."""

    def __init__(
        self, message: str, source: Source = UNKNOWN, remedy: str = "", excerpt: str = "", word: str = ""
    ) -> None:
        self.message = message
        self.source = source
        self.remedy = remedy
        self.excerpt = excerpt
        self.word = word  # the name that is meant, for those who know the text that it stands in
        super().__init__(self._render())

    def within(self, source: Source, text: str) -> ModelError:
        """The same error about a piece of `text` that came from `source`: the column is that in the text, and the text
        becomes the excerpt, unless the error has one already."""
        column = self.source.column
        if not column and self.word:
            found = re.search(rf"(?<!\w){re.escape(self.word)}(?!\w)", text)
            column = found.start() + 1 if found else 0
        return ModelError(self.message, replace(source, column=column), self.remedy, self.excerpt or text, self.word)

    def _render(self) -> str:
        where = f"{self.source}: " if self.source != UNKNOWN else ""
        lines = [f"{where}{self.message}"]
        if self.excerpt:
            shown, column = _window(self.excerpt, self.source.column)
            lines.append(f"    {shown}")
            if column:
                lines.append("    " + " " * (column - 1) + "^")
        if self.remedy:
            lines.append(f"  hint: {self.remedy}")
        return "\n".join(lines)


def _window(line: str, column: int) -> tuple[str, int]:
    """The part of a line that is shown, and the column in it: all of a short line, else what is around the column."""
    if len(line) <= MOST_SHOWN:
        return line, column
    start = max(0, min(column - MOST_SHOWN // 2, len(line) - MOST_SHOWN))
    before, after = "..." if start else "", "..." if start + MOST_SHOWN < len(line) else ""
    return before + line[start : start + MOST_SHOWN] + after, column - start + len(before) if column else 0
