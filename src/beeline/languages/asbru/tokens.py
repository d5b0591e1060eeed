"""Words of Asbru texts, and a place among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from beeline.languages.asbru.errors import SourceText
from beeline.model import reading
from beeline.model.reading import alternatives
from beeline.model.source import ModelError, Source
from beeline.records import Record

NAME, NUMBER, SYMBOL, END = "name", "number", "symbol", "end"

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n\f]+|//[^\n]*|/\*.*?\*/)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*\**)
  | (?P<number>[0-9]+(?:min|h|d|w)?)
  | (?P<symbol>:=|!=|<=|>=|\.\.|[-+<>=:,(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(Record, frozen=True):
    """A word; keywords are names where none can stand."""

    kind: str
    text: str
    offset: int


class Cursor(reading.Cursor[Token]):
    """Walks over the words of a text; the next one is `token`."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        super().__init__(self._cut())

    def _cut(self) -> list[Token]:
        text, at = self.source.text, 0
        tokens: list[Token] = []
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                if text.startswith("/*", at):
                    raise self.source.error("this comment is never closed", self.source.place(at), "end it with `*/`")
                raise self.source.error(f"unexpected character `{text[at]}`", self.source.place(at))
            if found.lastgroup != "space":
                tokens.append(Token(found.lastgroup or "", found.group(), at))
            at = found.end()
        return [*tokens, Token(END, "", len(text))]

    @property
    def here(self) -> Source:
        """The place of the next word."""
        return self.source.end() if self.token.kind == END else self.source.place(self.token.offset)

    def listed(self, texts: Sequence[str]) -> str:
        return alternatives(texts)

    def name(self, what: str = "a name") -> str:
        if self.token.kind != NAME:
            raise self.unexpected(what)
        return self.advance().text

    def unexpected(self, wanted: str) -> ModelError:
        found = "the text ends too early" if self.token.kind == END else f"unexpected `{self.token.text}`"
        return self.source.error(found, self.here, f"expected {wanted}")
