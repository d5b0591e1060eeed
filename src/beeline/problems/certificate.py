"""Certificates: a set of states that proves an answer, and the check of it by the reference interpreter.

The engine lists the states of the whole model: nothing is taken out, reduced or merged. The interpreter, which shares
no code with the engine, then makes sure that the set contains the initial states and the target of every step from its
states, and that nothing in it is what the question seeks. Such a set is a proof, however it was found."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from beeline.engine import Found
from beeline.engine.budget import LimitReached, current
from beeline.model.property import Range
from beeline.model.semantics import Semantics
from beeline.problems.again import begin_again
from beeline.problems.networks import NetworkProblem, ReadyNetwork
from beeline.problems.settings import INTERRUPTED, Certificate, Result, Settings
from beeline.records import replace
from beeline.searches import find
from beeline.trace.ending import ending

if TYPE_CHECKING:
    from beeline.model.state import State
    from beeline.problems.problem import Problem

CERTIFYING = "certifying"
BETWEEN_LOOKS = 1000  # states

Words = tuple[int, ...]


class Refuted(Exception):
    """A set of states that proves nothing; the text says why."""


def with_certificate(problem: Problem, result: Result, settings: Settings) -> Result:
    """The result with a certificate, or with the reason why there is none. A trace needs none: it was replayed."""
    if result.verdict == "unknown" or result.trace is not None:
        return result
    reason = unsupported_reason(problem)
    if reason:
        return replace(result, certificate_note=reason)
    assert isinstance(problem, NetworkProblem)
    try:
        return replace(result, certificate=certify(problem, settings))
    except Refuted as why:
        return replace(result, verdict="unknown", reason=f"the certificate was refuted: {why}")
    except KeyboardInterrupt:
        return replace(result, certificate_note=INTERRUPTED)
    except (LimitReached, MemoryError) as error:
        budget = current()
        if budget is None or not budget.ends(error):
            raise
        return replace(result, certificate_note=budget.reason)


def unsupported_reason(problem: Problem) -> str:
    """Why there are no certificates for a problem; empty if there are."""
    if not isinstance(problem, NetworkProblem):
        return "only networks without clocks have certificates"
    if problem.asked.asks_runs or problem.asked.seeks_cycle:
        return "only questions about states have certificates, not those about endless runs"
    return "only questions that are true or false have certificates" if isinstance(problem.asked, Range) else ""


def certify(problem: NetworkProblem, settings: Settings) -> Certificate:
    """A certificate that nothing reachable is what is sought; raises `Refuted`."""
    began = monotonic()

    def list_all(one: NetworkProblem) -> tuple[ReadyNetwork, dict[Words, None]]:
        ready = one.ready(Settings(find("bfs")))
        settings.tell(CERTIFYING)
        return ready, listed(ready)

    ready, states = begin_again(problem, list_all)
    steps = check_closed(problem, ready, states, settings)
    return Certificate(len(states), steps, monotonic() - began)


def listed(ready: ReadyNetwork) -> dict[Words, None]:
    """All states of the compiled network that its steps lead to, in the order of their distance."""
    space = ready.space()
    found = {words: None for *_, words in space.initial_arcs() if words is not None}
    waiting = list(found)
    for words in waiting:
        for *_, target in space.successor_arcs(words)[1]:
            if target is not None and target not in found:
                found[target] = None
                waiting.append(target)
    return found


def check_closed(problem: NetworkProblem, ready: ReadyNetwork, states: dict[Words, None], settings: Settings) -> int:
    """Makes sure that a set of states is a proof; returns how many steps there are between them."""
    semantics = Semantics(problem.model)
    openings = semantics.openings() if problem.model.rules.opened else []
    if Found.ERROR in problem.stop and any(step.target is None for step in openings):
        raise Refuted("a step to an initial state fails")
    if any(ready.words(state) not in states for state in semantics.initial_states()):
        raise Refuted("an initial state is missing")
    steps = 0
    for number, words in enumerate(states):
        if number % BETWEEN_LOOKS == 0:
            settings.tell(f"{CERTIFYING} {number:,} of {len(states):,} states")
        state = ready.program.layout.decode(ready.program.native.unpack(words))
        steps += _check_state(problem, ready, states, semantics, state)
    return steps


def _check_state(
    problem: NetworkProblem, ready: ReadyNetwork, states: dict[Words, None], semantics: Semantics, state: State
) -> int:
    """Makes sure that a state is not sought and that its steps stay inside; returns how many there are."""
    if ending(semantics, problem.asked, state, False) is not None:
        raise Refuted("one of its states is sought")
    steps = semantics.steps(state)
    for step in steps:
        if step.target is None:
            if Found.ERROR in problem.stop:
                raise Refuted("a step fails")
        elif ready.words(step.target) not in states:
            raise Refuted("a step leads out of it")
    leads_on = any(step.target != state for step in steps)  # some languages have deadlocks with steps that do not
    if not leads_on and Found.DEADLOCK in problem.stop and semantics.is_deadlock(state):
        raise Refuted("one of its states is a deadlock")
    return len(steps)
