"""The tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from benchmarks.beem.measure import Record
from benchmarks.directed.configurations import Configuration
from benchmarks.directed.published import PUBLISHED

Results = dict[tuple[str, str], Record]
MEASURABLE = 0.12
"""Seconds: below, a time is mostly that of reading the model."""


def answered(record: Record) -> bool:
    return record.get("verdict") in ("violated", "holds")


def cell(record: Record | None) -> str:
    """Explored states and length, or why there is no answer."""
    if record is None:
        return ""
    if not answered(record):
        return "-" if "failed" not in record else "n/a"
    explored = record["states"]["expanded"]
    length = record.get("trace_length")
    added = (record.get("shrinking") or {}).get("added")
    told = f"{length - added} + {added}" if added else length
    return f"{explored:,}" if length is None else f"{explored:,}, {told}"


def explored(instances: Iterable[str], configurations: Sequence[Configuration], results: Results) -> str:
    """A row for each instance and a column for each configuration; published figures in brackets."""
    lines = ["| instance | " + " | ".join(map(str, configurations)) + " |", "|---" * (len(configurations) + 1) + "|"]
    for name in instances:
        cells = []
        for configuration in configurations:
            text = cell(results.get((name, str(configuration))))
            paper = PUBLISHED.get((name, str(configuration)))
            cells.append(f"{text} ({paper})" if paper else text)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def solved(instances: Sequence[str], configurations: Sequence[Configuration], results: Results) -> str:
    """How many instances each configuration answers, and at what price."""
    lines = [
        "| configuration | violated | holds | no answer | explored (sum) | time (sum, s) | length (sum) |",
        "|---|---|---|---|---|---|---|",
    ]
    for configuration in configurations:
        mine = [record for name in instances if (record := results.get((name, str(configuration)))) is not None]
        good = [record for record in mine if answered(record)]
        violated = sum(record["verdict"] == "violated" for record in good)
        states = sum(record["states"]["expanded"] for record in good)
        seconds = sum(record["time_s"] for record in good)
        length = sum(record.get("trace_length") or 0 for record in good)
        lines.append(
            f"| {configuration} | {violated} | {len(good) - violated} | {len(mine) - len(good)} | {states:,} "
            f"| {seconds:.1f} | {length:,} |"
        )
    return "\n".join(lines)


def within(
    instances: Sequence[str], configurations: Sequence[Configuration], results: Results, limits: Sequence[float]
) -> str:
    """How many instances each configuration answers within some seconds, from command to verdict, and how many states
    it explores next to the first configuration: the median over what both answer. Times next to it where there is
    something to measure."""
    first = str(configurations[0])
    titles = [f"in {limit:g} s" for limit in limits]
    titles += [f"states next to {first}", f"time next to {first}, where that is over {MEASURABLE} s"]
    lines = [f"| configuration | {' | '.join(titles)} |", "|---" * (len(titles) + 1) + "|"]
    for configuration in configurations:
        good = {name: record for name in instances if answered(record := results[name, str(configuration)])}
        counts = [sum(record["elapsed_s"] <= limit for record in good.values()) for limit in limits]
        ratios = [
            record["states"]["expanded"] / max(1, results[name, first]["states"]["expanded"])
            for name, record in good.items()
            if answered(results[name, first])
        ]
        told = f"{median(ratios):.3g} ({len(ratios)} both)" if ratios else ""
        both = [(record["elapsed_s"], results[name, first]) for name, record in good.items()]
        slower = [mine / its["elapsed_s"] for mine, its in both if answered(its) and its["elapsed_s"] > MEASURABLE]
        slow = f"{median(slower):.3g} ({len(slower)})" if slower else ""
        lines.append(f"| {configuration} | {' | '.join(map(str, counts))} | {told} | {slow} |")
    return "\n".join(lines)


def times(instances: Iterable[str], configurations: Sequence[Configuration], results: Results) -> str:
    """From command to verdict, in seconds."""
    lines = ["| instance | " + " | ".join(map(str, configurations)) + " |", "|---" * (len(configurations) + 1) + "|"]
    for name in instances:
        cells = []
        for configuration in configurations:
            record = results.get((name, str(configuration)))
            cells.append("-" if record is None or not answered(record) else f"{record['elapsed_s']:.2f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
