"""What the host and the kernels tell each other: the numbers of `kernels/control.h`, by their names there."""

from __future__ import annotations

import re
import struct
from functools import cache
from pathlib import Path

KERNELS = Path(__file__).with_name("kernels")
SEARCH, MARK_DEADLOCKS, MARK_VIOLATORS, MARK_PARENTS, PROBE = range(5)
"""What is done with the states that are expanded: the modes of `control.h`."""
CLOSE, TRIM, FOLLOW = range(5, 8)
"""Passes over all states."""
MARK_ALL, KEEP_FOUND, MARK_NONE = range(3)
"""What becomes of their marks."""
ON, FOUND = range(2)
"""The marks, in passes."""


@cache
def field_names() -> tuple[str, ...]:
    """The fields of the structure `Control`, in order."""
    text = (KERNELS / "control.h").read_text()
    body = re.sub(r"//.*", "", text[text.index("{") + 1 : text.index("};")])
    return tuple(re.findall(r"\w+", body.replace("uint64_t", "")))


def control_bytes() -> int:
    """Bytes of the structure."""
    return 8 * len(field_names())


class Control:
    """The structure as the host sees it; all fields are numbers."""

    def __init__(self) -> None:
        self.__dict__.update(dict.fromkeys(field_names(), 0))

    def pack(self) -> bytes:
        """The structure as the kernels read it."""
        return struct.pack(f"<{len(field_names())}Q", *(self.__dict__[name] for name in field_names()))

    def unpack(self, data: bytes) -> None:
        """Takes over what the kernels wrote."""
        self.__dict__.update(zip(field_names(), struct.unpack(f"<{len(field_names())}Q", data), strict=True))

    def __getattr__(self, name: str) -> int:
        raise AttributeError(name)

    def __setattr__(self, name: str, value: int) -> None:
        if name not in field_names():
            raise AttributeError(f"control.h has no field {name}")
        self.__dict__[name] = value
