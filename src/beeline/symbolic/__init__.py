"""Sets of states as decision diagrams: the relation of a network, learned while it is used, and searches with it."""
