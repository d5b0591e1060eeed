"""`python -m benchmarks.conformance.fuzz`: random programs through SPIN and Beeline; disagreements, made small.

`--generator` says which: `programs` and `corners` are Promela, `liveness` asks such programs about cycles, `trails` has
SPIN replay counterexamples, `refusals` are Promela broken in one place, `dve` models in DVE, which are compared
with a search of the syntax tree, `murphi` and `symmetry` programs in Murphi, which are compared with Rumur, and
`networks` processes that are alike, which all searches fold as plain search would have it, `runs` the same with
questions about whole runs, and `timed` with clocks.

python -m benchmarks.conformance.fuzz --programs 1000 --seed 1 --out disagreements.md
python -m benchmarks.conformance.fuzz --generator corners --programs 2000
python -m benchmarks.conformance.fuzz --generator refusals --programs 1000
python -m benchmarks.conformance.fuzz --generator murphi --programs 2000
python -m benchmarks.conformance.fuzz --generator networks --programs 2000
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import dataclasses
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable
from functools import partial
from pathlib import Path

from .corners import corner_of
from .dve import dve_differences
from .dve_generator import dve_of
from .generator import program_of, shrink
from .lassos import lasso_differences
from .liveness import live_differences, live_program_of, questions
from .murphi import murphi_differences, symmetry_differences
from .murphi_generator import murphi_of
from .mutations import mutant_of, refusals
from .quick import Quick, ask_quickly
from .running import Tally, ended_early, leave_signals_to_the_first_process
from .spin import quick_compiler
from .symmetric_generator import symmetric_murphi_of
from .symmetric_networks import network_differences, symmetric_network_of
from .symmetric_runs import runs_differences, symmetric_runs_of
from .symmetric_timed import symmetric_timed_of, timed_differences
from .thorough import differences
from .tool import INTERNAL, Beeline, Inside, ToolLimits
from .trails import escaping_program_of, trail_differences

MOST_STATES = 20_000
NOT_COMPARED = ("rejected", "too large", "without a lasso", "without violation", "nothing alike")


@dataclasses.dataclass(frozen=True)
class Ours:
    """What Beeline says about a program."""

    states: int | None = None
    verdict: str = ""
    length: int | None = None
    message: str = ""
    directed: str = ""  # the verdict of the default search


def ask_beeline(text: str, beeline: Beeline) -> Ours:
    """Explores and checks a program."""
    with tempfile.TemporaryDirectory(prefix="random-promela-") as name:
        path = Path(name) / "model.pml"
        path.write_text(text)
        explored = beeline.explore(path)
        if explored.refused or explored.status == INTERNAL:
            return Ours(message=explored.message)
        checked = beeline.check(path)
        return Ours(
            explored.values.get("states") if explored.values.get("complete") else None,
            str(checked.values.get("verdict", "")),
            checked.values.get("trace_length"),
            explored.message or checked.message,
            str(beeline.check(path, search="auto").values.get("verdict", "")),
        )


def disagreement(spin: Quick, ours: Ours) -> str:
    """What the two tools say differently about a program, or nothing."""
    if ours.states is None:
        return f"SPIN {spin.states} states, Beeline: {ours.message}"
    if ours.states != spin.states:
        return f"states: SPIN {spin.states}, Beeline {ours.states}"
    if ours.verdict != spin.verdict:
        return f"verdict: SPIN {spin.verdict} ({spin.kind}), Beeline {ours.verdict or ours.message}"
    if ours.directed != ours.verdict:
        return f"verdict: SPIN {spin.verdict} ({spin.kind}), Beeline by auto {ours.directed}"
    return ""


def examine(text: str, beeline: Beeline) -> tuple[str, str]:
    """What became of a program (`agrees`, `disagrees`, `too large`, `rejected`), and the disagreement. Whatever a quick
    compiler makes, gcc has the last word."""
    for compiler in dict.fromkeys((quick_compiler(), "gcc")):
        spin = ask_quickly(text, MOST_STATES, compiler=compiler)
        if spin.rejected:
            found = "rejected", spin.rejected
        elif spin.states is None:
            found = "too large", ""
        else:
            difference = disagreement(spin, ask_beeline(text, beeline))
            found = ("disagrees" if difference else "agrees"), difference
        if found[0] in ("agrees", "too large"):
            break
    return found


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of random programs, and how the tools are compared on one."""

    program_of: Callable[[int], str]
    examine: Callable[[str, Beeline], tuple[str, str]]
    questions: Callable[[str], Iterable[object]] = lambda text: [text]


