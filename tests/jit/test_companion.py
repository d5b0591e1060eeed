"""Native code beside a search: the answers are those of bytecode, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from beeline import _native, check, explore
from beeline.checking import Exploration
from beeline.compile.program import compile_network
from beeline.engine import Statistics
from beeline.jit import TierError, companion, provision
from beeline.jit.cache import CacheError, cache_folder, is_whole, place_of, trim
from beeline.jit.compiler import compile_to, find_compiler
from beeline.languages import load

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
MODELS = Path(__file__).parents[2] / "models" / "promela"
PETERSON = MODELS / "peterson.pml"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "beeline" / "tier"


def counts(explored: Exploration) -> tuple[int, ...]:
    found: Statistics = explored.statistics
    return found.stored, found.generated, found.depth, found.deadlocks, found.errors, found.transient


@pytest.mark.parametrize("options", [{}, {"threads": 2}, {"store": "tree"}])
def test_both_tiers_count_the_same_across_changes_of_layout(options: dict[str, int]) -> None:
    slow = explore(PETERSON, tier="bytecode", **options)  # type: ignore[arg-type]
    quick = explore(PETERSON, tier="native", **options)  # type: ignore[arg-type]
    assert counts(quick) == counts(slow)
    assert (slow.tier, quick.tier) == ("bytecode", "native")


@pytest.mark.parametrize("search", ["bfs", "dfs", "astar", "greedy"])
def test_both_tiers_find_the_same_trace(search: str) -> None:
    path = MODELS / "needham_schroeder.pml"
    slow, quick = (check(path, search=search, tier=tier) for tier in ("bytecode", "native"))
    assert (quick.verdict, quick.reason, quick.tier) == (slow.verdict, slow.reason, "native")
    assert repr(quick.trace) == repr(slow.trace)
    assert quick.statistics.expanded == slow.statistics.expanded


def test_a_search_moves_over_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []

    class Late(companion.Companion):
        def __init__(self, space: object, tier: str) -> None:
            super().__init__(space, tier, start_after=0.0)

    def slowly(*arguments: object) -> bool:
        time.sleep(0.05)  # the search has begun
        loaded.append(1)
        return compile_to(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(provision, "compile_to", slowly)
    monkeypatch.setattr("beeline.searches.runner.Companion", Late)
    assert counts(explore(MODELS / "pipeline.pml", tier="auto")) == counts(
        explore(MODELS / "pipeline.pml", tier="bytecode")
    )
    assert loaded


def test_code_is_kept_and_found_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    explore(PETERSON, tier="native")
    kept = sorted(cache.iterdir())
    assert kept and all(path.suffix == ".so" for path in kept)
    assert cache.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(provision, "compile_to", lambda *_: pytest.fail("compiled again"))
    assert explore(PETERSON, tier="native").tier == "native"


def test_a_damaged_file_is_compiled_again(cache: Path) -> None:
    explore(PETERSON, tier="native")
    for path in cache.iterdir():
        path.write_bytes(path.read_bytes()[:1000])
    assert explore(PETERSON, tier="native").tier == "native"
    assert all(is_whole(path) for path in cache.iterdir())


def test_a_folder_that_others_may_write_to_is_refused(cache: Path) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    with pytest.raises(CacheError, match="others may write"):
        cache_folder()
    with pytest.raises(TierError, match="others may write"):
        explore(PETERSON, tier="native")
    assert explore(PETERSON).tier == "bytecode"


def test_the_oldest_files_go_first(tmp_path: Path) -> None:
    for age in range(4):
        path = place_of(tmp_path, str(age))
        path.write_bytes(bytes(100))
        os.utime(path, (1000 - age, 1000 - age))
    trim(tmp_path, 250)
    assert sorted(path.name for path in tmp_path.glob("*.so")) == sorted(
        place_of(tmp_path, str(age)).name for age in (0, 1)
    )


@pytest.mark.parametrize("named", ["no-such-compiler", "'cc"])
def test_without_a_compiler_searches_stay_in_bytecode(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("CC", named)
    assert explore(PETERSON).tier == "bytecode"
    with pytest.raises(TierError, match="install gcc or clang"):
        explore(PETERSON, tier="native")


def test_a_compiler_that_fails_leaves_bytecode(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "false")
    assert explore(PETERSON, tier="native").tier == "bytecode"
    assert list(cache.iterdir()) == []


def test_code_that_errors_cannot_pass_through_is_refused(tmp_path: Path) -> None:
    command = find_compiler()
    assert command is not None
    program = _native.Program(compile_network(load(PETERSON)).tables)
    tier = _native.Tier(program)
    blind = ("-fno-exceptions", "-fno-asynchronous-unwind-tables")
    assert compile_to(command, tier.source(), tmp_path / "blind.so", threading.Event(), blind)
    with pytest.raises(RuntimeError, match="fexceptions"):
        tier.load(str(tmp_path / "blind.so"))


def test_a_stopped_compilation_leaves_nothing(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    assert not compile_to(["sleep", "60"], "", tmp_path / "x.so", stop)
    assert list(tmp_path.iterdir()) == []


def test_a_killed_search_leaves_nothing_half_done(tmp_path: Path) -> None:
    compiler = tmp_path / "slow-cc"
    compiler.write_text('#!/bin/sh\n[ "$1" = --version ] || sleep 60\n')
    compiler.chmod(0o755)
    command = [str(Path(sys.executable).with_name("beeline")), "explore", str(PETERSON), "--tier", "native"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "CC": str(compiler)}
    for number in (signal.SIGKILL, signal.SIGTERM):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        folder = tmp_path / "beeline" / "tier"
        until(lambda folder=folder: folder.is_dir() and any(folder.iterdir()))
        process.send_signal(number)
        process.wait(timeout=30)
        until(lambda folder=folder: not any(folder.iterdir()))


def until(condition: object) -> None:
    """Waits for what must come about soon."""
    assert callable(condition)
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come about")


def test_models_with_clocks_have_no_native_tier() -> None:
    model = MODELS.parent / "uppaal" / "fischer_b_3_faulty.xta"
    with pytest.raises(TierError, match="without clocks"):
        explore(model, tier="native")
