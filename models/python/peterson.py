"""Peterson's mutual exclusion for two processes (Information Processing Letters 12, 1981).

beeline check models/python/peterson.py             holds
beeline check models/python/peterson.py -D FAULTY   the turn is taken before the wish is shown: both can enter
"""

from beeline import NetworkBuilder

FAULTY = "FAULTY" in globals().get("DEFINES", {})

builder = NetworkBuilder("peterson")
builder.variable("wants", size=2)
builder.variable("turn", 0, 1)
process = builder.process("P", parameters={"me": (0, 1)})
process.location("idle").location("set").location("waits").location("critical")
wish, turn = "wants[me] = 1", "turn = 1 - me"
process.edge("idle", "set", effect=turn if FAULTY else wish)
process.edge("set", "waits", effect=wish if FAULTY else turn)
process.edge("waits", "critical", guard="!wants[1 - me] || turn == me")
process.edge("critical", "idle", effect="wants[me] = 0")
builder.start("P", me=0)
builder.start("P", me=1)
builder.invariant("exclusion", "!(P[0]@critical && P[1]@critical)")
builder.goal("entry", "P[0]@critical")

network = builder.build()
