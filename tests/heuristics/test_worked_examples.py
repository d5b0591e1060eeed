"""The worked examples of the papers: their numbers, to the digit."""

from __future__ import annotations

import pytest

from beeline import Network, NetworkBuilder, _native, check
from beeline.compile.program import compile_network
from beeline.model.names import Resolver
from beeline.model.syntax import parse_expression


class Estimates:
    """All estimates on the grounded task, for one network and goal."""

    def __init__(self, network: Network, goal: str) -> None:
        expression = Resolver(network).resolve(parse_expression(goal))
        program = _native.Program(compile_network(network, expression).tables)
        task = _native.Task(program, False)
        assert task.complete
        self.space = _native.ProgramSpace(program)
        self.by_name = {name: _native.relaxed_estimator(task, name) for name in ("hL", "hU", "hADD", "hFF")}
        self.by_name["dL"] = _native.graph_distance(task, False)
        self.by_name["dU"] = _native.graph_distance(task, True)
        self.by_name["hCG"] = _native.causal_graph_estimator(task)
        self.by_name["hCEA"] = _native.context_additive_estimator(task)
        initial = self.space.initial_arcs()[0][3]
        assert initial is not None
        self.initial = initial

    def __getitem__(self, name: str) -> int | None:
        return self.by_name[name].estimate(self.initial)


def running_example() -> Network:
    """Three processes of the causal graph paper: two rings that must be turned to let the third go on."""
    builder = NetworkBuilder("running example")
    for name, turn, mine, theirs in (("p1", "t1", "a", "b"), ("p2", "t2", "b", "a")):
        ring = builder.process(name)
        other = "t2" if turn == "t1" else "t1"
        for position in range(4):
            ring.location(f"s{position}")
        for position in range(4):
            here = f"s{position}"
            ring.edge(here, f"s{(position + 1) % 4}", label=turn)
            ring.edge(here, here, label=other).edge(here, here, label=theirs)
        ring.edge("s2", "s2", label=mine).edge("s0", "s0", label="c")
    last = builder.process("p3")
    for position in range(4):
        last.location(f"s{position}")
    for position, label in enumerate("abc"):
        last.edge(f"s{position}", f"s{position + 1}", label=label)
    for position in range(4):
        last.edge(f"s{position}", f"s{position}", label="t1").edge(f"s{position}", f"s{position}", label="t2")
    return builder.build()


def test_the_running_example_of_the_causal_graph_paper() -> None:
    network = running_example()
    estimates = Estimates(network, "p3@s3")
    assert {name: estimates[name] for name in ("dL", "dU", "hL", "hU")} == {"dL": 3, "dU": 3, "hL": 5, "hU": 7}
    assert [Estimates(network, f"p3@s{position}")["hCG"] for position in range(4)] == [0, 3, 6, 11]
    assert estimates["hCEA"] == 11
    result = check(network, "E<> p3@s3")
    assert result.trace is not None and len(result.trace) == 11


def stranded() -> Network:
    """The cheapest way to let p do its first step takes q where it can never allow the second."""
    builder = NetworkBuilder("stranded")
    q = builder.process("q").location("q0").location("q1").location("q2").location("q3")
    q.edge("q0", "q1", label="t").edge("q0", "q2", label="t").edge("q2", "q3", label="t")
    q.edge("q1", "q1", label="a").edge("q3", "q3", label="a").edge("q3", "q3", label="c")
    p = builder.process("p").location("p0").location("p1").location("p2")
    p.edge("p0", "p1", label="a").edge("p1", "p2", label="c")
    for location in ("p0", "p1", "p2"):
        p.edge(location, location, label="t")
    return builder.build()


@pytest.mark.parametrize("search", ["greedy", "astar", "ut"])
def test_where_the_causal_graph_sees_no_way_the_search_goes_on(search: str) -> None:
    network = stranded()
    far = Estimates(network, "p@p2")["hCG"]
    assert far is not None and far > 1000
    result = check(network, "E<> p@p2", search=search, heuristic="hCG")
    assert result.trace is not None and len(result.trace) == 4


def two_automata(n: int) -> Network:
    """Figure 1 of the planning paper: the top automaton must come round for each step of the bottom one."""
    builder = NetworkBuilder("figure 1")
    builder.channel("a")
    builder.process("top").location("t1").location("t2").edge("t1", "t2").edge("t2", "t1", sync="a!")
    bottom = builder.process("bottom")
    for position in range(1, n + 1):
        bottom.location(f"b{position}")
    for position in range(1, n):
        bottom.edge(f"b{position}", f"b{position + 1}", sync="a?")
    return builder.build()


