"""What the way between processes costs, without what is done for states at its ends:
`mpiexec -n 2 python -m benchmarks.cluster.way LINE` has all of them send lines to each other. The first one tells."""

from __future__ import annotations

import json
import sys
import time

from beeline.cluster.driving import SHORTEST
from beeline.cluster.member import Pace
from beeline.cluster.mpi import MpiTransport, world
from beeline.cluster.transport import LINE

STATE = 64
"""Bytes."""
STATES = 1 << 20
"""That each process sends."""


def main(states: int) -> None:
    """Tells how many states went each second, by the clock, and the processor time of one in seconds."""
    from mpi4py import MPI

    transport, comm = world(), MPI.COMM_WORLD
    comm.Barrier()
    busy, began = time.process_time(), time.perf_counter()
    exchange(transport, bytes(states * STATE), max(64, STATES // states))
    comm.Barrier()
    seconds, cpu = time.perf_counter() - began, comm.allreduce(time.process_time() - busy)
    if transport.rank == 0:
        moved = transport.ranks * max(64, STATES // states) * states
        print(json.dumps({"rate": moved / seconds, "cpu": cpu / moved}))


def exchange(transport: MpiTransport, line: bytes, count: int) -> None:
    """Sends so many lines to others in turn, and takes as many."""
    others = [rank for rank in range(transport.ranks) if rank != transport.rank]
    window, sent, received = Pace().window, 0, 0
    while received < count or sent < count or transport.in_flight():
        busy = False
        if sent < count and transport.in_flight() < window:
            transport.send(others[sent % len(others)], LINE, line)
            sent, busy = sent + 1, True
        while transport.poll() is not None:
            received, busy = received + 1, True
        if not busy:
            transport.wait(SHORTEST)


if __name__ == "__main__":
    main(int(sys.argv[1]))
