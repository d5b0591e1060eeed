"""The series of runs: explorations, goals, LTL properties, twins and speed."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.beem.collection import Instance
from benchmarks.beem.measure import Limits, Notebook, Record, check, explore
from benchmarks.speed.processes import explore_alone

SIZES = Path(__file__).with_name("sizes.csv")

# Fifteen instances for speed, with 10^5 to 10^6 states: different sizes of state, of branching, with and without
# channels and arrays.
SPEED = (
    "adding.2", "anderson.1", "bakery.4", "brp.3", "cambridge.5", "collision.3", "elevator.4", "firewire_tree.4",
    "frogs.3", "iprotocol.3", "lamport.5", "lann.4", "peterson.4", "phils.5", "train-gate.5",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """One measured record and what it belongs to; `number` is that of a goal or property, 0 for none."""

    instance: Instance
    number: int
    record: Record


def explorations(instances: Iterable[Instance], limits: Limits, notebook: Notebook) -> Iterator[Run]:
    """Full explorations, the smallest published ones first."""
    for instance in sorted(instances, key=lambda i: i.published.states or 0):
        yield Run(instance, 0, notebook.fill(instance.name, partial(explore, instance.file, limits)))


def goals(instances: Iterable[Instance], limits: Limits, notebook: Notebook) -> Iterator[Run]:
    """Breadth-first search for every goal of every instance."""
    for instance in instances:
        for answer in instance.published.goals:
            asked = f"goal{answer.number}"
            measure = partial(check, instance.file, asked, limits)
            record = notebook.fill(f"{instance.name}:{asked}", measure)
            yield Run(instance, answer.number, record)


def properties(instances: Iterable[Instance], limits: Limits, notebook: Notebook) -> Iterator[tuple[Run, Run]]:
    """Each LTL property twice: as the property process that DiVinE made of it, and as the formula."""
    for instance in instances:
        for answer in instance.published.properties:
            file = instance.property_file(answer.number)
            if file.is_file():
                formula = f"ltl{answer.number}"
                claim = notebook.fill(file.stem, partial(check, file, "claim", limits, "auto"))
                asked = partial(check, instance.file, formula, limits, "auto")
                own = notebook.fill(f"{instance.name}:{formula}", asked)
                yield Run(instance, answer.number, claim), Run(instance, answer.number, own)


def speeds(instances: Iterable[Instance], notebook: Notebook) -> Iterator[Run]:
    """The search alone of the instances chosen for speed, in processor time."""
    for instance in instances:
        if instance.name in SPEED:
            yield Run(instance, 0, notebook.fill(instance.name, partial(explore_alone, instance.file)))


def twins(instances: Iterable[Instance], limits: Limits, notebook: Notebook) -> Iterator[tuple[Run, Run]]:
    """Deadlock in the DVE file and in its Promela twin."""
    for instance in instances:
        twin = instance.twin
        if twin is not None:
            dve = notebook.fill(instance.name, partial(check, instance.file, "deadlock", limits))
            promela = notebook.fill(twin.name, partial(check, twin, "deadlock", limits))
            yield Run(instance, 0, dve), Run(instance, 0, promela)


# Sizes


def size_class(states: int) -> int:
    """The power of ten that a state space begins with.

    >>> size_class(999), size_class(1000)
    (2, 3)
    """
    return len(str(states)) - 1


def write_sizes(runs: Iterable[Run]) -> None:
    """Keeps the states of every instance, known or at least (``>=``), in `SIZES`."""
    rows: list[tuple[str, int, str, int, object]] = []
    for run in runs:
        published = run.instance.published
        measured = run.record.get("states", 0) if "failed" not in run.record else 0
        complete = bool(run.record.get("complete"))
        known = measured if complete else published.states if published.complete else None
        states = known or max(published.states or 0, measured)
        transitions = run.record["transitions"] if complete else published.edges or ""
        rows.append((run.instance.name, size_class(states), "=" if known else ">=", states, transitions))
    with SIZES.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("instance", "class", "relation", "states", "transitions"))
        rows.sort(key=lambda row: (row[1], row[3]))
        writer.writerows(rows)


def read_sizes() -> dict[str, tuple[int, bool]]:
    """States by instance, and whether that is the exact number."""
    with SIZES.open() as file:
        return {row["instance"]: (int(row["states"]), row["relation"] == "=") for row in csv.DictReader(file)}
