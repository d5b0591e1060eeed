"""Networks with clocks: zones, bounds, timed steps and timed counterexamples."""
