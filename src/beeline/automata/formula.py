"""Formulas of linear temporal logic: a syntax tree in which equal formulas are the same object.

Propositions are names; the parser of a formula says what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar
from weakref import WeakValueDictionary

UNARY = frozenset({"not", "X", "F", "G"})

_SYMBOLS = {"not": "!", "X": "X ", "F": "<>", "G": "[]", "and": " && ", "or": " || ", "implies": " -> ", "iff": " <-> "}

Key = tuple[int, str, str, tuple[Any, ...]]


class Formula:
    """One node: a `kind`, its `children`, and the `name` of an atom.

    Kinds are ``true``, ``false``, ``atom``, ``not``, ``and``, ``or``, ``implies``, ``iff``, ``X``, ``F``, ``G``, and
    the binary ``U`` (until), ``R`` (release, SPIN's ``V``), ``W`` (weak until), ``M`` (strong release).

    >>> p, q = Formula.atom("p"), Formula.atom("q")
    >>> str(Formula("G", (p >> Formula("F", (q,)),)))
    '[](p -> <>q)'
    >>> (p & q) is (p & q)
    True
    """

    __slots__ = ("__weakref__", "children", "key", "kind", "name")

    _known: ClassVar[WeakValueDictionary[Any, Formula]] = WeakValueDictionary()

    kind: str
    children: tuple[Formula, ...]
    name: str
    key: Key  # an order of formulas that depends on nothing but the formula: small ones first

    def __new__(cls, kind: str, children: tuple[Formula, ...] = (), name: str = "") -> Formula:
        known = cls._known.get((kind, children, name))
        if known is not None:
            return known
        made = super().__new__(cls)
        made.kind, made.children, made.name = kind, children, name
        size = 1 + sum(child.key[0] for child in children)
        made.key = (size, kind, name, tuple(child.key for child in children))
        cls._known[(kind, children, name)] = made
        return made

    @staticmethod
    def atom(name: str) -> Formula:
        """The proposition `name`."""
        return Formula("atom", (), name)

    def __and__(self, other: Formula) -> Formula:
        return Formula("and", (self, other))

    def __or__(self, other: Formula) -> Formula:
        return Formula("or", (self, other))

    def __rshift__(self, other: Formula) -> Formula:
        return Formula("implies", (self, other))

    def __invert__(self) -> Formula:
        return Formula("not", (self,))

    def __reduce__(self) -> tuple[type[Formula], tuple[str, tuple[Formula, ...], str]]:
        return Formula, (self.kind, self.children, self.name)

    def __repr__(self) -> str:
        return f"Formula({str(self)!r})"

    def __str__(self) -> str:
        if self.kind == "atom":
            return _atom_text(self.name)
        if not self.children:
            return self.kind
        parts = [_operand(child) for child in self.children]
        if self.kind in UNARY:
            return _SYMBOLS[self.kind] + parts[0]
        return _SYMBOLS.get(self.kind, f" {self.kind} ").join(parts)

    @property
    def size(self) -> int:
        """The number of nodes of the tree."""
        return self.key[0]


def _atom_text(name: str) -> str:
    """A proposition in a form that the parser reads as one atom."""
    if re.fullmatch(r"[\w@.:\[\]]+", name):
        return name
    return f"{{{name}}}" if re.search(r"&&|\|\||->|!(?!=)|[^\x00-\x7f]", name) else f"({name})"


def _operand(child: Formula) -> str:
    return f"({child})" if len(child.children) > 1 else str(child)


TRUE = Formula("true")
FALSE = Formula("false")


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Each subformula once, children before parents."""
    seen: set[Formula] = set()
    stack = [(formula, False)]
    while stack:
        node, done = stack.pop()
        if done:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(node.children))


def propositions(formula: Formula) -> tuple[str, ...]:
    """The names of the formula's propositions, sorted.

    >>> propositions(Formula.atom("q") & Formula.atom("p"))
    ('p', 'q')
    """
    return tuple(sorted({node.name for node in subformulas(formula) if node.kind == "atom"}))


def is_next_free(formula: Formula) -> bool:
    """Whether no `X` occurs: then no word and its stuttered forms are told apart."""
    return all(node.kind != "X" for node in subformulas(formula))
