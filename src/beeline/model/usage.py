"""Which variables the parts of a model read and write, by their names. `analysis/footprint.py` tells which cells of the
state an edge reads and writes, given the processes that are there."""

from __future__ import annotations

from beeline.model.expressions import (
    Binary,
    Bind,
    Call,
    Checked,
    Conditional,
    Expression,
    Field,
    Index,
    Literal,
    Match,
    Place,
    Ref,
    Unary,
    children,
    walk,
)
from beeline.model.network import Edge, Function, Network, Process, Receive, Send
from beeline.model.scope import root_of
from beeline.model.statements import (
    Alias,
    Assert,
    Assign,
    Assume,
    Cover,
    Declare,
    Do,
    For,
    If,
    Print,
    Return,
    Start,
    Statement,
    While,
    expressions,
    nested,
)


def names_read(*parts: Expression) -> set[str]:
    """Names of the variables that expressions mention."""
    return {part.name for whole in parts for part in walk(whole) if isinstance(part, Ref)}


def use_of(name: str, edge: Edge) -> tuple[bool, bool]:
    """Whether an edge reads the variable before writing it, and whether it writes it in any case."""
    if name in names_read(edge.guard):
        return True, False
    written = False
    match edge.sync:
        case Send(channel=channel, values=values):
            if name in names_read(channel, *values):
                return True, False
        case Receive(channel=channel, patterns=patterns):
            bound = [p.place for p in patterns if isinstance(p, Bind)]
            inner = [channel, *(p.value for p in patterns if isinstance(p, Match))]
            inner += [part for place in bound for part in children(place)]
            if name in names_read(*inner):
                return True, False
            written = Ref(name) in bound
    for statement in edge.effect:
        if not written and _reads(statement, name):
            return True, False
        written = written or (isinstance(statement, (Assign, Start)) and _target(statement) == Ref(name))
    return False, written


def _reads(statement: Statement, name: str) -> bool:
    if isinstance(statement, Assign):
        parts: list[Expression] = [statement.value]
        parts += children(statement.target)
        return name in names_read(*parts)
    return any(name in names_read(*expressions(inner)) for inner in nested((statement,)))


def _target(statement: Assign | Start) -> Place | None:
    return statement.target if isinstance(statement, Assign) else statement.result


def reads_variables_only(expression: Expression) -> bool:
    """Whether it has none of the parts that look at other processes, channels or calls."""
    known = (Ref, Literal, Index, Field, Unary, Binary, Conditional, Checked)
    return all(isinstance(part, known) for part in walk(expression))


def writes_outside(function: Function, outside: set[str]) -> bool:
    """Whether a call may change anything but the function's own variables; `outside` are names of others."""
    statements = nested(function.body)
    own = {parameter.name for parameter in function.parameters if not parameter.reference}
    own |= {statement.name for statement in statements if isinstance(statement, Declare)}
    own -= outside
    return any(
        root_of(statement.target) not in own
        if isinstance(statement, Assign)
        else not isinstance(statement, (Declare, Alias, If, While, For, Return, Do, Assert, Assume, Cover, Print))
        for statement in statements
    )


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
    if isinstance(statement, Alias):
        written.add(root_of(statement.place))  # perhaps by its other name
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
