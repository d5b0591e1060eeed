"""States that are taken for equal: the same verdicts and shortest lengths, and never more states."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.conformance.generator import program_of
from benchmarks.matching.compare import agree, agree_about_runs
from tests.networks import Sampler
from tests.preprocessing.test_dead_variables import UNSOUND, loaded

from beeline import check
from beeline.checking.options import Options
from beeline.languages import load
from beeline.model.builder import NetworkBuilder
from beeline.model.network import Network
from beeline.preprocessing import match_choices, shrink
from beeline.preprocessing.choices import EXACT, INFLUENCE
from beeline.preprocessing.influence import Influence
from beeline.properties import find_property
from beeline.records import replace

MODELS = Path(__file__).parents[2] / "models"
PROGRAMS = int(os.environ.get("BEELINE_MATCH", "120"))  # BEELINE_MATCH=2000 asks for a long run


@pytest.mark.parametrize("batch", range(3))
def test_random_programs_get_the_same_answers(batch: int, tmp_path: Path) -> None:
    seeds = range(batch * PROGRAMS // 3, (batch + 1) * PROGRAMS // 3)
    seen = Counter(agree(loaded(program_of(seed), tmp_path), "safety") for seed in seeds)
    assert seen["holds"] and seen["violated"]


def test_random_networks_get_the_same_answers() -> None:
    networks = (Sampler(seed).network().alone for seed in range(PROGRAMS))
    seen = Counter(agree(network, "safety", states=3_000) for network in networks)
    assert seen["holds"] and seen["violated"]


def test_random_programs_get_the_same_answers_about_runs(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for seed in range(PROGRAMS):
        network = loaded(program_of(seed), tmp_path)
        seen[agree_about_runs(network, seed)] += 1
    assert seen["holds"] and seen["violated"]


@pytest.mark.parametrize("text", UNSOUND.values(), ids=UNSOUND.keys())
@pytest.mark.parametrize("search", ["bfs", "dfs", "random-dfs:1", "random-dfs:2", "random-dfs:3"])
def test_what_matters_is_kept(text: str, search: str, tmp_path: Path) -> None:
    found = check(loaded(text, tmp_path), "safety", search=search, shrink="none", match=INFLUENCE)
    assert found.trace is not None


@pytest.mark.parametrize("search", ["bfs", "dfs", "random-dfs:1", "random-dfs:2"])
def test_what_matters_within_a_common_step_is_kept(search: str) -> None:
    """The receiver's effect reads what the sender's wrote where the message had been stored."""
    builder = NetworkBuilder("handshake")
    builder.variable("g", 0, 31, wrap=True)
    builder.variable("seen", 0, 31, wrap=True)
    builder.channel("c", fields=((0, 31),))
    sender = builder.process("sender").location("start").location("done")
    sender.edge("start", "done", sync="c!0", effect="g = 20")
    receiver = builder.process("receiver").location("waits").location("has").location("bad")
    receiver.edge("waits", "has", sync="c?g", effect="seen = g").edge("has", "bad", guard="seen > 10")
    found = check(builder.build(), "E<> receiver.bad", search=search, shrink="none", match=INFLUENCE)
    assert found.trace is not None


TABLES = {
    # Figure 6 of the paper: what matters before each statement, for assertions too.
    "p1": (
        """active proctype p1(int n) { int x, y = 1; x = n;
        L1: if :: x > 0 -> L2: x = x - 1; L3: y = 2 * y; goto L1 :: else -> L4: printf("%d", y); goto End fi;
        End: skip }""",
        {"L1": "x", "L2": "x", "L3": "x", "L4": "", "End": ""},
    ),
    "p2": (
        """active proctype p2() { int x1, x2, x3, x4;
        L1: if :: true -> L2: x2 = 0 :: true -> L3: x2 = 1 fi;
        L4: x1 = x2;
        L5: if :: x3 < 2 -> L6: x1 = x1 + 1; goto L5 :: else -> L7: skip fi;
        L8: if :: true -> L9: x4 = 0 :: true -> L10: x4 = -1 fi;
        L11: if :: x4 >= 0 -> L12: assert(x1 == 2) :: else -> L13: skip fi;
        End: skip }""",
        {"L1": "x3", "L2": "x3", "L3": "x3", "L4": "x2 x3", "L5": "x1 x3", "L6": "x1 x3", "L7": "x1", "L8": "x1"}
        | {"L9": "x1", "L10": "x1", "L11": "x1 x4", "L12": "x1", "L13": "", "End": ""},
    ),
    # The small server of section 4.1.
    "server": (
        """int R, W, c; bool enter = true; active proctype p() {
        L0: do :: enter -> L1: select(R : 0 .. 3); L2: W = R; L3: c = W; L4: enter = (c > 0) :: else -> break od }""",
        {"L0": "enter", "L1": "", "L2": "R", "L3": "W", "L4": "c"},
    ),
}


def visible(network: Network, asked: str) -> dict[str, set[str]]:
    """What matters at the labels of the first process."""
    influence = Influence(network, find_property(network, asked), [one.name for one in network.variables])
    tracked = set(influence.tracked[0])
    places = zip(network.processes[0].locations, influence.live[0], strict=True)
    return {label: live & tracked for place, live in places for label in place.labels}


@pytest.mark.parametrize("text, expected", TABLES.values(), ids=TABLES.keys())
def test_what_matters_where(text: str, expected: dict[str, str], tmp_path: Path) -> None:
    found = visible(loaded(text, tmp_path), "safety")
    assert {label: found[label] for label in expected} == {label: set(text.split()) for label, text in expected.items()}


def test_a_question_about_one_place_looks_at_its_variables_there_alone() -> None:
    network = load(MODELS / "promela" / "echo_server.pml")
    assert isinstance(network, Network)
    hidden = {}
    for name in ("P1", "P2"):
        layer = shrink(network, find_property(network, name), "none", match=INFLUENCE).layers[0]
        hidden[name] = layer.removed
    assert "ReadBuf" in hidden["P1"] and "ReadBuf" not in hidden["P2"]
    assert {"WriteBuf", "cResp", "cRead", "enter_loop"} <= set(hidden["P1"]) & set(hidden["P2"])


@pytest.mark.parametrize("asked, search, factor", [("P1", "ndfs", 15), ("P1", "scc", 15), ("P2", "ndfs", 2)])
def test_the_server_of_the_paper_has_few_states(asked: str, search: str, factor: int) -> None:
    network = load(MODELS / "promela" / "echo_server.pml")
    plain, matched = (check(network, asked, search=search, shrink="none", match=match) for match in match_choices())
    assert plain.verdict == matched.verdict == "holds"
    assert matched.statistics.stored * factor <= plain.statistics.stored


@pytest.mark.parametrize(
    "options",
    [
        Options(search="bfs", threads=2),
        Options(search="astar", heuristic="blind"),
        Options(search="bfs", store="tree"),
        Options(search="bfs", reduce="stubborn"),
        Options(search="bfs", store="disk:"),
    ],
    ids=str,
)
def test_it_goes_with_other_searches(options: Options, tmp_path: Path) -> None:
    store = f"disk:{tmp_path / 'states'}" if options.store == "disk:" else options.store
    network = load(MODELS / "promela" / "echo_server.pml")
    result = check(network, "safety", replace(options, shrink="none", match=INFLUENCE, store=store))
    assert result.verdict == "holds"
    assert result.statistics.stored == 13_908


def test_a_cycle_that_does_not_close_in_all_variables_is_searched_for_exactly(tmp_path: Path) -> None:
    network = loaded(
        "byte n, g; active proctype P() { do :: n = (n + 1) % 3; g = n; g = 0 od }\n"
        "active proctype Q() { byte y; do :: y = 1 - y od } ltl always { <> (g == 7) }",
        tmp_path,
    )
    result = check(network, "always", search="ndfs", match=INFLUENCE)
    assert result.verdict == "violated" and result.trace is not None and result.trace.cycle is not None


def test_symmetry_turns_it_off() -> None:
    network = load(MODELS / "promela" / "peterson.pml")
    assert check(network, "safety", symmetry="exact", match=INFLUENCE).shrinking.by(INFLUENCE) == ()
    assert check(network, "safety", match=EXACT).shrinking.by(INFLUENCE) == ()
