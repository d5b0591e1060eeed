"""Tokens of Promela: the text of a preprocessed model cut into words, each with its place in the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path

from beeline.engine.budget import doing
from beeline.model.source import Source
from beeline.records import Record, replace

from .errors import PromelaError
from .preprocess import Piece, preprocess

_RESERVED = """
active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track D_proctype do chan else empty enabled eval
false fi for full get_priority goto hidden if init inline int len local ltl mtype nempty never nfull notrace np_ od of
pc_value pid printf printm priority proctype provided return run d_step select set_priority short skip timeout trace
true show typedef unless unsigned xr xs
"""
KEYWORDS = frozenset(_RESERVED.split())
"""Words that cannot be names. `in` is one only inside the head of a `for`."""

TYPE_NAMES = frozenset(["bit", "bool", "byte", "short", "int", "unsigned", "pid", "mtype", "chan"])


class Token(Record, frozen=True):
    """A word. `kind` is ``name``, ``number``, ``string``, ``end``, or the text itself for keywords and symbols."""

    kind: str
    text: str
    source: Source
    value: int = 0
    new_line: bool = False  # it is the first one on its line
    inlined: bool = False  # it came out of the body of an `inline`

    def __str__(self) -> str:
        return "the end of the file" if self.kind == "end" else f"'{self.text}'"


_WORDS = re.compile(
    r"""(?P<space>[ \t\r\n\f\v]+)
    |(?P<name>[A-Za-z_][A-Za-z_0-9]*)
    |(?P<number>[0-9]+)
    |(?P<string>"(?:\\.|[^"\\\n])*")
    |(?P<character>'(?:\\.|[^'\\])')
    |(?P<symbol>::|->|--|\+\+|<<|>>|<=|>=|==|!=|!!|\?\?|&&|\|\||\.\.|[-+*/%&|^~<>=!?:;,.(){}\[\]@])
    """,
    re.VERBOSE,
)

_ESCAPES = {"n": 10, "r": 13, "t": 9, "f": 12}


def read_tokens(path: str | Path, defines: Iterable[str] = (), text: str | None = None) -> list[Token]:
    """All tokens of a model after preprocessing, closed by one of kind ``end``."""
    doing("preprocessing")
    pieces = preprocess(path, defines, text)
    doing("parsing")
    return tokenize(pieces, str(path))


def tokenize(pieces: list[Piece], file: str) -> list[Token]:
    """The tokens of preprocessed pieces. Words never grow together across the edge of a macro."""
    texts: list[str] = []
    starts: list[int] = []
    offset, in_macro = 0, False
    for piece in pieces:
        gap = " " if piece.from_macro != in_macro else ""
        texts.append(gap + piece.text)
        starts.append(offset + len(gap))
        offset += len(texts[-1])
        in_macro = piece.from_macro
    return _cut("".join(texts), _Origins(pieces, starts), file)


class _Origins:
    """Finds the place in the source for an offset in the preprocessed text."""

    def __init__(self, pieces: list[Piece], starts: list[int]) -> None:
        self._pieces, self._starts = pieces, starts

    def at(self, offset: int) -> Source:
        position = bisect_right(self._starts, offset) - 1
        piece = self._pieces[position]
        extra = 0 if piece.from_macro else offset - self._starts[position]
        return replace(piece.source, column=piece.source.column + extra)


def _cut(text: str, origins: _Origins, file: str) -> list[Token]:
    tokens: list[Token] = []
    offset, last_line = 0, ("", 0)
    while offset < len(text):
        found = _WORDS.match(text, offset)
        if found is None:
            raise _unknown(text, offset, origins)
        if found.lastgroup != "space":
            source = origins.at(offset)
            line = (source.file, source.line)
            tokens.append(_token(found, source, line != last_line))
            last_line = line
        offset = found.end()
    end = tokens[-1].source if tokens else Source(file, 1, 1)
    return [*tokens, Token("end", "", end, new_line=True)]


def _token(found: re.Match[str], source: Source, new_line: bool) -> Token:
    word = found.group()
    match found.lastgroup:
        case "number":
            return Token("number", word, source, _int32(_whole(word)), new_line)
        case "character":
            return Token("number", word, source, _character(word), new_line)
        case "string":
            return Token("string", word[1:-1], source, 0, new_line)
        case "name" if word not in KEYWORDS:
            return Token("name", word, source, 0, new_line)
        case _:
            return Token(word, word, source, 0, new_line)


def _character(word: str) -> int:
    body = word[1:-1]
    return ord(body) if len(body) == 1 else _ESCAPES.get(body[1], ord(body[1]))


def _whole(word: str) -> int:
    """The number; one that is longer than any that C knows is as large as the largest."""
    digits = word.lstrip("0")
    return int(digits or "0") if len(digits) < 20 else 2**63 - 1


def _int32(value: int) -> int:
    return (min(value, 2**63 - 1) + 2**31) % 2**32 - 2**31


def _unknown(text: str, offset: int, origins: _Origins) -> PromelaError:
    character = text[offset]
    if character == '"':
        return PromelaError("this string is not closed on its line", origins.at(offset), "add the missing '\"'")
    if character == "'":
        return PromelaError("this character is not closed", origins.at(offset), "write it as 'c'")
    return PromelaError(f"unexpected character {character!r}", origins.at(offset))
