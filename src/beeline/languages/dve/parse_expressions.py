"""Reads expressions of DVE. Brackets wait on a stack, not in calls as in `model/reading.py`: generated models nest them
tens of thousands deep."""

from __future__ import annotations

from beeline.languages.dve import syntax
from beeline.languages.dve.tokens import NAME, NUMBER, Cursor
from beeline.model.reading import Token, alternatives
from beeline.records import Record

# Weakest first; all associate to the left. These are C's levels, with `imply` below them. DiVinE's grammar puts
# `and` and `or` on one level, and `|`, `&`, `^` on one; see docs/dve.md.
PRECEDENCE = (
    ("imply",),
    ("or",),
    ("and",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_SPELLING = {"&&": "and", "||": "or", "!": "not"}
_LEVEL = {operator: level for level, operators in enumerate(PRECEDENCE) for operator in operators}
_LEVEL |= {spelling: _LEVEL[meant] for spelling, meant in _SPELLING.items() if meant in _LEVEL}
_PREFIXES = ("-", "!", "~", "not")
_BRACKET, _PREFIX = -1, len(PRECEDENCE)  # levels of what is no operator between operands


class _Waiting(Record, frozen=True):
    """What waits for the operand after it: an operator with its level, or an opening bracket, of an index that of
    `name` in the process `owner`."""

    level: int
    token: Token
    name: Token | None = None
    owner: Token | None = None


class ExpressionReader(Cursor):
    """A cursor that reads expressions."""

    def expression(self) -> syntax.Expression:
        """The longest expression that begins here."""
        operands: list[syntax.Expression] = []
        waiting: list[_Waiting] = []
        while True:
            opened = self._operand(operands, waiting)
            if not opened:
                self._close(operands, waiting)
                level = _LEVEL.get(self.token.text)
                if level is None:
                    break
                self._apply(operands, waiting, level)
                waiting.append(_Waiting(level, self.advance()))
        self._apply(operands, waiting, 0)
        if waiting:
            self.after_expression(")" if waiting[-1].name is None else "]")
        return operands[0]

    def after_expression(self, *texts: str) -> Token:
        """The word after an expression, which must be one of these."""
        token = self.accept(*texts)
        if token is None and self.token.text == "=":
            raise self.wrong("compare with `==`; `=` only assigns, in effects")
        if token is None:
            raise self.wrong(f"an operator or {alternatives(texts)} is expected here")
        return token

    def reference(self) -> syntax.Reference:
        """What can be assigned to."""
        name, owner, index = self.expect_name(), None, None
        if self.accept("->"):
            name, owner = self.expect_name(), name
        if self.accept("["):
            index = self.expression()
            self.after_expression("]")
        return self._reference(name, owner, index)

    def _operand(self, operands: list[syntax.Expression], waiting: list[_Waiting]) -> bool:
        """Reads one operand, or what comes before it; true if it is still to come."""
        token = self.token
        if token.text == "(":
            waiting.append(_Waiting(_BRACKET, self.advance()))
            return True
        if token.text in _PREFIXES:
            waiting.append(_Waiting(_PREFIX, self.advance()))
            return True
        if token.kind == NUMBER:
            operands.append(self.number())
        elif token.text in ("true", "false"):
            operands.append(syntax.Number(int(self.advance().text == "true"), self.place(token)))
        elif token.kind == NAME:
            return self._named(operands, waiting)
        else:
            raise self.wrong("an expression is expected here")
        return False

    def number(self) -> syntax.Number:
        token = self.token
        return syntax.Number(self.expect_number(), self.place(token))

    def _named(self, operands: list[syntax.Expression], waiting: list[_Waiting]) -> bool:
        name, owner = self.expect_name(), None
        if self.accept("."):
            operands.append(syntax.InState(name.text, self.expect_name().text, self.place(name)))
            return False
        if self.accept("->"):
            name, owner = self.expect_name(), name
        if self.token.text == "[":
            waiting.append(_Waiting(_BRACKET, self.advance(), name, owner))
            return True
        operands.append(self._reference(name, owner, None))
        return False

    def _reference(self, name: Token, owner: Token | None, index: syntax.Expression | None) -> syntax.Reference:
        process = None if owner is None else owner.text
        return syntax.Reference(name.text, index, process, self.place(owner or name))

    def _close(self, operands: list[syntax.Expression], waiting: list[_Waiting]) -> None:
        """Reads closing brackets, as far as there are open ones."""
        self._apply(operands, waiting, _PREFIX)
        while self.token.text in (")", "]"):
            opened = next((one for one in reversed(waiting) if one.level == _BRACKET), None)
            if opened is None or (opened.name is None) != (self.token.text == ")"):
                return
            self.advance()
            self._apply(operands, waiting, 0)
            waiting.pop()
            if opened.name is not None:
                operands.append(self._reference(opened.name, opened.owner, operands.pop()))
            self._apply(operands, waiting, _PREFIX)

    def _apply(self, operands: list[syntax.Expression], waiting: list[_Waiting], level: int) -> None:
        """Applies the operators that wait and bind at least as strongly as `level`, down to the last open bracket."""
        while waiting and waiting[-1].level >= level:
            token = waiting[-1].token
            operator, right = _SPELLING.get(token.text, token.text), operands.pop()
            if waiting.pop().level == _PREFIX:
                operands.append(syntax.Unary(operator, right, self.place(token)))
            else:
                operands.append(syntax.Binary(operator, operands.pop(), right, self.place(token)))
