"""The counterexamples that every reduction has to pass: what goes wrong if one of its conditions is forgotten."""

from pathlib import Path

import pytest

from beeline import NetworkBuilder, check
from beeline.languages import LoadOptions, load
from beeline.model.expressions import At, Binary, Instance, Literal, Ref
from beeline.model.network import Edge, Initial, Location, Network, Process, Variable
from beeline.model.property import Goal
from beeline.model.statements import Assign, Terminate
from beeline.model.types import BIT

SOUND = ("stubborn", "ample", "stubborn:static", "ample:static", "stubborn:visited", "ample:duplicate")
SEARCHES = ("auto", "bfs", "dfs", "astar", "greedy")


def promela(folder: Path, text: str) -> object:
    path = folder / "model.pml"
    path.write_text(text)
    return load(path, options=LoadOptions())


IGNORING = """
byte toggles;
active proctype Toggler() { bit own; do :: own = 1 - own od }
active proctype Faulty() { bit own; own = 1; assert(false) }
"""

VISIBILITY = """
bit x, y;
active proctype X() { x = 1 }
active proctype Y() { y = 1 }
"""

TWO_WRITERS = """
byte x;
active proctype One() { x = 1 }
active proctype Two() { x = 2 }
active proctype Reader() { byte seen; seen = x; assert(seen != 1) }
"""

CREATION = """
byte x;
proctype Child(byte value) { x = value }
proctype Parent() { run Child(2) }
active proctype Watcher() { x == 2; assert(x == 1) }
init { run Parent(); run Child(1) }
"""

HANDSHAKE_IN_ATOMIC = """
chan c = [0] of { byte };
byte x;
active proctype Sender() { atomic { x = 1; c!1; x = 2 } }
active proctype Receiver() { byte got; c?got; assert(x != 1) }
active proctype Other() { bit own; do :: own = 1 - own od }
"""

INSIDE_ATOMIC = """
bit x, y;
active proctype X() { atomic { x = 1; x = 0 } }
active proctype Y() { y = 1 }
"""


PROVIDED = """
chan c = [1] of { bit };
active proctype Stopped() provided (empty(c)) { bit own; own = 1 }
active proctype Sender() { c!1 }
"""


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("reduction", SOUND)
@pytest.mark.parametrize(
    ("text", "asked"),
    [
        pytest.param(IGNORING, None, id="ignoring"),
        pytest.param(VISIBILITY, "!(x == 1 && y == 0)", id="visibility"),
        pytest.param(VISIBILITY, "!(x == 0 && y == 1)", id="visibility, the other order"),
        pytest.param(TWO_WRITERS, None, id="two writers"),
        pytest.param(CREATION, None, id="process creation"),
        pytest.param(HANDSHAKE_IN_ATOMIC, None, id="rendezvous inside atomic"),
        pytest.param(PROVIDED, None, id="a process stopped by a message"),
        pytest.param(INSIDE_ATOMIC, "!(x == 1 && y == 1)", id="a state inside an atomic sequence"),
    ],
)
def test_the_violation_is_found(text: str, asked: str | None, reduction: str, search: str, tmp_path: Path) -> None:
    if search == "auto" and reduction in ("stubborn:visited", "ample:duplicate"):
        pytest.skip("auto cannot keep it")
    heuristic = "blind" if search in ("astar", "greedy") else None
    result = check(promela(tmp_path, text), asked, search=search, reduce=reduction, heuristic=heuristic)
    assert result.verdict == "violated"


def test_without_a_cycle_condition_a_step_can_be_put_off_for_ever(tmp_path: Path) -> None:
    result = check(promela(tmp_path, IGNORING), search="bfs", reduce="ample:none")
    assert (result.verdict, result.reason) == ("unknown", "reduction without a cycle condition")


def test_depth_first_search_can_keep_the_stack_condition(tmp_path: Path) -> None:
    for reduction in ("ample:stack", "stubborn:stack"):
        assert check(promela(tmp_path, IGNORING), search="dfs", reduce=reduction).verdict == "violated"


def diamond() -> NetworkBuilder:
    """Two independent steps that commute, behind a choice of which order to look at first."""
    builder = NetworkBuilder("diamond")
    for name in ("A", "B"):
        builder.process(name).location("before").location("after").edge("before", "after")
    return builder


@pytest.mark.parametrize("reduction", SOUND)
def test_of_a_diamond_one_side_is_enough(reduction: str) -> None:
    full, reduced = (check(diamond(), "deadlock", search="bfs", reduce=each) for each in ("none", reduction))
    assert (full.statistics.stored, reduced.statistics.stored) == (4, 3)
    assert full.verdict == reduced.verdict == "violated"


def test_stubborn_sets_keep_the_shortest_way_to_a_goal_and_say_so() -> None:
    builder = diamond()
    full = check(builder, "E<> B.after", search="bfs")
    reduced = check(builder, "E<> B.after", search="bfs", reduce="stubborn")
    assert len(full.trace or ()) == len(reduced.trace or ()) == 1
    assert reduced.shortest
    assert reduced.reduction_note == "shortest traces are kept"


def test_what_cannot_be_reduced_is_said(tmp_path: Path) -> None:
    model = promela(tmp_path, "byte x; active proctype P() { x = _last } active proctype Q() { x = 2 }")
    result = check(model, reduce="stubborn", shrink="none")
    assert (result.reduction, result.reduction_note) == ("none", "off: 'last' looks at all processes")


def test_timed_automata_are_not_reduced_and_it_is_said() -> None:
    model = Path("models/uppaal/fischer_b_3_faulty.xta")
    result = check(model, reduce="stubborn")
    assert result.reduction_note == "off: only networks without clocks are reduced"


def test_a_process_that_has_ended_is_nowhere() -> None:
    """Its location is still in the state, and must not be taken for a part of the goal that holds already."""
    places = tuple(Location(f"l{i}") for i in range(3))
    x, y, one = Ref("x"), Ref("y"), Literal(1)
    later = Process("Later", places, (Edge(0, 1, Binary("==", y, one)), Edge(1, 2, effect=(Assign(x, one),))))
    aside = Process("Aside", places, (Edge(0, 1), Edge(1, 2)))
    ends = Process("Ends", places, (Edge(0, 0, effect=(Assign(y, one), Terminate())),))
    initial = (Initial("Later", "later"), Initial("Aside", "aside"), Initial("Ends", "ends"))
    network = Network("ended", (later, aside, ends), initial, (Variable("x", BIT), Variable("y", BIT)))
    goal = Binary("&&", Binary("||", At(Instance("ends"), "l0"), Binary("==", x, one)), Binary("==", y, one))
    for reduction in ("none", "stubborn"):
        result = check(network, Goal("goal", expression=goal), search="bfs", reduce=reduction)
        assert len(result.trace or ()) == 3, reduction
