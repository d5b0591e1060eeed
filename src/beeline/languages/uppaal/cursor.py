"""A place in a list of tokens, and the small moves that every parser of the folder is made of."""

from __future__ import annotations

from beeline.languages.uppaal.errors import Unsupported, UppaalError
from beeline.languages.uppaal.lexer import Kind, Token, tokenize
from beeline.languages.uppaal.syntax import Expression
from beeline.languages.uppaal.text import Piece
from beeline.model.reading import Climber
from beeline.model.source import Source


class Cursor(Climber[Token, Expression]):
    """Walks over the tokens of one piece of text; the next token is `self.token`."""

    def __init__(self, piece: Piece, *, old: bool = False, newlines: bool = False) -> None:
        super().__init__(tokenize(piece, old=old, newlines=newlines))
        self.piece = piece
        self.old = old

    def at(self, *texts: str) -> bool:
        return self.token.text in texts and self.token.kind in (Kind.SYMBOL, Kind.KEYWORD, Kind.NAME)

    def expect_name(self, what: str = "a name") -> Token:
        if self.token.kind is not Kind.NAME:
            reserved = " (a reserved word)" if self.token.kind is Kind.KEYWORD else ""
            raise self.unexpected(what, reserved)
        return self.advance()

    def expect_end(self) -> None:
        if not self.at_end():
            raise self.error(f"unexpected {self.token}")

    def unexpected(self, wanted: str, note: str = "") -> UppaalError:
        return self.error(f"expected {wanted}, found {self.token}{note}")

    def error(self, message: str, source: Source | None = None) -> UppaalError:
        where = source or self.token.source
        return UppaalError(message, where, context=self.piece.context)

    def refuse(self, construct: str, source: Source | None = None, remedy: str = "") -> Unsupported:
        return Unsupported(construct, source or self.token.source, remedy, self.piece.context)
