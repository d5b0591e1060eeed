"""The one expression and effect syntax, used by properties on the command line and by networks built in Python.

C's operators and precedence, with the words that SPIN and UPPAAL users type: ``and or not imply``, ``P@label``,
``P[2]:x``, ``P.x``, ``len(q)``, ``forall (i : 0..3) ...``. A small Pratt parser, because its error messages can then
point at the very token.
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
from beeline.model.source import ModelError, Source, not_too_deep
from beeline.model.statements import Assert, Assign, Declare, Do, If, Start, Statement, Terminate, While
from beeline.model.types import INT, INT_MIN
from beeline.records import Record

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<symbol>\+\+|--|\+=|-=|\*=|/=|%=|&&|\|\||==|!=|<=|>=|<<|>>|->|\.\.|::|!!|\?\?|[-+*/%&|^~!<>=()\[\]{},;:?@.])"
    r"|(?P<end>$))"
)

# Binding powers: a larger one binds tighter.
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
POWER = {symbol: level for level, symbols in enumerate(LEVELS, start=2) for symbol in symbols}
SPELLING = {"or": "||", "and": "&&", "->": "imply"}
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
ARGUMENTLESS = tuple(BUILTIN_WORDS.values())
RESERVED = frozenset((*KEYWORDS, *CHANNEL_WORDS, *BUILTIN_WORDS, *BUILTIN_CALLS, "_"))


class Token(Record, frozen=True):
    kind: str
    text: str
    column: int


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


class Parser:
    """Recursive descent over the tokens of one text; `remedy` is what to say of texts that it cannot read."""

    def __init__(self, text: str, remedy: str = EXPRESSION_REMEDY) -> None:
        self.text = text
        self.remedy = remedy
        self.tokens = tokenise(text)
        self.position = 0

    # Tokens

    @property
    def current(self) -> Token:
        return self.tokens[self.position]

    def advance(self) -> Token:
        token = self.current
        self.position += 1
        return token

    def accept(self, *texts: str) -> bool:
        if self.current.text in texts and self.current.kind != "end":
            self.position += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.accept(text):
            raise self.error(f"expected '{text}'")

    def name(self) -> str:
        if self.current.kind != "name":
            raise self.error("expected a name")
        return self.advance().text

    def error(self, message: str) -> ModelError:
        found = f"found '{self.current.text}'" if self.current.text else "found the end"
        remedy = "'==' compares" if self.current.text == "=" else self.remedy
        return _error(f"{message}, {found}", self.text, self.current.column, remedy)

    def finish(self) -> None:
        if self.current.kind != "end":
            raise self.error("expected the end or an operator")

    # Expressions

    def expression(self, power: int = 0) -> Expression:
        left = self.prefix()
        while True:
            symbol = self.current.text
            if symbol == "?" and power == 0 and not self._receive_follows():
                left = self._conditional(left)
                continue
            level = POWER.get(symbol)
            if level is None or level <= power or self.current.kind == "end":
                return left
            self.advance()
            # Implication is right-associative, all else left-associative.
            right = self.expression(level - 1 if symbol in ("imply", "->") else level)
            left = Binary(SPELLING.get(symbol, symbol), left, right)

    def _receive_follows(self) -> bool:
        return self.tokens[self.position + 1].kind == "end"

    def _conditional(self, condition: Expression) -> Expression:
        self.expect("?")
        then = self.expression()
        self.expect(":")
        return Conditional(condition, then, self.expression())

    def prefix(self) -> Expression:
        if self.accept("-"):
            operand = self.prefix()
            return Literal(-operand.value) if isinstance(operand, Literal) else Unary("-", operand)
        if self.accept("!", "not"):
            return Unary("!", self.prefix())
        if self.accept("!!"):
            return Unary("!", Unary("!", self.prefix()))
        if self.accept("~"):
            return Unary("~", self.prefix())
        if self.accept("+"):
            return self.prefix()
        return self.atom()

    def _digits(self) -> int:
        text = self.current.text
        if len(text) > LONGEST_NUMBER or int(text) > -INT_MIN:
            raise self.error("this number does not fit into 32 bits")
        self.advance()
        return int(text)

    def atom(self) -> Expression:
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.current.kind == "number":
            return Literal(self._digits())
        word = self.name()
        if word in ("true", "false"):
            return TRUE if word == "true" else FALSE
        if word in ("forall", "exists", "sum") and self.current.text == "(":
            return self._quantified(word)
        if self.current.text == "(":
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
        return Quantified(kind, name, low, high, self.expression(1))

    def _number(self) -> int:
        negative = self.accept("-")
        if self.current.kind != "number":
            raise self.error("expected a number")
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
        if self.current.text == closing:
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
        if self.current.text in ("?", "??") and self.tokens[self.position + 1].text == "[":
            return self._poll(place)
        if self.current.text == ":" and self._remote_follows(place):
            self.advance()
            return Remote(self._process(place), self.place())
        return place

    def _poll(self, channel: Place) -> Expression:
        anywhere = self.advance().text == "??"
        self.expect("[")
        patterns = self._patterns() if self.current.text != "]" else ()
        self.expect("]")
        return Poll(channel, patterns, anywhere)

    def _remote_follows(self, place: Place) -> bool:
        """``P[i]:x`` and not the second half of ``c ? a[i] : b``: only outside conditionals is a colon ours."""
        depth = self.tokens[: self.position]
        open_conditionals = sum(t.text == "?" for t in depth) - sum(t.text == ":" for t in depth)
        return isinstance(place, Index) and self.tokens[self.position + 1].kind == "name" and open_conditionals <= 0

    def _process(self, place: Place) -> Numbered:
        match place:
            case Ref(name):
                return Numbered(name, None)
            case Index(Ref(name), index):
                return Numbered(name, index)
            case _:
                raise self.error("a process is written P or P[number]")

    # Synchronisation and statements

    def synchronisation(self) -> Synchronisation:
        channel = self.place()
        if self.accept("!!"):
            return Send(channel, tuple(self._arguments("")), sorted=True)
        if self.accept("!"):
            return Send(channel, tuple(self._arguments("")) if self.current.kind != "end" else ())
        anywhere = self.accept("??")
        if not anywhere:
            self.expect("?")
        return Receive(channel, self._patterns() if self.current.kind != "end" else (), anywhere)

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
        while self.current.kind != "end" and self.current.text != closing:
            if self.accept(";"):
                continue
            found.append(self.statement())
            ended = self.current.kind == "end" or self.current.text in (closing, ";")
            if not ended and self.tokens[self.position - 1].text not in ("}", ";"):
                raise self.error("expected ';'")
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
        if self.tokens[self.position + 1].text == "(":
            call = self._called(self.name())
            if not isinstance(call, Call):
                raise self.error("expected a statement")
            return Do(call)
        target = self.place()
        symbol = self.advance().text
        if symbol == "=":
            return Assign(target, self.expression())
        if symbol in ("++", "--"):
            return Assign(target, Binary(symbol[0], target, Literal(1)))
        if len(symbol) == 2 and symbol[1] == "=" and symbol[0] in "+-*/%":
            return Assign(target, Binary(symbol[0], target, self.expression()))
        self.position -= 1
        raise self.error("expected an assignment such as 'x = 1'")


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
