"""Reads CTL formulas: ``AG (request -> AF granted)``, ``E[x < 3 U P@done]``.

A path operator is ``A`` or ``E`` with ``X``, ``F``, ``G``, or with ``[f U g]``, ``[f W g]`` or ``[f R g]``. Logical
operators are ``!  &&  ||  ->  <->``, from strong to weak. Everything else belongs to atoms, which are expressions of
the model; anything at all stands between braces.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from beeline.ctl.formula import TRUE, Formula, atom, negation
from beeline.model.source import ModelError, Source

AtomReader = Callable[[str, int], str]
"""From the text of an atom and its offset to the name of the proposition."""

NESTING = 100  # formulas that are deeper than this are refused: no person writes them

_SPACE = re.compile(r"\s*")
_UNARY = re.compile(r"([AE][XFG])\b")
_BINARY = re.compile(r"([AE])\s*\[")
_TEMPORAL = re.compile(r"(?<![\w.@])(?:[AE][XFG]\b|[AE]\s*\[)")
_UNTIL = re.compile(r"\s*\b([UWR])\b")
_OPENING, _CLOSING = "([{", ")]}"


class CtlError(ModelError):
    """A formula that cannot be read; the column is that in the formula's text."""


def parse_ctl(text: str, reader: AtomReader | None = None) -> Formula:
    """The formula that `text` spells out; `reader` is given each atom and its offset.

    >>> str(parse_ctl("AG (p -> AF q == 1)"))
    'AG (p -> AF q == 1)'
    >>> str(parse_ctl("!E[x < 3 U {y} && EX z]"))
    '!(E[x < 3 U (y && EX z)])'
    """
    return FormulaParser(text, reader or (lambda written, offset: written)).whole()


