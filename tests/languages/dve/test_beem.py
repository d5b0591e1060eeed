"""The BEEM collection, where its folder is present: every file is read, and counts equal the published ones."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from beeline.languages.dve import DveError, load_dve
from beeline.model.network import Network
from beeline.model.semantics import Semantics
from beeline.model.validation import validate

FOLDER = Path(__file__).resolve().parents[4] / "shared" / "models" / "beem"
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the BEEM files are not there (expected in ../shared/models/beem)"
)

# Small enough for the reference interpreter.
TINY = (
    "bakery.2", "fischer.1", "loyd.1", "mcs.2", "needham.1", "phils.1", "phils.2", "phils.3", "rushhour.1",
    "train-gate.1",
)  # fmt: skip


def instance(name: str) -> Path:
    return FOLDER / name.rsplit(".", 1)[0] / "generated_files" / f"{name}.dve"


def published() -> dict[str, dict[str, str]]:
    with (FOLDER / "known-results.csv").open() as file:
        return {f"{row['model']}.{row['instance']}": row for row in csv.DictReader(file)}


def transitions() -> dict[str, int]:
    with (FOLDER / "ltsmin-counts.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {row["model"]: int(row["ltsmin_dve_transitions"]) for row in rows if row["ltsmin_dve_transitions"]}


def files() -> list[Path]:
    """All model files but the one of two megabytes, which would take as long as all others together."""
    return sorted(f for f in FOLDER.glob("*/generated_files/*.dve") if f.stat().st_size < 1_000_000)


def test_every_file_becomes_a_valid_network_or_is_refused_as_liveness() -> None:
    found = files()
    refused = 0
    for file in found:
        try:
            validate(load_dve(file))
        except DveError as error:  # parsed, and understood well enough to be refused
            assert "liveness" in str(error)
            assert ".prop" in file.name
            refused += 1
    assert (len(found), refused) == (611, 341)


@pytest.mark.slow
def test_the_largest_file_becomes_a_valid_network() -> None:
    network = load_dve(instance("plc.1"))
    validate(network)
    assert sum(len(process.edges) for process in network.processes) == 230


def count(network: Network) -> tuple[int, int]:
    """States and transitions by the reference interpreter."""
    semantics = Semantics(network)
    seen = set(semantics.initial_states())
    waiting, steps = list(seen), 0
    while waiting:
        for step in semantics.steps(waiting.pop()):
            steps += 1
            assert step.target is not None
            if step.target not in seen:
                seen.add(step.target)
                waiting.append(step.target)
    return len(seen), steps


@pytest.mark.parametrize("name", TINY)
def test_the_reference_interpreter_counts_as_published(name: str) -> None:
    states, steps = count(load_dve(instance(name)))
    assert states == int(published()[name]["states"])
    assert steps == transitions().get(name, steps)
