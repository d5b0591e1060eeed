"""Tokens of UPPAAL's language, the same for declarations, expressions, processes and queries."""

from __future__ import annotations

import re
from enum import Enum

from beeline.languages.uppaal.errors import UppaalError
from beeline.languages.uppaal.text import Piece
from beeline.model.source import Source
from beeline.records import Record


class Kind(Enum):
    NAME = "name"
    KEYWORD = "keyword"
    NUMBER = "number"
    DECIMAL = "decimal number"
    STRING = "string"
    SYMBOL = "symbol"
    NEWLINE = "end of line"
    END = "end of text"


class Token(Record, frozen=True):
    kind: Kind
    text: str
    offset: int
    source: Source

    def __str__(self) -> str:
        return self.kind.value if self.kind in (Kind.END, Kind.NEWLINE) else f"'{self.text}'"


# Words that never name anything. Words that matter in one place only (`hybrid`, `priority`, `A`, `sup` and the like)
# stay names, so that models which use them as such still read; the parsers look at the text.
_OLD_WORDS = """
    const guard sync assign process state init trans urgent commit broadcast system true false and or not imply
    bool int chan clock
"""
_NEW_WORDS = """
    select xor for while do if else default return typedef struct meta before_update after_update assert forall
    exists sum double void scalar
"""
_OLD_KEYWORDS = frozenset(_OLD_WORDS.split())
_KEYWORDS = _OLD_KEYWORDS | frozenset(_NEW_WORDS.split())

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\f\v]+|\\[ \t]*\r?\n)
  | (?P<newline>\n)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<decimal>\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)
  | (?P<number>\d+)
  | (?P<name>[A-Za-z_][A-Za-z_0-9]*)
  | (?P<string>"[^"\n]*")
  | (?P<symbol>-u->|-->|<<=|>>=|:=|\+=|-=|\*=|/=|%=|\|=|&=|\^=|<\?|>\?|<=|>=|=<|=>|==|!=|->|\+\+|--|\*\*|<<|>>
      |\|\||&&|[-+*/%|&^<>=!?:;,.(){}\[\]'\#])
    """,
    re.VERBOSE | re.DOTALL,
)


def tokenize(piece: Piece, *, old: bool = False, newlines: bool = False) -> list[Token]:
    """Splits `piece` into tokens, ending with one of kind END.

    `old` reads UPPAAL 3.x text (`=<`, fewer keywords); with `newlines` ends of lines are tokens (in query files).

    >>> [token.text for token in tokenize(Piece("x<=2 && !y"))]
    ['x', '<=', '2', '&&', '!', 'y', '']
    """
    keywords = _OLD_KEYWORDS if old else _KEYWORDS
    tokens: list[Token] = []
    text = piece.text
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if text.startswith("/*", at) and (match is None or match.lastgroup != "comment"):
            raise UppaalError("comment without end", piece.source(at), context=piece.context)
        if match is None:
            raise UppaalError(f"unknown character {text[at]!r}", piece.source(at), context=piece.context)
        group, start, at = match.lastgroup, at, match.end()
        if group in ("space", "comment") or (group == "newline" and not newlines):
            continue
        word = match.group()
        kind = Kind.KEYWORD if word in keywords else Kind[(group or "").upper()]
        if old and word in ("=<", "=>"):
            word = word[::-1]
        tokens.append(Token(kind, word, start, piece.source(start)))
    tokens.append(Token(Kind.END, "", len(text), piece.source(len(text))))
    return tokens
