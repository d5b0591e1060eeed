"""The benchmark of replays measures what it says."""

from benchmarks.replay import rows


def test_the_smallest_of_each_kind_is_replayed() -> None:
    found = list(rows(quick=True))
    assert [row.what for row in found] == [
        "counter",
        "counter beside others",
        "token in a ring",
        "two clocks",
        "trains at a gate",
    ]
    assert [row.steps for row in found] == [1_000, 1_000, 1_000, 1_000, 60]
    assert all(row.replay > 0 for row in found)
