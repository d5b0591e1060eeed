"""The one expression and effect syntax, used by properties on the command line and by networks built in Python.

C's operators and precedence, with the words that SPIN and UPPAAL users type: ``and or not imply``, ``P@label``,
``P[2]:x``, ``P.x``, ``len(q)``, ``forall (i : 0..3) ...``.
"""

from __future__ import annotations

import re

from beeline.model.expressions import (
    FALSE,
    TRUE,
    At,
    Binary,
    Bind,
    Builtin,
    Call,
    ChannelInfo,
    Conditional,
    Expression,
    Field,
    Index,
    Literal,
    Match,
    Numbered,
    Pattern,
    Place,
    Poll,
    Quantified,
    Ref,
    Remote,
    Skip,
    Unary,
)
from beeline.model.network import Receive, Send, Synchronisation
from beeline.model.reading import Climber, Operator, operators
from beeline.model.source import ModelError, Source, not_too_deep
from beeline.model.statements import Assert, Assign, Declare, Do, If, Start, Statement, Terminate, While
from beeline.model.types import INT, INT_MIN
from beeline.records import Record

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<symbol>\+\+|--|\+=|-=|\*=|/=|%=|&&|\|\||==|!=|<=|>=|<<|>>|->|\.\.|::|!!|\?\?|[-+*/%&|^~!<>=()\[\]{},;:?@.])"
    r"|(?P<end>$))"
)

# Operators that bind more tightly stand further down.
LEVELS = [
    ["imply", "->"],
    ["||", "or"],
    ["&&", "and"],
    ["|"],
    ["^"],
    ["&"],
    ["==", "!="],
    ["<", "<=", ">", ">="],
    ["<<", ">>"],
    ["+", "-"],
    ["*", "/", "%"],
]
SPELLING = {"or": "||", "and": "&&", "->": "imply"}
CONDITIONAL = Operator("?", 1)
OPERATORS = operators(LEVELS, SPELLING, right=("imply", "->"), first=2)
CHANNEL_WORDS = ("len", "empty", "full", "nempty", "nfull", "capacity")
BUILTIN_WORDS = {
    "timeout": "timeout",
    "deadlock": "deadlock",
    "np_": "nonprogress",
    "_pid": "pid",
    "_nr_pr": "processes",
    "_last": "last",
}
KEYWORDS = ("true", "false", "and", "or", "not", "imply", "forall", "exists", "sum", "if", "else", "while", "assert",
            "int", "start", "stop", "min", "max", "poll")  # fmt: skip
BUILTIN_CALLS = {"enabled": "enabled", "pc_value": "location", "get_priority": "priority"}
RESERVED = frozenset((*KEYWORDS, *CHANNEL_WORDS, *BUILTIN_WORDS, *BUILTIN_CALLS, "_"))


class Token(Record, frozen=True):
    kind: str
    text: str
    column: int

    def __str__(self) -> str:
        return f"'{self.text}'" if self.text else "the end"


def tokenise(text: str) -> list[Token]:
    """Tokens of a one- or many-line text, an empty one of kind ``end`` last."""
    tokens: list[Token] = []
    position = 0
    while True:
        match = TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise _error(f"unexpected character '{text[start]}'", text, start + 1, EXPRESSION_REMEDY)
        tokens.append(Token(match.lastgroup, match.group(match.lastgroup), match.start(match.lastgroup) + 1))
        if match.lastgroup == "end":
            return tokens
        position = match.end()


EXPRESSION_REMEDY = "expressions are written as in C, such as x < 3 && P@critical"
EFFECT_REMEDY = "statements are written as in C, such as x = 1; if (y > 0) { z++ }"
SYNC_REMEDY = "write channel!values to send and channel?patterns to receive"


def _error(message: str, text: str, column: int, remedy: str) -> ModelError:
    """An error at a column of `text`; of a text with many lines only that line is shown."""
    begin = text.rfind("\n", 0, column - 1) + 1
    end = text.find("\n", begin)
    line = text[begin:] if end < 0 else text[begin:end]
    return ModelError(message, Source(column=column - begin), remedy, line)


LONGEST_NUMBER = 20  # digits, zeros in front of it included


