"""Reads formulas of the mu-calculus: ``nu X. ([put] mu Y. (<-> true and [not get] Y) and [-] X)``.

Logical operators are words or signs: ``not and or`` or ``! && ||``, and ``-> <->``. A modality is as strong as a
negation; what follows ``mu X.`` or ``nu X.`` reaches as far as it can. Operators of CTL may be used. Everything else is
an expression of the model.
"""

from __future__ import annotations

import re
from typing import ClassVar

from beeline.ctl.formula import Formula, negation
from beeline.ctl.parser import AtomReader, FormulaParser
from beeline.mu.actions import ANY, Actions, Regular
from beeline.mu.formula import FIXPOINTS, fixpoint, modality, variable

_BINDER = re.compile(r"(mu|nu)\s+([A-Za-z_]\w*)\s*\.")
_WORD = re.compile(r"[A-Za-z_]\w*")
_NOT = re.compile(r"not\b")
_LABEL = re.compile(r"[A-Za-z_]\w*(?:\[\w*\])*(?:\([\w,=]*\))?|\"[^\"]*\"|'[^']*'")
_SUFFIXES = {"*": "star", "+": "plus", "?": "option"}


def parse_mu(text: str, reader: AtomReader | None = None) -> Formula:
    """The formula that `text` spells out; `reader` is given each atom and its offset.

    >>> str(parse_mu("nu X. ([put] <(not get)*.get> true and [-] X)"))
    '(nu X. ([put] <(not get)*.get> true && [-] X))'
    """
    return _Parser(text, reader or (lambda written, offset: written)).whole()


def parse_runs(text: str) -> Regular:
    """The regular expression over labels that `text` spells out, as it stands between the brackets of a modality.

    >>> str(parse_runs("-*.put.(not get)*.put"))
    '(-)*.put.(not get)*.put'
    """
    return _Parser(text, lambda written, offset: written).runs()


class _Parser(FormulaParser):
    levels: ClassVar[tuple[tuple[tuple[str, ...], str], ...]] = (
        (("<->",), "iff"), (("->", "implies"), "implies"), (("||", "or"), "or"), (("&&", "and"), "and"),
    )  # fmt: skip
    example: ClassVar[str] = "nu X. (<-> true and [-] X)"

    def __init__(self, text: str, reader: AtomReader) -> None:
        super().__init__(text, reader)
        self._bound: list[str] = []

    def runs(self) -> Regular:
        found = self._choice()
        self._skip()
        if self.at < len(self.text):
            raise self._error("nothing more is expected here", "join runs by `.`, `|` and `*`")
        return found

    def _special(self) -> Formula | None:
        if (found := _BINDER.match(self.text, self.at)) is not None:
            return self._fixpoint(found)
        if self.text.startswith(("<", "["), self.at):
            return self._modality()
        if (found := _NOT.match(self.text, self.at)) is not None:
            self.at = found.end()
            return negation(self._operand())
        found = _WORD.match(self.text, self.at)
        if found is not None and found[0] in self._bound and self._is_alone(found.end()):
            self.at = found.end()
            return variable(found[0])
        if found is not None and found[0] in FIXPOINTS and not self._is_alone(found.end()):
            raise self._error(f"'{found[0]}' binds no variable here", f"write it as `{found[0]} X. f`")
        return None

    def _is_alone(self, end: int) -> bool:
        """Whether a word that ends here is no part of an expression."""
        after = end + len(self.text[end:]) - len(self.text[end:].lstrip())
        return after == len(self.text) or self.text[after] in ")]}" or bool(self._sign_at(after)) or self._until(after)

    def _until(self, at: int) -> bool:
        return re.match(r"[UWR]\b", self.text[at:]) is not None

    def _fixpoint(self, found: re.Match[str]) -> Formula:
        self.at = found.end()
        self._bound.append(found[2])
        body = self._level(0)
        self._bound.pop()
        return fixpoint(found[1], found[2], body)

    def _modality(self) -> Formula:
        kind, closing = ("can", ">") if self.text[self.at] == "<" else ("must", "]")
        self.at += 1
        steps = self._choice()
        if not self._takes(closing):
            raise self._error(f"`{closing}` is missing here", "write a modality as `<a.b*> f` or `[not a] f`")
        return modality(kind, steps, self._operand())

    def _choice(self) -> Regular:
        parts = [self._sequence()]
        while self._takes("||") or self._takes("|") or self._takes("or"):
            parts.append(self._sequence())
        if len(parts) == 1:
            return parts[0]
        if all(part.kind == "actions" for part in parts):
            return Regular("actions", (), Actions("or", tuple(part.actions for part in parts)))
        return Regular("choice", tuple(parts))

    def _sequence(self) -> Regular:
        parts = [self._both()]
        while self._takes("."):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Regular("sequence", tuple(parts))

    def _both(self) -> Regular:
        parts = [self._repeated()]
        while self._takes("&&") or self._takes("and"):
            parts.append(self._repeated())
        if len(parts) == 1:
            return parts[0]
        return Regular("actions", (), Actions("and", tuple(self._single(part) for part in parts)))

    def _single(self, part: Regular) -> Actions:
        if part.kind != "actions":
            raise self._error("`not` and `and` are for sets of single steps", "join runs by `.`, `|` and `*`")
        return part.actions

    def _repeated(self) -> Regular:
        found = self._step()
        while True:
            self._skip()
            kind = _SUFFIXES.get(self.text[self.at : self.at + 1])
            if kind is None:
                return found
            self.at += 1
            found = Regular(kind, (found,))

    def _step(self) -> Regular:
        self._skip()
        if self._takes("("):
            found = self._choice()
            if not self._takes(")"):
                raise self._error("`)` is missing here", "every bracket needs a partner")
            return found
        if self._takes("-"):
            return Regular("actions")
        if (word := _NOT.match(self.text, self.at)) is not None or self.text.startswith("!", self.at):
            self.at = word.end() if word is not None else self.at + 1
            return Regular("actions", (), Actions("not", (self._single(self._step()),)))
        if (label := _LABEL.match(self.text, self.at)) is None:
            raise self._error("a set of labels is missing here", 'write `put`, `"put!*"`, `not put`, or `-` for all')
        self.at = label.end()
        if label[0] in ("true", "any"):
            return Regular("actions")
        if label[0] == "false":
            return Regular("actions", (), Actions("not", (ANY,)))
        return Regular("actions", (), Actions("label", (), label[0]))
