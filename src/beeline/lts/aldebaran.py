"""Aldebaran files (`.aut`), which CADP, mCRL2 and others read and write.

des (0, 2, 2)
(0, "put !1", 1)
(1, i, 0)
"""

from __future__ import annotations

import re
from pathlib import Path

from beeline.lts.lts import TAU, Arc, Lts
from beeline.model.source import ModelError, Source

SUFFIX = ".aut"
_HEADER = re.compile(r"\s*des\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*")
_ARC = re.compile(r'\s*\(\s*(\d+)\s*,\s*("(?:[^"\\]|\\.)*"|[^"]*?)\s*,\s*(\d+)\s*\)\s*')
_HIDDEN = ("i", TAU)  # CADP's word for it, and mCRL2's


def to_aldebaran(lts: Lts) -> str:
    """The text of a file. The first state is 0 there, as some tools want it."""
    place = list(range(lts.states))
    place[0], place[lts.initial] = place[lts.initial], place[0]
    lines = [f"des (0, {len(lts.arcs)}, {lts.states})"]
    lines += [f"({place[source]}, {_quoted(label)}, {place[target]})" for source, label, target in lts.arcs]
    return "\n".join(lines) + "\n"


def _quoted(label: str) -> str:
    if label == TAU:
        return '"tau"'
    return '"' + label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def read_aldebaran(path: Path) -> Lts:
    """The system in a file; raises `ModelError` with the place of a mistake."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
    header = _HEADER.fullmatch(lines[0])
    if header is None:
        raise _mistake(path, 1, "an Aldebaran file begins with des (FIRST, ARCS, STATES)", lines[0])
    initial, count, states = map(int, header.groups())
    if initial >= max(states, 1):
        raise _mistake(path, 1, f"the first state is {initial}, but there are only {states} states", lines[0])
    arcs = [_arc(path, number, line, states) for number, line in enumerate(lines[1:], 2) if line.strip()]
    if len(arcs) != count:
        raise _mistake(path, 1, f"the first line tells of {count} arcs, but there are {len(arcs)}", lines[0])
    return Lts.of(max(states, 1), initial, arcs)


def _arc(path: Path, number: int, line: str, states: int) -> Arc:
    found = _ARC.fullmatch(line)
    if found is None:
        raise _mistake(path, number, 'an arc is written (FROM, "LABEL", TO)', line)
    source, label, target = int(found[1]), found[2], int(found[3])
    if max(source, target) >= states:
        raise _mistake(path, number, f"there is no state {max(source, target)}: the first line says {states}", line)
    if label.startswith('"'):
        label = re.sub(r"\\(.)", r"\1", label[1:-1])
    return source, TAU if label in _HIDDEN else label, target


def _mistake(path: Path, line: int, text: str, shown: str) -> ModelError:
    return ModelError(text, Source(str(path), line, 1), excerpt=shown)
