"""Beeline, a directed model checker: the shortest way it can find from a model to its bug."""

__version__ = "0.1.0"
