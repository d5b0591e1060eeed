"""Native code for a model: compiled while the search runs, and kept on disk for the next one."""

from beeline.jit.companion import AUTO, BYTECODE, NATIVE, TIERS, Companion, TierError, check_tier

__all__ = ["AUTO", "BYTECODE", "NATIVE", "TIERS", "Companion", "TierError", "check_tier"]
