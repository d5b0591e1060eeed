"""Ranks that are processes of MPI: `mpiexec -n 8 beeline check MODEL --engine mpi`."""

from __future__ import annotations

import os
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from beeline.cluster.transport import ClusterError, Message

if TYPE_CHECKING:
    from mpi4py import MPI

PACKAGE = "mpi4py"
MISSING = f"it needs the package {PACKAGE} and an MPI: install beeline[cluster]"
BETWEEN_LOOKS = 0.2
"""Seconds between two questions whether a process exists."""


def is_installed() -> bool:
    """Whether the package is there; whether it finds an MPI shows when it is used."""
    return find_spec(PACKAGE) is not None


class MpiTransport:
    """This process's side of it."""

    patience = 60.0
    """Launchers end a job when one of its processes dies; this is for those that do not."""

    def __init__(self, comm: MPI.Comm) -> None:
        from mpi4py import MPI

        self._mpi, self._comm = MPI, comm
        self.rank: int = comm.rank
        self.ranks: int = comm.size
        self.failure = ""
        self.is_broken = False
        """Whether a process has died, so that there is no orderly end."""
        self.when_broken: Callable[[], None] = lambda: None
        """What is done then."""
        self._sends: deque[tuple[MPI.Request, bytes]] = deque()  # messages must stay until they are sent
        self._processes: list[tuple[str, int]] = comm.allgather((socket.gethostname(), os.getpid()))
        self._looks: dict[int, tuple[float, bool]] = {}

    @property
    def on_this_machine(self) -> int:
        """How many ranks share the memory of this machine."""
        here = self._processes[self.rank][0]
        return sum(host == here for host, _ in self._processes)

    def send(self, to: int, tag: int, data: bytes) -> None:
        with self._noting_failure():
            self._sends.append((self._comm.Isend([data, self._mpi.BYTE], to, tag), data))

    def poll(self) -> Message | None:
        status = self._mpi.Status()
        with self._noting_failure():
            message = self._comm.Improbe(status=status)
            if message is not None:
                data = bytearray(status.Get_count(self._mpi.BYTE))
                message.Recv([data, self._mpi.BYTE])
                return status.Get_source(), status.Get_tag(), data
        return None

    def in_flight(self) -> int:
        with self._noting_failure():
            for _ in range(len(self._sends)):
                request, data = self._sends.popleft()
                if not request.Test():
                    self._sends.append((request, data))
        return len(self._sends)

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        """MPI notices that a process is gone when something is read from it."""
        try:
            yield
        except self._mpi.Exception as error:
            self.failure = self.failure or f"MPI failed: {error}".splitlines()[0]

    def wait(self, seconds: float) -> None:
        self.in_flight()
        time.sleep(seconds)

    def now(self) -> float:
        return time.monotonic()

    def is_alive(self, rank: int) -> bool | None:
        host, pid = self._processes[rank]
        if host != self._processes[self.rank][0]:
            return None
        looked, known = self._looks.get(rank, (-1.0, True))
        if known and self.now() - looked > BETWEEN_LOOKS:
            known = _exists(pid)
            self._looks[rank] = self.now(), known
        return known


def _exists(pid: int) -> bool:
    """Whether a process of this machine exists and is not just waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not Path("/proc/self/stat").exists()


@cache
def world() -> MpiTransport:
    """All processes that were started together. Whatever happens, the first one lets the others go at its end."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise ClusterError(f"MPI cannot be used: {error}\n  hint: pip install 'beeline[cluster]'") from None
    transport = MpiTransport(MPI.COMM_WORLD)
    if transport.rank == 0:
        import atexit

        atexit.register(_let_go, transport)
    return transport


def _let_go(transport: MpiTransport) -> None:
    from beeline.cluster.following import release

    if transport.is_broken:  # the others would be waited for in vain
        transport._comm.Abort(3)
    release(transport)
