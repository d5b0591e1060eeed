"""Reads expressions and types of Murphi."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.languages.murphi import syntax
from beeline.languages.murphi.errors import SourceText
from beeline.languages.murphi.remedies import remedy
from beeline.languages.murphi.tokens import KEYWORD, NAME, NUMBER, STRING, cut
from beeline.model.reading import END, Climber, Operator, Token, alternatives, operators
from beeline.model.source import ModelError, Source

# Weakest first. `&&` and `||` bind less tightly than `&` and `|`, as in Rumur.
_ROWS = (
    ["?"],
    ["->"],
    ["||"],
    ["&&"],
    ["|"],
    ["^"],
    ["&"],
    ["=", "!=", "<", "<=", ">", ">="],
    ["<<", ">>"],
    ["+", "-"],
    ["*", "/", "%"],
)
_OPERATORS = operators(_ROWS)
_COMPARISON, _PRODUCT = _OPERATORS["="].level, _OPERATORS["*"].level
MOST_DIGITS = 40
_UNCHAINED = {"->", "=", "!=", "<", "<=", ">", ">="}


class ExpressionReader(Climber[Token, syntax.Expression]):
    """A cursor that reads expressions and types."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        super().__init__(cut(source))

    # Words

    def place(self, token: Token) -> Source:
        return self.source.place(token.offset)

    @property
    def here(self) -> Source:
        return self.place(self.token)

    def at(self, *texts: str) -> bool:
        return super().at(*texts) and self.token.kind not in (NAME, STRING)

    def listed(self, texts: Sequence[str]) -> str:
        return alternatives(texts)

    def error(self, message: str, remedy: str = "") -> ModelError:
        if self.token.kind == END:
            return self.source.error(message, self.source.end(), remedy)
        return self.source.error(message, self.here, remedy)

    def unexpected(self, wanted: str) -> ModelError:
        helps = remedy(wanted, self.tokens, self.position, lambda token: self.place(token).line)
        return self.error(f"expected {wanted}, found {self.token}", helps)

    def expect_name(self, what: str = "a name") -> Token:
        if self.token.kind != NAME:
            if self.token.kind == KEYWORD:
                raise self.error(f"expected {what}, found {self.token}", "this word is reserved: choose another name")
            raise self.unexpected(what)
        return self.advance()

    def names(self) -> tuple[syntax.Label, ...]:
        """Names between commas; one more comma may follow."""
        found = [self.label()]
        while self.accept(","):
            if self.token.kind != NAME:
                break
            found.append(self.label())
        return tuple(found)

    def label(self) -> syntax.Label:
        token = self.expect_name()
        return syntax.Label(token.text, self.place(token))

    # Expressions

    def operator(self) -> Operator | None:
        return _OPERATORS.get(self.token.text) if self.token.kind not in (NAME, STRING) else None

    def binary(self, name: str, left: syntax.Expression, right: syntax.Expression, token: Token) -> syntax.Expression:
        return syntax.Binary(name, left, right, self.place(token))

    def join(self, operator: Operator, left: syntax.Expression, token: Token) -> syntax.Expression:
        if operator.name == "?":
            then = self.expression(operator.level + 1)
            self.expect(":", where="of the conditional expression")
            return syntax.Conditional(left, then, self.expression(operator.level), self.place(token))
        joined = super().join(operator, left, token)
        following = self.operator()
        if operator.name in _UNCHAINED and following is not None and following.level == operator.level:
            if (self.token.text, self.ahead().text) == ("=", ">") and self.token.end == self.ahead().offset:
                raise self.error("`=>` is no operator", "write `==>` behind a guard, `>=` to compare")
            raise self.error(f"`{operator.name}` does not chain with {self.token}", "put one of them into parentheses")
        return joined

    def operand(self) -> syntax.Expression:
        at = self.here
        if self.accept("!"):
            return syntax.Unary("!", self.expression(_COMPARISON), at)
        if self.accept("-"):
            return syntax.Unary("-", self.expression(_PRODUCT + 1), at)
        if self.accept("+"):
            return self.expression(_PRODUCT + 1)
        if self.accept("~"):
            return syntax.Unary("~", self.operand(), at)
        return self._selected(self._primary())

    def _selected(self, base: syntax.Expression) -> syntax.Expression:
        """`base` with the fields and elements that follow."""
        while True:
            at = self.here
            if self.accept("."):
                base = syntax.Field(base, self.expect_name("the name of a field").text, at)
            elif self.accept("["):
                base = syntax.Element(base, self.expression(), at)
                self.expect("]")
            else:
                return base

    def _primary(self) -> syntax.Expression:
        token, at = self.token, self.here
        if token.kind == NUMBER:
            return syntax.Number(self._number(self.advance()), at)
        if token.kind == NAME:
            self.advance()
            if self.accept("("):
                return syntax.Call(token.text, self._arguments(), at)
            return syntax.Name(token.text, at)
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.accept("forall", "exists"):
            return self._quantified(token.text, at)
        if self.accept("isundefined"):
            self.expect("(")
            place = self.expression()
            self.expect(")")
            return syntax.IsUndefined(place, at)
        if self.accept("ismember"):
            self.expect("(")
            value = self.expression()
            self.expect(",")
            kind = self.type_expression()
            self.expect(")")
            return syntax.IsMember(value, kind, at)
        if self.accept("multisetcount"):
            return syntax.MultisetCount(*self.predicate(), at)
        if self.accept("undefined"):
            return syntax.Undefined(at)
        raise self.unexpected("an expression")

    def _number(self, token: Token) -> int:
        """Whether it fits is asked where it is used; Python refuses to read thousands of digits."""
        if len(token.text) > MOST_DIGITS:
            raise self.source.error("this number is too large", self.place(token), "use smaller numbers")
        base = 16 if token.text[:2].lower() == "0x" else 8 if token.text.startswith("0") else 10
        try:
            return int(token.text, base)
        except ValueError:
            message = "a number that begins with 0 is octal, and has digits up to 7 only"
            raise self.source.error(message, self.place(token), "leave out the zero") from None

    def _arguments(self) -> tuple[syntax.Expression, ...]:
        """Up to the closing parenthesis."""
        found: list[syntax.Expression] = []
        while not self.accept(")"):
            found.append(self.expression())
            if not self.accept(","):
                self.expect(")")
                break
        return tuple(found)

    def _quantified(self, kind: str, at: Source) -> syntax.Expression:
        quantifiers = self.quantifiers()
        self.expect("do", ":")
        body = self.expression()
        self.expect("end", f"end{kind}")
        return syntax.Quantified(kind, quantifiers, body, at)

    def predicate(self) -> tuple[syntax.Among, syntax.Expression]:
        """``( name : multiset, condition )``."""
        self.expect("(")
        entry = self.among()
        self.expect(",")
        condition = self.expression()
        self.expect(")")
        return entry, condition

    def among(self) -> syntax.Among:
        name = self.expect_name()
        self.expect(":")
        return syntax.Among(name.text, self.designator(), self.place(name))

    def designator(self) -> syntax.Expression:
        """What a variable is called, with fields and elements."""
        at = self.here
        return self._selected(syntax.Name(self.expect_name("a variable").text, at))

    # Quantifiers

    def quantifiers(self) -> tuple[syntax.Quantifier, ...]:
        found = [self.quantifier()]
        while self.accept(";"):
            if self.token.kind == NAME:
                found.append(self.quantifier())
        return tuple(found)

    def quantifier(self) -> syntax.Quantifier:
        name = self.expect_name("the name of a parameter")
        at = self.place(name)
        if self.accept(":="):
            first = self.expression()
            self.expect("to")
            last = self.expression()
            step = self.expression() if self.accept("by") else None
            return syntax.Counted(name.text, first, last, step, at)
        self.expect(":", ":=")
        return syntax.Over(name.text, self.type_expression(), at)

    # Types

    def type_expression(self) -> syntax.TypeExpression:
        at = self.here
        if self.accept("enum"):
            self.expect("{")
            members = () if self.at("}") else self.names()
            self.expect("}")
            return syntax.EnumOf(members, at)
        if self.accept("record"):
            return syntax.RecordOf(self.variables("end", "endrecord"), at)
        if self.accept("array"):
            self.expect("[")
            index = self.type_expression()
            self.expect("]")
            self.expect("of")
            return syntax.ArrayOf(index, self.type_expression(), at)
        if self.accept("scalarset"):
            self.expect("(")
            size = self.expression()
            self.expect(")")
            return syntax.ScalarsetOf(size, at)
        if self.accept("union"):
            return syntax.UnionOf(self._members(), at)
        if self.accept("multiset"):
            self.expect("[")
            size = self.expression()
            self.expect("]")
            self.expect("of")
            return syntax.MultisetOf(size, self.type_expression(), at)
        return self._named_or_subrange()

    def _members(self) -> tuple[syntax.TypeExpression, ...]:
        self.expect("{")
        found: list[syntax.TypeExpression] = []
        while not self.accept("}"):
            found.append(self.type_expression())
            if not self.accept(","):
                self.expect("}")
                break
        return tuple(found)

    def _named_or_subrange(self) -> syntax.TypeExpression:
        at = self.here
        low = self.expression()
        if self.accept(".."):
            return syntax.Subrange(low, self.expression(), at)
        if isinstance(low, syntax.Name):
            return syntax.TypeName(low.name, at)
        raise self.unexpected("`..`")

    def variables(self, *ends: str) -> tuple[syntax.Variables, ...]:
        """``names : type;``, up to one of the words that end them."""
        found: list[syntax.Variables] = []
        while not self.accept(*ends):
            found.append(self.typed_names())
            while self.accept(";"):
                pass
        return tuple(found)

    def typed_names(self) -> syntax.Variables:
        at = self.here
        names = self.names()
        self.expect(":")
        return syntax.Variables(names, self.type_expression(), at)