class Parser(Climber[Token, Expression]):
    """Recursive descent over the tokens of one text; `remedy` is what to say of texts that it cannot read."""

    def __init__(self, text: str, remedy: str = EXPRESSION_REMEDY) -> None:
        super().__init__(tokenise(text))
        self.text = text
        self.remedy = remedy

    # Tokens

    def name(self) -> str:
        if self.token.kind != "name":
            raise self.unexpected("a name")
        return self.advance().text

    def error(self, message: str) -> ModelError:
        remedy = "'==' compares" if self.token.text == "=" else self.remedy
        return _error(message, self.text, self.token.column, remedy)

    def finish(self) -> None:
        if not self.at_end():
            raise self.unexpected("the end or an operator")

    # Expressions

    def operator(self) -> Operator | None:
        if self.token.text == "?":
            return None if self._receive_follows() else CONDITIONAL
        return OPERATORS.get(self.token.text)

    def _receive_follows(self) -> bool:
        return self.ahead().kind == "end"

    def join(self, operator: Operator, left: Expression, token: Token) -> Expression:
        return self._conditional(left) if operator is CONDITIONAL else super().join(operator, left, token)

    def binary(self, name: str, left: Expression, right: Expression, token: Token) -> Expression:
        return Binary(name, left, right)

    def _conditional(self, condition: Expression) -> Expression:
        then = self.expression()
        self.expect(":")
        return Conditional(condition, then, self.expression())

    def operand(self) -> Expression:
        if self.accept("-"):
            operand = self.operand()
            return Literal(-operand.value) if isinstance(operand, Literal) else Unary("-", operand)
        if self.accept("!", "not"):
            return Unary("!", self.operand())
        if self.accept("!!"):
            return Unary("!", Unary("!", self.operand()))
        if self.accept("~"):
            return Unary("~", self.operand())
        if self.accept("+"):
            return self.operand()
        return self.atom()

    def _digits(self) -> int:
        text = self.token.text
        if len(text) > LONGEST_NUMBER or int(text) > -INT_MIN:
            raise self.error(f"this number does not fit into 32 bits, found {self.token}")
        self.advance()
        return int(text)

    def atom(self) -> Expression:
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.token.kind == "number":
            return Literal(self._digits())
        word = self.name()
        if word in ("true", "false"):
            return TRUE if word == "true" else FALSE
        if word in ("forall", "exists", "sum") and self.token.text == "(":
            return self._quantified(word)
        if self.token.text == "(":
            return self._called(word)
        if word in BUILTIN_WORDS:
            return Builtin(BUILTIN_WORDS[word])
        return self._place_or_process(word)

    def _quantified(self, kind: str) -> Expression:
        self.expect("(")
        name = self.name()
        self.expect(":")
        bracketed = self.accept("int")
        if bracketed:
            self.expect("[")
        low = self._number()
        self.expect("," if bracketed else "..")
        high = self._number()
        if bracketed:
            self.expect("]")
        self.expect(")")
        return Quantified(kind, name, low, high, self.expression(CONDITIONAL.level + 1))

    def _number(self) -> int:
        negative = self.accept("-")
        if self.token.kind != "number":
            raise self.unexpected("a number")
        value = self._digits()
        return -value if negative else value

    def _called(self, word: str) -> Expression:
        self.expect("(")
        if word == "poll":
            channel = self.expression()
            patterns = self._patterns() if self.accept(",") else ()
            self.expect(")")
            return Poll(channel, patterns)
        arguments = self._arguments(")")
        self.expect(")")
        if word in CHANNEL_WORDS and len(arguments) == 1:
            return ChannelInfo(word, arguments[0])
        if word in ("min", "max") and len(arguments) == 2:
            return Binary(word, *arguments)
        if word in BUILTIN_CALLS and len(arguments) == 1:
            return Builtin(BUILTIN_CALLS[word], arguments[0])
        return Call(word, tuple(arguments))

    def _arguments(self, closing: str) -> list[Expression]:
        found: list[Expression] = []
        if self.token.text == closing:
            return found
        found.append(self.expression())
        while self.accept(","):
            found.append(self.expression())
        return found

    def place(self) -> Place:
        place: Place = Ref(self.name())
        return self._trailers(place)

    def _trailers(self, place: Place) -> Place:
        while True:
            if self.accept("["):
                place = Index(place, self.expression())
                self.expect("]")
            elif self.accept("."):
                place = Field(place, self.name())
            else:
                return place

    def _place_or_process(self, word: str) -> Expression:
        place = self._trailers(Ref(word))
        if self.accept("@"):
            return At(self._process(place), self.name())
        if self.token.text in ("?", "??") and self.ahead().text == "[":
            return self._poll(place)
        if self.token.text == ":" and self._remote_follows(place):
            self.advance()
            return Remote(self._process(place), self.place())
        return place

    def _poll(self, channel: Place) -> Expression:
        anywhere = self.advance().text == "??"
        self.expect("[")
        patterns = self._patterns() if self.token.text != "]" else ()
        self.expect("]")
        return Poll(channel, patterns, anywhere)

    def _remote_follows(self, place: Place) -> bool:
        """``P[i]:x`` and not the second half of ``c ? a[i] : b``: only outside conditionals is a colon ours."""
        depth = self.tokens[: self.position]
        open_conditionals = sum(t.text == "?" for t in depth) - sum(t.text == ":" for t in depth)
        return isinstance(place, Index) and self.ahead().kind == "name" and open_conditionals <= 0

    def _process(self, place: Place) -> Numbered:
        match place:
            case Ref(name):
                return Numbered(name, None)
            case Index(Ref(name), index):
                return Numbered(name, index)
            case _:
                raise self.error(f"a process is written P or P[number], found {self.token}")

    # Synchronisation and statements

    def synchronisation(self) -> Synchronisation:
        channel = self.place()
        if self.accept("!!"):
            return Send(channel, tuple(self._arguments("")), sorted=True)
        if self.accept("!"):
            return Send(channel, tuple(self._arguments("")) if self.token.kind != "end" else ())
        anywhere = self.accept("??") is not None
        if not anywhere:
            self.expect("?")
        return Receive(channel, self._patterns() if self.token.kind != "end" else (), anywhere)

    def _patterns(self) -> tuple[Pattern, ...]:
        found = [self._pattern()]
        while self.accept(","):
            found.append(self._pattern())
        return tuple(found)

    def _pattern(self) -> Pattern:
        if self.accept("_"):
            return Skip()
        if self.accept("=="):
            return Match(self.expression())
        value = self.expression()
        return Bind(value) if isinstance(value, (Ref, Index, Field)) else Match(value)

    def statements(self, closing: str = "") -> tuple[Statement, ...]:
        found: list[Statement] = []
        while self.token.kind != "end" and self.token.text != closing:
            if self.accept(";"):
                continue
            found.append(self.statement())
            ended = self.token.kind == "end" or self.token.text in (closing, ";")
            if not ended and self.tokens[self.position - 1].text not in ("}", ";"):
                raise self.unexpected("';'")
        return tuple(found)

    def statement(self) -> Statement:
        if self.accept("if"):
            return self._if()
        if self.accept("while"):
            condition = self._parenthesised()
            return While(condition, self._block())
        if self.accept("assert"):
            start = self.tokens[self.position - 1].column - 1
            condition = self._parenthesised()
            return Assert(condition, self.text[start : self.tokens[self.position - 1].column])
        if self.accept("int"):
            name = self.name()
            return Declare(name, INT, self.expression() if self.accept("=") else None)
        if self.accept("start"):
            process = self.name()
            self.expect("(")
            arguments = self._arguments(")")
            self.expect(")")
            return Start(process, tuple(arguments))
        if self.accept("stop"):
            return Terminate()
        return self._assignment_or_call()

    def _parenthesised(self) -> Expression:
        self.expect("(")
        inner = self.expression()
        self.expect(")")
        return inner

    def _block(self) -> tuple[Statement, ...]:
        if not self.accept("{"):
            return (self.statement(),)
        inside = self.statements("}")
        self.expect("}")
        return inside

    def _if(self) -> Statement:
        condition = self._parenthesised()
        then = self._block()
        self.accept(";")
        return If(condition, then, self._block() if self.accept("else") else ())

    def _assignment_or_call(self) -> Statement:
        if self.ahead().text == "(":
            call = self._called(self.name())
            if not isinstance(call, Call):
                raise self.unexpected("a statement")
            return Do(call)
        target = self.place()
        start, symbol = self.position, self.advance().text
        if symbol == "=":
            return Assign(target, self.expression())
        if symbol in ("++", "--"):
            return Assign(target, Binary(symbol[0], target, Literal(1)))
        if len(symbol) == 2 and symbol[1] == "=" and symbol[0] in "+-*/%":
            return Assign(target, Binary(symbol[0], target, self.expression()))
        self.goto(start)
        raise self.unexpected("an assignment such as 'x = 1'")


@not_too_deep()
def parse_expression(text: str) -> Expression:
    """An expression from text; names are not yet resolved.

    >>> parse_expression("x + 1")
    Binary(operator='+', left=Ref(name='x'), right=Literal(value=1))
    """
    parser = Parser(text)
    result = parser.expression()
    parser.finish()
    return result


@not_too_deep()
def parse_effect(text: str) -> tuple[Statement, ...]:
    """Statements from text, separated by semicolons."""
    parser = Parser(text, EFFECT_REMEDY)
    result = parser.statements()
    parser.finish()
    return result


@not_too_deep()
def parse_sync(text: str) -> Synchronisation:
    """``channel!values`` or ``channel?patterns`` from text; a bare name in a pattern stores, ``==e`` compares."""
    parser = Parser(text, SYNC_REMEDY)
    result = parser.synchronisation()
    parser.finish()
    return result
