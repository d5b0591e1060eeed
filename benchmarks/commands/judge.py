"""Runs a command line, and says what is wrong with what came of it."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from benchmarks.commands.lines import Line

from beeline.records import Record, replace

BEELINE = (sys.executable, "-c", "from beeline.start import command; command()")
PATIENCE = 60.0  # seconds after which a command counts as one that never ends
START = 1.0  # seconds that Python and the imports may take
BUSY = 2.0  # seconds that other processes may keep a command's other threads from running
SAMPLED_EVERY = 10  # milliseconds between two looks at the memory of a process; its peak never falls
ITSELF = 64 * 2**20  # bytes that Python and the modules take, whatever the limit is
REFUSED, UNKNOWN = 2, 3
OUR_LINES = re.compile(r'File "[^"]*/beeline/cli/')  # not in what an editable installation says of its modules
BY_LIMIT = re.compile(r"time limit|memory limit|interrupted")


class Done(Record, frozen=True):
    """What a command left behind."""

    code: int
    out: str
    err: str
    seconds: float  # without those in which other processes had the processor
    processor: float
    memory: int

    @property
    def ended_by_limit(self) -> bool:
        """Whether it depends on the machine how far it came."""
        return self.code == UNKNOWN and BY_LIMIT.search(self.out + self.err) is not None


def run(line: Line) -> Done:
    """Runs a command as a process of its own."""
    words = [*BEELINE, *line.words, *line.reports]
    began = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        output = os.open("/dev/full", os.O_WRONLY) if line.full_output else out.fileno()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=err)
        if line.full_output:
            os.close(output)
        handle = os.pidfd_open(process.pid)  # a number could be another process's by the time it is used
        signals = [(signal.SIGKILL, PATIENCE), *([line.signal] if line.signal is not None else [])]
        timers = [threading.Timer(after, _send, [handle, number]) for number, after in signals]
        for timer in timers:
            timer.start()
        memory = _peak_until_end(process.pid, handle)
        seconds = time.monotonic() - began - _kept_waiting(process.pid)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        for timer in timers:
            timer.cancel()
            timer.join()
        os.close(handle)
        said, wrong = (_text(file) for file in (out, err))
    processor = used.ru_utime + used.ru_stime
    return Done(process.returncode, said, wrong, seconds, processor, memory)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _peak_until_end(number: int, handle: int) -> int:
    """Waits for a process to end; the most bytes it was seen to hold. Not `ru_maxrss`: that one remembers the process
    that started it, and a run of all tests grows larger than any limit here."""
    peak = 0
    ended = select.poll()
    ended.register(handle, select.POLLIN)
    while not ended.poll(SAMPLED_EVERY):
        with suppress(OSError, IndexError):
            peak = int(Path(f"/proc/{number}/status").read_text().split("VmHWM:")[1].split()[0]) * 1024
    return peak


def _kept_waiting(number: int) -> float:
    """Seconds in which a process that has just ended could run, but others had the processor."""
    try:
        return int(Path(f"/proc/{number}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _send(handle: int, number: int) -> None:
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(handle, number)


def faults(line: Line, done: Done) -> list[str]:
    """What a command must never do."""
    if came_too_soon(line, done):
        return []
    found = []
    if done.code not in (0, 1, 2, 3):
        found.append(f"exit code {done.code}")
    crash = [line for line in done.err.splitlines() if re.match(r"Traceback|internal error|Fatal|terminate", line)]
    if crash:
        found.append(f"{crash[0]} {done.err.splitlines()[-1]}")
    limit = 1.1 * line.seconds + 1 + START
    if done.seconds > limit + BUSY:
        found.append(f"{done.seconds:.1f} s under a limit of {line.seconds} s")
    if done.processor > line.threads * limit:
        found.append(f"{done.processor:.1f} s of processor time under a limit of {line.seconds} s")
    if line.memory is not None and done.memory > 1.1 * max(line.memory, ITSELF):
        found.append(f"{done.memory >> 20} MiB under a limit of {line.memory >> 20} MiB")
    return found


def came_too_soon(line: Line, done: Done) -> bool:
    """Whether a signal came while Python itself was starting, before the first line of ours."""
    if line.signal is None:
        return False
    ended = done.code == -line.signal[0] or (line.signal[0] == signal.SIGINT and "KeyboardInterrupt" in done.err)
    return ended and done.out == "" and OUR_LINES.search(done.err) is None


def differences(line: Line, done: Done) -> list[str]:
    """What a second run says otherwise, and one without reports. What is refused, or what a limit of the machine ends,
    is no verdict."""
    found: list[str] = []
    if not line.is_calm or done.code == REFUSED or done.ended_by_limit:
        return found
    plain = replace(line, reports=())
    for other, what in (
        ((line, "a second run"), (plain, "without reports")) if line.reports else ((line, "a second run"),)
    ):
        again = run(other)
        if again.code != done.code and not again.ended_by_limit:
            found.append(f"{what}: exit code {again.code} instead of {done.code}")
    return found


def judge(line: Line, again: bool) -> tuple[Done, list[str]]:
    """A run and what is wrong with it. A limit that did not hold gets two more chances: the machine may be busy."""
    done = run(line)
    found = faults(line, done)
    for _ in range(2):
        if found and line.signal is None:
            done = run(line)
            found = faults(line, done)
    return done, found + (differences(line, done) if again and not found else [])
