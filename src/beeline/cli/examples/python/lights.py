"""Two traffic lights at a crossing. Each looks at the other and turns green if that one is red.

    beeline check lights.py --explain

shows how both become green. To mend it, let looking and turning be one step: an edge from "red" to "green" with the
guard and the effect, in place of the two.
"""

from beeline import NetworkBuilder

builder = NetworkBuilder("crossing")
builder.variable("green", size=2)  # green[i] is 1 while light i is green

light = builder.process("Light", parameters={"me": (0, 1)})
light.location("red").location("ready").location("green")
light.edge("red", "ready", guard="!green[1 - me]")  # the other one may look now, too ..
light.edge("ready", "green", effect="green[me] = 1")  # .. before this happens
light.edge("green", "red", effect="green[me] = 0")
builder.start("Light", me=0)
builder.start("Light", me=1)

builder.invariant("never both", "!(green[0] && green[1])")
builder.goal("first is green", "green[0] == 1")

network = builder.build()
