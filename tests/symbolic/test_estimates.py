"""Estimates made with sets of states: never too large, consistent, and the same for single states."""

from __future__ import annotations

import os
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import pytest
from tests.loosely_coupled import sampler_of
from tests.networks import Sampler

from beeline import check
from beeline.compile.program import Program, compile_network
from beeline.engine import Found, core
from beeline.languages import load
from beeline.languages.smv import read_smv
from beeline.model.syntax import parse_expression
from beeline.problems.make import problem_of
from beeline.problems.networks import NetworkProblem
from beeline.symbolic import patterns, refinement
from beeline.symbolic.advance import learn_in_advance
from beeline.symbolic.backward import LevelsBack
from beeline.symbolic.buckets import Buckets
from beeline.symbolic.diagrams import difference
from beeline.symbolic.distances import Distances
from beeline.symbolic.quest import Quest, Targets
from beeline.symbolic.room import with_room
from beeline.symbolic.table import table_of

TIMES = int(os.environ.get("BEELINE_SYMBOLIC", "1"))  # BEELINE_SYMBOLIC=20 asks for a long run

Make = Callable[[Quest, Targets], Distances]
ESTIMATES: dict[str, Make] = {
    "refine:0": lambda quest, targets: refinement.distances(quest, targets, 0),
    "refine:2": lambda quest, targets: refinement.distances(quest, targets, 2),
    "refine:9": lambda quest, targets: refinement.distances(quest, targets, 9),
    "refine:1;sum=1": lambda quest, targets: refinement.distances(quest, targets, 1, 1),
    "refine:3;sum=1": lambda quest, targets: refinement.distances(quest, targets, 3, 1),
    "spdb:6": lambda quest, targets: patterns.distances(quest, targets, 6),
    "spdb:60": lambda quest, targets: patterns.distances(quest, targets, 60),
}


def programs(count: int) -> Iterator[tuple[Program, Found]]:
    """Networks with something to look for: a rare state, failing steps, deadlocks, ends of monitors."""
    for seed in range(count):
        sampler = sampler_of(seed)
        network = sampler.network()
        wanted = sampler.rare_state(network)
        yield compile_network(network, values=[] if wanted is None else [wanted]), Found.GOAL | Found.ERROR
        yield compile_network(Sampler(seed).network()), Found.ANYTHING


def known(quest: Quest) -> Targets:
    return quest.targets(learn_in_advance(quest.system, quest.meter))


def checked(quest: Quest, make: Make) -> Distances:
    """An estimate, which is compared with all distances, and before and after all steps."""
    targets = known(quest)
    distances = make(quest, targets)
    none = quest.system.diagrams.false
    exact = LevelsBack(quest, targets.everything)
    while exact.advance():
        pass
    for distance, layer in enumerate(exact.layers):
        assert not difference(layer, distances.within(distance, none)).satisfiable()
    dead = difference(targets.everything, distances.within(len(distances.layers), none))
    after_dead = quest.system.successors(dead)
    for value, layer in enumerate(distances.layers):
        after = quest.system.successors(layer & targets.everything)
        assert not (after & distances.within(value - 2, none)).satisfiable() or value < 2
        assert not (after_dead & distances.within(value, none)).satisfiable()
    return distances


@pytest.mark.parametrize("name", ESTIMATES)
def test_never_too_large_and_consistent(name: str) -> None:
    values: Counter[int] = Counter()

    def look(quest: Quest) -> None:
        values[len(checked(quest, ESTIMATES[name]).layers)] += 1

    for program, stop in programs(12):
        try:
            with_room(program, stop, None, look)
        except core.TooManyProcesses:
            continue
    assert sum(values.values()) > 15
    assert max(values) > (2 if name == "refine:0" else 3) - 1


BINARY = {
    number: " | ".join(
        f"({a} & {b})" for place, (a, b) in enumerate(product(("!x", "x"), ("!y", "y"))) if number >> place & 1
    )
    or "FALSE"
    for number in range(16)
}
"""All gates with two inputs."""


def random_circuit(chance: Random, steps: str) -> str:
    """Modules of one or two gates that read each other; something is asked of two gates or three."""
    names = [f"m{module}.g{number}" for module in range(chance.randint(2, 4)) for number in range(chance.randint(1, 2))]
    modules = sorted({name.partition(".")[0] for name in names})
    main, bodies = ["MODULE main", "VAR"], []
    for module in modules:
        own = [name.partition(".")[2] for name in names if name.startswith(f"{module}.")]
        read = {gate: chance.sample(names, 2) for gate in own}
        inputs = ", ".join(name for gate in own for name in read[gate])
        main.append(f"  {module} : {'process ' if steps == 'interleaving' else ''}{module}_gates({inputs});")
        bodies += [f"MODULE {module}_gates({', '.join(f'x_{gate}, y_{gate}' for gate in own)})", "VAR"]
        bodies += [f"  {gate} : boolean;" for gate in own] + ["ASSIGN"]
        for gate in own:
            function = re.sub(r"([xy])", rf"\1_{gate}", BINARY[chance.randrange(16)])
            kept = "" if steps == "synchronous" else f" union {gate}"
            bodies += [f"  init({gate}) := FALSE;", f"  next({gate}) := ({function}){kept};"]
    sought = " & ".join(chance.choice(("", "!")) + name for name in chance.sample(names, min(len(names), 3)))
    return "\n".join([*main, f"INVARSPEC !({sought});", *bodies]) + "\n"


