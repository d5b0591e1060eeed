"""Writing `.xta` text: processes as lists of locations and edges."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Process:
    """A process under construction. Locations are named when they are first used."""

    name: str
    initial: str
    parameters: str = ""
    locals: str = ""
    invariants: dict[str, str] = field(default_factory=dict)
    committed: set[str] = field(default_factory=set)
    edges: list[str] = field(default_factory=list)
    locations: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.locations[self.initial] = None

    def edge(
        self, origin: str, target: str, *, select: str = "", guard: str = "", sync: str = "", assign: str = ""
    ) -> None:
        for place in (origin, target):
            self.locations.setdefault(place)
        given = (("select", select), ("guard", guard), ("sync", sync), ("assign", assign))
        parts = " ".join(f"{word} {text};" for word, text in given if text)
        self.edges.append(f"{origin} -> {target} {{ {parts} }}" if parts else f"{origin} -> {target} {{ }}")

    def text(self) -> str:
        places = [f"{one} {{ {self.invariants[one]} }}" if one in self.invariants else one for one in self.locations]
        lines = [f"process {self.name}({self.parameters}) {{"]
        if self.locals:
            lines.append(f"  {self.locals}")
        lines.append(f"  state {', '.join(places)};")
        if self.committed:
            lines.append(f"  commit {', '.join(one for one in self.locations if one in self.committed)};")
        lines.append(f"  init {self.initial};")
        if self.edges:
            lines.append("  trans " + ",\n        ".join(self.edges) + ";")
        return "\n".join([*lines, "}"])


@dataclass(frozen=True)
class Generated:
    """A model and the query that its error is found by."""

    name: str
    xta: str
    query: str


def assemble(
    name: str, comment: str, declarations: list[str], processes: list[Process], system: list[str], query: str
) -> Generated:
    """A whole file. `system` are lines of instantiations and names of processes in order."""
    parts = [f"// {comment}", *declarations, *(process.text() for process in processes), *system]
    return Generated(name, "\n".join(parts) + "\n", query + "\n")
