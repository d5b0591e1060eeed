"""Shrinks a network for a property by one technique after the other, until none finds anything more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import monotonic

from beeline.model.network import Network, Property
from beeline.model.semantics import Step
from beeline.model.source import BeelineError
from beeline.shrinking import cone, safe_abstraction
from beeline.shrinking.layer import Layer, Moves, Stepper
from beeline.shrinking.touching import Touching

AUTO, NONE, CONE, SAFE, ALL = "auto", "none", "cone", "safe", "all"
CHOICES = (AUTO, NONE, CONE, SAFE, ALL)
TECHNIQUES = (cone.TECHNIQUE, safe_abstraction.TECHNIQUE)


class ShrinkingError(BeelineError, ValueError):
    """A way to shrink networks was asked for that does not exist."""


def check_choice(text: str) -> str:
    """Returns `text`, or raises `ShrinkingError` if it names nothing."""
    if text not in CHOICES:
        raise ShrinkingError(f"networks are shrunk by {', '.join(CHOICES)}, not by {text!r}")
    return text


@dataclass(frozen=True)
class Shrunk:
    """A network made smaller for one property, in layers. `network` and `asked` are what is left to be searched."""

    network: Network
    asked: Property
    layers: tuple[Layer, ...] = ()

    @property
    def removed(self) -> tuple[str, ...]:
        """Names of processes and variables that were taken out."""
        return tuple(name for layer in self.layers for name in layer.removed)

    def concrete(self, moves: Sequence[Moves], failed: bool, timed: bool = False) -> list[Step]:
        """The steps of the whole network that a trace of the smaller one stands for; with `failed` its last step ends
        in an error. Raises `ReplayError` where there are none, which would be a fault of ours."""
        steps: list[Step] = []
        for layer in reversed(self.layers):
            steps = layer.lift(moves, Stepper(layer.network, timed), failed)
            moves = [step.moves for step in steps]
        return steps


MOST_LAYERS = 16
"""Each is looked for in the whole network, and every trace goes back through all of them."""


def shrink(network: Network, asked: Property, choice: str = ALL, deadline: float = math.inf) -> Shrunk:
    """The network without what cannot matter for a property, by the techniques that `choice` names. After the
    `deadline`, a moment of the monotonic clock, nothing more is begun.

    >>> from beeline.model.builder import NetworkBuilder
    >>> from beeline.properties import find_property
    >>> builder = NetworkBuilder("two")
    >>> _ = builder.process("P").location("a").location("b").edge("a", "b")
    >>> _ = builder.process("Q").location("a").location("b").edge("a", "b").edge("b", "a")
    >>> network = builder.build()
    >>> shrink(network, find_property(network, "!P.b")).removed
    ('Q',)
    """
    shrunk = Shrunk(replace(network, properties=(asked,)), asked)
    chosen = [one for one in TECHNIQUES if choice in (one.name, ALL)]
    waiting = [] if cone.is_hopeless(shrunk.network, asked) else chosen
    touching: Touching | None = None
    while waiting and len(shrunk.layers) < MOST_LAYERS and monotonic() < deadline:
        touching = touching or Touching.of(shrunk.network)
        layer = None if touching is None else waiting[0].apply(touching, shrunk.asked)
        if layer is None:
            waiting = waiting[1:]
            continue
        shrunk = Shrunk(layer.smaller, layer.asked, (*shrunk.layers, layer))
        touching = None
        # Each can make room for the other.
        waiting = [one for one in chosen if one is not waiting[0]] + [waiting[0]]
    if not shrunk.layers:
        return Shrunk(network, asked)
    # Traces are those of the network as it was given, with all that its other properties make it keep.
    return replace(shrunk, layers=(replace(shrunk.layers[0], network=network), *shrunk.layers[1:]))
