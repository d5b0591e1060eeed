"""The instances: generated families, our Promela models, BEEM's goals, and hard queries on timed automata."""

from __future__ import annotations

import html
import importlib
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from benchmarks.beem import remarks
from benchmarks.beem.collection import find_collection, read_collection
from benchmarks.folders import MADE, ROOT
from benchmarks.public import (
    ALL_STOP,
    election,
    election_queries,
    equal_leader,
    exclusion,
    hasty_mutex,
    hasty_track,
    train_gate,
)

GENERATORS = ROOT / "models" / "uppaal"
PROMELA = ROOT / "models" / "promela"
HARD_QUERIES = ROOT.parent / "shared" / "models" / "uppaal-models" / "CaseStudies" / "RandomizedReachability2021"


@dataclass(frozen=True, slots=True)
class Instance:
    """A model, a property of it, and the name under which results are kept."""

    name: str
    file: Path
    asked: str | None = None
    options: tuple[str, ...] = ()


def _generator(module: str) -> Callable[..., Any]:
    """A function of models/uppaal, which is a folder of scripts and no package."""
    if str(GENERATORS) not in sys.path:
        sys.path.insert(0, str(GENERATORS))
    made: Callable[..., Any] = getattr(importlib.import_module(module), module)
    return made


def _generated(name: str, module: str, *arguments: Any, **options: Any) -> Instance:
    """Made once: some random networks take long, since only those with a distant error are kept."""
    MADE.mkdir(parents=True, exist_ok=True)
    file = MADE / f"{name.replace(' ', '_')}.xta"
    query = file.with_suffix(".q")
    if not query.is_file():
        made = _generator(module)(*arguments, **options)
        file.write_text(made.xta)
        query.write_text(made.query)
    return Instance(name, file, query.read_text().strip())


def generated(pattern: str) -> Iterator[Instance]:
    """The families of the papers, as re-created in models/uppaal."""
    series: list[tuple[str, str, tuple[Any, ...], dict[str, Any]]] = []
    for variant in "abc":
        for size in (5, 10, 15, 25, 50):
            series.append((f"fischer {variant.upper()} {size}", "fischer", (variant, size), {"faulty": True}))
    for height in range(2, 9):
        series.append((f"arbiter {height}", "arbiter_tree", (height,), {"fault": "keeps"}))
    for disks in range(4, 9):
        series.append((f"hanoi {disks}", "hanoi", (disks,), {}))
    for size in (5, 6, 7):
        for seed in (1, 2, 3):
            series.append((f"random {size}.{seed}", "random_network", (size, seed), {}))
    for size in (2, 3, 4):
        series.append((f"single track {size}", "single_track", (size,), {"faulty": True}))
        series.append((f"message mutex {size}", "message_mutex", (size,), {"faulty": True}))
    for name, module, arguments, options in series:
        if fnmatch(name, pattern):
            yield _generated(name, module, *arguments, **options)


def bystanders(pattern: str) -> Iterator[Instance]:
    """Models with processes that safe abstraction can take out."""
    series: list[tuple[str, str, tuple[Any, ...], dict[str, Any]]] = []
    for count in (2, 4, 6, 8):
        series.append((f"wheels {count}", "wheels", (count,), {}))
    series.append(("wheels 8 correct", "wheels", (8,), {"faulty": False}))
    for barriers in (0, 2, 4, 6):
        options = {"faulty": True, "barriers": barriers}
        series.append((f"single track 2, {barriers} barriers", "single_track", (2,), options))
    options = {"faulty": False, "barriers": 4}
    series.append(("single track 2, 4 barriers, correct", "single_track", (2,), options))
    for name, module, arguments, options in series:
        yield from _made(pattern, name, module, arguments, options)


def correct(pattern: str) -> Iterator[Instance]:
    """Members of the families without the error, and a puzzle that takes long: no estimate ends a search at once."""
    for size in (5, 15, 50):
        yield from _made(pattern, f"fischer B {size} correct", "fischer", ("b", size), {"faulty": False})
    for height in range(2, 9):
        yield from _made(pattern, f"arbiter {height} correct", "arbiter_tree", (height,), {"fault": "none"})
    yield from _made(pattern, "hanoi 8", "hanoi", (8,), {})


