"""``python -m benchmarks.abstraction``: the tables and pictures of docs/abstractions.md.

    python -m benchmarks.abstraction tables         greedy and A* on the paper's families, published figures in brackets
    python -m benchmarks.abstraction bounds         explored states and time over N: the rule for the default
    python -m benchmarks.abstraction strategies     orders of composition, ways to shrink, pattern databases
    python -m benchmarks.abstraction combined       hAA and hU alone, under useless transitions, and in turn
    python -m benchmarks.abstraction downward       next to Fast Downward on the same task, if its program is given
    python -m benchmarks.abstraction accuracy       what estimates miss, over the true distance
    python -m benchmarks.abstraction literal        the paper's abstraction word for word, on arbiter trees
    python -m benchmarks.abstraction shortest       A* by all estimates that never say too much, next to bfs
    python -m benchmarks.abstraction lookups        processor time of a lookup, over the number of processes

Runs are kept in benchmarks/results and not made twice; ``--again`` starts afresh. ``--seeds`` and ``--largest`` say how
many random systems there are of each size, and up to which size. Pictures go to benchmarks/results.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.abstraction import accuracy, downward, instances, literal, lookups, shortest
from benchmarks.abstraction.instances import Instance
from benchmarks.abstraction.measure import Book, Run, kept
from benchmarks.abstraction.published import figure
from benchmarks.picture import Axis, Chart

from beeline.heuristics.abstraction import DEFAULT_STATES

Column = tuple[str, str | None]
BOUNDS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)


def table(groups: dict[str, list[Instance]], columns: Sequence[Column], book: Book) -> str:
    """A row for each group: the one instance, or means over several."""
    head = " | ".join(f"{search} {heuristic or ''}".strip() for search, heuristic in columns)
    lines = [f"| | {head} |", "|---" * (len(columns) + 1) + "|"]
    for name, members in groups.items():
        cells = []
        for search, heuristic in columns:
            runs = [book.run(one, search, heuristic) for one in members]
            published = figure(name, search, heuristic or "")
            cells.append(mean(runs) + (f" ({published})" if published else ""))
            print(f"{name:6} {search:8} {heuristic!s:28} {cells[-1]}", file=sys.stderr)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def mean(runs: Sequence[Run]) -> str:
    """Explored states and steps; how many had an answer if not all, or a dash if none had."""
    solved = sum(one.length is not None for one in runs)
    if solved < len(runs):
        return f"{solved} of {len(runs)}" if solved else "-"
    explored = sum(one.explored for one in runs) / len(runs)
    length = sum(one.length or 0 for one in runs) / len(runs)
    return f"{explored:,.0f}, {length:,.0f}"


def families(options: argparse.Namespace, disks: range, heights: range) -> dict[str, list[Instance]]:
    groups = {one.name: [one] for one in (*instances.arbiter(*heights), *instances.hanoi(*disks))}
    for size in range(5, options.largest + 1):
        groups[f"R{size}"] = list(instances.random(range(size, size + 1), options.seeds))
    return groups


def chosen(groups: dict[str, list[Instance]], options: argparse.Namespace) -> dict[str, list[Instance]]:
    """Those whose names begin as `--only` says."""
    return {name: members for name, members in groups.items() if name.startswith(options.only)}


def tables(options: argparse.Namespace, book: Book) -> None:
    groups = families(options, range(4, 11), range(2, 7))
    groups.update({one.name: [one] for one in instances.case_studies(range(2, 5), range(2, 6))})
    groups = chosen(groups, options)
    names = ("dL", "hAA:50;ranking", "hAA:100;ranking", "hAA")
    print("Greedy\n\n" + table(groups, [("greedy", name) for name in ("hU", *names)], book))
    print("\nA*\n\n" + table(groups, [("bfs", None), *(("astar", name) for name in ("hL", *names))], book))


def bounds(options: argparse.Namespace, book: Book) -> None:
    """The default is the smallest bound with which A* explores at most a tenth more than with the best.

    Larger ones take longer to build, and explored states do not depend on how busy the machine is."""
    every = [one for group in families(options, range(5, 9), range(2, 4)).values() for one in group]
    print("| N | solved | explored by A* | build (s) | search (s) | total (s) |\n|---|---|---|---|---|---|")
    explored: dict[int, int] = {}
    lines: dict[str, list[tuple[float, float]]] = {"build": [], "build and search": []}
    for bound in BOUNDS:
        runs = [book.run(one, "astar", f"hAA:{bound}") for one in every]
        solved = [one for one in runs if one.length is not None]
        total = sum(one.seconds for one in runs)
        print(
            f"| {bound} | {len(solved)}/{len(runs)} | {sum(one.explored for one in solved):,} "
            f"| {sum(one.build_s for one in runs):.1f} | {sum(one.search_s for one in runs):.1f} | {total:.1f} |",
            flush=True,
        )
        lines["build"].append((bound, sum(one.build_s for one in runs)))
        lines["build and search"].append((bound, total))
        explored[bound] = sum(one.explored for one in runs)
    best = min(bound for bound in BOUNDS if explored[bound] <= 1.1 * min(explored.values()))
    drawn = Chart("A* by hAA:N", Axis("N", logarithmic=True), Axis("seconds", least=0), lines)
    path = kept("abstraction-bounds.svg")
    drawn.write(path, png=False)
    print(f"\nthe smallest within a tenth of the best: N = {best} (the default is {DEFAULT_STATES}); drawn in {path}")


def strategies(options: argparse.Namespace, book: Book) -> None:
    names = [f"hAA:{DEFAULT_STATES};{order};{shrink}" for order, shrink in STRATEGIES]
    names += ["pdb:cegar", "pdb:doll", "pdb:causal"]
    groups = families(options, range(4, 7), range(2, 4))
    print(table(groups, [("astar", name) for name in names], book))


STRATEGIES = (
    ("ranking", "near"),
    ("ranking", "far"),
    ("ranking", "bisimulation"),
    ("definition", "near"),
    ("nearest", "near"),
    ("smallest", "near"),
    ("smallest", "bisimulation"),
)


def combined(options: argparse.Namespace, book: Book) -> None:
    columns: list[Column] = [
        ("greedy", "hU"),
        ("greedy", "hAA"),
        ("ut", "hU"),
        ("ut", "hAA"),
        ("multi", "hU"),
        ("multi", "hAA, hU"),
    ]
    groups = families(options, range(4, 11), range(2, 5))
    groups.update({one.name: [one] for one in instances.keeping(*range(2, 8))})
    print(table(chosen(groups, options), columns, book))


def accuracies(options: argparse.Namespace, book: Book) -> None:
    pictures: Iterable[tuple[str, Instance, dict[str, str]]] = (
        (
            "hanoi",
            next(instances.hanoi(3)),
            {"near first": "hAA:40;ranking;near", "far first": "hAA:40;ranking;far"},
        ),
        (
            "arbiter",
            next(instances.arbiter(2)),
            {"ranking": "hAA:20;ranking;near", "definition": "hAA:20;definition;near"},
        ),
    )
    print("| picture | curve | perfect up to | mean share missing |\n|---|---|---|---|")
    for name, instance, heuristics in pictures:
        found = accuracy.curves(instance, heuristics)
        for curve, points in found.items():
            print(f"| {instance.name} | {curve} | {accuracy.perfect_up_to(points)} | {accuracy.area(points):.0%} |")
        title = f"{instance.name}: share of the true distance that is missing"
        drawn = Chart(title, Axis("true distance"), Axis("missing", least=0), found)
        drawn.write(kept(f"abstraction-accuracy-{name}.svg"), png=False)


def looked_up(options: argparse.Namespace, book: Book) -> None:
    print("| | hAA (ns) | pdb:causal (ns) |\n|---|---|---|")
    for instance in (*instances.keeping(3, 5, 7), *instances.hanoi(4, 8)):
        cells = [f"{lookups.nanoseconds(instance, name):.0f}" for name in ("hAA", "pdb:causal")]
        print(f"| {instance.name} | " + " | ".join(cells) + " |", flush=True)


def beside_downward(options: argparse.Namespace, book: Book) -> None:
    """Explored states, length, seconds to build the estimate, seconds in all."""
    binary = Path(options.downward or "downward")
    if shutil.which(str(binary)) is None:
        raise SystemExit("Fast Downward's search program is needed: --downward PATH (builds/release/bin/downward)")
    print("| | hAA | Fast Downward, merge-and-shrink | Fast Downward, CEGAR |\n|---|---|---|---|")
    groups = families(options, range(4, 10), range(2, 5))
    groups.update({one.name: [one] for one in instances.keeping(*range(2, 5))})
    for instance in (group[0] for group in chosen(groups, options).values()):
        ours = book.run(instance, "astar", "hAA")
        cells = ["-" if ours.length is None else f"{ours}, {ours.build_s:.2f}, {ours.seconds:.2f}"]
        cells += [
            str(downward.run(binary, instance, search, options.time))
            for search in downward.searches(options.time).values()
        ]
        print(f"| {instance.name} | " + " | ".join(cells) + " |", flush=True)


def in_all(options: argparse.Namespace, book: Book) -> None:
    shortest.print_tables(options)


def word_for_word(options: argparse.Namespace, book: Book) -> None:
    for height, pairs in ((2, ((0, 1), (1, 2))), (3, ((0, 1), (1, 2), (1, 4)))):
        print(f"\nHeight {height}\n")
        literal.print_table(height, pairs, options.seeds)


COMMANDS = {
    "downward": beside_downward,
    "tables": tables,
    "bounds": bounds,
    "strategies": strategies,
    "combined": combined,
    "accuracy": accuracies,
    "literal": word_for_word,
    "lookups": looked_up,
    "shortest": in_all,
}


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.abstraction", description=__doc__)
    parser.add_argument("part", choices=sorted(COMMANDS))
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each search")
    parser.add_argument("--seeds", type=int, default=3, help="random systems of each size")
    parser.add_argument("--largest", type=int, default=7, help="processes of the largest random systems")
    parser.add_argument("--only", default="", help="rows whose names begin so (A, H, K, R, mutex, track)")
    parser.add_argument("--downward", help="Fast Downward's search program, for the comparison with it")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    COMMANDS[options.part](options, Book(options.time, options.again))
    return 0


if __name__ == "__main__":
    sys.exit(main())
