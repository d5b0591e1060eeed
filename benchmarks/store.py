"""``python -m benchmarks.store``: exhaustive search next to the bare store, and whether memory limits are kept.

Prints one Markdown table and keeps the same rows as JSON lines in benchmarks/results. Ratios are the figures to look
at: both sides of each are measured in the same run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass

import numpy
from benchmarks.folders import RESULTS
from benchmarks.generated import FAMILIES

from beeline import Network, _native, explore
from beeline.compile.program import compile_network

LIMIT = 512 * 2**20


@dataclass(frozen=True)
class Row:
    """One family: states per second of breadth-first search next to the bare store on random states of that size."""

    family: str
    states: int
    transitions: int
    seconds: float
    store_seconds: float
    bytes_per_state: float
    memory: int

    @property
    def ratio(self) -> float:
        """Rate of the search over the rate of the bare store."""
        return self.store_seconds / self.seconds

    def markdown(self) -> str:
        rate, store = self.states / self.seconds, self.states / self.store_seconds
        return (
            f"| {self.family} | {self.states:,} | {self.transitions:,} | {rate:,.0f} | {store:,.0f} | {self.ratio:.2f} "
            f"| {self.bytes_per_state:.1f} | {self.memory / 2**20:,.0f} |"
        )


def measure(family: str, network: Network) -> Row:
    """Explores a network, then gives the bare store as many random states of the same size."""
    statistics = explore(network).statistics
    words = _native.Program(compile_network(network).tables).words
    chance = numpy.random.default_rng(1)
    states = chance.integers(0, 2**32, size=(statistics.stored, words), dtype=numpy.uint32)
    store_seconds = _native.time_store(states)[0]
    return Row(
        family,
        statistics.stored,
        statistics.generated,
        statistics.seconds,
        store_seconds,
        statistics.bytes_per_state,
        statistics.memory,
    )


def peak_under_limit(limit: int) -> tuple[float, str]:
    """Peak memory of a whole process that explores more than fits, as a share of its limit, and why it ended."""
    program = (
        "import sys, json; from beeline import Limits, explore; from benchmarks.generated import counters;"
        f"r = explore(counters(9), limits=Limits(memory={limit}));"
        "peak = [l for l in open('/proc/self/status') if l.startswith('VmHWM')][0].split()[1];"
        "print(json.dumps([int(peak) * 1024, r.reason]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    peak, reason = json.loads(done.stdout)
    return peak / limit, reason


def main() -> None:
    """Run all families and print the table."""
    rows: list[Row] = []
    print("| family | states | transitions | states/s | bare store states/s | ratio | bytes/state | MiB |")
    print("|---|---|---|---|---|---|---|---|")
    for family, network in FAMILIES.items():
        rows.append(measure(family, network()))
        print(rows[-1].markdown(), flush=True)
    share, reason = peak_under_limit(LIMIT)
    print(f"\npeak memory under --max-memory {LIMIT >> 20}M: {share:.3f} of the limit (ended by: {reason})")
    largest = max(rows, key=lambda row: row.states)
    print(f"largest: {largest.states:,} states in {largest.memory / 2**30:.2f} GiB")
    RESULTS.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({**asdict(row), "ratio": row.ratio}) for row in rows]
    (RESULTS / "store.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