def _made(
    pattern: str, name: str, module: str, arguments: tuple[Any, ...], options: dict[str, Any]
) -> Iterator[Instance]:
    if fnmatch(name, pattern):
        yield _generated(name, module, *arguments, **options)


def promela(pattern: str) -> Iterator[Instance]:
    """Faulty Promela models, small and larger."""
    sizes: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("leader", ("N=3", "FAULTY")),
        ("leader", ("N=5", "FAULTY")),
        ("marriers", ("N=3",)),
        ("marriers", ("N=4",)),
        ("giop", ()),
        ("pots", ()),
        ("elevator", ("FAULTY",)),
        ("philosophers", ("N=8",)),
        ("philosophers", ("N=50",)),
        ("philosophers", ("N=200",)),
    )
    for model, macros in sizes:
        options = tuple(part for macro in macros for part in ("-D", macro))
        name = " ".join([model, *macros])
        if fnmatch(name, pattern):
            yield Instance(name, PROMELA / f"{model}.pml", None, options)


def originals(pattern: str) -> Iterator[Instance]:
    """Public models that the papers' own were made from."""
    series = [
        *((f"leader0 {nodes}", equal_leader(nodes), None) for nodes in range(3, 9)),
        *((f"mutex {count}", hasty_mutex(count), exclusion("A", "Unsafe")) for count in (2, 3, 4)),
        *((f"sts {count}", hasty_track(count), exclusion("A", "Go")) for count in (2, 3)),
    ]
    for name, file, asked in series:
        if file is not None and fnmatch(name, pattern):
            yield Instance(name, file, asked)


def errors(pattern: str) -> Iterator[Instance]:
    """Everything with a reachable error: our Promela models, the papers' originals, their families, BEEM."""
    for family in (promela, originals, generated, reachable_goals):
        yield from family(pattern)


def reachable_goals(pattern: str) -> Iterator[Instance]:
    """The goals of BEEM that are known to be reachable."""
    return _goals(pattern, reachable=True)


def unreachable_goals(pattern: str) -> Iterator[Instance]:
    """The goals of BEEM that are known to be unreachable."""
    return _goals(pattern, reachable=False)


def _goals(pattern: str, reachable: bool) -> Iterator[Instance]:
    folder = find_collection(None)
    for instance in read_collection(folder) if folder is not None else []:
        for answer in instance.published.goals:
            name = f"{instance.name} goal{answer.number}"
            published_wrongly = (instance.name, answer.number) in remarks.GOALS
            known = answer.answer == "yes" or published_wrongly if reachable else answer.answer == "no"
            if known and fnmatch(name, pattern) and (reachable or not published_wrongly):
                yield Instance(name, instance.file, f"goal{answer.number}")


def hard_queries(pattern: str) -> Iterator[Instance]:
    """The reachability queries of the collection of timed automata on which plain search mostly fails; its other
    queries ask for simulations. Then what is nearest to the other models of the same paper: trains and elections."""
    for file in sorted(HARD_QUERIES.rglob("*.xml")):
        name = str(file.relative_to(HARD_QUERIES / "models").with_suffix(""))
        asked = next((query for query in _queries(file) if query.startswith("E<>")), None)
        if asked is not None and fnmatch(name, pattern):
            yield Instance(name, file, asked)
    for trains in (200, 500, 1000, 2000):
        gate = train_gate(trains)
        if gate is not None and fnmatch(name := f"trains {trains}", pattern):
            yield Instance(name, gate, ALL_STOP)
    for nodes in (4, 5):
        model = election(nodes)
        for query, asked in election_queries().items():
            if model is not None and fnmatch(name := f"election {nodes} {query}", pattern):
                yield Instance(name, model, asked)


def _queries(file: Path) -> Iterator[str]:
    for found in re.findall(r"<formula>(.*?)</formula>", file.read_text(errors="replace"), re.DOTALL):
        yield html.unescape(found).strip()
