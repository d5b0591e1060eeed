"""Checkpoints of searches by several ranks.

When a round is over, nobody works and nothing is under way: each rank then leaves its part, before it begins the next
round, and lines that come early wait. An answer to a wave of that round tells that its sender has done so. When all
have, the first rank writes which parts belong together; only then older ones are removed."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from msgspec import MsgspecError, json

from beeline.engine import core
from beeline.records import Record

FIRST_LINE = b"beeline checkpoint of several ranks\n"


class Kept(Record, frozen=True):
    """Which parts belong together, and where the search stood."""

    number: int
    ranks: int
    round: int
    """That was over."""
    states_before: int
    """When it began."""
    identity: str


class Keeper(Record, frozen=True):
    """Where ranks leave their parts. All of them see the folder, or each one its own at every start."""

    file: str
    every: float
    identity: str
    kept: Kept | None = None
    """From where the search goes on."""

    def part(self, number: int, rank: int) -> Path:
        """The file of one rank."""
        return Path(f"{self.file}.{number}.{rank}")

    def save(self, native: core.LayerRank, number: int, rank: int, complete: int) -> bool:
        """Leaves the part of a rank, and removes those from before the last complete checkpoint. False if there is no
        room for it."""
        for path in Path(self.file).parent.glob(f"{Path(self.file).name}.*.{rank}"):
            if int(path.suffixes[-2][1:]) < complete:
                path.unlink(missing_ok=True)
        try:
            native.save(str(self.part(number, rank)), self.identity)
        except core.DiskError:
            return False
        return True

    def restore(self, native: core.LayerRank, rank: int) -> None:
        """Has a rank go on from its part."""
        assert self.kept is not None
        native.restore(str(self.part(self.kept.number, rank)), self.identity)

    def complete(self, kept: Kept) -> None:
        """All parts are there."""
        text = json.encode(kept)
        part = Path(f"{self.file}.part")
        with part.open("wb") as stream:
            stream.write(FIRST_LINE + sha256(text).hexdigest().encode() + b"\n" + text)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(self.file)

    def forget(self) -> None:
        """There is an answer."""
        place = Path(self.file)
        for path in (place, *place.parent.glob(f"{place.name}.*")):
            path.unlink(missing_ok=True)


def read(file: str) -> Kept:
    """Which parts belong together. Raises `CheckpointError` of the engine."""
    content = Path(file).read_bytes()
    first, digest, text = (*content.split(b"\n", 2), b"", b"")[:3]
    if first + b"\n" != FIRST_LINE:
        raise core.CheckpointError("it is of a search by one process")
    try:
        if sha256(text).hexdigest().encode() != digest:
            raise core.CheckpointError("it is damaged: its checksum does not fit")
        return json.decode(text, type=Kept)
    except MsgspecError:
        raise core.CheckpointError("it is damaged") from None
