"""Expressions of Promela and of its `ltl` formulas: precedence climbing over a list of tokens."""

from __future__ import annotations

from collections.abc import Sequence

from beeline.model.reading import Climber, Operator, operators
from beeline.records import replace

from .errors import PromelaError, UnsupportedPromela
from .syntax import (
    Binary,
    Builtin,
    ChannelTest,
    Conditional,
    Eval,
    Expression,
    Number,
    Pattern,
    Poll,
    Reference,
    RemoteLabel,
    RemoteVariable,
    Run,
    Unary,
)
from .tokens import Token

_OPERATORS = operators((
    ("->", "<->"), ("||",), ("&&",), ("U", "V", "W"), ("|",), ("^",), ("&",), ("==", "!="),
    ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
))  # fmt: skip
"""All group to the left, as in SPIN's grammar."""
_EQUIVALENCE = replace(_OPERATORS["<->"], tokens=2)  # `<` and `->` in SPIN's own words

_TEMPORAL_WORDS = {
    "U": "U", "V": "V", "W": "W", "X": "X", "always": "[]", "eventually": "<>", "until": "U", "stronguntil": "U",
    "weakuntil": "W", "release": "V", "next": "X", "implies": "->", "equivalent": "<->",
}  # fmt: skip
_OPPOSITES = {"full": "nfull", "nfull": "full", "empty": "nempty", "nempty": "empty"}
_CHANNEL_TESTS = frozenset({"len", "empty", "nempty", "full", "nfull"})
_BUILTIN_CALLS = frozenset({"enabled", "pc_value", "get_priority"})
_CONSTANTS = {"true": 1, "false": 0, "skip": 1}
EMBEDDED_C = frozenset({"c_code", "c_decl", "c_expr", "c_state", "c_track"})


