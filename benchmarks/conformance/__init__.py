"""Beeline measured against SPIN, model by model: counts of states, verdicts, lengths of shortest errors."""
