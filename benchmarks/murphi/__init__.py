"""Murphi next to its other tools, Rumur and CMurphi: the same answers, and how fast they come."""
