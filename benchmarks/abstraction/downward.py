"""Fast Downward on the same networks, exported as planning tasks and searched by A*."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.abstraction.instances import Instance

from beeline.export.sas import to_sas

MERGE_AND_SHRINK = (
    "astar(merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),"
    "merge_strategy=merge_sccs(order_of_sccs=topological,merge_selector=score_based_filtering("
    "scoring_functions=[goal_relevance(),dfp(),total_order()])),"
    "label_reduction=exact(before_shrinking=true,before_merging=false),max_states=50k,threshold_before_merge=1))"
)
REFINING = 0.25  # the share of the time in which CEGAR refines; it would go on for a quarter of an hour


def searches(seconds: float) -> dict[str, str]:
    """What Fast Downward is asked to do in so much time."""
    return {"merge-and-shrink": MERGE_AND_SHRINK, "CEGAR": f"astar(cegar(max_time={seconds * REFINING}))"}


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


def run(binary: Path, instance: Instance, search: str, seconds: float) -> Answer:
    """One search by Fast Downward's own program."""
    network = instance.network()
    task = to_sas(network, network.properties[0].name)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        try:
            done = subprocess.run(
                [str(binary), "--search", search],
                input=task,
                capture_output=True,
                text=True,
                cwd=folder,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Answer(None, 0, 0.0, seconds)
        spent = time.perf_counter() - start
    length = re.search(r"Plan cost: (\d+)", done.stdout)
    expanded = re.search(r"Expanded (\d+) state", done.stdout)
    searched = re.search(r"Search time: ([\d.e-]+)s", done.stdout)
    if length is None or expanded is None or searched is None:
        return Answer(None, 0, 0.0, spent)
    return Answer(int(length[1]), int(expanded[1]), max(0.0, spent - float(searched[1])), spent)
