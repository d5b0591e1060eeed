"""What only a process of its own can show: signals, and memory seen from outside."""

import json
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

INTERRUPTED = """
import json, sys
from beeline import _native
from beeline.engine import Found, Limits, python_space
from beeline.searches.runner import run

class Endless:
    def initial(self): return 0
    def successors(self, state): return [state + 1, -state]

space = python_space(Endless()) if sys.argv[1] == "python" else _native.CounterSpace(8, 30)
run(space, sys.argv[2], stop=Found.NOTHING, limits=Limits(states=9))  # imports what it needs
print("ready", flush=True)
outcome = run(space, sys.argv[2], stop=Found.NOTHING)
print(json.dumps([outcome.status, outcome.statistics.stored]))
"""


@pytest.mark.parametrize("search", ["bfs", "dfs"])
@pytest.mark.parametrize("space", ["python", "native"])
def test_ctrl_c_gives_what_is_known_so_far(space: str, search: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED, space, search]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=20)
    status, stored = json.loads(output)
    assert process.returncode == 0
    assert status == "interrupted"
    assert stored > 0


PEAK = """
def peak():  # not ru_maxrss: that one remembers the process we were forked from
    status = open("/proc/self/status").read()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024
"""

MEASURED = (
    PEAK
    + """
import json, sys
from beeline import _native
from beeline.engine import Found, Limits
from beeline.searches.runner import run
space = _native.CounterSpace(int(sys.argv[3]), 1000)
outcome = run(space, sys.argv[1], stop=Found.NOTHING, limits=Limits(memory=int(sys.argv[2])))
print(json.dumps([outcome.status, outcome.statistics.stored, outcome.statistics.memory, peak()]))
"""
)


def measure(search: str, limit: int, counters: int) -> Any:
    command = [sys.executable, "-c", MEASURED, search, str(limit), str(counters)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    return json.loads(done.stdout)


@pytest.mark.parametrize("search", ["bfs", "dfs", "iddfs:1000"])
@pytest.mark.parametrize(("megabytes", "counters"), [(100, 3), (300, 12)])
def test_peak_memory_stays_within_five_percent_of_the_limit(search: str, megabytes: int, counters: int) -> None:
    limit = megabytes << 20
    status, stored, memory, peak = measure(search, limit, counters)
    assert status == "memory"
    assert stored > 0
    assert memory < limit
    assert peak < 1.05 * limit
    assert peak > 0.8 * limit  # and what was given is used


PYTHON_MEASURED = (
    PEAK
    + """
import json
from beeline.engine import Found, Limits, python_space
from beeline.searches.runner import run

class Tuples:
    def initial(self): return (0,) * 20
    def successors(self, state):
        for i in range(20):
            yield state[:i] + (state[i] + 1,) + state[i + 1:]

outcome = run(python_space(Tuples()), stop=Found.NOTHING, limits=Limits(memory=150 << 20))
print(json.dumps([outcome.status, peak()]))
"""
)


def test_objects_of_a_users_space_count_as_memory_too() -> None:
    command = [sys.executable, "-c", PYTHON_MEASURED]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    status, peak = json.loads(done.stdout)
    assert status == "memory"
    assert peak < 1.05 * (150 << 20)
