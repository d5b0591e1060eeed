"""One process of a measurement: `mpiexec -n 2 python -m benchmarks.cluster.worker JOB`. The first one tells."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from msgspec import msgpack

from beeline.cluster.following import conduct, follow, release
from beeline.cluster.job import Job
from beeline.cluster.mpi import MpiTransport, world

LARGE = 1 << 20
ROUNDS = 200


def main(file: str) -> None:
    """Searches once, and says what it took all processes."""
    from mpi4py import MPI

    transport, comm = world(), MPI.COMM_WORLD
    told = {} if transport.ranks < 2 else _network(transport)
    comm.Barrier()
    busy, began = time.process_time(), time.perf_counter()
    if transport.rank == 0:
        root, _ = conduct(transport, msgpack.decode(Path(file).read_bytes(), type=Job))
        assert root.totals is not None
        told |= {**root.totals.figures, "waves": root.waves, "seconds": time.perf_counter() - began}
        release(transport)
    else:
        follow(transport)
    cpu = comm.gather(time.process_time() - busy)
    if cpu is not None:
        print(json.dumps({**told, "cpu": sum(cpu)}))


def _network(transport: MpiTransport) -> dict[str, float]:
    """Seconds that a small message takes, and those for each byte of a large one, between the first two ranks."""
    small, large = _there_and_back(transport, 8), _there_and_back(transport, LARGE)
    return {"latency": small / 2, "per_byte": max(0.0, large - small) / 2 / LARGE}


def _there_and_back(transport: MpiTransport, size: int) -> float:
    data, taken = bytes(size), []
    for _ in range(ROUNDS if size < LARGE else ROUNDS // 10):
        began = time.perf_counter()
        if transport.rank == 0:
            transport.send(1, 1, data)
        if transport.rank < 2:
            while transport.poll() is None:
                transport.in_flight()
        if transport.rank == 1:
            transport.send(0, 1, data)
            while transport.in_flight():
                pass
        taken.append(time.perf_counter() - began)
    return min(taken)  # all else is what other processes do


if __name__ == "__main__":
    main(sys.argv[1])
