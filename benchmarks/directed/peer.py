"""``python -m benchmarks.directed.peer``: the same networks by Fast Downward (``pip install up-fast-downward``).

Each row is one go: the network is exported as a planning task, then both tools run on it with one limit."""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
import time
from fnmatch import fnmatch
from pathlib import Path

from benchmarks.beem.measure import Limits, check_with
from benchmarks.directed import families, tables
from benchmarks.directed.configurations import Configuration
from benchmarks.directed.families import Instance
from benchmarks.folders import MADE

OURS = (
    Configuration("multi", "hU, hFF"),
    Configuration("auto:improve=0"),
    Configuration("auto"),
    Configuration("greedy", "hU"),
    Configuration("greedy", "hFF"),
    Configuration("ut", "hU"),
    Configuration("greedy", "hCG"),
    Configuration("astar", "hL"),
)
THEIRS = {
    "FD greedy ff": "eager_greedy([ff()])",
    "FD greedy cg": "eager_greedy([cg()])",
    "FD lazy ff, preferred": "let(h, ff(), lazy_greedy([h], preferred=[h]))",
    "FD astar lmcut": "astar(lmcut())",
    "FD astar hmax": "astar(hmax())",
}


def find_peer() -> Path | None:
    """Fast Downward's search program."""
    package = importlib.util.find_spec("up_fast_downward")
    if package is not None and package.submodule_search_locations:
        found = Path(package.submodule_search_locations[0]) / "downward" / "builds" / "release" / "bin" / "downward"
        if found.is_file():
            return found
    on_path = shutil.which("downward")
    return None if on_path is None else Path(on_path)


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.directed.peer", description=__doc__)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    peer = find_peer()
    if peer is None:
        print("Fast Downward is not there: pip install up-fast-downward", file=sys.stderr)
        return 2
    limits = Limits(options.time, options.memory)
    columns = [*map(str, OURS), *THEIRS]
    print("| instance | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for family in ("arbiter*", "hanoi*", "random*"):
        for instance in families.generated(family):
            if fnmatch(instance.name, options.only):
                print(f"| {instance.name} | " + " | ".join(_row(instance, limits, peer)) + " |", flush=True)
    return 0


def _row(instance: Instance, limits: Limits, peer: Path) -> list[str]:
    """Explored states, length and seconds of search for each tool."""
    cells = []
    for configuration in OURS:
        record = check_with(instance.file, instance.asked, limits, configuration.options())
        cells.append(f"{tables.cell(record)}, {record['time_s']:.2f} s" if tables.answered(record) else "-")
    task = MADE / f"{instance.file.stem}.sas"
    beeline = str(Path(sys.executable).with_name("beeline"))
    export = [beeline, "export", str(instance.file), "--property", str(instance.asked), "--output", str(task)]
    subprocess.run(export, check=True)
    return cells + [_by_peer(peer, task, search, limits) for search in THEIRS.values()]


def _by_peer(peer: Path, task: Path, search: str, limits: Limits) -> str:
    started = time.monotonic()
    try:
        with task.open() as given:
            done = subprocess.run(
                [str(peer), "--search", search, "--internal-plan-file", str(task.with_suffix(".plan"))],
                stdin=given, capture_output=True, text=True, timeout=limits.seconds, check=False,
            )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "-"
    seconds = time.monotonic() - started
    length = re.search(r"Plan cost: (\d+)", done.stdout)
    explored = re.search(r"Expanded (\d+) state", done.stdout)
    own = re.search(r"Search time: ([\d.e+-]+)s", done.stdout)
    if length is None or explored is None:
        return "-"
    return f"{int(explored[1]):,}, {length[1]}, {float(own[1]) if own else seconds:.2f} s"


if __name__ == "__main__":
    sys.exit(main())
