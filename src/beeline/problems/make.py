"""From a model and a question to the problem that they are: the one place that tells kinds of models apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from beeline import languages
from beeline.model.network import Network
from beeline.model.property import Inevitability, Property
from beeline.model.source import BeelineError, ModelError
from beeline.problems.problem import Problem
from beeline.properties import asks_deadlock, check_property, questions
from beeline.timed.clocks import has_clocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from beeline.model.state import State
    from beeline.timed.options import ZoneOptions


class NoClocks(BeelineError):
    """Options for zones, but a model without clocks."""


def subject_of(model: Any) -> Any:
    """The network or the user's space that a model is, or that its builder or file makes."""
    if isinstance(model, Network):
        return model
    if isinstance(model, (str, Path)):
        return languages.load(Path(model))
    from beeline.model.builder import NetworkBuilder

    return model.build() if isinstance(model, NetworkBuilder) else model


def asked_of(subject: Any, properties: Sequence[str | Property] | None) -> list[Property]:
    """The questions that are named, or all that the model asks."""
    if not isinstance(subject, Network):
        from beeline.problems.user_questions import find_question, questions_of

        return questions_of(subject) if properties is None else [find_question(subject, one) for one in properties]
    if properties is None:
        return list(questions(subject))
    return [asked if isinstance(asked, Property) else languages.ask(subject, asked) for asked in properties]


def problem_of(
    subject: Any, asked: Property, zones: ZoneOptions | None = None, target: str | Path | State | None = None
) -> Problem:
    """The problem that a question about a subject is. Raises `ModelError` for one that has no meaning there."""
    if not isinstance(subject, Network):
        if zones is not None:
            raise NoClocks("the model is a space of its own: there are no zones to show, widen or merge")
        from beeline.problems.user_spaces import UserProblem

        return UserProblem(subject, asked)
    # Whether a state is a deadlock can be asked among other things on zones only: on those of no clocks, if need be.
    # UPPAAL's runs may stay in a state for ever as time passes, whether anybody looks at clocks or not.
    if has_clocks(subject) or (subject.language == "uppaal" and (asks_deadlock(asked) or asked.asks_runs)):
        if asked.seeks_cycle:
            remedy = "ask A<>, E[] or -->"
            raise ModelError("formulas are not checked on models with clocks", asked.source, remedy)
        from beeline.problems.zones import ZoneProblem
        from beeline.timed.options import ZoneOptions

        return ZoneProblem(subject, asked, zones or ZoneOptions())
    if zones is not None:
        raise NoClocks("the model has no clocks: there are no zones to show, widen or merge")
    from beeline.problems.networks import NetworkProblem

    check_property(subject, asked)
    if isinstance(asked, Inevitability):
        from beeline.properties.linear import formula_of

        asked = formula_of(asked, subject.times_out)
    network = asked.watched(subject)
    return NetworkProblem(network, asked, _aim(target, network))


def _aim(target: str | Path | State | None, network: Network) -> State | None:
    """The state to aim at, which may be the last one of a trace in a file."""
    if not isinstance(target, (str, Path)):
        return target
    from beeline.trace.trail import read_trail

    return read_trail(target, network).states[-1]
