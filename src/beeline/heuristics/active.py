"""Active processes: how many could still begin a step. None can in a deadlock."""

from beeline.engine import core
from beeline.engine.outcome import Found
from beeline.heuristics.declaration import Context, Heuristic, HeuristicError, Options, Promises


def build(context: Context, options: Options) -> core.Estimator:
    _, native = context.compiled("active")
    if Found.DEADLOCK not in context.stop:
        raise HeuristicError("active counts the processes that can move: it aims at deadlocks, which are not asked for")
    return core.active_estimator(native)


HEURISTIC = Heuristic(
    name="active",
    summary="the number of processes that can begin a step, for deadlocks",
    paper="Edelkamp, Leue and Lluch-Lafuente, Directed explicit-state model checking in the validation of "
    "communication protocols, STTT 5, 2004",
    promises=Promises(safe=True),
    covers=Found.DEADLOCK,
    build=build,
)
