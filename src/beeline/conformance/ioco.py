"""Does an implementation, given as a system, conform to a specification? After every word of the specification, what it
may put out, silence included, is among what the specification may (ioco)."""

from __future__ import annotations

from collections import deque

from beeline.conformance.suspension import Suspension


def nonconforming(implementation: Suspension, specification: Suspension) -> tuple[str, ...] | None:
    """A shortest word of both but for its last label, an output that only the implementation has; None if it
    conforms."""
    words: dict[tuple[int, int], tuple[str, ...]] = {(0, 0): ()}
    waiting = deque([(0, 0)])
    while waiting:
        pair = waiting.popleft()
        row = specification.rows[pair[1]]
        for label, target in implementation.rows[pair[0]].items():
            if label in row:
                following = target, row[label]
                if following not in words:
                    words[following] = (*words[pair], label)
                    waiting.append(following)
            elif not specification.is_stimulus(label):
                return (*words[pair], label)
    return None
