"""Where people put the parts of UPPAAL's automata: coordinates of locations, bends of edges, and labels, read from
XML."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from beeline.model.network import Network, Process

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

KINDS = ("select", "guard", "synchronisation", "assignment")


def drawings(network: Network) -> dict[str, dict[str, Any]]:
    """The drawing of each kind of process by its name, for a model in XML whose authors placed things; others have
    none."""
    file = Path(network.source.file)
    if network.language != "uppaal" or file.suffix != ".xml" or not file.is_file():
        return {}
    from defusedxml.ElementTree import ParseError, parse

    try:
        root = parse(file).getroot()
        templates = [] if root is None else [_Template(found) for found in root.iter("template")]
    except (ParseError, ValueError, OSError):
        return {}
    found = {}
    for process in network.processes:
        fitting = next((one for one in templates if one.fits(process)), None)
        if fitting is not None:
            found[process.name] = fitting.drawing(process)
    return found


class _Template:
    """One template: places by the names that the network gives to locations."""

    def __init__(self, element: Element) -> None:
        self.names: dict[str, str] = {}
        self.places: dict[str, tuple[int, int] | None] = {}
        self.titles: dict[str, tuple[int, int] | None] = {}
        self.invariants: dict[str, list[dict[str, Any]]] = {}
        for location in element.iter("location"):
            number = location.get("id", "")
            self.names[number] = (location.findtext("name") or "").strip() or f"_{number}"
            name = self.names[number]
            self.places[name] = _point(location)
            written = location.find("name")
            self.titles[name] = None if written is None else _point(written)
            self.invariants[name] = _labels(location, ("invariant",))
        self.points = {one.get("id", ""): _point(one) for one in element.iter("branchpoint")}
        self.transitions = list(element.iter("transition"))

    def fits(self, process: Process) -> bool:
        names = {location.name for location in process.locations}
        return names == set(self.places) and all(self.places[name] is not None for name in names)

    def drawing(self, process: Process) -> dict[str, Any]:
        numbers = {location.name: number for number, location in enumerate(process.locations)}
        return {
            "places": [self.places[location.name] for location in process.locations],
            "names": [self.titles[location.name] for location in process.locations],
            "invariants": [label for location in process.locations for label in self.invariants[location.name]],
            "edges": list(self._edges(numbers)),
        }

    def _edges(self, numbers: dict[str, int]) -> Iterator[dict[str, Any]]:
        for transition in self.transitions:
            source, target = (self._end(transition, end) for end in ("source", "target"))
            if source is None or target is None:
                continue
            nails = [point for nail in transition.iter("nail") if (point := _point(nail)) is not None]
            ends = {
                "from": numbers.get(self.names.get(source, "")),
                "to": numbers.get(self.names.get(target, "")),
                "begins": self.points.get(source),
                "ends": self.points.get(target),
            }
            yield {**ends, "nails": nails, "labels": _labels(transition, KINDS)}

    def _end(self, transition: Element, which: str) -> str | None:
        end = transition.find(which)
        name = None if end is None else end.get("ref", "")
        return name if name in self.names or name in self.points else None


def _labels(element: Element, kinds: tuple[str, ...]) -> list[dict[str, Any]]:
    """The texts beside a part, in the order in which UPPAAL shows them, and where they stand."""
    found = [label for label in element.iter("label") if label.get("kind") in kinds and (label.text or "").strip()]
    return [{"text": (label.text or "").strip(), "at": _point(label)} for label in found]


def _point(element: Element) -> tuple[int, int] | None:
    try:
        return int(element.get("x", "")), int(element.get("y", ""))
    except ValueError:
        return None
