"""Ways to search for cycles, next to one another: threads, steps left out, acceptance sets, bytes of a state."""

from __future__ import annotations

import argparse
import statistics
from typing import Any

from benchmarks.liveness.checks import FORMULA, NAME, asked_models, asking, ours
from benchmarks.speed.models import MEDIUM, Model
from benchmarks.speed.processes import explore_alone

SECONDS = "600"

SEEN = (
    (Model("peterson.pml", (), 0), "[] (critical == 1 -> <> (critical == 0))"),
    (Model("leader.pml", ("N=7",), 0), "<>[] (leaders == 1)"),
    (Model("two_phase_commit.pml", ("N=4",), 0), "[] (commits > 0 -> [] (commits > 0))"),
    (Model("sliding_window.pml", ("N=4",), 0), FORMULA),
    (Model("philosophers.pml", ("N=8", "ORDERED"), 0), FORMULA),
    (Model("pipeline.pml", (), 0), FORMULA),
    (Model("marriers.pml", ("N=4",), 0), FORMULA),
)
"""Models and formulas that see few of their steps."""

PROMISES = (
    "[]<> (_nr_pr > {0}) && []<> (_nr_pr < 99) -> []<> (_nr_pr > 0)",
    "([]<> (_nr_pr > {0}) && []<> (_nr_pr > {1}) && []<> (_nr_pr < 99)) -> []<> (_nr_pr > 0)",
)


def show_memory(asked: argparse.Namespace) -> None:
    """The same formula: the product has as many states as the model, so that bytes a state can be compared."""
    print("| model | states | explore | ndfs | ratio | scc | ratio |\n|---|--:|--:|--:|--:|--:|--:|")
    ratios: dict[str, list[float]] = {"ndfs": [], "scc": []}
    for model in asked_models(asked):
        plain = explore_alone(model.path, *model.macros)
        bytes_of_safety = plain["memory"] / plain["states"]
        line = f"| {model.name} | {plain['states']:,} | {bytes_of_safety:.1f} |"
        with asking(model) as file:
            for search, found in ratios.items():
                row = ours(file, NAME, search, SECONDS, model.macros, asked.core)
                if row["verdict"] != "holds":
                    break
                found.append(row["memory"] / row["states"] / bytes_of_safety)
                line += f" {row['memory'] / row['states']:.1f} | {found[-1]:.2f} |"
            else:
                print(line, flush=True)
    for search, found in ratios.items():
        print(f"\n{search}: median {statistics.median(found):.2f}, most {max(found):.2f}, of {len(found)} models")


def show_threads(asked: argparse.Namespace) -> None:
    """By the clock, in turns; the ratio means something only where two cores are free."""
    print("| model | states | one thread, s | two, s | ratio | expanded by two, per state | bytes a state |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    ratios = []
    for model in (*MEDIUM, *asked_models(asked)):
        if not any(word in model.name for word in asked.models):
            continue
        with asking(model) as file:
            rows: dict[int, list[dict[str, Any]]] = {1: [], 2: []}
            for _ in range(asked.repeats):
                for threads, found in rows.items():
                    found.append(ours(file, NAME, f"ndfs --threads={threads}", SECONDS, model.macros, None))
        one, two = (statistics.median(row["wall"] for row in found) for found in rows.values())
        last = rows[2][-1]
        if last["verdict"] != "holds":
            continue
        ratios.append(one / two)
        twice = last["expanded"] / last["states"]
        print(
            f"| {model.name} | {last['states']:,} | {one:.2f} | {two:.2f} | {ratios[-1]:.2f} | {twice:.2f} "
            f"| {last['memory'] / last['states']:.0f} |",
            flush=True,
        )
    print(f"\nmedian {statistics.median(ratios):.2f} of {len(ratios)} models")


def show_reduction(asked: argparse.Namespace) -> None:
    """States stored by nested search, with all steps and with those that the formula cannot tell from others."""
    print("| model | formula | all steps | s | stubborn | s | ample | s |\n|---|---|--:|--:|--:|--:|--:|--:|")
    for model, formula in SEEN:
        if not any(word in model.name for word in asked.models):
            continue
        line, verdicts = f"| {model.name} | `{formula}` |", set()
        with asking(model, formula) as file:
            for reduction in ("none", "stubborn", "ample"):
                row = ours(file, NAME, f"ndfs --reduce={reduction}", SECONDS, model.macros, asked.core)
                verdicts.add(row["verdict"])
                line += f" {row['states']:,} | {row['seconds']:.2f} |"
        print(line + ("" if len(verdicts) == 1 else f" {verdicts}"), flush=True)


def show_sets(asked: argparse.Namespace) -> None:
    """Products with automata of one acceptance set (ndfs) and of several (scc), of formulas that hold."""
    print("| model | formula | one set: states | s | several: states | s |\n|---|---|--:|--:|--:|--:|")
    for model in (*MEDIUM, Model("sliding_window.pml", (), 0)):
        if not any(word in model.name for word in asked.models):
            continue
        for pattern in PROMISES:
            formula = pattern.format(1, 2)
            with asking(model, formula) as file:
                one, several = (ours(file, NAME, s, SECONDS, model.macros, asked.core) for s in ("ndfs", "scc"))
            same = "" if one["verdict"] == several["verdict"] == "holds" else f" {one['verdict']}, {several['verdict']}"
            print(
                f"| {model.name} | `{formula}` | {one['states']:,} | {one['seconds']:.2f} | {several['states']:,} "
                f"| {several['seconds']:.2f} |{same}",
                flush=True,
            )
