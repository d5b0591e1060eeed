"""One check of a formula by one search, with the processor time of the search apart: prints one JSON object.

python -m benchmarks.liveness.alone FILE PROPERTY SEARCH SECONDS [NAME=VALUE ..]
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


def main(file: str, asked: str, search: str, limit: float, macros: dict[str, str]) -> None:
    """Reading, translating and compiling are left out of the time."""
    seconds, run = 0.0, runner.run

    def timed(*arguments: Any, **options: Any) -> Outcome:
        nonlocal seconds
        started = time.process_time()
        try:
            return run(*arguments, **options)
        finally:
            seconds += time.process_time() - started

    network = load(Path(file), options=LoadOptions(macros))
    with patch.object(settings, "run", timed):
        result = check(network, asked, search=search, limits=Limits(time=limit))
    trace, statistics = result.trace, result.statistics
    answer = {
        "verdict": result.verdict,
        "states": statistics.stored,
        "expanded": statistics.expanded,
        "memory": statistics.memory,
        "seconds": seconds,
        "prefix": None if trace is None else trace.cycle,
        "length": None if trace is None else len(trace),
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    given = dict(word.partition("=")[::2] for word in sys.argv[5:])
    main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]), given)
