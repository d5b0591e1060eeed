"""Classic timed models and their published answers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from beeline import languages
from beeline.engine import Found, Limits, Status
from beeline.languages.uppaal import load, load_text
from beeline.searches.runner import run
from beeline.timed.options import Extrapolation, ZoneOptions
from beeline.timed.search import search_property, zone_graph
from beeline.trace.timed import TimedTrace


def answers(text: str, *queries: str) -> list[TimedTrace | None]:
    """For each query its replayed trace, or None if the whole zone graph has none."""
    network = load_text(text + "".join(f"\nquery {{ {query} }}" for query in queries))
    found = []
    for asked in network.properties:
        outcome, trace = search_property(network, asked)
        assert outcome.status in (Status.FOUND, Status.EXHAUSTED)
        found.append(trace)
    return found


TRAINS = """
const int N = 3; typedef int[0,N-1] id_t;
chan appr[N], stop[N], leave[N]; urgent chan go[N];
process Train(const id_t id) {
    clock x;
    state Safe, Appr { x <= 20 }, Stop, Start { x <= 15 }, Cross { x <= 5 };
    init Safe;
    trans Safe -> Appr { sync appr[id]!; assign x = 0; },
          Appr -> Cross { guard x >= 10; assign x = 0; },
          Appr -> Stop { guard x <= 10; sync stop[id]?; },
          Stop -> Start { sync go[id]?; assign x = 0; },
          Start -> Cross { guard x >= 7; assign x = 0; },
          Cross -> Safe { guard x >= 3; sync leave[id]!; };
}
process Gate() {
    id_t queue[N+1]; int[0,N] len;
    void enqueue(id_t e) { queue[len++] = e; }
    void dequeue() { int i = 0; len -= 1; while (i < len) { queue[i] = queue[i + 1]; i++; } queue[i] = 0; }
    state Free, Occ, Stopping;
    commit Stopping;
    init Free;
    trans Free -> Occ { select e : id_t; guard len == 0; sync appr[e]?; assign enqueue(e); },
          Free -> Occ { guard len > 0; sync go[queue[0]]!; },
          Occ -> Stopping { select e : id_t; sync appr[e]?; assign enqueue(e); },
          Stopping -> Occ { sync stop[queue[len - 1]]!; },
          Occ -> Free { select e : id_t; guard e == queue[0]; sync leave[e]?; assign dequeue(); };
}
system Train, Gate;
"""


def test_trains_never_meet_on_the_bridge_and_never_deadlock() -> None:
    meet, stuck, cross, wait = answers(
        TRAINS,
        "A[] forall (i : id_t) forall (j : id_t) Train(i).Cross and Train(j).Cross imply i == j",
        "A[] not deadlock",
        "E<> Train(1).Cross",
        "E<> Train(0).Cross and Train(1).Stop and Train(2).Stop",
    )
    assert meet is None and stuck is None
    assert cross is not None and cross.duration == 10
    assert wait is not None


VIKINGS = """
clock time; int[0,1] torch_side; chan take, release;
process Viking(const int slow) {
    clock y; state unsafe, there, safe, back; init unsafe;
    trans unsafe -> there { guard torch_side == 0; sync take!; assign y = 0; },
          there -> safe { guard y >= slow; sync release!; },
          safe -> back { guard torch_side == 1; sync take!; assign y = 0; },
          back -> unsafe { guard y >= slow; sync release!; };
}
process Torch() {
    state free, one, two, last; urgent one; init free;
    trans free -> one { sync take?; }, one -> two { sync take?; }, one -> last { },
          two -> last { sync release?; }, last -> free { sync release?; assign torch_side = 1 - torch_side; };
}
A = Viking(5); B = Viking(10); C = Viking(20); D = Viking(25);
system A, B, C, D, Torch;
"""


def test_four_vikings_need_sixty_minutes() -> None:
    all_safe = "A.safe and B.safe and C.safe and D.safe"
    any_time, in_time, too_fast, stuck = answers(
        VIKINGS,
        f"E<> {all_safe}",
        f"E<> {all_safe} and time <= 60",
        f"E<> {all_safe} and time < 60",
        "A[] not deadlock",
    )
    assert any_time is not None and in_time is not None and too_fast is None and stuck is None
    assert in_time.duration == 60


CSMA_CD = """
const int N = 3; const int L = 808; const int S = 26; typedef int[0,N-1] id_t;
chan begin, end, busy; broadcast chan cd;
process Bus() {
    clock x; state idle, active, collision { x <= S }; init idle;
    trans idle -> active { sync begin?; assign x = 0; },
          active -> idle { sync end?; assign x = 0; },
          active -> active { guard x >= S; sync busy?; },
          active -> collision { guard x < S; sync begin?; assign x = 0; },
          collision -> idle { guard x < S; sync cd!; assign x = 0; };
}
process Station(const id_t id) {
    clock x; state wait, start { x <= L }, retry { x < 2 * S }; init wait;
    trans wait -> start { sync begin!; assign x = 0; },
          wait -> retry { sync busy!; assign x = 0; },
          wait -> wait { sync cd?; assign x = 0; },
          start -> wait { guard x == L; sync end!; assign x = 0; },
          start -> retry { guard x < 2 * S; sync cd?; assign x = 0; },
          retry -> start { guard x < 2 * S; sync begin!; assign x = 0; },
          retry -> retry { guard x < 2 * S; sync busy!; assign x = 0; },
          retry -> retry { guard x < 2 * S; sync cd?; assign x = 0; };
}
system Bus, Station;
"""


def test_collisions_on_the_bus_are_noticed_within_twice_the_propagation_time() -> None:
    late, both, sent = answers(
        CSMA_CD,
        "A[] not (Station(0).start and Station(1).start and Station(0).x >= 2 * S)",
        "E<> Station(0).start and Station(1).start",
        "E<> Station(0).start and Station(0).x == L",
    )
    assert late is None
    assert both is not None and len(both) == 2
    assert sent is not None and sent.duration == 808


def test_an_urgent_channel_leaves_no_time_and_a_strict_guard_takes_the_middle() -> None:
    (trace,) = answers(
        """clock x; urgent chan now; int v;
        process P() { state a, b, c; init a;
            trans a -> b { guard x > 2 && x < 3; assign v = 1; }, b -> c { sync now!; }; }
        process Q() { state a, b; init a; trans a -> b { guard v == 1; sync now?; }; }
        system P, Q;""",
        "E<> P.c",
    )
    assert trace is not None
    assert list(trace.delays) == [Fraction(5, 2), 0, 0]


def test_a_state_that_time_cannot_leave_is_a_deadlock() -> None:
    stuck, found = answers(
        "clock x; process P() { state a { x <= 2 }, b; init a; trans a -> b { guard x > 2; }; } system P;",
        "A[] not deadlock",
        "E<> deadlock and x >= 1",
    )
    assert stuck is not None and stuck.duration == 0
    assert found is not None and found.duration == 1


def test_deadlock_begins_after_the_last_chance() -> None:
    (stuck,) = answers(
        "clock x; process P() { state a, b; init a; trans a -> a { guard x <= 3; }; } system P;", "E<> deadlock"
    )
    assert stuck is not None and stuck.duration > 3


def test_an_error_in_an_update_is_a_violation_with_a_timed_trace() -> None:
    network = load_text(
        """clock x; int[0,2] v;
        process P() { state a; init a; trans a -> a { guard x >= 1; assign v = v + 1, x = 0; }; } system P;
        query { A[] v <= 2 }"""
    )
    outcome, trace = search_property(network, network.properties[0])
    assert Found.ERROR in outcome.found
    assert trace is not None and len(trace) == 3 and trace.steps[-1].error
    assert trace.duration == 3


def test_symbolic_states_can_be_shown() -> None:
    network = load_text(
        "clock x, y; process P() { state a { x <= 4 }, b; init a; trans a -> b { guard x > 1; assign y = 0; }; } "
        "system P; query { E<> P.b }"
    )
    exact = ZoneOptions(Extrapolation.NONE, show=True)
    _, trace = search_property(network, network.properties[0], options=exact)
    assert trace is not None
    assert trace.zones == ("x <= 4, x - y <= 0, y <= 4, y - x <= 0", "x > 1, x - y <= 4, y - x < -1")


def test_a_larger_zone_that_lies_deeper_does_not_hide_the_shorter_way() -> None:
    """All 300 states at p come before c, and lead to a larger zone of c before c itself is expanded."""
    network = load_text(
        """clock x; int[0,299] v; process P() { state a, p, c, d; init a; trans
        a -> p { select i : int[0,299]; assign v = i; }, a -> c { guard x >= 3; },
        p -> c { assign v = 0; }, c -> d { guard x >= 1 && x <= 10; }; } system P; query { E<> P.d }"""
    )
    _, trace = search_property(network, network.properties[0])
    assert trace is not None and len(trace) == 2


def test_a_covering_zone_is_no_way_to_a_smaller_one() -> None:
    """Within three steps c is reached with x >= 3 only; that a larger zone of c is known does not make d possible."""
    network = load_text(
        """clock x; process P() { state a, p, c, d, e; init a; trans
        a -> p { }, a -> c { guard x >= 3; }, p -> c { }, c -> d { guard x <= 2; }, d -> e { }; }
        system P; query { E<> P.e }"""
    )
    outcome, trace = search_property(network, network.properties[0], "dfs", limits=Limits(depth=3))
    assert outcome.status is Status.DEPTH and trace is None
    outcome, trace = search_property(network, network.properties[0], "dfs", limits=Limits(depth=4))
    assert trace is not None and len(trace) == 4


def test_zones_whose_union_is_one_can_be_merged() -> None:
    network = load_text(
        """clock x; process P() { state a { x <= 9 }, c; urgent c; init a; trans
        a -> c { guard x <= 4; }, a -> c { guard x >= 4; }; } system P; query { E<> P.c && x > 8 }"""
    )
    sizes = []
    for merge in (False, True):
        graph = zone_graph(network, options=ZoneOptions(Extrapolation.NONE, merge))
        sizes.append(run(graph.space, "bfs", stop=Found.NOTHING).statistics.stored)
        _, trace = search_property(network, network.properties[0], options=ZoneOptions(merge=merge))
        assert trace is not None and trace.duration == Fraction(17, 2)
    assert sizes == [3, 2]


SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "models" / "ticktac-benchmarks" / "generated"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the TickTac models are not there (expected in ../shared/models)")
def test_one_station_at_a_time_has_the_token_of_the_ring() -> None:
    """FDDI: idle in q0 and q4, otherwise with the token; both kinds of transmission happen."""
    network = load(SHARED / "uppaal" / "fddi_4_200_20_0.xml")
    first, second = (f"Station({station}).q0 or Station({station}).q4" for station in (1, 2))
    for text, reachable in (
        (f"not ({first}) and not ({second})", False),
        ("Station(2).q3", True),
        ("Station(2).q7", True),
    ):
        asked = languages.ask(network, f"E<> {text}")
        assert (search_property(network, asked)[1] is not None) == reachable


@pytest.mark.skipif(not SHARED.is_dir(), reason="the TickTac models are not there (expected in ../shared/models)")
@pytest.mark.parametrize(
    ("file", "visited", "steps"),
    [
        ("fischer_6_10_10", 3458, 9132),
        ("fischer_5_1_2", 4602, 15380),
        ("csmacd-6-808-26", 2594, 5121),
        ("fddi_5_250_20_0", 352, 465),
        ("fddi_7_350_20_0", 1348, 1821),
        ("arbiter_tree-2", 809, 1907),
    ],
)
def test_zone_graphs_are_as_large_as_tcheckers(file: str, visited: int, steps: int) -> None:
    """Symbolic states expanded and steps taken, with covering, Extra-LU+ by location and breadth-first search."""
    outcome = run(zone_graph(load(SHARED / "uppaal" / f"{file}.xml")).space, "bfs", stop=Found.NOTHING)
    assert (outcome.statistics.expanded, outcome.statistics.generated) == (visited, steps)
