"""Searches for cycles find the same with steps left out, and say why where nothing may be."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchmarks.automata.sampling import random_formula
from benchmarks.conformance.liveness import live_program_of, random_claim
from hypothesis import strategies as st
from tests.loosely_coupled import sampler_of
from tests.random_checks import few_and_many

from beeline import Limits
from beeline.automata import parse_ltl, translate
from beeline.automata.never_claim import to_never_claim
from beeline.checking import Result, check
from beeline.languages import load
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.model.source import BeelineError
from beeline.properties.linear import Linear

SEEDS = st.integers(0, 2**32 - 1)
SEARCHES = ("ndfs", "scc", "bfs", "auto")
REDUCTIONS = ("stubborn", "ample")
FORMULAS = (
    "[]<> p",
    "<>[] p",
    "[](p -> <> q)",
    "[]<> p -> []<> q",
    "p U (q U r)",
    "[](p -> (q W r))",
    "<>(p && <>(q && <> r))",
    "<>[] p || []<> (q && !r)",
    "[] (p || <> (q && [] r))",
    "! ([]<> p && []<> q && []<> r)",
)
FEW = Limits(states=3000, time=20)


def decided(result: Result) -> bool:
    return result.verdict != "unknown"


def same_verdicts(network: Network, asked: Property) -> int:
    """How many of the searches left out steps."""
    plain = check(network, asked, search="ndfs", limits=FEW)
    if not decided(plain):
        return 0
    reduced = 0
    for search in SEARCHES:
        for reduction in REDUCTIONS:
            result = check(network, asked, search=search, reduce=reduction, limits=FEW)
            told = f"{asked.title} by {search} with {reduction}: {plain.verdict} became {result.verdict}"
            assert not decided(result) or result.verdict == plain.verdict, told
            reduced += result.reduction != "none" and result.statistics.stored < plain.statistics.stored
    return reduced


def compare(seed: int) -> int:
    sampler = sampler_of(seed)
    network, reduced = sampler.network(), 0
    for _ in range(3):
        facts = [sampler.rare_state(network) for _ in range(3)]
        if None not in facts:
            formula = parse_ltl(sampler.random.choice(FORMULAS))
            atoms = tuple((name, fact) for name, fact in zip("pqr", facts, strict=True) if fact is not None)
            reduced += same_verdicts(network, Linear("f", str(formula), formula=formula, atoms=atoms))
    return reduced


STATEMENTS = (
    "inp?x",
    "out!number",
    "out!x",
    "g = number",
    "x = number; y = x",
    "len(inp) > 0",
    "if :: x > number -> y = 1 :: else -> y = 0 fi",
    "g > 0 -> g--",
)


def drawn_ring(seed: int) -> str:
    """Processes on a ring of channels, started one by one with numbers that are drawn, and now and then with channels
    that are, too."""
    random = Random(seed)
    to, back = random.choice((("q[d]", "q[1 - d]"), ("q[0]", "q[1]")))
    bodies = [
        "do :: " + " :: ".join(f"{random.choice(STATEMENTS)}; {random.choice(STATEMENTS)}" for _ in range(2)) + " od",
        "; ".join(random.choice(STATEMENTS) for _ in range(4)),
    ]
    return f"""
