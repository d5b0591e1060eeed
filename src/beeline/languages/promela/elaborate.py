"""A whole Promela model turned into a Network."""

from __future__ import annotations

from beeline.model.expressions import TRUE
from beeline.model.network import Initial, Network, Process, Rules, Variable
from beeline.model.property import Claim, Property
from beeline.model.source import Source
from beeline.model.types import is_scalar, scalars
from beeline.model.validation import validate
from beeline.properties import ALWAYS_KNOWN
from beeline.records import Record, replace

from .actions import Action, ActionTranslator, skip_action
from .automaton import AutomatonBuilder
from .build_flow import FlowBuilder
from .claims import claim_process
from .errors import PromelaError
from .flow import Node, Sequence
from .formulas import cycle_properties, formula_property
from .initial import GlobalStore, local_variables
from .population import most_processes
from .provided import with_errors_told
from .refusals import check_initial
from .scratch import is_scratch
from .survey import survey
from .symbols import Scope, Types, whole
from .syntax import ChannelInit, Declaration, Model, MtypeMembers, Never, Proctype, Typedef, walk
from .transitions import Table, tabulate

MOST_PROCESSES = 255


class Reading(Record):
    """A proctype whose statements have been read, before its automaton is made."""

    proctype: Proctype
    name: str
    builder: FlowBuilder
    flow: Sequence
    parts: Process  # all but locations and edges


def elaborate(model: Model, lossy: bool = False) -> Network:
    """The Network of a model; `lossy` as SPIN's -m: sends to full channels succeed and lose the message."""
    network = _without_scratch(Elaborator(model, lossy).network())
    validate(network)
    return network


def _without_scratch(network: Network) -> Network:
    """Only those hidden variables stay hidden whose value never matters at rest."""
    variables = tuple(
        replace(v, hidden=v.hidden and is_scalar(v.type) and is_scratch(v.name, network)) for v in network.variables
    )
    return replace(network, variables=variables)


