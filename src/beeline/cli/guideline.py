"""`beeline guideline`: all questions about a medical guideline, with counterexamples told real or spurious."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from beeline.cli import guard
from beeline.cli.main import HOLDS, UNKNOWN, VIOLATED
from beeline.cli.options import Seconds, Size
from beeline.cli.progress import counted, progress_line
from beeline.columns import OF_VERDICT, Column, laid_out, look
from beeline.engine.limits import Limits
from beeline.model.source import ModelError, Source


@click.command()
@click.argument("file", type=click.Path())
@click.option("--property", "wanted", multiple=True, metavar="NAME", help="Only this question; may be given again.")
@click.option("--exact", is_flag=True, help="Let all annotations follow the time from the start.")
@click.option("--intentions", is_flag=True, help="Only what the plans are meant to bring about.")
@click.option("--fair", is_flag=True, help="Ask whether claims fail only because users leave something undone.")
@click.option("--chart", is_flag=True, help="Draw the run of each violated question over time.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--max-time", type=Seconds(), metavar="S", help="Seconds.")
@click.option("--max-memory", type=Size(), metavar="SIZE", help="Such as 512M or 2G [default: 70% of free].")
def guideline(
    file: str,
    wanted: tuple[str, ...],
    exact: bool,
    intentions: bool,
    fair: bool,
    chart: bool,
    as_json: bool,
    max_time: float | None,
    max_memory: int | None,
) -> int:
    """Check the medical guideline in FILE: structure and intentions of all plans.

    Time annotations are free at first; where a counterexample is spurious, those that it got wrong become exact."""
    from beeline.guidelines import check_guideline
    from beeline.languages.asbru import load_guideline
    from beeline.languages.asbru.claims import MEDICAL, claims

    if not Path(file).is_file():
        raise ModelError("no such file", Source(file), "check the path")
    limits = Limits(max_time, max_memory, None, None)
    guard.keep(limits, ("unknown (", ")\n"), UNKNOWN)
    found = load_guideline(file)
    known = {claim.asked.name: claim for claim in claims(found)}
    for name in wanted:
        if name not in known:
            raise _unknown(name, known)
    if intentions:
        wanted = (*wanted, *(name for name, claim in known.items() if claim.group == MEDICAL))
    with progress_line(as_json) as progress:
        timers = [timer.name for timer in found.timers] if exact else []
        report = check_guideline(found, wanted, timers, limits, progress, fair)
    verdicts = {answer.verdict for answer in report.answers}
    code = UNKNOWN if "unknown" in verdicts else VIOLATED if "violated" in verdicts else HOLDS
    guard.answer = code
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else _shown(report, chart))
    return code


def _unknown(name: str, known: Any) -> ModelError:
    from beeline.spelling import closest

    close = closest(name, known)
    remedy = f"did you mean '{close}'?" if close else "`--json` lists the names of all questions"
    return ModelError(f"no question called '{name}'", remedy=remedy)


def _shown(report: Any, chart: bool) -> str:
    rows = [("question", "answer", "model", "run")]
    for answer in report.answers:
        rows.append((answer.claim.asked.name, answer.verdict, answer.model, _told(answer)))
    how = look()

    def style(row: int, column: int) -> str | None:
        return "head" if not row else OF_VERDICT.get(rows[row][1]) if column == 1 else None

    parts = ["\n".join(laid_out(rows, [Column(20), Column(), Column(), Column(20)], how, style))]
    if chart:
        from beeline.guidelines.chart import chart as drawn

        for answer in report.answers:
            if answer.verdict == "violated" and answer.run is not None:
                parts.append(f"{answer.claim.asked.title}\n\n{drawn(report.guideline, answer.run)}")
    counts = ", ".join(f"{report.count(one)} {one}" for one in ("holds", "violated", "unknown") if report.count(one))
    size = f"{counted(len(report.guideline.plans), 'plan')}, {counted(report.states, 'state')}"
    parts.append(f"{counted(len(report.answers), 'question')}: {counts}\n{size}, {report.seconds:.1f} s")
    return "\n\n".join(parts)


def _told(answer: Any) -> str:
    """Whether the run is real, what was spurious before, and whether only an idle user makes it possible."""
    told = [answer.reason or answer.triage]
    if answer.spurious:
        told.append(f"spurious before: {', '.join(answer.spurious)}")
    if answer.only_unfair:
        told.append("only if a user leaves something undone for ever")
    elif answer.undone:
        told.append(f"left undone for ever: {', '.join(answer.undone)}")
    return "; ".join(part for part in told if part)
