"""A place in a list of tokens, and the small moves that every parser of the folder is made of."""

from __future__ import annotations

from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.lexer import Kind, Token, tokenize
from beeline.languages.uppaal.text import Piece
from beeline.model.source import Source


class Cursor:
    """Walks over the tokens of one piece of text; the next token is `self.token`."""

    def __init__(self, piece: Piece, *, old: bool = False, newlines: bool = False) -> None:
        self.piece = piece
        self.old = old
        self.tokens = tokenize(piece, old=old, newlines=newlines)
        self.position = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def ahead(self, distance: int) -> Token:
        return self.tokens[min(self.position + distance, len(self.tokens) - 1)]

    def advance(self) -> Token:
        token = self.token
        if token.kind is not Kind.END:
            self.position += 1
        return token

    def at(self, *texts: str) -> bool:
        """Whether the next token is one of these symbols or words."""
        return self.token.text in texts and self.token.kind in (Kind.SYMBOL, Kind.KEYWORD, Kind.NAME)

    def accept(self, *texts: str) -> Token | None:
        return self.advance() if self.at(*texts) else None

    def expect(self, text: str, purpose: str = "") -> Token:
        if not self.at(text):
            raise self.error(f"expected '{text}'{purpose and ' ' + purpose} but found {self.token}")
        return self.advance()

    def expect_name(self, what: str = "a name") -> Token:
        if self.token.kind is not Kind.NAME:
            reserved = " (a reserved word)" if self.token.kind is Kind.KEYWORD else ""
            raise self.error(f"expected {what} but found {self.token}{reserved}")
        return self.advance()

    def at_end(self) -> bool:
        return self.token.kind is Kind.END

    def expect_end(self) -> None:
        if not self.at_end():
            raise self.error(f"unexpected {self.token}")

    def error(self, message: str, source: Source | None = None) -> UppaalError:
        where = source or self.token.source
        return UppaalError(message, where, context=self.piece.context)

    def refuse(self, construct: str, source: Source | None = None, remedy: str = "") -> Unsupported:
        return Unsupported(construct, source or self.token.source, remedy, self.piece.context)
