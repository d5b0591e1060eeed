"""Words of DVE, and a place among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from beeline.languages.dve.errors import SourceText
from beeline.model import reading
from beeline.model.reading import alternatives
from beeline.model.source import ModelError, Source
from beeline.records import Record

NAME, NUMBER, SYMBOL, END = "name", "number", "symbol", "end"

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n\f]+|//[^\n]*|/\*.*?\*/|\\[ \t]*\r?\n)
  | (?P<name>[A-Za-z_][A-Za-z0-9_$\#]*)
  | (?P<number>[0-9]+)
  | (?P<symbol>->|=>|\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%|^&<>=!~?:;,.(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(Record, frozen=True):
    """A word. `kind` is NAME for keywords, too: they are such only where one can stand."""

    kind: str
    text: str
    offset: int

    @property
    def end(self) -> int:
        return self.offset + len(self.text)


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
                raise self.source.error(f"unexpected character `{text[at]}`", self.source.place(at))
            if found.lastgroup != "space":
                if text.startswith("/*", at):
                    raise self.source.error("this comment is never closed", self.source.place(at), "end it with `*/`")
                tokens.append(Token(found.lastgroup or "", found.group(), at))
            at = found.end()
        return [*tokens, Token(END, "", len(text))]

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
