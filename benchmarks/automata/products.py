"""Products that the engine searches, one for each kind of automaton, after Geldenhuys and Hansen (SPIN 2006): what each
search looks at, how large the whole products are, and that all of them give the verdict of a plain one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from benchmarks.automata.kripke import Kripke, accepts_something, random_kripke, with_automaton
from benchmarks.automata.testing import family, formulas_of

from beeline import Limits, NetworkBuilder, check
from beeline.automata import Formula, degeneralise, propositions, translate
from beeline.automata.observer import KINDS
from beeline.checking import Options
from beeline.engine import Found
from beeline.languages import LoadOptions, ask, load
from beeline.model.names import Resolver
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.syntax import parse_expression
from beeline.problems.observed import observed
from beeline.properties.linear import Linear
from beeline.records import Record
from beeline.searches.runner import run

PROMELA = Path(__file__).parents[2] / "models" / "promela"
CONTESTANTS = (("tlba", "ndfs"), ("tlba", "scc"), ("slba", "ndfs"), ("slba", "scc"), ("ta", "testing"), ("tgta", "scc"))
SETTINGS = Options().settings()
DENSITIES = ((1.5, 0.5, 0), (1.5, 0.5, 1), (2.5, 0.5, 1))  # degree, chance of a proposition, least degree
Size = tuple[int, int]

MODELS: tuple[tuple[str, dict[str, str], str], ...] = (
    ("peterson", {}, "[] (critical == 1 -> <> (critical == 0))"),
    ("peterson", {"N": "3"}, "[]<> (critical == 1)"),
    ("hungry_philosophers", {"N": "6"}, "[]<> (taken[0] == 1)"),
    ("hungry_philosophers", {"N": "6"}, "<>[] (taken[0] == 0)"),
    ("hungry_philosophers", {"N": "6"}, "[]<> (taken[0] == 1) -> []<> (taken[3] == 1)"),
)
"""Models of this project: a file, its macros, and a formula."""


class Explored(Record, frozen=True):
    """What one search looked at: states and transitions, both as often as it did."""

    verdict: str
    size: Size


def network_of(system: Kripke) -> Network:
    """A network of one process that walks through a system, and shows in its variables what holds where it is. It comes
    to rest where the system has nothing but a step to the same state."""
    builder = NetworkBuilder("system")
    bits = range(max(max(system.labels).bit_length(), 1))
    for bit in bits:
        builder.variable(f"v{bit}", 0, 1, initial=system.labels[0] >> bit & 1)
    walker = builder.process("Walker")
    for state in range(len(system.labels)):
        walker.location(f"s{state}")
    for state, targets in enumerate(system.successors):
        for target in targets if targets != (state,) else ():
            effect = "; ".join(f"v{bit} = {system.labels[target] >> bit & 1}" for bit in bits)
            walker.edge(f"s{state}", f"s{target}", effect=effect)
    return builder.build()


def question(network: Network, formula: Formula, names: tuple[str, ...]) -> Linear:
    """Whether no run satisfies a formula: the automaton that watches is its own, and reads variables in the order of
    `names`. What else the formula names plays no part in it."""
    resolver = Resolver(network)
    atoms = [
        (name, resolver.resolve(parse_expression(f"v{names.index(name) if name in names else 0} == 1")))
        for name in propositions(formula)
    ]
    return Linear("formula", str(formula), formula=~formula, atoms=tuple(atoms))


def explored(network: Network, asked: Property, kind: str, search: str, seconds: float = 60) -> Explored:
    result = check(network, asked, automaton=kind, search=search, limits=Limits(time=seconds))
    return Explored(result.verdict, (result.statistics.expanded, result.statistics.generated))


def product_size(network: Network, asked: Property, kind: str) -> Size:
    """States and transitions of the whole product."""
    problem = observed(asked.watched(network), asked, kind)
    outcome = run(problem.ready(SETTINGS).space(merged=True), "bfs", stop=Found.NOTHING)
    return outcome.statistics.stored, outcome.statistics.generated


def random_tables(formulas: int, systems: int, seed: int) -> str:
    """The paper's first table: random systems of 100 states, and formulas of the literature and random ones."""
    rows: list[list[Explored]] = []
    wholes: list[list[Size]] = []
    different = 0
    for number, formula in enumerate(formulas_of(formulas, seed)):
        automaton = degeneralise(translate(formula))
        for system in range(systems):
            random, count = Random(f"{seed} {number} {system}"), max(1, len(automaton.propositions))
            kripke = random_kripke(random, 100, count, *DENSITIES[system % len(DENSITIES)])
            network = network_of(kripke)
            asked = question(network, formula, automaton.propositions)
            row = [explored(network, asked, *contestant) for contestant in CONTESTANTS]
            rows.append(row)
            wholes.append([product_size(network, asked, kind) for kind in KINDS])
            expected = "violated" if accepts_something(with_automaton(kripke, automaton), 1) else "holds"
            if {one.verdict for one in row} != {expected}:
                different += 1
                print(f"DIFFERENT: {formula}, {number} {system}: {expected}, {[one.verdict for one in row]}")
    violating = [index for index, row in enumerate(rows) if row[0].verdict == "violated"]
    lines = [
        f"{len(rows)} products, {len(violating)} of them with a violation; verdicts that differ: {different}.",
        "",
        *_head("explored, states / transitions", [", ".join(pair) for pair in CONTESTANTS]),
    ]
    for name, chosen in (("all", range(len(rows))), ("with a violation", violating)):
        for told, join in (("mean", _mean), ("most", _most)):
            cells = [join([rows[i][column].size for i in chosen]) for column in range(len(CONTESTANTS))]
            lines.append(_line(f"{name}, {told}", cells))
    lines += ["", *_head("whole products, states / transitions", KINDS)]
    for told, join in (("mean", _mean), ("most", _most)):
        lines.append(_line(told, [join([row[column] for row in wholes]) for column in range(len(KINDS))]))
    return "\n".join(lines)


