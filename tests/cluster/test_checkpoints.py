"""A search by several ranks goes on from its checkpoint as if nothing had been."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.generated import counters
from tests.cluster.harness import RUNS, assert_is_path, program_of, random_conditions, random_program, simulated_root
from tests.cluster.test_directed import directed
from tests.external.test_checkpoints import BEELINE, KILLS, MODEL, answer, left_in

from beeline.cluster.job import Job
from beeline.cluster.keeping import Keeper, read
from beeline.cluster.member import Pace
from beeline.cluster.mpi import is_installed
from beeline.cluster.outcome import outcome_of
from beeline.cluster.root import Overview, Root
from beeline.cluster.simulated import Conditions, simulate
from beeline.cluster.transport import Transport
from beeline.compile.program import Program
from beeline.engine import Found, Status, core
from beeline.records import replace

LAUNCHER = Path(sys.executable).with_name("mpiexec")
COUNTS = ("stored", "expanded", "generated", "deadlocks", "errors", "goals", "transient", "depth")
MOST_RANKS = 5
TIMEOUT = 30


def by_layers(program: Program, chance: random.Random) -> Job:
    stop = chance.choice([Found.NOTHING, Found.ANYTHING])
    return Job(program.tables, stop.value, line=chance.choice([1, 7]))


def by_estimates(program: Program, chance: random.Random) -> Job:
    stop = chance.choice([Found.NOTHING, Found.ANYTHING])
    return directed(program, "blind", chance.choice([1, 7]), chance.choice([1, 3, None]), stop)


@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.parametrize("job_of", [by_layers, by_estimates])
def test_random_searches_go_on(job_of: Callable[[Program, random.Random], Job], on_disk: bool, tmp_path: Path) -> None:
    """Each run goes on from the checkpoint that the one before left when its limit of states ended it, in the middle of
    a layer or after it, sometimes with another number of ranks."""
    went_on = others = 0
    for seed in range(RUNS // 2):  # each of them waits for the disk again and again
        chance, program = random.Random(seed), random_program(seed)
        if program is None:
            continue
        file, ranks, job = tmp_path / "search", chance.randint(1, MOST_RANKS), job_of(program, chance)
        if on_disk:
            job = replace(job, folder=str(tmp_path / "states"), buffer=chance.choice((1, 7, 1997)))
        expected = outcome_of(simulated_root(job, ranks, random_conditions(chance)))
        keeper = Keeper(str(file), chance.choice([0.0, 1e6]), "one")
        for states in (5, 40, 120, None):
            kept = read(str(file)) if file.exists() else None
            went_on += kept is not None
            again = replace(job, states=states, keeper=replace(keeper, kept=kept))
            ranks = chance.choice((ranks, chance.randint(1, MOST_RANKS)))
            others += kept is not None and kept.ranks != ranks
            # Slow enough for the first rank to look at limits.
            conditions = replace(random_conditions(chance), longest_step=0.05)
            outcome = outcome_of(simulated_root(again, ranks, conditions))
            if outcome.status is not Status.STATES:
                break
        assert (outcome.status, bool(outcome.found)) == (expected.status, bool(expected.found)), seed
        assert len(outcome.path) == len(expected.path) or outcome.truncated, seed
        if outcome.status is Status.FOUND:
            assert_is_path(outcome, program)
        for name in COUNTS if outcome.status is Status.EXHAUSTED and job.directions is None else ():
            assert getattr(outcome.statistics, name) == getattr(expected.statistics, name), (seed, name)
        if outcome.status is Status.EXHAUSTED:
            assert outcome.statistics.stored == expected.statistics.stored, seed
        assert [path for path in tmp_path.rglob("*") if path.name != "states"] == [], seed
    assert went_on > RUNS // 20
    assert others > RUNS // 40


def test_an_interrupt_leaves_a_checkpoint_in_the_middle_of_a_layer(tmp_path: Path) -> None:
    """The second one ends the search at once."""
    program = program_of(counters(3))
    job = Job(program.tables, pace=Pace(chunk=1), keeper=Keeper(str(tmp_path / "search"), 1e6, "one"))

    def interrupted(times: int) -> Callable[[Overview], None]:
        left = [times]

        def watch(overview: Overview) -> None:
            while left[0] and overview.figures.get("expanded", 0) > 3:
                left[0] -= 1
                roots[-1].interrupt()

        return watch

    roots: list[Root] = []

    def make_root(times: int, transport: Transport) -> Root:
        roots.append(job.root(transport, watch=interrupted(times)))
        return roots[-1]

    conditions = Conditions(seed=3, longest_step=0.1)
    for times in (2, 1):
        simulate(2, conditions, lambda transport, times=times: make_root(times, transport), job.member)  # type: ignore[misc]
        assert roots[-1].status is Status.INTERRUPTED
        assert (tmp_path / "search").exists() == (times == 1)


@pytest.mark.parametrize("on_disk", [False, True])
def test_damaged_parts_are_refused(on_disk: bool, tmp_path: Path) -> None:
    """By as many ranks, and by others."""
    file, folder = tmp_path / "search", str(tmp_path / "states") if on_disk else ""
    job = Job(program_of(counters(3)).tables, states=300, folder=folder, keeper=Keeper(str(file), 0.0, "one"))
    chance = random.Random(1)
    assert simulated_root(job, 2, random_conditions(chance)).status is Status.STATES
    kept = read(str(file))
    again = replace(job, states=None, keeper=Keeper(str(file), 0.0, "one", kept))
    damaged = [next(tmp_path.glob(f"search.{kept.number}.1")), *sorted(tmp_path.glob("states/*/[0-9]*"))[-1:]]
    for one in damaged:
        whole = one.read_bytes()
        one.write_bytes(whole[:-5])
        for ranks in (2, 3):
            with pytest.raises(core.CheckpointError, match="damaged"):
                outcome_of(simulated_root(again, ranks, random_conditions(chance)))
        one.write_bytes(whole)
    file.write_bytes(file.read_bytes() + b" ")
    with pytest.raises(core.CheckpointError, match="damaged"):
        read(str(file))


def started(folder: Path, *arguments: str, ranks: int = 2) -> subprocess.Popen[str]:
    (folder / "model.pml").write_text(MODEL)
    command = [str(LAUNCHER), "-n", str(ranks), *BEELINE, *arguments, "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, text=True, **pipes)  # type: ignore[call-overload,no-any-return]


def ranks_in(folder: Path) -> list[int]:
    """The processes of Beeline that work in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().split(b"\0")
            if command[1:2] == [BEELINE[0].encode()] and (process / "cwd").resolve() == folder.resolve():
                found.append(int(process.name))
        except OSError:
            continue  # it has ended
    return sorted(found)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
