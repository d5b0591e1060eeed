"""The words of an HOA file, and errors that point at them."""

from __future__ import annotations

import re
from typing import ClassVar

from beeline.model import reading
from beeline.model.reading import END, Token
from beeline.model.source import ModelError

_TOKEN = re.compile(
    r"""(?P<space>\s+) | (?P<comment>/\*) | (?P<string>"(?:\\.|[^"\\])*")
      | (?P<mark>--BODY--|--END--|--ABORT--) | (?P<header>[A-Za-z_][\w-]*:) | (?P<alias>@[\w-]+)
      | (?P<word>[A-Za-z_][\w-]*(?:\.\d+)?) | (?P<number>\d+) | (?P<sign>[][(){}!&|])""",
    re.VERBOSE | re.DOTALL,
)


class HoaError(ModelError):
    """An automaton that cannot be read, or whose acceptance is not supported."""


class _Text(reading.SourceText, frozen=True, dict=True):
    error_class: ClassVar[type[ModelError]] = HoaError


class Tokens(reading.Cursor[Token]):
    """The words of a file, one after the other."""

    def __init__(self, text: str, file: str) -> None:
        self._source = _Text(file, text)
        self.properties: set[str] = set()
        super().__init__(self._read())

    def _read(self) -> list[Token]:
        tokens: list[Token] = []
        text, offset = self._source.text, 0
        while offset < len(text):
            found = _TOKEN.match(text, offset)
            if found is None:
                here = Token("strange", text[offset], offset)
                raise self.wrong(f"'{here.text}' has no meaning in an HOA file", here, "take it out")
            kind = found.lastgroup or ""
            if kind not in ("space", "comment"):
                tokens.append(Token(kind, found[0], offset))
            offset = self._comment_end(offset) if kind == "comment" else found.end()
        return [*tokens, Token(END, "", len(text))]

    def _comment_end(self, start: int) -> int:
        depth = 0
        for found in re.finditer(r"/\*|\*/", self._source.text[start:]):
            depth += 1 if found[0] == "/*" else -1
            if not depth:
                return start + found.end()
        raise self.wrong("this comment is not closed", Token("comment", "/*", start), "add */")

    def take(self) -> Token:
        if self.at_end():
            raise self.wrong("the file ends too early", self.token, "it must end with --END--")
        return self.advance()

    def error(self, message: str) -> ModelError:
        return self.wrong(message, self.token, "")

    def number(self, what: str, largest: int) -> int:
        """The next word, a number from 0 to `largest`."""
        token = self.take()
        if token.kind != "number" or len(token.text) > 9:
            raise self.wrong(f"expected {what}, saw {token}", token, "it must be a number")
        if int(token.text) > largest:
            remedy = f"the largest one is {largest}" if largest >= 0 else "the header declares none"
            raise self.wrong(f"{token.text} is too large for {what}", token, remedy)
        return int(token.text)

    def string(self) -> str:
        token = self.take()
        if token.kind != "string":
            raise self.wrong(f"expected a name in quotes, saw {token}", token, 'write "p"')
        return re.sub(r"\\(.)", r"\1", token.text[1:-1])

    def wrong(self, message: str, token: Token, remedy: str) -> ModelError:
        """An error at a word."""
        return self._source.error(message, self._source.place(token.offset), remedy)
