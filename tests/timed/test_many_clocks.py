"""Networks with more clocks than states have room for at first, and the order in which larger zones come first."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.languages.uppaal.timed_models import Shape, make_model, to_xta

from beeline.engine import Found, Status
from beeline.languages.uppaal import load_text
from beeline.model.network import Network
from beeline.searches.runner import run
from beeline.timed.search import search_property, zone_graph


def waiting(count: int, apart: str) -> Network:
    """Processes that leave a place at once, each with a clock that matters until then; then they rest."""
    return load_text(f"""
typedef int[0,{count - 1}] id_t; int[0,{count}] gone;
process P(const id_t id) {{ clock x; state here {{ x <= 3 }}, there; init here;
trans here -> there {{ guard x >= 2{apart}; assign gone = gone + 1; }}; }}
system P; query {{ E<> gone == {count} }}""")


@pytest.mark.parametrize("count", [20, 70, 150])
@pytest.mark.parametrize("search", ["dfs", "larger", "greedy"])
def test_states_get_room_for_the_clocks_that_matter(count: int, search: str) -> None:
    network = waiting(count, " && gone == id")
    outcome, trace = search_property(network, network.properties[0], search)
    assert outcome.status is Status.FOUND and trace is not None
    assert len(trace.steps) == count and sum(trace.delays) == 2
    zone = zone_graph(network).space.bounds(outcome.path[0].state) if count <= 63 else []
    assert count > 63 or len(zone) == (count + 1) ** 2


def test_few_clocks_of_many_need_few_words() -> None:
    """Of three hundred clocks one matters at a time."""
    network = load_text("""
typedef int[0,299] id_t; int[0,300] turn;
process P(const id_t id) { clock x; state rest, busy { x <= 3 }, done; init rest;
trans rest -> busy { guard turn == id; assign x = 0; }, busy -> done { guard x >= 2; assign turn = turn + 1; }; }
system P; query { E<> turn == 300 }""")
    outcome, trace = search_property(network, network.properties[0], "bfs")
    assert trace is not None and len(trace.steps) == 600 and sum(trace.delays) == 600
    assert zone_graph(network).space.words < 1000
    assert outcome.statistics.stored == 600  # all but the last


@settings(max_examples=300)
@given(seed=st.integers(0, 2**32 - 1))
def test_larger_zones_first_find_what_breadth_first_search_finds(seed: int) -> None:
    model = make_model(Random(seed), Shape())
    text = to_xta(model)
    for value in range(3):
        network = load_text(f"{text}\nquery {{ E<> v == {value} }}")
        asked = network.properties[0]
        found = [search_property(network, asked, search) for search in ("bfs", "larger")]
        assert found[0][0].status is found[1][0].status
        assert (found[0][1] is None) is (found[1][1] is None)


def test_larger_zones_first_explore_less_twice() -> None:
    """A loop in which a clock may pass any of several bounds: the largest zone comes last to breadth-first search."""
    rows = ", ".join(f"a -> b {{ guard x >= {bound}; }}" for bound in range(9, -1, -1))
    further = ", ".join(f"s{at} -> s{at + 1} {{ }}" for at in range(6))
    places = ", ".join(f"s{at}" for at in range(7))
    network = load_text(f"""clock x, y; process P() {{ state a, b, {places}; init a;
trans {rows}, b -> s0 {{ guard y >= 1; }}, {further}, s6 -> a {{ assign y = 0; }}; }} system P;""")
    counts = {
        search: run(zone_graph(network).space, search, stop=Found.NOTHING).statistics for search in ("bfs", "larger")
    }
    assert counts["larger"].stored == counts["bfs"].stored
    assert counts["larger"].expanded <= counts["bfs"].expanded
