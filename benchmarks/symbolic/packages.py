"""Packages for decision diagrams, by the same work: all reachable states of loosely coupled cells, level by level."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Any

Step = tuple[dict[int, bool], dict[int, bool]]
"""The bits that are read, and those that are written."""


def relations(cells: int) -> list[list[Step]]:
    """Philosophers as bits, three for each: two for what it does, one for its left fork. A step reads and writes the
    bits of one philosopher and the fork on the right."""
    made = []
    for number in range(cells):
        high, low, left, right = 3 * number, 3 * number + 1, 3 * number + 2, 3 * ((number + 1) % cells) + 2
        steps = [
            ({high: False, low: False, left: False}, {high: False, low: True, left: True}),
            ({high: False, low: True, right: False}, {high: True, low: False, right: True}),
            ({high: True, low: False, left: True}, {high: True, low: True, left: False}),
            ({high: True, low: True, right: True}, {high: False, low: False, right: False}),
        ]
        made.append(steps)
    return made


def oxidd(cells: int, kind: str = "bcdd") -> tuple[int, float]:
    """The states and the seconds of OxiDD."""
    from oxidd.util import BooleanOperator

    module = import_module(f"oxidd.{kind}")
    function = getattr(module, f"{kind.upper()}Function")
    manager = getattr(module, f"{kind.upper()}Manager")(20_000_000, 2_000_000, 1)
    manager.add_vars(6 * cells)

    def cube(values: dict[int, bool], shift: int) -> Any:
        found = manager.true()
        for bit, value in values.items():
            literal = manager.var(2 * bit + shift)
            found = found & (literal if value else ~literal)
        return found

    def both(states: Any, relation: Any, bits: list[int]) -> Any:
        quantified = cube(dict.fromkeys(bits, True), 0)
        moved = states.apply_exists(BooleanOperator.AND, relation, quantified)
        return moved.substitute(function.make_substitution((2 * bit + 1, manager.var(2 * bit)) for bit in bits))

    def count(states: Any) -> int:
        return int(states.sat_count(6 * cells)) >> 3 * cells

    return _reached(cells, cube, both, lambda left, right: left | right, count)


def cudd(cells: int) -> tuple[int, float]:
    """The states and the seconds of CUDD by dd."""
    package = import_module("dd.cudd")

    manager = package.BDD()
    manager.configure(reordering=False)
    manager.declare(*(f"v{i}" for i in range(6 * cells)))

    def cube(values: dict[int, bool], shift: int) -> Any:
        return manager.cube({f"v{2 * bit + shift}": value for bit, value in values.items()})

    def both(states: Any, relation: Any, bits: list[int]) -> Any:
        moved = package.and_exists(states, relation, [f"v{2 * bit}" for bit in bits])
        return manager.let({f"v{2 * bit + 1}": f"v{2 * bit}" for bit in bits}, moved)

    return _reached(cells, cube, both, lambda a, b: a | b, lambda s: int(manager.count(s, 6 * cells)) >> 3 * cells)


def python(cells: int) -> tuple[int, float]:
    """The states and the seconds of dd in Python alone."""
    package = import_module("dd.autoref")

    manager = package.BDD()
    manager.configure(reordering=False)
    manager.declare(*(f"v{i}" for i in range(6 * cells)))

    def cube(values: dict[int, bool], shift: int) -> Any:
        return manager.cube({f"v{2 * bit + shift}": value for bit, value in values.items()})

    def both(states: Any, relation: Any, bits: list[int]) -> Any:
        names = {f"v{2 * bit + 1}": f"v{2 * bit}" for bit in bits}
        return package.image(relation, states, names, {f"v{2 * bit}" for bit in bits})

    return _reached(cells, cube, both, lambda a, b: a | b, lambda s: int(manager.count(s, 6 * cells)) >> 3 * cells)


def _reached(
    cells: int,
    cube: Callable[[dict[int, bool], int], Any],
    image: Callable[[Any, Any, list[int]], Any],
    union: Callable[[Any, Any], Any],
    count: Callable[[Any], int],
) -> tuple[int, float]:
    """All states, by taking the steps of one process after the other until nothing is new."""
    began = perf_counter()
    pieces = []
    for steps in relations(cells):
        for before, after in steps:
            # What is read and not written stays as it is; each step writes all that it reads.
            pieces.append((cube(before, 0) & cube(after, 1), sorted(after)))
    reached = cube(dict.fromkeys(range(3 * cells), False), 0)
    while True:
        last = reached
        for relation, written in pieces:
            reached = union(reached, image(reached, relation, written))
        if reached == last:
            return count(reached), perf_counter() - began


PACKAGES: dict[str, tuple[str, Callable[[int], tuple[int, float]]]] = {
    "oxidd, complement edges": ("oxidd", oxidd),
    "oxidd, plain": ("oxidd", lambda cells: oxidd(cells, "bdd")),
    "dd with CUDD": ("dd.cudd", cudd),
    "dd in Python": ("dd", python),
}


def table(sizes: list[int], most_python: int = 30) -> Iterator[str]:
    """Seconds by package and size; all must count the same states."""
    yield "| package | " + " | ".join(map(str, sizes)) + " |"
    yield "|---|" + "--:|" * len(sizes)
    counts: dict[int, int] = {}
    for name, (module, run) in PACKAGES.items():
        cells = []
        for size in sizes:
            if not _is_there(module) or (module == "dd" and size > most_python):
                cells.append("-")
                continue
            states, seconds = run(size)
            if counts.setdefault(size, states) != states:
                raise SystemExit(f"{name} counts {states}, not {counts[size]} states")
            cells.append(f"{seconds:.2f}")
        yield f"| {name} | " + " | ".join(cells) + " |"


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
