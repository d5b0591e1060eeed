"""`python -m benchmarks.conformance`: every Promela file through SPIN and Beeline, and a table of how they agree."""

from __future__ import annotations

import argparse
import concurrent.futures
import fnmatch
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from .compare import Row, compare
from .corpus import ROOT, SHARED_VARIABLE, Model, own_models, shared_folder, shared_models
from .memory import Memory
from .report import earlier, line_of, totals, write
from .spin import Limits, SpinMissing
from .tool import Beeline, Command, Inside, ToolLimits


def options() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.conformance", description=__doc__)
    parser.add_argument("words", nargs="*", help="only models whose name contains a word or matches a pattern")
    parser.add_argument("--shared", help=f"folder of public models [${SHARED_VARIABLE} or ../shared/models]")
    parser.add_argument("--beeline", type=shlex.split, help="command to run [.venv/bin/beeline]")
    parser.add_argument("--inside", action="store_true", help="run Beeline in this process: quicker, one at a time")
    parser.add_argument("--spin-only", action="store_true", help="only ask SPIN and remember its answers")
    parser.add_argument("--brief", action="store_true", help="ask SPIN only for the plain count and its verdict")
    parser.add_argument("--known", action="store_true", help="only models about which SPIN was asked before")
    parser.add_argument("--max-states", type=int, help="only models that SPIN finds no larger")
    parser.add_argument("--spin-time", type=int, default=Limits().cpu_s, metavar="S", help="processor time a run")
    parser.add_argument("--time", type=float, default=ToolLimits().time_s, metavar="S", help="for a run of Beeline")
    parser.add_argument("--memory", default=ToolLimits().memory, metavar="SIZE", help="for a run of Beeline")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="models at once [2]")
    parser.add_argument("--keep", action="store_true", help="keep the rows of other models from earlier runs in --out")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results", help="folder for results")
    return parser


def models(arguments: argparse.Namespace) -> Iterator[Model]:
    """The models that were asked for."""
    folder = shared_folder(arguments.shared)
    found = list(own_models())
    if folder.is_dir():
        found += shared_models(folder)
    else:
        print(f"no public models at {folder}: only the project's own are compared", file=sys.stderr)
    for model in found:
        if not arguments.words or any(
            word in model.name or fnmatch.fnmatch(model.name, word) for word in arguments.words
        ):
            yield model


def main() -> int:
    """Runs the comparison; the exit status is 1 when something disagrees."""
    arguments = options().parse_args()
    memory = Memory()
    limits = Limits(cpu_s=arguments.spin_time, brief=arguments.brief)
    runner = Inside() if arguments.inside else Command(arguments.beeline)
    beeline = Beeline(runner, ToolLimits(arguments.time, arguments.memory))

    def small_enough(states: int | None) -> bool:
        return arguments.max_states is None or (states is not None and states <= arguments.max_states)

    def one(model: Model) -> Row | None:
        facts = memory.recall(model, limits) if arguments.known else memory.ask(model, limits)
        if facts is None or not small_enough(facts.states):
            return None
        if arguments.spin_only:
            return Row(model.name, "asked", note=f"{facts.states} {facts.verdict} {facts.message or facts.reason}")
        return compare(model, facts, beeline)

    rows: list[Row] = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        # Inside this process standard output is caught while Beeline runs, so nothing else may run beside it.
        compared = map(one, models(arguments)) if arguments.inside else pool.map(one, models(arguments))
        try:
            for number, row in enumerate(compared):
                if row is not None:
                    rows.append(row)
                    print(line_of(row), flush=True)
                if number % 20 == 19:
                    memory.save()
        except SpinMissing as missing:
            print(f"{missing}; install SPIN, or use --known", file=sys.stderr)
            return 2
        finally:
            memory.save()
    if arguments.spin_only:
        return 0
    if arguments.keep:
        rows = [*earlier(arguments.out, {row.name for row in rows}), *rows]
    for name, value in totals(rows).items():
        print(f"{name + ':':28} {value}")
    data, page = write(rows, arguments.out)
    print(f"written: {data}, {page}")
    return 0 if all(row.agrees for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
