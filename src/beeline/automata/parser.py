"""Reads LTL formulas in SPIN's spelling, and in the letters that other tools use.

Precedence is that of SPIN's `ltl` blocks: unary operators bind strongest; then the untils (``U V R W M``), all of one
rank; then ``&&``, then ``||``, then ``->`` and ``<->``; what has one rank is read from the left. (`spin -f` has one
rank for ``&&``, ``||`` and ``->``.) What is no temporal or logical operator belongs to an atom: ``x + 1 > 3``,
``P@label``, ``q?[ack]``, ``len(q) == 2``; anything at all stands between braces.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from beeline.automata.formula import FALSE, TRUE, Formula
from beeline.model.reading import Climber, Operator, Token, operators
from beeline.model.source import ModelError, Source

AtomReader = Callable[[str, int], Formula | str]
"""From the text of an atom and its offset in the formula's text to a proposition's name, or to a formula."""

NESTING = 100  # formulas that are deeper than this are refused: no person writes them

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<word>[A-Za-z_]\w*) | (?P<number>\d+) | (?P<quoted>"[^"]*"|'[^']*')
      | (?P<logic><->|->|\[\]|<>|&&|\|\||/\\|\\/|!(?!=))
      | (?P<open>[(\[]) | (?P<close>[)\]]) | (?P<brace>[{}])
      | (?P<operator>==|!=|<=|>=|<<|>>|\?\?|[-+*/%<>&|^~.,:?@\#=$])""",
    re.VERBOSE,
)
_PREFIXES = {
    "!": "not", "not": "not", "[]": "G", "always": "G", "G": "G", "<>": "F", "eventually": "F", "F": "F",
    "X": "X", "next": "X",
}  # fmt: skip
_UNTILS = {
    "U": "U", "until": "U", "stronguntil": "U", "V": "R", "R": "R", "release": "R",
    "W": "W", "weakuntil": "W", "M": "M", "strongrelease": "M",
}  # fmt: skip
_AND = {"&&": "and", "/\\": "and", "and": "and"}
_OR = {"||": "or", "\\/": "or", "or": "or"}
_ARROWS = {"->": "implies", "implies": "implies", "<->": "iff", "equivalent": "iff"}
_INFIX = operators((_ARROWS, _OR, _AND, _UNTILS), _ARROWS | _OR | _AND | _UNTILS)
_NEVER_NAMES = frozenset(_INFIX) - {"R", "M"} | {"[]", "<>", "always", "eventually", "next"}
_REMEDIES = {
    "=>": "an implication is written `->`",
    "=": "equality is written `==`",
    "&": "conjunction is written `&&`",
    "|": "disjunction is written `||`",
}
_JOINTS = ("@", ".", ":", "?", "??")  # bind stronger than `!`
_CLOSING = {"(": ")", "[": "]"}


class LtlError(ModelError):
    """A formula that cannot be read, or that is refused; the column is that in the formula's text."""


def parse_ltl(text: str, atom: AtomReader | None = None) -> Formula:
    """The formula that `text` spells out.

    `atom` is given the text of each atom and its offset; it returns the name of the proposition (by default the text
    itself), or a whole formula, for instance `TRUE`. Raises `LtlError` with the column and a way out.

    >>> parse_ltl("[] (request -> <> granted)")
    Formula('[](request -> <>granted)')
    >>> parse_ltl("!x == 3 U P@done && always eventually y > 0")
    Formula('({!x == 3} U P@done) && []<>(y > 0)')
    """
    return _Parser(text, atom or (lambda name, offset: name)).whole()


