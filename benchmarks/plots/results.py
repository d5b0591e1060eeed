"""Reads what the harnesses keep in benchmarks/results into one form: figures by configuration and instance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.directed.tables import answered

Figures = dict[str, dict[str, float | None]]
"""By configuration and instance: None where a run came to no answer; an instance that was not run is missing."""
Results = dict[str, Figures]
"""By measure, "states" and "seconds"."""
LEAST = {"states": 1.0, "seconds": 1e-3}
"""Smaller figures are drawn as these: less cannot be told apart, and zero has no logarithm."""

UNANSWERED: dict[str, float | None] = dict.fromkeys(LEAST)


@dataclass(frozen=True, slots=True)
class Entry:
    """One run."""

    instance: str
    configuration: str
    figures: dict[str, float | None]


class NoResults(RuntimeError):
    """There is nothing to draw."""


def read(folder: Path, name: str) -> Results:
    """The results called `name`, whoever kept them."""
    for suffix, reader in ((".json", _notebook), (".jsonl", _lines)):
        file = folder / f"{name}{suffix}"
        if file.is_file():
            return gathered(reader(file))
    there = sorted(file.stem for file in folder.glob("*.json*"))
    raise NoResults(f"no results called '{name}' in {folder}; there are: {', '.join(there) or 'none'}")


def gathered(entries: Iterator[Entry]) -> Results:
    """Later runs of the same take the place of earlier ones."""
    measures: Results = {}
    for entry in entries:
        for measure, figure in entry.figures.items():
            mine = measures.setdefault(measure, {}).setdefault(entry.configuration, {})
            mine[entry.instance] = None if figure is None else max(figure, LEAST[measure])
    if not any(answers(mine) for figures in measures.values() for mine in figures.values()):
        raise NoResults("no run among these results has an answer")
    return measures


def chosen(results: Results, pattern: str, always: str) -> Results:
    """Only configurations whose names match, and the one that the others are held against."""
    return {
        measure: {name: mine for name, mine in figures.items() if name == always or fnmatch(name, pattern)}
        for measure, figures in results.items()
    }


def answers(mine: dict[str, float | None]) -> dict[str, float]:
    """The figures of runs with an answer."""
    return {instance: figure for instance, figure in mine.items() if figure is not None}


def _notebook(file: Path) -> Iterator[Entry]:
    """Keys are "instance | configuration", records what `beeline check --json` prints."""
    for key, record in json.loads(file.read_text()).items():
        instance, bar, configuration = key.partition(" | ")
        if not bar:
            raise NoResults(f"{file.name} holds one configuration only: there is nothing to hold it against")
        yield Entry(instance, configuration, _of_record(record) if answered(record) else UNANSWERED)


def _of_record(record: dict[str, Any]) -> dict[str, float | None]:
    return {"states": record["states"]["expanded"], "seconds": record["time_s"]}


def _lines(file: Path) -> Iterator[Entry]:
    """One run for each line, of the abstractions (a key of four parts), of the speed of searches, or of all models with
    an error (`benchmarks.directed.coverage` and `shortest`)."""
    for line in file.read_text().splitlines():
        entry = json.loads(line)
        if "key" in entry:
            instance, search, heuristic, _ = entry["key"].split(" | ")
            configuration = search if heuristic == "None" else f"{search} {heuristic}"
            figures = {"states": entry["explored"], "seconds": entry["build_s"] + entry["search_s"]}
            yield Entry(instance, configuration, UNANSWERED if entry["length"] is None else figures)
        elif "processor_s" in entry:
            figures = {"states": entry["expanded"], "seconds": entry["processor_s"]}
            found = entry["length"] is not None
            yield Entry(entry["instance"], entry["configuration"], figures if found else UNANSWERED)
        elif entry.get("part") == "search":
            for contestant, taken in entry["taken"].items():
                yield Entry(entry["model"], contestant, {"seconds": median(taken)})
