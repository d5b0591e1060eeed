"""Formulas of computation tree logic, and the few operators to which all others come down."""

from __future__ import annotations

from beeline.records import Record

PATHS = ("EX", "EF", "EG", "EU", "EW", "ER", "AX", "AF", "AG", "AU", "AW", "AR")
BASIC = ("true", "atom", "not", "and", "EX", "EU", "EG")
_INFIX = {"and": "&&", "or": "||", "implies": "->", "iff": "<->"}


class Formula(Record, frozen=True):
    """One operator: ``true``, ``atom``, ``not``, ``and``, ``or``, ``implies``, ``iff``, or one of `PATHS`."""

    kind: str
    parts: tuple[Formula, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        inner = [str(part) for part in self.parts]
        if self.kind == "atom":
            return self.name
        if self.kind == "true":
            return "true"
        if self.kind == "not":
            return f"!({inner[0]})"
        if self.kind in _INFIX:
            return "(" + f" {_INFIX[self.kind]} ".join(inner) + ")"
        if self.kind == "EU" and self.parts[0].kind == "true":
            return f"EF {inner[1]}"
        if len(inner) == 2:
            return f"{self.kind[0]}[{inner[0]} {self.kind[1]} {inner[1]}]"
        return f"{self.kind} {inner[0]}"

    @property
    def is_temporal(self) -> bool:
        """Whether it says something about more than one state."""
        return self.kind in PATHS or any(part.is_temporal for part in self.parts)


TRUE = Formula("true")


def atom(name: str) -> Formula:
    return Formula("atom", (), name)


def negation(part: Formula) -> Formula:
    """The opposite, without two negations in a row."""
    return part.parts[0] if part.kind == "not" else Formula("not", (part,))


def conjunction(left: Formula, right: Formula) -> Formula:
    if left == TRUE:
        return right
    return left if right == TRUE else Formula("and", (left, right))


def disjunction(left: Formula, right: Formula) -> Formula:
    return negation(conjunction(negation(left), negation(right)))


def basic(formula: Formula) -> Formula:
    """The same with the operators in `BASIC` alone: what every path does, no path fails to do."""
    parts = [basic(part) for part in formula.parts]
    match formula.kind, parts:
        case (("true" | "atom"), _):
            return formula
        case "not", [part]:
            return negation(part)
        case "and", [left, right]:
            return conjunction(left, right)
        case "or", [left, right]:
            return disjunction(left, right)
        case "implies", [left, right]:
            return disjunction(negation(left), right)
        case "iff", [left, right]:
            return disjunction(conjunction(left, right), conjunction(negation(left), negation(right)))
        case (("EX" | "EU" | "EG"), _):
            return Formula(formula.kind, tuple(parts))
        case "EF", [part]:
            return Formula("EU", (TRUE, part))
        case "EW", [left, right]:
            return disjunction(Formula("EG", (left,)), Formula("EU", (left, right)))
        case "ER", [left, right]:
            return disjunction(Formula("EG", (right,)), Formula("EU", (right, conjunction(left, right))))
        case "AX", [part]:
            return negation(Formula("EX", (negation(part),)))
        case "AF", [part]:
            return negation(Formula("EG", (negation(part),)))
        case "AG", [part]:
            return negation(Formula("EU", (TRUE, negation(part))))
        case "AU", [left, right]:
            late = Formula("EU", (negation(right), conjunction(negation(left), negation(right))))
            return conjunction(negation(late), negation(Formula("EG", (negation(right),))))
        case "AW", [left, right]:
            return negation(Formula("EU", (negation(right), conjunction(negation(left), negation(right)))))
        case "AR", [left, right]:
            return negation(Formula("EU", (negation(left), negation(right))))
    raise AssertionError(formula.kind)


def fragment(formula: Formula) -> str:
    """``ACTL`` if it is about all paths alone, ``ECTL`` if about some path, ``state`` if about none, else ``CTL``. What
    holds of a model with more behaviour than the real one holds of the real one if it is ACTL."""
    found = _quantifiers(basic(formula), True)
    return {frozenset(): "state", frozenset("A"): "ACTL", frozenset("E"): "ECTL"}.get(found, "CTL")


def _quantifiers(formula: Formula, positive: bool) -> frozenset[str]:
    if formula.kind == "not":
        return _quantifiers(formula.parts[0], not positive)
    own = frozenset("E" if positive else "A") if formula.kind in ("EX", "EU", "EG") else frozenset()
    return own.union(*(_quantifiers(part, positive) for part in formula.parts))
