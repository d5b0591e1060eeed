"""Automata that watch a run to its end and beyond: what they see once the network cannot move any more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from beeline.model import expressions as ir
from beeline.model.network import Process
from beeline.records import rebuilt, replace

Values = Mapping[ir.Builtin, ir.Expression]
Part = TypeVar("Part")


def with_halted(claim: Process, times_out: bool) -> Process:
    """Where it makes a difference, each location has a copy for when the network has come to a halt."""
    if claim.builtins.isdisjoint({"nonprogress", "timeout"}):
        return claim
    values = {ir.Builtin("nonprogress"): ir.FALSE, ir.Builtin("timeout"): ir.TRUE if times_out else ir.FALSE}
    count = len(claim.locations)
    locations = [replace(place, halted=count + number) for number, place in enumerate(claim.locations)]
    copies = [replace(place, name=f"{place.name} halted", labels=()) for place in claim.locations]
    edges = [
        replace(edge, source_location=edge.source_location + count, target_location=edge.target_location + count)
        for edge in (substituted(edge, values) for edge in claim.edges)
    ]
    return replace(claim, locations=(*locations, *copies), edges=(*claim.edges, *edges))


def substituted(part: Part, values: Values) -> Part:
    """The same with builtins replaced by what they are worth here."""
    same: Part = rebuilt(part, lambda one: values.get(one, one) if isinstance(one, ir.Builtin) else one)
    return same