@pytest.mark.parametrize("steps", ["interleaving", "any", "synchronous"])
def test_on_random_circuits_with_all_kinds_of_steps(steps: str) -> None:
    """The largest and the sum, to several depths; the sum says more at times."""
    apart = 0

    def look(quest: Quest) -> None:
        nonlocal apart
        for depth in (0, 1, 2, 4):
            largest = checked(quest, partial(refinement.distances, depth=depth))
            added = checked(quest, partial(refinement.distances, depth=depth, adds=1))
            none = quest.system.diagrams.false
            for value in range(len(largest.layers)):
                assert not difference(added.within(value, none), largest.within(value, none)).satisfiable()
            apart += added.layers != largest.layers

    for seed in range(25 * TIMES):
        network = read_smv(random_circuit(Random(seed), steps))
        problem = problem_of(network, network.properties[0])
        assert isinstance(problem, NetworkProblem) and problem.asked.sought is not None
        with_room(problem.compiled([problem.asked.sought]), Found.GOAL, None, look)
    assert apart > 5


@pytest.mark.parametrize("number", BINARY)
@pytest.mark.parametrize("value", [0, 1])
def test_gates_as_in_the_table_of_the_paper(number: int, value: int, tmp_path: Path) -> None:
    """One step more than the dearest input of the cheapest assignment that gives the gate its value; 0 if it has it."""
    lines = [f"byte {name} = 0;" for name in "xyz"]
    lines += ["process inputs { state s; init s; trans s -> s { effect x = 1 - x; }, s -> s { effect y = 1 - y; }; }"]
    function = re.sub(r"!(\w)", r"(\1 == 0)", BINARY[number].replace("FALSE", "x != x"))
    function = re.sub(r"\b([xy])\b(?! [!=])", r"(\1 == 1)", function).replace("&", "&&").replace("|", "||")
    for new in (0, 1):
        guard = f"({function})" if new else f"not ({function})"
        lines += [f"process to_{new} {{ state s; init s; trans s -> s {{ guard {guard}; effect z = {new}; }}; }}"]
    path = tmp_path / "gate.dve"
    path.write_text("\n".join([*lines, "system async;"]))
    program = compile_network(load(path), values=[parse_expression(f"z == {value}")])

    def look(quest: Quest) -> None:
        distances = checked(quest, lambda quest, targets: refinement.distances(quest, targets, 1))
        possible = known(quest).everything
        for state in product((0, 1), repeat=3):
            inputs = [bits for place, bits in enumerate(product((0, 1), repeat=2)) if (number >> place & 1) == value]
            best = min(
                (max(one != now for one, now in zip(bits, state, strict=False)) for bits in inputs), default=None
            )
            expected = 0 if state[2] == value else None if best is None else 1 + best
            cells = {kind.name: cell for cell, kind in enumerate(program.layout.cells)}
            held = quest.system.encoding.cube([(cells[name], bit) for name, bit in zip("xyz", state, strict=True)])
            if not (held & possible).satisfiable():
                continue  # the gate never has this value
            assert [found for found, _ in distances.split(held)] == ([] if expected is None else [expected])

    with_room(program, Found.GOAL, None, look)


def test_operands_with_a_common_cause_are_not_added_up(tmp_path: Path) -> None:
    """y := 1, x1 := y, x2 := y, z := x1 and x2: z is four steps away. The sum that the paper allows says five."""
    gates = {"y": "1", "x1": "y", "x2": "y", "z": "(x1 && x2)"}
    lines = [f"byte {name} = 0;" for name in gates]
    lines += [f"process P{n} {{ state s; init s; trans s -> s {{ effect {n} = {g}; }}; }}" for n, g in gates.items()]
    path = tmp_path / "common.dve"
    path.write_text("\n".join([*lines, "system async;"]))
    program = compile_network(load(path), values=[parse_expression("z == 1")])

    def look(quest: Quest) -> None:
        for depth, expected in enumerate((1, 3, 3, 3)):
            distances = checked(quest, partial(refinement.distances, depth=depth, adds=1))
            assert [value for value, _ in distances.split(quest.system.initial)] == [expected]

    with_room(program, Found.GOAL, None, look)


