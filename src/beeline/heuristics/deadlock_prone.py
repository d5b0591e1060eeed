"""Locations that the user marked as places where processes get stuck: how far each process is from the next one."""

from beeline.engine import core
from beeline.engine.outcome import Found
from beeline.heuristics.declaration import Context, Heuristic, HeuristicError, Option, Options, Promises
from beeline.heuristics.formula import Formula
from beeline.heuristics.graphs import distances_to
from beeline.model.network import Process


def build(context: Context, options: Options) -> core.Estimator:
    formula = Formula(context, "deadlock-prone")
    prefix = str(options["label"])
    rows = {}
    marked = False
    for kind, process in enumerate(formula.program.network.processes):
        places = _marked(process, prefix)
        marked = marked or bool(places)
        ends = [i for i, location in enumerate(process.locations) if location.end]
        # A process without such a place has nothing to say, and one that cannot get to its own must not end the search.
        rows[kind] = [max(0, steps) for steps in distances_to(process, [*places, *ends])] if places else [0]
    if not marked:
        raise HeuristicError(
            f"deadlock-prone needs locations whose name or label begins with {prefix!r}; this model has none"
        )
    parts = [formula.place(number, rows, 0, 0) for number in range(len(formula.program.layout.processes))]
    return formula.build(formula.total(parts), safe=True)


def _marked(process: Process, prefix: str) -> list[int]:
    return [
        position
        for position, location in enumerate(process.locations)
        if any(name.startswith(prefix) for name in (location.name, *location.labels))
    ]


HEURISTIC = Heuristic(
    name="deadlock-prone",
    summary="the distances of all processes to locations that are marked as places to get stuck, or to valid ends",
    paper="Edelkamp, Leue and Lluch-Lafuente, Directed explicit-state model checking in the validation of "
    "communication protocols, STTT 5, 2004",
    promises=Promises(safe=True),
    covers=Found.DEADLOCK,
    build=build,
    options=(Option("label", "how the names or labels of these locations begin", "danger"),),
)
