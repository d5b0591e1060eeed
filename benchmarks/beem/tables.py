"""The tables of docs/dve.md, in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from benchmarks.beem.compare import judge_counts, judge_goal
from benchmarks.beem.measure import Record
from benchmarks.beem.suite import Run, size_class


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; the first column is left, the others right.

    >>> print(table(("a", "b"), [(1, 2)]))
    | a | b |
    |---|--:|
    | 1 | 2 |
    """
    rule = "|".join(["---"] + ["--:"] * (len(header) - 1))
    lines = [" | ".join(header), *(" | ".join(str(cell) for cell in row) for row in rows)]
    shown = [f"| {line} |" for line in lines]
    return "\n".join([shown[0], f"|{rule}|", *shown[1:]])


def grouped(number: object) -> str:
    """A number with its thousands apart."""
    return f"{number:,}" if isinstance(number, int) else str(number)


def by_family(runs: Iterable[Run], checked: dict[str, tuple[int, int]]) -> str:
    """For each family: how many instances are equal to what was published, new, differing, beyond the limits."""
    rows = []
    total: Counter[str] = Counter()
    for family, members in groupby(_in_order(runs), key=lambda run: run.instance.family):
        some = list(members)
        words = Counter(judge_counts(run.instance, run.record, checked).word for run in some)
        total += words
        largest = max((run.record["states"] for run in some if run.record.get("complete")), default=0)
        rows.append((family, len(some), *_spread(words), grouped(largest)))
    rows.append(("**all**", sum(total.values()), *_spread(total), ""))
    return table(
        ("family", "instances", "equal", "nothing published", "differ", "beyond limits", "largest explored"), rows
    )


def _spread(words: Counter[str]) -> tuple[int, int, int, int]:
    return words["equal"], words["new"], words["differs"], words["limit"] + words["failed"]


def differences(runs: Iterable[Run], checked: dict[str, tuple[int, int]]) -> str:
    """Every instance whose counts differ, or that failed, with the reason if one is known."""
    rows = []
    for run in _in_order(runs):
        judged = judge_counts(run.instance, run.record, checked)
        if judged.word in ("differs", "failed"):
            ours, theirs = run.record.get("states", "-"), run.instance.published.states
            rows.append((run.instance.name, grouped(ours), grouped(theirs), judged.detail or "not explained"))
    return table(("instance", "states", "published", "why"), rows)


def beyond(runs: Iterable[Run]) -> str:
    """The instances that did not fit, with what is known of their size."""
    rows = []
    for run in _in_order(runs):
        if not run.record.get("complete") and "failed" not in run.record:
            published = run.instance.published
            size = ("" if published.complete else "> ") + grouped(published.states)
            rows.append((run.instance.name, size, grouped(run.record["states"]), run.record.get("reason") or ""))
    return table(("instance", "published states", "stored", "limit"), rows)


def goal_lengths(runs: Iterable[Run]) -> str:
    """Every reachable goal: the shortest length, and the published one where it is known."""
    rows = []
    for run in _in_order(runs):
        answer = next(a for a in run.instance.published.goals if a.number == run.number)
        judged = judge_goal(run.instance, answer, run.record)
        if run.record.get("verdict") == "violated" or judged.word == "differs":
            length = run.record.get("trace_length")
            published = answer.length if answer.answer == "yes" else answer.answer
            note = judged.detail or {"equal": "", "new": "not known before"}.get(judged.word, judged.word)
            rows.append((f"{run.instance.name} goal{run.number}", "-" if length is None else length, published, note))
    return table(("goal", "steps", "published states on the path", "note"), rows)


def classes(sizes: dict[str, tuple[int, bool]]) -> str:
    """The instances of each size class; those whose size is only known from below have a plus."""
    rows = []
    for power in sorted({size_class(states) for states, _ in sizes.values()}):
        members = [
            name + ("" if exact else "+") for name, (states, exact) in sizes.items() if size_class(states) == power
        ]
        rows.append((f"10^{power}", len(members), ", ".join(members)))
    return table(("states", "instances", "names"), rows)


def speed(runs: Iterable[Run]) -> str:
    """States per second of processor time, and bytes per state."""
    rows = []
    for run in runs:
        states, seconds = run.record["states"], run.record["seconds"]
        rate, size = states / seconds / 1000, run.record["memory"] / states
        counts = grouped(states), grouped(run.record["transitions"])
        rows.append((run.instance.name, *counts, f"{seconds:.2f}", f"{rate:,.0f}", f"{size:.1f}"))
    return table(("instance", "states", "transitions", "seconds", "1000 states/s", "bytes/state"), rows)


def twin_verdicts(pairs: Iterable[tuple[Run, Run]]) -> str:
    """How the two languages answer: counts of agreement by family, with every disagreement named."""
    rows = []
    order = sorted(pairs, key=lambda pair: (pair[0].instance.family, pair[0].instance.number))
    for family, members in groupby(order, key=lambda pair: pair[0].instance.family):
        words: Counter[str] = Counter()
        odd: list[str] = []
        for dve, promela in members:
            first, second = _verdict(dve.record), _verdict(promela.record)
            if "unknown" in (first, second):
                words["unknown"] += 1
            elif first == second:
                words["same"] += 1
            else:
                odd.append(f"{dve.instance.name}: {first} / {second}")
        rows.append((family, words["same"], words["unknown"], len(odd), "; ".join(odd)))
    return table(("family", "same verdict", "one unknown", "different", "which (DVE / Promela)"), rows)


def property_verdicts(pairs: Iterable[tuple[Run, Run]]) -> str:
    """What is said of the LTL properties, asked with DiVinE's automaton and with our own, next to what is published."""
    rows = []
    order = sorted(pairs, key=lambda pair: (pair[0].instance.family, pair[0].instance.number))
    for family, members in groupby(order, key=lambda pair: pair[0].instance.family):
        words: Counter[str] = Counter()
        odd: list[str] = []
        for claim, formula in members:
            published = {answer.number: answer.answer for answer in claim.instance.published.properties}[claim.number]
            told = {_verdict(claim.record), _verdict(formula.record)} - {"unknown"}
            known = told | ({_ANSWERS[published]} - {""})
            words["asked"] += 1
            words["both"] += _verdict(claim.record) == _verdict(formula.record) != "unknown"
            words["open"] += not told
            words["published"] += bool(_ANSWERS[published] and told)
            words["new"] += bool(told and not _ANSWERS[published])
            if len(known) > 1:
                said = f"{_verdict(claim.record)}, {_verdict(formula.record)}, {published}"
                odd.append(f"{claim.instance.name}.prop{claim.number}: {said}")
        counts = (words[word] for word in ("asked", "both", "published", "new", "open"))
        rows.append((family, *counts, "; ".join(odd)))
    heads = ("family", "properties", "answered both ways", "and published", "published as unknown", "open", "differ")
    return table(heads, rows)


_ANSWERS = {"yes": "holds", "no": "violated", "unknown": ""}


def _verdict(record: Record) -> str:
    return "failed" if "failed" in record else str(record["verdict"])


def _in_order(runs: Iterable[Run]) -> list[Run]:
    return sorted(runs, key=lambda run: (run.instance.family, run.instance.number, run.number))
