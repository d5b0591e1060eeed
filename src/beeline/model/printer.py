"""Readable text for expressions, statements and whole networks, in the syntax that `syntax` reads."""

from __future__ import annotations

from beeline.model.expressions import (
    TRUE,
    At,
    Binary,
    Bind,
    Builtin,
    Call,
    ChannelInfo,
    Checked,
    Conditional,
    Expression,
    Field,
    Index,
    Instance,
    Literal,
    Match,
    Pattern,
    Poll,
    ProcessRef,
    Quantified,
    Rate,
    Ref,
    Remote,
    Unary,
)
from beeline.model.network import (
    Channel,
    Edge,
    Function,
    Network,
    Process,
    Receive,
    Send,
    Synchronisation,
    Together,
    Variable,
)
from beeline.model.property import Goal, Invariant
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
    Reset,
    Return,
    SetPriority,
    Start,
    Statement,
    Terminate,
    While,
)
from beeline.model.syntax import BUILTIN_CALLS, BUILTIN_WORDS, OPERATORS

WORDS = {name: word for word, name in {**BUILTIN_WORDS, **BUILTIN_CALLS}.items()}


def show_expression(expression: Expression, power: int = 0) -> str:
    """Text with as few parentheses as precedence allows.

    >>> from beeline.model.syntax import parse_expression
    >>> show_expression(parse_expression("(a + b) * c == d && !e"))
    '(a + b) * c == d && !e'
    """
    match expression:
        case Literal(value):
            return str(value)
        case Ref(name):
            return name
        case Index(base, index):
            return f"{show_expression(base)}[{show_expression(index)}]"
        case Field(base, name):
            return f"{show_expression(base)}.{name}"
        case Unary(operator, operand):
            inner = show_expression(operand, 99)
            return f"{operator}({inner})" if operator == "-" and inner.startswith("-") else f"{operator}{inner}"
        case Binary():
            return _show_binary(expression, power)
        case Conditional(condition, then, otherwise):
            text = f"{show_expression(condition, 1)} ? {show_expression(then)} : {show_expression(otherwise)}"
            return f"({text})" if power > 0 else text
        case Checked(operand):
            return show_expression(operand, power)
        case Quantified(kind, name, low, high, body):
            text = f"{kind} ({name} : {low}..{high}) {show_expression(body, 1)}"
            return f"({text})" if power > 0 else text
        case Call(function, arguments):
            return f"{function}({_list(arguments)})"
        case ChannelInfo(what, channel):
            return f"{what}({show_expression(channel)})"
        case Poll(channel, patterns, anywhere):
            mark = "??" if anywhere else "?"
            return f"{show_expression(channel)}{mark}[{', '.join(map(show_pattern, patterns))}]"
        case At(process, location):
            return f"{show_process_ref(process)}@{location}"
        case Remote(process, place):
            return f"{show_process_ref(process)}.{show_expression(place)}"
        case Rate(clock):
            return f"{show_expression(clock)}'"
        case Builtin(name, argument):
            word = WORDS.get(name, name)
            return word if argument is None else f"{word}({show_expression(argument)})"


def _show_binary(expression: Binary, power: int) -> str:
    if expression.operator in ("min", "max"):
        return f"{expression.operator}({_list((expression.left, expression.right))})"
    level = OPERATORS[expression.operator].level
    left, right = show_expression(expression.left, level), show_expression(expression.right, level + 1)
    text = f"{left} {expression.operator} {right}"
    return f"({text})" if level < power or (level == power and expression.operator == "imply") else text


def _list(parts: tuple[Expression, ...]) -> str:
    return ", ".join(show_expression(part) for part in parts)


def show_process_ref(process: ProcessRef) -> str:
    if isinstance(process, Instance):
        return process.name
    return process.process if process.number is None else f"{process.process}[{show_expression(process.number)}]"


def show_pattern(pattern: Pattern) -> str:
    match pattern:
        case Bind(place):
            return show_expression(place)
        case Match(value):
            return f"=={show_expression(value)}"
        case _:
            return "_"


def show_sync(sync: Synchronisation) -> str:
    match sync:
        case Send(channel, values, in_order):
            sent = _list(values)
            gap = " " if sent.startswith("!") else ""  # `c!!x` would send in order
            return f"{show_expression(channel)}{'!!' if in_order else '!'}{gap}{sent}"
        case Receive(channel, patterns, anywhere):
            return f"{show_expression(channel)}{'??' if anywhere else '?'}{', '.join(map(show_pattern, patterns))}"
        case Together(label):
            return f"<{label}>"


