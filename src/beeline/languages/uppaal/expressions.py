"""Expressions and types as written, by operator precedence."""

from __future__ import annotations

from beeline.languages.uppaal.cursor import Cursor
from beeline.languages.uppaal.lexer import Kind, Token
from beeline.languages.uppaal.syntax import (
    Assign,
    Binary,
    Boolean,
    Braces,
    Call,
    Conditional,
    Deadlock,
    Decimal,
    Declarator,
    Dimension,
    Expression,
    Index,
    Member,
    Name,
    Number,
    Quantified,
    Rate,
    Step,
    TypeExpression,
    Unary,
)
from beeline.model.reading import Operator, operators
from beeline.model.syntax import LONGEST_NUMBER
from beeline.model.types import INT_MAX

# All but assignments associate to the left.
_ASSIGN = ("=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
_WORDS = {"and": "&&", "or": "||", "not": "!", ":=": "="}
_OPERATORS = operators(
    (
        _ASSIGN,
        ("?",),
        ("||", "or", "xor", "imply"),
        ("&&", "and"),
        ("|",),
        ("^",),
        ("&",),
        ("==", "!="),
        ("<", "<=", ">", ">="),
        ("<?", ">?"),
        ("<<", ">>"),
        ("+", "-"),
        ("*", "/", "%"),
        ("**",),
    ),
    _WORDS,
    right=_ASSIGN,
)
_ASSIGNMENT, _CONDITIONAL, _UNARY = 1, 2, 15
_PREFIXES = ("const", "meta", "urgent", "broadcast")
_TYPE_WORDS = ("int", "bool", "clock", "chan", "scalar", "struct", "void", "double", *_PREFIXES)


class ExpressionParser(Cursor):
    """Parses expressions and types; the other parsers build on it."""

    def operator(self) -> Operator | None:
        return _OPERATORS.get(self.token.text) if self.token.kind in (Kind.SYMBOL, Kind.KEYWORD) else None

    def join(self, operator: Operator, left: Expression, token: Token) -> Expression:
        if operator.level != _CONDITIONAL:
            return super().join(operator, left, token)
        then = self.expression()
        self.expect(":", where="in a conditional expression")
        return Conditional(left, then, self.expression(_CONDITIONAL), token.source)

    def binary(self, name: str, left: Expression, right: Expression, token: Token) -> Expression:
        kind = Assign if token.text in _ASSIGN else Binary
        return kind(name, left, right, token.source)

    def expression_list(self) -> tuple[Expression, ...]:
        parts = [self.expression()]
        while self.accept(","):
            parts.append(self.expression())
        return tuple(parts)

    def operand(self) -> Expression:
        token = self.token
        if self.at("-", "+", "!", "not"):
            self.advance()
            operator = _WORDS.get(token.text, token.text)
            return Unary(operator, self.expression(_UNARY), token.source)
        if self.at("++", "--"):
            self.advance()
            return Step(token.text, True, self.expression(_UNARY), token.source)
        if self.at("forall", "exists", "sum") and self.ahead(1).text == "(":
            self.advance()
            self.advance()
            name = self.expect_name("the name of the bound variable").text
            self.expect(":")
            domain = self.type_expression()
            self.expect(")")
            return Quantified(token.text, name, domain, self.expression(), token.source)
        return self.postfix(self.primary())

    def primary(self) -> Expression:
        token = self.token
        if token.kind is Kind.NUMBER:
            self.advance()
            value = int(token.text[:LONGEST_NUMBER])
            if value > INT_MAX + 1 or len(token.text) > LONGEST_NUMBER:
                raise self.error(f"number {token.text} does not fit in 32 bits", token.source)
            return Number(value, token.source)
        if token.kind is Kind.DECIMAL:
            self.advance()
            return Decimal(float(token.text), token.source)
        if token.kind is Kind.STRING:
            raise self.refuse("strings", token.source)
        if self.accept("true"):
            return Boolean(True, token.source)
        if self.accept("false"):
            return Boolean(False, token.source)
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if token.kind is Kind.NAME:
            return self.named()
        raise self.unexpected("an expression")

    def named(self) -> Expression:
        token = self.advance()
        if token.text == "deadlock":
            return Deadlock(token.source)
        if token.text == "spawn" and self.token.kind is Kind.NAME:
            raise self.refuse("dynamic templates (spawn)", token.source)
        if token.text == "exit" and self.at("(") and self.ahead(1).text == ")":
            raise self.refuse("dynamic templates (exit)", token.source)
        if token.text in ("numOf", "foreach") and self.at("("):
            raise self.refuse(f"dynamic templates ({token.text})", token.source)
        return Name(token.text, token.source)

    def postfix(self, base: Expression) -> Expression:
        while True:
            token = self.token
            if self.accept("["):
                base = Index(base, self.expression(), token.source)
                self.expect("]")
            elif self.accept("("):
                arguments = () if self.at(")") else self.expression_list()
                self.expect(")", where="after the arguments")
                base = Call(base, arguments, token.source)
            elif self.accept("."):
                base = Member(base, self.expect_name("the name of a member").text, token.source)
            elif self.at("++", "--"):
                self.advance()
                base = Step(token.text, False, base, token.source)
            elif self.accept("'"):
                base = Rate(base, token.source)
            else:
                return base

    def initialiser(self) -> Expression:
        token = self.token
        if not self.accept("{"):
            return self.expression()
        parts: list[tuple[str, Expression]] = []
        while True:
            field = ""
            if self.token.kind is Kind.NAME and self.ahead(1).text == ":":
                field = self.advance().text
                self.advance()
            parts.append((field, self.initialiser()))
            if not self.accept(","):
                break
        self.expect("}", where="after the initial values")
        return Braces(tuple(parts), token.source)

    # types

    def at_type(self) -> bool:
        """Whether a declaration begins here: a word of a type, or two names in a row."""
        if self.token.kind is Kind.KEYWORD:
            return self.token.text in _TYPE_WORDS
        follower = self.ahead(1)
        named = follower.kind is Kind.NAME or follower.text in ("&", "clock")
        return self.token.kind is Kind.NAME and named

    def type_expression(self) -> TypeExpression:
        source = self.token.source
        prefixes: set[str] = set()
        while self.at(*_PREFIXES):
            prefixes.add(self.advance().text)
        token = self.token
        made = frozenset(prefixes)
        if token.text == "hybrid" and self.ahead(1).text == "clock":
            self.advance()
            token, made = self.token, made | {"hybrid"}
        if self.accept("bool", "double", "clock", "chan", "void") or (
            token.text == "string" and self.ahead(1).kind is Kind.NAME and self.advance()
        ):
            return TypeExpression(token.text, made, source=source)
        if self.accept("int"):
            if not self.at("["):
                return TypeExpression("int", made, source=source)
            self.advance()
            low = self.expression()
            self.expect(",", where="between the bounds of an integer type")
            high = self.expression()
            self.expect("]")
            return TypeExpression("int", made, low=low, high=high, source=source)
        if self.accept("scalar"):
            self.expect("[")
            size = self.expression()
            self.expect("]")
            return TypeExpression("scalar", made, high=size, source=source)
        if self.accept("struct"):
            return TypeExpression("struct", made, fields=self.struct_fields(), source=source)
        if token.kind is Kind.NAME:
            return TypeExpression("named", made, name=self.advance().text, source=source)
        raise self.unexpected("a type")

    def struct_fields(self) -> tuple[Declarator, ...]:
        self.expect("{", where="after 'struct'")
        fields: list[Declarator] = []
        while not self.accept("}"):
            kind = self.type_expression()
            while True:
                token = self.expect_name("the name of a field")
                fields.append(Declarator(kind, token.text, self.dimensions(), source=token.source))
                if not self.accept(","):
                    break
            self.expect(";", where="after the fields")
        return tuple(fields)

    def dimensions(self) -> tuple[Dimension, ...]:
        found: list[Dimension] = []
        while self.accept("["):
            keyword = self.token.kind is Kind.KEYWORD and self.token.text in _TYPE_WORDS
            found.append(self.type_expression() if keyword else self.expression())
            self.expect("]")
        return tuple(found)
