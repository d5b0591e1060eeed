"""The words of an HOA file, and errors that point at them."""

from __future__ import annotations

import re

from beeline.model.source import ModelError, Source
from beeline.records import Record

_TOKEN = re.compile(
    r"""(?P<space>\s+) | (?P<comment>/\*) | (?P<string>"(?:\\.|[^"\\])*")
      | (?P<mark>--BODY--|--END--|--ABORT--) | (?P<header>[A-Za-z_][\w-]*:) | (?P<alias>@[\w-]+)
      | (?P<word>[A-Za-z_][\w-]*(?:\.\d+)?) | (?P<number>\d+) | (?P<sign>[][(){}!&|])""",
    re.VERBOSE | re.DOTALL,
)


class HoaError(ModelError):
    """An automaton that cannot be read, or whose acceptance is not supported."""


class Token(Record, frozen=True):
    """A word of the file."""

    kind: str
    text: str
    offset: int

    @property
    def shown(self) -> str:
        return f"'{self.text}'" if self.text else "the end"


class Tokens:
    """The words of a file, one after the other."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.properties: set[str] = set()
        self._tokens = self._read()
        self._at = 0

    def _read(self) -> list[Token]:
        tokens: list[Token] = []
        offset = 0
        while offset < len(self.text):
            found = _TOKEN.match(self.text, offset)
            if found is None:
                here = Token("strange", self.text[offset], offset)
                raise self.error(f"'{here.text}' has no meaning in an HOA file", here, "take it out")
            kind = found.lastgroup or ""
            if kind not in ("space", "comment"):
                tokens.append(Token(kind, found[0], offset))
            offset = self._comment_end(offset) if kind == "comment" else found.end()
        return [*tokens, Token("end", "", len(self.text))]

    def _comment_end(self, start: int) -> int:
        depth = 0
        for found in re.finditer(r"/\*|\*/", self.text[start:]):
            depth += 1 if found[0] == "/*" else -1
            if not depth:
                return start + found.end()
        raise self.error("this comment is not closed", Token("comment", "/*", start), "add */")

    def peek(self) -> Token:
        return self._tokens[self._at]

    def take(self) -> Token:
        token = self._tokens[self._at]
        if token.kind == "end":
            raise self.error("the file ends too early", token, "it must end with --END--")
        self._at += 1
        return token

    def back(self) -> None:
        self._at -= 1

    def accept(self, text: str) -> bool:
        """Takes the next word if it is `text`."""
        if self.peek().text != text:
            return False
        self._at += 1
        return True

    def expect(self, text: str) -> None:
        token = self.take()
        if token.text != text:
            raise self.error(f"expected '{text}', saw {token.shown}", token, f"add '{text}'")

    def number(self, what: str, largest: int) -> int:
        """The next word, a number from 0 to `largest`."""
        token = self.take()
        if token.kind != "number" or len(token.text) > 9:
            raise self.error(f"expected {what}, saw {token.shown}", token, "it must be a number")
        if int(token.text) > largest:
            remedy = f"the largest one is {largest}" if largest >= 0 else "the header declares none"
            raise self.error(f"{token.text} is too large for {what}", token, remedy)
        return int(token.text)

    def string(self) -> str:
        token = self.take()
        if token.kind != "string":
            raise self.error(f"expected a name in quotes, saw {token.shown}", token, 'write "p"')
        return re.sub(r"\\(.)", r"\1", token.text[1:-1])

    def error(self, message: str, token: Token, remedy: str) -> HoaError:
        line = self.text.count("\n", 0, token.offset) + 1
        start = self.text.rfind("\n", 0, token.offset) + 1
        end = self.text.find("\n", token.offset)
        excerpt = self.text[start : end if end >= 0 else None].replace("\t", " ")
        return HoaError(message, Source(self.file, line, token.offset - start + 1), remedy, excerpt)
