"""Wolf, goat and cabbage: the ferryman crosses with one of them, or alone (Alcuin of York, about 800).

beeline check models/python/river.py --property crossed   finds the seven crossings
"""

from beeline import NetworkBuilder

builder = NetworkBuilder("river")
# Where somebody has been eaten the story ends.
shores = [f"(goat@{shore} && (wolf@{shore} || cabbage@{shore}) imply ferryman@{shore})" for shore in ("left", "right")]
safe = " && ".join(shores)
ferryman = builder.process("ferryman").location("left").location("right")
for shore, other in (("left", "right"), ("right", "left")):
    ferryman.edge(shore, other, guard=safe)
for passenger in ("wolf", "goat", "cabbage"):
    process = builder.process(passenger).location("left").location("right")
    for shore, other in (("left", "right"), ("right", "left")):
        # All who know a label move together: the ferryman knows all, each passenger its own.
        process.edge(shore, other, label=f"{passenger}_to_the_{other}")
        ferryman.edge(shore, other, guard=safe, label=f"{passenger}_to_the_{other}")
builder.goal("crossed", "ferryman@right && wolf@right && goat@right && cabbage@right")

network = builder.build()
