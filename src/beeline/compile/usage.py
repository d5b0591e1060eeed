"""Which variables are ever written: the others are constants, which need no room in the state."""

from __future__ import annotations

from beeline.model.expressions import Bind, Call, Expression, Field, Index, Ref, walk
from beeline.model.network import Edge, Function, Network, Process, Receive
from beeline.model.scope import root_of
from beeline.model.statements import Assign, Start, Statement, expressions, nested


def locals_written(network: Network, process: Process) -> set[str]:
    """Names of locals that an edge or function of the process may write (names shadowed by temporaries included,
    which errs on the safe side)."""
    functions = {function.name: function for function in (*network.functions, *process.functions)}
    written: set[str] = set()
    for edge in process.edges:
        written |= _written_by_edge(edge, functions)
    for function in process.functions:
        for statement in nested(function.body):
            written |= _written_by(statement, functions)
    return written


def globals_written(network: Network) -> set[str]:
    """Names of the network's variables that something may write (locals of the same name count, to be safe)."""
    functions = {function.name: function for function in network.functions}
    written: set[str] = set()
    for process in network.processes:
        written |= locals_written(network, process)
    for function in network.functions:
        for statement in nested(function.body):
            written |= _written_by(statement, functions)
    return written


def _written_by_edge(edge: Edge, functions: dict[str, Function]) -> set[str]:
    written: set[str] = set()
    if isinstance(edge.sync, Receive):
        written |= {root_of(pattern.place) for pattern in edge.sync.patterns if isinstance(pattern, Bind)}
    for statement in nested(edge.effect):
        written |= _written_by(statement, functions)
    return written


def _written_by(statement: Statement, functions: dict[str, Function]) -> set[str]:
    written: set[str] = set()
    if isinstance(statement, Assign):
        written.add(root_of(statement.target))
    if isinstance(statement, Start) and statement.result is not None:
        written.add(root_of(statement.result))
    for expression in expressions(statement):
        written |= _written_by_calls(expression, functions)
    return written


def _written_by_calls(expression: Expression, functions: dict[str, Function]) -> set[str]:
    """Roots passed by reference."""
    written: set[str] = set()
    for part in walk(expression):
        if isinstance(part, Call) and part.function in functions:
            for parameter, argument in zip(functions[part.function].parameters, part.arguments, strict=True):
                if parameter.reference and isinstance(argument, (Ref, Index, Field)):
                    written.add(root_of(argument))
    return written
