"""A formula of the mu-calculus and a network, as the engine's solvers take them."""

from __future__ import annotations

from collections.abc import Callable

from beeline.compile.program import Program, compile_values
from beeline.engine import core
from beeline.lts.step_labels import StepLabels
from beeline.mu.equations import System
from beeline.properties.modal import Modal

Term = tuple[str, bool, int, int]
Rows = list[tuple[bool, int, int, list[Term]]]
SetsOf = Callable[[tuple[int, ...], int, int, tuple[int, ...] | None], int]


def parts_of(
    asked: Modal, program: Program, labels: StepLabels
) -> tuple[core.Program, list[int], list[list[int]], SetsOf, Rows, list[str]]:
    """The propositions, the labels and the equations, for a solver."""
    system, atoms = asked.system, dict(asked.atoms)
    tables, blocks = compile_values(program.layout, [atoms[name] for name in system.propositions])

    def sets_of(words: tuple[int, ...], action: int, detail: int, target: tuple[int, ...] | None) -> int:
        label = labels.of_arc(words, action, detail, target)
        return sum(1 << number for number, actions in enumerate(system.sets) if actions.has(label))

    return core.Program(tables), blocks, labels.cells(), sets_of, *rows_of(system)


def rows_of(system: System) -> tuple[Rows, list[str]]:
    """A system as the engine reads it."""
    rows = [
        (one.is_disjunction, one.block, one.rank, [(t.kind, t.negated, t.which, t.equation) for t in one.terms])
        for one in system.equations
    ]
    return rows, list(system.kinds)
