"""A comparison that is ended early tells what it counted by then."""

from __future__ import annotations

import os
import signal

import pytest
from benchmarks.conformance import running
from benchmarks.conformance.running import Tally, ended_early


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_comparison_and_not_the_program(number: int, capfd: pytest.CaptureFixture[str]) -> None:
    tally, before = Tally(), signal.getsignal(number)
    with ended_early():
        for _ in range(3):
            tally["agrees"] += 1
        os.kill(os.getpid(), number)
        tally["not reached"] += 1
    assert str(tally) == "agrees 3"
    assert capfd.readouterr().err == "ended early\n"
    assert signal.getsignal(number) is before


def test_counts_are_told_now_and_then(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "OFTEN", 0.0)
    tally = Tally()
    tally["agrees"] += 1
    tally.tell()
    assert capfd.readouterr().out.startswith("so far: agrees 1; ")
    monkeypatch.setattr(running, "OFTEN", 1e9)
    tally.tell()
    assert capfd.readouterr().out == ""