def family_table(systems: int = 3, states: int = 1000) -> str:
    """The paper's families of formulas: whole products with random systems."""
    lines = _head(f"whole products with {systems} systems of {states} states (mean)", KINDS)
    for name, largest in (("E", 3), ("U", 3), ("R", 2)):
        for size in range(1, largest + 1):
            formula = family(name, size)
            names = degeneralise(translate(formula)).propositions
            rows = []
            for seed in range(systems):
                network = network_of(random_kripke(Random(seed), states, len(names), 3.5, 0.6, 1))
                rows.append([product_size(network, question(network, formula, names), kind) for kind in KINDS])
            lines.append(
                _line(f"{name}({size})", [_mean([row[column] for row in rows]) for column in range(len(KINDS))])
            )
    return "\n".join(lines)


def model_table() -> str:
    """Models of this project: what each search looked at until its verdict."""
    lines = _head("model, formula", [", ".join(pair) for pair in CONTESTANTS])
    for name, macros, text in MODELS:
        network = load(PROMELA / f"{name}.pml", options=LoadOptions(macros))
        assert isinstance(network, Network)
        asked = ask(network, f"ltl: {text}")
        row = [explored(network, asked, *contestant) for contestant in CONTESTANTS]
        verdicts = sorted({one.verdict for one in row})
        told = " ".join([name, *(f"{macro}={value}" for macro, value in macros.items())])
        cells = [" / ".join(f"{part:,}" for part in one.size) for one in row]
        lines.append(_line(f"{told}, `{text}`: {' and '.join(verdicts)}", cells))
    return "\n".join(lines)


def _head(name: str, columns: Sequence[str]) -> list[str]:
    return [f"| {name} | " + " | ".join(columns) + " |", "|---|" + "--:|" * len(columns)]


def _line(name: str, cells: list[str]) -> str:
    return f"| {name} | " + " | ".join(cells) + " |"


def _mean(sizes: list[Size]) -> str:
    return " / ".join(f"{sum(size[part] for size in sizes) / max(1, len(sizes)):.1f}" for part in (0, 1))


def _most(sizes: list[Size]) -> str:
    return " / ".join(str(max((size[part] for size in sizes), default=0)) for part in (0, 1))
