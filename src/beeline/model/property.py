"""What can be asked of a model: one class for each kind of question.

A search looks for something: a state, a deadlock, a failing step, a run that an automaton watches for. A question says
what that is, and whether finding it is a violation or a witness. The verdict is about the question as asked: `holds`
for a goal that is reached and for an invariant that nothing violates. Failed assertions and run-time errors end a
search for violations whatever is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from beeline.model.expressions import Binary, Expression, Literal, Ref, Unary, conjunction
from beeline.model.network import Network, Process, Variable
from beeline.model.source import UNKNOWN, Source
from beeline.model.statements import Assign, Cover, If, Statement
from beeline.model.types import BOOL
from beeline.records import Record, replace


class Property(Record, frozen=True):
    """A question with its name, its text as written, and where it stands. One that is a `part` of another question of
    the model is asked by its name only."""

    name: str
    text: str = ""
    source: Source = UNKNOWN
    part: bool = False
    kind: ClassVar[str] = "property"
    wants_witness: ClassVar[bool] = False
    """Whether a state that the search finds is a witness for the question, not a violation."""
    asks_runs: ClassVar[bool] = False
    """Whether endless runs are among what is sought."""
    asks_branches: ClassVar[bool] = False
    """Whether it asks what can still become of states, by a formula of branching time."""
    asks_behaviour: ClassVar[bool] = False
    """Whether it asks what can be done step by step, by a formula of the mu-calculus."""
    missing: ClassVar[str] = "no such state is reachable"
    """What is to be said where there is no witness."""

    @property
    def title(self) -> str:
        """The name, and what is asked if that says more."""
        return f"{self.name}: {self.text}" if self.text and self.text != self.name else self.name

    @property
    def seeks_deadlock(self) -> bool:
        """Whether deadlocks are among what is sought."""
        return False

    @property
    def sought(self) -> Expression | None:
        """The states to look for, if an expression says which."""
        return None

    def explain(self, holds: Callable[[Expression], bool]) -> str:
        """What is wrong, or what was found, in a state that is sought."""
        return "goal reached" if self.wants_witness else "invariant violated"

    def prepare(self, network: Network) -> Network:
        """The network as it must be for the question to be asked of its states."""
        return network

    def watched(self, network: Network) -> Network:
        """The network as it is searched for the question: watched by its automaton, if it has one."""
        # What is read (who moved last, say) is kept in the states only if the network is known to ask for it.
        prepared = replace(self.prepare(network.alone), properties=(self,))
        return prepared if self.automaton is None else prepared.watched_by(self.automaton)

    @property
    def automaton(self) -> Process | None:
        """The process that watches the run and reaches an end location where the run is bad."""
        return None

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """What the question reads."""
        watching = self.automaton
        return () if watching is None else tuple(edge.guard for edge in watching.edges)

    @property
    def observed(self) -> tuple[Expression, ...]:
        """Expressions whose values, over the states of the runs, decide the answer."""
        return self.expressions

    @property
    def unsupported_reason(self) -> str:
        """Why no search of this version can answer the question; empty if one can."""
        return ""

    @property
    def seeks_cycle(self) -> bool:
        """Whether a run that goes on for ever may be what is sought, besides those that end."""
        return False

    @property
    def is_weak(self) -> bool:
        """Whether, among the cycles that are joined, all are sought or none is: then any cycle there is an answer."""
        return False

    @property
    def repetition_reason(self) -> str:
        """Why a state that is repeated may matter to it, so that no step may be left out; empty if it cannot."""
        return ""

    @property
    def sees_late(self) -> bool:
        """Whether its automaton may see later than it could that a run is bad."""
        return False


class Invariant(Property, frozen=True, kw_only=True):
    """`expression` holds in every reachable state."""

    expression: Expression
    kind: ClassVar[str] = "invariant"

    @property
    def sought(self) -> Expression:
        return Unary("!", self.expression)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.expression,)


class Goal(Property, frozen=True, kw_only=True):
    """Some reachable state satisfies `expression`."""

    expression: Expression
    kind: ClassVar[str] = "goal"
    wants_witness: ClassVar[bool] = True

    @property
    def sought(self) -> Expression:
        return self.expression

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.expression,)


class Passed(Property, frozen=True, kw_only=True):
    """Some step passes the place that a `Cover` called `place` marks, while its condition holds."""

    place: str
    kind: ClassVar[str] = "goal"
    wants_witness: ClassVar[bool] = True
    missing: ClassVar[str] = "no step passes there"

    @property
    def sought(self) -> Expression:
        return Binary("==", Ref(self.place), Literal(1))

    def prepare(self, network: Network) -> Network:
        """The network notes that the place is passed; until then the note is the same in all states."""

        def noting(statement: Statement) -> Statement:
            if isinstance(statement, Cover) and statement.name == self.place:
                return If(statement.condition, (Assign(Ref(self.place), Literal(1)),))
            return statement

        noted = network.with_statements(noting)
        return replace(noted, variables=(*noted.variables, Variable(self.place, BOOL)))


class SeekingDeadlock(Property, frozen=True):
    """A question about deadlocks, among other things perhaps."""

    @property
    def seeks_deadlock(self) -> bool:
        return True


class NoDeadlock(SeekingDeadlock, frozen=True):
    """No reachable state is a deadlock."""

    kind: ClassVar[str] = "deadlock"


class DeadlockReachable(SeekingDeadlock, frozen=True):
    """Some reachable state is a deadlock."""

    kind: ClassVar[str] = "goal"
    wants_witness: ClassVar[bool] = True


class Safety(SeekingDeadlock, frozen=True):
    """No assertion fails, no run-time error happens, and there is no deadlock: what SPIN checks by default."""

    kind: ClassVar[str] = "safety"


class Correctness(Property, frozen=True, kw_only=True):
    """No assertion fails, no run-time error happens, the invariants hold, and unless `deadlocks` are allowed there are
    none: what a verifier for Murphi checks, in one search. Each invariant has a name."""

    invariants: tuple[tuple[str, Expression], ...]
    deadlocks: bool = False
    kind: ClassVar[str] = "safety"

    @property
    def seeks_deadlock(self) -> bool:
        return not self.deadlocks

    @property
    def sought(self) -> Expression | None:
        return Unary("!", conjunction(list(self.expressions))) if self.invariants else None

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return tuple(expression for _, expression in self.invariants)

    def explain(self, holds: Callable[[Expression], bool]) -> str:
        broken = (name for name, expression in self.invariants if not holds(expression))
        return f"invariant violated: {next(broken, 'none')}"


class Assertions(Property, frozen=True):
    """No assertion fails and no run-time error happens: what SPIN checks beside a claim."""

    kind: ClassVar[str] = "assertions"


class Claim(Property, frozen=True, kw_only=True):
    """No run takes the process `watcher` to its end, nor infinitely often through one of its accepting locations."""

    watcher: Process
    kind: ClassVar[str] = "claim"

    @property
    def automaton(self) -> Process:
        return self.watcher

    @property
    def seeks_cycle(self) -> bool:
        return any(location.accept and not location.end for location in self.watcher.locations)

    @property
    def repetition_reason(self) -> str:
        return "the claim does more than look at states, or it is too much work to decide whether it counts them"


class Acceptance(Property, frozen=True):
    """No run passes an accept label of a process infinitely often: what SPIN's ``-a`` asks without a claim."""

    kind: ClassVar[str] = "acceptance"

    @property
    def seeks_cycle(self) -> bool:
        return True


