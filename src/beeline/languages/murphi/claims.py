"""What a Murphi text claims, as questions about its network."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from beeline.languages.murphi import syntax
from beeline.languages.murphi.rules import Context
from beeline.languages.murphi.values import Fresh
from beeline.model import expressions as ir
from beeline.model.property import Correctness, Goal, Invariant, Passed, Property
from beeline.model.source import Source
from beeline.records import rebuilt

Claimed = tuple[syntax.Claim, Context, ir.Expression]
SAFETY = "safety"


def assumptions(claims: Sequence[Claimed]) -> list[ir.Expression]:
    """What is assumed of all states."""
    return [_for_all(context, condition) for claim, context, condition in claims if claim.kind == "assume"]


def properties(
    claims: Sequence[Claimed], covers: Sequence[tuple[str, str, Source]], deadlocks: bool
) -> tuple[Property, ...]:
    """The questions of a text. One search answers for assertions, errors, invariants and, unless they are allowed,
    deadlocks; each invariant can be asked alone as well."""
    names = Fresh({SAFETY, "deadlock", "assertions", "claim"})
    invariants: list[Property] = []
    others: list[Property] = []
    for claim, context, condition in claims:
        name = names.name(claim.message or f"{claim.kind} in line {claim.at.line}")
        if claim.kind == "invariant":
            expression = _for_all(context, condition)
            invariants.append(Invariant(name, "", claim.at, part=True, expression=expression))
        elif claim.kind == "cover":
            others.append(Goal(name, "", claim.at, expression=_for_some(context, condition)))
        elif claim.kind == "liveness":
            others.append(_reachable_from_everywhere(name, claim.at, context, condition))
    for place, name, at in covers:
        others.append(Passed(names.name(name), "", at, place=place))
    parts = tuple((one.name, one.expression) for one in invariants if isinstance(one, Invariant))
    asked = ["invariants"] * bool(parts) + ["assertions"] + ["no deadlock"] * (not deadlocks)
    whole = Correctness(SAFETY, ", ".join(asked), invariants=parts, deadlocks=deadlocks)
    return (whole, *others, *invariants)


def _reachable_from_everywhere(name: str, at: Source, context: Context, condition: ir.Expression) -> Property:
    """From every state there is a way to one where the condition holds; for each value of the parameters by itself."""
    from beeline.ctl.formula import TRUE, Formula, atom, conjunction  # few texts claim such a thing
    from beeline.properties.branching import Branching

    atoms: dict[str, ir.Expression] = {}
    whole = TRUE
    for values in product(*(choice.values for choice in context.choices)):
        given = dict(zip((choice.name for choice in context.choices), values, strict=True))

        def filled(part: object, given: dict[str, int] = given) -> object:
            return ir.Literal(given[part.name]) if isinstance(part, ir.Ref) and part.name in given else part

        known = ", ".join(f"{one} = {value}" for one, value in given.items())
        label = f"{name} ({known})" if known else name
        meant = condition if not context.guards else ir.Binary("imply", ir.conjunction(list(context.guards)), condition)
        atoms[label] = rebuilt(meant, filled)
        whole = conjunction(whole, Formula("EF", (atom(label),)))
    return Branching(name, "", at, formula=Formula("AG", (whole,)), atoms=tuple(atoms.items()))


def _for_all(context: Context, condition: ir.Expression) -> ir.Expression:
    return _quantified("forall", "imply", context, condition)


def _for_some(context: Context, condition: ir.Expression) -> ir.Expression:
    return _quantified("exists", "&&", context, condition)


def _quantified(kind: str, joined: str, context: Context, condition: ir.Expression) -> ir.Expression:
    """A condition for all or for some values of the parameters around it."""
    if context.guards:
        condition = ir.Binary(joined, ir.conjunction(list(context.guards)), condition)
    for choice in reversed(context.choices):
        low, high = min(choice.values), max(choice.values)
        if len(choice.values) <= high - low:
            tests: list[ir.Expression] = [ir.Binary("==", ir.Ref(choice.name), ir.Literal(v)) for v in choice.values]
            meant = tests[0]
            for test in tests[1:]:
                meant = ir.Binary("||", meant, test)
            condition = ir.Binary(joined, meant, condition)
        condition = ir.Quantified(kind, choice.name, low, high, condition)
    return condition