def show_statement(statement: Statement) -> str:
    """One line of text for a statement."""
    show = show_expression
    match statement:
        case Assign(target, value):
            return f"{show(target)} = {show(value)}"
        case Declare(name, kind, initial):
            return f"{kind} {name}" + ("" if initial is None else f" = {show(initial)}")
        case If(condition, then, otherwise):
            tail = f" else {{ {show_effect(otherwise)} }}" if otherwise else ""
            return f"if ({show(condition)}) {{ {show_effect(then)} }}{tail}"
        case While(condition, body):
            return f"while ({show(condition)}) {{ {show_effect(body)} }}"
        case For(name, first, last, step, body):
            how = f"{name} : {first}..{last}" + (f" by {step}" if step != 1 else "")
            return f"for ({how}) {{ {show_effect(body)} }}"
        case Alias(name, place):
            return f"alias {name} = {show(place)}"
        case Return(value):
            return "return" if value is None else f"return {show(value)}"
        case Do(call):
            return show(call)
        case Assert(condition):
            return f"assert({show(condition)})"
        case Assume(condition):
            return f"assume({show(condition)})"
        case Cover(name, condition):
            return f"cover {name}: {show(condition)}"
        case Start(process, arguments, result):
            return ("" if result is None else f"{show(result)} = ") + f"start {process}({_list(arguments)})"
        case Terminate():
            return "stop"
        case Print(text):
            return f"print {text!r}"
        case Reset(clock, value):
            return f"{show(clock)} := {show(value)}"
        case SetPriority(process, priority):
            return f"priority({show(process)}) = {show(priority)}"


def show_effect(statements: tuple[Statement, ...]) -> str:
    return "; ".join(show_statement(statement) for statement in statements)


def show_edge(edge: Edge) -> str:
    """The label of an edge: guard, synchronisation, effect."""
    parts = [f"[{show_expression(edge.guard)}]"] if edge.guard != TRUE else []
    if edge.sync is not None:
        parts.append(show_sync(edge.sync))
    if edge.effect:
        parts.append(show_effect(edge.effect))
    return " ".join(parts)


def show_network(network: Network) -> str:
    """The whole network as indented text."""
    lines = [f"network {network.name}"]
    lines += [f"  const {name} = {value}" for name, value in network.constants.items()]
    lines += [f"  {_show_variable(variable)}" for variable in network.variables]
    lines += [f"  {_show_channel(channel)}" for channel in network.channels]
    lines += [f"  {_show_function(function)}" for function in network.functions]
    for process in network.processes:
        lines += _show_process(process)
    if network.monitor is not None:
        lines += _show_process(network.monitor, "monitor")
    for start in network.initial:
        lines.append(f"  start {start.name} = {start.process}({', '.join(map(str, start.arguments))})")
    for asked in network.properties:
        what = show_expression(asked.expression) if isinstance(asked, Invariant | Goal) else asked.text
        lines.append(f"  {asked.kind} {asked.name}: {what}".rstrip(": "))
    return "\n".join(lines)


def _show_variable(variable: Variable) -> str:
    values = list(variable.initial)
    first = "" if not any(values) else f" = {values[0] if len(values) == 1 else values}"
    return f"{'hidden ' if variable.hidden else ''}{variable.type} {variable.name}{first}"


def _show_channel(channel: Channel) -> str:
    kind = "broadcast" if channel.broadcast else f"[{channel.capacity}]"
    size = "" if channel.size is None else f"[{channel.size}]"
    return f"chan {channel.name}{size} = {kind} of {{{', '.join(map(str, channel.fields))}}}"


def _show_function(function: Function) -> str:
    parameters = ", ".join(f"{p.type}{'&' if p.reference else ''} {p.name}" for p in function.parameters)
    return f"{function.returns or 'void'} {function.name}({parameters}) {{ {show_effect(function.body)} }}"


def _show_process(process: Process, word: str = "process") -> list[str]:
    parameters = ", ".join(f"{variable.type} {variable.name}" for variable in process.parameters)
    provided = f" provided {show_expression(process.provided)}" if process.provided != TRUE else ""
    lines = [f"  {word} {process.name}({parameters}){provided}"]
    lines += [f"    {_show_variable(variable)}" for variable in process.variables]
    lines += [f"    {_show_channel(channel)}" for channel in process.channels]
    lines += [f"    {_show_function(function)}" for function in process.functions]
    for position, location in enumerate(process.locations):
        flags = [
            name
            for name in ("committed", "urgent", "deterministic", "end", "accept", "progress")
            if getattr(location, name)
        ]
        marks = " ".join((["initial"] if position == process.initial else []) + flags)
        lines.append(f"    location {location.name} {marks}".rstrip())
        for edge in process.edges:
            if edge.source_location == position:
                target = process.locations[edge.target_location].name
                parts = [
                    target,
                    show_edge(edge),
                    f"rank {edge.rank}" if edge.rank else "",
                    "otherwise" * edge.otherwise,
                ]
                parts.append("keeps control" if edge.keeps_control else "")
                lines.append("      -> " + " ".join(part for part in parts if part))
    return lines
