"""Symmetry: states that differ only in the names of interchangeable things are one."""

from beeline.symmetry.declaration import NONE, Symmetry, SymmetryError
from beeline.symmetry.registry import all_symmetries, find_symmetry

__all__ = ["NONE", "Symmetry", "SymmetryError", "all_symmetries", "find_symmetry"]
