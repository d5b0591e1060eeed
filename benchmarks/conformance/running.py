"""Long comparisons that may be ended at any time: what they counted by then is told all the same."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator

from beeline.signals import ending_signals

OFTEN = 30.0  # seconds between two lines about the counts so far


class Tally(Counter[str]):
    """How many things became what, told now and then while they are counted.

    >>> tally = Tally()
    >>> tally.update(["agrees", "agrees", "too large"])
    >>> str(tally)
    'agrees 2, too large 1'
    """

    def __init__(self) -> None:
        super().__init__()
        self.begun = self.told = time.monotonic()

    def __str__(self) -> str:
        return ", ".join(f"{kind} {count}" for kind, count in sorted(self.items()))

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def tell(self) -> None:
        """Prints the counts so far, unless they were printed a moment ago."""
        if time.monotonic() - self.told >= OFTEN:
            self.told = time.monotonic()
            print(f"so far: {self}; {self.seconds:.0f} s", flush=True)


def _end(number: int, frame: object) -> None:
    raise KeyboardInterrupt


@contextlib.contextmanager
def ended_early() -> Iterator[None]:
    """Around a comparison: a signal to end the program ends this block instead, so that what comes after can tell."""
    before = {number: signal.signal(number, _end) for number in ending_signals()}
    try:
        yield
    except KeyboardInterrupt:
        print("ended early", file=sys.stderr, flush=True)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def leave_signals_to_the_first_process() -> None:
    """For workers: a signal that reaches all of them is heard by whoever counts."""
    for number in ending_signals():
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
