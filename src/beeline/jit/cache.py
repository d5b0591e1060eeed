"""Compiled models on disk, by the content of their source. A file that is not whole is never loaded."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

LARGEST = 64 * 2**20
"""Bytes of compiled models that are kept; the oldest go first."""


class CacheError(Exception):
    """The folder cannot be used."""


def cache_folder(make: bool = True) -> Path:
    """Where compiled models are kept: under XDG_CACHE_HOME, or .cache at home. Made if it is not there, if asked to.

    Raises `CacheError` for a folder that others own or may write to: they could put their own code there."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        root = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
        folder = root / "beeline" / "tier"
        if make:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in (folder, folder.parent):
            state = part.lstat()
            if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid() or state.st_mode & 0o022:
                raise CacheError(f"{part} belongs to someone else, or others may write there: change or remove it")
    except (OSError, RuntimeError) as error:
        raise CacheError(f"there is no folder for compiled models: {error}") from None
    return folder


def place_of(folder: Path, *parts: str, suffix: str = ".so") -> Path:
    """The file for code that is made of these texts."""
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return folder / f"{digest}{suffix}"


def is_whole(path: Path) -> bool:
    """Whether a file is there as it was written: its digest stands at its end. One that is not is removed."""
    try:
        content = path.read_bytes()
        if hashlib.sha256(content[:-32]).digest() == content[-32:]:
            os.utime(path)
            return True
        path.unlink(missing_ok=True)
    except OSError:
        pass
    return False


def trim(folder: Path, largest: int = LARGEST) -> None:
    """Removes the files that were not used for longest, until the others fit."""
    files = []
    for path in (*folder.glob("*.so"), *folder.glob("*.cubin")):
        try:
            files.append((path.stat().st_mtime, path.stat().st_size, path))
        except OSError:
            continue  # someone else removed it
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= largest:
            return
        path.unlink(missing_ok=True)
        total -= size
