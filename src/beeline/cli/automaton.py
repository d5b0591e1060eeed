"""`beeline automaton`: what becomes of a formula."""

from __future__ import annotations

import click

from beeline.cli.main import HOLDS
from beeline.model.source import ModelError, Source

FORMATS = ("text", "hoa", "never", "dot")


@click.command()
@click.argument("formula")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to write it."
)
@click.option("--testing", is_flag=True, help="The generalised testing automaton, which reads changes.")
def automaton(formula: str, form: str, testing: bool) -> int:
    """Show the automaton of the runs that satisfy an LTL FORMULA.

    `check` looks for runs that violate a formula: their automaton is that of its negation, '!(FORMULA)'."""
    if testing and form in ("hoa", "never"):
        raise click.BadParameter(
            f"a testing automaton cannot be written as {form}: use text or dot", param_hint="--format"
        )
    try:
        click.echo(_shown(formula, form, testing).rstrip("\n"))
    except ModelError as error:
        raise error.within(Source("FORMULA", 1), formula) from None
    return HOLDS


def _shown(text: str, form: str, testing: bool) -> str:
    from beeline.automata import is_stutter_invariant, parse_ltl, strength, translate
    from beeline.automata.hoa import to_hoa
    from beeline.automata.never_claim import to_never_claim
    from beeline.automata.pictures import Picture
    from beeline.automata.safety import is_safety
    from beeline.automata.testing import generalised_testing_automaton

    formula = parse_ltl(text)
    if testing:
        changes = generalised_testing_automaton(formula)
        picture, sets = Picture.of_changes(changes), changes.sets
        facts = ["generalised testing automaton"]
    else:
        found = translate(formula)
        if form in ("hoa", "never"):
            return to_hoa(found, str(formula)) if form == "hoa" else to_never_claim(found, str(formula))
        picture, sets = Picture.of(found), found.sets
        facts = [strength(found), "deterministic" if found.is_deterministic() else "nondeterministic"]
        facts.append("stutter-invariant" if is_stutter_invariant(formula) else "stutter-sensitive")
        facts.append("safety" if is_safety(formula) else "no safety formula")
    if form == "dot":
        return picture.to_dot()
    edges = sum(map(len, picture.arrows))
    size = f"states: {len(picture.arrows)}, edges: {edges}, acceptance sets: {sets}"
    return "\n".join([str(formula), size, ", ".join(facts), "", picture.to_text()])
