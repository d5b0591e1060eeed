"""The models of ours that tools are compared on, with the constants that make them large or small."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "models" / "murphi"
Case = tuple[str, tuple[str, ...]]

LARGE: tuple[Case, ...] = (
    ("german.m", ("N=6",)), ("peterson.m", ("N=6",)), ("mcs_lock.m", ("N=7",)),
    ("mcs_lock.m", ("HASTY=true", "N=5")), ("flash.m", ("VALUES=3",)), ("directory.m", ("CACHES=6", "VALUES=3")),
    ("snooping.m", ("CACHES=9", "LINES=2")), ("snooping.m", ("CACHES=5", "LINES=3")),
    ("sliding_window.m", ("MODULUS=8", "WINDOW=4", "CAPACITY=3")),
    ("sliding_window.m", ("MODULUS=7", "WINDOW=3", "CAPACITY=5")),
)  # fmt: skip
"""More than a million states each."""
SMALL: tuple[Case, ...] = (
    ("german.m", ()), ("german.m", ("N=4",)), ("peterson.m", ()), ("mcs_lock.m", ()), ("flash.m", ("NODES=2",)),
    ("directory.m", ()), ("directory.m", ("CACHES=4",)), ("snooping.m", ()), ("snooping.m", ("CACHES=5", "LINES=2")),
    ("sliding_window.m", ()),
)  # fmt: skip
"""Less than a hundred thousand."""


@contextmanager
def with_constants(model: str, constants: Sequence[str]) -> Iterator[Path]:
    """A copy of a model that declares these constants: Rumur and CMurphi take them from the text only."""
    text = (FOLDER / model).read_text()
    for constant in constants:
        name, value = constant.split("=")
        text, count = re.subn(rf"^(\s*){name}: [^;]*;", rf"\g<1>{name}: {value};", text, flags=re.MULTILINE)
        if count != 1:
            raise SystemExit(f"{model} declares no constant {name}")
    with tempfile.TemporaryDirectory(prefix="murphi-") as folder:
        path = Path(folder) / model
        path.write_text(text)
        yield path
