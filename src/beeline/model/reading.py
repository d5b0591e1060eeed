"""What the hand-written parsers are made of: a place among the tokens of a text, and precedence climbing.

The front ends, the model's own syntax and LTL formulas build on these classes, so that they read tokens in one way.
Errors are `ModelError`s, which show the line with a caret.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from beeline.model.source import ModelError, Source
from beeline.records import Record
from beeline.spelling import closest


class AnyToken(Protocol):
    """A word of a text. `str()` is how messages call it."""

    @property
    def text(self) -> str: ...


T = TypeVar("T", bound=AnyToken)
E = TypeVar("E")


class SourceText(Record, frozen=True, dict=True):
    """A file's name and text, from which errors cut their excerpt. A language says of which class they are."""

    file: str
    text: str
    error_class: ClassVar[type[ModelError]] = ModelError

    @cached_property
    def _starts(self) -> list[int]:
        """Where lines begin."""
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def place(self, offset: int) -> Source:
        """Where the letter at an offset stands."""
        line = bisect_right(self._starts, offset)
        return Source(self.file, line, offset - self._starts[line - 1] + 1)

    def end(self) -> Source:
        """Behind the last letter."""
        lines = self.text.splitlines() or [""]
        return Source(self.file, len(lines), len(lines[-1]) + 1)

    def error(self, message: str, at: Source, remedy: str = "") -> ModelError:
        """An error at `at` that shows the line it is about."""
        lines = self.text.splitlines() if at.file == self.file else []
        excerpt = lines[at.line - 1].replace("\t", " ").rstrip() if 0 < at.line <= len(lines) else ""
        return self.error_class(message, at, remedy, excerpt)

    def unknown(self, what: str, name: str, known: Iterable[str], at: Source) -> ModelError:
        """An error about a name that nothing has, with the nearest known one."""
        candidates = sorted(known)
        close = closest(name, candidates)
        remedy = f"did you mean `{close}`?" if close else f"known: {', '.join(candidates[:12]) or 'none'}"
        return self.error(f"no {what} called `{name}`", at, remedy)


def alternatives(texts: Sequence[str]) -> str:
    """The texts as a person would list them.

    >>> alternatives([",", ";", "="])
    '`,`, `;` or `=`'
    """
    *others, last = (f"`{text}`" for text in texts)
    return f"{', '.join(others)} or {last}" if others else last


END, SPACE, SYMBOL = "end", "space", "symbol"


class Token(Record, frozen=True):
    """A word of a text, and where it begins."""

    kind: str
    text: str
    offset: int

    @property
    def end(self) -> int:
        return self.offset + len(self.text)

    def __str__(self) -> str:
        return "the end of the text" if self.kind == END else f"`{self.text}`"


class Words(Record, frozen=True):
    """The words of a language: a pattern with a group for each kind, of which `SPACE` is passed over.

    `unclosed` has what is begun by a text of which nothing but a symbol can be made, and how it is ended; `refused`
    the messages and remedies of kinds that are not taken, `stray` the remedy for letters that nothing begins with.

    >>> words = Words(re.compile("(?P<space> +)|(?P<name>[a-z]+)"))
    >>> [str(word) for word in words.cut(SourceText("file", "one two"))]
    ['`one`', '`two`', 'the end of the text']
    """

    pattern: re.Pattern[str]
    unclosed: Mapping[str, tuple[str, str]] = {}
    refused: Mapping[str, tuple[str, str]] = {}
    stray: str = ""

    def cut(self, source: SourceText) -> Iterator[Token]:
        """The words of a text, and one for its end."""
        text, at = source.text, 0
        while at < len(text):
            found = self.pattern.match(text, at)
            kind = "" if found is None else found.lastgroup or ""
            if found is None or kind == SYMBOL:
                for beginning, (what, ending) in self.unclosed.items():
                    if text.startswith(beginning, at):
                        raise source.error(f"this {what} is never closed", source.place(at), f"end it with `{ending}`")
            if found is None:
                raise source.error(f"unexpected character `{text[at]}`", source.place(at), self.stray)
            if kind in self.refused:
                message, remedy = self.refused[kind]
                raise source.error(message, source.place(at), remedy)
            if kind != SPACE:
                yield Token(kind, found.group(), at)
            at = found.end()
        yield Token(END, "", len(text))