class ExpressionParser(Climber[Token, Expression]):
    """A cursor over tokens that reads expressions."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.proctypes: set[str] = set()
        self.proctype = ""  # the one that is being read
        self.labels: set[str] = set()  # of it, so far
        self.mtypes: dict[str, int] = {}
        self.in_formula = False
        self.watching = False  # in a claim, or in what is asked about a model
        self.is_question = False  # it is no part of a model

    # The cursor

    def at(self, *kinds: str) -> bool:
        return self.token.kind in kinds

    def listed(self, texts: Sequence[str]) -> str:
        kinds = {"name": "a name", "number": "a number", "string": "a string"}
        return " or ".join(kinds.get(text, f"'{text}'") for text in texts)

    def unexpected(self, wanted: str) -> PromelaError:
        return embedded_c(self.token) if self.at(*EMBEDDED_C) else self.error(f"expected {wanted}, found {self.token}")

    def error(self, message: str) -> PromelaError:
        return PromelaError(message, self.token.source)

    # Expressions

    def operator(self) -> Operator | None:
        token = self.token
        if self.in_formula:
            word = _TEMPORAL_WORDS.get(token.text) if token.kind == "name" else None
            if word is not None:
                return _OPERATORS.get(word)
            if token.kind == "<" and self.ahead().kind == "->":
                return _EQUIVALENCE
        elif token.kind == "->":
            return None
        return _OPERATORS.get(token.kind)

    def binary(self, name: str, left: Expression, right: Expression, token: Token) -> Expression:
        return Binary(name, left, right, token.source)

    def operand(self) -> Expression:
        """An operand with its prefix operators."""
        token = self.token
        if token.kind in ("!", "-", "~"):
            self.advance()
            inner = self.operand()
            if token.kind == "!" and isinstance(inner, ChannelTest):
                self._refuse_negation(inner)
            return Unary(token.kind, inner, token.source)
        if token.kind == "!!":  # two negations written together
            self.advance()
            return Unary("!", Unary("!", self.operand(), token.source), token.source)
        if self.in_formula and (operator := self._temporal_prefix()):
            return Unary(operator, self.operand(), token.source)
        return self._primary()

    def _refuse_negation(self, test: ChannelTest) -> None:
        """SPIN's grammar has no ``!full(q)``: partial-order reduction must see which of the two is asked."""
        opposite = _OPPOSITES.get(test.what)
        if opposite is not None and not (self.is_question or self.in_formula):
            raise PromelaError(f"'{test.what}' cannot be negated", test.source, f"write {opposite}(..)")

    def _temporal_prefix(self) -> str | None:
        pair = self.token.kind + self.ahead().kind
        if pair in ("[]", "<>"):
            self.goto(self.position + 2)
            return pair
        word = _TEMPORAL_WORDS.get(self.token.text) if self.at("name") else None
        if word in ("[]", "<>", "X"):
            self.advance()
            return word
        return None

    def _primary(self) -> Expression:
        token = self.token
        match token.kind:
            case "number":
                self.advance()
                return Number(token.value, token.source, token.text)
            case "true" | "false" | "skip":
                self.advance()
                return Number(_CONSTANTS[token.kind], token.source, token.text)
            case "(":
                return self._parenthesised()
            case "timeout" | "np_":
                self.advance()
                if token.kind == "np_" and not (self.watching or self.in_formula):
                    raise PromelaError("'np_' outside a never claim", token.source, "only a claim can ask for it")
                return Builtin(token.kind, None, token.source)
            case "run":
                return self._run()
            case "name":
                return self._named()
            case kind if kind in _CHANNEL_TESTS:
                self.advance()
                self.expect("(")
                channel = self.reference()
                self.expect(")")
                return ChannelTest(kind, channel, token.source)
            case kind if kind in _BUILTIN_CALLS:
                self.advance()
                self.expect("(")
                argument = self.expression()
                self.expect(")")
                return Builtin(kind, argument, token.source)
        raise self.unexpected("an expression")

    def _parenthesised(self) -> Expression:
        source = self.advance().source
        inner = self.expression()
        if not self.in_formula and self.accept("->"):
            then = self.expression()
            self.expect(":", where="between the two values of a conditional expression")
            otherwise = self.expression()
            inner = Conditional(inner, then, otherwise, source)
        self.expect(")")
        return inner

    def _run(self) -> Expression:
        source = self.advance().source
        name = self.expect("name", where="of a proctype after 'run'").text
        self.expect("(")
        arguments = self.arguments(")")
        self.expect(")")
        return Run(name, arguments, self.priority(least=0), source)

    def priority(self, least: int = 1) -> int | None:
        if not self.accept("priority"):
            return None
        token = self.expect("number", where="after 'priority'")
        if not least <= token.value <= 255:
            raise PromelaError(f"priority {token.value} is outside {least}..255", token.source)
        return token.value

    def arguments(self, end: str) -> list[Expression]:
        """Expressions up to the token `end`, which is left standing."""
        if self.at(end):
            return []
        found = [self.expression()]
        while self.accept(","):
            found.append(self.expression())
        return found

    def _named(self) -> Expression:
        token = self.token
        if token.text in self.mtypes and self.ahead().kind != "@":
            self.advance()
            return Number(self.mtypes[token.text], token.source, token.text)
        if self._starts_remote():
            return self._remote()
        reference = self.reference()
        if self.at("?", "??") and self.ahead().kind == "[":
            return self.poll(reference)
        if self.accept("@"):  # of a proctype that is defined further down
            label = self.expect("name", where="of a label after '@'").text
            return RemoteLabel(reference.name, reference.index, label, token.source)
        return reference

    def poll(self, channel: Reference) -> Poll:
        """The rest of ``channel?[patterns]``, the cursor being at the question mark."""
        anywhere = self.advance().kind == "??"
        self.expect("[")
        patterns = self.patterns()
        self.expect("]")
        return Poll(channel, patterns, anywhere, channel.source)

    def reference(self) -> Reference:
        """``name[index].field``."""
        token = self.expect("name", where="of a variable")
        index = None
        if self.accept("["):
            index = self.expression()
            self.expect("]")
        field = self.reference() if self.accept(".") else None
        return Reference(token.text, token.source, index, field)

    # Remote references

    def _starts_remote(self) -> bool:
        if self.ahead().kind == "@":
            return True
        if self.token.text not in self.proctypes:
            return False
        return self.ahead().kind in ("[", ":")

    def _remote(self) -> Expression:
        token = self.advance()
        pid = None
        if self.accept("["):
            pid = self.expression()
            self.expect("]")
        if self.accept("@"):
            label = self.expect("name", where="of a label after '@'").text
            if token.text == self.proctype and label not in self.labels:
                raise PromelaError(f"there is no label '{label}' above in this proctype", token.source)
            return RemoteLabel(token.text, pid, label, token.source)
        self.expect(":")
        return RemoteVariable(token.text, pid, self.reference(), token.source)

    # Patterns of receives

    def patterns(self) -> list[Pattern]:
        """``a, b, c``, also written ``a(b, c)``."""
        if self.accept("("):
            inner = self.patterns()
            self.expect(")")
            return inner
        found = [self._pattern()]
        if self.accept(","):
            found += self.patterns()
        elif self.accept("("):
            found += self.patterns()
            self.expect(")")
        return found

    def _pattern(self) -> Pattern:
        token = self.token
        if self.accept("eval"):
            self.expect("(")
            value = self.expression()
            self.expect(")")
            return Eval(value, token.source)
        if self.accept("-"):
            number = self.expect("number")
            return Number(-number.value, token.source, f"-{number.text}")
        if token.kind == "number" or token.kind in _CONSTANTS or token.text in self.mtypes:
            constant = self._primary()
            assert isinstance(constant, Number)
            return constant
        if token.kind != "name":
            raise self.unexpected("a variable, a constant or eval(...) in this receive")
        return self.reference()


def embedded_c(token: Token) -> UnsupportedPromela:
    """The refusal of embedded C."""
    return UnsupportedPromela(
        f"'{token.text}': embedded C is not supported",
        token.source,
        "express it in Promela: Beeline never compiles the model's own C",
    )
