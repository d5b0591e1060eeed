"""Random networks in which processes and variables often do not matter, or could be moved out of the way."""

from __future__ import annotations

import random

from beeline.model.builder import NetworkBuilder, ProcessBuilder
from beeline.model.network import Network

WHEELS = 3


class Bystanders:
    """A core of automata; wheels that turn by themselves, on whose places edges of the core (and of other wheels)
    wait; a sea that changes by itself; a log that only watches. Now and then something that forbids to take them out:
    a way of no return, a wheel that looks at the core, an assertion, a committed place, an uninterrupted run."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def network(self) -> Network:
        builder = NetworkBuilder("bystanders")
        builder.variable("x", 0, 3)
        builder.variable("tide", 0, 2)
        builder.variable("count", 0, 3)
        builder.variable("seen", 0, 1)
        for channel in ("a", "b"):
            builder.channel(channel)
        builder.channel("all", broadcast=True)
        builder.channel("queue", 1, [(0, 1)])
        self.wheels = self.random.randint(1, WHEELS)
        self.sizes = [self.random.randint(2, 3) for _ in range(self.wheels)]
        for number in range(self.random.randint(1, 2)):
            self.core(builder.process(f"P{number}"))
        for number in range(self.wheels):
            self.wheel(builder.process(f"W{number}"), number)
        self.sea(builder.process("Sea"))
        if self.chance(2):
            self.log(builder.process("Log"))
        return builder.build()

    # Those who matter

    def core(self, process: ProcessBuilder) -> None:
        places = [f"l{i}" for i in range(self.random.randint(3, 4))]
        for place in places:
            process.location(place, committed=self.chance(60))
        for source in places:
            for _ in range(self.random.randint(1, 2)):
                self.edge(process, source, self.random.choice(places), keeps_control=self.chance(60))

    def edge(self, process: ProcessBuilder, source: str, target: str, **more: bool) -> None:
        guards, effects, sync, label = [], [], None, None
        choice = self.random.randrange(12)
        if choice < 2:
            sync = self.random.choice(["a!", "a?", "b!", "b?", "all!", "queue!1", "queue?1"])
        elif choice < 4:
            label = self.random.choice(["go", "stop"])
        elif choice < 6:
            guards.append(self.random.choice(["x < 3", "x > 0", "x == 2"]))
        if "x < 3" in guards and self.chance(2):
            effects.append("x++")
        if self.chance(4):
            effects.append(self.random.choice(["x = 0", "seen = 1", "seen = 1 - seen"]))
        if self.chance(2):
            guards.append(self.wish())
        process.edge(
            source, target, guard=" && ".join(guards), effect="; ".join(effects), sync=sync, label=label, **more
        )

    def wish(self) -> str:
        """A condition on what turns by itself, sometimes mixed with others."""
        number = self.random.randrange(self.wheels)
        wheel = f"W{number}.l{self.random.randrange(self.sizes[number])}"
        tide = f"tide {self.random.choice(['==', '<', '>'])} {self.random.randrange(3)}"
        if self.chance(10):
            return self.random.choice([f"({wheel} || x == 1)", "tide == x"])
        return self.random.choice([wheel, tide, f"!{wheel}"])

    # Those who turn by themselves

    def wheel(self, process: ProcessBuilder, number: int) -> None:
        size = self.sizes[number]
        for place in range(size):
            process.location(f"l{place}", committed=self.chance(60))
        last = size if not self.chance(8) else size - 1  # else there is no way back
        for place in range(last):
            guard = ""
            if number and self.chance(2):
                guard = f"W{number - 1}.l{self.random.randrange(self.sizes[number - 1])}"
            elif self.chance(12):
                guard = "x > 0"
            effect = "assert(x < 3)" if self.chance(40) else ""
            process.edge(f"l{place}", f"l{(place + 1) % size}", guard=guard, effect=effect)
        for _ in range(self.random.randrange(3)):
            place = f"l{self.random.randrange(size)}"
            if self.chance(2):
                process.edge(place, place, sync=self.random.choice(["a?", "b?", "a!", "queue?1", "all?"]))
            else:
                process.edge(place, place, label=self.random.choice(["go", "stop"]))

    def sea(self, process: ProcessBuilder) -> None:
        process.location("there")
        process.edge("there", "there", guard="tide < 2", effect="tide++")
        if not self.chance(4):
            process.edge("there", "there", guard="tide == 2", effect="tide = 0")
        if self.chance(8):
            process.edge("there", "there", guard="tide == 1", effect="x = 0")

    # Those who only watch

    def log(self, process: ProcessBuilder) -> None:
        process.location("watching").location("full")
        process.edge("watching", "watching", guard=f"{self.wish()} && count < 3", effect="count++")
        process.edge("watching", "full", guard="count == 3", effect="assert(x < 3)" if self.chance(6) else "")
        if self.chance(4):
            process.edge("watching", "watching", sync="all?", effect="count = 0")

    # Questions

    def goal(self) -> str:
        parts = [f"P0.l{self.random.randrange(1, 3)}"]
        if self.chance(2):
            parts.append(f"x {self.random.choice(['==', '>', '<'])} {self.random.randrange(4)}")
        if self.chance(2):
            parts.append(self.wish())
        if self.chance(8):
            parts.append("count == 2")
        self.random.shuffle(parts)
        return " && ".join(parts)
