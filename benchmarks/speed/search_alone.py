"""One `explore` of one model, with the processor time of the search apart: prints one JSON object.

python -m benchmarks.speed.search_alone FILE [NAME=VALUE ..] [--store=NAME] [--threads=N] [--tier=NAME]
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
from beeline.engines import explicit
from beeline.languages import LoadOptions, load
from beeline.searches import runner


def main(file: str, macros: list[str], store: str = "plain", threads: int = 1, tier: str = "bytecode") -> None:
    """Prints states, bytes, words of a state, and the seconds of the engine by the processor and by the clock; reading
    and compiling are left out."""
    seconds = wall = 0.0
    words = 0
    search = runner.run

    def timed(*arguments: Any, **options: Any) -> Outcome:
        nonlocal seconds, wall, words
        started, begun = time.process_time(), time.perf_counter()
        try:
            outcome = search(*arguments, **options)
            words = outcome.words
            return outcome
        finally:
            seconds += time.process_time() - started
            wall += time.perf_counter() - begun

    network = load(Path(file), options=LoadOptions(_defines(macros)))
    with patch.object(explicit, "run", timed):
        explored = checking.explore(network, store=store, threads=threads, tier=tier)
    statistics = explored.statistics
    found = {"states": statistics.stored, "transitions": statistics.generated, "omission": explored.omission}
    print(json.dumps({**found, "seconds": seconds, "wall": wall, "memory": statistics.memory, "words": words}))


def _defines(macros: list[str]) -> dict[str, str]:
    parts = [macro.partition("=") for macro in macros]
    return {name: value if sign else "1" for name, sign, value in parts}


if __name__ == "__main__":
    options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    asked = options.get("store", "plain"), int(options.get("threads", 1)), options.get("tier", "bytecode")
    main(words[0], words[1:], *asked)