byte g; chan q[2] = [{random.randint(1, 2)}] of {{ byte }};
proctype P(chan inp, out; byte number) {{ byte x, y; out!number; {random.choice(bodies)} }}
proctype Q(chan inp, out; byte number) {{ byte x, y; {random.choice(bodies)} }}
init {{ byte d; atomic {{ select(d: 0 .. 1); run P({to}, {back}, d); run Q({back}, {to}, 1 - d) }} }}
ltl comes {{ <> (g == 1) }}
ltl settles {{ <>[] (g == 0) }}
ltl again {{ []<> (g == 0) }}
"""


MESSAGES = ("c[{0}]?x", "c[{0}]!x", "c[{0}]?<x>", "c[{0}]??1", "c[{0}]!!1", "c[{0}]!x; c[{1}]?x", "c[{0}]?x; c[{1}]!x")
MOVES = ("x = 1 - x", "g = !g", "nempty(c[{0}]); x = 0", "if :: x -> skip :: else -> x = 1 fi", "h = 1 - h; h = 1 - h")


def drawn_messages(seed: int) -> str:
    """Processes that loop, or loop for a while, and go round by messages, by moves of their own, or by both."""
    random = Random(seed)
    channels, capacity = random.randint(1, 3), random.choice((0, 1, 1, 2))

    def loop() -> str:
        ways = []
        for _ in range(random.randint(1, 2)):
            parts = [random.choice(MESSAGES), random.choice(MOVES), random.choice(MESSAGES)]
            which = [random.randrange(channels) for _ in range(2)]
            chosen = random.sample(parts, random.choice((1, 1, 2)))
            ways.append("; ".join(part.format(*which) for part in chosen))
        return "do " + " ".join(f":: {way}" for way in ways) + random.choice((" :: break", "", "")) + " od"

    bodies = ["; ".join(loop() for _ in range(random.choice((1, 1, 2)))) for _ in range(random.randint(2, 4))]
    processes = "".join(f"active proctype P{i}() {{ bit x; {body} }}\n" for i, body in enumerate(bodies))
    return f"""
bool g; bit h; chan c[{channels}] = [{capacity}] of {{ bit }};
{processes}
ltl settles {{ <>[] g }}
ltl again {{ []<> !g }}
ltl fills {{ []<> (len(c[0]) == {capacity}) }}
ltl flips {{ [] (g -> <> !g) }}
"""


def drawn_claim(seed: int) -> str:
    """The processes of `drawn_messages`, with a claim: at random, or made from a formula."""
    random, names = Random(seed), ("g", "h == 1")
    text = drawn_messages(seed).partition("ltl")[0]
    if random.random() < 0.5:
        return text + random_claim(["g", "h"], random)
    return text + to_never_claim(translate(random_formula(random, random.randint(2, 6), names)))


def compare_claim(seed: int) -> int:
    return compare_text(drawn_claim(seed))


def compare_program(seed: int) -> int:
    return compare_text(live_program_of(seed))


def compare_drawn_ring(seed: int) -> int:
    return compare_text(drawn_ring(seed))


def compare_drawn_messages(seed: int) -> int:
    return compare_text(drawn_messages(seed))


def compare_text(text: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.pml"
        path.write_text(text)
        try:
            network = load(path)
        except (BeelineError, ValueError):
            return 0
    assert isinstance(network, Network)
    return sum(same_verdicts(network, asked) for asked in network.properties if asked.seeks_cycle)


test_reduced_searches_of_networks_agree_with_plain_search, test_thousands_of_networks = few_and_many(
    compare, SEEDS, 12, 2000
)
test_reduced_searches_of_promela_programs_agree_with_plain_search, test_a_thousand_promela_programs = few_and_many(
    compare_program, SEEDS, 8, 1000
)
test_reduced_searches_of_drawn_messages_agree_with_plain_search, test_a_thousand_drawn_messages = few_and_many(
    compare_drawn_messages, SEEDS, 6, 1000
)
test_reduced_searches_with_claims_agree_with_plain_search, test_a_thousand_claims = few_and_many(
    compare_claim, SEEDS, 6, 1000
)
test_reduced_searches_of_drawn_rings_agree_with_plain_search, test_a_thousand_drawn_rings = few_and_many(
    compare_drawn_ring, SEEDS, 6, 1000
)


def test_steps_are_left_out_whatever_number_was_drawn(tmp_path: Path) -> None:
    path = tmp_path / "drawn.pml"
    path.write_text("""
