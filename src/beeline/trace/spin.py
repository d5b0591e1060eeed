"""SPIN's .trail files: counterexamples of ours that `spin -t` replays, and SPIN's own as traces.

A trail names a transition by a number that SPIN gives it. Both tools make the same automaton of a proctype, so that its
states are found by walking through both from their beginnings; SPIN's is in the files that `spin -a` writes.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path

from beeline.model.network import Edge, Network, Process
from beeline.model.semantics import Move, Semantics, Step
from beeline.model.state import State
from beeline.records import Record, field, replace
from beeline.trace.trail import Trail, TrailError

Flags = Sequence[str]

_PROCTYPE = re.compile(r"/\* proctype (\d+): (\S+) \*/")
_FIRST = re.compile(r"trans\[\s*(\d+)\]\[(\d+)\]\s*=\s*settr\((\d+),(\d+),(\d+),(\d+),(\d+),\"(.*)\"")
_NEXT = re.compile(r"T->nxt\s*=\s*settr\((\d+),(\d+),(\d+),(\d+),(\d+),\"(.*)\"")
_ESCAPE = re.compile(r"trans\[(\d+)\]\[(\d+)\]->escp\[\d+\] = (\d+);")
_START = re.compile(r"#define _?start(\d+)\s+(\d+)")
_SHOWN = re.compile(r"\s*(\d+):\s+proc\s+(\d+) \(.*?:\d+\) \S+:\d+ \(state (\d+)\)(?: <[^>]*>)?\s+\[")
_DIED = re.compile(r"\s*(\d+):\s+proc\s+(\d+)(?: \(.*?:\d+\))?\s+terminates")
END = -1
CYCLE = "-1:-1:-1"  # the line where the cycle of a trail begins
START_OF_CYCLE = "<<<<<START OF CYCLE>>>>>"  # what SPIN says there
PROVIDED = (
    "provided"  # text of edges that only fail, where the value of such a clause does; SPIN has no transition for them
)
MONITOR = -1  # the kind and the number of the monitor in moves of ours


class Transition(Record, frozen=True):
    """A transition of SPIN's automaton, leaving `state`; `target` 0 is the end of the process."""

    number: int
    state: int
    target: int
    text: str
    atomic: bool = False  # what follows belongs to the same atomic sequence

    @property
    def is_d_step(self) -> bool:
        return self.text.startswith("D_STEP")


class Row(Record, frozen=True):
    """An entry of SPIN's table; one without code leads to where the transitions are."""

    number: int
    target: int
    code: int
    text: str
    atomic: bool


class Automaton(Record, dict=True):
    """SPIN's automaton of one proctype, or of a never claim."""

    number: int
    start: int
    rows: dict[int, list[Row]] = field(default_factory=dict)
    escapes: dict[int, list[int]] = field(default_factory=dict)  # where an `unless` leads from a state

    @cached_property
    def transitions(self) -> dict[int, list[Transition]]:
        """The transitions that are possible at each state. The verifier puts those of escapes before the others one by
        one, state after state, so that a state gets what the states before it have got themselves."""
        table = {state: self._options(state) for state in sorted(self.rows)}
        for state, options in table.items():
            found = list(options)
            for option in options:
                for escape in reversed(self.escapes.get(option.state, [])):
                    for way_out in list(table.get(escape, [])):
                        if way_out not in found:
                            found.insert(0, way_out)
            table[state] = found
        return table

    def _options(self, state: int) -> list[Transition]:
        """Selections and sequences opened."""
        found: list[Transition] = []
        for row in self.rows.get(state, []):
            if row.code:
                found.append(Transition(row.number, state, row.target, row.text, row.atomic))
            elif row.target:
                found += self._options(row.target)
        return found

    def moves_of_claim(self, option: Transition) -> list[tuple[Transition, ...]]:
        """What a never claim may do in one move that begins with a transition: all of an atomic sequence, or a part up
        to an assertion that fails. In the order in which `languages/promela/claims.py` makes edges of them."""
        return list(self._sequences((option,))) if self._goes_on(option) else [(option,)]

    def _sequences(self, way: tuple[Transition, ...]) -> Iterator[tuple[Transition, ...]]:
        last = way[-1]
        if last.text.startswith("assert("):
            yield way
        if not self._goes_on(last) or last.target in [passed.target for passed in way[:-1]]:
            yield way
            return
        for option in self.transitions[last.target]:
            yield from self._sequences((*way, option))

    def _goes_on(self, last: Transition) -> bool:
        return last.atomic and any(option.text != "-end-" for option in self.transitions.get(last.target, []))


def is_present() -> bool:
    """Whether SPIN is installed."""
    return shutil.which("spin") is not None


def automata(model: str | Path, flags: Flags = ()) -> dict[str, Automaton]:
    """SPIN's automata by the names of the proctypes, statements not merged."""
    if not is_present():
        raise TrailError("SPIN is not installed: its trails need `spin` to number transitions")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(model, Path(folder) / Path(model).name)
        command = ["spin", "-o3", *flags, "-a", Path(model).name]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        table, header = Path(folder) / "pan.t", Path(folder) / "pan.h"
        if not table.exists() or not header.exists():
            raise TrailError(f"spin -a does not take {model}: {(done.stdout + done.stderr).strip()[:200]}")
        return _parse(table.read_text(), header.read_text())


