"""Expressions of Promela and of its `ltl` formulas: precedence climbing over a list of tokens."""

from __future__ import annotations

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

PRECEDENCE = {
    "->": 1, "<->": 1, "||": 2, "&&": 3, "U": 5, "V": 5, "W": 5, "|": 7, "^": 8, "&": 9, "==": 10, "!=": 10,
    "<": 11, ">": 11, "<=": 11, ">=": 11, "<<": 12, ">>": 12, "+": 13, "-": 13, "*": 14, "/": 14, "%": 14,
}  # fmt: skip
"""All operators group to the left, as in SPIN's grammar."""

_TEMPORAL_WORDS = {
    "U": "U", "V": "V", "W": "W", "X": "X", "always": "[]", "eventually": "<>", "until": "U", "stronguntil": "U",
    "weakuntil": "W", "release": "V", "next": "X", "implies": "->", "equivalent": "<->",
}  # fmt: skip
_OPPOSITES = {"full": "nfull", "nfull": "full", "empty": "nempty", "nempty": "empty"}
_CHANNEL_TESTS = frozenset({"len", "empty", "nempty", "full", "nfull"})
_BUILTIN_CALLS = frozenset({"enabled", "pc_value", "get_priority"})
_CONSTANTS = {"true": 1, "false": 0, "skip": 1}
EMBEDDED_C = frozenset({"c_code", "c_decl", "c_expr", "c_state", "c_track"})


