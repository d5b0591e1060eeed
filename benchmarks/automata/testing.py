"""Testing automata after Geldenhuys and Hansen (SPIN 2006): sizes of the automata, products, and equal verdicts."""

from __future__ import annotations

from random import Random

from benchmarks.automata.formulas import SETS
from benchmarks.automata.kripke import (
    Kripke,
    accepts_something,
    livelock_or_visits,
    random_kripke,
    with_automaton,
    with_labelled,
    with_testing,
)
from benchmarks.automata.sampling import random_formula

from beeline.automata import Automaton, Formula, degeneralise, is_stutter_invariant, parse_ltl, propositions, translate
from beeline.automata.testing import (
    ChangeAutomaton,
    StateLabelled,
    generalised_testing_from,
    state_labelled,
    testing_from,
)
from beeline.records import Record

KINDS = ("Büchi (TLBA)", "state-labelled (SLBA)", "testing (TA)", "generalised testing (TGTA)")
Sizes = tuple[tuple[int, int], ...]


class Automata(Record, frozen=True):
    """A formula's automata of each kind."""

    buchi: Automaton
    labelled: StateLabelled
    testing: ChangeAutomaton
    generalised: ChangeAutomaton

    def sizes(self) -> Sizes:
        """States and transitions of each."""
        changing = [(len(t.edges), sum(map(len, t.edges))) for t in (self.testing, self.generalised)]
        labelled = (len(self.labelled.successors), sum(map(len, self.labelled.successors)))
        letters = sum(
            edge.reads(k) for row in self.buchi.edges for edge in row for k in range(1 << len(self.buchi.propositions))
        )
        return (self.buchi.states, letters), labelled, *changing

    def explore(self, system: Kripke) -> tuple[Sizes, tuple[bool, ...]]:
        """The sizes of the products with a system, and whether each accepts something."""
        products = (
            with_automaton(system, self.buchi),
            with_labelled(system, self.labelled),
            with_testing(system, self.testing),
            with_testing(system, self.generalised),
        )
        verdicts = (
            accepts_something(products[0], 1),
            accepts_something(products[1], 1),
            livelock_or_visits(products[2], self.testing),
            accepts_something(products[3], (1 << self.generalised.sets) - 1),
        )
        return tuple(product.size for product in products), verdicts


def automata_of(formula: Formula) -> Automata:
    """All four automata of a stutter-invariant formula."""
    general = translate(formula)
    buchi = degeneralise(general)
    labelled = state_labelled(buchi)
    return Automata(buchi, labelled, testing_from(labelled), generalised_testing_from(general))


def formulas_of(count: int, seed: int) -> list[Formula]:
    """The negated formulas of the literature and random ones, without doubles and stutter-sensitive ones."""
    found = [~parse_ltl(text) for texts in SETS.values() for text in texts]
    for number in range(count):
        random = Random(seed * 1_000_003 + number)
        found.append(random_formula(random, random.randint(3, 12), ("p", "q", "r")[: random.randint(1, 3)]))
    return [f for f in dict.fromkeys(found) if 0 < len(propositions(f)) <= 4 and is_stutter_invariant(f)]


def tables(count: int, seed: int) -> str:
    formulas = formulas_of(count, seed)
    sizes: list[Sizes] = []
    products: list[Sizes] = []
    pairs = violated = different = 0
    for number, formula in enumerate(formulas):
        automata = automata_of(formula)
        sizes.append(automata.sizes())
        random = Random(number)
        for _ in range(4):
            system = random_kripke(random, 30, len(automata.buchi.propositions), random.choice((0.6, 1.0, 2.0)))
            size, verdicts = automata.explore(system)
            products.append(size)
            pairs += 1
            violated += verdicts[0]
            if len(set(verdicts)) > 1:
                different += 1
                print(f"DIFFERENT: {formula}: {dict(zip(KINDS, verdicts, strict=True))}")
    lines = [
        f"{len(formulas)} stutter-invariant formulas, {pairs} products with random systems, {violated} of them accept"
        f" something; verdicts that differ: {different}.",
        "",
        "| | " + " | ".join(KINDS) + " |",
        "|---|" + "--:|" * len(KINDS),
        _line("automata, mean", [_mean(sizes, kind) for kind in range(4)]),
        _line("automata, most", [_most(sizes, kind) for kind in range(4)]),
        _line("products, mean", [_mean(products, kind) for kind in range(4)]),
        _line("products, most", [_most(products, kind) for kind in range(4)]),
    ]
    return "\n".join([*lines, "", *_families()])


def _line(name: str, cells: list[str]) -> str:
    return f"| {name} | " + " | ".join(cells) + " |"


def _mean(rows: list[Sizes], kind: int) -> str:
    states, transitions = (sum(row[kind][part] for row in rows) / len(rows) for part in (0, 1))
    return f"{states:.2f} / {transitions:.2f}"


def _most(rows: list[Sizes], kind: int) -> str:
    return f"{max(row[kind][0] for row in rows)} / {max(row[kind][1] for row in rows)}"


def family(name: str, size: int) -> Formula:
    """The families of the paper: E(n), U(n) with n + 1 propositions, R(n)."""
    if name == "E":
        return parse_ltl(" && ".join(f"<>p{i}" for i in range(1, size + 1)))
    if name == "U":
        return parse_ltl(" U ".join(f"p{i}" for i in range(1, size + 2)))
    return parse_ltl(" && ".join(f"([]<>p{i} || <>[] p{i + 1})" for i in range(1, size + 1)))


def _families(systems: int = 3, states: int = 1000) -> list[str]:
    lines = [
        f"Products with {systems} random systems of {states} states (mean):",
        "",
        "| formula | " + " | ".join(KINDS) + " |",
        "|---|" + "--:|" * len(KINDS),
    ]
    for name, largest in (("E", 3), ("U", 3), ("R", 2)):
        for size in range(1, largest + 1):
            automata = automata_of(family(name, size))
            count = len(automata.buchi.propositions)
            found = [
                automata.explore(random_kripke(Random(seed), states, count, 3.5, 0.6, 1))[0] for seed in range(systems)
            ]
            lines.append(_line(f"{name}({size})", [_mean(found, kind) for kind in range(4)]))
    return lines