bool done;
proctype P(byte number) { byte x = number; x++; x++; x++; done = 1 }
init { byte d; atomic { select(d: 1 .. 9); run P(d); run P(10 - d) } }
ltl comes { <> done }
""")
    plain, found = (check(path, "comes", search="ndfs", reduce=reduction) for reduction in ("none", "stubborn"))
    assert (plain.verdict, found.verdict) == ("holds", "holds")
    assert 2 * found.statistics.stored < plain.statistics.stored


TWO = """
byte x, y, z;
active proctype P() { do :: x < 9 -> x++ od }
active proctype Q() { do :: y < 9 -> y++ od }
active proctype R() { do :: z < 9 -> z++ :: z == 9 -> progress: z = 0 od }
ltl grows { <> (z == 9) }
ltl comes_back { []<> (z == 0) }
ltl next { X (z == 0) }
ltl bounded { [] (z <= 9) }
"""


@pytest.fixture
def two(tmp_path: Path) -> Network:
    path = tmp_path / "two.pml"
    path.write_text(TWO)
    found = load(path)
    assert isinstance(found, Network)
    return found


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("question", ["comes_back", "progress"])
def test_steps_that_the_question_does_not_see_are_left_out(search: str, question: str, two: Network) -> None:
    plain = check(two, question, search="ndfs")
    found = check(two, question, search=search, reduce="stubborn")
    assert (found.verdict, found.reduction) == (plain.verdict, "stubborn:static")
    if search == "ndfs" and plain.verdict == "holds":
        assert found.statistics.stored < plain.statistics.stored


def test_a_safety_formula_is_reduced_too(two: Network) -> None:
    plain, found = (check(two, "bounded", search="bfs", reduce=reduction) for reduction in ("none", "stubborn"))
    assert (plain.verdict, found.verdict, found.reduction) == ("holds", "holds", "stubborn:static")
    assert found.statistics.stored < plain.statistics.stored


@pytest.mark.parametrize(
    ("question", "options", "why"),
    [
        ("next", {}, "can tell a run from one in which a state is repeated"),
        ("grows", {"fairness": "weak"}, "weakly fair"),
        ("grows", {"fairness": "strong"}, "strongly fair"),
        ("grows", {"reduce": "ample:closed", "search": "bfs"}, "goes with 'static' only"),
        ("ltl: <> (timeout)", {}, "timeout"),
    ],
)
def test_what_is_not_reduced_says_why(question: str, options: dict[str, Any], why: str, two: Network) -> None:
    result = check(two, question, **{"reduce": "stubborn", **options})
    assert result.reduction == "none" and result.reduction_note.startswith("off: ") and why in result.reduction_note


CLAIMED = """
bool p;
active proctype P() { do :: p = !p od }
active [3] proctype Q() { byte x; x = 1; x = 2; x = 3; x = 4 }
"""


def claimed(text: str, folder: Path) -> Network:
    path = folder / "claim.pml"
    path.write_text(CLAIMED + text)
    found = load(path)
    assert isinstance(found, Network)
    return found


@pytest.mark.parametrize(
    "claim",
    [
        "never { T: do :: p -> goto accept :: true od; accept: do :: !p od }",
        "never { T: do :: !p :: else -> break od }",
        "never { T: do :: p -> goto S :: else od; S: do :: p :: else -> goto accept od; accept: do :: !p od }",
    ],
)
def test_a_claim_that_counts_no_repetitions_is_reduced(claim: str, tmp_path: Path) -> None:
    network = claimed(claim, tmp_path)
    plain, found = (check(network, "claim", search="ndfs", reduce=reduction) for reduction in ("none", "stubborn"))
    assert (found.verdict, found.reduction) == (plain.verdict, "stubborn:static")
    if plain.verdict == "holds":
        assert 2 * found.statistics.stored < plain.statistics.stored


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("never { !p; !p; p; accept: do :: true od }", "a state is repeated"),
        ("never { T: do :: p -> goto accept :: !p od; accept: do :: p -> goto T od }", "a state is repeated"),
        ("never { T: do :: np_ && p -> goto accept :: true od; accept: do :: true od }", "more than look at states"),
    ],
)
def test_a_claim_that_may_count_repetitions_is_not(claim: str, why: str, tmp_path: Path) -> None:
    result = check(claimed(claim, tmp_path), "claim", search="ndfs", reduce="stubborn")
    assert result.reduction == "none" and why in result.reduction_note


def test_without_a_cycle_condition_nothing_is_proven(two: Network) -> None:
    result = check(two, "comes_back", search="ndfs", reduce="stubborn:none")
    assert result.verdict in ("violated", "unknown")
