"""From the syntax tree of an Asbru text to a `Guideline`: the tree of plans, domains, and conditions as expressions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from beeline.languages.asbru import syntax
from beeline.languages.asbru.errors import SourceText
from beeline.languages.asbru.guideline import (
    BOOLEAN,
    FRESH,
    STATES,
    TICK,
    Annotation,
    Assignment,
    Guideline,
    Intention,
    Parameter,
    Period,
    Plan,
    Timer,
    ir_name,
)
from beeline.languages.asbru.monitors import TooLong, monitor
from beeline.model import expressions as ir
from beeline.model.source import Source
from beeline.model.types import EnumType, IntType, ScalarType, bounds
from beeline.records import Record, replace

_OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Node(Record):
    """A plan of the tree: one that is written, or the implicit one of a `do`."""

    name: str
    body: syntax.Body | None
    at: Source
    written: syntax.Plan | None = None
    parent: str | None = None


def resolve(text: syntax.Text, name: str) -> Guideline:
    """The guideline of a text; raises `AsbruError`."""
    return _Resolution(text).guideline(ir_name(name))


class _Resolution:
    def __init__(self, text: syntax.Text) -> None:
        self.text = text
        self.source = SourceText(text.file, text.text)
        self.taken: dict[str, tuple[str, Source]] = {one: (one, Source()) for one in (*STATES, TICK, FRESH)}
        self.plans: dict[str, syntax.Plan] = {}
        self.definitions: dict[str, tuple[syntax.Condition, syntax.Plan]] = {}
        self.timers: dict[object, Timer] = {}
        self.unfolding: list[str] = []
        self._collect()
        self.parameters = self._parameters()
        self.tree = self._tree()

    # Names

    def _take(self, written: str, at: Source) -> None:
        name = ir_name(written)
        if name in self.taken:
            other, where = self.taken[name]
            seen = f"in line {where.line}" if where.line else "already, as a word of the language"
            what = f"`{other}` is there {seen}" if other != written or not where.line else "it is declared twice"
            raise self.source.error(f"`{written}` cannot be named so: {what}", at, "rename one of them")
        self.taken[name] = (written, at)

    def _collect(self) -> None:
        for parameter in self.text.parameters:
            self._take(parameter.name, parameter.at)
        for plan in self.text.plans:
            self._take(plan.name, plan.at)
            self.plans[plan.name] = plan
            for name, condition in plan.definitions.items():
                if name in self.definitions:
                    other = self.definitions[name][1].name
                    message = f"`{name}` is defined in plan `{other}` already"
                    raise self.source.error(message, _place(condition), "definitions are seen everywhere: use that one")
                self.definitions[name] = (condition, plan)

    # Parameters

    def _parameters(self) -> dict[str, Parameter]:
        members: dict[str, tuple[str, ...]] = {}
        for one in self.text.parameters:
            for member in one.domain.members:
                if one.domain.members.count(member) > 1:
                    raise self.source.error(f"the value `{member}` is there twice", one.at, "leave one out")
                others = members.setdefault(ir_name(member), one.domain.members)
                if others != one.domain.members:
                    members[ir_name(member)] = ()
        types: dict[tuple[str, ...], EnumType] = {}

        def kind_of(one: syntax.Parameter) -> ScalarType:
            values = one.domain.members
            if not values:
                return BOOLEAN if one.domain == syntax.Domain() else IntType(one.domain.low, one.domain.high)
            if values not in types:
                # A name that means something else as well gets the parameter's name in front.
                names = (ir_name(value) for value in values)
                clear = tuple(n if members[n] and n not in self.taken else f"{ir_name(one.name)}_{n}" for n in names)
                types[values] = EnumType(f"{ir_name(one.name)}_values", clear)
            return types[values]

        found = {}
        for one in self.text.parameters:
            kind = kind_of(one)
            first = bounds(kind)[0] if one.initial is None else self._value(one, one.initial, one.at)
            read = not one.asked and not one.variable
            found[one.name] = Parameter(ir_name(one.name), one.name, kind, first, read, one.at)
        return found

    def _value(self, one: syntax.Parameter, value: str, at: Source) -> int:
        domain = one.domain
        if domain.members:
            if value not in domain.members:
                raise self.source.unknown(f"value of {one.name}", value, domain.members, at)
            return domain.members.index(value)
        number = {"false": 0, "no": 0, "true": 1, "yes": 1}.get(value) if domain == syntax.Domain() else None
        if number is None:
            try:
                number = int(value)
            except ValueError:
                remedy = f"use a number from {domain.low} to {domain.high}"
                raise self.source.error(f"`{value}` is no value of {one.name}", at, remedy) from None
        return number

    # The tree

    def _tree(self) -> dict[str, Node]:
        nodes: dict[str, Node] = {}
        for plan in self.text.plans:
            nodes[plan.name] = Node(plan.name, plan.body, plan.at, plan)
        self.children: dict[str, list[str]] = {}
        for plan in self.text.plans:
            if plan.body is not None:
                self._branches(nodes, nodes[plan.name], plan.body)
        roots = [node for node in nodes.values() if node.parent is None]
        if len(roots) != 1:
            where = roots[1].at if roots else self.text.plans[0].at
            what = (
                f"`{roots[1].name}` is part of no other plan, nor is `{roots[0].name}`" if roots else "no plan is first"
            )
            raise self.source.error(what, where, "one plan is the first; all others are parts of plans")
        ordered: dict[str, Node] = {}
        waiting = [roots[0].name]
        while waiting:
            name = waiting.pop()
            ordered[name] = nodes[name]
            waiting += reversed(self.children.get(name, []))
        for node in nodes.values():
            if node.name not in ordered:
                raise self.source.error(f"`{node.name}` is part of itself", node.at, "take it out of its own subplans")
        return ordered

    def _branches(self, nodes: dict[str, Node], parent: Node, body: syntax.Body) -> None:
        found: list[str] = []
        for element in body.elements:
            match element:
                case syntax.Subplan(name, at):
                    if name not in self.plans:
                        raise self.source.unknown("plan", name, self.plans, at)
                    if nodes[name].parent is not None:
                        message = f"`{name}` is part of `{nodes[name].parent}` already"
                        raise self.source.error(message, at, "write the plan a second time under another name")
                    nodes[name].parent = parent.name
                    found.append(name)
                case syntax.Body(at=at):
                    name = f"{parent.name}*"
                    while name in nodes:
                        name += "*"
                    self._take(name, at)
                    nodes[name] = Node(name, element, at, None, parent.name)
                    self._branches(nodes, nodes[name], element)
                    found.append(name)
                case _ if len(body.elements) > 1:
                    raise self.source.error("an action stands alone in a body", element.at, "give it a plan of its own")
        self.children[parent.name] = found
        self._check_body(body, found)

    def _check_body(self, body: syntax.Body, children: list[str]) -> None:
        if len(children) > 1 and body.type is None:
            remedy = f"say type= and one of {', '.join(syntax.BODY_TYPES)}"
            raise self.source.error("it is not said in which order the subplans are done", body.at, remedy)
        if (body.type == syntax.CYCLICAL) != (body.every is not None) or (body.every and len(children) != 1):
            remedy = "write plan-body type=cyclical, every [12h,24h] and one subplan"
            raise self.source.error("a cyclical body repeats one subplan in a period", body.at, remedy)
        named = [name for name in body.wait_for if name not in ("all", "one", "none")]
        for name in named:
            if name not in children:
                raise self.source.unknown("subplan of this plan", name, children, body.wait_at or body.at)

    # Conditions

    def condition(self, condition: syntax.Condition, plan: str, inside: bool = False) -> ir.Expression:
        match condition:
            case syntax.Truth(value):
                return ir.TRUE if value else ir.FALSE
            case syntax.Not(part):
                return ir.negate(self.condition(part, plan, inside))
            case syntax.Junction(operator, parts):
                sign = "&&" if operator == "and" else "||"
                found = [self.condition(part, plan, inside) for part in parts]
                return reduce(lambda left, right: ir.Binary(sign, left, right), found)
            case syntax.Comparison():
                return self.comparison(condition)
            case syntax.Named(name, at):
                return self.named(name, at, inside)
            case syntax.Timed():
                if inside:
                    raise self.source.error("a time annotation inside of another", condition.at, "name the inner one")
                return self.timed(condition, plan)

    def comparison(self, condition: syntax.Comparison) -> ir.Expression:
        name, operator = condition.name, _OPERATORS[condition.operator]
        parameter = next((one for one in self.text.parameters if one.name == name), None)
        if parameter is not None:
            if parameter.domain.members and condition.operator not in ("=", "!="):
                remedy = "compare named values with = or !="
                raise self.source.error(f"the values of {name} have no order", condition.at, remedy)
            value = self._value(parameter, condition.value, condition.value_at)
            return ir.Binary(operator, ir.Ref(ir_name(name)), ir.Literal(value))
        if name in self.tree:
            if condition.operator not in ("=", "!=") or condition.value not in STATES:
                raise self.source.unknown("state of a plan", condition.value, STATES, condition.value_at)
            return ir.Binary(operator, ir.Ref(ir_name(name)), ir.Literal(STATES.index(condition.value)))
        raise self.source.unknown("parameter or plan", name, self._known(), condition.at)

    def _known(self) -> list[str]:
        return [*self.parameters, *self.tree, *self.definitions]

    def named(self, name: str, at: Source, inside: bool) -> ir.Expression:
        if name in self.definitions:
            if name in self.unfolding:
                raise self.source.error(f"`{name}` is defined by itself", at, "leave it out of its own definition")
            self.unfolding.append(name)
            condition, plan = self.definitions[name]
            found = self.condition(condition, plan.name, inside)
            self.unfolding.pop()
            return found
        parameter = self.parameters.get(name)
        if parameter is None:
            if name in self.tree:
                raise self.source.error(f"`{name}` is a plan", at, f"ask for its state: {name}=completed")
            raise self.source.unknown("parameter or definition", name, self._known(), at)
        if parameter.type != BOOLEAN:
            raise self.source.error(f"`{name}` is neither true nor false", at, f"compare it with a value: {name}=..")
        return ir.Binary("==", ir.Ref(parameter.name), ir.TRUE)

    def timed(self, condition: syntax.Timed, plan: str) -> ir.Expression:
        """The variable of an annotation; those that say the same are one."""
        reference = plan if condition.reference == syntax.SELF else condition.reference
        moves = reference == syntax.NOW
        if not moves and reference not in self.tree:
            known = [syntax.NOW, syntax.SELF, *self.tree]
            raise self.source.unknown("reference point", reference, known, condition.at)
        proposition = self.condition(condition.part, plan, True)
        key = (proposition, condition.window, reference)
        if key not in self.timers:
            self._check_window(condition, moves)
            try:
                automaton = monitor(condition.window, moves)
            except TooLong:
                remedy = "choose a larger `time-unit`, or a simpler window"
                raise self.source.error("this window is too long to be followed", condition.at, remedy) from None
            owner = ir_name(plan)
            self.timers[key] = Annotation(
                self._fresh_name(f"{owner}_when"),
                condition.text,
                condition.at,
                proposition=proposition,
                monitor=automaton,
                plan=None if moves else ir_name(reference),
            )
        return ir.Binary("==", ir.Ref(self.timers[key].name), ir.TRUE)

    def _check_window(self, condition: syntax.Timed, moves: bool) -> None:
        window = condition.window
        shifts = (window.earliest_start, window.latest_start, window.earliest_finish, window.latest_finish)
        wrong = [one for one in shifts if one is not None and (one > 0 if moves else one < 0)]
        if wrong and moves:
            raise self.source.error("what comes after NOW is not known", condition.at, "use shifts such as -4h, or 0")
        if wrong:
            raise self.source.error("nothing is remembered from before the reference", condition.at, "use NOW")

    def _fresh_name(self, stem: str) -> str:
        number = 1
        while f"{stem}_{number}" in self.taken:
            number += 1
        name = f"{stem}_{number}"
        self.taken[name] = (name, Source())
        return name

    # Plans

    def guideline(self, name: str) -> Guideline:
        plans = tuple(self._plan(node) for node in self.tree.values())
        parameters = tuple(self.parameters.values())
        return Guideline(name, plans, parameters, tuple(self.timers.values()), Source(self.text.file))

    def _plan(self, node: Node) -> Plan:
        written = node.written
        parent = None if node.parent is None else ir_name(node.parent)
        plan = Plan(ir_name(node.name), node.name, parent, node.at)
        if written is not None:
            conditions: Mapping[str, ir.Expression] = {
                kind: self.condition(condition, node.name) for kind, condition in written.conditions.items()
            }
            intentions = tuple(self._intention(one, node.name) for one in written.intentions)
            plan = replace(plan, conditions=conditions, intentions=intentions)
        return plan if node.body is None else self._with_body(plan, node, node.body)

    def _with_body(self, plan: Plan, node: Node, body: syntax.Body) -> Plan:
        children = tuple(ir_name(child) for child in self.children[node.name])
        if children:
            wait = (
                body.wait_for[0] if body.wait_for[0] in ("all", "one", "none") else tuple(map(ir_name, body.wait_for))
            )
            order = body.type or syntax.SEQUENTIAL
            period = self._period(plan, children[0], body) if body.every is not None else None
            return replace(plan, children=children, order=order, wait_for=wait, retry=body.retry, period=period)
        match body.elements[0]:
            case syntax.Ask(name, at):
                self._changed(name, at)
                return replace(plan, action="ask", asks=ir_name(name))
            case syntax.Put() as put:
                return replace(plan, action="assign", assigns=self._assignment(put))
            case _:
                return replace(plan, action="user-performed")

    def _period(self, plan: Plan, child: str, body: syntax.Body) -> str:
        assert body.every is not None
        name = self._fresh_name(f"{plan.name}_due")
        least, most = body.every
        text = f"{plan.written}: {child} again"
        self.timers[name] = Period(name, text, body.at, plan=plan.name, child=child, least=least, most=most)
        return name

    def _changed(self, name: str, at: Source) -> syntax.Parameter:
        """What an action changes, which must change by actions alone."""
        found = next((one for one in self.text.parameters if one.name == name), None)
        if found is None:
            raise self.source.unknown("parameter", name, self.parameters, at)
        if not found.asked and not found.variable:
            remedy = "declare it with `asked`, or as a `variable`"
            raise self.source.error(f"`{name}` changes by itself", at, remedy)
        return found

    def _assignment(self, put: syntax.Put) -> Assignment:
        target = self._changed(put.name, put.at)
        value: ir.Expression
        if put.value in self.parameters and put.value not in target.domain.members:
            value = ir.Ref(ir_name(put.value))
        else:
            value = ir.Literal(self._value(target, put.value, put.at))
        if put.sign:
            value = ir.Binary("+" if put.sign > 0 else "-", value, ir.Literal(put.amount))
        low, high = bounds(self.parameters[put.name].type)
        limited = ir.Binary("max", ir.Literal(low), ir.Binary("min", ir.Literal(high), value))
        return Assignment(ir_name(put.name), limited)

    def _intention(self, intention: syntax.Intention, plan: str) -> Intention:
        condition, action = None, ""
        if intention.about == "state":
            condition = self.condition(intention.condition, plan)
        else:
            asked = intention.condition
            if not isinstance(asked, syntax.Named) or asked.name not in self.tree:
                raise self.source.error("an action is a plan", intention.at, "name the plan that is meant")
            action = ir_name(asked.name)
        return Intention(
            intention.goal, intention.span, intention.about, condition, action, intention.text, intention.at
        )


def _place(condition: syntax.Condition) -> Source:
    return condition.at
