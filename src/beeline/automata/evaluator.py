"""Whether a formula holds on an infinite word, by fixpoints over the positions of a lasso.

This is the judge of everything else: it follows the definition of each operator on the tree as it was parsed, and knows
neither automata nor simplification.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from beeline.automata.formula import Formula, subformulas

Values = list[bool]


def evaluate(formula: Formula, prefix: Sequence[Iterable[str]], cycle: Sequence[Iterable[str]]) -> bool:
    """Whether `formula` holds on the word that goes through `prefix` once and `cycle` for ever; a letter is the set of
    propositions that are true.

    >>> p, q = Formula.atom("p"), Formula.atom("q")
    >>> evaluate(Formula("U", (p, q)), [{"p"}, {"p"}], [{"q"}, set()])
    True
    >>> evaluate(Formula("G", (Formula("F", (p,)),)), [{"p"}], [set()])
    False
    """
    return values_on(formula, prefix, cycle)[formula][0]


def values_on(
    formula: Formula, prefix: Sequence[Iterable[str]], cycle: Sequence[Iterable[str]]
) -> dict[Formula, Values]:
    """The truth of every subformula at every position of the lasso."""
    if not cycle:
        raise ValueError("an infinite word needs a cycle of at least one letter")
    letters = [frozenset(letter) for letter in (*prefix, *cycle)]
    following = [*range(1, len(letters)), len(prefix)]
    values: dict[Formula, Values] = {}
    for node in subformulas(formula):
        values[node] = _values(node, [values[child] for child in node.children], letters, following)
    return values


def _values(node: Formula, parts: list[Values], letters: list[frozenset[str]], following: list[int]) -> Values:
    match node.kind:
        case "true" | "false":
            return [node.kind == "true"] * len(letters)
        case "atom":
            return [node.name in letter for letter in letters]
        case "not":
            return [not value for value in parts[0]]
        case "and":
            return [all(values) for values in zip(*parts, strict=True)]
        case "or":
            return [any(values) for values in zip(*parts, strict=True)]
        case "implies":
            return [not left or right for left, right in zip(*parts, strict=True)]
        case "iff":
            return [left == right for left, right in zip(*parts, strict=True)]
        case "X":
            return [parts[0][successor] for successor in following]
        case "F":
            return _fixpoint(False, following, lambda i, later: parts[0][i] or later)
        case "G":
            return _fixpoint(True, following, lambda i, later: parts[0][i] and later)
        case "U" | "W":
            left, right = parts
            return _fixpoint(node.kind == "W", following, lambda i, later: right[i] or (left[i] and later))
        case "R" | "M":
            left, right = parts
            return _fixpoint(node.kind == "R", following, lambda i, later: right[i] and (left[i] or later))
    raise ValueError(f"no such operator: {node.kind}")


def _fixpoint(start: bool, following: list[int], step: Callable[[int, bool], bool]) -> Values:
    """The least (from False) or greatest (from True) solution of ``value[i] = step(i, value[following[i]])``.

    Backwards, a value travels through the whole lasso in one round, and round the cycle once more in the second.
    """
    values = [start] * len(following)
    changed = True
    while changed:
        changed = False
        for position in range(len(following) - 1, -1, -1):
            new = step(position, values[following[position]])
            changed = changed or new != values[position]
            values[position] = new
    return values
