"""All models with an error that are at hand, group by group: the project's own, those of the papers, and those of
public collections. Which of them have an error that some search finds is what the runs tell; nothing here presumes it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.directed import families
from benchmarks.directed.families import Instance
from benchmarks.folders import ROOT
from benchmarks.planning import tasks
from benchmarks.public import COLLECTIONS, TIMED, exclusion

MODELS = ROOT / "models"
SEED = 1
SINGLE = (
    ("smv/tree_3_faulty.smv", None),
    ("gallery/fischer.xml", "query1"),
    ("gallery/lock_free_queue.py", None),
    ("gallery/therac.dve", "!(fired == 1 && beam == 1 && table == 2)"),
    ("uppaal/hanoi_3.xta", None),
    ("uppaal/single_track_2_faulty.xta", None),
    ("uppaal/message_mutex_2_faulty.xta", None),
    ("dve/mailbox_race.dve", None),
    ("dve/opposite_locks.dve", None),
)
SPIN_EXAMPLES = ("*.pml", "Book_1991/*.pml", "LTL/*.pml")
"""Asked for assertions and deadlocks; claims are left aside."""
HARD = ("CSMA-CD/*", "Fischer/*", "GosGirls/*", "Milner*/Milner-N100-*")
"""The queries of the collection of hard ones that are not variations of larger sizes."""


def bundled() -> Iterator[Instance]:
    """The project's models with a violation, in all sizes whose answer is known."""
    for language, wanted in (("promela", "macros"), ("murphi", "constants"), ("python", "defines")):
        answers = tomllib.loads((MODELS / language / "answers.toml").read_text())["answer"]
        for answer in answers:
            if answer["verdict"] == "violated":
                yield _own(MODELS / language / answer["model"], answer, wanted)
    for name, asked in SINGLE:
        file = MODELS / name
        query = file.with_suffix(".q")
        yield Instance(file.stem, file, query.read_text().strip() if query.is_file() else asked)


def _own(file: Path, answer: dict[str, Any], wanted: str) -> Instance:
    macros = [macro.removeprefix("-D") for macro in answer.get(wanted, ())]
    options = tuple(part for macro in macros for part in ("-D", macro))
    named = {"murphi": f"{file.stem}.m", "python": file.name}.get(file.parent.name, file.stem)
    return Instance(" ".join([named, *macros]), file, answer.get("property"), options)


def papers() -> Iterator[Instance]:
    """The papers' families, made again, what is nearer to their originals, and larger philosophers."""
    yield from families.generated("*")
    yield from families.originals("*")
    yield from families.promela("philosophers*")


def spin_examples() -> Iterator[Instance]:
    folder = COLLECTIONS / "spin-examples"
    for pattern in SPIN_EXAMPLES:
        for file in sorted(folder.glob(pattern)):
            yield Instance(f"spin {file.relative_to(folder).with_suffix('')}", file, "safety")


def planning() -> Iterator[Instance]:
    """Planning tasks as Promela; their deadlocks are what the tasks ask for."""
    for name, file in tasks():
        yield Instance(f"pddl {name}", file, "deadlock")


def timed() -> Iterator[Instance]:
    """Fischer's protocol whose processes wait too short, from a collection, and hard queries."""
    for file in sorted(TIMED.glob("fischer_*_1_2.xml"), key=lambda file: int(file.stem.split("_")[1])):
        yield Instance(f"ticktac {file.stem}", file, exclusion("P", "cs"))
    for pattern in HARD:
        yield from families.hard_queries(pattern)


def beem() -> Iterator[Instance]:
    yield from families.reachable_goals("*")


GROUPS: dict[str, Callable[[], Iterator[Instance]]] = {
    "bundled": bundled,
    "papers": papers,
    "SPIN": spin_examples,
    "planning": planning,
    "timed": timed,
    "BEEM": beem,
}


def everything(groups: str = "*", pattern: str = "*") -> Iterator[tuple[str, Instance]]:
    """Each model once, with its group. Groups take turns, each in an order by chance that is always the same, so that
    what a part of the time is enough for is a sample."""
    seen: set[str] = set()
    members = {group: list(made()) for group, made in GROUPS.items() if fnmatch(group, groups)}
    for some in members.values():
        Random(SEED).shuffle(some)
    for turn in zip_longest(*members.values()):
        for group, instance in zip(members, turn, strict=True):
            if instance is not None and fnmatch(instance.name, pattern) and instance.name not in seen:
                seen.add(instance.name)
                yield group, instance