class ExpressionParser:
    """A cursor over tokens that reads expressions."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.position = 0
        self.proctypes: set[str] = set()
        self.proctype = ""  # the one that is being read
        self.labels: set[str] = set()  # of it, so far
        self.mtypes: dict[str, int] = {}
        self.in_formula = False
        self.watching = False  # in a claim, or in what is asked about a model
        self.is_question = False  # it is no part of a model

    # The cursor

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[min(self.position + ahead, len(self.tokens) - 1)]

    def at(self, *kinds: str) -> bool:
        return self.peek().kind in kinds

    def take(self) -> Token:
        token = self.peek()
        self.position += 1
        return token

    def accept(self, kind: str) -> bool:
        if self.at(kind):
            self.position += 1
            return True
        return False

    def expect(self, kind: str, where: str = "") -> Token:
        if not self.at(kind):
            what = {"name": "a name", "number": "a number", "string": "a string"}.get(kind, f"'{kind}'")
            raise self.unexpected(f"{what}{where}")
        return self.take()

    def unexpected(self, wanted: str) -> PromelaError:
        token = self.peek()
        if token.kind in EMBEDDED_C:
            return embedded_c(token)
        return PromelaError(f"expected {wanted}, found {token}", token.source)

    # Expressions

    def expression(self) -> Expression:
        return self.climb(self.operand(), 0)

    def climb(self, left: Expression, lowest: int) -> Expression:
        """`left` with all the operators that follow it and bind at least as tightly as `lowest`."""
        while True:
            operator, length = self._operator()
            if operator is None or PRECEDENCE[operator] < lowest:
                return left
            source = self.peek().source
            self.position += length
            right = self.climb(self.operand(), PRECEDENCE[operator] + 1)
            left = Binary(operator, left, right, source)

    def _operator(self) -> tuple[str | None, int]:
        """The binary operator at the cursor and how many tokens it takes."""
        token = self.peek()
        if self.in_formula:
            word = _TEMPORAL_WORDS.get(token.text) if token.kind == "name" else None
            if word in ("U", "V", "W", "->", "<->"):
                return word, 1
            if token.kind == "<" and self.peek(1).kind == "->":
                return "<->", 2
        elif token.kind == "->":
            return None, 0
        return (token.kind, 1) if token.kind in PRECEDENCE else (None, 0)

    def operand(self) -> Expression:
        """An operand with its prefix operators."""
        token = self.peek()
        if token.kind in ("!", "-", "~"):
            self.take()
            inner = self.operand()
            if token.kind == "!" and isinstance(inner, ChannelTest):
                self._refuse_negation(inner)
            return Unary(token.kind, inner, token.source)
        if token.kind == "!!":  # two negations written together
            self.take()
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
        pair = self.peek().kind + self.peek(1).kind
        if pair in ("[]", "<>"):
            self.position += 2
            return pair
        word = _TEMPORAL_WORDS.get(self.peek().text) if self.at("name") else None
        if word in ("[]", "<>", "X"):
            self.take()
            return word
        return None

    def _primary(self) -> Expression:
        token = self.peek()
        match token.kind:
            case "number":
                self.take()
                return Number(token.value, token.source, token.text)
            case "true" | "false" | "skip":
                self.take()
                return Number(_CONSTANTS[token.kind], token.source, token.text)
            case "(":
                return self._parenthesised()
            case "timeout" | "np_":
                self.take()
                if token.kind == "np_" and not (self.watching or self.in_formula):
                    raise PromelaError("'np_' outside a never claim", token.source, "only a claim can ask for it")
                return Builtin(token.kind, None, token.source)
            case "run":
                return self._run()
            case "name":
                return self._named()
            case kind if kind in _CHANNEL_TESTS:
                self.take()
                self.expect("(")
                channel = self.reference()
                self.expect(")")
                return ChannelTest(kind, channel, token.source)
            case kind if kind in _BUILTIN_CALLS:
                self.take()
                self.expect("(")
                argument = self.expression()
                self.expect(")")
                return Builtin(kind, argument, token.source)
        raise self.unexpected("an expression")

    def _parenthesised(self) -> Expression:
        source = self.take().source
        inner = self.expression()
        if not self.in_formula and self.accept("->"):
            then = self.expression()
            self.expect(":", " between the two values of a conditional expression")
            otherwise = self.expression()
            inner = Conditional(inner, then, otherwise, source)
        self.expect(")")
        return inner

    def _run(self) -> Expression:
        source = self.take().source
        name = self.expect("name", " of a proctype after 'run'").text
        self.expect("(")
        arguments = self.arguments(")")
        self.expect(")")
        return Run(name, arguments, self.priority(least=0), source)

    def priority(self, least: int = 1) -> int | None:
        if not self.accept("priority"):
            return None
        token = self.expect("number", " after 'priority'")
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
        token = self.peek()
        if token.text in self.mtypes and self.peek(1).kind != "@":
            self.take()
            return Number(self.mtypes[token.text], token.source, token.text)
        if self._starts_remote():
            return self._remote()
        reference = self.reference()
        if self.at("?", "??") and self.peek(1).kind == "[":
            return self.poll(reference)
        if self.accept("@"):  # of a proctype that is defined further down
            label = self.expect("name", " of a label after '@'").text
            return RemoteLabel(reference.name, reference.index, label, token.source)
        return reference

    def poll(self, channel: Reference) -> Poll:
        """The rest of ``channel?[patterns]``, the cursor being at the question mark."""
        anywhere = self.take().kind == "??"
        self.expect("[")
        patterns = self.patterns()
        self.expect("]")
        return Poll(channel, patterns, anywhere, channel.source)

    def reference(self) -> Reference:
        """``name[index].field``."""
        token = self.expect("name", " of a variable")
        index = None
        if self.accept("["):
            index = self.expression()
            self.expect("]")
        field = self.reference() if self.accept(".") else None
        return Reference(token.text, token.source, index, field)

    # Remote references

    def _starts_remote(self) -> bool:
        if self.peek(1).kind == "@":
            return True
        if self.peek().text not in self.proctypes:
            return False
        return self.peek(1).kind in ("[", ":")

    def _remote(self) -> Expression:
        token = self.take()
        pid = None
        if self.accept("["):
            pid = self.expression()
            self.expect("]")
        if self.accept("@"):
            label = self.expect("name", " of a label after '@'").text
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
        token = self.peek()
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
