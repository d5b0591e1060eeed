"""Words of SMV."""

from __future__ import annotations

import re

from beeline.languages.smv.errors import SourceText
from beeline.records import Record

NAME, NUMBER, SYMBOL, END = "name", "number", "symbol", "end"

# A name may have a `-` inside, as in NuSMV: `x-1` is one, `x - 1` is a difference.
_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n\f\v]+|/--.*?--/|--[^\n]*)
  | (?P<name>[A-Za-z_](?:[A-Za-z0-9_$\#]|-(?=[A-Za-z0-9_$\#]))*)
  | (?P<word>0[us]?[bBoOdDhH][0-9]*_[0-9A-Fa-f_]+)
  | (?P<number>[0-9]+)
  | (?P<symbol>:=|<->|->|!=|<=|>=|\.\.|<<|>>|::|[-+*/|&<>=!?:;,.(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(Record, frozen=True):
    """A word of the text."""

    kind: str
    text: str
    offset: int

    def __str__(self) -> str:
        return "the end of the text" if self.kind == END else f"`{self.text}`"


def cut(source: SourceText) -> list[Token]:
    """The words of a text, and one for its end."""
    text, at = source.text, 0
    tokens: list[Token] = []
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise source.error(f"unexpected character `{text[at]}`", source.place(at))
        if found.lastgroup == "word":
            raise source.error("words are not supported", source.place(at), "use a range of integers, such as 0..255")
        if found.lastgroup != "space":
            tokens.append(Token(found.lastgroup or "", found.group(), at))
        elif text.startswith("/--", at) and not found.group().endswith("--/"):
            raise source.error("this comment is never closed", source.place(at), "end it with `--/`")
        at = found.end()
    return [*tokens, Token(END, "", len(text))]
