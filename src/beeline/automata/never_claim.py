"""Writes Büchi automata as never claims for SPIN."""

from __future__ import annotations

from beeline.automata.automaton import Automaton
from beeline.automata.degeneralisation import degeneralise
from beeline.automata.letters import Guard


def to_never_claim(automaton: Automaton, comment: str = "") -> str:
    """The automaton as a never claim; propositions become expressions in parentheses.

    >>> from beeline.automata import parse_ltl, translate
    >>> print(to_never_claim(translate(parse_ltl("F G (x > 3)"))), end="")
    never {
    T0_init:
        do
        :: true -> goto T0_init
        :: ((x > 3)) -> goto accept_S1
        od;
    accept_S1:
        do
        :: ((x > 3)) -> goto accept_S1
        od;
    }
    """
    if automaton.sets != 1 or not automaton.state_based:
        automaton = degeneralise(automaton)
    names = [_name(automaton, state) for state in range(automaton.states)]
    order = [automaton.initial, *(state for state in range(automaton.states) if state != automaton.initial)]
    lines = ["never {" + (f" /* {comment.replace('*/', '* /')} */" if comment else "")]
    for state in order:
        lines += [f"{names[state]}:", "    do"]
        for edge in automaton.edges[state]:
            lines.append(f"    :: {_condition(edge.guard, automaton.propositions)} -> goto {names[edge.target]}")
        if not automaton.edges[state]:
            lines.append("    :: false")
        lines.append("    od;")
    return "\n".join([*lines, "}", ""])


def _name(automaton: Automaton, state: int) -> str:
    prefix = "accept" if automaton.edges[state] and automaton.is_accepting(state) else "T0"
    return f"{prefix}_init" if state == automaton.initial else f"{prefix}_S{state}"


def _condition(guard: Guard, names: tuple[str, ...]) -> str:
    if (0, 0) in guard:
        return "true"
    return " || ".join(f"({_conjunction(true, false, names)})" for true, false in guard)


def _conjunction(true: int, false: int, names: tuple[str, ...]) -> str:
    literals = [
        ("!" if false >> index & 1 else "") + f"({name})"
        for index, name in enumerate(names)
        if (true | false) >> index & 1
    ]
    return " && ".join(literals)