GENERATORS = {
    "programs": Kind(program_of, examine),
    "corners": Kind(corner_of, differences),
    "liveness": Kind(live_program_of, live_differences, questions),
    "lassos": Kind(live_program_of, lasso_differences),
    "trails": Kind(escaping_program_of, trail_differences),
    "dve": Kind(dve_of, dve_differences),
    "murphi": Kind(murphi_of, murphi_differences),
    "symmetry": Kind(symmetric_murphi_of, symmetry_differences),
    "networks": Kind(symmetric_network_of, network_differences),
    "runs": Kind(symmetric_runs_of, runs_differences),
    "timed": Kind(symmetric_timed_of, timed_differences),
    "refusals": Kind(mutant_of, refusals),
}


def examine_seed(seed: int, generator: str = "programs") -> tuple[int, str, str]:
    """One random program; runs in a worker process."""
    made = GENERATORS[generator]
    kind, difference = made.examine(made.program_of(seed), Beeline(Inside(), ToolLimits(time_s=20)))
    return seed, kind, difference


def smaller(seed: int, generator: str = "programs") -> tuple[str, str]:
    """The smallest program found that disagrees in the way the program of a seed does, and its disagreement."""
    made, beeline = GENERATORS[generator], Beeline(Inside(), ToolLimits(time_s=20))
    text = made.program_of(seed)
    respect = made.examine(text, beeline)[1].split(":")[0]

    def fails(text: str) -> bool:
        kind, difference = made.examine(text, beeline)
        return kind == "disagrees" and difference.split(":")[0] == respect

    text = shrink(text, fails)
    return text, made.examine(text, beeline)[1]


def examined(seeds: Iterable[int], generator: str, jobs: int) -> Generator[tuple[int, str, str], None, None]:
    """What became of the programs of some seeds, in their order."""
    pool = concurrent.futures.ProcessPoolExecutor(jobs, initializer=leave_signals_to_the_first_process)
    try:
        yield from pool.map(partial(examine_seed, generator=generator), seeds, chunksize=4)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def main() -> int:
    """Runs the comparison; the exit status is 1 when programs disagree."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.conformance.fuzz", description=__doc__)
    parser.add_argument("--generator", choices=sorted(GENERATORS), default="programs", help="what to make [programs]")
    parser.add_argument("--programs", type=int, default=1000, help="how many that can be compared [1000]")
    parser.add_argument("--seed", type=int, default=1, help="the first of the seeds that are used one after another")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--shrink", type=int, default=3, help="how many disagreements to make small [3]")
    parser.add_argument("--out", type=Path, help="file to which small disagreements are written")
    arguments = parser.parse_args()
    made, counts = GENERATORS[arguments.generator], Tally()
    compared = asked = 0
    failing: list[int] = []
    seeds = range(arguments.seed, arguments.seed + 2 * arguments.programs)
    with ended_early(), contextlib.closing(examined(seeds, arguments.generator, arguments.jobs)) as results:
        for seed, kind, difference in results:
            counts[kind] += 1
            if kind not in NOT_COMPARED:
                compared += 1
                asked += sum(1 for _ in made.questions(made.program_of(seed)))
            if kind == "disagrees":
                failing.append(seed)
                print(f"seed {seed}: {difference}", flush=True)
            if compared >= arguments.programs:
                break
            counts.tell()
    print(f"{counts}; {asked} questions; {counts.seconds:.0f} s", flush=True)
    for seed in failing[: arguments.shrink]:
        text, difference = smaller(seed, arguments.generator)
        report = f"seed {seed}: {difference}\n\n```promela\n{text}```\n\n"
        print(report)
        if arguments.out:
            with arguments.out.open("a") as out:
                out.write(report)
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
