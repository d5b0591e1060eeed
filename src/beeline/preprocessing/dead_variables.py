"""Dead variables: locals of a process that do not matter from a place on are set back to their first values on the way
there, so that states which differ in them alone become one.

`influence.py` says where they matter; globals, and what others or the property look at, always do. Steps keep their
moves, by which traces are replayed in the network as it was.
"""

from __future__ import annotations

from beeline.model.expressions import Bind, Literal, Ref
from beeline.model.network import Edge, Network, Process, Receive, Variable
from beeline.model.property import Property
from beeline.model.scope import root_of
from beeline.model.statements import Assign, Statement, Terminate, expressions, nested
from beeline.model.types import first_value, is_scalar
from beeline.model.usage import names_read
from beeline.preprocessing.declaration import Technique
from beeline.preprocessing.influence import Influence, names_made
from beeline.preprocessing.layer import Layer
from beeline.preprocessing.touching import Touching
from beeline.records import replace

NAME = "dead-variables"


def dead_variables(touching: Touching, asked: Property) -> Layer | None:
    """The layer in which locals are set back where they do not matter; None if they all matter everywhere."""
    network = touching.network
    if touching.clock_cells or network.rules.opened:
        return None
    influence = Influence(network, asked)
    processes = tuple(_cleared(influence, kind) for kind in range(len(network.processes)))
    names = [new.name for new, old in zip(processes, network.processes, strict=True) if new is not old]
    return layer_of(NAME, network, processes, asked, tuple(names))


def layer_of(
    technique: str, network: Network, processes: tuple[Process, ...], asked: Property, names: tuple[str, ...]
) -> Layer | None:
    """The layer with these processes; None if they are those of the network."""
    if processes == network.processes:
        return None
    return Layer(technique, network, replace(network, processes=processes), asked, names)


def _cleared(influence: Influence, kind: int) -> Process:
    """A process with dead locals set back; the same one if there are none."""
    process = influence.network.processes[kind]
    edges = tuple(with_resets(edge, local_resets(influence, kind, edge)) for edge in process.edges)
    return process if edges == process.edges else replace(process, edges=edges)


def with_resets(edge: Edge, resets: tuple[Statement, ...]) -> Edge:
    """The edge with resets at its end, if they are not there."""
    if not resets or edge.effect[-len(resets) :] == resets:
        return edge
    return replace(edge, effect=(*edge.effect, *resets))


def local_resets(influence: Influence, kind: int, edge: Edge) -> tuple[Statement, ...]:
    """Sets the locals back that do not matter any more after an edge."""
    tracked = influence.locals[kind]
    if not takes_resets(edge, tracked):
        return ()
    return tuple(reset(tracked[name], edge) for name in tracked if loses(influence, kind, edge, name))


def takes_resets(edge: Edge, names: dict[str, Variable]) -> bool:
    """Whether variables can be set back at the end of an edge: not where its process ends or names mean others."""
    ends = any(isinstance(statement, Terminate) for statement in nested(edge.effect))
    return not ends and not names_made(edge.effect) & set(names)


def loses(influence: Influence, kind: int, edge: Edge, name: str) -> bool:
    """Whether a variable does not matter to a process after an edge that wrote it or before which it did."""
    live = influence.live[kind]
    return name not in live[edge.target_location] and (name in live[edge.source_location] or name in _written_by(edge))


def reset(variable: Variable, edge: Edge) -> Assign:
    assert is_scalar(variable.type)
    value = variable.initial[0] if variable.initial else first_value(variable.type)
    return Assign(Ref(variable.name), Literal(value), edge.source)


def _written_by(edge: Edge) -> set[str]:
    """Names of variables that an edge may write, and of others that it mentions."""
    found: set[str] = set()
    if isinstance(edge.sync, Receive):
        found |= {root_of(one.place) for one in edge.sync.patterns if isinstance(one, Bind)}
    for statement in nested(edge.effect):
        found |= names_read(*expressions(statement))
    return found


TECHNIQUE = Technique(
    name=NAME,
    summary="sets locals back where they do not matter any more",
    paper="de la Camara, Gallardo and Merino, SPIN 2006",
    promises=("the same verdicts", "the same length of shortest traces"),
    apply=dead_variables,
    told="locals are set back where they do not matter, of",
    automatic=False,
)
