"""Models of public collections with one thing changed, as the papers did: written next to other generated models, never
copied into the project."""

from __future__ import annotations

from pathlib import Path

from benchmarks.folders import MADE, ROOT

COLLECTIONS = ROOT.parent / "shared" / "models"
LEADER = COLLECTIONS / "spin-examples" / "leader0.pml"
TIMED = COLLECTIONS / "ticktac-benchmarks" / "generated" / "uppaal"
TRAINS = COLLECTIONS / "uppaal-models" / "Demos" / "Symbolic" / "train-gate.xml"
ELECTIONS = (
    COLLECTIONS / "uppaal-models" / "Benchmarks" / "DynamicExtrapolation" / "DynamicTimeConstraints" / "leader-election"
)
ALL_STOP = "E<> Train(0).Cross and (forall (i : id_t) i != 0 imply Train(i).Stop)"


def exclusion(process: str, place: str) -> str:
    """No two processes are at a place."""
    both = f"{process}(i).{place} and {process}(j).{place}"
    return f"A[] forall (i : pid_t) forall (j : pid_t) i != j imply not ({both})"


def equal_leader(nodes: int) -> Path | None:
    """SPIN's leader election in which every node has the greatest number, so that there are several leaders."""
    return _changed(
        LEADER,
        f"leader0_equal_{nodes}.pml",
        {
            "#define N\t5": f"#define N\t{nodes}",
            "#define L\t10": f"#define L\t{2 * nodes}",
            "(N+I-proc)%N+1": "N",
        },
    )


def hasty_mutex(processes: int) -> Path | None:
    """The mutual exclusion protocol of Dierks (2004), whose processes wait too short."""
    return _changed(
        TIMED / f"mutex_{processes}_1_2.xml",
        f"hasty_mutex_{processes}.xml",
        {"MUTEX_DELAY = 2": "MUTEX_DELAY = 1"},
    )


def hasty_track(trains: int, delay: int = 1) -> Path | None:
    """The single-tracked line segment of Dierks (2005), whose controller waits too short before it lets the next train
    in; with a delay of 2 it has no error."""
    return _changed(
        TIMED / f"sts_{trains}_10_2.xml",
        f"hasty_track_{trains}_{delay}.xml",
        {"MUTEX_DELAY = 2": f"MUTEX_DELAY = {delay}"},
    )


def train_gate(trains: int) -> Path | None:
    """UPPAAL's train gate with that many trains; `ALL_STOP` is among its queries."""
    return _changed(TRAINS, f"train_gate_{trains}.xml", {"const int N = 6;": f"const int N = {trains};"})


def election(nodes: int) -> Path | None:
    """A leader election of that many nodes, whose queries are in files beside it."""
    file = ELECTIONS / f"leader-election-{nodes}N.xml"
    return file if file.is_file() else None


def election_queries() -> dict[str, str]:
    """What is asked of all elections, by the names of the files: how far messages get, how many there are at once."""
    found = {}
    for file in sorted(ELECTIONS.glob("EF*.q")):
        found[file.stem] = next(line for line in file.read_text().splitlines() if line.startswith("E<>"))
    return found


def _changed(original: Path, name: str, changes: dict[str, str]) -> Path | None:
    """The original with some texts replaced, each of which it has once; nothing if it is not there."""
    if not original.is_file():
        return None
    text = original.read_text()
    for old, new in changes.items():
        if text.count(old) != 1:
            raise ValueError(f"{original}: '{old}' should be there once, and is {text.count(old)} times")
        text = text.replace(old, new)
    MADE.mkdir(parents=True, exist_ok=True)
    made = MADE / name
    made.write_text(text)
    return made
