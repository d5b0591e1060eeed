"""Basic statements of Promela: what each waits for and does, as the guard, synchronisation and effect of an edge."""

from __future__ import annotations

from beeline.model import expressions as ir
from beeline.model import statements as do
from beeline.model.network import Receive as IrReceive
from beeline.model.network import Send as IrSend
from beeline.model.network import Synchronisation
from beeline.model.source import Source
from beeline.model.types import RecordType
from beeline.records import Record

from .errors import PromelaError
from .expressions import ExpressionTranslator
from .refusals import check_argument, check_assignment, check_received
from .show import show_expression, show_patterns, show_reference
from .symbols import Scope
from .syntax import (
    Assert,
    Assign,
    Condition,
    Expression,
    Number,
    Print,
    Receive,
    Reference,
    Run,
    Send,
    SetPriority,
    Statement,
)


class Action(Record, frozen=True):
    """One step of a process, without where it leads. `prints`: it is a `printf`; `skips`: it is a plain `skip`."""

    text: str
    source: Source
    guard: ir.Expression = ir.TRUE
    sync: Synchronisation | None = None
    effect: tuple[do.Statement, ...] = ()
    prints: bool = False
    skips: bool = False


def skip_action(source: Source) -> Action:
    return Action("skip", source, skips=True)


def end_action(source: Source) -> Action:
    return Action("-end-", source, effect=(do.Terminate(source),))


class ActionTranslator(ExpressionTranslator):
    """Translates basic statements. `processes` maps a proctype to its number of scalar parameters, `parameter_sets` to
    the mtype sets of its parameters (None for others); `widest` is how many fields a message can have."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.processes: dict[str, int] = {}
        self.parameter_sets: dict[str, list[str | None]] = {}
        self.widest = 0

    def action(self, statement: Statement) -> Action:
        source = statement.source
        match statement:
            case Condition(expression=Run() as run):
                start = self._start(run, None)
                return Action(show_expression(run), source, effect=(start,))
            case Condition(expression=expression):
                skips = isinstance(expression, Number) and expression.value == 1
                return Action(show_expression(expression), source, guard=self.value(expression), skips=skips)
            case Assign(target=target, value=value):
                check_assignment(self.scope, statement)
                return self.assign(target, value, source)
            case Send(channel=channel, values=values, sorted=in_order):
                return self._send(channel, values, in_order, source)
            case Receive():
                return self._receive(statement)
            case Assert(condition=condition):
                text = f"assert({show_expression(condition)})"
                check = do.Assert(self.value(condition), show_expression(condition), source)
                return Action(text, source, effect=(check,))
            case Print(text=text, arguments=arguments):
                shown = tuple(self.value(argument) for argument in arguments)
                effect = do.Print(_unescape(text), shown, source)
                return Action(_printed(statement), source, effect=(effect,), prints=True)
            case SetPriority(process=process, priority=priority):
                text = f"set_priority({show_expression(process)}, {show_expression(priority)})"
                return Action(text, source, effect=(do.SetPriority(self.value(process), self.value(priority), source),))
        raise AssertionError(f"not a basic statement: {statement}")

    def assign(self, target: Reference, value: Expression, source: Source) -> Action:
        text = f"{show_reference(target)} = {show_expression(value)}"
        if target.name == "_":
            self.value(value)
            return Action(text, source)
        if target.name == "_priority" and self.scope.find("_priority") is None:
            return Action(text, source, effect=(do.SetPriority(ir.Builtin("pid"), self.value(value), source),))
        if target.name.startswith("_") and target.name in ("_pid", "_nr_pr", "_last"):
            raise PromelaError(f"'{target.name}' cannot be assigned to", source)
        place, kind = self.place(target)
        if isinstance(value, Run):
            return Action(text, source, effect=(self._start(value, place),))
        if isinstance(kind, RecordType):
            remedy = "assign its fields one by one"
            raise PromelaError(f"the record '{show_reference(target)}' cannot be assigned to", source, remedy)
        return Action(text, source, effect=(do.Assign(self.scalar(target), self.value(value), source),))

    def _send(self, channel: Reference, values: list[Expression], in_order: bool, source: Source) -> Action:
        text = f"{show_reference(channel)}{'!!' if in_order else '!'}{show_patterns(values)}"
        sent = self.message(values)
        if len(sent) > self.widest:
            remedy = f"no channel of the model has more than {self.widest}"
            raise PromelaError(f"a message of {len(sent)} fields", source, remedy)
        return Action(text, source, sync=IrSend(self.channel(channel), sent, in_order))

    def _receive(self, statement: Receive) -> Action:
        check_received(statement.patterns)
        text = show_reference(statement.channel) + ("??" if statement.anywhere else "?")
        inner = show_patterns(statement.patterns)
        text += f"<{inner}>" if statement.keep else inner
        sync = IrReceive(
            self.channel(statement.channel), self.patterns(statement.patterns), statement.anywhere, statement.keep
        )
        return Action(text, statement.source, sync=sync)

    def _start(self, run: Run, result: ir.Place | None) -> do.Start:
        if run.process not in self.processes:
            raise PromelaError(f"there is no proctype '{run.process}' to run", run.source)
        if self.in_d_step:
            raise PromelaError("'run' inside a d_step", run.source, "use atomic")
        arguments = self.message(run.arguments)
        wanted = self.processes[run.process]
        if len(arguments) != wanted:
            raise PromelaError(f"'{run.process}' takes {wanted} arguments, not {len(arguments)}", run.source)
        for argument, mtype_set in zip(run.arguments, self.parameter_sets[run.process], strict=False):
            check_argument(self.scope, mtype_set, argument)
        priority = ir.Literal(run.priority or 1)
        return do.Start(run.process, arguments, result, priority, run.source)


def _printed(statement: Print) -> str:
    if statement.text == "%e" and len(statement.arguments) == 1:
        return f"printm({show_expression(statement.arguments[0])})"
    return f'printf("{statement.text}")'


def _unescape(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"').replace("\\\\", "\\")
