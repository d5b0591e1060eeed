"""Random networks of timed automata that are alike: searches that fold them against plain breadth-first search."""

from __future__ import annotations

from random import Random
from typing import Any

from beeline import check, explore
from beeline.engine import Limits
from beeline.languages.uppaal import load_text
from beeline.model.network import Network

from .tool import Beeline

MOST = Limits(states=10_000)
SEARCHES = ("bfs", "dfs", "astar", "greedy", "ut", "auto")
SYMMETRIES = ("exact", "auto", "quick")
LOCATIONS = ("a", "b", "c", "d")


def symmetric_timed_of(seed: int) -> str:
    """A model in UPPAAL's text format, with questions."""
    return _Writer(Random(seed)).model()


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.count = random.choice((2, 2, 3))
        self.scalars = random.random() < 0.4
        self.nobody = not self.scalars and random.random() < 0.5  # whether there may be no owner
        self.odd = random.random() < 0.15  # something tells members apart

    def model(self) -> str:
        kind = f"scalar[{self.count}]" if self.scalars else f"int[0,{self.count - 1}]"
        edges = [self._edge(place, self.random.choice(LOCATIONS)) for place in LOCATIONS for _ in range(2)]
        edges += [f"{place} -> {self._further(place)} {{ {self._assigned()} }}\n    " for place in LOCATIONS]
        places = [f"{place} {{ {self._clock()} <= {self.random.randint(1, 4)} }}" for place in LOCATIONS[1:]]
        places = [self.random.choice((place, place[0])) for place in places]
        special = [f"{word} {self.random.choice(LOCATIONS[1:])};" for word in ("urgent", "commit")]
        special = [line for line in special if self.random.random() < 0.2]
        return (
            f"typedef {kind} id_t;\nclock y[id_t], z;\nint[0,2] n;\nbool flag[id_t];\n{self._owner()}"
            f"chan meet, told[id_t]; urgent chan now;\n"
            f"process P(const id_t me) {{\n  clock x;\n  state a, {', '.join(places)};\n  {' '.join(special)}\n"
            f"  init a;\n  trans\n    {','.join(edges)};\n}}\nsystem P;\n{self._questions()}"
        )

    def _owner(self) -> str:
        return f"int[-1,{self.count - 1}] owner = -1;\n" if self.nobody else "id_t owner;\n"

    def _clock(self) -> str:
        return self.random.choice(("x", "x", "x", "y[me]", "y[me]", "z"))

    def _edge(self, source: str, target: str) -> str:
        parts = []
        told = () if self.nobody else ("told[owner]!",)
        sync = self.random.choice(("", "", "", "meet!", "meet?", "told[me]?", "now!", "now?", *told))
        timed = "" if sync.startswith("now") else self._constraint()  # an urgent channel allows none
        guards = [guard for guard in (timed, self._test()) if guard]
        if guards:
            parts.append(f"guard {' && '.join(guards)};")
        if sync:
            parts.append(f"sync {sync};")
        parts.append(self._assigned())
        return f"{source} -> {target} {{ {' '.join(parts)} }}\n    "

    def _further(self, place: str) -> str:
        return LOCATIONS[(LOCATIONS.index(place) + self.random.randint(1, 3)) % len(LOCATIONS)]

    def _assigned(self) -> str:
        effects = [effect for effect in (self._reset(), self._effect()) if effect]
        return f"assign {', '.join(effects)};" if effects else ""

    def _constraint(self) -> str:
        if self.random.random() < 0.4:
            return ""
        clock, bound = self._clock(), self.random.randint(0, 4)
        if self.random.random() < 0.15:
            return f"x - y[me] {self.random.choice(('<', '<=', '>='))} {bound - 2}"
        return f"{clock} {self.random.choice(('<', '<=', '>=', '>', '=='))} {bound}"

    def _test(self) -> str:
        if self.odd and self.random.random() < 0.2:
            return "me != 0" if not self.scalars else ""
        tests = ("", "", "", "owner == me", "owner != me", "flag[me]", "!flag[me]", "n == 0", "n < 2")
        return self.random.choice((*tests, "forall (i : id_t) !flag[i]", "exists (i : id_t) flag[i] && i != me"))

    def _reset(self) -> str:
        return self.random.choice(("", "x = 0", "x = 0", "y[me] = 0", "z = 0", "x = 0, y[me] = 0", "x = 1"))

    def _effect(self) -> str:
        effects = ("", "", "owner = me", "flag[me] = !flag[me]", "n = (n + 1) % 3", "n = 0")
        return self.random.choice((*effects, "owner = -1" if self.nobody else "flag[owner] = true"))

    def _questions(self) -> str:
        one, other = self.random.choice(LOCATIONS[1:]), self.random.choice(LOCATIONS[1:])
        bound = self.random.randint(1, 4)
        asked = [
            f"E<> exists (i : id_t) exists (j : id_t) i != j && P(i).{one} && P(j).{other}",
            f"A[] forall (i : id_t) !P(i).{one} || P(i).x <= {bound}",
            f"E<> exists (i : id_t) P(i).{one} && y[i] > {bound} && flag[i]",
            "A[] not deadlock",
        ]
        return "".join(f"query {{ {question} }}\n" for question in asked)


def timed_differences(text: str, _: Beeline | None = None) -> tuple[str, str]:
    """What became of a model, and in what searches differ."""
    network = load_text(text)
    plain, exact = explore(network, limits=MOST), explore(network, limits=MOST, symmetry="exact")
    if not plain.complete:
        return "too large", ""
    if exact.symmetry == "none":
        alike = exact.statistics.stored == plain.statistics.stored
        return ("nothing alike", "") if alike else ("disagrees", "states: without symmetry")
    for what in ("deadlocks", "errors"):
        counts = getattr(plain.statistics, what), getattr(exact.statistics, what)
        if bool(counts[0]) != bool(counts[1]):
            return "disagrees", f"{what}: {counts[0]}, folded {counts[1]}"
    for number in range(len(network.properties)):
        if difference := _verdicts_differ(network, number, sum(map(ord, text)) + number):
            return "disagrees", difference
    return ("agrees" if exact.statistics.stored < plain.statistics.stored else "as many states"), ""


def _verdicts_differ(network: Network, number: int, turn: int) -> str:
    asked = network.properties[number]
    expected = check(network, asked, search="bfs")
    for place, search in enumerate(SEARCHES):
        way: dict[str, Any] = {"search": search, "symmetry": SYMMETRIES[(turn + place) % len(SYMMETRIES)]}
        other = check(network, asked, **way)
        if other.verdict != expected.verdict:
            return f"verdict: {expected.verdict}, {other.verdict} by {way}, {asked.text}"
        if other.shortest and len(expected.trace or ()) != len(other.trace or ()):
            return f"length: {len(expected.trace or ())}, {len(other.trace or ())} by {way}, {asked.text}"
    return ""
