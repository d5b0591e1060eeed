"""Reductions: what a search may leave out of a state's steps without missing what it looks for."""

from beeline.reductions.declaration import NONE, Asked, Reduction, ReductionError
from beeline.reductions.registry import all_reductions, find_reduction

__all__ = ["NONE", "Asked", "Reduction", "ReductionError", "all_reductions", "find_reduction"]
