"""Models for the commands: those of the project, as they are or broken, and random ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from benchmarks.conformance.corners import corner_of
from benchmarks.conformance.dve_generator import dve_of
from benchmarks.folders import ROOT

SUFFIXES = (".pml", ".dve", ".xta", ".py")
SCRIPTS = ROOT / "models" / "uppaal"  # its Python files write models
MODELS = sorted(
    path
    for path in (ROOT / "models").rglob("*")
    if path.suffix in SUFFIXES and not (path.suffix == ".py" and path.is_relative_to(SCRIPTS))
)
HUGE = (b"0", b"-1", b"255", b"65536", b"1000000", b"2147483648", b"99999999999999999999")

Breaking = Callable[[bytes, Random], bytes]


def cut_short(text: bytes, dice: Random) -> bytes:
    return text[: dice.randrange(len(text) + 1)]


def cut_out(text: bytes, dice: Random) -> bytes:
    start = dice.randrange(len(text) + 1)
    return text[:start] + text[start + dice.randrange(200) :]


def scatter(text: bytes, dice: Random) -> bytes:
    """Some bytes are others."""
    spoilt = bytearray(text)
    for _ in range(dice.randint(1, 20)):
        spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
    return bytes(spoilt)


def insert(text: bytes, dice: Random) -> bytes:
    """Garbage, or brackets without end."""
    place = dice.randrange(len(text) + 1)
    what = dice.choice([dice.randbytes(dice.randrange(300)), b"(" * 5000, b"{" * 3000, b"/*", b'"', b"x" * 100_000])
    return text[:place] + what + text[place:]


def change_number(text: bytes, dice: Random) -> bytes:
    numbers = list(re.finditer(rb"\b\d+\b", text))
    if not numbers:
        return text
    found = dice.choice(numbers)
    return text[: found.start()] + dice.choice(HUGE) + text[found.end() :]


def repeat(text: bytes, dice: Random) -> bytes:
    """A piece stands there many times."""
    start = dice.randrange(len(text))
    end = min(len(text), start + dice.randrange(1, 80))
    return text[:end] + text[start:end] * dice.choice([2, 10, 2000]) + text[end:]


def nothing(text: bytes, dice: Random) -> bytes:
    return b""


# What leaves most files readable stands there several times: the commands behind the front end are to be met, too.
ANY: tuple[Breaking, ...] = (cut_short, cut_out, scatter, insert, repeat, nothing, *[change_number] * 5)
HARMLESS: tuple[Breaking, ...] = (cut_short, nothing, *[change_number] * 4)  # for what is run, not only read


def make_file(folder: Path, dice: Random) -> Path:
    """A model file for one command: mostly one of the project's as it is, or a random one."""
    chance = dice.random()
    if chance < 0.2:
        suffix, program_of = dice.choice([(".pml", corner_of), (".pml", corner_of), (".dve", dve_of)])
        random_one = folder / f"random{suffix}"
        random_one.write_text(program_of(dice.randrange(10**9)))
        return random_one
    original = dice.choice(MODELS)
    return original if chance < 0.75 else _broken(original, folder, dice)


def _broken(original: Path, folder: Path, dice: Random) -> Path:
    text = original.read_bytes()
    for _ in range(dice.choice([1, 1, 2])):
        if text:
            text = dice.choice(HARMLESS if original.suffix == ".py" else ANY)(text, dice)
    suffix = (
        original.suffix if original.suffix == ".py" or dice.random() < 0.95 else dice.choice((".pml", ".dve", ".xta"))
    )
    broken = folder / f"model{suffix}"
    broken.write_bytes(text)
    return broken
