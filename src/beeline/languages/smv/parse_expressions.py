"""Reads expressions and formulas of SMV, with the levels of NuSMV's manual."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.languages.smv.errors import SourceText
from beeline.languages.smv.syntax import Tree
from beeline.languages.smv.tokens import NAME, NUMBER, WORDS
from beeline.model.reading import END, Climber, Operator, Token, alternatives, operators
from beeline.model.source import ModelError, Source

_LEVELS = (
    ("->",),
    ("<->",),
    ("?",),
    ("|", "xor", "xnor"),
    ("&",),
    ("U", "V"),
    ("=", "!=", "<", ">", "<=", ">="),
    ("in",),
    ("union",),
    ("..",),
    ("+", "-"),
    ("*", "/", "mod"),
)
_OPERATORS = operators(_LEVELS, right=("->",))
_CHOICE, _COMPARING = _OPERATORS["?"].level, _OPERATORS["="].level
ADDITIVE = _OPERATORS["+"].level
PATHS = ("AG", "AF", "AX", "EG", "EF", "EX", "G", "F", "X")
_REFUSED = {
    **dict.fromkeys(("Y", "Z", "H", "O", "S", "T"), "formulas about the past are not supported"),
    **dict.fromkeys(("EBF", "EBG", "ABF", "ABG", "BU"), "bounded operators are not supported"),
    **dict.fromkeys(("<<", ">>", "::"), "operators of words are not supported"),
    **dict.fromkeys(("word1", "bool", "toint", "signed", "unsigned", "extend", "resize"), "words are not supported"),
}
_RESERVED = """
MODULE VAR IVAR FROZENVAR DEFINE CONSTANTS ASSIGN INIT TRANS INVAR FAIRNESS JUSTICE COMPASSION CTLSPEC SPEC LTLSPEC
INVARSPEC ISA PRED MIRROR COMPUTE PSLSPEC process array of boolean case esac next init union in xor xnor mod TRUE FALSE
self A E U V AG AF AX EG EF EX G F X count
"""
RESERVED = frozenset(_RESERVED.split())


class ExpressionReader(Climber[Token, Tree]):
    """A cursor that reads expressions. Formulas are read alike; what may stand where is looked at later."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        super().__init__(list(WORDS.cut(source)))

    def place(self, token: Token) -> Source:
        return self.source.place(token.offset)

    def error(self, message: str) -> ModelError:
        at_end = self.token.kind == END
        return self.source.error(message, self.source.end() if at_end else self.place(self.token))

    def listed(self, texts: Sequence[str]) -> str:
        return alternatives(texts)

    def expect_name(self, what: str = "a name") -> Token:
        if self.token.kind != NAME or self.token.text in RESERVED:
            raise self.unexpected(what)
        return self.advance()

    def operator(self) -> Operator | None:
        if self.token.text in ("<<", ">>", "::"):
            raise self.error(_REFUSED[self.token.text])
        return _OPERATORS.get(self.token.text) if self.token.kind != END else None

    def join(self, operator: Operator, left: Tree, token: Token) -> Tree:
        if operator.name != "?":
            return super().join(operator, left, token)
        then = self.expression(_CHOICE)
        self.expect(":", where="between the two values")
        return self._made("if", token, left, then, self.expression(_CHOICE))

    def binary(self, name: str, left: Tree, right: Tree, token: Token) -> Tree:
        return self._made(name, token, left, right)

    def _made(self, kind: str, token: Token, *parts: Tree, text: str = "") -> Tree:
        return Tree(kind, self.place(token), parts, text)

    # Operands

    def operand(self) -> Tree:
        token = self.token
        if self.accept("!"):
            return self._made("!", token, self.operand())
        if self.accept("-"):
            return self._made("minus", token, self.operand())
        if token.text in PATHS and token.kind == NAME:
            self.advance()
            return self._made(token.text, token, self.expression(_COMPARING))
        if token.text in ("A", "E") and self.ahead().text == "[":
            return self._until()
        return self._followed(self._simple())

    def _until(self) -> Tree:
        quantifier = self.advance()
        self.expect("[")
        reached = self.expression(_COMPARING)
        self.expect("U")
        found = self._made(f"{quantifier.text}U", quantifier, reached, self.expression())
        self.expect("]")
        return found

    def _simple(self) -> Tree:
        token = self.token
        if self.accept("("):
            found = self.expression()
            self.expect(")", where="or an operator")
            return found
        if self.accept("{"):
            return self._made("set", token, *self.row("}"))
        if token.kind == NUMBER:
            return self._made("number", self.advance(), text=token.text)
        if token.text in ("TRUE", "FALSE"):
            return self._made("truth", self.advance(), text=token.text)
        if self.accept("case"):
            return self._case(token)
        if self.accept("next"):
            self.expect("(")
            found = self._made("next", token, self.expression())
            self.expect(")")
            return found
        if token.text in _REFUSED and self.ahead().text != ".":
            raise self.error(_REFUSED[token.text])
        if token.text == "count":
            self.advance()
            self.expect("(")
            return self._made("count", token, *self.row(")"))
        if token.text == "self":
            return self._made("self", self.advance())
        return self._made("name", self.expect_name("an expression"), text=token.text)

    def _followed(self, found: Tree) -> Tree:
        while token := self.accept(".", "["):
            if token.text == ".":
                name = self.advance() if self.token.kind == NUMBER else self.expect_name()
                found = self._made("dot", token, found, text=name.text)
            else:
                found = self._made("index", token, found, self.expression())
                self.expect("]")
        return found

    def _case(self, token: Token) -> Tree:
        parts: list[Tree] = []
        while not self.accept("esac"):
            parts.append(self.expression())
            self.expect(":", where="after the condition, or an operator")
            parts.append(self.expression())
            self.expect(";", where="after the value, or an operator")
        if not parts:
            raise self.source.error("this case has no branch", self.place(token))
        return self._made("case", token, *parts)

    def row(self, end: str) -> list[Tree]:
        """Expressions with commas between, and `end` behind."""
        found = [self.expression()]
        while self.expect(",", end).text == ",":
            found.append(self.expression())
        return found
