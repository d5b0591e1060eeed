"""Automata measured: formulas against the evaluator, sizes next to those of others."""
