"""Has ranks take their steps until the search is over."""

from __future__ import annotations

import threading
from collections.abc import Callable

from beeline.cluster.member import Member
from beeline.cluster.root import Root
from beeline.cluster.threads import Mailboxes, ThreadTransport
from beeline.cluster.transport import Transport

SHORTEST, LONGEST = 50e-6, 200e-6
"""Seconds that a rank without work sleeps: ranks that only ask for messages take the time from those that work."""


def drive(member: Member) -> None:
    """Runs one rank to its end."""
    pause = SHORTEST
    while not member.done:
        try:
            if member.step():
                pause = SHORTEST
            else:
                member.transport.wait(pause)
                pause = min(2 * pause, LONGEST)
        except KeyboardInterrupt:
            member.interrupt()
        if member.transport.failure and not isinstance(member, Root):
            return


def run_in_threads(
    ranks: int, make_root: Callable[[Transport], Root], make_member: Callable[[Transport], Member]
) -> Root:
    """Runs all ranks in this process; returns the first when it is done."""
    mailboxes = Mailboxes(ranks)
    members = [make_member(ThreadTransport(mailboxes, rank)) for rank in range(1, ranks)]
    root = make_root(ThreadTransport(mailboxes, 0))
    for member in members:
        name = f"beeline-rank-{member.transport.rank}"
        thread = threading.Thread(target=drive, args=(member,), name=name, daemon=True)
        mailboxes.threads[member.transport.rank] = thread
    for thread in mailboxes.threads.values():
        thread.start()
    root.begin()
    drive(root)
    for thread in mailboxes.threads.values():
        thread.join()
    return root
