"""What is generated is CUDA, too: NVIDIA's run-time compiler takes it, for which there need be no GPU."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.gpu.harness import program_of

from beeline.engine import core
from beeline.gpu.cuda import _Nvrtc
from beeline.gpu.source import BITS, COMPACT, PAIR, PARTS, WIDE, device_source, walk_source
from beeline.languages import LoadOptions, load

MODELS = Path(__file__).parents[2] / "models" / "promela"
ARCHITECTURE = "sm_90"


@pytest.fixture(scope="module")
def compiler() -> _Nvrtc:
    found = _Nvrtc.find()
    if found is None:
        pytest.skip("the run-time compiler is not installed: pip install 'beeline[gpu]'")
    return found


def twin_of(name: str) -> core.HostTwin:
    twin = core.HostTwin(program_of(load(MODELS / f"{name}.pml", options=LoadOptions({}))))
    twin.sample(10_000)
    return twin


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("store", PARTS)
def test_searches_by_layers(compiler: _Nvrtc, store: str, shared: bool) -> None:
    source = device_source(twin_of("philosophers"), store, shared=shared)
    assert compiler.compile(source, ARCHITECTURE)


@pytest.mark.parametrize("store", sorted({*PARTS} - {COMPACT, BITS}))
def test_passes_for_cycles(compiler: _Nvrtc, store: str) -> None:
    assert compiler.compile(device_source(twin_of("philosophers"), store, cycles=True), ARCHITECTURE)


@pytest.mark.parametrize("store", [PAIR, WIDE])
def test_a_model_with_channels_and_assertions(compiler: _Nvrtc, store: str) -> None:
    assert compiler.compile(device_source(twin_of("needham_schroeder"), store), ARCHITECTURE)


def test_walks(compiler: _Nvrtc) -> None:
    assert compiler.compile(walk_source(twin_of("elevator")), ARCHITECTURE)
