"""From the syntax tree of a DVE model to a `Network`.

Each DVE process becomes one kind of process with one instance of the same name. A channel without a buffer becomes
a handshake. The message of an untyped channel has as many 32-bit fields as the model passes values.
docs/dve.md has the rules of the language.
"""

from __future__ import annotations

from types import MappingProxyType

from beeline.languages.dve import fold, syntax
from beeline.languages.dve.errors import DveError, SourceText
from beeline.languages.dve.goals import Goal, LinearGoal
from beeline.languages.dve.handshakes import check_handshakes
from beeline.languages.dve.names import FIELDS, Known, Scope, as_variable
from beeline.model import expressions as ir
from beeline.model.network import (
    Channel,
    Edge,
    Initial,
    Location,
    Network,
    Process,
    Receive,
    Send,
    Synchronisation,
    Variable,
)
from beeline.model.property import Claim, Invariant, Property
from beeline.model.property import Goal as Reach
from beeline.model.source import Source
from beeline.model.statements import Assign
from beeline.model.types import INT as WORD
from beeline.model.validation import validate
from beeline.records import replace


def elaborate(model: syntax.Model, name: str, goals: list[Goal | LinearGoal] | None = None) -> Network:
    """The network of a model, with the properties ``deadlock``, ``assertions``, ``claim`` and its goals."""
    network = _Elaboration(model, name).network(goals or [])
    validate(network)
    return network


