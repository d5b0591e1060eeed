"""Two jugs of three and five litres, a tap and a drain: is there a way to four litres? A space of one's own.

beeline check models/python/jugs.py   finds the six steps
"""

from collections.abc import Iterator

SMALL, LARGE, WANTED = 3, 5, 4
State = tuple[int, int]


class Jugs:
    """States are the litres in the small and in the large jug."""

    def initial(self) -> State:
        return (0, 0)

    def successors(self, state: State) -> Iterator[tuple[str, State]]:
        small, large = state
        yield "fill the small jug", (SMALL, large)
        yield "fill the large jug", (small, LARGE)
        yield "empty the small jug", (0, large)
        yield "empty the large jug", (small, 0)
        poured = min(small, LARGE - large)
        yield "pour small into large", (small - poured, large + poured)
        poured = min(large, SMALL - small)
        yield "pour large into small", (small + poured, large - poured)

    def violates(self, state: State) -> str | None:
        return f"{WANTED} litres" if WANTED in state else None


space = Jugs()
