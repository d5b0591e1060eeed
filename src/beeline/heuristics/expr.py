"""Any expression over the model as a heuristic."""

from __future__ import annotations

from beeline.engine import core
from beeline.heuristics.declaration import Context, Heuristic, HeuristicError, Option, Options, Promises
from beeline.heuristics.formula import Formula
from beeline.model.expressions import Expression
from beeline.model.names import Resolver
from beeline.model.network import Network
from beeline.model.source import ModelError, Source
from beeline.model.syntax import parse_expression
from beeline.records import replace


def build(context: Context, options: Options) -> core.Estimator:
    formula = Formula(context, "expr")
    if not options["expression"]:
        raise HeuristicError("expr needs an expression, such as expr:2*x + len(queue)")
    root = formula.value(read(formula.program.network, str(options["expression"])))
    return formula.build(root, safe=True)


def read(network: Network, text: str) -> Expression:
    """The expression that `text` spells out, with its names found in the network."""
    try:
        return Resolver(network).resolve(parse_expression(text))
    except ModelError as error:
        place = replace(error.source, file="--heuristic") if error.source.column else Source("--heuristic")
        raise ModelError(error.message, place, error.remedy, error.excerpt or text) from None


HEURISTIC = Heuristic(
    name="expr",
    summary="the value of an expression over the model; negative values count as 0, and so do failing ones",
    paper="the user's own",
    promises=Promises(safe=True),
    build=build,
    options=(Option("expression", "what is evaluated in each state", ""),),
    whole_text=True,
)
