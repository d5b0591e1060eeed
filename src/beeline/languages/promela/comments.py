"""Comments taken out of a text before the preprocessor sees it, which needs some hundred bytes for each of their
characters. Everything else stays at its line and column."""

from __future__ import annotations

import re

from beeline.model.source import Source

from .errors import PromelaError

_NEXT = re.compile(r"""/\*|//|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'""")


def without_comments(text: str, file: str) -> str:
    """The text with blanks and ends of lines instead of comments.

    >>> without_comments("byte x; /* one" + chr(10) + "two */ byte y; // three", "example.pml")
    'byte x;\\n       byte y;'
    """
    parts: list[str] = []
    start = at = 0
    while (found := _NEXT.search(text, at)) is not None:
        at = found.end()
        if found.group() not in ("/*", "//"):
            continue  # a text may look like a comment
        parts.append(text[start : found.start()])
        if found.group() == "//":
            start = at = _end(text, "\n", at)
            continue
        start = at = _end(text, "*/", at) + 2
        if at > len(text):
            line = text.count("\n", 0, found.start()) + 1
            raise PromelaError(
                "this comment is not closed", Source(file, line, _column(text, found.start())), "add '*/'"
            )
        parts.append(_blank(text, found.start(), at))
    parts.append(text[start:])
    # The preprocessor cuts blanks at the end of lines off, and then counts columns in what is left.
    return "\n".join(line.rstrip() for line in "".join(parts).split("\n"))


def _end(text: str, what: str, at: int) -> int:
    found = text.find(what, at)
    return found if found >= 0 else len(text)


def _column(text: str, at: int) -> int:
    return at - text.rfind("\n", 0, at)


def _blank(text: str, start: int, end: int) -> str:
    """What takes the place of a comment. In a directive, the lines stay one."""
    lines = text.count("\n", start, end)
    if lines == 0:
        return " " * (end - start)
    first = text.rfind("\n", 0, start) + 1
    while text.endswith("\\\n", 0, first):  # a directive that goes on over several lines
        first = text.rfind("\n", 0, first - 1) + 1
    newline = "\\\n" if text[first:start].lstrip().startswith("#") else "\n"
    return newline * lines + " " * (_column(text, end) - 1)
