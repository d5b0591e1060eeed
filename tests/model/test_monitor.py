"""A monitor moves along with the network and watches for the bad to be complete."""

import pytest
from tests.model.world import World

from beeline import NetworkBuilder, check
from beeline.model.expressions import TRUE
from beeline.model.names import Resolver
from beeline.model.network import Edge, Location, Network, Process
from beeline.model.property import Claim
from beeline.model.syntax import parse_expression

WATCH = (Location("watching"), Location("done", end=True))


def watched(*edges: tuple[int, int, str], effect: str = "x++") -> Network:
    """A counter to three, and a monitor with edges (from, to, guard)."""
    builder = NetworkBuilder("watched")
    builder.variable("x", 0, 3)
    builder.process("P").location("s").location("t").edge("s", "s", guard="x < 3", effect=effect)
    network = builder.build()
    resolver = Resolver(network)
    monitor_edges = [
        Edge(source, target, resolver.resolve(parse_expression(guard)) if guard else TRUE)
        for source, target, guard in edges
    ]
    return Claim("claim", watcher=Process("watch", WATCH, tuple(monitor_edges))).watched(network)


def test_the_monitor_moves_before_the_network() -> None:
    world = World(watched((0, 0, "x < 2")))
    assert world.movers() == ["monitor+P"]
    world.go("monitor+P", "monitor+P")
    assert world["x"] == "2"
    assert world.movers() == []


def test_reaching_the_end_is_a_step_of_the_monitor_alone() -> None:
    world = World(watched((0, 0, ""), (0, 1, "x == 1"))).go("monitor+P")
    assert world.movers() == ["monitor+P", "monitor"]
    world.go("monitor")
    assert world["monitor"] == "done"
    assert world.semantics.claim_completed(world.state)
    assert world.movers() == []


def test_where_the_network_is_stuck_the_monitor_moves_alone() -> None:
    world = World(watched((0, 0, ""))).go("monitor+P", "monitor+P", "monitor+P")
    assert world.movers() == ["monitor"]
    assert not world.is_deadlock()


def test_a_monitor_that_cannot_move_ends_the_path() -> None:
    assert World(watched((0, 0, "x > 0"))).movers() == []


def test_a_monitors_condition_without_a_value_is_an_error() -> None:
    world = World(watched((0, 0, "1 / x"), (0, 0, "x == 0")))
    assert world.movers() == ["monitor", "monitor+P"]
    assert world.errors() == ["division"]


@pytest.mark.parametrize(("guard", "verdict"), [("x == 3", "violated"), ("x == 3 && P@t", "holds")])
def test_a_claim_is_violated_when_the_monitor_completes(guard: str, verdict: str) -> None:
    result = check(watched((0, 0, ""), (0, 1, guard)))
    assert (result.verdict, result.property.kind) == (verdict, "claim")
    if verdict == "violated":
        assert result.trace is not None
        assert result.trace.steps[-1].process == "monitor"
        assert len(result.trace) == 4


def test_errors_of_the_network_show_beside_a_monitor() -> None:
    result = check(watched((0, 0, ""), effect="x = x + 2"))
    assert (result.verdict, result.reason) == ("violated", "value 4 outside 0..3")


def test_a_monitor_may_ask_who_can_move() -> None:
    result = check(watched((0, 0, ""), (0, 1, "!enabled(0)")))
    assert result.verdict == "violated"
    assert result.trace is not None
    assert len(result.trace) == 4