class Progress(Claim, frozen=True, kw_only=True):
    """Every infinite run passes progress labels infinitely often; `watcher` waits for a cycle without any."""

    kind: ClassVar[str] = "progress"

    @property
    def is_weak(self) -> bool:
        return True

    @property
    def repetition_reason(self) -> str:
        return ""


class Inevitability(Property, frozen=True):
    """About whole runs, endless ones among them. What is sought is a run, from the start or from a state in which the
    premise holds, that meets nothing of what is `avoided`."""

    asks_runs: ClassVar[bool] = True

    @property
    def avoided(self) -> Expression:
        raise NotImplementedError

    @property
    def premise(self) -> Expression | None:
        """Where the run may begin; None: at the start."""
        return None


class Inevitable(Inevitability, frozen=True, kw_only=True):
    """Every run comes to a state that satisfies `expression`."""

    expression: Expression
    kind: ClassVar[str] = "inevitable"

    @property
    def avoided(self) -> Expression:
        return self.expression

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.expression,)


class PotentiallyAlways(Inevitability, frozen=True, kw_only=True):
    """On some run `expression` holds all the time."""

    expression: Expression
    kind: ClassVar[str] = "potentially always"
    wants_witness: ClassVar[bool] = True
    missing: ClassVar[str] = "there is no such run"

    @property
    def avoided(self) -> Expression:
        return Unary("!", self.expression)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.expression,)


class LeadsTo(Inevitability, frozen=True, kw_only=True):
    """Wherever `condition` holds, every run comes to a state that satisfies `expression`."""

    condition: Expression
    expression: Expression
    kind: ClassVar[str] = "leads to"

    @property
    def avoided(self) -> Expression:
        return self.expression

    @property
    def premise(self) -> Expression:
        return self.condition

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.condition, self.expression)


class Range(Property, frozen=True, kw_only=True):
    """How large (`which` is ``sup``), how small (``inf``), or both (``bounds``) `values` become in the reachable states
    that satisfy `condition`. `names` are the values as written. It holds, with the range as its answer."""

    which: str
    condition: Expression
    values: tuple[Expression, ...]
    names: tuple[str, ...]
    kind: ClassVar[str] = "range"

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.condition, *self.values)


class Unanswered(Property, frozen=True, kw_only=True):
    """A question that can be read but not answered; `reason` says why in a sentence. `reads` is what it is about."""

    reason: str
    reads: tuple[Expression, ...] = ()
    kind: ClassVar[str] = "unanswered"

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return self.reads

    @property
    def unsupported_reason(self) -> str:
        return self.reason
