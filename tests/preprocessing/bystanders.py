"""Random networks in which processes and variables often do not matter, or could be moved out of the way."""

from __future__ import annotations

import random

from beeline.model.builder import NetworkBuilder, ProcessBuilder
from beeline.model.network import Network
from beeline.model.semantics import Semantics

# What can stand against taking a process out; each network has at most one of these, and much of it.
TRAPS = (
    "committed core",
    "committed wheel",
    "control",
    "looking",
    "meddling",
    "one way",
    "mixed",
    "ear",
    "failing",
    "both ends",
    "else",
)


class Bystanders:
    """A core of automata; wheels that turn by themselves, on whose places edges of the core (and of other wheels)
    wait; a sea that changes by itself; a giver from whom the core takes a value; a log that only watches."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.trap = self.random.choice((*TRAPS, "", "", ""))

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def has(self, trap: str, one_in: int = 2) -> bool:
        return self.trap == trap and self.chance(one_in)

    def network(self) -> Network:
        builder = NetworkBuilder("bystanders")
        for name, high in (("x", 3), ("tide", 2), ("count", 3), ("given", 3), ("seen", 1)):
            builder.variable(name, 0, high)
        for channel in ("a", "b"):
            builder.channel(channel)
        builder.channel("all", broadcast=True)
        builder.channel("queue", 1, [(0, 1)])
        self.sizes = [self.random.randint(2, 3) for _ in range(self.random.randint(1, 3))]
        for number in range(self.random.randint(1, 2)):
            self.core(builder.process(f"P{number}"))
        for number in range(len(self.sizes)):
            self.wheel(builder.process(f"W{number}"), number)
        self.sea(builder.process("Sea"))
        if self.chance(2):
            self.giver(builder.process("Giver"))
        if self.chance(2):
            self.log(builder.process("Log"))
        return builder.build()

    # Those who matter

    def core(self, process: ProcessBuilder) -> None:
        places = [f"l{i}" for i in range(self.random.randint(3, 4))]
        for number, place in enumerate(places):
            process.location(place, committed=number > 0 and self.has("committed core"))
        for source in places:
            for _ in range(self.random.randint(1, 2)):
                self.edge(process, source, self.random.choice(places))
            if self.has("else"):
                process.edge(source, self.random.choice(places), guard="else")

    def edge(self, process: ProcessBuilder, source: str, target: str) -> None:
        guards, effects = [], []
        sync = label = ""
        choice = self.random.randrange(12)
        if choice < 3:
            sync = self.random.choice(["a!", "a?", "b!", "b?", "all!", "queue!1", "queue?1"])
        elif choice < 4:
            label = self.random.choice(["go", "stop"])
        elif choice < 6:
            guards.append(self.random.choice(["x < 3", "x > 0", "x == 2"]))
        if self.has("ear", 3):
            sync, label = "all!", ""
        if "x < 3" in guards and self.chance(2):
            effects.append("x++")
        elif self.chance(3):
            effects.append(self.random.choice(["x = 0", "x = given", "x = given", "seen = 1", "seen = 1 - seen"]))
        if self.chance(2):
            guards.append(self.wish())
        guard = " && ".join(guards)
        keeps = self.has("control")
        process.edge(
            source, target, guard=guard, effect="; ".join(effects), sync=sync, label=label, keeps_control=keeps
        )

    def wish(self) -> str:
        """A condition on what turns by itself, perhaps mixed with others."""
        number = self.random.randrange(len(self.sizes))
        wheel = f"W{number}.l{self.random.randrange(self.sizes[number])}"
        tide = f"tide {self.random.choice(['==', '<', '>'])} {self.random.randrange(3)}"
        if self.has("mixed"):
            return self.random.choice([f"({wheel} || x == 1)", "tide == x", "tide < x", "tide + x == 4"])
        return self.random.choice([wheel, tide, f"!{wheel}"])

    # Those who turn by themselves

    def wheel(self, process: ProcessBuilder, number: int) -> None:
        size = self.sizes[number]
        for place in range(size):
            process.location(f"l{place}", committed=self.has("committed wheel"))
        last = size - 1 if self.has("one way") else size
        for place in range(last):
            guard, effect = "", ""
            if number and self.chance(2):
                guard = f"W{number - 1}.l{self.random.randrange(self.sizes[number - 1])}"
            elif self.has("looking"):
                guard = self.random.choice(["x > 0", "x == 0", "P0.l1"])
            if self.has("failing", 3):
                effect = self.random.choice(["assert(x == 0)", "count++"])
            elif self.has("meddling"):
                effect = self.random.choice(["x = 1", "given = 1"])
            process.edge(f"l{place}", f"l{(place + 1) % size}", guard=guard, effect=effect)
        for _ in range(self.random.randrange(3)):
            at = f"l{self.random.randrange(size)}"
            if self.has("ear"):
                process.edge(at, at, sync="all?", effect=self.random.choice(["", "x = 1", "x = 2"]))
            elif self.chance(2):
                process.edge(at, at, sync=self.random.choice(["a?", "b?", "a!", "queue?1"]))
            else:
                process.edge(at, at, label=self.random.choice(["go", "stop"]))

    def sea(self, process: ProcessBuilder) -> None:
        process.location("there")
        process.edge("there", "there", guard="tide < 2", effect="tide++")
        if not self.has("one way"):
            looking = " && x > 0" if self.has("looking") else ""
            process.edge("there", "there", guard=f"tide == 2{looking}", effect="tide = 0")
        if self.has("meddling"):
            process.edge("there", "there", guard="tide == 1", effect="x = 0")

    # Those who only give or watch

    def giver(self, process: ProcessBuilder) -> None:
        process.location("one").location("two")
        process.edge("one", "two", effect=f"given = {self.random.randrange(4)}")
        process.edge("two", "one", effect="given = x" if self.chance(3) else "given = 0")

    def log(self, process: ProcessBuilder) -> None:
        process.location("watching").location("full")
        process.edge("watching", "watching", guard=f"{self.wish()} && count < 3", effect="count++")
        process.edge("watching", "full", guard="count == 3", effect="assert(x == 0)" if self.has("failing") else "")
        if self.chance(4):
            process.edge("watching", "watching", sync="all?", effect="count = 0")

    # Questions

    def goal(self, network: Network) -> str:
        """Some of what holds at the end of a random walk, or anything."""
        semantics = Semantics(network)
        state = semantics.initial_states()[0]
        for _ in range(self.random.randint(3, 20)):
            targets = [step.target for step in semantics.steps(state) if step.target is not None]
            if not targets:
                break
            state = self.random.choice(targets)
        place = state.processes[0].location if not self.chance(4) else self.random.randrange(3)
        parts = [f"P0.l{place}"]
        if self.chance(2):
            parts.append(f"x == {state.variables[0]}")
        if self.chance(2):
            parts.append(self.wish())
        if self.chance(8):
            parts.append("count == 2")
        self.random.shuffle(parts)
        return " && ".join(parts)
