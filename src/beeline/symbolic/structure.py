"""What formulas of branching time are labelled on, where sets of states are decision diagrams."""

from __future__ import annotations

from typing import TypeVar

from beeline.ctl.structure import Structure
from beeline.symbolic.diagrams import Diagram, difference

S = TypeVar("S")


class DiagramStructure(Structure[Diagram, S]):
    """Sets are diagrams; where states are kept and how steps are taken is left open."""

    def both(self, left: Diagram, right: Diagram) -> Diagram:
        return left & right

    def either(self, left: Diagram, right: Diagram) -> Diagram:
        return left | right

    def without(self, left: Diagram, right: Diagram) -> Diagram:
        return difference(left, right)

    def is_empty(self, states: Diagram) -> bool:
        return not states.satisfiable()
