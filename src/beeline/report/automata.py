"""The processes of a network as graphs to be drawn: locations and edges, without their meaning."""

from __future__ import annotations

from typing import Any

from beeline.model.network import Network, Process
from beeline.model.printer import show_edge

MOST_EDGES = 4000  # of all processes together; a drawing of more cannot be read


def automata(network: Network) -> dict[str, Any] | None:
    """Every kind of process with its locations and edges, and which kind the processes of the start are of. None if
    that would be too much to draw.

    >>> from beeline import NetworkBuilder
    >>> builder = NetworkBuilder("tiny")
    >>> _ = builder.process("P").location("a").location("b").edge("a", "b", guard="true")
    >>> automata(builder.build())["kinds"][0]["edges"]
    [{'from': 0, 'to': 1, 'action': '[true]', 'line': 1}]
    """
    kinds = [*network.processes, *([network.monitor] if network.monitor is not None else [])]
    if sum(len(kind.edges) for kind in kinds) > MOST_EDGES:
        return None
    instances = {instance.name: network.process_index[instance.process] for instance in network.initial}
    if network.monitor is not None:
        instances["monitor"] = len(network.processes)
    drawn = _drawings(network)
    return {"kinds": [{**_kind(kind), "drawing": drawn.get(kind.name)} for kind in kinds], "instances": instances}


def _drawings(network: Network) -> dict[str, dict[str, Any]]:
    if network.language != "uppaal":
        return {}
    from beeline.report.drawings import drawings

    return drawings(network)


def _kind(process: Process) -> dict[str, Any]:
    return {
        "name": process.name,
        "initial": process.initial,
        "locations": [
            {"name": place.name, "line": place.source.line or None, "end": place.end} for place in process.locations
        ],
        "edges": [
            {
                "from": edge.source_location,
                "to": edge.target_location,
                "action": edge.text or show_edge(edge),
                "line": edge.source.line or None,
            }
            for edge in process.edges
        ],
    }
