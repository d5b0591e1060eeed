"""How many processes can be alive at once: a bound read off the automata, so that states can be laid out."""

from __future__ import annotations

from collections import Counter

from beeline.model.network import Initial, Process
from beeline.model.statements import Start, nested

LIMIT = 255
"""SPIN's own limit; a run beyond it is an error."""


def most_processes(processes: tuple[Process, ...], initial: tuple[Initial, ...]) -> int:
    """An upper bound. Exact enough where no process is started in a loop; `LIMIT` where one is."""
    starts = {process.name: _starts(process) for process in processes}
    if all(not counts for counts in starts.values()):
        return 0
    totals: dict[str, float] = {}

    def instances(name: str, path: tuple[str, ...]) -> float:
        """How many of this kind are ever started."""
        if name in path:
            return float("inf")
        if name not in totals:
            total: float = sum(1 for start in initial if start.process == name)
            for other, counts in starts.items():
                if counts.get(name, 0) and (starters := instances(other, (*path, name))):
                    total += starters * counts[name]
            totals[name] = total
        return totals[name]

    total = sum(instances(process.name, ()) for process in processes)
    return int(min(total, LIMIT))


def _starts(process: Process) -> dict[str, float]:
    """How often one process of this kind can start each other kind."""
    counts: Counter[str] = Counter()
    endless: set[str] = set()
    for edge in process.edges:
        for statement in nested(edge.effect):
            if isinstance(statement, Start):
                counts[statement.process] += 1
                if _reaches(process, edge.target_location, edge.source_location):
                    endless.add(statement.process)
    return {name: float("inf") if name in endless else count for name, count in counts.items()}


def _reaches(process: Process, start: int, goal: int) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if here == goal:
            return True
        for edge in process.edges:
            if edge.source_location == here and edge.target_location not in seen:
                seen.add(edge.target_location)
                waiting.append(edge.target_location)
    return False
