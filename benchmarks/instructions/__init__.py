"""A regression check that does not depend on how busy the machine is: instructions that the engine executes."""
