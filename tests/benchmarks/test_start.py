"""The measurement of small commands: it runs what it names, and reads what commands say."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from benchmarks import start


def test_commands_are_run_in_turns_and_their_searches_told() -> None:
    beeline = start.beeline_of(Path(sys.executable))
    words = start.COMMANDS["Promela: philosophers N=9"]
    one, other = start.measured([beeline, beeline], words, repeats=2, core=min(os.sched_getaffinity(0)))
    for taken in (one, other):
        assert len(taken.runs) == 2
        assert min(*taken.runs, taken.search) > 0


def test_every_command_names_a_model_that_is_there() -> None:
    files = [words[1] for words in start.COMMANDS.values() if words[0] == "check"]
    assert files and all((start.MODELS / file).is_file() for file in files)


def test_records_and_dataclasses_are_defined_alike() -> None:
    plain, record = start.define_dataclass(), start.define_record()
    assert repr(plain(1, 2)).split(".")[-1] == repr(record(1, 2)).split(".")[-1]