class _Parser(Climber[Token, Formula]):
    def __init__(self, text: str, atom: AtomReader) -> None:
        self.text = text
        self.atom = atom
        self.depth = 0
        super().__init__(self._tokens())

    def whole(self) -> Formula:
        if self.tokens[0].kind == "end":
            raise self._error("the formula is empty", self.tokens[0], "write one, such as `[] (p -> <> q)`")
        formula = self.expression()
        if not self.at_end():
            raise self._unexpected(self.token)
        return formula

    def _tokens(self) -> list[Token]:
        tokens: list[Token] = []
        offset = 0
        while offset < len(self.text):
            found = _TOKEN.match(self.text, offset)
            if found is None:
                here = Token("strange", self.text[offset], offset)
                remedy = "put an expression of the model's language between braces: {..}"
                raise self._error(f"'{here.text}' has no meaning in a formula", here, remedy)
            kind = found.lastgroup or ""
            if kind == "brace":
                tokens.append(self._braces(offset))
            elif kind != "space":
                tokens.append(Token(kind, found[0], offset))
            offset = found.end() if kind != "brace" else tokens[-1].end
        return [*tokens, Token("end", "", len(self.text))]

    def _braces(self, start: int) -> Token:
        """An atom in braces, whose text may be anything with balanced braces."""
        depth = 0
        for offset in range(start, len(self.text)):
            depth += {"{": 1, "}": -1}.get(self.text[offset], 0)
            if depth <= 0:
                break
        if depth:
            here = Token("brace", self.text[start], start)
            raise self._error(f"'{here.text}' has no partner", here, "braces hold one expression: {x + 1 > 3}")
        return Token("braces", self.text[start : offset + 1], start)

    def operator(self) -> Operator | None:
        return _INFIX.get(self.token.text)

    def binary(self, name: str, left: Formula, right: Formula, token: Token) -> Formula:
        if left.kind == name in ("and", "or"):
            return Formula(name, (*left.children, right))
        return self._nested(Formula(name, (left, right)), token)

    def operand(self) -> Formula:
        token = self.token
        if self._begins_atom():
            return self._read_atom()
        if (kind := _PREFIXES.get(token.text)) is not None:
            self.advance()
            return Formula(kind, (self._within(self.operand, token),))
        if token.text == "(":
            self.advance()
            inner = self._within(self.expression, token)
            if self.token.text != ")":
                if self.token.kind == "end":
                    raise self._error("this parenthesis is not closed", token, "add `)`")
                raise self._unexpected(self.token)
            self.advance()
            return inner
        raise self._expected(token)

    def _begins_atom(self) -> bool:
        """Whether an atom begins here: what is followed by an operator of the model's language, is part of an atom."""
        token = self.token
        after = self.ahead()
        if token.text == "(":
            return self.tokens[self._partner(self.position) + 1].kind == "operator"
        if token.text == "!":  # `!x == 3` compares `!x`, as in C
            end = self._operand_end(self.position + 1)
            return end is not None and self.tokens[end].kind == "operator"
        if token.text in ("F", "G", "X", "not"):
            return not (after.kind in ("word", "number", "braces") and after.text not in _INFIX) and (
                after.text not in ("(", "!", "[]", "<>", "~", "-")
            )
        if token.kind == "word":
            return token.text not in _NEVER_NAMES
        return token.kind in ("number", "quoted", "braces") or token.text in ("-", "~")

    def _operand_end(self, at: int) -> int | None:
        """The place behind one operand (a name, a number, a group, with calls, indices, labels), if one is at `at`."""
        token = self.tokens[at]
        if token.kind not in ("word", "number") and token.text != "(":
            return None
        if token.text in _PREFIXES or token.text in _NEVER_NAMES:
            return None
        at = self._partner(at) + 1 if token.text == "(" else at + 1
        while self.tokens[at].kind == "open" or self.tokens[at].text in _JOINTS:
            at = self._partner(at) + 1 if self.tokens[at].kind == "open" else at + 1
            if self.tokens[at - 1].text in _JOINTS and self.tokens[at].kind in ("word", "number"):
                at += 1
        return at

    def _partner(self, at: int) -> int:
        """The place of the bracket that closes the one at `at`."""
        opened: list[Token] = []
        for place in range(at, len(self.tokens)):
            token = self.tokens[place]
            if token.kind == "open":
                opened.append(token)
            elif token.kind == "close":
                if _CLOSING[opened[-1].text] != token.text:
                    raise self._error(f"'{opened[-1].text}' is closed by '{token.text}'", token, "balance the brackets")
                opened.pop()
                if not opened:
                    return place
        raise self._error("this parenthesis is not closed", opened[-1], f"add `{_CLOSING[opened[-1].text]}`")

    def _read_atom(self) -> Formula:
        first = self.token
        if first.kind == "braces":
            self.advance()
            return self._atom(first.text[1:-1], first.offset + 1)
        wants_operand = True
        while True:
            token = self.token
            if wants_operand:
                if token.text in ("-", "~", "!", "+"):
                    self.advance()
                    continue
                if token.kind not in ("word", "number", "quoted", "open"):
                    raise self._expected(token)
                wants_operand = False
            elif token.kind == "operator":
                if token.text == "=":
                    raise self._unexpected(token)
                wants_operand = True
            elif token.kind != "open":
                break
            self.goto(self._bracketed() if token.kind == "open" else self.position + 1)
        last = self.tokens[self.position - 1]
        return self._atom(self.text[first.offset : last.end], first.offset)

    def _bracketed(self) -> int:
        """The place behind a group inside an atom: temporal operators have no meaning there."""
        end = self._partner(self.position)
        for token in self.tokens[self.position : end]:
            if token.text in ("[]", "<>"):
                message = f"the temporal operator '{token.text}' stands inside an expression"
                raise self._error(message, token, "join formulas with !, &&, ||, -> and <-> only")
        return end + 1

    def _atom(self, text: str, offset: int) -> Formula:
        constant = {"true": TRUE, "false": FALSE}.get(text.strip())
        if constant is not None:
            return constant
        if not text.strip():
            raise self._error("there is nothing between these braces", Token("braces", "", offset), "write a condition")
        blanks = len(text) - len(text.lstrip())
        read = self.atom(text.strip(), offset + blanks)
        return Formula.atom(read) if isinstance(read, str) else read

    def _within(self, parse: Callable[[], Formula], token: Token) -> Formula:
        self.depth += 1
        self._nesting(self.depth, token)
        formula = parse()
        self.depth -= 1
        return formula

    def _nested(self, formula: Formula, token: Token) -> Formula:
        depth, level = 0, {formula}
        while level and depth <= NESTING:
            level = {child for node in level for child in node.children}
            depth += 1
        self._nesting(depth, token)
        return formula

    def _nesting(self, depth: int, token: Token) -> None:
        if depth > NESTING:
            raise self._error(f"the formula is nested more than {NESTING} deep", token, "split it into several")

    def _expected(self, token: Token) -> LtlError:
        seen = "the end" if token.kind == "end" else f"'{token.text}'"
        before = self.tokens[self.position - 1].text if self.position else ""
        remedy = _REMEDIES.get(before, "an operand is missing here")
        return self._error(f"expected a formula, saw {seen}", token, remedy)

    def _unexpected(self, token: Token) -> LtlError:
        before = self.tokens[self.position - 1].text
        if token.text == ")":
            return self._error("this parenthesis was never opened", token, "remove it, or add `(`")
        remedy = _REMEDIES.get(self.text[token.offset : token.end + 1]) or _REMEDIES.get(token.text)
        if remedy is None and before.strip("GFX") == "":
            remedy = f"operators are written apart: `{' '.join(before)} {token.text}`"
        operators = "operators are U V R W M && || -> <-> between formulas, and ! [] <> X F G before one"
        return self._error(f"expected an operator, saw '{token.text}'", token, remedy or operators)

    def _error(self, message: str, token: Token, remedy: str) -> LtlError:
        excerpt = re.sub(r"\s", " ", self.text)
        return LtlError(message, Source("", 1, token.offset + 1), remedy, excerpt)
