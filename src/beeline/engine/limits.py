"""How far a search may go: time, memory, states, depth."""

import math
import re
from pathlib import Path
from typing import Annotated

from beeline.model.source import BeelineError
from beeline.parameters import Parameter
from beeline.records import Record

MEMORY_SHARE = 0.7
"""The share of the available memory that a search may use by default."""

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*([smh]?)", re.IGNORECASE)
_LARGEST = 2**62


def parse_size(text: str) -> int:
    """Return the number of bytes that `text` names; units are powers of 1024.

    >>> parse_size("2G"), parse_size("1.5 MiB"), parse_size("4096")
    (2147483648, 1572864, 4096)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is not a size; write a number with K, M, G or T, such as 512M or 2G")
    size = int(float(match[1]) * _UNITS[match[2].upper()])
    if not 0 < size <= _LARGEST:
        raise ValueError(f"{text!r} is not a usable size")
    return size


def parse_time(text: str) -> float:
    """Return the number of seconds that `text` names.

    >>> parse_time("10m"), parse_time("1.5 h"), parse_time("30")
    (600.0, 5400.0, 30.0)
    """
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise TimeError(f"{text!r} is not a time; write a number with s, m or h, such as 30s or 10m")
    return float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2].lower()]


class TimeError(BeelineError, ValueError):
    """What is not a time."""


class Limits(Record, frozen=True):
    """Bounds of a run; None means none, except for memory, where it means a share of what the machine has.

    `memory` bounds the whole process, in bytes; `depth` is counted in steps from an initial state; `disk` bounds the
    files of a store on disk, in bytes.

    >>> Limits(time=60, memory=parse_size("2G"))
    Limits(time=60, memory=2147483648, states=None, depth=None, disk=None)
    """

    time: Annotated[
        float | None, Parameter("Such as 30, 30s, 10m or 2h; seconds without a unit.", "TIME", "max-time")
    ] = None
    memory: Annotated[
        int | None, Parameter("Such as 512M or 2G [default: 70% of free].", "SIZE", "max-memory", kind="size")
    ] = None
    states: Annotated[int | None, Parameter("Stored states.", "N", "max-states", least=1)] = None
    depth: Annotated[int | None, Parameter("Steps from the start.", "N", "max-depth", most=2**32 - 2)] = None
    disk: Annotated[int | None, Parameter("Of the files of --store disk:FOLDER.", "SIZE", "max-disk", kind="size")] = (
        None
    )

    def __post_init__(self) -> None:
        if self.time is not None and not (self.time >= 0 and not math.isnan(self.time)):
            raise ValueError("the time limit must be zero or more seconds")
        _check("memory", self.memory, 1, _LARGEST)
        _check("number of states", self.states, 1, 2**63)
        _check("depth", self.depth, 0, 2**32 - 2)
        _check("disk", self.disk, 1, _LARGEST)


def _check(what: str, value: int | None, least: int, most: int) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"the limit of the {what} must be a whole number, not {value!r}")
    if not least <= value <= most:
        raise ValueError(f"the limit of the {what} must lie between {least} and {most}")


def default_memory() -> int:
    """Return the memory budget of a run that names none: a share of what is available, in bytes."""
    return int(MEMORY_SHARE * min([_machine_memory(), *_cgroup_memory()]))


def _machine_memory() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 4 * 2**30  # a system that does not tell


def _cgroup_memory() -> list[int]:
    """Free memory under each control group that this process is in: containers bound it there."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return []
    free: list[int] = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            free += _free_up("/sys/fs/cgroup", path, "memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            free += _free_up("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes", "memory.usage_in_bytes")
    return free


def _free_up(root: str, path: str, limit_name: str, usage_name: str) -> list[int]:
    """Free memory in the group `path` and all groups above it; inside a container only the root may be visible."""
    group = Path(path)
    free = []
    for name in [group, *group.parents]:
        folder = Path(root) / str(name).lstrip("/")
        try:
            limit = int((folder / limit_name).read_text())
            usage = int((folder / usage_name).read_text())
            cache = _reclaimable(folder)
        except (OSError, ValueError):  # no such file, or the limit is the word "max"
            continue
        free.append(max(limit - usage + cache, 2**20))
    return free


def _reclaimable(folder: Path) -> int:
    """Bytes of the file cache that count as used but make room when asked."""
    for line in (folder / "memory.stat").read_text().splitlines():
        name, value = line.split()
        if name in ("inactive_file", "total_inactive_file"):
            return int(value)
    return 0