@pytest.mark.parametrize("n", range(2, 21))
def test_figure_1_of_the_planning_paper(n: int) -> None:
    estimates = Estimates(two_automata(n), f"bottom@b{n}")
    assert (estimates["hL"], estimates["hU"]) == (n, n)


def chain(n: int) -> Network:
    """Figure 3 of the planning paper: one wrong choice anywhere is a dead end."""
    builder = NetworkBuilder("figure 3")
    for position in range(1, n):
        builder.channel(f"a{position}")
    builder.process("p1").location("b").location("t").edge("b", "t", sync="a1!")
    for k in range(2, n + 1):
        process = builder.process(f"p{k}").location("b").location("m").location("r").location("t")
        process.edge("b", "m", sync=f"a{k - 1}?").edge("b", "r", sync=f"a{k - 1}?")
        process.edge("m", "t", sync=f"a{k}!" if k < n else "").edge("r", "t", sync=f"a{k - 1}?")
    return builder.build()


@pytest.mark.parametrize("n", range(2, 21))
def test_figure_3_of_the_planning_paper(n: int) -> None:
    goal = " && ".join(f"p{k}@t" for k in range(1, n + 1))
    estimates = Estimates(chain(n), goal)
    found = {name: estimates[name] for name in ("dL", "dU", "hL", "hU")}
    assert found == {"dL": 2, "dU": 2 * n - 1, "hL": n, "hU": n}


def test_in_figure_3_hL_is_exact_in_every_reachable_state_and_finds_every_dead_end() -> None:
    n = 6
    estimates = Estimates(chain(n), " && ".join(f"p{k}@t" for k in range(1, n + 1)))
    graph: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    frontier = [estimates.initial]
    goals = set()
    for state in frontier:
        arcs = estimates.space.successor_arcs(state)[1]
        graph[state] = [words for _, _, _, words in arcs if words is not None]
        goals |= {words for _, marks, _, words in arcs if marks & _native.GOAL and words is not None}
        frontier += [target for target in dict.fromkeys(graph[state]) if target not in graph and target not in frontier]
    distance: dict[tuple[int, ...], int] = dict.fromkeys(goals, 0)
    for _ in graph:
        for state, targets in graph.items():
            known = [distance[target] + 1 for target in targets if target in distance]
            if known and state not in goals:
                distance[state] = min(known)
    assert len(graph) == 2 * n and len(graph) - len(distance) == n - 1
    assert all(estimates.by_name["hL"].estimate(state) == distance.get(state) for state in graph)


def test_increments_are_counted_one_by_one() -> None:
    builder = NetworkBuilder("count")
    builder.variable("v", 0, 9)
    builder.process("p").location("here").edge("here", "here", guard="v < 9", effect="v++")
    estimates = Estimates(builder.build(), "v == 5")
    assert (estimates["hL"], estimates["hU"]) == (5, 5)


def test_a_wrapping_decrement_is_no_dead_end() -> None:
    builder = NetworkBuilder("wrap")
    builder.variable("v", 0, 7, wrap=True)
    builder.process("p").location("here").edge("here", "here", effect="v--")
    assert Estimates(builder.build(), "v >= 4")["hL"] == 1


def test_a_receiver_that_copies_what_the_sender_wrote_needs_one_step() -> None:
    builder = NetworkBuilder("sequential effects")
    builder.variable("x", 0, 9)
    builder.variable("y", 0, 9)
    builder.channel("c")
    builder.process("p").location("a").location("b").edge("a", "b", sync="c!", effect="x = 5")
    builder.process("q").location("a").location("b").edge("a", "b", sync="c?", effect="y = x")
    assert Estimates(builder.build(), "y == 5")["hL"] == 1


def test_up_and_down_a_step_back_is_useless_and_a_step_forward_is_not() -> None:
    builder = NetworkBuilder("up and down")
    component = builder.process("c").location("up").location("down")
    component.edge("up", "down").edge("down", "up")
    for _ in range(4):
        builder.start("c")
    estimates = Estimates(builder.build(), " && ".join(f"c[{i}]@down" for i in range(4)))
    estimator = estimates.by_name["dL"]
    for action, _, detail, words in estimates.space.successor_arcs(estimates.initial)[1]:
        assert words is not None
        after, without = estimator.estimate(words), estimator.estimate_without(estimates.initial, action, detail)
        assert after == 1 and without is None  # never without this step: it is not useless
        for back, _, more, again in estimates.space.successor_arcs(words)[1]:
            if again == estimates.initial:
                assert estimator.estimate_without(words, back, more) == 1 == estimator.estimate(again)
