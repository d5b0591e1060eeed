"""What it costs to look for parts that can be taken out of a model, and how often there are some.

python -m benchmarks.directed.shrinking_cost            the look next to reading and compiling, in milliseconds
python -m benchmarks.directed.shrinking_cost goals      of how many goals of BEEM something is taken out
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.beem.collection import find_collection, read_collection
from benchmarks.directed.families import PROMELA, generated

from beeline import _native
from beeline.compile.program import compile_network
from beeline.languages import LoadOptions, ask, load
from beeline.model.network import Network
from beeline.model.property import Property
from beeline.preprocessing import shrink
from beeline.properties import SAFETY
from beeline.records import replace
from beeline.timed.clocks import has_clocks
from beeline.timed.search import goal_of, zone_graph

BEEM = ("anderson.6", "at.4", "brp2.4", "firewire_tree.2", "leader_election.2", "lifts.7", "peg_solitaire.4", "phils.7")


def models() -> Iterator[tuple[str, Path, str | None, dict[str, str]]]:
    """Name, file, property and macros."""
    for pattern in ("arbiter [2468]", "fischer B *", "hanoi 6", "single track 3"):
        for instance in generated(pattern):
            yield instance.name, instance.file, instance.asked, {}
    for name, macros in (("leader", {"N": "5"}), ("giop", {}), ("pots", {}), ("philosophers", {"N": "200"})):
        yield name, PROMELA / f"{name}.pml", None, macros
    folder = find_collection(None)
    for name in BEEM if folder is not None else ():
        assert folder is not None
        yield name, folder / name.split(".")[0] / "generated_files" / f"{name}.dve", None, {}


def best(action: Callable[[], object]) -> float:
    """Milliseconds of the quickest of three runs."""
    taken = []
    for _ in range(3):
        started = time.perf_counter()
        action()
        taken.append(time.perf_counter() - started)
    return 1000 * min(taken)


def question(network: Network, text: str | None) -> Property:
    """What is asked, else the first goal or invariant, else safety."""
    if text is not None:
        return ask(network, text)
    found = (one for one in network.properties if one.kind in ("goal", "invariant"))
    return next(found, SAFETY)


def prepare(network: Network, asked: Property) -> object:
    """What is done before every search anyway."""
    if has_clocks(network):
        return zone_graph(network, goal_of(network, asked))
    return _native.Program(compile_network(network, None).tables)


def count_goals() -> None:
    """Goals of the collection, and those of which processes or variables are taken out, by technique."""
    folder = find_collection(None)
    counts: Counter[str] = Counter()
    for instance in read_collection(folder) if folder is not None else []:
        network = load(instance.file)
        for asked in network.properties:
            if asked.kind == "goal":
                shrunk = shrink(replace(network, properties=(asked,)), asked)
                counts["goals"] += 1
                counts.update({layer.technique for layer in shrunk.layers})
    print(", ".join(f"{name}: {count}" for name, count in counts.items()))


def main() -> int:
    if sys.argv[1:] == ["goals"]:
        count_goals()
        return 0
    print("| model | processes | edges | read | compile | look | taken out |\n|---|---|---|---|---|---|---|")
    for name, file, text, macros in models():
        network = load(file, options=LoadOptions(macros))
        asked = question(network, text)
        network = replace(network, properties=(asked,))
        edges = sum(len(network.process(start.process).edges) for start in network.initial)
        reading = best(partial(load, file, options=LoadOptions(macros)))
        compiling = best(partial(prepare, network, asked))
        looking = best(partial(shrink, network, asked))
        gone = ", ".join(shrink(network, asked).removed) or "nothing"
        row = (name, len(network.initial), edges, *(f"{ms:.1f}" for ms in (reading, compiling, looking)), gone)
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
