"""States of our automata next to SPIN's claims, and to the sizes that Spot keeps in its own tests."""

from __future__ import annotations

import time
from random import Random

from benchmarks.automata import spin
from benchmarks.automata.formulas import SETS
from benchmarks.automata.published import SPOT
from benchmarks.automata.sampling import random_formula

from beeline.automata import Formula, degeneralise, is_next_free, parse_ltl, translate
from beeline.records import Record

_SPIN_SECONDS = 3.0


class Row(Record):
    """Sums over a set of formulas."""

    name: str
    formulas: int = 0
    general: int = 0
    buchi: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    spot: int = 0
    spot_general: int = 0
    spot_buchi: int = 0
    with_spot: tuple[int, int] = (0, 0)
    spin: int = 0
    spin_states: int = 0
    with_spin: int = 0
    larger: int = 0


def measure(name: str, formulas: list[Formula], published: list[tuple[int, int] | None]) -> Row:
    """Translates the formulas; `published` are Spot's sizes where they are known."""
    row = Row(name)
    for formula, spot_sizes in zip(formulas, published, strict=True):
        begin = time.process_time()
        general = translate(formula)
        buchi = degeneralise(general)
        taken = time.process_time() - begin
        row.formulas += 1
        row.seconds += taken
        row.slowest = max(row.slowest, taken)
        row.general += general.states
        row.buchi += buchi.states
        if spot_sizes is not None:
            row.spot += 1
            row.spot_general += spot_sizes[0]
            row.spot_buchi += spot_sizes[1]
            row.with_spot = (row.with_spot[0] + general.states, row.with_spot[1] + buchi.states)
        if spin.is_present() and is_next_free(formula):
            claim = spin.claim_states(formula, _SPIN_SECONDS)
            if claim is not None:
                row.spin += 1
                row.spin_states += claim
                row.with_spin += buchi.states
                if buchi.states > claim:
                    row.larger += 1
                    print(f"larger than SPIN's: {formula}: {buchi.states} and {claim}")
    return row


def random_set(count: int, seed: int) -> list[Formula]:
    """Random formulas without X, which SPIN's usual build does not take."""
    found: list[Formula] = []
    number = 0
    while len(found) < count:
        random = Random(seed * 1_000_003 + number)
        number += 1
        formula = random_formula(random, random.randint(3, 12), ("p", "q", "r")[: random.randint(1, 3)])
        if is_next_free(formula):
            found.append(formula)
    return found


def tables(count: int, seed: int) -> str:
    rows = []
    for name, texts in SETS.items():
        formulas = [parse_ltl(text) for text in texts]
        rows.append(measure(name, formulas, list(SPOT[name])))
        rows.append(measure(f"negated {name}", [~formula for formula in formulas], list(SPOT[f"!{name}"])))
    chosen = random_set(count, seed)
    rows.append(measure("random, without X", chosen, [None] * len(chosen)))
    return "\n".join([*_with_spot(rows), "", *_with_spin(rows)])


def _with_spot(rows: list[Row]) -> list[str]:
    lines = [
        "| formulas | number | generalised, states | Spot's | Büchi, states | Spot's | ms, mean | ms, most |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        if row.spot:
            lines.append(
                f"| {row.name} | {row.spot} | {row.with_spot[0]} | {row.spot_general} | {row.with_spot[1]} |"
                f" {row.spot_buchi} | {1000 * row.seconds / row.formulas:.1f} | {1000 * row.slowest:.0f} |"
            )
    return lines


def _with_spin(rows: list[Row]) -> list[str]:
    lines = ["| formulas without X | number | Büchi, states | SPIN's claims, states | larger than SPIN's |"]
    lines.append("|---|--:|--:|--:|--:|")
    for row in rows:
        lines.append(f"| {row.name} | {row.spin} | {row.with_spin} | {row.spin_states} | {row.larger} |")
    return lines
