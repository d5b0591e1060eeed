"""Commands that run in several processes of MPI: the first one speaks, the others only help it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from beeline.cli.main import UNKNOWN
from beeline.signals import ending_signals

if TYPE_CHECKING:
    from beeline.cluster.mpi import MpiTransport

NAME = "mpi"  # of the engine
REASON = "a process of the cluster was killed"
LAUNCHERS = ("mpiexec", "mpirun")
GUARD = """
dead() { ! kill -0 "$1" 2>&- || case $(sed 's/.*) //' "/proc/$1/stat" 2>&-) in Z*) ;; *) return 1;; esac; }
gone() { for pid; do dead "$pid" || return 1; done; }
text=$1; shift
until gone "$@"; do sleep 0.1; done
printf %s "$text"
"""
"""A shell that says its piece when we and the launcher are gone, if we have not ended it: in a file, the launcher would
write its own words over these. A launcher that has ended counts as gone before its parent has asked how: that may wait
until nobody holds the output any more."""


def join(engine: str, last_words: Callable[[], tuple[str, str]]) -> None:
    """At the beginning of a command, before it reads or writes anything. Of several processes only the first one
    returns; if it dies with the others, the `last_words` are said around the reason."""
    transport = help_first(engine)
    if transport is not None and transport.ranks > 1:
        before, after = last_words()
        _speak_if_killed(f"{before}{REASON}{after}")
        transport.when_broken = lambda: os._exit(UNKNOWN)  # so that there is one answer, whoever notices first


def help_first(engine: str) -> MpiTransport | None:
    """The first process returns, with the transport if there is one. The others help it, and end."""
    if engine.partition(":")[0] != NAME:
        return None
    from beeline.cluster.mpi import is_installed, world

    if not is_installed():
        return None  # the engine says what is missing
    transport = world()
    if transport.rank != 0:
        from beeline.cluster.following import follow

        signal.set_wakeup_fd(-1)
        for number in ending_signals():
            signal.signal(number, signal.SIG_IGN)  # the first process hears it as well, and ends the search
        follow(transport)
        sys.exit(0)
    return transport


def _speak_if_killed(text: str) -> None:
    """Launchers of MPI kill all processes when one dies: none is left that could answer but one that they do not know,
    in a session of its own."""
    import atexit
    import subprocess

    launcher, output = _launcher()
    command = ["/bin/sh", "-c", GUARD, "sh", text, str(os.getpid()), *launcher]
    silent = subprocess.DEVNULL  # a launcher waits until nobody holds what it reads from
    shell = subprocess.Popen(command, stdin=silent, stdout=output, stderr=silent, start_new_session=True)

    def leave() -> None:
        shell.kill()
        shell.wait()

    atexit.register(leave)


def _launcher() -> tuple[list[str], int | None]:
    """A launcher on this machine, and its output. Our own goes through it, and ends when it kills us."""
    pid, output = os.getppid(), None
    launcher: list[str] = []
    while pid > 1:
        try:
            name, _, rest = Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
            if name.startswith(LAUNCHERS):
                launcher, output = [str(pid)], os.open(f"/proc/{pid}/fd/1", os.O_WRONLY | os.O_APPEND)
        except OSError:
            break
        pid = int(rest.split()[1])
    return launcher, output
