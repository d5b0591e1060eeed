"""Limits and signals end a command whatever it is doing, with an answer; a report never costs the verdict."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from beeline.cli import guard
from beeline.engine.budget import overtime, overtime_to_finish

BEELINE = [sys.executable, "-c", "from beeline.start import command; command()"]
PATIENCE = 10  # seconds beyond a limit that a busy machine may take; without the limit, none of these would ever end

READY = "import sys\nsys.stderr.write('ready\\n')\nsys.stderr.flush()\n"
HEARS = "while True:\n    pass\n"
DEAF = "sum(range(10**15))\n"  # one call into C that looks at nothing


Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a command on a model with this text, for at most its limit of a second and our patience."""

    def start(
        text: str, *options: str, command: str = "check", suffix: str = ".py"
    ) -> subprocess.CompletedProcess[str]:
        file = tmp_path / f"model{suffix}"
        file.write_text(text)
        words = [*BEELINE, command, str(file), *options]
        return subprocess.run(words, capture_output=True, text=True, timeout=1 + PATIENCE, check=False)

    return start


@pytest.mark.parametrize("text", [HEARS, DEAF], ids=["hears", "deaf"])
@pytest.mark.parametrize("command", ["check", "explore"])
def test_the_time_limit_holds_while_a_model_is_read(run: Run, text: str, command: str) -> None:
    done = run(text, "--max-time", "1", command=command)
    assert done.returncode == 3, done.stderr
    assert "(time limit while parsing)" in done.stdout


@pytest.mark.parametrize("command", ["check", "explore"])
def test_a_command_that_has_to_be_ended_still_writes_its_object(run: Run, command: str) -> None:
    done = run(DEAF, "--max-time", "1", "--json", command=command)
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["reason"] == "time limit while parsing"


def test_memory_is_refused_before_it_is_taken(run: Run) -> None:
    done = run("taken = [0] * 10**10\n", "--max-memory", "300M", "--json")
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["reason"] == "memory limit while parsing"


def test_memory_that_is_taken_in_small_pieces_is_bounded(run: Run) -> None:
    done = run("taken = []\nwhile True:\n    taken.append([0] * 100)\n", "--max-memory", "300M", "--json")
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["reason"] == "memory limit while parsing"


NEVER_ENDING = {
    "a loop": "while True: pass",
    "a generator": "return (0 for _ in iter(int, 1))",
    "an iterator in C": "import itertools; return itertools.repeat(state)",
}


