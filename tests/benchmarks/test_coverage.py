"""The table of all models with an error: what is counted, and who has fewer states; planning tasks as Promela."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from benchmarks.beem.measure import Limits
from benchmarks.directed import coverage, shortest
from benchmarks.directed.configurations import Configuration
from benchmarks.directed.corpus import bundled
from benchmarks.directed.coverage import Run, Runs
from benchmarks.directed.families import Instance
from benchmarks.directed.shortest import Look
from benchmarks.planning import promela, read_facts
from benchmarks.plots.results import read as read_figures

from beeline import check
from beeline.languages import load

ROOT = Path(__file__).resolve().parents[2]
TASK = """
(define (problem two)
 (:objects p-0 p-1 - process) ; not read
 (:init
  (queue-next one qs-0 qs-0)
  (is-a-process p-0 phil) (is-a-process p-1 phil) (at-process p-0 s1) (at-process p-1 s1)
  (is-a-queue f-0- one) (is-a-queue f-1- one)
  (writes p-0 f-0- lay) (writes p-1 f-1- lay) (reads p-0 f-0- left) (reads p-1 f-1- left)
  (reads p-0 f-1- right) (reads p-1 f-0- right)
  (trans-msg lay fork) (trans-msg left fork) (trans-msg right fork)
  (trans phil lay s1 s2) (trans phil left s2 s3) (trans phil right s3 s4) (trans phil lay s4 s1))
 (:goal (and (blocked p-0) (blocked p-1))))
"""


def run(instance: str, configuration: str, expanded: int, length: int | None = 3, shortest: bool = False) -> Run:
    verdict = "unknown" if length is None else "violated"
    return Run("papers", instance, configuration, 1.0, verdict, expanded, length, shortest, 0.5, 0.6)


def gathered(*runs: Run) -> Runs:
    return {one.key: one for one in runs}


def test_who_has_no_answer_has_more_states() -> None:
    runs = gathered(
        run("a", "auto", 10),
        run("a", "bfs", 200),
        run("b", "auto", 10),
        run("b", "bfs", 900, None),
        run("c", "auto", 40, None),
        run("c", "bfs", 5),
        run("d", "auto", 7, None),
        run("d", "bfs", 9, None),
        run("e", "auto", 7),
    )
    duel = coverage.duel(runs, "auto", "bfs")
    assert duel == coverage.Duel([20.0], 2, 0, 1, only_ours=1, only_theirs=1)
    assert duel.middle == 20
    assert coverage.duel(runs, "auto", "bfs", "BEEM").decided == 0
    assert "d" not in coverage.with_error(runs)


def test_later_lines_count_and_open_ones_get_more_time(tmp_path: Path) -> None:
    file = tmp_path / "directed-coverage.jsonl"
    lines = [run("a", "bfs", 5, None), run("a", "bfs", 90, 4), run("a", "auto", 9, 4, True)]
    file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in lines))
    runs = coverage.read(file)
    assert runs["a", "bfs"].found
    assert not coverage.open_at_less(runs["a", "bfs"], 10)
    assert coverage.open_at_less(lines[0], 10)
    assert "| auto | 1 | 1 | 9 | 4 | 1 | 9 |" in coverage.overview(runs)
    assert read_figures(tmp_path, "directed-coverage")["states"] == {"bfs": {"a": 90}, "auto": {"a": 9}}


def test_a_run_tells_what_was_found_and_one_beyond_its_processor_time_is_open() -> None:
    leader = Instance("leader", ROOT / "models/promela/leader.pml", None, ("-D", "FAULTY"))
    found = coverage.measure("bundled", leader, Configuration("bfs"), Limits(20, "1G"))
    assert (found.verdict, found.length, found.shortest) == ("violated", 23, True)
    large = Instance("peterson", ROOT / "models/promela/peterson.pml", None, ("-D", "N=6"))
    ended = coverage.measure("bundled", large, Configuration("bfs"), Limits(1, "1G"))
    assert (ended.verdict, ended.found) == ("unknown", False)


def test_an_estimate_is_informed_if_it_tells_states_apart() -> None:
    one = Look("a", "hL", 3, 2, 50)
    assert one.informed
    assert not replace(one, initial=1).informed
    assert not replace(one, values=1).informed
    assert str(replace(one, values=1)) == "3 in the initial state, 1 value in 50 states"
    looks = {
        ("a", name): replace(one, estimate=name, initial=3 if name == "hL" else 0) for name in shortest.estimates()
    }
    assert [str(each) for each in shortest.wanted("a", looks)] == ["bfs", "astar hL"]
    silent = {key: replace(look, initial=0) for key, look in looks.items()}
    assert shortest.wanted("a", silent) == []
    assert "0 in the initial state, 2 values in 50 states" in shortest.uninformed(silent, ["a"])


def test_the_estimates_of_a_model_are_looked_at() -> None:
    arbiter = next(one for one in bundled() if one.name == "single_track_2_faulty")
    said = {one.estimate: one for one in shortest.look(arbiter)}
    assert said["hL"].informed
    assert set(said) == set(shortest.estimates())


def test_the_best_proof_counts() -> None:
    runs = gathered(
        run("a", "bfs", 100, shortest=True),
        run("a", "astar hL", 50, shortest=True),
        run("a", "astar lmcut", 20, shortest=True),
        run("a", "astar Hf", 5, 4),
    )
    assert shortest.ratios("a", runs) == {"hL": 2.0, "lmcut": 5.0}
    assert "| the best of them | 1 | 1 | 5 | 1 | 0 |" in shortest.overview({}, runs)


@pytest.mark.parametrize("search", ["bfs", "auto"])
def test_a_task_is_a_program_whose_deadlock_is_its_goal(search: str, tmp_path: Path) -> None:
    model = tmp_path / "two.pml"
    model.write_text(promela(read_facts(TASK)))
    result = check(load(model), "deadlock", search=search)
    assert result.verdict == "violated"
    assert result.trace is not None
    assert len(result.trace) == 4  # each lays down its fork and takes it up again
