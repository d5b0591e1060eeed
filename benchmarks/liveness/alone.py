"""One check of a formula by one search, with the processor time of the search apart: prints one JSON object.

python -m benchmarks.liveness.alone FILE PROPERTY SEARCH [--threads=N] [--reduce=NAME] SECONDS [NAME=VALUE ..]
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from beeline import Limits
from beeline.checking import check
from beeline.engine import Outcome
from beeline.languages import LoadOptions, load
from beeline.problems import settings
from beeline.searches import runner


def main(
    file: str, asked: str, search: str, limit: float, macros: dict[str, str], threads: int = 1, reduce: str = "none"
) -> None:
    """Reading, translating and compiling are left out of the time, which is told by the processor and by the clock."""
    seconds, wall, run = 0.0, 0.0, runner.run

    def timed(*arguments: Any, **options: Any) -> Outcome:
        nonlocal seconds, wall
        started, begun = time.process_time(), time.perf_counter()
        try:
            return run(*arguments, **options)
        finally:
            seconds += time.process_time() - started
            wall += time.perf_counter() - begun

    network = load(Path(file), options=LoadOptions(macros))
    with patch.object(settings, "run", timed):
        result = check(network, asked, search=search, threads=threads, reduce=reduce, limits=Limits(time=limit))
    trace, statistics = result.trace, result.statistics
    answer = {
        "verdict": result.verdict,
        "states": statistics.stored,
        "expanded": statistics.expanded,
        "memory": statistics.memory,
        "seconds": seconds,
        "wall": wall,
        "prefix": None if trace is None else trace.cycle,
        "length": None if trace is None else len(trace),
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    given = dict(word.partition("=")[::2] for word in words[4:])
    asked_threads, reduction = int(options.get("threads", 1)), options.get("reduce", "none")
    main(words[0], words[1], words[2], float(words[3]), given, asked_threads, reduction)
