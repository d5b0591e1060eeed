"""``python -m benchmarks.directed.spin``: faulty Promela models by directed search and by SPIN, in one go.

Seconds are processor time from the command to the verdict; SPIN's include generating and compiling its verifier."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.conformance.spin import PLAIN_CC, PLAIN_SPIN, read_pan
from benchmarks.conformance.tool import HOLDS, UNKNOWN, VIOLATED, default_command
from benchmarks.directed import families
from benchmarks.directed.configurations import Configuration
from benchmarks.directed.families import Instance
from benchmarks.speed.processes import timed

OURS = (Configuration("auto"), Configuration("auto:improve=0"), Configuration("greedy"), Configuration("bfs"))
THEIRS = {"pan": (), "pan, reduced": ("reduced",), "pan -DBFS": ("-DBFS",)}
OUT_OF_TIME = 124  # as `timeout` says it


def main() -> int:
    parser = argparse.ArgumentParser("python -m benchmarks.directed.spin", description=__doc__)
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each search")
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    if shutil.which("spin") is None:
        print("SPIN is not there: apt-get install spin", file=sys.stderr)
        return 2
    core = min(os.sched_getaffinity(0))
    columns = [*map(str, OURS), *THEIRS]
    print("| instance | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for instance in families.promela(options.only):
        cells = [_beeline(instance, one, options.time, core) for one in OURS]
        cells += [_pan(instance, flags, options.time, core) for flags in THEIRS.values()]
        print(f"| {instance.name} | " + " | ".join(cells) + " |", flush=True)
    return 0


def _beeline(instance: Instance, configuration: Configuration, seconds: float, core: int) -> str:
    command = [*default_command(), "check", str(instance.file), *instance.options, *configuration.options()]
    command += ["--json", "--max-time", str(seconds), "--max-memory", "2G"]
    run = timed(command, core, expected=(HOLDS, VIOLATED, UNKNOWN))
    answer = json.loads(run.output)
    if answer["verdict"] != "violated":
        return "-"
    return f"{answer['states']['stored']:,}, {answer['trace_length']}, {run.seconds:.2f} s"


def _pan(instance: Instance, flags: tuple[str, ...], seconds: float, core: int) -> str:
    reduced = "reduced" in flags
    ways = [flag for flag in (*PLAIN_CC, *flags) if flag != "reduced" and not (reduced and flag == "-DNOREDUCE")]
    macros = [f"-D{macro}" for macro in instance.options if macro != "-D"]
    folder = Path(tempfile.mkdtemp(prefix="beeline-directed-"))
    try:
        spent = timed(
            ["spin", "-a", *(() if reduced else PLAIN_SPIN), *macros, str(instance.file)], core, folder
        ).seconds
        build = ["cc", "-O2", "-w", "-DVECTORSZ=8192", "-DMEMLIM=2000", *ways, "-o", "pan", "pan.c"]
        spent += timed(build, core, folder).seconds
        run = timed(["timeout", str(seconds), "./pan", "-m1000000"], core, folder, expected=(0, OUT_OF_TIME))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    report = read_pan(run.output)
    if report.verdict != "violated":
        return "-"
    return f"{report.states or 0:,}, {report.error_depth}, {spent + run.seconds:.2f} s"


if __name__ == "__main__":
    sys.exit(main())
