"""`beeline assumption`: what one component needs of the others, whoever they are."""

from __future__ import annotations

from time import monotonic
from typing import Any

import click

from beeline.cli.lts import write
from beeline.cli.main import HOLDS, VIOLATED
from beeline.cli.models import read_model, running
from beeline.cli.options import model_options
from beeline.compositional.interface import MODES
from beeline.compositional.learner import LEARNERS, PACKAGE, is_installed
from beeline.compositional.systems import Automaton
from beeline.languages import LoadOptions
from beeline.lts import to_aldebaran
from beeline.model.network import Network
from beeline.model.source import ModelError
from beeline.problems.settings import Assumption


@click.command()
@model_options
@click.option("--component", required=True, metavar="NAME", help="The component: a process, or several joined by +.")
@click.option("--property", "-p", "asked", required=True, metavar="FORMULA", help="As in `mu: [-*.a.b] false`.")
@click.option(
    "--oracle",
    type=click.Choice(list(MODES)),
    default=MODES[0],
    show_default=True,
    help="exact: the weakest assumption; heuristic: quicker, and perhaps too strong.",
)
@click.option("--learner", type=click.Choice(list(LEARNERS)), default=LEARNERS[0], show_default=True)
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="Write it as Aldebaran file.")
def assumption(
    file: str,
    language: str | None,
    reading: LoadOptions,
    component: str,
    asked: str,
    oracle: str,
    learner: str,
    output: str | None,
) -> int:
    """Learn what a component of the model in FILE needs of its environment for a property, whoever that is."""
    if not is_installed():
        raise ModelError(f"assumptions need the package {PACKAGE}", remedy="install beeline[learning]")
    began = monotonic()
    model = read_model(file, language, reading)
    with running(model, file):
        found, queries = _learned(model, component, asked, oracle, learner)
    if found is None:
        click.secho(f"no environment keeps {component} from breaking the property", fg="red", bold=True)
        return VIOLATED
    if output is not None:
        write(to_aldebaran(found.lts()), output)
    click.echo(Assumption(component, found.size, found.lts().arcs))
    click.echo(f"learned by {queries:,} queries in {monotonic() - began:.2f} s")
    if oracle != MODES[0]:
        click.echo("perhaps too strong: words that break the property anyway were not asked for (--oracle exact does)")
    return HOLDS


def _learned(model: Any, component: str, asked: str, oracle: str, learner: str) -> tuple[Automaton | None, int]:
    from beeline.compositional.components import Components
    from beeline.compositional.division import divide
    from beeline.compositional.interface import assumption_of
    from beeline.compositional.question import forbidden_by, property_of
    from beeline.properties import find_property

    if not isinstance(model, Network):
        raise ModelError("only networks without clocks have components")
    runs = forbidden_by(find_property(model, asked))
    if runs is None:
        raise ModelError("the property forbids no words of labels", remedy="ask as in `mu: [-*.put.put] false`")
    division = divide(model)
    if component not in division.names:
        raise ModelError(f"there is no component '{component}'", remedy=f"there are: {', '.join(division.names)}")
    components = Components(model, division)
    automaton = property_of(runs, components.labels, components.text_of)
    systems = components.systems(lambda label: label in automaton.alphabet)
    own = systems[division.names.index(component)]
    others = frozenset().union(*(system.alphabet for system in systems if system is not own))
    found, effort = assumption_of(own, automaton, automaton.alphabet & others, oracle, learner)
    return found, effort.queries
