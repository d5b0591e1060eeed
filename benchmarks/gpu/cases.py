"""What is searched: models of this project, of the BEEM collection, random programs, and philosophers by number."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.beem.collection import Instance, find_collection, read_collection
from benchmarks.conformance.generator import program_of
from benchmarks.folders import ROOT

from beeline.analysis.configuration import processes_to_come
from beeline.compile.program import compile_network
from beeline.engine import core
from beeline.languages import LoadOptions, load
from beeline.model.network import Network

PHILOSOPHER = """
process phil_{me} {{
state think, one, eat, finish;
init think;
trans
  think -> one {{ guard not phil_{before}.eat and not phil_{before}.finish; }},
  one -> eat {{ guard not phil_{after}.one and not phil_{after}.eat; }},
  eat -> finish {{}},
  finish -> think {{}};
}}
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A model by its file, or by its text."""

    name: str
    file: Path | None = None
    text: str = ""
    suffix: str = ".pml"
    macros: tuple[tuple[str, str], ...] = ()

    def network(self) -> Network:
        if self.file is not None:
            return self._loaded(self.file)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"model{self.suffix}")
            path.write_text(self.text)
            return self._loaded(path)

    def program(self) -> core.Program:
        """With room for the processes that a look at the beginning of a run shows."""
        network = self.network()
        return compile_network(network, max_processes=processes_to_come(network)).native

    def _loaded(self, path: Path) -> Network:
        network: Network = load(path, options=LoadOptions(dict(self.macros)))
        return network


def bundled() -> Iterator[Case]:
    for path in sorted((ROOT / "models").glob("*/*.[pd][mv][le]")):
        yield Case(path.stem, path)


def instances() -> list[Instance]:
    """Those of the collection, if it is there."""
    folder = find_collection()
    return [] if folder is None else read_collection(folder)


def named(name: str) -> Case:
    """An instance of the collection such as at.7, or a model of this project with its macros: leader N=6."""
    first, *macros = name.split()
    known = {case.name: case for case in (*bundled(), *(Case(one.name, one.file) for one in instances()))}
    if first not in known:
        raise SystemExit(f"there is no model {first} here, or no collection BEEM: see benchmarks/beem/collection.py")
    return Case(
        name, known[first].file, macros=tuple((macro.partition("=")[0], macro.partition("=")[2]) for macro in macros)
    )


def collected(largest: int) -> Iterator[Case]:
    """Instances that are published with no more states."""
    for instance in instances():
        if instance.published.complete and (instance.published.states or largest) <= largest:
            yield Case(instance.name, instance.file)


def random_programs(count: int, seed: int) -> Iterator[Case]:
    for number in range(seed, seed + count):
        yield Case(f"random {number}", text=program_of(number))


def philosophers(count: int) -> Case:
    """As those of the collection, but they see the forks that are taken in what their neighbours do: a state needs two
    bits for each. There are 3 ** count - 1 states: each fork is free or with one of two, and they do not all hold only
    the second one."""
    texts = [PHILOSOPHER.format(me=me, before=(me - 1) % count, after=(me + 1) % count) for me in range(count)]
    return Case(f"philosophers {count}", text="\n".join([*texts, "system async;"]), suffix=".dve")
