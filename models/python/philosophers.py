"""Dining philosophers, faulty: everyone takes the left fork first, so that all can starve together.

beeline check models/python/philosophers.py -D N=5
"""

from beeline import NetworkBuilder

N = int(globals().get("DEFINES", {}).get("N", 4))

builder = NetworkBuilder("philosophers")
builder.variable("taken", size=N)  # one fork between each two
philosopher = builder.process("phil", parameters={"left": (0, N - 1), "right": (0, N - 1)})
philosopher.location("thinks").location("hungry").location("eats")
philosopher.edge("thinks", "hungry", guard="!taken[left]", effect="taken[left] = 1")
philosopher.edge("hungry", "eats", guard="!taken[right]", effect="taken[right] = 1")
philosopher.edge("eats", "thinks", effect="taken[left] = 0; taken[right] = 0")
for seat in range(N):
    builder.start("phil", left=seat, right=(seat + 1) % N)

network = builder.build()
