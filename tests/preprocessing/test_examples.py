"""The example of the paper, cases made by hand, and traps in which nothing may be taken out."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from beeline import NetworkBuilder, Result, check
from beeline.model.builder import ProcessBuilder
from beeline.model.network import Edge, Initial, Location, Network, Process, Variable
from beeline.model.statements import Terminate
from beeline.model.types import BIT
from beeline.preprocessing import shrink
from beeline.properties import find_property
from beeline.records import replace


def wheel(builder: NetworkBuilder, name: str, size: int, *, back: bool = True) -> ProcessBuilder:
    """A process that turns by itself, one way only without `back`."""
    process = builder.process(name)
    for place in range(size):
        process.location(f"p{place}")
    for place in range(size if back else size - 1):
        process.edge(f"p{place}", f"p{(place + 1) % size}")
    return process


def running_example() -> Network:
    """Wehrle and Helmert 2009, figure 2."""
    builder = NetworkBuilder("figure 2")
    wheel(builder, "one", 4).edge("p2", "p2", label="a").edge("p0", "p0", label="c")
    wheel(builder, "two", 4).edge("p2", "p2", label="b").edge("p0", "p0", label="c")
    three = builder.process("three")
    for place in range(4):
        three.location(f"p{place}")
    for place, label in enumerate("abc"):
        three.edge(f"p{place}", f"p{place + 1}", label=label)
    return builder.build()


def removed(network: Network, goal: str, choice: str = "all") -> set[str]:
    return set(shrink(network, find_property(network, goal), choice).removed)


def same_answer(network: Network, goal: str, expected: str) -> Result:
    """Every way to shrink gives the verdict that the whole network has."""
    whole = check(network, goal, search="bfs", shrink="none")
    assert whole.verdict == expected
    for choice in ("cone", "safe", "all", "auto"):
        for search in ("bfs", "dfs", "auto"):
            assert check(network, goal, search=search, shrink=choice).verdict == expected
    return check(network, goal, search="bfs", shrink="all")


def test_the_example_of_the_paper_is_three_steps_and_eight() -> None:
    network = running_example()
    assert removed(network, "E<> three.p3") == {"one", "two"}
    small = same_answer(network, "E<> three.p3", "holds")
    assert small.trace is not None
    assert (len(small.trace), small.shrinking.added) == (11, 8)
    assert not small.shortest
    for search in ("bfs", "auto"):  # the default looks at the whole network, too, where steps had to be put in
        exact = check(network, "E<> three.p3", search=search)
        assert exact.shortest and exact.trace is not None and len(exact.trace) == 11


def test_taking_one_out_makes_the_next_independent() -> None:
    builder = NetworkBuilder("cascade")
    wheel(builder, "first", 3)
    second = builder.process("second").location("p0").location("p1")
    second.edge("p0", "p1", guard="first.p2").edge("p1", "p0", guard="first.p1")
    core = builder.process("core").location("start").location("end")
    core.edge("start", "end", guard="second.p1")
    network = builder.build()
    assert removed(network, "E<> core.end") == {"first", "second"}
    small = same_answer(network, "E<> core.end", "holds")
    assert small.trace is not None
    assert (len(small.trace), small.shrinking.added) == (4, 3)


def test_a_component_may_have_variables_and_the_goal_may_ask_for_it() -> None:
    builder = NetworkBuilder("sea")
    builder.variable("tide", 0, 3)
    sea = builder.process("sea").location("there")
    sea.edge("there", "there", guard="tide < 3", effect="tide++")
    sea.edge("there", "there", guard="tide == 3", effect="tide = 0")
    core = builder.process("core").location("start").location("end")
    core.edge("start", "end", guard="tide == 2")
    network = builder.build()
    assert removed(network, "E<> core.end && tide == 1") == {"sea", "tide"}
    small = same_answer(network, "E<> core.end && tide == 1", "holds")
    assert small.trace is not None and small.trace.final()["tide"] == "1"
    assert (len(small.trace), small.shrinking.added) == (6, 5)
    same_answer(network, "E<> core.end && tide == 1 && tide == 2", "violated")


def test_a_place_that_a_wheel_never_reaches_blocks_who_waits_for_it() -> None:
    """A label whose partner is missing is dead; taking the partner out must not bring it to life."""
    builder = NetworkBuilder("dead label")
    wheel(builder, "turning", 2).location("never").edge("never", "never", label="a")
    core = builder.process("core").location("start").location("end")
    core.edge("start", "end", label="a")
    network = builder.build()
    assert removed(network, "E<> core.end") == {"turning"}
    same_answer(network, "E<> core.end", "violated")


def test_a_way_of_no_return_is_not_taken_out_if_somebody_can_tell() -> None:
    builder = NetworkBuilder("once")
    wheel(builder, "once", 2, back=False)
    core = builder.process("core").location("start").location("middle").location("end")
    core.edge("start", "middle", guard="once.p1").edge("middle", "end", guard="once.p0")
    network = builder.build()
    assert removed(network, "E<> core.end") == set()
    same_answer(network, "E<> core.end", "violated")


def test_a_beginning_that_nobody_asks_for_is_no_obstacle() -> None:
    builder = NetworkBuilder("started")
    builder.process("slow").location("boot").location("on").edge("boot", "on").edge("on", "on")
    core = builder.process("core").location("start").location("end")
    core.edge("start", "end", guard="slow.on")
    network = builder.build()
    assert removed(network, "E<> core.end") == {"slow"}
    same_answer(network, "E<> core.end", "holds")


def test_nothing_more_is_taken_out_after_the_deadline() -> None:
    builder = NetworkBuilder("started")
    wheel(builder, "turning", 2)
    builder.process("core").location("start").location("end").edge("start", "end")
    network = builder.build()
    asked = find_property(network, "E<> core.end")
    assert shrink(network, asked).removed == ("turning",)
    assert shrink(network, asked, deadline=monotonic()).removed == ()


def committed() -> NetworkBuilder:
    builder = NetworkBuilder("hurry")
    wheel(builder, "turning", 2)
    core = builder.process("core").location("start").location("now", committed=True).location("end")
    core.edge("start", "now", guard="turning.p0").edge("now", "end", guard="turning.p1")
    return builder


def uninterrupted() -> NetworkBuilder:
    builder = NetworkBuilder("atomic")
    wheel(builder, "turning", 2)
    core = builder.process("core").location("start").location("now").location("end")
    core.edge("start", "now", guard="turning.p0", keeps_control=True)
    core.edge("now", "end", guard="turning.p1", keeps_control=True)
    core.edge("now", "start", guard="else")
    return builder


def listener() -> NetworkBuilder:
    """Who hears a broadcast changes something; being elsewhere is a way not to hear it."""
    builder = NetworkBuilder("hearing")
    builder.channel("all", broadcast=True)
    builder.variable("heard", 0, 1)
    ear = builder.process("ear").location("p0").edge("p0", "p0", sync="all?", effect="heard = 1")
    ear.location("p1").edge("p1", "p0")
    core = builder.process("core").location("start").location("end")
    core.edge("start", "end", sync="all!")
    return builder


def both_ends() -> NetworkBuilder:
    """Two conditions on one wheel in one step, which never hold together."""
    builder = NetworkBuilder("two wishes")
    builder.channel("c")
    wheel(builder, "turning", 2)
    builder.process("sender").location("p").location("q").edge("p", "q", guard="turning.p0", sync="c!")
    core = builder.process("core").location("start").location("end")
    core.edge("start", "end", guard="turning.p1", sync="c?")
    return builder


def mover() -> NetworkBuilder:
    """Nobody reads the wheel, but it moves with another: both directions count."""
    builder = NetworkBuilder("mover")
    builder.channel("c")
    builder.process("turning").location("p0").location("p1").edge("p0", "p1", sync="c?")
    core = builder.process("core").location("start").location("middle").location("end")
    core.edge("start", "middle", sync="c!").edge("middle", "end", sync="c!")
    return builder


@pytest.mark.parametrize("make", [committed, uninterrupted, listener, both_ends, mover])
def test_traps(make: object) -> None:
    network = make().build()  # type: ignore[operator]
    goal = "E<> core.end && heard == 0 && ear.p0" if make is listener else "E<> core.end"
    assert removed(network, goal) == set()
    same_answer(network, goal, "violated")


def test_else_is_about_what_is_not_possible() -> None:
    builder = NetworkBuilder("else")
    wheel(builder, "turning", 2)
    core = builder.process("core").location("start").location("end").location("other")
    core.edge("start", "other", guard="turning.p1").edge("start", "end", guard="else")
    network = builder.build()
    assert removed(network, "E<> core.end") == set()
    same_answer(network, "E<> core.end", "holds")


def test_what_may_fail_matters_whatever_is_asked() -> None:
    builder = NetworkBuilder("failing")
    builder.variable("n", 0, 2)
    builder.process("counter").location("p").edge("p", "p", effect="n++")
    builder.process("core").location("start").location("end").edge("start", "end")
    network = builder.build()
    assert removed(network, "E<> core.end") == set()
    assert check(network, "A[] core.start || core.end").reason == "value 3 outside 0..2"


def test_a_guard_that_bounds_a_counter_lets_it_go() -> None:
    builder = NetworkBuilder("bounded")
    builder.variable("n", 0, 2)
    builder.process("counter").location("p").edge("p", "p", guard="n < 2", effect="n++")
    builder.process("core").location("start").location("end").edge("start", "end")
    network = builder.build()
    assert removed(network, "E<> core.end", "cone") == {"counter", "n"}
    same_answer(network, "E<> core.end", "holds")


def test_assignments_that_nobody_reads_are_left_out_even_when_a_deadlock_is_asked_for() -> None:
    builder = NetworkBuilder("history")
    builder.variable("steps", 0, 127, wrap=True)
    builder.process("core").location("p").edge("p", "p", effect="steps++")
    network = builder.build()
    assert removed(network, "deadlock") == {"steps"}
    assert check(network, "deadlock", search="bfs").statistics.stored == 1
    assert check(network, "deadlock", search="bfs", shrink="none").statistics.stored == 128


def test_what_looks_at_all_processes_keeps_all(tmp_path: Path) -> None:
    model = tmp_path / "model.pml"
    waiting = "byte x; active proctype P() { do :: timeout -> x = 1 od }"
    model.write_text(f"{waiting} active proctype Q() {{ byte n; do :: n < 5 -> n++ od }}")
    result = check(model, "x == 0", search="bfs")
    assert (result.verdict, result.shrinking.removed) == ("violated", ())


def test_a_process_that_is_looked_at_stays_though_it_never_moves() -> None:
    builder = NetworkBuilder("stone")
    builder.process("stone").location("here").edge("here", "here")
    builder.process("core").location("start").location("end").edge("start", "end", guard="stone.here")
    network = builder.build()
    same_answer(network, "E<> core.end && stone.here", "holds")


def test_what_a_never_claim_reads_matters(tmp_path: Path) -> None:
    model = tmp_path / "model.pml"
    model.write_text("byte a, b; init { a = 1; b = 1; a = 2 } never { do :: a != 2 :: a == 2 -> break od }")
    result = check(model, search="bfs")
    assert (result.verdict, result.shrinking.cone) == ("violated", ("b",))


ENDING = """
byte x;
active proctype P() { x = 1 }
active proctype Q() { byte n; do :: n < 5 -> n++ :: break od }
active proctype R() { x == 1 }
"""


def test_whether_a_process_ends_matters_only_to_those_who_can_see_it(tmp_path: Path) -> None:
    model = tmp_path / "model.pml"
    model.write_text(ENDING)
    small, whole = (check(model, "x == 0", search="bfs", shrink=how) for how in ("auto", "none"))
    assert {"Q", "R"} <= set(small.shrinking.cone)
    assert small.shortest and small.trace is not None and whole.trace is not None
    assert len(small.trace) == len(whole.trace)
    model.write_text(ENDING.replace("x = 1 }", "x = 1; x = 2 }"))
    # It ends only when all that were started after it have ended.
    seen = check(model, "_nr_pr > 1", search="bfs")
    assert (seen.verdict, seen.shrinking.cone) == ("violated", ())


def test_who_can_see_that_a_process_ends_needs_those_who_keep_it_alive() -> None:
    """Processes die in the opposite order of their birth: the first can end only after the second has."""
    first = Process("First", (Location("here"),), (Edge(0, 0, effect=(Terminate(),)),))
    second = Process("Second", (Location("here"), Location("there")), (Edge(0, 1), Edge(1, 1, effect=(Terminate(),))))
    kinds, starts = (first, second), (Initial("First", "first"), Initial("Second", "second"))
    network = Network("mortal", kinds, starts)
    assert removed(network, "E<> !first.here") == set()
    small = same_answer(network, "E<> !first.here", "holds")
    assert small.trace is not None and len(small.trace) == 3
    immortal = replace(second, edges=second.edges[:1])
    same_answer(replace(network, processes=(first, immortal)), "E<> !first.here", "violated")


def test_scratch_variables_are_read_within_an_uninterrupted_run() -> None:
    builder = NetworkBuilder("scratch")
    builder.variables.append(Variable("scratch", BIT, hidden=True))
    builder.variable("unread", 0, 1)
    core = builder.process("core").location("start").location("middle").location("end")
    core.edge("start", "middle", effect="scratch = 1; unread = 1", keeps_control=True)
    core.edge("middle", "end", guard="scratch == 1")
    network = builder.build()
    assert removed(network, "E<> core.end") == {"unread"}
    same_answer(network, "E<> core.end", "holds")