def spin_flags(defines: Mapping[str, str], claim: str | None = None) -> tuple[str, ...]:
    """How SPIN is told what a model was read with.

    >>> spin_flags({"N": "3"})
    ('-DN=3',)
    """
    beside = () if claim is None else ("-N", str(Path(claim).absolute()))
    return (*(f"-D{name}={value}" for name, value in defines.items()), *beside)


def _parse(table: str, header: str) -> dict[str, Automaton]:
    starts = {int(number): int(state) for number, state in _START.findall(header)}
    names = {int(number): name for number, name in _PROCTYPE.findall(table)}
    found = {number: Automaton(number, starts.get(number, 1)) for number in names}
    row: list[Row] = []
    for line in table.splitlines():
        escape = _ESCAPE.search(line)
        if escape is not None and int(escape[1]) in found:
            found[int(escape[1])].escapes.setdefault(int(escape[2]), []).append(int(escape[3]))
        first = _FIRST.search(line)
        if first is not None:
            row = []
            if int(first[1]) in found:
                found[int(first[1])].rows[int(first[2])] = row
        match = _NEXT.search(line)
        groups = first.groups()[2:] if first is not None else match.groups() if match is not None else None
        if groups is not None:
            row.append(Row(int(groups[0]), int(groups[2]), int(groups[3]), groups[5], bool(int(groups[1]) & 2)))
    return {names[number]: automaton for number, automaton in found.items()}


# The same automaton twice


class Alignment:
    """Which transitions of SPIN's are which edge of ours: one, but for the atomic sequences of never claims."""

    def __init__(self, network: Network, found: dict[str, Automaton]) -> None:
        self.network = network
        self.transitions: dict[tuple[int, int], tuple[Transition, ...]] = {}
        for kind, process in enumerate(network.processes):
            name = ":init:" if process.name == "init" else process.name
            if name in found:
                self._align(kind, process, found[name])
        if network.monitor is not None and network.monitor.name in found:
            self._align(MONITOR, network.monitor, found[network.monitor.name])

    def of_move(self, move: Move) -> tuple[Transition, ...]:
        """SPIN's transitions for a move of ours."""
        found = self.transitions.get((move.kind, move.edge))
        if found is None:
            process = self.network.monitor if move.kind == MONITOR else self.network.processes[move.kind]
            assert process is not None
            raise TrailError(f"SPIN's automaton of {process.name} has no place for '{process.edges[move.edge].text}'")
        return found

    def _align(self, kind: int, process: Process, automaton: Automaton) -> None:
        waiting = [(process.initial, automaton.start)]
        seen: set[int] = set()
        while waiting:
            location, state = waiting.pop()
            if location in seen:
                continue
            seen.add(location)
            edges = [p for p in process.leaving[location] if process.edges[p].text != PROVIDED]
            ways = self._ways(kind, [process.edges[position] for position in edges], automaton, state)
            if len(ways) != len(edges):
                continue  # said when a trail needs it
            for position, way in zip(edges, ways, strict=True):
                self.transitions[kind, position] = way
                for end in self._ends(process, process.edges[position].target_location, way[-1]):
                    waiting.append((end, way[-1].target))
                    if process.locations[end].halted >= 0:
                        waiting.append((process.locations[end].halted, way[-1].target))

    def _ways(self, kind: int, edges: list[Edge], automaton: Automaton, state: int) -> list[tuple[Transition, ...]]:
        """The ways out of a state of SPIN's, in the order of these edges of ours. A claim has an edge for every end
        that a d_step can come to."""
        found: list[tuple[Transition, ...]] = []
        for option in automaton.transitions.get(state, []):
            if kind != MONITOR:
                found.append((option,))
            elif option.is_d_step:
                where = edges[len(found)].source if len(found) < len(edges) else None
                found += [(option,)] * sum(edge.source == where for edge in edges)
            else:
                found += automaton.moves_of_claim(option)
        return found

    def _ends(self, process: Process, location: int, option: Transition) -> set[int]:
        """Where a step ends: behind the whole of a d_step."""
        if not option.is_d_step:
            return {location}
        found: set[int] = set()
        waiting, seen = [location], {location}
        while waiting:
            here = waiting.pop()
            if not process.locations[here].deterministic:
                found.add(here)
                continue
            for edge in process.edges:
                if edge.source_location == here and edge.target_location not in seen:
                    seen.add(edge.target_location)
                    waiting.append(edge.target_location)
        return found


# Out


