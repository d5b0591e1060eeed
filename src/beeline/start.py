"""The very first lines of the command `beeline`: Ctrl-C ends it in one line, also while the rest is being imported."""

import os
import signal
import sys

from beeline.signals import ending_signals

INTERRUPTED = 3  # the exit code of a question that has no answer


def command() -> None:
    """What the installed command runs."""
    for number in ending_signals():
        signal.signal(number, _leave)
    _open_outputs()
    from beeline.cli import command as begin

    begin()


def _open_outputs() -> None:
    """Opens the null device in the place of an output that was closed before the command began."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # until the end
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _leave(number: int, frame: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
