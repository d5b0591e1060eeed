"""What is run on every instance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Configuration:
    """A search with its estimate, its rule for ties, and what is taken out of the model before it."""

    search: str
    heuristic: str | None = None
    ties: str | None = None
    shrink: str | None = None

    def __str__(self) -> str:
        told = f"shrink {self.shrink}" if self.shrink else None
        return " ".join(part for part in (self.search, self.heuristic, self.ties, told) if part)

    def options(self) -> list[str]:
        chosen = ["--search", self.search]
        chosen += ["--heuristic", self.heuristic] if self.heuristic else []
        chosen += ["--ties", self.ties] if self.ties else []
        return chosen + (["--shrink", self.shrink] if self.shrink else [])


PLAIN = (Configuration("bfs"), Configuration("dfs"))
RANDOM = tuple(Configuration(f"dfs:seed={seed}") for seed in (1, 2, 3))
"""The papers' rDF."""
GREEDY = tuple(Configuration("greedy", name) for name in ("dL", "dU", "hL", "hU", "hCG", "hFF", "hADD", "hCEA"))
NEWEST = tuple(Configuration("greedy", name, "lifo") for name in ("dU", "hL", "hU", "hCG"))
"""The rule for ties that the papers' figures fit best."""
USELESS = tuple(Configuration("ut", name) for name in ("dL", "hL", "hU", "hCG"))
OLDEST = tuple(Configuration("ut", name, "fifo") for name in ("hL", "hU"))
BOUNDED = tuple(Configuration("astar", name) for name in ("dL", "hL", "hU"))
BY_FORMULA = tuple(Configuration(search, "Hf") for search in ("greedy", "astar", "idastar"))
DEEPENING = (Configuration("idastar", "hL"),)
OTHERS = (Configuration("multi", "hU, hFF"), Configuration("walk", "hU"))
LISTS = tuple(Configuration("multi", names) for names in ("hU", "hU, hFF", "hU, landmarks"))
CONTEXTS = (Configuration("contexts", "hU"), Configuration("multi:contexts=2", "hU"))
AUTO = (Configuration("auto"),)

SHRUNK = tuple(
    Configuration(search, shrink=shrink)
    for search in ("bfs", "greedy", "auto")
    for shrink in ("none", "auto" if search == "auto" else "all")
)

FIRST = Configuration("auto:improve=0")
"""Ends with its first violation, as greedy searches do."""

ERRORS = (
    *PLAIN,
    *RANDOM[:1],
    Configuration("greedy"),
    Configuration("greedy", ties="lifo"),
    Configuration("multi"),
    Configuration("multi:novelty=2,types=1"),
    LISTS[-1],
    Configuration("astar"),
    Configuration("switches"),
    FIRST,
    *AUTO,
)

SETS = {
    "errors": ERRORS,
    "families": (
        *PLAIN[:1],
        *RANDOM,
        *GREEDY,
        *NEWEST,
        *USELESS,
        *OLDEST,
        *BOUNDED,
        *DEEPENING,
        *BY_FORMULA,
        *LISTS,
        *CONTEXTS,
        *AUTO,
    ),
    "originals": (*PLAIN, *RANDOM, *GREEDY[1:4], *NEWEST[1:3], *USELESS[1:3], *BOUNDED[1:2], *CONTEXTS, *AUTO),
    "promela": (*PLAIN, *RANDOM, Configuration("greedy"), Configuration("astar"), *AUTO),
    "beem": (*PLAIN, *RANDOM, Configuration("greedy", "hU"), Configuration("ut", "hU"), *OTHERS, *AUTO),
    "proofs": (*PLAIN[:1], *AUTO),
    "shrink": SHRUNK,
    "hard": (*PLAIN, *RANDOM, Configuration("greedy", "hU"), Configuration("ut", "hU"), *OTHERS, *AUTO),
}
