"""Computation tree logic: formulas, the labelling of states by fixpoints, and evidence. It knows neither models nor
engines: sets of states are whatever a `Structure` makes of them."""

from beeline.ctl.evidence import Evidence, show
from beeline.ctl.formula import Formula, fragment
from beeline.ctl.labelling import Labelling, bounds
from beeline.ctl.parser import parse_ctl
from beeline.ctl.structure import Structure

__all__ = ["Evidence", "Formula", "Labelling", "Structure", "bounds", "fragment", "parse_ctl", "show"]
