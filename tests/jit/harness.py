"""Spaces with native code, for tests."""

from __future__ import annotations

import threading
from pathlib import Path

from beeline import _native
from beeline.jit.compiler import compile_to, find_compiler


def native_spaces(program: _native.Program, folder: Path, sample: int = 1 << 14) -> list[_native.ProgramSpace]:
    """A space of the program that looks at every step and one that passes over uninterrupted runs, both with native
    code, compiled without optimisation, which they ask for every state."""
    command = find_compiler()
    assert command is not None
    spaces = [_native.ProgramSpace(program, merged=merged, sample=sample) for merged in (False, True)]
    tier = _native.Tier(program)
    for space in spaces:
        space.set_tier(tier)
        space.remember(False)
    target = folder / f"{len(list(folder.iterdir()))}.so"
    assert compile_to(command, tier.source(), target, threading.Event(), ("-O0",))
    tier.load(str(target))
    return spaces
