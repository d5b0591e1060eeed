"""The alternating bit protocol over queues that lose messages (Bartlett, Scantlebury and Wilkinson, CACM 12, 1969).

The sender numbers what it sends, and repeats it until it is acknowledged by its bit; what arrives must be in order.

beeline check models/python/alternating_bit.py             holds
beeline check models/python/alternating_bit.py -D FAULTY   the receiver looks at no bit: it takes a message twice
"""

from beeline import NetworkBuilder

FAULTY = "FAULTY" in globals().get("DEFINES", {})
COUNT = 4  # what is sent is numbered modulo this

builder = NetworkBuilder("alternating_bit")
builder.channel("data", 1, fields=[(0, COUNT - 1), (0, 1)])
builder.channel("ack", 1, fields=[(0, 1)])
builder.variable("lost", 0, COUNT - 1)  # where messages go that nobody gets

sender = builder.process("sender").variable("item", 0, COUNT - 1).variable("bit").variable("got")
sender.location("sends").location("listens").location("decides", committed=True)
sender.edge("sends", "listens", sync="data!item, bit")
sender.edge("listens", "decides", sync="ack?got")
sender.edge("listens", "sends", guard="timeout")
sender.edge("decides", "sends", guard="got == bit", effect=f"item = (item + 1) % {COUNT}; bit = 1 - bit")
sender.edge("decides", "sends", guard="else")

receiver = builder.process("receiver").variable("expected", 0, COUNT - 1).variable("bit")
receiver.variable("item", 0, COUNT - 1).variable("mark")
receiver.location("listens").location("judges", committed=True).location("answers")
receiver.edge("listens", "judges", sync="data?item, mark")
fresh = "1" if FAULTY else "mark == bit"
accept = f"assert(item == expected); expected = (expected + 1) % {COUNT}; bit = 1 - bit"
receiver.edge("judges", "answers", guard=fresh, effect=accept)
receiver.edge("judges", "answers", guard="else")
receiver.edge("answers", "listens", sync="ack!mark")

thief = builder.process("thief").location("lurks")
thief.edge("lurks", "lurks", sync="data?lost, _", effect="lost = 0")
thief.edge("lurks", "lurks", sync="ack?_")

network = builder.build()