class Elaborator:
    """Translates one model."""

    def __init__(self, model: Model, lossy: bool = False) -> None:
        self.model = model
        self.lossy = lossy
        self.types = Types()
        self.scope = Scope(self.types)
        self.survey = survey(model)
        self.translator = ActionTranslator(self.scope)

    def tables(self) -> dict[str, Table]:
        """The transition table of each proctype."""
        return {reading.name: tabulate(reading.flow) for reading in self._read()}

    def network(self) -> Network:
        rendezvous = self.survey.rendezvous
        for what, there in {"priorities": self.survey.priorities, "enabled()": self.survey.enabled}.items():
            if there and rendezvous is not None:
                message = f"{what} cannot be combined with rendezvous, as in SPIN"
                raise PromelaError(message, rendezvous.source, "give the channel a buffer")
        readings = self._read()
        store = GlobalStore(self.types, self.survey.assigned)
        store.fill(self.scope.global_symbols.values())
        processes = tuple(self._process(reading) for reading in readings)
        initial = self._initial(readings)
        return Network(
            name=self.model.file,
            processes=processes,
            initial=initial,
            variables=tuple(store.variables),
            channels=tuple(store.channels),
            constants=dict(self.types.members),
            constant_sets={name: found for name, found in self.types.member_sets.items() if found},
            properties=self._properties(processes),
            rules=Rules(
                lossy=self.lossy,
                eager_sends=True,
                priorities=self.survey.priorities,
                max_processes=most_processes(processes, initial),
                processes_by_number=True,
            ),
            language="promela",
            source=Source(self.model.file),
        )

    def _widest_message(self) -> int:
        """How many fields a message of this model can have."""
        made = [node for node in walk(self.model.units) if isinstance(node, ChannelInit)]
        return max((len(self.types.message_fields(init)) for init in made), default=0)

    # Reading

    def _read(self) -> list[Reading]:
        """All proctypes. Types first, then declarations and proctypes in the order written."""
        for unit in self.model.units:
            match unit:
                case MtypeMembers(set=name, members=members):
                    self.types.members.update(members)
                    self.types.member_sets.update(dict.fromkeys(members, name or ""))
                case Typedef():
                    self.types.declare(unit)
        for unit in self.model.units:
            if isinstance(unit, Proctype):
                self._announce(unit)
        self.translator.widest = self._widest_message()
        readings = self._read_units()
        self._keep_remote_labels(readings)
        return readings

    def _read_units(self) -> list[Reading]:
        readings: list[Reading] = []
        for unit in self.model.units:
            match unit:
                case Declaration():
                    for symbol, declarator in zip(self.scope.declare(unit), unit.declarators, strict=True):
                        check_initial(self.scope, symbol, declarator.initial)
                case Proctype():
                    if unit.name in self.scope.global_symbols:
                        raise PromelaError(f"'{unit.name}' is a variable and cannot be a proctype", unit.source)
                    readings.append(self._read_proctype(unit))
        return readings

    def _announce(self, proctype: Proctype) -> None:
        """Counts the scalar parameters, so that `run` can be checked wherever it stands."""
        if proctype.name in self.translator.processes:
            raise PromelaError(f"proctype '{proctype.name}' is defined twice", proctype.source)
        self.translator.processes[proctype.name] = sum(
            len(scalars(self.types.type_of(declaration, declarator)))
            for declaration in proctype.parameters
            for declarator in declaration.declarators
        )
        self.translator.parameter_sets[proctype.name] = [
            declaration.mtype_set or "" if declaration.type == "mtype" else None
            for declaration in proctype.parameters
            for _ in declaration.declarators
        ]

    def _read_proctype(self, proctype: Proctype) -> Reading:
        self.scope.open_proctype()
        self.translator.remote[proctype.name] = self.scope.own  # a proctype may refer to itself
        parameters = [s for d in proctype.parameters for s in self.scope.declare(d, as_parameter=True)]
        for symbol in parameters:
            if symbol.initial is not None or symbol.channel is not None:
                raise PromelaError(f"parameter '{symbol.name}' cannot have a first value", symbol.source)
        provided = TRUE if proctype.provided is None else self.translator.value(proctype.provided)
        builder = FlowBuilder(self.translator, self.scope)
        self.translator.proctype = proctype.name
        flow = builder.build(proctype.body, proctype.source)
        variables, channels = local_variables(self.scope.locals[len(parameters) :], self.translator, self.types)
        parts = Process(
            process_name(proctype),
            (),
            (),
            parameters=tuple(Variable(p.ir_name, p.type, source=p.source) for s in parameters for p in whole(s)),
            variables=variables,
            channels=channels,
            provided=provided,
            source=proctype.source,
        )
        self.scope.close_proctype()
        return Reading(proctype, parts.name, builder, flow, parts)

    def _keep_remote_labels(self, readings: list[Reading]) -> None:
        """A label that is asked about from outside must be a place to rest at: a jump there gets a skip before it."""
        builders = {reading.name: reading.builder for reading in readings}
        for (process, label), source in sorted(self.survey.remote_labels.items()):
            if (builder := builders.get(process)) is None:
                continue  # told where the name is translated
            if (found := builder.find_label(label, ())) is None:
                known = [each.name for each in builder.labels]
                remedy = f"it has: {', '.join(known)}" if known else "put a label before the statement that is meant"
                raise PromelaError(f"proctype '{process}' has no label '{label}'", source, remedy)
            _rest_before_jump(found.node, builder)

    # Making processes

    def _process(self, reading: Reading) -> Process:
        locations, edges, initial = AutomatonBuilder(tabulate(reading.flow), self.lossy).build()
        parts = reading.parts
        process = Process(
            parts.name, locations, edges, initial, parts.parameters, parts.variables, parts.channels,
            provided=parts.provided, source=parts.source,
        )  # fmt: skip
        return with_errors_told(process)

    def _initial(self, readings: list[Reading]) -> tuple[Initial, ...]:
        """Active proctypes and init in the order written; parameters of active ones are zero."""
        found: list[Initial] = []
        for reading in readings:
            active = reading.proctype.active
            count = 0 if active is None else self.types.bound(active)
            if count > MOST_PROCESSES:
                raise PromelaError(f"{count} processes are more than {MOST_PROCESSES}", reading.proctype.source)
            arguments = (0,) * len(reading.parts.parameters)
            for _ in range(count):
                name = reading.name if count == 1 else f"{reading.name}[{len(found)}]"
                found.append(Initial(reading.name, name, arguments, reading.proctype.priority or 1))
        if not found:
            remedy = "add init, or make a proctype active"
            raise PromelaError("no process runs at the start", Source(self.model.file, 1), remedy)
        return tuple(found)

    # Properties

    def _properties(self, processes: tuple[Process, ...]) -> tuple[Property, ...]:
        """All that the file asks. Beside claims and formulas SPIN looks for failed assertions, not for deadlocks."""
        times_out = any("timeout" in process.builtins for process in processes)
        found = [self._claim(unit, times_out) for unit in self.model.units if isinstance(unit, Never)]
        found += [formula_property(formula, self.translator, times_out) for formula in self.model.formulas]
        safety = ALWAYS_KNOWN["assertions" if found else "safety"]
        return (replace(safety, source=Source(self.model.file)), *found, *cycle_properties(processes, times_out))

    def _claim(self, never: Never, times_out: bool) -> Property:
        watcher = claim_process(never, self.translator, self.scope, times_out)
        return Claim(never.name, "no run does what the claim describes", never.source, watcher=watcher)


def process_name(proctype: Proctype) -> str:
    """The name in the Network: as written, and ``init``."""
    return proctype.name.strip(":")


def _rest_before_jump(node: Node, builder: FlowBuilder) -> None:
    if node.kind != "goto":
        return
    builder.count += 1
    jump = Node("goto", node.source, builder.count, Action(node.action.text if node.action else "", node.source))
    jump.jump, jump.next, jump.escapes = node.jump, node.next, list(node.escapes)
    node.kind, node.action, node.jump, node.next = "basic", skip_action(node.source), None, jump
