"""What searches by several processes cost: on this machine, measured; on more machines, simulated."""
