"""Writes compiled models as text, so that native tests can work on them under the sanitizers.

    python native/tests/programs.py FOLDER

A file has one table per line: ``number NAME VALUE``, ``list NAME COUNT VALUE...`` or ``rows NAME ROWS`` followed by
``COUNT VALUE...`` for each row; ``clocks`` stands between the program's own tables and those for its clocks. The zone
graphs go to FOLDER/timed, those of runs that avoid something to FOLDER/confined; the same models without clocks, as
estimates see them, to FOLDER/plain; random Promela programs and some bundled ones to FOLDER/promela; small programs
with what is alike in them to FOLDER/symmetric, their tables of symmetry in the place of those for clocks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from beeline.compile.program import compile_network
from beeline.languages import LoadOptions, promela
from beeline.languages.uppaal import load
from beeline.timed.goals import Case
from beeline.timed.search import STOP, goal_of, zone_graph
from beeline.timed.tables import Confinement, Extrapolation, TimedProgram, ZoneOptions, compile_timed

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models" / "uppaal"
SEEDS = (*range(30), 134, 296, 171, 202)
"""Of the last four, two start processes of several kinds in the same cells, with channels where others have variables;
and in two, several processes send into the same uninterrupted run."""


SYMMETRIC = range(40)
MOST_STATES = 300
SHARED_MEMORY = ("peterson", "elevator", "counters", "philosophers", "cache_coherence")
"""Bundled models whose processes mostly move alone."""


def table(name: str, value: object) -> Iterator[str]:
    """One table as lines."""
    if isinstance(value, int):
        yield f"number {name} {int(value)}"
    elif isinstance(value, list) and value and isinstance(value[0], list | tuple):
        yield f"rows {name} {len(value)}"
        yield from (" ".join(map(str, [len(row), *row])) for row in value)
    elif isinstance(value, list | tuple):
        yield f"list {name} {' '.join(map(str, [len(value), *value]))}"
    else:
        raise TypeError(f"{name} is no table")


def write(model: Path, folder: Path) -> None:
    """A model with each way to widen zones, and merged."""
    network = load(model)
    goal = goal_of(network, network.properties[0])
    for options in [*map(ZoneOptions, Extrapolation), ZoneOptions(merge=True)]:
        if options.extrapolation is Extrapolation.NONE:
            continue  # without widening a zone graph may be infinite
        program = compile_timed(network, goal, options, deadlocks=True)
        name = f"{model.stem}-{options.extrapolation.value}{'-merged' if options.merge else ''}"
        write_timed(program, folder / f"{name}.txt")


def write_confined(model: Path, folder: Path) -> None:
    """A model whose runs are to avoid what is asked for, from the start or from any moment on."""
    network = load(model)
    confinement = Confinement(tuple(goal_of(network, network.properties[0])), (Case(),))
    write_timed(compile_timed(network, confinement=confinement), folder / f"{model.stem}.txt")


def write_timed(program: TimedProgram, file: Path) -> None:
    """The tables of the machine, and those of its clocks."""
    write_tables(file, program.tables, {**program.rows, **program.numbers})


def write_plain(model: Path, folder: Path) -> None:
    """A model as estimates see it."""
    network = load(model)
    asked = network.properties[0]
    context = zone_graph(network, goal_of(network, asked)).context(asked, STOP)
    program, _ = context.compiled("programs")
    lines = [line for name, value in program.tables.items() for line in table(name, value)]
    (folder / f"{model.stem}.txt").write_text("\n".join(lines) + "\n")


def write_promela(folder: Path) -> None:
    """Programs of the generator that conformance with SPIN is tested by."""
    sys.path.insert(0, str(ROOT))
    from benchmarks.conformance.generator import program_of

    folder.mkdir(parents=True, exist_ok=True)
    for seed in SEEDS:
        source = folder / f"{seed}.pml"
        source.write_text(program_of(seed))
        write_one(source, folder)
        source.unlink()
    for name in SHARED_MEMORY:
        write_one(ROOT / "models" / "promela" / f"{name}.pml", folder)


def write_one(source: Path, folder: Path) -> None:
    """One Promela program."""
    network = promela.load(source, LoadOptions())
    program = compile_network(network, None, len(network.initial) + 8)
    lines = [line for name, value in program.tables.items() for line in table(name, value)]
    (folder / f"{source.stem}.txt").write_text("\n".join(lines) + "\n")


def write_symmetric(folder: Path) -> None:
    """Programs of the generator that symmetry is tested by, those that fold and are small."""
    from benchmarks.conformance.symmetric_promela import symmetric_promela_of

    from beeline import explore
    from beeline.analysis.configuration import processes_to_come
    from beeline.engine import Limits
    from beeline.problems.networks import folded
    from beeline.symmetry import find_symmetry

    folder.mkdir(parents=True, exist_ok=True)
    for seed in SYMMETRIC:
        source = folder / f"{seed}.pml"
        source.write_text(symmetric_promela_of(seed)[0])
        network = promela.load(source, LoadOptions())
        source.unlink()
        program = compile_network(network, None, processes_to_come(network))
        tables = folded(program, find_symmetry("exact"), None).tables
        if tables and explore(network, limits=Limits(states=MOST_STATES)).complete:
            write_tables(folder / f"{seed}.txt", program.tables, tables)


def write_tables(file: Path, program: Mapping[str, object], further: Mapping[str, object]) -> None:
    """The tables of the machine, and further ones."""
    lines = [line for name, value in program.items() for line in table(name, value)]
    lines.append("clocks")
    lines += [line for name, value in further.items() for line in table(name, value)]
    file.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write_promela(Path(sys.argv[1]) / "promela")
    write_symmetric(Path(sys.argv[1]) / "symmetric")
    for part, writer in (("timed", write), ("confined", write_confined), ("plain", write_plain)):
        where = Path(sys.argv[1]) / part
        where.mkdir(parents=True, exist_ok=True)
        for file in sorted(MODELS.glob("*.xta")):
            writer(file, where)
