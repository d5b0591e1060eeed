"""The towers of Hanoi (Lucas 1883): a smaller disk never lies under a larger one. Shortest: 2^N - 1 moves.

beeline check models/python/hanoi.py -D N=6 --property moved
"""

from beeline import NetworkBuilder

N = int(globals().get("DEFINES", {}).get("N", 4))

builder = NetworkBuilder("hanoi")
builder.variable("peg", 0, 2, size=N)  # where each disk is; disk 0 is the smallest
disk = builder.process("disk", parameters={"me": (0, N - 1)}).location("lies")
for target in range(3):
    # No smaller disk lies on mine, or where I want to go.
    clear = f"forall (i : 0..{N - 1}) i < me imply peg[i] != peg[me] && peg[i] != {target}"
    disk.edge("lies", "lies", guard=f"peg[me] != {target} && ({clear})", effect=f"peg[me] = {target}")
for number in range(N):
    builder.start("disk", me=number)
builder.goal("moved", f"forall (i : 0..{N - 1}) peg[i] == 2")

network = builder.build()
