"""Fast Downward on the same task: written as SAS+ (its translator's output, version 3), searched by A*.

Only for models in which the grounded task says exactly what a step does: handshakes and integers, one conjunctive goal.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.abstraction.accuracy import compiled
from benchmarks.abstraction.instances import Instance

from beeline import _native

MERGE_AND_SHRINK = (
    "astar(merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),"
    "merge_strategy=merge_sccs(order_of_sccs=topological,merge_selector=score_based_filtering("
    "scoring_functions=[goal_relevance(),dfp(),total_order()])),"
    "label_reduction=exact(before_shrinking=true,before_merging=false),max_states=50k,threshold_before_merge=1))"
)
SEARCHES = {
    "merge-and-shrink": MERGE_AND_SHRINK,
    "CEGAR": "astar(cegar())",
}


@dataclass(frozen=True)
class Answer:
    """What Fast Downward says: build and search in seconds, expanded states, length of the plan."""

    length: int | None
    expanded: int
    build_s: float
    total_s: float

    def __str__(self) -> str:
        return (
            "-"
            if self.length is None
            else f"{self.expanded:,}, {self.length:,}, {self.build_s:.2f}, {self.total_s:.2f}"
        )


def to_sas(instance: Instance) -> str:
    """The grounded task of a model."""
    _, native, _ = compiled(instance.network())
    task = _native.Task(native, False)
    ((goal, _),) = task.goals
    values: dict[int, list[int]] = {}
    place: list[tuple[int, int]] = []
    for cell, value in task.facts:
        values.setdefault(cell, []).append(value)
        place.append((cell, len(values[cell]) - 1))
    cells = [cell for cell in values if len(values[cell]) > 1]
    number = {cell: at for at, cell in enumerate(cells)}
    lines = ["begin_version", "3", "end_version", "begin_metric", "0", "end_metric", str(len(cells))]
    for cell in cells:
        lines += ["begin_variable", f"var{number[cell]}", "-1", str(len(values[cell]))]
        lines += [f"Atom v{number[cell]}({value})" for value in values[cell]]
        lines.append("end_variable")
    lines += ["0", "begin_state", *("0" for _ in cells), "end_state"]  # the first value met is the initial one
    lines += [
        "begin_goal",
        str(len(goal)),
        *(f"{number[place[fact][0]]} {place[fact][1]}" for fact in goal),
        "end_goal",
    ]
    lines.append(str(len(task.operators)))
    for at, (conditions, effects, *_) in enumerate(task.operators):
        lines += _operator(at, [place[fact] for fact in conditions], [place[fact] for fact in effects], number)
    return "\n".join([*lines, "0", ""])


def _operator(
    at: int, conditions: list[tuple[int, int]], effects: list[tuple[int, int]], number: dict[int, int]
) -> list[str]:
    asked = dict(conditions)
    changed = dict(effects)
    if len(changed) != len(effects):
        raise ValueError("a step of this model may do several things to one variable")
    kept = {cell: value for cell, value in asked.items() if cell not in changed}
    lines = ["begin_operator", f"step {at}", str(len(kept))]
    lines += [f"{number[cell]} {value}" for cell, value in kept.items()]
    lines.append(str(len(changed)))
    lines += [f"0 {number[cell]} {asked.get(cell, -1)} {value}" for cell, value in changed.items()]
    return [*lines, "1", "end_operator"]


def run(binary: Path, instance: Instance, search: str, seconds: float) -> Answer:
    """One search by Fast Downward's own program."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        try:
            done = subprocess.run(
                [str(binary), "--search", SEARCHES[search]],
                input=to_sas(instance),
                capture_output=True,
                text=True,
                cwd=folder,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Answer(None, 0, 0.0, seconds)
        spent = time.perf_counter() - start
    length = re.search(r"Plan length: (\d+)", done.stdout)
    expanded = re.search(r"Expanded (\d+) state", done.stdout)
    searched = re.search(r"Search time: ([\d.e-]+)s", done.stdout)
    if length is None or expanded is None or searched is None:
        return Answer(None, 0, 0.0, spent)
    return Answer(int(length[1]), int(expanded[1]), max(0.0, spent - float(searched[1])), spent)
