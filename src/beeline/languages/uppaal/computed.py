"""Constants that functions compute: what does not depend on the state is worked out before the model runs."""

from __future__ import annotations

from beeline.languages.uppaal.world import World
from beeline.model.evaluate import Context, StepError, evaluate
from beeline.model.expressions import Expression
from beeline.model.network import Network
from beeline.model.scope import Scope, initial_values
from beeline.model.state import Draft, State


def computed(expression: Expression, world: World) -> int | None:
    """The value of an expression without side effects; None if it reads the state, or has no value."""
    tables = tuple(world.network.tables())
    functions = world.functions if world.outer is None else [*world.network.functions, *world.functions]
    constants = Network("constants", (), (), tables, functions=tuple(functions))
    values = tuple(leaf for table in tables for leaf in initial_values(table))
    try:
        return evaluate(expression, Context(Scope(constants), Draft(State(values, (), ())), -1))
    except (StepError, KeyError):  # a name that is not there belongs to a variable
        return None
