"""What `python -m benchmarks` runs: each suite is some commands of a runner, short ones for the quick set and all of it
for the full one. To add a suite, write a runner that prints Markdown, and name its commands here."""

from __future__ import annotations

from dataclasses import dataclass

Command = tuple[str, ...]
"""A module below `benchmarks`, and its arguments."""


@dataclass(frozen=True, slots=True)
class Suite:
    """`needs` are programs without which nothing can be measured; `cores` lets it use all cores instead of one."""

    name: str
    about: str
    quick: tuple[Command, ...] = ()
    full: tuple[Command, ...] = ()
    needs: tuple[str, ...] = ()
    cores: bool = False

    def commands(self, size: str) -> tuple[Command, ...]:
        return self.full if size == "full" else self.quick


def _each(first: Command, *rest: Command) -> tuple[Command, ...]:
    """The same command with several ends."""
    return tuple((*first, *end) for end in rest)


SUITES = (
    Suite("instructions", "instructions of small searches", (("instructions",),), (("instructions",),), ("valgrind",)),
    Suite("start", "from the command to the verdict on small models", (("start",),), (("start",),)),
    Suite("store", "exhaustive search next to the bare store, memory under a limit", (("store",),), (("store",),)),
    Suite(
        "speed",
        "exhaustive search next to SPIN",
        (
            ("speed", "search", "--largest", "600000"),
            ("speed", "command", "--largest", "50000"),
            ("speed", "memory", "--largest", "600000"),
        ),
        _each(("speed",), ("search",), ("command",), ("memory",), ("growth",), ("limit", "--largest", "10000000")),
        ("spin", "cc"),
    ),
    Suite("stores", "other stores next to the plain one", full=(("speed", "stores"),)),
    Suite("threads", "two threads next to one", full=(("speed", "threads"),), cores=True),
    Suite("profile", "where the time of searches goes", full=(("speed", "profile"),), needs=("perf",)),
    Suite(
        "directed",
        "directed search on the families of the papers, on Promela models and on collections",
        _each(
            ("directed",),
            ("families", "--time", "2", "--only", "arbiter [234]"),
            ("families", "--time", "2", "--only", "fischer B [15]*"),
            ("families", "--time", "2", "--only", "hanoi [456]"),
            ("originals", "--time", "2", "--only", "*[23]"),
            ("promela", "--time", "2"),
        ),
        _each(
            ("directed",),
            ("families", "--time", "10"),
            ("originals", "--time", "20"),
            ("promela", "--time", "20"),
            ("beem", "--time", "60"),
            ("proofs", "--time", "60"),
            ("shrink", "--time", "10"),
            ("hard", "--time", "60"),
        ),
    ),
    Suite(
        "directed-errors",
        "every model with an error by every search, and A* for shortest traces",
        full=(("directed.coverage", "--time", "10"), ("directed.shortest", "--time", "10")),
    ),
    Suite("directed-spin", "faulty Promela models, directed and by SPIN", full=(("directed.spin",),), needs=("spin",)),
    Suite("directed-peer", "the same networks by Fast Downward", full=(("directed.peer",),)),
    Suite(
        "automata",
        "automata of formulas: against the evaluator, and their sizes",
        _each(
            ("automata",), ("check", "--formulas", "300"), ("sizes", "--random", "100"), ("testing", "--random", "50")
        ),
        _each(("automata",), ("check",), ("sizes", "--random", "10000"), ("testing", "--random", "1000")),
    ),
    Suite(
        "abstraction",
        "estimates by abstraction",
        full=_each(("abstraction",), ("tables",), ("bounds",), ("strategies",), ("combined",), ("accuracy",)),
    ),
    Suite(
        "abstraction-downward",
        "the same next to Fast Downward",
        full=(("abstraction", "downward"),),
        needs=("downward",),
    ),
    Suite("timed", "zone graphs, next to TChecker where it is installed", (("timed",),), (("timed",),)),
    Suite("reduction", "partial-order reduction and trails", full=(("reduction",),)),
    Suite(
        "beem",
        "the BEEM collection next to its published figures",
        full=_each(("beem",), ("explore",), ("goals",), ("properties",), ("twins",), ("speed",)),
    ),
    Suite(
        "pictures",
        "what the other suites kept, drawn",
        (("plots", "directed-families", "--only", "*hU"), ("plots", "directed-promela"), ("plots", "speed")),
        _each(
            ("plots",),
            ("directed-families",),
            ("directed-beem",),
            ("directed-hard",),
            ("directed-coverage",),
            ("abstraction",),
            ("speed",),
        ),
    ),
)
