"""Searches that the first rank has all ranks take part in, one after the other."""

from __future__ import annotations

from msgspec import msgpack

from beeline.cluster.driving import LONGEST, drive
from beeline.cluster.equation_job import EquationJob
from beeline.cluster.job import Job, paired
from beeline.cluster.mpi import MpiTransport
from beeline.cluster.outcome import outcome_of
from beeline.cluster.root import Overview, Root, Watch
from beeline.cluster.transport import JOB, Message
from beeline.engine import Outcome, Progress, Statistics
from beeline.jit import Companion

AnyJob = Job | EquationJob


def lead(transport: MpiTransport, job: Job, seconds: float | None, progress: Progress | None) -> Outcome:
    """Has all ranks search, and returns what they found; to be called by the first one. The others follow, and end."""
    root, tier = lead_to_end(transport, job, seconds, _watching(progress, transport.ranks))
    outcome = outcome_of(root, paired(job.space()) if job.pairs else None)
    outcome.tier = tier
    return outcome


def lead_to_end(
    transport: MpiTransport, job: AnyJob, seconds: float | None = None, watch: Watch | None = None
) -> tuple[Root, str]:
    """The first rank when all are done, and how it found steps in the end. The others follow, and end."""
    if transport.rank != 0:
        follow(transport)
        raise SystemExit(0)
    root, tier = conduct(transport, job, seconds, watch)
    if root.is_broken:
        transport.is_broken = True
        transport.when_broken()
    return root, tier


def conduct(
    transport: MpiTransport, job: AnyJob, seconds: float | None = None, watch: Watch | None = None
) -> tuple[Root, str]:
    """Has all ranks search. Returns the first one when it is done, and how it found steps in the end."""
    sent = msgpack.encode(job)
    for rank in range(1, transport.ranks):
        transport.send(rank, JOB, sent)
    space = job.space()
    root = job.root(transport, space, seconds, watch)
    with Companion(space, job.tier) as companion:
        root.begin()
        drive(root)
    return root, companion.used


def follow(transport: MpiTransport) -> None:
    """Takes part in what the first rank begins, until it has nothing more to do."""
    early: list[Message] = []
    while True:
        message = transport.poll()
        if message is None:
            if transport.is_alive(0) is False or transport.failure:
                return
            transport.wait(LONGEST)
        elif message[1] != JOB:  # others have begun already
            early.append(message)
        elif not message[2]:
            return
        else:
            _take_part(transport, msgpack.decode(message[2], type=AnyJob), early)
            early = []


def _take_part(transport: MpiTransport, job: AnyJob, early: list[Message]) -> None:
    space = job.space()
    member = job.member(transport, space)
    for message in early:
        member.take(*message)
    with Companion(space, job.tier):
        drive(member)


def release(transport: MpiTransport) -> None:
    """Lets the others go. They take it when they come to it; nobody waits for them for long."""
    for rank in range(1, transport.ranks):
        transport.send(rank, JOB, b"")
    while transport.in_flight():
        transport.wait(LONGEST)


def _watching(progress: Progress | None, ranks: int) -> Watch | None:
    if progress is None:
        return None

    def watch(overview: Overview) -> None:
        progress(statistics_of(overview, ranks))

    return watch


def statistics_of(overview: Overview, ranks: int) -> Statistics:
    """All ranks on one line.

    >>> figures = {"stored": 900, "expanded": 800, "generated": 0, "memory": 0, "waiting": 100, "sent": 400}
    >>> statistics_of(Overview({**figures, "known": 100}, 1.25, 60, 7, 2.0), 4).phase
    'searching on 4 ranks, layer 6, balance 1.25, longest queue 60, 25% sent in vain'
    """
    figures = overview.figures
    vain = figures["known"] / figures["sent"] if figures["sent"] else 0.0
    return Statistics(
        stored=figures["stored"],
        expanded=figures["expanded"],
        generated=figures["generated"],
        frontier=figures["waiting"],
        memory=figures["memory"],
        seconds=overview.seconds,
        phase=f"searching on {ranks} ranks, layer {max(0, overview.round - 1)}, balance {overview.balance:.2f}, "
        f"longest queue {overview.slowest:,}, {vain:.0%} sent in vain",
    )