@pytest.mark.parametrize("on_disk", [False, True])
def test_a_checkpoint_for_which_there_is_no_room_leaves_the_search_alone(on_disk: bool, tmp_path: Path) -> None:
    """It goes on in memory; on the disk of its states it ends, when that is full."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    try:
        folder = str(tmp_path / "states") if on_disk else ""
        job = Job(program_of(counters(4)).tables, folder=folder, keeper=Keeper(str(tmp_path / "search"), 0.0, "one"))
        status = simulated_root(job, 2, Conditions()).status
        assert status is (Status.DISK if on_disk else Status.EXHAUSTED)
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


@pytest.mark.skipif(not is_installed() or not LAUNCHER.exists(), reason="beeline[cluster] is not installed")
@pytest.mark.parametrize("more", [(), ("--store", "disk:states")])
def test_killed_processes_go_on(more: tuple[str, ...], tmp_path: Path) -> None:
    check = ("check", "model.pml", "--engine", "mpi", "--every", "0.1s", *more)
    expected = answer(started(tmp_path, *check))
    chance, kills = random.Random(11), 0
    while kills < KILLS:
        process = started(tmp_path, *check, "--checkpoint", "kept")
        while kills < KILLS:
            time.sleep(chance.uniform(0.4, 2.0))
            if process.poll() is not None:
                break
            for pid in chance.sample(ranks_in(tmp_path), 1):
                os.kill(pid, signal.SIGKILL)
            kills += 1
            process.communicate(timeout=TIMEOUT)
            begun = (tmp_path / "kept/search").exists()
            again = ("resume", "kept") if begun else (*check, "--checkpoint", "kept")
            process = started(tmp_path, *again, ranks=chance.randint(1, 3))
        found = answer(process)
        assert {**found, "trace": len(found["trace"])} == {**expected, "trace": len(expected["trace"])}
        assert left_in(tmp_path) == set()