def breadth_first(space: core.ProgramSpace) -> dict[tuple[int, ...], int]:
    """The distance of each state."""
    found = {tuple(words): 0 for _, _, _, words in space.initial_arcs() if words is not None}
    waiting = deque(found)
    while waiting:
        state = waiting.popleft()
        for arc in space.successor_arcs(state)[1]:
            if arc[3] is not None and tuple(arc[3]) not in found:
                found[tuple(arc[3])] = found[state] + 1
                waiting.append(tuple(arc[3]))
    return found


@pytest.mark.parametrize("name", ["refine:2", "spdb:12"])
def test_buckets_hold_what_single_states_say(name: str) -> None:
    """Nothing is found, so that all states are taken: as many in each bucket as there are one by one."""
    bits = int(name.partition(":")[2])
    compared = 0
    for seed in range(15):
        network = sampler_of(seed).network()
        wanted = sampler_of(seed).rare_state(network)
        if wanted is None:
            continue
        program = compile_network(network, values=[wanted])

        def look(quest: Quest, program: Program = program) -> None:
            nonlocal compared
            targets = known(quest)
            make = refinement.distances if name.startswith("refine") else patterns.distances
            distances = make(quest, targets, bits)
            estimator = table_of(distances, quest.system.encoding).native(program.native)
            expected: Counter[tuple[int, int]] = Counter()
            for state, distance in breadth_first(core.ProgramSpace(program.native)).items():
                value = estimator.estimate(state)
                if value is not None:
                    expected[distance, value] += 1
            nothing = Quest(quest.system, Found.NOTHING, None, quest.meter)
            buckets = Buckets(nothing, distances, lambda _, sets: distances.split(quest.system.successors(sets)))
            buckets.run()
            assert buckets.counts == expected
            compared += len(expected)

        with_room(program, Found.GOAL, None, look)
    assert compared > 60


GATES = {"s10": "s11 && s12", "s20": "s12 && s21", "s11": "!(s13 && s14)", "s12": "s15 || s22", "s21": "!(s22 || s23)"}
VALUES = {"s10": 1, "s11": 1, "s12": 1, "s13": 1, "s14": 1, "s15": 0, "s20": 0, "s21": 0, "s22": 1, "s23": 0}


def circuit(folder: Path) -> Path:
    """Gates that follow their inputs when they like, and inputs that change."""
    lines = [f"byte {name} = {value};" for name, value in VALUES.items()]
    for name in VALUES:
        gate = GATES.get(name, f"!{name}")
        lines += [f"process {name}_gate {{ state s; init s; trans s -> s {{ effect {name} = ({gate}); }}; }}"]
    path = folder / "circuit.dve"
    path.write_text("\n".join([*lines, "system async;"]))
    return path


@pytest.mark.parametrize(("depth", "expected"), [(0, 1), (1, 2), (2, 3)])
def test_the_circuit_of_the_paper(depth: int, expected: int, tmp_path: Path) -> None:
    """s10 holds and s20 does not: to be set it needs s21, which needs s22 to fall."""
    network = load(circuit(tmp_path))
    program = compile_network(network, values=[parse_expression("s10 && s20")])

    def look(quest: Quest) -> None:
        distances = refinement.distances(quest, known(quest), depth)
        assert [value for value, _ in distances.split(quest.system.initial)] == [expected]

    with_room(program, Found.GOAL, None, look)


@pytest.mark.parametrize("search", ["astar", "setastar", "bdda"])
@pytest.mark.parametrize("heuristic", ["refine", "max(refine:1, spdb)"])
def test_the_circuit_is_searched(search: str, heuristic: str, tmp_path: Path) -> None:
    model, goal = circuit(tmp_path), "!(s10 && s20)"
    expected = check(model, goal, search="bfs")
    for engine in ("bdd", "explicit") if search == "astar" else ("bdd",):
        result = check(model, goal, search=search, heuristic=heuristic, engine=engine)
        assert result.verdict == expected.verdict == "violated"
        assert result.trace is not None and expected.trace is not None and result.shortest
        assert len(result.trace) == len(expected.trace)


def test_tables_that_are_malformed_are_refused(tmp_path: Path) -> None:
    native = compile_network(load(circuit(tmp_path))).native
    widths = [1] * 1000
    for rows, root in [([], 0), ([(-1, 0, 0, -1, -1)], 0), ([(0, 0, 1, -1, -1)], 0), ([(0, 0, 0, 0, -1)], 0)]:
        with pytest.raises(ValueError, match="malformed"):
            core.diagram_estimator(native, rows, widths, root)
    assert core.diagram_estimator(native, [], widths, -4).estimate([0] * native.words) == 3
