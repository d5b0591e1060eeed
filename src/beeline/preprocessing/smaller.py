"""Networks made smaller for a property."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from beeline.model.network import Network
from beeline.model.property import Property
from beeline.preprocessing.choices import ALL, CONE, EXACT, NONE, SAFE
from beeline.preprocessing.hopeless import is_hopeless
from beeline.records import Record, replace

if TYPE_CHECKING:
    from beeline.model.semantics import Step
    from beeline.preprocessing.layer import Layer, Moves


class Shrunk(Record, frozen=True):
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
        from beeline.preprocessing.layer import Stepper

        steps: list[Step] = []
        for layer in reversed(self.layers):
            steps = layer.lift(moves, Stepper(layer.network, timed), failed)
            moves = [step.moves for step in steps]
        return steps


def shrink(
    network: Network, asked: Property, choice: str = ALL, deadline: float = math.inf, match: str = EXACT
) -> Shrunk:
    """The network without what cannot matter for a property, by the techniques that `choice` names, and with states
    put in the place of others that `match` takes for equal. After the `deadline`, a moment of the monotonic clock,
    nothing more is begun.

    >>> from beeline.model.builder import NetworkBuilder
    >>> from beeline.properties import find_property
    >>> builder = NetworkBuilder("two")
    >>> _ = builder.process("P").location("a").location("b").edge("a", "b")
    >>> _ = builder.process("Q").location("a").location("b").edge("a", "b").edge("b", "a")
    >>> network = builder.build()
    >>> shrink(network, find_property(network, "!P.b")).removed
    ('Q',)
    """
    alone = replace(network, properties=(asked,))
    if choice in (CONE, SAFE, ALL) and is_hopeless(alone, asked):
        choice = NONE
    if (choice == NONE and match == EXACT) or network.rules.opened:
        return Shrunk(network, asked)
    from beeline.preprocessing.techniques import find_layers

    layers = find_layers(alone, asked, choice, deadline, match)
    if not layers:
        return Shrunk(network, asked)
    # Traces are those of the network as it was given, with all that its other properties make it keep.
    first = replace(layers[0], network=network)
    return Shrunk(layers[-1].smaller, layers[-1].asked, (first, *layers[1:]))
