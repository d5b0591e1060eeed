"""What the BEEM collection holds: instances, their Promela twins, and the figures published for them."""

from __future__ import annotations

import csv
import os
import re
from dataclasses import dataclass
from pathlib import Path

from benchmarks.folders import ROOT

_FILE = re.compile(r"(?P<family>.+)\.(?P<number>\d+)\.dve")


@dataclass(frozen=True, slots=True)
class Answer:
    """The published answer for one property: ``yes``, ``no`` or ``unknown``, and the length given with it.

    For a goal, ``yes`` means reachable, and the length counts the states of the path, so it is one more than its
    number of steps."""

    number: int
    answer: str
    length: int

    @property
    def steps(self) -> int | None:
        return self.length - 1 if self.answer == "yes" and self.length else None


@dataclass(frozen=True, slots=True)
class Published:
    """The figures of the collection; None where it has none. `levels` counts the initial state's level."""

    states: int | None
    complete: bool
    edges: int | None
    levels: int | None
    goals: tuple[Answer, ...]
    properties: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """One model file of the collection."""

    family: str
    number: int
    file: Path
    published: Published

    @property
    def name(self) -> str:
        return f"{self.family}.{self.number}"

    @property
    def twin(self) -> Path | None:
        """The same model in Promela, if the collection has it."""
        twin = self.file.with_suffix(".pm")
        return twin if twin.is_file() else None

    def property_file(self, number: int) -> Path:
        """The file with the property process for LTL property `number`."""
        return self.file.with_name(f"{self.name}.prop{number}.dve")


def find_collection(given: Path | None = None) -> Path | None:
    """The collection's folder: the one given, ``$BEELINE_MODELS/beem``, or ``../shared/models/beem``."""
    candidates = [given] if given else []
    if "BEELINE_MODELS" in os.environ:
        candidates.append(Path(os.environ["BEELINE_MODELS"]) / "beem")
    candidates.append(ROOT.parent / "shared" / "models" / "beem")
    return next((folder for folder in candidates if (folder / "known-results.csv").is_file()), None)


def read_collection(folder: Path) -> list[Instance]:
    """All instances that are there, by family and number."""
    published = _published(folder / "known-results.csv")
    found: list[Instance] = []
    for file in folder.glob("*/generated_files/*.dve"):
        match = _FILE.fullmatch(file.name)
        if match is None or ".prop" in file.name:
            continue
        key = match["family"], int(match["number"])
        found.append(Instance(*key, file, published[key]))
    return sorted(found, key=lambda instance: (instance.family, instance.number))


def read_checked(folder: Path) -> dict[str, tuple[int, int]]:
    """States and transitions counted by LTSmin, by instance."""
    with (folder / "ltsmin-counts.csv").open() as file:
        return {
            row["model"]: (int(row["ltsmin_dve_states"]), int(row["ltsmin_dve_transitions"]))
            for row in csv.DictReader(file)
            if row["ltsmin_dve_states"]
        }


def _published(file: Path) -> dict[tuple[str, int], Published]:
    def number(text: str) -> int | None:
        return int(text) if text else None

    with file.open() as lines:
        return {
            (row["model"], int(row["instance"])): Published(
                number(row["states"]),
                row["complete"] == "yes",
                number(row["edges"]),
                number(row["bfs_levels"]),
                _answers(row["reach_goals prop:answer:length"]),
                _answers(row["ltl prop:answer:length"]),
            )
            for row in csv.DictReader(lines)
        }


def _answers(text: str) -> tuple[Answer, ...]:
    parts = [part.split(":") for part in text.split(";") if part]
    return tuple(Answer(int(number), answer, int(length or 0)) for number, answer, length in parts)
