"""``python -m benchmarks.bundled``: the faulty models of this project through several searches, as a Markdown table.

``--write`` puts the table into docs/comparisons.md. Counts and lengths are the same on every machine, unless a search
is ended by ``--time``.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator
from pathlib import Path

from benchmarks.folders import ROOT

from beeline import Limits, check
from beeline.heuristics import HeuristicError
from beeline.languages import LoadOptions, load

PAGE = ROOT / "docs" / "comparisons.md"
BEGIN, END = "<!-- bundled: begin -->", "<!-- bundled: end -->"
SEARCHES = {"bfs": None, "dfs": None, "astar": "hL", "greedy": "hU", "ut": "hU", "auto": None}


def models() -> Iterator[tuple[str, Path, dict[str, str], str]]:
    """Name, file, macros, and the steps of the shortest error by SPIN where it was measured."""
    for answer in tomllib.loads((ROOT / "models/promela/answers.toml").read_text())["answer"]:
        if answer["verdict"] == "violated":
            macros = dict(macro.removeprefix("-D").partition("=")[::2] for macro in answer["macros"])
            name = " ".join([answer["model"], *answer["macros"]])
            yield name, ROOT / "models/promela" / answer["model"], macros, str(answer.get("shortest", ""))
    for name in ("fischer_b_3_faulty", "single_track_2_faulty", "message_mutex_2_faulty", "arbiter_tree_2_keeps"):
        yield f"{name}.xta", ROOT / f"models/uppaal/{name}.xta", {}, ""


def cell(file: Path, macros: dict[str, str], search: str, heuristic: str | None, seconds: float) -> str:
    """States stored and steps of the trace."""
    model = load(file, None, LoadOptions({name: value or "1" for name, value in macros.items()}))
    try:
        result = check(model, search=search, heuristic=heuristic, limits=Limits(time=seconds, memory=2**30))
    except HeuristicError:
        return "-"  # a deadlock, which has no expression to aim at
    if result.trace is None:
        return result.reason
    return f"{result.statistics.stored:,} / {len(result.trace)}{'*' if result.shortest else ''}"


def table(seconds: float) -> str:
    titles = [name if heuristic is None else f"{name} {heuristic}" for name, heuristic in SEARCHES.items()]
    lines = [f"| model | SPIN's shortest | {' | '.join(titles)} |", "|---" * (len(titles) + 2) + "|"]
    for name, file, macros, shortest in models():
        cells = [cell(file, macros, search, heuristic, seconds) for search, heuristic in SEARCHES.items()]
        lines.append(f"| {name} | {shortest} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser("python -m benchmarks.bundled", description=__doc__)
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each search")
    parser.add_argument("--write", action="store_true", help="put the table into docs/comparisons.md")
    options = parser.parse_args()
    made = table(options.time)
    if options.write:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{made}\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
