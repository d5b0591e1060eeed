"""Words of DVE, and a place among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from beeline.languages.dve.errors import SourceText
from beeline.model import reading
from beeline.model.reading import END, Token, Words, alternatives
from beeline.model.source import ModelError, Source

NAME, NUMBER = "name", "number"

_PATTERN = re.compile(
    r"""
    (?P<space>[ \t\r\n\f]+|//[^\n]*|/\*.*?\*/|\\[ \t]*\r?\n)
  | (?P<name>[A-Za-z_][A-Za-z0-9_$\#]*)
  | (?P<number>[0-9]+)
  | (?P<symbol>->|=>|\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%|^&<>=!~?:;,.(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)


_WORDS = Words(_PATTERN, unclosed={"/*": ("comment", "*/")})


class Cursor(reading.Cursor[Token]):
    """Walks over the words of a text; the next one is `token`."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        super().__init__(list(_WORDS.cut(source)))

    def place(self, token: Token) -> Source:
        """The place of a word."""
        return self.source.place(token.offset)

    def listed(self, texts: Sequence[str]) -> str:
        return alternatives(texts)

    def expect_name(self) -> Token:
        if self.token.kind != NAME:
            raise self.unexpected("a name")
        return self.advance()

    def expect_number(self, most: int = 2**31 - 1, problem: str = "this number does not fit into 32 bits") -> int:
        if self.token.kind != NUMBER:
            raise self.unexpected("a number")
        token = self.advance()
        digits = token.text.lstrip("0") or "0"
        # Python refuses to read numbers of some thousand digits.
        if len(digits) > len(str(most)) or int(digits) > most:
            raise self.source.error(problem, self.place(token), f"{most} is the largest")
        return int(digits)

    def expect_end(self) -> None:
        if self.token.kind != END:
            raise self.unexpected("the end of the text")

    def unexpected(self, wanted: str) -> ModelError:
        """An error about the next word, where `wanted` should stand."""
        return self.wrong(f"expected {wanted}")

    def wrong(self, remedy: str) -> ModelError:
        """An error about the next word."""
        if self.token.kind != END:
            return self.source.error(f"unexpected `{self.token.text}`", self.place(self.token), remedy)
        return self.source.error("the text ends too early", self.source.end(), remedy)
