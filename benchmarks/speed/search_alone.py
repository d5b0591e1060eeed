"""One `explore` of one model, with the processor time of the search apart: prints one JSON object.

python -m benchmarks.speed.search_alone FILE [NAME=VALUE ..]
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

from beeline import checking
from beeline.engine import Outcome
from beeline.languages import LoadOptions, load


def main(file: str, macros: list[str]) -> None:
    """Prints states, bytes and the processor seconds that the engine took; reading and compiling are left out."""
    seconds = 0.0
    search = checking.run

    def timed(*arguments: Any, **options: Any) -> Outcome:
        nonlocal seconds
        started = time.process_time()
        try:
            return search(*arguments, **options)
        finally:
            seconds += time.process_time() - started

    network = load(Path(file), options=LoadOptions(_defines(macros)))
    with patch.object(checking, "run", timed):
        statistics = checking.explore(network).statistics
    found = {"states": statistics.stored, "transitions": statistics.generated}
    print(json.dumps({**found, "seconds": seconds, "memory": statistics.memory}))


def _defines(macros: list[str]) -> dict[str, str]:
    parts = [macro.partition("=") for macro in macros]
    return {name: value if sign else "1" for name, sign, value in parts}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
