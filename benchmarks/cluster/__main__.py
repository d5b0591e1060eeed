"""python -m benchmarks.cluster [efficiency | transport | lines | scaling]: searches by several processes

Needs beeline[cluster]."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from msgspec import msgpack

from beeline.cluster.job import Job
from beeline.cluster.member import Pace
from beeline.cluster.simulated import Conditions, simulate
from beeline.records import replace

from .cases import costly, named
from .machines import Costs, Machines, Search, predicted

LAUNCHER = Path(sys.executable).parent / "mpiexec"
RUNS = 3
LINES = (16, 64, 256, 1024, 4096, 16384)
DEAR = 5e-6
"""Seconds for a successor in the models that are worth sharing."""

Figures = dict[str, float]
CHEAP: dict[str, Callable[[], Job]] = {
    "peterson N=3": lambda: named("peterson", N="3"),
    "philosophers N=11": lambda: named("philosophers", N="11"),
}


def told_by(ranks: int, module: str, asked: str) -> Figures:
    """What the first of several processes says."""
    command: list[str | Path] = [
        LAUNCHER,
        "-n",
        str(ranks),
        sys.executable,
        "-m",
        f"benchmarks.cluster.{module}",
        asked,
    ]
    figures: Figures = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return figures


def measured(job: Job, ranks: int, runs: int = RUNS) -> Figures:
    """The run that took least, of several."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(msgpack.encode(job))
        file.flush()
        told = (told_by(ranks, "worker", file.name) for _ in range(runs))
        return min(told, key=lambda figures: figures["seconds"])


def dear() -> Job:
    """The cheapest of the costly models whose successors take as long as they should."""
    work = 4
    while True:
        figures = measured(costly(work), 1, 1)
        if figures["cpu"] / figures["generated"] >= DEAR:
            return costly(work)
        work *= 2


def efficiency() -> None:
    """Two ranks against one: by the clock, and by the processor time that both took."""
    columns = "states", "us a successor", "efficiency by clock", "by processor", "sent", "in vain", "us each"
    print(f"| model | {' | '.join(columns)} |\n|---|{'--:|' * len(columns)}")
    models: dict[str, Callable[[], Job]] = {"costly steps": dear, **CHEAP}
    for name, make in models.items():
        job = make()
        one, two = measured(job, 1), measured(job, 2)
        successor = one["cpu"] / one["generated"] * 1e6
        clock, cpu = one["seconds"] / two["seconds"] / 2, one["cpu"] / two["cpu"]
        sending = (two["cpu"] - one["cpu"]) / two["sent"] * 1e6
        vain = two["known"] / two["sent"]
        share = two["sent"] / two["generated"]
        print(f"| {name} | {one['stored']:,} | {successor:.2f} | {clock:.2f} | {cpu:.2f} |", end="")
        print(f" {share:.0%} | {vain:.0%} | {sending:.2f} |", flush=True)


def transport() -> None:
    """The way alone: states of 64 bytes that two ranks send to each other in lines of several lengths."""
    print("| states in a line | us each |\n|--:|--:|")
    for line in LINES[1:]:
        cost = told_by(2, "way", str(line))["cpu"]
        print(f"| {line:,} | {cost * 1e6:.3f} |", flush=True)


def lines() -> None:
    """Lines of several lengths in models of several sizes: time of two ranks, as a fraction of that of one."""
    sizes = {"peterson N=3": named("peterson", N="3"), "philosophers N=10": named("philosophers", N="10")}
    print(f"| states in a line | {' | '.join(sizes)} |\n|--:|{'--:|' * len(sizes)}")
    alone = {name: measured(job, 1)["seconds"] for name, job in sizes.items()}
    for line in LINES:
        fractions = (measured(replace(job, line=line), 2)["seconds"] / alone[name] for name, job in sizes.items())
        print(f"| {line:,} | {' | '.join(f'{fraction:.2f}' for fraction in fractions)} |", flush=True)


def scaling(most: int = 256) -> None:
    """More machines: a simulated cluster, with the times of this machine and those of an Ethernet, and a formula."""
    job = replace(named("philosophers", N="9"), pace=Pace(chunk=256))
    one, two = measured(job, 1), measured(job, 2)
    expansion = one["cpu"] / one["expanded"]
    arrival = max(0.0, two["cpu"] - one["cpu"]) / two["received"]
    here = Costs(two["latency"] / 2, two["latency"] / 4, two["per_byte"], expansion, arrival)
    ethernet = replace(here, latency=20e-6, overhead=2e-6, per_byte=8e-10)
    print(f"{one['stored']:,} states, {one['waves'] // 2} layers; measured: {here}\n")
    print("| ranks | simulated: this machine | Ethernet | states in a line | messages per state |")
    print("|--:|--:|--:|--:|--:|")
    for ranks in (1, 16, 64, 256, 1024):
        if ranks <= most:
            print(_simulated(job, ranks, (here, ethernet)), flush=True)
    print("\n| ranks | formula: Ethernet, 10^6 states in 50 layers | 10^9 in 200 |\n|--:|--:|--:|")
    sizes = Search(10**6, 50, two["sent"] / two["stored"]), Search(10**9, 200, two["sent"] / two["stored"])
    for ranks in (16, 64, 256, 1024):
        gained = (predicted(size, 1, ethernet) / predicted(size, ranks, ethernet) for size in sizes)
        print(f"| {ranks:,} | {' | '.join(f'{gain:.1f}' for gain in gained)} |")


def _simulated(job: Job, ranks: int, all_costs: tuple[Costs, ...]) -> str:
    gained = []
    for costs in all_costs:
        Machines.costs = costs
        root, network = simulate(ranks, Conditions(), job.root, job.member, Machines)
        assert root.totals is not None
        figures = root.totals.figures
        alone = figures["expanded"] * costs.per_expansion
        gained.append(f"{alone / network.time:.1f}")
    fill = figures["sent"] / max(1, figures["lines"])
    return f"| {ranks:,} | {' | '.join(gained)} | {fill:.1f} | {network.messages / figures['stored']:.2f} |"


def main() -> None:
    """Runs one part, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts: dict[str, Callable[..., None]] = {
        "efficiency": efficiency,
        "transport": transport,
        "lines": lines,
        "scaling": scaling,
    }
    parser.add_argument("part", nargs="?", choices=[*parts])
    parser.add_argument("--ranks", type=int, default=256, help="that are simulated at most [256]; 1024 take minutes")
    given = parser.parse_args()
    for name, part in parts.items():
        if given.part in (None, name):
            print(f"\n{name}: {part.__doc__}\n", flush=True)
            part(*((given.ranks,) if part is scaling else ()))


if __name__ == "__main__":
    main()
