"""`beeline check --plan`: what a plan says, for people and for programs."""

from __future__ import annotations

import json
from math import inf, isfinite
from typing import Any

import click

from beeline.cli.main import HOLDS
from beeline.cli.progress import show_bytes
from beeline.columns import Column, laid_out
from beeline.planning import Choice, Fit, Plan, Size

HEAD = ("options", "bytes a state", "needs", "of", "time", "fits", "proves")
DAYS = 86_400.0


def show_plan(made: Plan, file: str, as_json: bool) -> int:
    """Says it. The command's exit code is that of one that did what it was asked to."""
    click.echo(json.dumps(_object(made)) if as_json else "\n".join(_lines(made, file)))
    return HOLDS


def _lines(made: Plan, file: str) -> list[str]:
    if made.answer is not None:
        return [
            f"{made.asked}: {made.answer.verdict} ({made.answer.reason}), found while the plan was made: it fits",
            f"run: beeline check {file}",
        ]
    if made.size is None:
        return [f"{made.asked}: no plan can be made, since its states are not counted breadth-first"]
    lines = [f"{made.asked}: open after some seconds", f"states: {show_size(made.size)}", ""]
    rows = [HEAD, *(_row(choice) for choice in made.choices)]
    lines += laid_out(rows, [Column(), *(Column(right=True) for _ in HEAD[1:-2]), Column(), Column()])
    lines += ["", *_advice(made, file)]
    return lines


def _advice(made: Plan, file: str) -> list[str]:
    best = made.recommended
    lines = []
    if best is None:
        lines.append(
            "Nothing that proves anything fits here. A bug may be found all the same, without any of these options."
        )
    else:
        how = "" if best.how == "--store plain" else f" {best.how}"
        launcher = f"mpiexec -n {best.machines} " if best.machines is not None else ""
        sure = "" if best.fits is Fit.YES else ", which may fit"
        lines.append(f"recommended: {launcher}beeline check {file}{how}{sure}")
    lines.append("not tried: sets of states (--engine bdd), which may need far less, or more; a GPU (--engine gpu)")
    return lines


def _row(choice: Choice) -> tuple[str, ...]:
    needs = choice.needs(choice.states.likely)
    many = "" if choice.machines is None else f"{choice.machines} machines: "
    return (
        choice.how,
        f"{choice.bytes_each:.0f}",
        show_bytes(needs) if isfinite(needs) else "unknown",
        f"{many}{show_bytes(choice.room)} {choice.medium}",
        show_time(choice.seconds),
        choice.fits.value,
        "yes" if choice.proves else "no",
    )


def show_size(size: Size) -> str:
    """A number of states with what is not known of it.

    >>> show_size(Size(12, 12, 12, 12))
    '12'
    >>> show_size(Size(5000, 9000.0, 20000.0, 1e7))
    'about 2.0 x 10^4, between 9.0 x 10^3 and 1.0 x 10^7; 5,000 were seen'
    >>> show_size(Size(5000, 5000, inf, inf))
    'more than 5,000; nothing tells yet where they end'
    """
    if size.is_known:
        return f"{size.seen:,}"
    if not size.has_end:
        return f"more than {size.seen:,}; nothing tells yet where they end"
    upper = power(size.high) if size.high < inf else "no known bound"
    return f"about {power(size.likely)}, between {power(size.low)} and {upper}; {size.seen:,} were seen"


def power(number: float) -> str:
    """A number by its power of ten."""
    mantissa, exponent = f"{number:.1e}".split("e")
    return f"{mantissa} x 10^{int(exponent)}"


def show_time(seconds: float) -> str:
    """A time in its largest unit.

    >>> show_time(30.2), show_time(5000), show_time(1e9)
    ('30 s', '1.4 h', '11574 days')
    """
    if seconds == inf:
        return "unknown"
    for unit, length in (("days", DAYS), ("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * length or (unit == "h" and seconds >= length):
            return f"{seconds / length:.0f} {unit}" if seconds >= 10 * length else f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s"


def _object(made: Plan) -> dict[str, Any]:
    best = made.recommended
    return {
        "property": made.asked,
        "verdict": "unknown" if made.answer is None else made.answer.verdict,
        "states": None if made.size is None else _size_object(made.size),
        "choices": [
            {
                "options": choice.how,
                "states": _size_object(choice.states),
                "bytes_per_state": choice.bytes_each,
                "needed_bytes": _or_none(choice.needs(choice.states.likely)),
                "room_bytes": choice.room,
                "medium": choice.medium,
                "time_s": _or_none(choice.seconds),
                "machines": choice.machines,
                "fits": choice.fits.value,
                "proves": choice.proves,
            }
            for choice in made.choices
        ],
        "recommended": None if best is None else best.how,
    }


def _size_object(size: Size) -> dict[str, float | int | None]:
    return {"seen": size.seen, "low": size.low, "likely": _or_none(size.likely), "high": _or_none(size.high)}


def _or_none(number: float) -> float | None:
    return number if isfinite(number) else None