@pytest.mark.parametrize("body", NEVER_ENDING.values(), ids=list(NEVER_ENDING))
def test_successors_that_never_end_are_ended(run: Run, body: str) -> None:
    methods = f"    def initial(self): return 0\n    def successors(self, state):\n        {body}\n"
    done = run(f"class Space:\n{methods}space = Space()\n", "--max-time", "1", "--json")
    assert done.returncode == 3, done.stderr
    told = json.loads(done.stdout)["reason"]
    assert told in ("time limit", "time limit while searching")  # whoever is first: the search, or its watchdog


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("text", [HEARS, DEAF], ids=["hears", "deaf"])
def test_a_signal_ends_a_command_with_an_answer(tmp_path: Path, text: str, number: signal.Signals) -> None:
    file = tmp_path / "model.py"
    file.write_text(READY + text)
    words = [*BEELINE, "check", str(file), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        time.sleep(0.3)  # it is inside its call by then
        process.send_signal(number)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 3, err
    assert json.loads(out)["reason"].startswith("interrupted")
    assert err == ""


def test_a_command_that_is_to_outlive_its_terminal_does(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(READY + "import time\ntime.sleep(0.5)\n" + PHILOSOPHERS.read_text())
    words = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *BEELINE, "check", str(file)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        process.send_signal(signal.SIGHUP)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1 and "VIOLATED" in out, err


def test_ctrl_c_during_the_imports_is_one_line(tmp_path: Path) -> None:
    slow = tmp_path / "click.py"  # what the command line imports first
    slow.write_text(READY + "import time\ntime.sleep(60)\n")
    words = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{BEELINE[2]}", "--version"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (3, "", "interrupted\n")


MODELS = Path(__file__).parents[2] / "models"
PHILOSOPHERS = MODELS / "python" / "philosophers.py"
DEADLOCK = MODELS / "promela" / "philosophers.pml"


def beeline(*arguments: str | Path, shell: str = "") -> Done:
    """Runs a command, with its outputs as `shell` redirects them."""
    words = ["sh", "-c", f'"$@" {shell}', "sh", *BEELINE, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("option", ["--junit", "--sarif", "--dot", "--trail"])
def test_a_report_that_cannot_be_written_does_not_cost_the_verdict(option: str) -> None:
    plain, done = beeline("check", DEADLOCK), beeline("check", DEADLOCK, option, "/dev/full")
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, plain.stdout.splitlines()[0])
    assert done.stderr == f"error: {option}: No space left on device\n"


@pytest.mark.parametrize("option", ["--junit", "--sarif", "--dot", "--trail"])
def test_a_report_without_a_folder_is_refused_before_the_search(option: str) -> None:
    done = beeline("check", DEADLOCK, option, "/nowhere/at/all")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no folder for '/nowhere/at/all'" in done.stderr


def test_a_trail_of_what_spin_cannot_read_is_refused_before_the_search(tmp_path: Path) -> None:
    done = beeline("check", PHILOSOPHERS, "--trail", tmp_path / "trail")
    assert (done.returncode, done.stdout) == (2, "")
    assert "SPIN replays Promela models only" in done.stderr


@pytest.mark.parametrize("more", [[], ["--json"]])
@pytest.mark.parametrize(("file", "code"), [(PHILOSOPHERS, 1), (MODELS / "python" / "peterson.py", 0)])
def test_an_output_that_takes_nothing_does_not_change_the_exit_code(file: Path, code: int, more: list[str]) -> None:
    done = beeline("check", file, *more, shell=">/dev/full")
    assert done.returncode == code
    assert done.stderr == "error: the output cannot be written: No space left on device\n"
    for shell in (">/dev/full 2>/dev/full", ">&-", ">&- 2>&-"):
        assert beeline("check", file, *more, shell=shell).returncode == code, shell


def test_an_error_that_nobody_can_read_is_still_one() -> None:
    assert beeline("check", "nowhere.pml", shell="2>/dev/full").returncode == 2


def test_a_report_has_no_more_time_than_the_command(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(
        "class Space:\n    def initial(self): return 0\n"
        "    def successors(self, state):\n        while state == 3: pass\n        yield (state + 1) % 4\n"
        "    def violates(self, state): return state == 2\nspace = Space()\n"
    )
    done = beeline("check", file, "--graph", "--json", "--search", "bfs", "--max-time", "2")
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["graph"] is None
    assert done.stderr == "error: --graph: there was no time left for it\n"


SCARCE = [
    ("explore", MODELS / "python" / "philosophers.py", "-D", "N=12", "--threads", "2"),
    ("explore", MODELS / "promela" / "leader.pml", "--store", "tree"),
    ("check", MODELS / "promela" / "leader.pml", "--search", "idfs", "--shrink", "none"),
]


@pytest.mark.parametrize("address_space", [450_000, 1_500_000, 8_000_000])
@pytest.mark.parametrize("arguments", SCARCE, ids=["threads", "tree", "idfs"])
def test_scarce_address_space_is_not_taken_for_a_lack_of_memory(
    arguments: tuple[str | Path, ...], address_space: int
) -> None:
    words = ["sh", "-c", f'ulimit -v {address_space}; exec "$@"', "sh", *BEELINE, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_time_limit_holds_while_a_trace_is_to_be_improved(run: Run, tmp_path: Path) -> None:
    done = run(HEARS, str(tmp_path / "trace.json"), "--max-time", "1", command="improve")
    assert (done.returncode, done.stdout) == (3, "unknown (time limit while parsing)\n"), done.stderr


def test_what_the_start_took_is_part_of_what_a_command_may_take() -> None:
    """A limit of 6 s holds with a tenth and a second, seen from outside, also where Python is slow to start."""
    assert guard.last_moment(6, start=0.5) == guard.last_moment(6) - 0.5
    assert guard.last_moment(6, start=60) > overtime(6)  # work that was asked to end can do so
    assert guard.last_moment(6) > overtime_to_finish(6)


def test_a_command_knows_how_long_its_process_exists() -> None:
    words = [
        sys.executable,
        "-c",
        "import time; time.sleep(0.3); from beeline.cli.guard import since_start as s; print(s())",
    ]
    assert float(subprocess.run(words, capture_output=True, text=True, check=True).stdout) > 0.25
