"""What is searched: cheap steps, and steps that take some microseconds."""

from __future__ import annotations

import tempfile
from pathlib import Path

from beeline.analysis.configuration import processes_to_come
from beeline.cluster.job import Job
from beeline.compile.program import compile_network
from beeline.languages import LoadOptions, load

MODELS = Path(__file__).parents[2] / "models" / "promela"
COSTLY = """
byte x[6], sum, i;

active [6] proctype Count() {
    do
    :: d_step { x[_pid] < TOP -> x[_pid]++; i = 0;
        do
        :: i < WORK -> sum = sum ^ (x[i % 6] + i); i++
        :: else -> break
        od;
        i = 0; sum = 0 }
    od
}
"""
"""A step reads everything, so that none is remembered."""


def named(name: str, **defines: str) -> Job:
    """A bundled model."""
    return _job(MODELS / f"{name}.pml", defines)


def costly(work: int, top: int = 5) -> Job:
    """Steps that go round a loop so often, in a space of (top + 1)^6 states."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "costly.pml"
        file.write_text(COSTLY)
        return _job(file, {"WORK": str(work), "TOP": str(top)})


def _job(file: Path, defines: dict[str, str]) -> Job:
    network = load(file, options=LoadOptions(defines))
    return Job(compile_network(network, None, processes_to_come(network)).tables)
