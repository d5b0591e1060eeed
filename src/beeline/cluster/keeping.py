"""Checkpoints of searches by several ranks.

When a round is over, nobody works and nothing is under way: each rank then leaves its part, before it begins the next
round, and lines that come early wait. Within a round all pause for it. An answer to a later wave tells that its sender
has done so. When all have, the first rank writes which parts belong together; only then older ones are removed."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from msgspec import MsgspecError, json

from beeline.engine import core
from beeline.records import Record

Kind = (
    core.LayerRank
    | core.DirectedRank
    | core.DiskRank
    | core.PairedLayerRank
    | core.PairedDirectedRank
    | core.PairedDiskRank
)
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

    def save(self, native: Kind, number: int, rank: int, ranks: int, complete: int) -> bool:
        """Leaves the part of a rank, and removes those from before the last complete checkpoint: its own, and its share
        of those of ranks that there are no more. False if there is no room for it."""
        for path in Path(self.file).parent.glob(f"{Path(self.file).name}.*.*"):
            of, owner = (int(one) for one in path.name.removeprefix(Path(self.file).name).split(".")[1:3])
            if of < complete and owner % ranks == rank:
                path.unlink(missing_ok=True)
        try:
            native.save(str(self.part(number, rank)), self.identity)
        except core.DiskError:
            return False
        return True

    def restore(self, native: Kind, rank: int, ranks: int) -> None:
        """Has a rank go on from its part, or with its share of all parts, where there was another number of them."""
        assert self.kept is not None
        parts = [str(self.part(self.kept.number, one)) for one in range(self.kept.ranks)]
        if self.kept.ranks == ranks:
            native.restore(parts[rank], self.identity)
        else:
            native.adopt(parts, self.identity)

    def complete(self, kept: Kept) -> bool:
        """All parts are there. False if there is no room to say so."""
        text = json.encode(kept)
        part = Path(f"{self.file}.part")
        try:
            with part.open("wb") as stream:
                stream.write(FIRST_LINE + sha256(text).hexdigest().encode() + b"\n" + text)
                stream.flush()
                os.fsync(stream.fileno())
            part.replace(self.file)
        except OSError:
            return False
        return True

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
