"""Conditions written as Python functions: a function of the state is called once with names instead of values, and what
comes out is the text of the condition.

>>> written(lambda s: (s.x < 3) & ~s.taken[s.left])
'x < 3 && !taken[left]'
>>> written(lambda s: s.P[0].at("critical") | (s.len(s.queue) == 2))
'P[0]@critical || len(queue) == 2'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beeline.model.source import ModelError

OR, AND, BIT_OR, BIT_AND, EQUAL, LESS, ADD, MULTIPLY, UNARY, ATOM = range(10)
"""How strongly operators bind, as in C."""

Condition = Callable[[Any], Any]


class Symbol:
    """A piece of a condition: its text, and how strongly the outermost operator of that binds."""

    def __init__(self, text: str, binds: int = ATOM) -> None:
        self._text, self._binds = text, binds

    def __getattr__(self, name: str) -> Symbol:
        if name.startswith("__"):
            raise AttributeError(name)
        return Symbol(f"{_within(self, ATOM)}.{name}")

    def __getitem__(self, index: Any) -> Symbol:
        return Symbol(f"{_within(self, ATOM)}[{_text(index)}]")

    def __call__(self, *arguments: Any) -> Symbol:
        return Symbol(f"{self._text}({', '.join(map(_text, arguments))})")

    def at(self, location: str) -> Symbol:
        """Whether a process is at a location."""
        return Symbol(f"{self._text}@{location}")

    def __bool__(self) -> bool:
        raise ModelError(
            "a condition has no value while it is written down",
            remedy="use & for and, | for or, ~ for not, with parentheses around comparisons, which come in pairs",
        )

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        return _joined(self, "==", other, EQUAL)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return _joined(self, "!=", other, EQUAL)

    def __lt__(self, other: Any) -> Symbol:
        return _joined(self, "<", other, LESS)

    def __le__(self, other: Any) -> Symbol:
        return _joined(self, "<=", other, LESS)

    def __gt__(self, other: Any) -> Symbol:
        return _joined(self, ">", other, LESS)

    def __ge__(self, other: Any) -> Symbol:
        return _joined(self, ">=", other, LESS)

    def __and__(self, other: Any) -> Symbol:
        return _joined(self, "&&", other, AND)

    def __rand__(self, other: Any) -> Symbol:
        return _joined(other, "&&", self, AND)

    def __or__(self, other: Any) -> Symbol:
        return _joined(self, "||", other, OR)

    def __ror__(self, other: Any) -> Symbol:
        return _joined(other, "||", self, OR)

    def __add__(self, other: Any) -> Symbol:
        return _joined(self, "+", other, ADD)

    def __radd__(self, other: Any) -> Symbol:
        return _joined(other, "+", self, ADD)

    def __sub__(self, other: Any) -> Symbol:
        return _joined(self, "-", other, ADD)

    def __rsub__(self, other: Any) -> Symbol:
        return _joined(other, "-", self, ADD)

    def __mul__(self, other: Any) -> Symbol:
        return _joined(self, "*", other, MULTIPLY)

    def __rmul__(self, other: Any) -> Symbol:
        return _joined(other, "*", self, MULTIPLY)

    def __floordiv__(self, other: Any) -> Symbol:
        return _joined(self, "/", other, MULTIPLY)

    def __mod__(self, other: Any) -> Symbol:
        return _joined(self, "%", other, MULTIPLY)

    def __invert__(self) -> Symbol:
        return Symbol(f"!{_within(self, UNARY)}", UNARY)

    def __neg__(self) -> Symbol:
        return Symbol(f"-{_within(self, UNARY)}", UNARY)


class State:
    """What a condition is given: every name of the model is an attribute."""

    def __getattr__(self, name: str) -> Symbol:
        if name.startswith("__"):
            raise AttributeError(name)
        return Symbol(name)


def written(condition: Condition) -> str:
    """The text of a condition. Raises `ModelError` for what is none."""
    found = condition(State())
    if not isinstance(found, (Symbol, bool, int)):
        kind = type(found).__name__
        raise ModelError(f"the function returns a {kind}, no condition", remedy="return a comparison, such as s.x < 3")
    return _text(found)


def _joined(left: Any, operator: str, right: Any, binds: int) -> Symbol:
    # Operators of the same strength go from left to right: what stands right of one needs parentheses.
    return Symbol(f"{_within(left, binds)} {operator} {_within(right, binds + 1)}", binds)


def _within(part: Any, binds: int) -> str:
    text = _text(part)
    return f"({text})" if isinstance(part, Symbol) and part._binds < binds else text


def _text(part: Any) -> str:
    match part:
        case Symbol():
            return part._text
        case bool():
            return "true" if part else "false"
        case int():
            return str(part)
    raise ModelError(f"{part!r} cannot stand in a condition", remedy="use whole numbers, truth values and names")
