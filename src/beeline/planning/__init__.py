"""What to do about a model that may not fit: how large its space is likely to be, and how to search it."""

from beeline.planning.size import Size, size_of
from beeline.planning.ways import Choice, Fit, Plan, plan

__all__ = ["Choice", "Fit", "Plan", "Size", "plan", "size_of"]
