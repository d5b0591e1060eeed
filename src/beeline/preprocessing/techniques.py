"""All ways to take something out of a network, applied in turns until none finds anything more."""

from __future__ import annotations

from time import monotonic

from beeline.declared import Folder
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.preprocessing.choices import ALL, EXACT, NONE
from beeline.preprocessing.declaration import Technique
from beeline.preprocessing.layer import Layer
from beeline.preprocessing.touching import Touching

_FOLDER = Folder("beeline.preprocessing", "TECHNIQUE", Technique)

MOST_LAYERS = 16
"""Each is looked for in the whole network, and every trace goes back through all of them."""


def all_techniques() -> dict[str, Technique]:
    """Every technique by its name."""
    return _FOLDER.all


def _chosen(choice: str) -> list[Technique]:
    if choice == ALL:
        return [one for one in all_techniques().values() if one.automatic]
    one = None if choice == NONE else _FOLDER.find(choice)
    return [] if one is None else [one]


def find_layers(network: Network, asked: Property, choice: str, deadline: float, match: str = EXACT) -> list[Layer]:
    """What the techniques that `choice` names make of a network, one after the other, and `match` of what is left."""
    layers: list[Layer] = []
    chosen = waiting = _chosen(choice)
    touching: Touching | None = None
    while waiting and len(layers) < MOST_LAYERS and monotonic() < deadline:
        touching = touching or Touching.of(network)
        layer = None if touching is None else waiting[0].apply(touching, asked)
        if layer is None:
            waiting = waiting[1:]
            continue
        layers.append(layer)
        network, asked, touching = layer.smaller, layer.asked, None
        # Each can make room for the other.
        waiting = [one for one in chosen if one is not waiting[0]] + [waiting[0]]
    matching = None if match == EXACT else all_techniques()[match]
    touching = None if matching is None else touching or Touching.of(network)
    layer = None if matching is None or touching is None else matching.apply(touching, asked)
    return layers if layer is None else [*layers, layer]
