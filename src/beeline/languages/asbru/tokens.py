"""Words of Asbru texts, and a place among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from beeline.languages.asbru.errors import SourceText
from beeline.model import reading
from beeline.model.reading import END, Token, Words, alternatives
from beeline.model.source import ModelError, Source

NAME, NUMBER = "name", "number"

_PATTERN = re.compile(
    r"""
    (?P<space>[ \t\r\n\f]+|//[^\n]*|/\*.*?\*/)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*\**)
  | (?P<number>[0-9]+(?:min|h|d|w)?)
  | (?P<symbol>:=|!=|<=|>=|\.\.|[-+<>=:,(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)


_WORDS = Words(_PATTERN, unclosed={"/*": ("comment", "*/")})


class Cursor(reading.Cursor[Token]):
    """Walks over the words of a text; the next one is `token`."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        super().__init__(list(_WORDS.cut(source)))

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
