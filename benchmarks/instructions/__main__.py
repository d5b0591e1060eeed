"""``make instructions``: do the small searches execute more instructions than when they were recorded?

    python -m benchmarks.instructions                 compare; exit status 1 if a row differs by more than --tolerance
    python -m benchmarks.instructions --record        write the counts to benchmarks/instructions/recorded.json

Needs valgrind. Counts of another compiler or another C++ library may differ: record once before a change, and compare
after it.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks.beem.tables import grouped, table
from benchmarks.instructions.callgrind import CallgrindFailed, Count, count
from benchmarks.machine import compiler

RECORDED = Path(__file__).with_name("recorded.json")
TOLERANCE = 0.05


def read(file: Path) -> dict[str, Count]:
    """The recorded counts; none if nothing was recorded."""
    if not file.is_file():
        return {}
    return {name: Count(**counts) for name, counts in json.loads(file.read_text())["rows"].items()}


def record(file: Path, counted: Mapping[str, Count]) -> None:
    """Keeps counts with what they depend on."""
    facts = {"compiler": compiler(), "processor": platform.machine(), "python": platform.python_version()}
    rows = {name: asdict(one) for name, one in counted.items()}
    file.write_text(json.dumps({**facts, "rows": rows}, indent=1) + "\n")


def judge(now: Count, before: Count | None, tolerance: float) -> str:
    """What is wrong with a row; nothing if it is as before or better.

    >>> judge(Count(9, 104), Count(9, 100), 0.05), judge(Count(9, 106), Count(9, 100), 0.05)
    ('', 'slower')
    >>> judge(Count(8, 50), Count(9, 100), 0.05), judge(Count(8, 50), None, 0.05)
    ('other states', 'not recorded')
    """
    if before is None:
        return "not recorded"
    if now.states != before.states:
        return "other states"
    return "slower" if now.instructions > before.instructions * (1 + tolerance) else ""


def compared(counted: Mapping[str, Count], recorded: Mapping[str, Count], tolerance: float) -> tuple[str, bool]:
    """The table, and whether every row is as good as recorded."""
    lines = []
    good = True
    for name, now in counted.items():
        before = recorded.get(name)
        said = judge(now, before, tolerance)
        good = good and not said
        known = ("", "") if before is None else (grouped(before.instructions), f"{_ratio(now, before):.3f}")
        lines.append((name, grouped(now.states), known[0], grouped(now.instructions), known[1], said))
    return table(("search", "states", "recorded", "now", "now / recorded", ""), lines), good


def _ratio(now: Count, before: Count) -> float:
    return now.instructions / before.instructions


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.instructions", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write the counts of now")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="the share that is still as before")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed (apt-get install valgrind)", file=sys.stderr)
        return 0
    try:
        counted = count()
    except CallgrindFailed as failed:
        print(failed, file=sys.stderr)
        return 2
    text, good = compared(counted, read(RECORDED), options.tolerance)
    print(text)
    if options.record:
        record(RECORDED, counted)
        return 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
