"""Negation normal form: negations stand at atoms only, and arrows are gone."""

from __future__ import annotations

from beeline.automata.formula import FALSE, TRUE, Formula

_DUAL = {"and": "or", "or": "and", "F": "G", "G": "F", "U": "R", "R": "U", "W": "M", "M": "W", "X": "X"}


def normal_form(formula: Formula, negated: bool = False) -> Formula:
    """`formula` (or its negation) with ``! `` at atoms only, without ``->`` and ``<->``.

    >>> p, q = Formula.atom("p"), Formula.atom("q")
    >>> normal_form(Formula("G", (p >> Formula("F", (q,)),)), negated=True)
    Formula('<>(p && []!q)')
    """
    return _normal(formula, negated, {})


def _normal(formula: Formula, negated: bool, known: dict[tuple[Formula, bool], Formula]) -> Formula:
    found = known.get((formula, negated))
    if found is None:
        found = known[formula, negated] = _pushed(formula, negated, known)
    return found


def _pushed(formula: Formula, negated: bool, known: dict[tuple[Formula, bool], Formula]) -> Formula:
    kind, children = formula.kind, formula.children
    if kind == "true" or kind == "false":
        return TRUE if (kind == "true") != negated else FALSE
    if kind == "atom":
        return Formula("not", (formula,)) if negated else formula
    if kind == "not":
        return _normal(children[0], not negated, known)
    if kind == "implies":
        left, right = _normal(children[0], not negated, known), _normal(children[1], negated, known)
        return Formula("and" if negated else "or", (left, right))
    if kind == "iff":
        same = tuple(_normal(child, False, known) for child in children)
        other = tuple(_normal(child, True, known) for child in children)
        pairs = ((same[0], other[1]), (other[0], same[1])) if negated else (same, other)
        return Formula("or", tuple(Formula("and", pair) for pair in pairs))
    parts = tuple(_normal(child, negated, known) for child in children)
    return Formula(_DUAL[kind] if negated else kind, parts)
