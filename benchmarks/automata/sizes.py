"""States of our automata next to those of SPIN, of LTL3BA, and of Spot as its own tests have them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from benchmarks.automata import ltl3ba, spin
from benchmarks.automata.formulas import SETS
from benchmarks.automata.published import SPOT
from benchmarks.automata.sampling import random_formula

from beeline.automata import Formula, degeneralise, is_next_free, parse_ltl, translate
from beeline.records import Record

_SECONDS = 3.0


class Beside(Record):
    """Sums over the formulas of which another tool's sizes are known: generalised, and Büchi."""

    formulas: int = 0
    ours: tuple[int, int] = (0, 0)
    theirs: tuple[int, int] = (0, 0)
    larger: int = 0

    def add(self, ours: tuple[int, int], theirs: tuple[int, int]) -> None:
        self.formulas += 1
        self.ours = (self.ours[0] + ours[0], self.ours[1] + ours[1])
        self.theirs = (self.theirs[0] + theirs[0], self.theirs[1] + theirs[1])
        self.larger += ours[1] > theirs[1]


class Row(Record):
    """Sums over a set of formulas."""

    name: str
    spot: Beside
    spin: Beside
    ltl3ba: Beside
    formulas: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


def measure(name: str, formulas: list[Formula], published: list[tuple[int, int] | None]) -> Row:
    """Translates the formulas; `published` are Spot's sizes where they are known."""
    row = Row(name, Beside(), Beside(), Beside())
    for formula, spot_sizes in zip(formulas, published, strict=True):
        begin = time.process_time()
        general = translate(formula)
        buchi = degeneralise(general)
        taken = time.process_time() - begin
        row.formulas += 1
        row.seconds += taken
        row.slowest = max(row.slowest, taken)
        ours = (general.states, buchi.states)
        if spot_sizes is not None:
            row.spot.add(ours, spot_sizes)
        if ltl3ba.is_present() and (theirs := ltl3ba.sizes(formula, _SECONDS)) is not None:
            row.ltl3ba.add(ours, theirs)
        if spin.is_present() and is_next_free(formula) and (claim := spin.claim_states(formula, _SECONDS)) is not None:
            row.spin.add(ours, (0, claim))
            if buchi.states > claim:
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
    return "\n\n".join("\n".join(table(rows)) for table in (_with_spot, _with_ltl3ba, _with_spin))


def _with_spot(rows: list[Row]) -> Iterator[str]:
    yield "| formulas | number | generalised, states | Spot's | Büchi, states | Spot's | ms, mean | ms, most |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for row in rows:
        if row.spot.formulas:
            times = f"{1000 * row.seconds / row.formulas:.1f} | {1000 * row.slowest:.0f}"
            yield f"| {row.name} | {_both(row.spot)} | {times} |"


def _with_ltl3ba(rows: list[Row]) -> Iterator[str]:
    yield (
        "| formulas | number | generalised, states | LTL3BA's | Büchi, states | LTL3BA's |"
        " Büchi automata larger than LTL3BA's |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for row in rows:
        yield f"| {row.name} | {_both(row.ltl3ba)} | {row.ltl3ba.larger} |"


def _both(beside: Beside) -> str:
    sizes = (size for pair in zip(beside.ours, beside.theirs, strict=True) for size in pair)
    return " | ".join(str(number) for number in (beside.formulas, *sizes))


def _with_spin(rows: list[Row]) -> Iterator[str]:
    yield "| formulas without X | number | Büchi, states | SPIN's claims, states | larger than SPIN's |"
    yield "|---|--:|--:|--:|--:|"
    for row in rows:
        told = row.spin
        yield f"| {row.name} | {told.formulas} | {told.ours[1]} | {told.theirs[1]} | {told.larger} |"
