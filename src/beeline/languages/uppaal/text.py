"""Pieces of model text that know where they stand in their file, across XML markup and entities."""

from __future__ import annotations

from bisect import bisect_right

from beeline.model.source import Source
from beeline.records import Record


class Piece(Record, frozen=True):
    """Text from one place of a file: a whole `.xta` file, or the content of one XML element.

    `marks` says where runs of the text begin in the file, as (offset in the text, line, column), in order; within a
    run the text and the file agree character by character. `context` names the place for people ("template Train").
    """

    text: str
    file: str = ""
    context: str = ""
    marks: tuple[tuple[int, int, int], ...] = ((0, 1, 1),)

    def source(self, offset: int) -> Source:
        """The place in the file of the character at `offset`."""
        found = bisect_right(self.marks, offset, key=lambda mark: mark[0])
        start, line, column = self.marks[max(found - 1, 0)]
        before = self.text[start:offset]
        newlines = before.count("\n")
        if newlines:
            return Source(self.file, line + newlines, len(before) - before.rfind("\n"))
        return Source(self.file, line, column + len(before))

    def within(self, context: str) -> Piece:
        """The same text under another name of its place."""
        return Piece(self.text, self.file, context, self.marks)


def from_string(text: str, file: str = "", context: str = "") -> Piece:
    """A piece that is a whole file.

    >>> str(from_string("int x;\\nclock y;", "m.xta").source(7))
    'm.xta:2:1'
    """
    marks = [(0, 1, 1)]
    line = 1
    at = text.find("\n")
    while at >= 0:
        line += 1
        marks.append((at + 1, line, 1))
        at = text.find("\n", at + 1)
    return Piece(text, file, context, tuple(marks))
