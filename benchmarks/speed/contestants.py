"""The two tools on one model: each way of running them returns processor seconds, and memory where it is told."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.conformance.spin import PLAIN_CC, PLAIN_SPIN, read_pan
from benchmarks.conformance.tool import HOLDS, VIOLATED, default_command
from benchmarks.speed.models import Model
from benchmarks.speed.processes import CommandFailed, search_alone, timed

COUNT = ("-E", "-A", "-c0")
FASTEST = ("-O3", "-march=native", "-DNOFAIR", "-DNOBOUNDCHECK")
DEPTH = 10_000_000  # more than any depth-first search of these models needs
_MEGABYTES = re.compile(
    r"^\s*([\d.]+)\s+(actual memory usage for states|memory used for hash table|total actual)", re.M
)


@dataclass(frozen=True, slots=True)
class Bytes:
    """Memory of one search, a state: what the states themselves take, and everything."""

    states: float
    total: float


class Contest:
    """Both tools on one model, pinned to one core. SPIN's files are in a folder that `close` removes."""

    def __init__(self, model: Model, core: int) -> None:
        self.model = model
        self.core = core
        self.folder = Path(tempfile.mkdtemp(prefix="beeline-speed-"))

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    # Beeline

    def beeline_search(self) -> float:
        """The search of `beeline explore` alone, in bytecode."""
        return float(self._explored()["seconds"])

    def native_search(self) -> float:
        """The same with native code, compiled beforehand."""
        if not (self.folder / "beeline").exists():
            self._explored("--tier=native")
        return float(self._explored("--tier=native")["seconds"])

    def beeline_bytes(self) -> Bytes:
        """Memory of the engine at its peak."""
        memory = self._explored()["memory"] / self.model.states
        return Bytes(memory, memory)

    def beeline_command(self) -> float:
        """`beeline check`, the whole process, without code that was compiled before."""
        command = [*default_command(), "check", str(self.model.path), *self.model.options, "--json"]
        nothing = {"XDG_CACHE_HOME": str(self.folder / "nothing")}
        return timed(command, self.core, expected=(HOLDS, VIOLATED), variables=nothing).seconds

    def _explored(self, *options: str) -> dict[str, float]:
        command = search_alone(self.model.path, *self.model.macros, *options)
        kept = {"XDG_CACHE_HOME": str(self.folder)}
        answer: dict[str, float] = json.loads(timed(command, self.core, variables=kept).output)
        self._same_states(int(answer["states"]))
        return answer

    # SPIN

    def pan_search(self) -> float:
        """`pan`, in its fastest build, compiled beforehand, over the whole space."""
        if not (self.folder / "pan").exists():
            self._generate()
            self._compile(FASTEST, "pan")
        run = timed(["./pan", *COUNT, f"-m{DEPTH}", self._slots()], self.core, self.folder)
        self._same_states(read_pan(run.output).states)
        return run.seconds

    def pan_command(self, optimise: Sequence[str] = FASTEST) -> float:
        """SPIN's generation, the C compiler and the run that gives the verdict."""
        made = self._generate() + self._compile(optimise, "verdict")
        run = timed(["./verdict", f"-m{DEPTH}"], self.core, self.folder)
        if read_pan(run.output).verdict == "unknown":
            raise CommandFailed(f"pan came to no verdict on {self.model.name}")
        return made + run.seconds

    def pan_bytes(self) -> Bytes:
        """Memory with -DCOLLAPSE, with a hash table and a stack no larger than needed."""
        self._generate()
        self._compile((*FASTEST, "-DCOLLAPSE"), "collapse")
        depth = read_pan(timed(["./collapse", *COUNT, f"-m{DEPTH}"], self.core, self.folder).output).depth or DEPTH
        run = timed(["./collapse", *COUNT, f"-m{depth + 10}", self._slots()], self.core, self.folder)
        self._same_states(read_pan(run.output).states)
        sizes = {name: float(size) * 1e6 / self.model.states for size, name in _MEGABYTES.findall(run.output)}
        return Bytes(sizes["actual memory usage for states"], sizes["total actual"])

    def _slots(self) -> str:
        """The option for a hash table with a slot for every state, which is quicker than the default of 2^24."""
        return f"-w{max(10, (self.model.states - 1).bit_length())}"

    def _generate(self) -> float:
        command = ["spin", "-a", *PLAIN_SPIN, *self.model.options, str(self.model.path)]
        return timed(command, self.core, self.folder).seconds

    def _compile(self, flags: Sequence[str], name: str) -> float:
        command = ["cc", *flags, "-w", *PLAIN_CC, "-DMEMLIM=8000", "-o", name, "pan.c"]
        return timed(command, self.core, self.folder).seconds

    def _same_states(self, states: int | None) -> None:
        if states != self.model.states:
            raise CommandFailed(f"{self.model.name}: {states} states instead of {self.model.states}")


def in_turns(runs: dict[str, Callable[[], float]], repeats: int) -> dict[str, list[float]]:
    """Runs all, `repeats` times, each time beginning with the next: what drifts on the machine meets everyone."""
    names = list(runs)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(repeats):
        for position in range(len(names)):
            name = names[(turn + position) % len(names)]
            taken[name].append(runs[name]())
    return taken
