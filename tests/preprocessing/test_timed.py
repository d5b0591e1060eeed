"""Models with clocks are made smaller by processes that have nothing to do with time, and keep verdicts and moments."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from beeline import Result, check
from beeline.languages.uppaal import load_text
from beeline.model.network import Network
from beeline.trace.timed import TimedTrace


def wheel(name: str, size: int, *more: str, last: int = 0) -> str:
    """A process that turns by itself and shows in a variable of its name where it is."""
    around = [f"p{i} -> p{(i + 1) % size} {{ assign {name.lower()} = {(i + 1) % size}; }}" for i in range(last or size)]
    places = ", ".join(f"p{i}" for i in range(size))
    edges = ", ".join([*around, *more])
    return f"int[0,{size - 1}] {name.lower()}; process {name}() {{ state {places}; init p0; trans {edges}; }}\n"


def duration(result: Result) -> str:
    assert isinstance(result.trace, TimedTrace)
    return str(result.trace.duration)


def door() -> Network:
    """A door that waits for a wheel between two moments, and a wheel that nobody looks at."""
    core = """process Door() { clock x; state shut, ajar { x <= 5 }, open; init shut;
        trans shut -> ajar { guard x >= 2 && wheel == 1; assign x = 0; },
              ajar -> open { guard x >= 3 && wheel == 0; }; }
    """
    wheels = wheel("Wheel", 3) + wheel("Idle", 3)
    return load_text(f"{wheels}{core} system Wheel, Idle, Door; query {{ E<> Door.open }}")


def test_wheels_are_taken_out_and_the_trace_has_the_same_moments() -> None:
    network = door()
    whole, small = (check(network, network.properties[0], search="bfs", shrink=how) for how in ("none", "all"))
    assert whole.trace is not None and small.trace is not None
    assert (small.shrinking.cone, small.shrinking.safe, small.shrinking.added) == (
        ("Idle", "idle"),
        ("Wheel", "wheel"),
        3,
    )
    assert small.statistics.stored < whole.statistics.stored
    assert len(whole.trace) == len(small.trace) == 5
    assert duration(whole) == duration(small) == "5"


@pytest.mark.parametrize(
    ("place", "edges"),
    [
        ("", "p0 -> p1 { guard t >= 3; assign w = 1; }"),  # a clock that nobody resets
        ("p0 { y <= 2 }", "p0 -> p1 { assign w = 1, y = 0; }"),
        ("urgent p1;", "p0 -> p1 { assign w = 1; }"),
        ("commit p1;", "p0 -> p1 { assign w = 1; }"),
        ("", "p0 -> p1 { assign w = 1; }, p1 -> p1 { sync hurry?; }"),
    ],
)
def test_what_has_to_do_with_time_stays(place: str, edges: str) -> None:
    places, hurry = ("p0", place) if place.endswith(";") or not place else (place, "")
    network = load_text(
        f"""clock t; int[0,1] w; urgent chan hurry;
        process W() {{ clock y; state {places}, p1; {hurry} init p0; trans {edges}, p1 -> p0 {{ assign w = 0; }}; }}
        process Core() {{ clock x; state a, b; init a;
            trans a -> b {{ guard x >= 1 && w == 1; }}, b -> b {{ sync hurry!; }}; }}
        system W, Core; query {{ E<> Core.b }}"""
    )
    whole, small = (check(network, network.properties[0], search="bfs", shrink=how) for how in ("none", "all"))
    assert small.shrinking.removed == ()
    assert (whole.verdict, whole.trace is None) == (small.verdict, small.trace is None)


def sampled(seed: int) -> Network:
    """A core with a clock, in which some steps wait for wheels or move with loops of theirs, or hurry."""
    chance = random.Random(seed)
    sizes = [chance.randint(2, 3) for _ in range(chance.randint(1, 3))]

    def wish() -> str:
        number = chance.randrange(len(sizes))
        return f"w{number} {chance.choice(['==', '==', '!='])} {chance.randrange(sizes[number])}"

    def edge(source: int) -> str:
        guards = [chance.choice(["x >= 1", "x <= 2", "x > 2", "x == 3"])] if chance.randrange(2) else []
        guards += [wish()] if chance.randrange(2) else []
        sync = f"sync {chance.choice('abu')}!;" if chance.randrange(3) == 0 else ""
        if sync and "u!" in sync:
            guards = [guard for guard in guards if "x" not in guard]  # no clocks beside urgent channels
        guard = f"guard {' && '.join(guards)};" if guards else ""
        reset = "assign x = 0;" if chance.randrange(2) else ""
        return f"l{source} -> l{chance.randrange(4)} {{ {guard} {sync} {reset} }}"

    places = ", ".join(
        f"l{i}" + (f" {{ x <= {chance.randint(1, 4)} }}" if chance.randrange(3) == 0 else "") for i in range(4)
    )
    edges = ", ".join(edge(i) for i in range(4) for _ in range(chance.randint(2, 3)))
    hurry = chance.choice(["", "", "commit l2;", "urgent l1;"])
    text = ""
    for number, size in enumerate(sizes):
        loops = [f"p{chance.randrange(size)}" for _ in range(chance.randrange(3))]
        more = [f"{place} -> {place} {{ sync {chance.choice('abu')}?; }}" for place in loops]
        text += wheel(f"W{number}", size, *more, last=size - (chance.randrange(6) == 0))
    text += f"process Core() {{ clock x; state {places}; {hurry} init l0; trans {edges}; }}\n"
    names = ", ".join(f"W{i}" for i in range(len(sizes)))
    goal = " && ".join([f"Core.l{chance.randint(1, 3)}"] + ([wish()] if chance.randrange(3) == 0 else []))
    return load_text(f"chan a, b; urgent chan u;\n{text} system Core, {names}; query {{ E<> {goal} }}")


def compare(count: int, first_seed: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + count):
        network = sampled(seed)
        whole = check(network, network.properties[0], search="bfs", shrink="none")
        for choice, search in (("cone", "bfs"), ("all", "bfs"), ("auto", "auto")):
            ours = check(network, network.properties[0], search=search, shrink=choice)
            assert ours.verdict == whole.verdict, f"{choice} of\n{network}"
            assert ours.shrinking.note == "", f"{choice} of\n{network}"
            counts[ours.verdict] += bool(ours.shrinking.removed)
            counts["safe"] += bool(ours.shrinking.safe)
            counts["longer"] += bool(ours.shrinking.added)
            if choice == "cone" and whole.trace is not None:
                assert ours.trace is not None and len(ours.trace) == len(whole.trace)
    assert min(counts["holds"], counts["violated"], counts["safe"], counts["longer"]) > count // 20, counts


def test_deadlocks_are_those_of_the_whole_network() -> None:
    network = load_text(
        "clock x; int[0,3] seen = 0;"
        "process P() { state a { x <= 3 }, b; init a; trans a -> b { guard x >= 1; assign seen := 1; }; }"
        "system P;"
    )
    result = check(network, "deadlock")
    assert result.trace is not None and len(result.trace) == 1
    assert (result.shrinking.cone, result.shrinking.safe, result.shrinking.note) == ((), (), "")


def test_networks_with_clocks() -> None:
    compare(40, 0)


@pytest.mark.slow
def test_thousands_of_networks_with_clocks() -> None:
    compare(2000, 10_000)
