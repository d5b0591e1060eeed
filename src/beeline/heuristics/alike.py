"""Whether a task has the facts of all states that stand for others.

Where the start of a model tells apart what is alike later, a state may have a representative that is itself no state of
the model. A task lists what can be, from the start on: of a value that never occurs it knows nothing, so estimates
would take such a representative for a dead end, or for one that is far away."""

from __future__ import annotations

from collections.abc import Iterable

from beeline.engine import core

Exchange = tuple[tuple[int, int, tuple[int, ...]], ...]
"""What a permutation does: the cell from which values come, the one to which they go, and what 0 and the values after
it become; others stay."""


def is_closed(task: core.Task, generators: Iterable[Exchange]) -> bool:
    """Whether the facts of a task stay what they are under some permutations."""
    values: dict[int, set[int]] = {}
    for cell, value in task.facts:
        values.setdefault(cell, set()).add(value)
    return all(
        {images[value] if 0 <= value < len(images) else value for value in values.get(source, ())}
        == values.get(target, set())
        for exchange in generators
        for source, target, images in exchange
    )
