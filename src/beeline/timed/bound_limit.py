"""The largest constant that zones can hold; the same as in native/zone/bound.hpp."""

LARGEST_BOUND = (1 << 28) - 1


def largest_constant(dimension: int) -> int:
    """What clocks of a network with `dimension - 1` of them may be compared with or set to."""
    return LARGEST_BOUND // dimension
