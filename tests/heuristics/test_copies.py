"""Where a step has too many combinations of values, what it only copies is followed apart, and promises are kept."""

from __future__ import annotations

import os
from random import Random

from tests.explicit import Explicit, explore
from tests.heuristics.test_promises import check_promises

from beeline import _native
from beeline.compile.program import compile_network
from beeline.engine import Found
from beeline.heuristics import Context, HeuristicError, build
from beeline.model.builder import NetworkBuilder
from beeline.model.expressions import At, Binary, Literal, Numbered, Ref
from beeline.model.property import Goal

NETWORKS = int(os.environ.get("BEELINE_COPIES", "60"))  # BEELINE_COPIES=5000 asks for a long run
VARIABLES = "abcd"


def ranges(low: int, high: int, names: str = VARIABLES) -> NetworkBuilder:
    builder = NetworkBuilder("copies")
    for name in names:
        builder.variable(name, low, high)
    return builder


def random_copies(random: Random) -> Explicit | None:
    """A process that copies variables to one another, adds to them, and asks for them, in any order."""
    builder = ranges(0, 3)
    builder.variable("narrow", 0, 1)
    process = builder.process("P")
    for place in ("l0", "l1"):
        process.location(place)

    def statement() -> str:
        target, source = random.choices((*VARIABLES, "narrow"), k=2)
        return random.choice((f"{target} = {source}", f"{target} = {source}", f"{target} = ({source} + 1) % 4"))

    for _ in range(random.randint(3, 6)):
        effect = "; ".join(statement() for _ in range(random.randint(1, 5)))
        guard = random.choice(("true", f"{random.choice(VARIABLES)} == {random.randrange(3)}", "a != b"))
        process.edge(random.choice(("l0", "l1")), random.choice(("l0", "l1")), guard=guard, effect=effect)
    return explore(builder.build(), Binary("==", Ref(random.choice(VARIABLES)), Literal(3)))


def test_copies_that_are_followed_apart_keep_promises_on_random_networks() -> None:
    random = Random(4)
    apart = 0
    for _ in range(NETWORKS):
        graph = random_copies(random)
        if graph is None:
            continue
        for effort in (50, 200, 800, 3200):
            context = graph.context()
            context.effort = effort
            task = _native.Task(graph.native, False, work=effort)
            apart += task.complete and not task.exact
            for name in ("hL", "hU", "hADD", "hFF", "hCG", "dL", "lmcut", "pdb", "hAA", "cartesian"):
                try:
                    (estimator,) = build(name, context)
                except HeuristicError:
                    continue
                check_promises(graph, estimator)
    assert apart > NETWORKS // 2


def test_what_is_copied_keeps_its_distance() -> None:
    builder = ranges(0, 20, "abcdwxyz")
    process = builder.process("P")
    process.location("there")
    for name in VARIABLES:
        process.edge("there", "there", guard=f"{name} < 20", effect=f"{name}++")
    process.edge("there", "there", effect="w = a; x = b; y = c; z = d")
    network = builder.build()
    goal = Binary("==", Ref("w"), Literal(20))
    graph = explore(network, goal, most=2)
    assert graph is None  # so many are the states, and so many the values of the last step

    program = compile_network(network, goal, 1)
    native = _native.Program(program.tables)
    context = Context(network, program, native, Goal("goal", expression=goal), goal, Found.GOAL)
    (estimator,) = build("hL", context)
    ((_, _, _, first),) = _native.ProgramSpace(native).initial_arcs()
    assert first is not None
    assert estimator.native.estimate(first) == 21


def test_who_steps_together_is_followed_where_values_are_too_many() -> None:
    builder = ranges(0, 30, "abcde")
    first, second = builder.process("First"), builder.process("Second")
    for process in (first, second):
        for place in ("before", "behind"):
            process.location(place)
    for name in "abcde":
        first.edge("before", "before", guard=f"{name} < 30", effect=f"{name}++")
    first.edge("before", "behind", guard="a + b + c + d + e == 150", label="go")
    second.edge("before", "behind", label="go")
    network = builder.build()
    goal = At(Numbered("Second", Literal(1)), "behind")
    program = compile_network(network, goal, 2)
    native = _native.Program(program.tables)
    context = Context(network, program, native, Goal("goal", expression=goal), goal, Found.GOAL)
    context.effort = 10**6
    (estimator,) = build("hL", context)
    ((_, _, _, initial),) = _native.ProgramSpace(native).initial_arcs()
    assert initial is not None
    estimate = estimator.native.estimate(initial)
    assert estimate is not None
    assert 1 <= estimate <= 151


def test_what_is_sought_is_followed_however_much_was_done_for_the_steps() -> None:
    builder = ranges(0, 20, "abcdw")
    process = builder.process("P")
    process.location("there")
    for name in VARIABLES:
        process.edge("there", "there", guard=f"{name} < 20", effect=f"{name}++")
    process.edge("there", "there", guard="a + b + c + d == 80", effect="w = a")
    network, goal = builder.build(), Binary("==", Ref("w"), Literal(20))
    program = compile_network(network, goal, 1)
    native = _native.Program(program.tables)
    context = Context(network, program, native, Goal("goal", expression=goal), goal, Found.GOAL)
    context.effort = 200_000
    (estimator,) = build("hU", context)
    ((_, _, _, first),) = _native.ProgramSpace(native).initial_arcs()
    assert first is not None
    steps = estimator.native.estimate(first)
    assert steps is not None and steps >= 1