class Cursor(Generic[T]):
    """Walks over tokens, of which the last one stands for the end; the next one is `token`."""

    def __init__(self, tokens: Sequence[T]) -> None:
        self.tokens = tokens
        self._last = len(tokens) - 1
        self.goto(0)

    def goto(self, position: int) -> None:
        self.position = min(position, self._last)
        self.token = self.tokens[self.position]

    def ahead(self, distance: int = 1) -> T:
        """The token that many after the next one, or the last."""
        return self.tokens[min(self.position + distance, self._last)]

    def at_end(self) -> bool:
        return self.position == self._last

    def at(self, *texts: str) -> bool:
        """Whether the next token is one of these symbols or words."""
        return self.token.text in texts and self.position < self._last

    def advance(self) -> T:
        """The next token, which is thereby read; the end stays where it is."""
        token = self.token
        if self.position < self._last:
            self.position += 1
            self.token = self.tokens[self.position]
        return token

    def accept(self, *texts: str) -> T | None:
        """The next token, which is read if it is one of these."""
        return self.advance() if self.at(*texts) else None

    def expect(self, *texts: str, where: str = "") -> T:
        """The next token, which must be one of these; `where` says more about the place."""
        if not self.at(*texts):
            raise self.unexpected(f"{self.listed(texts)}{where and ' '}{where}")
        return self.advance()

    def listed(self, texts: Sequence[str]) -> str:
        """The texts as messages list them."""
        return " or ".join(f"'{text}'" for text in texts)

    def unexpected(self, wanted: str) -> ModelError:
        """An error about the next token, which stands where `wanted` should."""
        return self.error(f"expected {wanted}, found {self.token}")

    def error(self, message: str) -> ModelError:
        """An error at the next token."""
        raise NotImplementedError


class Operator(Record, frozen=True):
    """An operator between two operands; of two, the one of the higher `level` binds more tightly."""

    name: str
    level: int
    right: bool = False
    """Whether it groups to the right: a ^ (b ^ c)."""
    tokens: int = 1
    """How many tokens it is written with."""


class Climber(Cursor[T], Generic[T, E]):
    """Reads expressions by precedence climbing. A language says what an operand and an operator is."""

    def operand(self) -> E:
        """An operand with its prefix operators."""
        raise NotImplementedError

    def operator(self) -> Operator | None:
        """The operator that is next, if one is."""
        raise NotImplementedError

    def binary(self, name: str, left: E, right: E, token: T) -> E:
        raise NotImplementedError

    def expression(self, lowest: int = 0) -> E:
        """The longest expression that begins here and has operators of the level `lowest` or higher only."""
        return self.climb(self.operand(), lowest)

    def climb(self, left: E, lowest: int = 0) -> E:
        """`left` with all operators of the level `lowest` or higher that follow it."""
        while (found := self.operator()) is not None and found.level >= lowest:
            token = self.token
            self.goto(self.position + found.tokens)
            left = self.join(found, left, token)
        return left

    def join(self, operator: Operator, left: E, token: T) -> E:
        """`left`, the operator that was read as `token`, and the operand that follows."""
        right = self.expression(operator.level if operator.right else operator.level + 1)
        return self.binary(operator.name, left, right, token)


def operators(
    levels: Iterable[Iterable[str]],
    spelling: Mapping[str, str] | None = None,
    right: Iterable[str] = (),
    first: int = 1,
) -> dict[str, Operator]:
    """The operators by how they are written, given rows of them, the one that binds least tightly first. `spelling`
    gives the names of those that are written in several ways.

    >>> operators([["or", "||"], ["&&"]], {"or": "||"})["or"]
    Operator(name='||', level=1, right=False, tokens=1)
    """
    names: Mapping[str, Any] = spelling or {}
    rows = enumerate(levels, start=first)
    return {text: Operator(names.get(text, text), level, text in right) for level, row in rows for text in row}
