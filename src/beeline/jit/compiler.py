"""The C compiler of the system, and one compilation with it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import threading
from pathlib import Path

FLAGS = ("-O2", "-w", "-shared", "-fPIC", "-fwrapv", "-fexceptions")
"""Arithmetic wraps as in bytecode, and errors of the engine pass through the code."""

PATIENCE = 120.0  # seconds; a compiler that takes longer is of no use
_WORKER = Path(__file__).with_name("worker.py")


def find_compiler() -> list[str] | None:
    """The command that compiles C, as the variable CC says or else the first one found; None if there is none.

    >>> find_compiler() is None or len(find_compiler()) >= 1
    True
    """
    try:
        asked = shlex.split(os.environ.get("CC", ""))
    except ValueError:  # a quote without its end
        return None
    for words in [asked] if asked else [["cc"], ["gcc"], ["clang"]]:
        path = shutil.which(words[0])
        if path is not None:
            return [path, *words[1:]]
    return None


def describe(command: list[str]) -> str:
    """What a compiler says about itself: code of another one is not taken from the cache."""
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


def compile_to(
    command: list[str], source: str, target: Path, stop: threading.Event, extra: tuple[str, ...] = ()
) -> bool:
    """Compiles into the file `target`, which appears complete or not at all; false if that failed or was stopped.
    `extra` flags come last.

    The work is done by a process of its own, which cleans up when this one ends, however it ends."""
    words = [sys.executable, "-I", "-S", str(_WORKER), str(target), *command, *FLAGS, *extra]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as worker:
        assert worker.stdin is not None
        try:
            worker.stdin.write(source.encode() + b"\0")
            worker.stdin.flush()
        except BrokenPipeError:
            pass
        waited = 0.0
        while worker.poll() is None and waited < PATIENCE and not stop.wait(0.02):
            waited += 0.02
        finished = worker.poll()
    return finished == 0 and not stop.is_set()
