"""The largest constant that a zone can hold; the same as in native/zone/bound.hpp."""

LARGEST_CONSTANT = (1 << 28) - 1