class _Elaboration:
    """The tables that the parts of one translation share."""

    def __init__(self, model: syntax.Model, name: str) -> None:
        self.model = model
        self.name = name
        self.source = SourceText(model.file, model.text)
        self.processes = {process.name: process for process in model.processes}
        self.locals_of: dict[str, dict[str, Known]] = {process.name: {} for process in model.processes}
        self.scope = Scope(self.source, {}, self.processes, self.locals_of)
        self.channels = {channel.name: channel for channel in model.channels}
        self.arity: dict[str, syntax.Sync] = {}
        self._check_names()

    def _check_names(self) -> None:
        if self.model.synchronous:
            remedy = "only `system async` is supported"
            raise self.source.error("`system sync` is not supported", self.model.property_at, remedy)
        seen: set[str] = set()
        places = [(process.name, process.at) for process in self.model.processes]
        places += [(channel.name, channel.at) for channel in self.model.channels]
        for name, at in places:
            if name in seen:
                raise self.source.error(f"`{name}` is declared twice", at, "rename one of them")
            seen.add(name)
        if self.model.property_process is not None:
            self.scope.find_process(self.model.property_process, self.model.property_at)

    def network(self, goals: list[Goal | LinearGoal]) -> Network:
        for declaration in self.model.variables:
            self.scope.declare(declaration, self.scope.variables)
        for process in self.model.processes:
            inner = self.inner(process)
            for declaration in process.variables:
                inner.declare(declaration, inner.own)
        system = [p for p in self.model.processes if p.name != self.model.property_process]
        if not system:
            raise self.source.error("there is no process besides the property", self.model.property_at)
        for process in self.model.processes:
            self._check_states(process)
        for process in system:
            self._check_syncs(process)
        check_handshakes(system, self.channels, self.scope)
        kinds = tuple(self.process(process) for process in system)
        monitor = self.monitor()
        constants = {
            known.declaration.name: known.values[0]
            for known in self.scope.variables.values()
            if known.constant and not known.is_array
        }
        return Network(
            name=self.name,
            processes=kinds,
            initial=tuple(Initial(kind.name, kind.name) for kind in kinds),
            variables=self.variables(self.scope.variables),
            channels=tuple(self.channel(channel) for channel in self.model.channels),
            constants=MappingProxyType(constants),
            properties=self.properties(system, monitor, goals),
            language="dve",
            source=Source(self.model.file),
        )

    def inner(self, process: syntax.Process) -> Scope:
        return replace(self.scope, own=self.locals_of[process.name])

    def variables(self, table: dict[str, Known]) -> tuple[Variable, ...]:
        return tuple(as_variable(known) for known in table.values() if not known.constant or known.is_array)

    # Checks

    def _check_states(self, process: syntax.Process) -> None:
        names = [state.name for state in process.states]
        for position, state in enumerate(process.states):
            if state.name in names[:position]:
                raise self.source.error(f"state `{state.name}` is declared twice", state.at, "rename one of them")
        mentioned = [(s.name, s.at) for s in (process.initial, *process.committed, *process.accepting)]
        mentioned += [(assertion.state, assertion.at) for assertion in process.assertions]
        for transition in process.transitions:
            mentioned += [(transition.source, transition.at), (transition.target, transition.at)]
        for name, at in mentioned:
            if name not in names:
                raise self.source.unknown(f"state of {process.name}", name, names, at)

    def _check_syncs(self, process: syntax.Process) -> None:
        """Every channel exists and is used with one number of values."""
        for transition in process.transitions:
            sync = transition.sync
            if sync is None:
                continue
            if sync.channel not in self.channels:
                raise self.source.unknown("channel", sync.channel, self.channels, sync.at)
            channel = self.channels[sync.channel]
            first = self.arity.setdefault(sync.channel, sync)
            wanted = len(first.values) if channel.fields is None else len(channel.fields)
            if len(sync.values) != wanted:
                where = f"as in line {first.at.line}" if channel.fields is None else "as declared"
                message = f"{len(sync.values)} values for channel `{sync.channel}`, which passes {wanted}"
                raise self.source.error(message, sync.at, f"use {wanted} {where}")

    # Parts

    def channel(self, channel: syntax.Channel) -> Channel:
        if channel.fields is None:
            used = self.arity.get(channel.name)
            fields = (WORD,) * (len(used.values) if used else 0)
        else:
            fields = tuple(FIELDS[field] for field in channel.fields)
        return Channel(channel.name, channel.capacity, fields, source=channel.at)

    def process(self, process: syntax.Process) -> Process:
        scope = self.inner(process)
        committed = {state.name for state in process.committed}
        locations = tuple(
            Location(state.name, committed=state.name in committed, source=state.at) for state in process.states
        )
        number = {state.name: position for position, state in enumerate(process.states)}
        edges = tuple(
            self.edge(process, scope, transition, number, transition.source in committed)
            for transition in process.transitions
        )
        return Process(
            process.name,
            locations,
            edges,
            number[process.initial.name],
            variables=self.variables(scope.own),
            source=process.at,
        )

    def edge(
        self,
        process: syntax.Process,
        scope: Scope,
        transition: syntax.Transition,
        number: dict[str, int],
        committed: bool,
    ) -> Edge:
        guard: ir.Expression = ir.TRUE
        if transition.guard is not None:
            guard = fold.truth(scope.translate(transition.guard))
        if transition.sync is not None and not committed:
            guard = fold.binary("&&", guard, self.nobody_committed(process))
        effect = tuple(
            Assign(
                scope.place(assignment.target),
                scope.translate(self.arrived(assignment.value, process, transition)),
                assignment.at,
            )
            for assignment in transition.effects
        )
        return Edge(
            number[transition.source],
            number[transition.target],
            guard,
            None if transition.sync is None else self.synchronisation(scope, transition.sync),
            effect,
            text=transition.text,
            source=transition.at,
        )

    def nobody_committed(self, process: syntax.Process) -> ir.Expression:
        """True while no other process is in a committed state.

        In the IR one committed partner is enough for a handshake; in DVE both must be. So a handshake from a state
        that is not committed waits until nobody is."""
        result: ir.Expression = ir.TRUE
        for other in self.model.processes:
            if other.name not in (process.name, self.model.property_process):
                for state in other.committed:
                    away = fold.unary("!", ir.At(ir.Instance(other.name), state.name))
                    result = fold.binary("&&", result, away)
        return result

    def arrived(
        self, expression: syntax.Expression, process: syntax.Process, transition: syntax.Transition
    ) -> syntax.Expression:
        """An effect's expression with tests of the process's own state decided: it is at its target already."""
        match expression:
            case syntax.InState(process.name, state):
                self.scope.translate(expression)  # is there such a state?
                return syntax.Number(int(state == transition.target), expression.at)
            case syntax.Unary(operand=operand):
                return replace(expression, operand=self.arrived(operand, process, transition))
            case syntax.Binary(left=left, right=right):
                return replace(
                    expression,
                    left=self.arrived(left, process, transition),
                    right=self.arrived(right, process, transition),
                )
            case syntax.Reference(index=index) if index is not None:
                return replace(expression, index=self.arrived(index, process, transition))
            case _:
                return expression

    def synchronisation(self, scope: Scope, sync: syntax.Sync) -> Synchronisation:
        channel = ir.Ref(sync.channel)
        if sync.sends:
            return Send(channel, tuple(scope.translate(value) for value in sync.values))
        targets: list[ir.Pattern] = []
        for value in sync.values:
            if not isinstance(value, syntax.Reference):
                remedy = "receive into a variable and test that in the next guard"
                raise self.source.error("only a variable can receive a value", value.at, remedy)
            targets.append(ir.Bind(scope.place(value)))
        return Receive(channel, tuple(targets))

    # Properties

    def properties(
        self, system: list[syntax.Process], monitor: Process | None, goals: list[Goal | LinearGoal]
    ) -> tuple[Property, ...]:
        found: list[Property] = []
        if monitor is not None:
            found.append(Claim("claim", f"process {monitor.name}", monitor.source, watcher=monitor))
        assertions = self.assertions(system)
        if assertions is not None:
            found.append(Invariant("assertions", expression=assertions))
        for goal in goals:
            if isinstance(goal, LinearGoal):
                found.append(self.linear(goal))
                continue
            expression = fold.truth(self.scope.translate(goal.expression))
            found.append(Reach(goal.name, goal.description, goal.source, expression=expression))
        return tuple(found)

    def linear(self, goal: LinearGoal) -> Property:
        from beeline.automata import parse_ltl, propositions
        from beeline.properties.linear import Linear

        atoms = {name: fold.truth(self.scope.translate(expression)) for name, expression in goal.atoms.items()}
        formula = parse_ltl(goal.formula)
        unknown = [name for name in propositions(formula) if name not in atoms]
        if unknown:
            raise DveError(f"the formula `{goal.formula}` uses the unknown proposition {unknown[0]}", goal.source)
        return Linear(goal.name, goal.formula, goal.source, formula=formula, atoms=tuple(atoms.items()))

    def assertions(self, system: list[syntax.Process]) -> ir.Expression | None:
        """Each assertion holds while its process is in its state; None if there is none."""
        parts = [
            fold.binary(
                "imply",
                ir.At(ir.Instance(process.name), assertion.state),
                replace(self.inner(process), outside=process.name).translate(assertion.condition),
            )
            for process in system
            for assertion in process.assertions
        ]
        return ir.conjunction(parts) if parts else None

    def monitor(self) -> Process | None:
        """The property process. An accepting state that always loops is an end: all runs from there are bad."""
        if self.model.property_process is None:
            return None
        process = self.processes[self.model.property_process]
        scope = self.inner(process)
        if process.variables:
            raise self.source.error("a property process with variables is not supported", process.variables[0].at)
        accepting = {state.name for state in process.accepting}
        traps = {
            t.source
            for t in process.transitions
            if t.source == t.target and (t.guard is None or scope.translate(t.guard) == ir.TRUE)
        }
        locations = tuple(
            Location(state.name, end=state.name in accepting & traps, accept=state.name in accepting, source=state.at)
            for state in process.states
        )
        number = {state.name: position for position, state in enumerate(process.states)}
        edges: list[Edge] = []
        for transition in process.transitions:
            if transition.sync is not None or transition.effects:
                message = "a property process may only have guards: no `sync`, no `effect`"
                raise self.source.error(message, transition.at)
            edges.append(self.edge(process, scope, transition, number, True))
        return Process(process.name, locations, tuple(edges), number[process.initial.name], source=process.at)
