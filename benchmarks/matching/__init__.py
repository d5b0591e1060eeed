"""States that are taken for equal: how many are left of models, and the same answers."""