class FormulaParser:
    """Reads a formula whose atoms are expressions of a model; other logics add operands and signs of their own."""

    levels: ClassVar[tuple[tuple[tuple[str, ...], str], ...]] = (
        (("<->",), "iff"), (("->",), "implies"), (("||",), "or"), (("&&",), "and"),
    )  # fmt: skip
    """The signs of operators, from weak to strong."""
    example: ClassVar[str] = "AG (p -> AF q)"

    def __init__(self, text: str, reader: AtomReader) -> None:
        self.text, self.reader = text, reader
        self.at = 0
        self.depth = 0

    def whole(self) -> Formula:
        self._skip()
        if self.at == len(self.text):
            raise self._error("the formula is empty", f"write one, such as `{self.example}`")
        formula = self._level(0)
        if self.at < len(self.text):
            raise self._error(f"'{self.text[self.at]}' does not belong here", "operators are `&& || -> <->`")
        return formula

    def _level(self, level: int) -> Formula:
        """What is joined by the operator of a level and by stronger ones. Implications are read from the right."""
        if level == len(self.levels):
            return self._operand()
        signs, kind = self.levels[level]
        formula = self._level(level + 1)
        while any(self._takes(sign) for sign in signs):
            right = self._level(level if kind == "implies" else level + 1)
            formula = Formula(kind, (formula, right))
        return formula

    def _operand(self) -> Formula:
        self.depth += 1
        if self.depth > NESTING:
            raise self._error(f"the formula is nested more than {NESTING} times", "ask for less at once")
        self._skip()
        formula = self._special() or self._path() or self._negated() or self._bracketed() or self._atom()
        self.depth -= 1
        self._skip()
        return formula

    def _special(self) -> Formula | None:
        """An operand of another logic."""
        return None

    def _path(self) -> Formula | None:
        if (found := _UNARY.match(self.text, self.at)) is not None:
            self.at = found.end()
            return Formula(found[1], (self._operand(),))
        if (found := _BINARY.match(self.text, self.at)) is None:
            return None
        self.at = found.end()
        left = self._level(0)
        until = _UNTIL.match(self.text, self.at)
        if until is None:
            raise self._error("`U`, `W` or `R` is missing here", f"write it as `{found[1]}[p U q]`")
        self.at = until.end()
        right = self._level(0)
        if not self._takes("]"):
            raise self._error("`]` is missing here", f"write it as `{found[1]}[p U q]`")
        return Formula(found[1] + until[1], (left, right))

    def _negated(self) -> Formula | None:
        """A negation of more than an atom: ``!x == 3`` is the model's own."""
        rest = self.text[self.at :]
        if not rest.startswith("!") or rest.startswith("!="):
            return None
        after = rest[1:].lstrip()
        whole = after[:1] in ("(", "!", "{") and not self._continues_as_expression(self.at + len(rest) - len(after))
        if not whole and _TEMPORAL.match(after) is None:
            return None
        self.at += 1
        return negation(self._operand())

    def _bracketed(self) -> Formula | None:
        """A formula in brackets, unless these are part of an expression such as ``(x + 1) * 2 == y``."""
        if not self.text.startswith("(", self.at) or self._continues_as_expression(self.at):
            return None
        self.at += 1
        formula = self._level(0)
        if not self._takes(")"):
            raise self._error("`)` is missing here", "every bracket needs a partner")
        return formula

    def _continues_as_expression(self, start: int) -> bool:
        """Whether what stands in the brackets at `start` is followed by an operator of expressions."""
        if not self.text.startswith("(", start):
            return False
        end = self._partner(start)
        if _TEMPORAL.search(self.text, start, end) is not None:
            return False
        after = end + 1 + len(self.text[end + 1 :]) - len(self.text[end + 1 :].lstrip())
        rest = self.text[after:]
        logical = rest == "" or rest[0] in ")]" or self._sign_at(after) or _UNTIL.match(rest) is not None
        return not logical

    def _sign_at(self, at: int) -> str:
        """The sign of an operator that stands at a place; empty if none does. One that is a word stands alone."""
        for sign in (sign for signs, _ in self.levels for sign in signs):
            if self.text.startswith(sign, at):
                around = self.text[at - 1 : at] + self.text[at + len(sign) : at + len(sign) + 1]
                if not sign.isalpha() or not re.search(r"\w", around):
                    return sign
        return ""

    def _atom(self) -> Formula:
        start = self.at
        if self.text.startswith("{", start):
            end = self._partner(start)
            self.at = end + 1
            return self._named(start + 1, end)
        while self.at < len(self.text) and not self._ends_atom():
            self.at = self._partner(self.at) + 1 if self.text[self.at] in _OPENING else self.at + 1
        if not self.text[start : self.at].strip():
            raise self._error("an expression or a formula is missing here", "write one, such as `x > 3`")
        return self._named(start, self.at)

    def _named(self, start: int, end: int) -> Formula:
        written = self.text[start:end].strip()
        if written in ("true", "1"):
            return TRUE
        if written in ("false", "0"):
            return negation(TRUE)
        if (found := _TEMPORAL.search(written)) is not None:
            self.at = start + found.start()
            raise self._error("a path operator cannot be part of an expression", "join formulas by `&& || -> <->`")
        return atom(self.reader(written, start))

    def _ends_atom(self) -> bool:
        rest = self.text[self.at :]
        if rest[0] in _CLOSING or self._sign_at(self.at):
            return True
        return rest[0].isspace() and re.match(r"\s+[UWR]\b", rest) is not None

    def _partner(self, start: int) -> int:
        depth = 0
        for offset in range(start, len(self.text)):
            depth += (self.text[offset] in _OPENING) - (self.text[offset] in _CLOSING)
            if depth == 0:
                return offset
        self.at = start
        raise self._error(f"'{self.text[start]}' has no partner", "every bracket needs a partner")

    def _takes(self, sign: str) -> bool:
        self._skip()
        if not self.text.startswith(sign, self.at) or (sign.isalpha() and self._sign_at(self.at) != sign):
            return False
        self.at += len(sign)
        return True

    def _skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def _error(self, message: str, remedy: str) -> CtlError:
        return CtlError(message, Source("formula", 1, self.at + 1), remedy, self.text)