def to_spin_trail(trail: Trail, model: str | Path, flags: Flags = ()) -> str:
    """The trail as text for a .trail file next to the model: `spin -t` replays it. Beside a never claim, which is said
    first, number 0 is the claim and processes are counted from 1. A run that comes to rest has no cycle without one."""
    found = automata(model, flags)
    alignment = Alignment(trail.network, found)
    monitor = trail.network.monitor
    if monitor is not None and monitor.name not in found:
        raise TrailError(f"SPIN knows no never claim '{monitor.name}' in {model}")
    lines = [] if monitor is None else [f"-2:{found[monitor.name].number}:-2"]
    first = 0 if monitor is None else 1
    numbers = count(1)
    for position, step in enumerate(trail.steps):
        if position == trail.cycle:
            lines.append(CYCLE)
        for move in _first_moves(step):
            for transition in alignment.of_move(move):
                lines.append(f"{next(numbers)}:{move.pid + first}:{transition.number}")
    return "".join(f"{line}\n" for line in lines)


def _first_moves(step: Step) -> list[Move]:
    """The first move of each process that takes part: what follows belongs to its d_step."""
    found: dict[int, Move] = {}
    for move in step.moves:
        found.setdefault(move.pid, move)
    return list(found.values())


# In


def read_spin_trail(path: str | Path, model: str | Path, network: Network, flags: Flags = ()) -> Trail:
    """The trail that SPIN replays from a .trail file, followed step by step in our own terms."""
    if not Path(path).is_file():
        raise TrailError(f"{path}: no such file")
    alignment = Alignment(network, automata(model, flags))
    command = ["spin", *flags, "-t", "-p", "-k", str(Path(path).absolute()), Path(model).name]
    done = subprocess.run(command, cwd=Path(model).absolute().parent, capture_output=True, text=True, check=False)
    shown = _shown(done.stdout)
    if not shown:
        raise TrailError(f"spin does not replay {path}: {(done.stdout + done.stderr).strip()[:200]}")
    follower = _Follower(network, alignment, shown)
    trail = follower.follow(str(path))
    before, mark, _ = done.stdout.partition(START_OF_CYCLE)
    return replace(trail, cycle=follower.steps_to(trail, len(_shown(before)))) if mark else trail


def has_cycle(path: str | Path) -> bool:
    """Whether a .trail file is about a run that goes on for ever."""
    return Path(path).is_file() and CYCLE in Path(path).read_text(errors="replace").splitlines()


class Shown(Record, frozen=True):
    """A statement as SPIN shows it; a process that ends has the state END. All statements of a d_step have the number
    of its first, and so have those that the verifier merged into one step."""

    number: int
    pid: int
    state: int


def _shown(text: str) -> list[Shown]:
    found: list[Shown] = []
    for line in text.splitlines():
        match, died = _SHOWN.match(line), _DIED.match(line)
        if match is not None:
            found.append(Shown(int(match[1]), int(match[2]), int(match[3])))
        elif died is not None:
            found.append(Shown(int(died[1]), int(died[2]), END))
    return found


class _Follower(Record):
    network: Network
    alignment: Alignment
    shown: list[Shown]

    def follow(self, name: str) -> Trail:
        """Depth first through all steps that look as SPIN shows them."""
        semantics = Semantics(self.network)
        start = semantics.initial_states()[0]
        stack: list[tuple[State, int, tuple[Step, ...]]] = [(start, 0, ())]
        seen: set[tuple[State, int]] = set()
        furthest = 0
        whole: tuple[Step, ...] | None = None
        while stack:
            state, position, way = stack.pop()
            furthest = max(furthest, position)
            if position == len(self.shown):
                whole = way
                if self.network.monitor is None or semantics.claim_completed(state):
                    break
            if (state, position) in seen:
                continue
            seen.add((state, position))
            for step in reversed(semantics.steps(state)):
                after = self._consumed(step, position)
                if after is None:
                    continue
                if step.target is None:
                    return Trail(self.network, start, (*way, step))
                stack.append((step.target, after, (*way, step)))
        if whole is None:
            raise TrailError(f"{name}: SPIN's step {furthest + 1} is not a step of this model")
        return Trail(self.network, start, whole)

    def steps_to(self, trail: Trail, wanted: int) -> int:
        """How many steps of a trail use up so many entries of SPIN's list."""
        position = 0
        for number, step in enumerate(trail.steps):
            if position >= wanted:
                return number
            position = self._consumed(step, position) or position
        return len(trail)

    def _consumed(self, step: Step, position: int) -> int | None:
        """How far SPIN's list is used up by a step; None if it begins otherwise. In a handshake the partner comes
        next. The moves of a never claim are not in the list: any will do that comes to the same end."""
        for move in _first_moves(step):
            if move.kind == MONITOR:
                continue
            if position == len(self.shown):
                return None
            shown = self.shown[position]
            way = self.alignment.transitions.get((move.kind, move.edge))
            if shown.pid != move.pid or way is None:
                return None
            wanted = way[0]
            if wanted.state != shown.state and not (shown.state == END and wanted.text == "-end-"):
                return None
            position += 1
            if wanted.is_d_step:
                position = self._behind(position, shown.number)
        return position

    def _behind(self, position: int, number: int) -> int:
        """Where the statements with a number end."""
        while position < len(self.shown) and self.shown[position].number == number:
            position += 1
        return position
