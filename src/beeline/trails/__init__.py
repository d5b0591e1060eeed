"""Better trails: shorter ways to the same error, and the same way in an order that is easier to read."""

from beeline.trails.trail import Trail, TrailError, read_trail

__all__ = ["Trail", "TrailError", "read_trail"]
