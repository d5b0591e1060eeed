"""What is drawn of the figures of a suite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.picture import Axis, Chart, Points
from benchmarks.plots.results import Figures, Results, answers
from benchmarks.speed.tables import geometric_mean

BEYOND = 2.0
"""Instances without an answer are drawn at this many times the largest figure."""
FEWEST_SIZES = 3
"""A family with fewer sizes has no curve."""
UNITS = {"states": "explored states", "seconds": "seconds of search"}


def charts(results: Results, baseline: str) -> Iterator[tuple[str, Chart]]:
    """All pictures with names for their files: for each measure a cactus, each configuration against `baseline`, and
    one for each family."""
    for measure, figures in results.items():
        common = run_by_all(figures)
        if any(map(answers, common.values())):
            yield f"{measure}-cactus", cactus(measure, common)
        for name in figures:
            places = compared(figures, baseline, name)
            if name != baseline and places:
                yield f"{measure}-{_file(baseline)}-{_file(name)}", scatter(measure, baseline, name, places)
        for family, lines in curves(figures).items():
            title, across = f"{family}: {UNITS[measure]} over size", Axis("size")
            chart = Chart(title, across, Axis(UNITS[measure], logarithmic=True), lines, dots=True)
            yield f"{measure}-over-size-{_file(family)}", chart


def compared(figures: Figures, across: str, up: str) -> Sequence[tuple[float | None, float | None]]:
    """Both figures of the instances that both ran and at least one answered."""
    first, second = figures[across], figures[up]
    both = [(first[name], second[name]) for name in first if name in second]
    return [pair for pair in both if pair != (None, None)]


def scatter(measure: str, across: str, up: str, pairs: Sequence[tuple[float | None, float | None]]) -> Chart:
    """Each instance is a dot; below the diagonal the second is better. What only one answers lies on a broken line."""
    known = [value for pair in pairs for value in pair if value is not None]
    beyond = BEYOND * max(known)
    places = [(beyond if x is None else x, beyond if y is None else y) for x, y in pairs]
    right, top = (Axis(f"{name}: {UNITS[measure]}", True, min(known), beyond) for name in (across, up))
    series: dict[str, Points] = {"instances": places}
    title = f"{up} against {across}"
    return Chart(title, right, top, series, dots=True, joined=False, diagonal=True, edges=(beyond,))


def run_by_all(figures: Figures) -> Figures:
    """Only instances that every configuration ran, so that a series that is not finished is not held against anyone."""
    common = set.intersection(*(set(mine) for mine in figures.values()))
    return {name: {one: mine[one] for one in mine if one in common} for name, mine in figures.items()}


def cactus(measure: str, figures: Figures) -> Chart:
    """How many instances each configuration answers within a limit, over that limit."""
    lines = {name: solved_within(good.values()) for name, mine in figures.items() if (good := answers(mine))}
    title = f"Answered, of {max(map(len, figures.values()))} instances"
    return Chart(title, Axis(f"at most so many {UNITS[measure]}", True), Axis("instances", least=0), lines)


def solved_within(values: Iterable[float]) -> Points:
    """
    >>> solved_within([5, 1, 5])
    [(1, 1), (5, 2), (5, 3)]
    """
    return [(value, number) for number, value in enumerate(sorted(values), start=1)]


def curves(figures: Figures) -> dict[str, dict[str, Points]]:
    """By family and configuration: figures over size, for families that have some sizes."""
    found: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for configuration, mine in figures.items():
        for instance, value in answers(mine).items():
            member = family_of(instance)
            if member is not None:
                found[member[0]][configuration].append((member[1], value))
    return {
        family: {name: sorted(points) for name, points in lines.items()}
        for family, lines in found.items()
        if len({size for points in lines.values() for size, _ in points}) >= FEWEST_SIZES
    }


def family_of(instance: str) -> tuple[str, int] | None:
    """Family and size of an instance whose name ends in a size.

    >>> family_of("fischer A 15"), family_of("philosophers N=8"), family_of("frogs.1 goal2")
    (('fischer A', 15), ('philosophers', 8), None)
    """
    family, _, last = instance.rpartition(" ")
    size = last.removeprefix("N=")
    return (family, int(size)) if family and size.isdigit() else None


@dataclass(frozen=True, slots=True)
class Ratio:
    """A configuration next to another: how many instances it ran and answered, how many both answered, and the
    geometric mean of its figures divided by the other's on these."""

    measure: str
    configuration: str
    run: int
    answered: int
    both: int
    mean: float | None


def ratios(results: Results, baseline: str) -> Iterator[Ratio]:
    """All configurations next to `baseline`."""
    for measure, figures in results.items():
        other = answers(figures[baseline])
        for name, mine in figures.items():
            good = answers(mine)
            both = [good[instance] / other[instance] for instance in good if instance in other]
            yield Ratio(measure, name, len(mine), len(good), len(both), geometric_mean(both) if both else None)


def _file(name: str) -> str:
    """A name that any file system takes."""
    return "".join(letter if letter.isalnum() else "_" for letter in name)
