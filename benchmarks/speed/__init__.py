"""Beeline next to SPIN's compiled verifiers: search alone, from command to verdict, and memory."""
