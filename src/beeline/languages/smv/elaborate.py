"""An SMV text made into a network; see `steps.py` for what a step becomes, docs/smv.md for the language."""

from __future__ import annotations

from itertools import product
from math import prod

from beeline.languages.smv.constraints import Constraints, Label
from beeline.languages.smv.history import History
from beeline.languages.smv.scopes import Scalar, World
from beeline.languages.smv.specs import Specifications
from beeline.languages.smv.steps import Steps
from beeline.languages.smv.syntax import Model
from beeline.languages.smv.types import variables
from beeline.model.network import Initial, Network, Rules
from beeline.model.source import Source
from beeline.model.validation import validate

MOST_KINDS = 1024  # of steps: processes, times combinations of inputs
OPENING = "the beginning"


def elaborate(model: Model, name: str) -> Network:
    """The network of a model."""
    world = World(model)
    constraints = Constraints(world)
    history = History(world)
    properties = tuple(Specifications(world, history).properties())
    scalars = [one for one in world.scalars if one.section != "IVAR" and one.definition is None]
    labels = _labels(world, constraints)
    at = world.main.module.at
    steps = Steps(constraints, labels, scalars)
    processes = steps.processes({label: history.effect(label) for label in labels}, at)
    network = Network(
        name=name,
        processes=tuple(processes),
        initial=tuple(Initial(process.name, process.name) for process in processes),
        variables=(*variables(scalars), *history.variables()),
        properties=properties,
        rules=Rules(opened=True, quiet_partners=True),
        language="smv",
        source=Source(model.file),
    )
    validate(network)
    return network


def _labels(world: World, constraints: Constraints) -> list[Label]:
    """The beginning, and the kinds of steps."""
    inputs = [one for one in world.scalars if one.section == "IVAR"]
    count = len(world.processes) * prod(len(one.domain) for one in inputs)
    if count > MOST_KINDS:
        remedy = "make them variables (VAR), or fewer"
        raise world.error(f"inputs have {count:,} combinations of values", inputs[0].at, remedy)
    found = [Label(OPENING, opens=True)]
    for process in range(len(world.processes)):
        for values in product(*(one.domain for one in inputs)):
            found.append(
                Label(
                    _name(world, process, inputs, values, constraints), process, tuple(zip(inputs, values, strict=True))
                )
            )
    return found


def _name(world: World, process: int, inputs: list[Scalar], values: tuple[int, ...], constraints: Constraints) -> str:
    """What traces say of a kind of step."""
    who = f"{world.processes[process].name} runs" if len(world.processes) > 1 else "step"
    said = [f"{one.name} = {constraints.values.show(one, value)}" for one, value in zip(inputs, values, strict=True)]
    return f"{who} with {', '.join(said)}" if said else who
