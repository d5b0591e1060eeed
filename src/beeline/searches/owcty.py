"""Search for cycles that drops what cannot lie on one, until nothing changes: for states on disk, or on a GPU."""

from __future__ import annotations

from beeline.engine import core
from beeline.engine.native_space import NativeSpace
from beeline.searches.declaration import Guide, Promises, Search, SearchError, Values


def call(space: NativeSpace, request: core.Request, options: Values, guide: Guide) -> core.Outcome:
    raise SearchError("owcty keeps its states on disk or on a GPU: add --store disk:FOLDER, or --engine gpu")


SEARCH = Search(
    name="owcty",
    summary="one way to catch them young: proves that there are no cycles, in a few searches, on disk or on a GPU",
    paper="Cerna and Pelanek, Distributed explicit fair cycle detection, SPIN 2003; "
    "Barnat, Brim and Simecek, I/O efficient accepting cycle detection, CAV 2007; on a GPU: Barnat, Bauch, Brim and "
    "Ceska, Designing fast LTL model checking algorithms for many-core GPUs, JPDC 2012",
    promises=Promises(shortest=False, complete=True),
    provisos=(),
    zones=False,
    cycles=True,
    call=call,
)
