"""What a user's own class says in its estimate(state)."""

from beeline.engine import core
from beeline.engine.outcome import Found
from beeline.heuristics.declaration import NOTHING, Context, Estimator, Heuristic, HeuristicError, Options, Promises

PROMISES = ("admissible", "consistent", "safe")


def build(context: Context, options: Options) -> Estimator:
    if context.space is None or not context.space.has_estimate:
        raise HeuristicError("user is the estimate(state) of a space written in Python, and this model has none")
    given = context.space.estimate_promises
    unknown = [promise for promise in given if promise not in PROMISES]
    if unknown:
        raise HeuristicError(f"estimate_promises knows {', '.join(PROMISES)}, not {unknown[0]!r}")
    promises = Promises(**dict.fromkeys(given, True))
    return Estimator("user", core.user_estimator(context.space, promises.safe), promises, Found.ANYTHING)


HEURISTIC = Heuristic(
    name="user",
    summary="estimate(state) of a space written in Python, with the promises in its estimate_promises",
    paper="the user's own",
    promises=NOTHING,
    covers=Found.ANYTHING,
    build=build,
)
