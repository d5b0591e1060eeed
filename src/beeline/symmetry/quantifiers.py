"""Quantifiers that look at all members of a set, so that it does not matter which member comes first.

A quantifier ends where its value is known. If it may come to an error, it depends on the order of the members whether
it does. Here each member is looked at: an error is then one for all states that are alike. Where nothing comes to an
error, the steps are the same; an error that the replay does not meet is none, and the search is done again without
symmetry.
"""

from __future__ import annotations

from beeline.model.expressions import Binary, Expression, Literal, Quantified, Unary, negate
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.records import Record, rebuilt, replace


def looking_at_all(network: Network, asked: Property) -> tuple[Network, Property]:
    """The network and the question with such quantifiers in the place of those that may stop at an error."""
    names = {name for name, _ in network.rules.stopping}

    def change(node: Record) -> Record:
        return _counted(node) if isinstance(node, Quantified) and node.name in names else node

    changed = rebuilt(network, change)
    return replace(changed, rules=replace(network.rules, stopping=())), rebuilt(asked, change)


def _counted(quantified: Quantified) -> Expression:
    """The number of members for which it is false, or true, decides; to count them, all are looked at."""
    if quantified.kind == "sum":
        return quantified
    forall = quantified.kind == "forall"
    body = negate(quantified.body) if forall else Unary("!", negate(quantified.body))
    return Binary("==" if forall else "!=", replace(quantified, kind="sum", body=body), Literal(0))
