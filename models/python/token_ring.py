"""A ring of stations that pass a token by handshakes; only its holder may work.

beeline check models/python/token_ring.py -D N=8               holds
beeline check models/python/token_ring.py -D N=8 -D TOKENS=2   two stations work at once
"""

from beeline import NetworkBuilder

DEFINES = globals().get("DEFINES", {})
N, TOKENS = int(DEFINES.get("N", 5)), int(DEFINES.get("TOKENS", 1))

builder = NetworkBuilder("token_ring")
builder.channel("pass_on", size=N)  # pass_on[i] leads to station i
builder.variable("working", 0, N)
for kind, first in (("holder", "has"), ("station", "waits")):
    station = builder.process(kind, parameters={"me": (0, N - 1)})
    for place in ("waits", "has", "works"):
        station.location(place, initial=place == first)
    station.edge("waits", "has", sync="pass_on[me]?")
    station.edge("has", "works", effect="working++")
    station.edge("works", "has", effect="working--")
    station.edge("has", "waits", sync=f"pass_on[(me + 1) % {N}]!")
for number in range(N):
    builder.start("holder" if number < TOKENS else "station", me=number)
builder.invariant("alone", "working <= 1")

network = builder.build()
