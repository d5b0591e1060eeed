"""The BEEM collection, where its folder is present: every file is read, and counts equal the published ones."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from beeline import check, explore
from beeline.languages.dve import load_dve
from beeline.model.network import Location, Network
from beeline.model.semantics import Semantics
from beeline.model.validation import validate
from beeline.records import replace

FOLDER = Path(__file__).resolve().parents[4] / "shared" / "models" / "beem"
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the BEEM files are not there (expected in ../shared/models/beem)"
)

# Small enough for the reference interpreter.
TINY = (
    "bakery.2", "fischer.1", "loyd.1", "mcs.2", "needham.1", "phils.1", "phils.2", "phils.3", "rushhour.1",
    "train-gate.1",
)  # fmt: skip

# Under 10^5 states, at least one of every family that has such an instance.
SMALL = (
    "adding.1", "anderson.2", "anderson.4", "at.1", "bakery.1", "bakery.3", "blocks.2", "bopdp.1", "bopdp.2",
    "bridge.1", "bridge.2", "brp.1", "brp.2", "brp2.1", "cambridge.1", "cambridge.2", "collision.1", "collision.2",
    "cyclic_scheduler.1", "cyclic_scheduler.2", "driving_phils.1", "driving_phils.2", "elevator.1", "elevator2.1",
    "elevator_planning.1", "extinction.1", "firewire_link.1", "firewire_link.4", "firewire_tree.1", "firewire_tree.2",
    "fischer.2", "frogs.1", "frogs.2", "gear.1", "gear.2", "hanoi.1", "iprotocol.1", "iprotocol.2", "krebs.1",
    "krebs.2", "lamport.1", "lamport.3", "lamport_nonatomic.1", "lann.1", "lann.2", "leader_election.1",
    "leader_filters.1", "leader_filters.2", "lifts.1", "lifts.3", "loyd.1", "mcs.1", "mcs.4", "needham.2",
    "peg_solitaire.1", "peterson.1", "pgm_protocol.1", "pgm_protocol.4", "phils.2", "pouring.1", "pouring.2",
    "production_cell.1", "production_cell.2", "protocols.1", "protocols.2", "rushhour.1", "sokoban.1", "sorter.1",
    "sorter.2", "train-gate.2", "train-gate.3",
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


def test_every_file_becomes_a_valid_network_and_liveness_is_told_apart() -> None:
    found = files()
    liveness = formulas = 0
    for file in found:
        network = load_dve(file)
        validate(network)
        if any(asked.kind == "claim" and asked.seeks_cycle for asked in network.properties):
            assert ".prop" in file.name
            liveness += 1
        formulas += sum(asked.kind == "ltl" for asked in network.properties)
    assert (len(found), liveness) == (611, 341)
    assert formulas > 300


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


@pytest.mark.parametrize("name", SMALL)
def test_states_transitions_and_levels_are_those_published(name: str) -> None:
    found = explore(load_dve(instance(name))).statistics
    known = published()[name]
    assert found.errors == 0
    assert found.stored == int(known["states"])
    assert found.generated == transitions().get(name, found.generated)
    assert found.generated == int(known["edges"] or found.generated)
    assert found.depth + 1 == int(known["bfs_levels"] or found.depth + 1)


def from_error_state(network: Network) -> Network:
    """The network begun in what DiVinE makes of a run-time error: everything zero, the first process nowhere."""
    first, *others = (replace(process, initial=0) for process in network.processes)
    lost = replace(first, locations=(*first.locations, Location("nowhere")), initial=len(first.locations))
    zeros = tuple(replace(variable, initial=()) for variable in network.variables)
    return replace(network, processes=(lost, *others), variables=zeros, properties=())


def test_published_counts_include_what_divine_reaches_from_its_error_state() -> None:
    network = load_dve(instance("anderson.1"))
    found = explore(network).statistics
    assert found.errors == 538  # steps that leave the range of a byte
    assert found.stored + explore(from_error_state(network)).statistics.stored == int(
        published()["anderson.1"]["states"]
    )


@pytest.mark.parametrize(
    ("name", "goal", "steps"),
    [
        ("adding.1", 1, 15), ("bridge.1", 1, 18), ("firewire_tree.2", 3, 43), ("frogs.2", 1, 23), ("gear.1", 1, 87),
        ("hanoi.1", 1, 127), ("needham.1", 2, 5), ("pgm_protocol.1", 5, 106), ("rushhour.1", 1, 50),
        ("sokoban.1", 1, 112),
    ],
)  # fmt: skip
def test_goals_are_as_far_away_as_published(name: str, goal: int, steps: int) -> None:
    result = check(load_dve(instance(name)), f"goal{goal}", search="bfs")
    assert result.verdict == "holds"
    assert result.trace is not None
    assert len(result.trace) == steps
    # The collection counts the states on the path.
    assert f"{goal}:yes:{steps + 1}" in published()[name]["reach_goals prop:answer:length"].split(";")


# Of the property files with a safety property: whether the collection says that it holds.
@pytest.mark.parametrize(
    ("name", "property_number"),
    [
        ("bopdp.1", 1),
        ("bopdp.1", 2),
        ("bopdp.2", 2),
        ("bopdp.2", 4),
        ("lifts.1", 4),
        ("lifts.3", 4),
        ("protocols.1", 4),
    ],
)
def test_safety_properties_are_answered_as_published(name: str, property_number: int) -> None:
    file = instance(name).with_name(f"{name}.prop{property_number}.dve")
    answers = dict(part.split(":")[:2] for part in published()[name]["ltl prop:answer:length"].split(";"))
    verdict = check(load_dve(file), "claim", search="bfs").verdict
    assert verdict == {"yes": "holds", "no": "violated"}[answers[str(property_number)]]
