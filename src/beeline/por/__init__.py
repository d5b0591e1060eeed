"""Reductions: what a search may leave out of a state's steps without missing what it looks for."""

from beeline.por.declaration import NONE, Asked, Reduction, ReductionError
from beeline.por.registry import all_reductions, find_reduction

__all__ = ["NONE", "Asked", "Reduction", "ReductionError", "all_reductions", "find_reduction"]
