"""The modal mu-calculus: formulas about what can be done, step by step, and the equations that they are."""
