"""`--engine compositional`: networks taken apart, next to what their whole says."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("aalpy", reason="assumptions are learned by AALpy")

from beeline import NetworkBuilder, check
from beeline.compositional.division import NotDivided, divide
from beeline.engines import EngineError
from beeline.languages import LoadOptions, load
from beeline.model.network import Network

MODELS = Path(__file__).parents[2] / "models" / "promela"
NETWORKS = int(os.environ.get("BEELINE_COMPOSITIONAL", "60"))  # BEELINE_COMPOSITIONAL=500 asks for a long run
EXCLUSION = 'mu: [-*."grant(1)".(not "cancel(1)")*."grant(2)"] false'
TOGETHER = (
    'mu: [-*."grant(*,0)".(not "cancel(*,0)")*."grant(*,1)" | -*."grant(*,1)".(not "cancel(*,1)")*."grant(*,0)"] false'
)


def model(name: str, *macros: str) -> Network:
    found = load(MODELS / name, options=LoadOptions(dict.fromkeys(macros, "1")))
    assert isinstance(found, Network)
    return found


@pytest.mark.parametrize("options", ["", ":rule=circular", ":rule=symmetric", ":learner=kv", ":learner=lsharp"])
def test_clients_and_server(options: str) -> None:
    engine = f"compositional{options}"
    assert check(model("client_server.pml"), EXCLUSION, engine=engine).verdict == "holds"
    found = check(model("client_server.pml", "BUGGY"), EXCLUSION, engine=engine)
    assert found.verdict == "violated" and found.trace is not None
    assert [step.message for step in found.trace.steps if step.message][-1] == "grant: 2"


def test_the_arbiter() -> None:
    found = check(model("resource_arbiter.pml"), TOGETHER, engine="compositional")
    assert found.verdict == "holds" and found.learning is not None
    assert [one.states for one in found.learning.assumptions] == [13, 28]
    assert found.statistics.stored < 600  # of 5,484
    assert check(model("resource_arbiter.pml", "BUGGY"), TOGETHER, engine="compositional").verdict == "violated"


def test_what_cannot_be_divided_says_why() -> None:
    with pytest.raises(NotDivided, match="timeout"):
        divide(model("alternating_bit.pml"))
    with pytest.raises(EngineError, match="share variables or buffers"):
        check(model("peterson.pml"), "assertions", engine="compositional")
    with pytest.raises(EngineError, match="forbids no words"):
        check(model("client_server.pml"), "mu: <-> true", engine="compositional")
    with pytest.raises(EngineError, match="hidden is done"):
        check(model("client_server.pml"), "mu: [-.grant] false", engine="compositional")


def random_network(chance: random.Random) -> Network:
    """Processes with handshakes of small values, some with a variable in common, some with assertions."""
    builder = NetworkBuilder("random")
    channels = ["a", "b", "c"][: chance.randint(1, 3)]
    for name in channels:
        builder.channel(name, fields=[(0, 1)])
    builder.variable("shared", 0, 2)
    count = chance.randint(2, 4)
    for number in range(count):
        process = builder.process(f"P{number}")
        process.variable("x", 0, 2)
        places = [f"l{place}" for place in range(chance.randint(1, 3))]
        for place in places:
            process.location(place)
        for _ in range(chance.randint(2, 6)):
            source, target, channel = chance.choice(places), chance.choice(places), chance.choice(channels)
            match chance.randrange(6):
                case 0 | 1:
                    process.edge(source, target, sync=f"{channel}!{chance.choice(['x % 2', '0', '1'])}")
                case 2 | 3:
                    process.edge(source, target, sync=f"{channel}?x")
                case 4:
                    guard, effect = f"x == {chance.randrange(2)}", f"x = {chance.randrange(3)}"
                    process.edge(source, target, guard=guard, effect=effect)
                case 5 if number < 2 and chance.random() < 0.3:
                    process.edge(source, target, effect="shared = (shared + 1) % 3; x = shared")
                case 5:
                    process.edge(source, target, effect=f"assert(x != {chance.randrange(3)})")
        builder.start(f"P{number}")
    return builder.build()


def test_verdicts_are_those_of_the_whole() -> None:
    chance = random.Random(1)
    seen: Counter[str] = Counter()
    while sum(seen.values()) < NETWORKS:
        network = random_network(chance)
        if len(divide(network).components) < 2:
            continue
        one, two, three = (f'"{chance.choice("abc")}({chance.choice("01*")})"' for _ in range(3))
        asked = chance.choice(
            ["assertions", f"mu: [-*.{one}.(not {two})*.{three}] false", f"mu: [(not {one})*.{two}] false"]
        )
        rule = chance.choice(["chain", "chain", "circular", "symmetric"])
        learner = chance.choice(["lstar", "kv"])
        expected = check(network, asked).verdict
        found = check(network, asked, engine=f"compositional:rule={rule},learner={learner}")
        assert found.verdict == expected, (network, asked)
        assert (found.trace is not None) == (expected == "violated")
        seen[expected] += 1
    assert min(seen["holds"], seen["violated"]) > NETWORKS // 10
