"""How long the replay of a trace takes, by its length, by the size of the network, and by what else could happen.

    python -m benchmarks.replay
    python -m benchmarks.replay --quick

Processor time from the moment at which a search has found something until the trace is there, replayed and named. It
should grow with the trace, and neither with the network nor with the number of possible steps.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import process_time

from beeline import Network, NetworkBuilder, check
from beeline.engine import Statistics
from beeline.languages.uppaal import load_text
from beeline.records import Record

LENGTHS = (1_000, 10_000, 53_000)
SIZES = (20, 200, 2_000)
STEPS = 1_000  # of the traces in networks of several sizes


class Row(Record, frozen=True):
    """One measurement."""

    what: str
    processes: int
    steps: int
    search: float
    replay: float

    def __str__(self) -> str:
        rate = self.steps / self.replay if self.replay else 0
        sizes = f"{self.processes:,} | {self.steps:,}"
        return f"| {self.what} | {sizes} | {self.search:.2f} | {self.replay:.2f} | {rate:,.0f} |"


def counter(length: int) -> Network:
    """One process that counts."""
    builder = NetworkBuilder("counter")
    builder.variable("x", 0, length)
    builder.process("up").location("run").edge("run", "run", guard=f"x < {length}", effect="x++")
    return builder.build()


def bystanders(processes: int) -> Network:
    """One process that counts beside others that could move at any time."""
    builder = NetworkBuilder("bystanders")
    builder.variable("x", 0, STEPS)
    builder.process("up").location("run").edge("run", "run", guard=f"x < {STEPS}", effect="x++")
    for number in range(processes - 1):
        builder.process(f"idle{number}").location("here").edge("here", "here")
    return builder.build()


def ring(processes: int) -> Network:
    """Processes that hand a token round; nobody else can move."""
    builder = NetworkBuilder("ring")
    builder.variable("x", 0, STEPS)
    for number in range(processes):
        builder.channel(f"c{number}")
    for number in range(processes):
        process = builder.process(f"p{number}").location("has").location("lacks", initial=number > 0)
        following = (number + 1) % processes
        process.edge("has", "lacks", guard=f"x < {STEPS}", sync=f"c{following}!", effect="x++")
        process.edge("lacks", "has", sync=f"c{number}?")
    return builder.build()


def clocked(length: int) -> Network:
    """Two processes with clocks that meet again and again."""
    return load_text(f"""
int[0,{length}] n; chan tick;
process P() {{ clock x; state a {{ x <= 5 }}; init a; trans a -> a {{ guard x >= 2; sync tick!; assign x = 0; }}; }}
process Q() {{ clock z; state b {{ z <= 9 }}; init b;
trans b -> b {{ guard z > 1 && n < {length}; sync tick?; assign n = n + 1, z = 0; }}; }}
system P, Q;""")


def trains(count: int) -> Network:
    """Trains that ask a gate for the bridge, one after the other, and leave it in time."""
    return load_text(f"""
const int N = {count}; typedef int[0,N-1] id_t;
int[0,N] crossed; chan appr[N], leave[N]; urgent chan go[N];
process Train(const id_t id) {{ clock x;
state Safe, Appr {{ x <= 20 }}, Cross {{ x <= 5 }}; init Safe;
trans Safe -> Appr {{ guard crossed == id; sync appr[id]!; assign x = 0; }},
Appr -> Cross {{ sync go[id]?; assign x = 0; }},
Cross -> Safe {{ guard x >= 3; sync leave[id]!; assign crossed = crossed + 1, x = 0; }}; }}
process Gate() {{ id_t next; state Free, Asked, Busy; init Free;
trans Free -> Asked {{ select e : id_t; sync appr[e]?; assign next = e; }},
Asked -> Busy {{ sync go[next]!; }}, Busy -> Free {{ select e : id_t; sync leave[e]?; }}; }}
system Train, Gate;""")


def measure(what: str, network: Network, asked: str, steps: int) -> Row:
    """Searches depth-first for a state in which `asked` is false, and takes the time of the replay."""
    began: list[float] = []

    def progress(statistics: Statistics) -> None:
        if statistics.phase.startswith("replaying") and not began:
            began.append(process_time())

    start = process_time()
    result = check(network, asked, search="dfs", shrink="none", progress=progress, tier="bytecode")
    end = process_time()
    assert result.trace is not None, f"{what}: {result}"
    assert len(result.trace) >= steps, f"{what}: {len(result.trace)} steps"
    return Row(what, len(network.initial), len(result.trace), began[0] - start, end - began[0])


def rows(quick: bool) -> Iterator[Row]:
    for length in LENGTHS[: 1 if quick else None]:
        yield measure("counter", counter(length), f"x < {length}", length)
    for size in SIZES[: 1 if quick else None]:
        yield measure("counter beside others", bystanders(size), f"x < {STEPS}", STEPS)
    for size in SIZES[: 1 if quick else None]:
        yield measure("token in a ring", ring(size), f"x < {STEPS}", STEPS)
    for length in LENGTHS[: 1 if quick else None]:
        yield measure("two clocks", clocked(length), f"n < {length}", length)
    for size in (20,) if quick else (20, 50, 100):
        yield measure("trains at a gate", trains(size), f"crossed < {size}", 3 * size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the smallest of each kind")
    print("| model | processes | steps | search, s | replay, s | steps/s |\n|---|--:|--:|--:|--:|--:|")
    for row in rows(parser.parse_args().quick):
        print(row, flush=True)


if __name__ == "__main__":
    main()
