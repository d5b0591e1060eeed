"""Models for the commands: those of the project, as they are or broken."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from benchmarks.folders import ROOT

SUFFIXES = (".pml", ".dve", ".xta", ".py")
MODELS = sorted(path for path in (ROOT / "models").rglob("*") if path.suffix in SUFFIXES)
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


ANY: tuple[Breaking, ...] = (cut_short, cut_out, scatter, insert, change_number, repeat, nothing)
HARMLESS: tuple[Breaking, ...] = (cut_short, change_number, nothing)  # for what is run, not only read


def make_file(folder: Path, dice: Random) -> Path:
    """A model file for one command: mostly one of the project's as it is."""
    original = dice.choice(MODELS)
    if dice.random() < 0.65:
        return original
    text = original.read_bytes()
    for _ in range(dice.choice([1, 1, 2])):
        if text:
            text = dice.choice(HARMLESS if original.suffix == ".py" else ANY)(text, dice)
    suffix = (
        original.suffix if original.suffix == ".py" or dice.random() < 0.9 else dice.choice((".pml", ".dve", ".xta"))
    )
    broken = folder / f"model{suffix}"
    broken.write_bytes(text)
    return broken
