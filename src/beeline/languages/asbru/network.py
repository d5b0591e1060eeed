"""The network of a guideline, with its questions."""

from __future__ import annotations

from collections.abc import Collection

from beeline.languages.asbru.claims import claims
from beeline.languages.asbru.dynamics import system_of
from beeline.languages.asbru.guideline import Guideline
from beeline.model.network import Network
from beeline.model.synchronous import network_of
from beeline.model.validation import validate
from beeline.records import replace


def network_with_questions(guideline: Guideline, exact: Collection[str]) -> Network:
    """All that can be asked of a guideline; intentions are asked unless something else is."""
    network = network_of(system_of(guideline, exact), "asbru", guideline.source)
    network = replace(network, properties=tuple(claim.asked for claim in claims(guideline)))
    validate(network)
    return network
