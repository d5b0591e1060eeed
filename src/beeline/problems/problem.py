"""What an engine sees of a model and a question, whatever the model is made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from beeline.engine import Ending, Found, NativeSpace, Outcome
from beeline.model.property import Property
from beeline.preprocessing import EXACT, Shrinking
from beeline.problems.settings import Folded, Reduced, Result, Settings
from beeline.searches import Search
from beeline.symmetry import Symmetry
from beeline.trace.replay import Watch, unwatched

if TYPE_CHECKING:
    from beeline.heuristics import Context
    from beeline.problems.costs import Costs
    from beeline.problems.replaying import Unverified
    from beeline.timed.soonest import LeastTime
    from beeline.trace import Trace


class Problem(ABC):
    """A model and a question, ready to be searched. `asked` is the question as the person asked it."""

    kind: ClassVar[str]
    model: Any
    asked: Property

    @property
    def stop(self) -> Found:
        """What ends the search for an answer. A failing step violates any property, but it is no witness of a goal."""
        found = Found.GOAL if self.asked.wants_witness else Found.GOAL | Found.ERROR
        if self.asked.seeks_cycle:
            found |= Found.CYCLE
        return found | Found.DEADLOCK if self.asked.seeks_deadlock else found

    def check_search(self, search: Search) -> None:  # noqa: B027  # most problems take every search
        """Raises `SearchError` for a search that cannot be used here."""

    def check_costs(self, costs: Costs) -> None:
        """Raises `CostError` if the problem cannot take costs of steps into account."""
        from beeline.problems.costs import CostError

        raise CostError("costs are heeded in networks without clocks only: leave out --cost")

    @abstractmethod
    def ready(self, settings: Settings) -> Ready:
        """The problem compiled, for one search."""

    counted: Folded = Folded()
    """What became of the wish to fold the space that is counted."""

    @abstractmethod
    def counted_space(self, symmetry: Symmetry | None = None) -> NativeSpace:
        """The space of the model alone, without the question: what `explore` counts. Sets `counted`."""

    @abstractmethod
    def confirm(self, outcome: Ending, trace: Trace) -> tuple[str, str]:
        """That the replayed trace ends in what was sought, and in what: ``violated`` and the reason. Anything else is a
        fault of ours and raises `ReplayError`; a goal without a value is ``unknown``."""

    def smaller(self, choice: str, note: str, deadline: float, match: str = EXACT) -> Problem:
        """The problem without what cannot matter, by the techniques that `choice` names; `note` says why by no others.
        States that `match` takes for equal are one.
        The same one where nothing can be taken out."""
        return self

    @property
    def wants_everything(self) -> bool:
        """Whether something is asked that only the whole model can tell."""
        return True

    def generalised(self) -> Problem:
        """The problem with an automaton of several acceptance sets, for searches that know them; the same one where
        there is none."""
        return self

    def gathered(self) -> Problem:
        """The problem with a formula whose propositions are as large as can be: what is alike in one of them together
        need not be in each part; the same one where there is none."""
        return self

    def with_more_processes(self) -> Problem:
        """The problem compiled for more processes, after a search ran out of them."""
        raise NotImplementedError(f"{self.kind} problems start no processes")

    def exact(self) -> Problem | None:
        """The problem without what makes paths that do not replay; None if there is nothing of that kind."""
        return None

    def raised(self, error: Exception, settings: Settings) -> Result | None:
        """The answer where the code of the model itself raised an exception; None if that is no answer."""
        return None

    def shrinking(self, added: int | None = None) -> Shrinking:
        """What was taken out, and how many steps had to be put into the trace for it."""
        return Shrinking()


class Ready(ABC):
    """A compiled problem."""

    context: Context
    """What heuristics are built from."""
    folded: Folded = Folded()
    """What became of the wish to take states that are alike for one."""

    def reduce(self, settings: Settings) -> Reduced:
        """The reduction that is used, if one was asked for, or why none is."""
        return Reduced(note="off: only networks without clocks are reduced" if settings.reduction is not None else "")

    @abstractmethod
    def space(self, merged: bool = False, reduced: Reduced | None = None) -> NativeSpace:
        """What is searched; with `merged`, uninterrupted runs may be passed over as one step."""

    def weights(self, costs: Costs | None) -> Sequence[int]:
        """What steps cost, by action; nothing if all cost the same."""
        return ()

    def least_time(self, outcome: Outcome, trace: Trace) -> LeastTime | None:
        """That no trace takes less time, where the search looked for that."""
        return None

    def pairs(self, space: NativeSpace, only: Sequence[int] = ()) -> NativeSpace:
        """The space in which a search for a state finds an accepting cycle of another one: through a state `only`, if
        one is given."""
        raise NotImplementedError

    def lassos(self) -> NativeSpace | str:
        """The space in which breadth-first search finds the shortest of all lassos, or why there is none."""
        return "only networks without clocks are asked for it"

    def own_lasso(self, outcome: Outcome, watch: Watch = unwatched) -> tuple[Trace, str]:
        """The run that a search of `lassos` found, as `lasso` tells it."""
        raise NotImplementedError

    def words(self, state: Any) -> tuple[int, ...]:
        """The state of the space that stands for a state of a trace."""
        raise NotImplementedError

    def lasso(self, outcome: Outcome, fairness: str, watch: Watch = unwatched) -> tuple[Trace, str]:
        """The run that a search for cycles found, replayed and judged by the interpreter, and why it is a violation."""
        raise NotImplementedError

    @abstractmethod
    def trace(self, outcome: Outcome, show_zones: bool = False, watch: Watch = unwatched) -> tuple[Trace, int | None]:
        """The trace that a search found, replayed by the interpreter, and how many steps had to be put into it; `watch`
        is told how far the replay is."""

    def unverified(self, outcome: Outcome, reason: str) -> Unverified | None:
        """What a search found, if its replay ended before it was done."""
        return None

    @abstractmethod
    def fits(self, words: tuple[int, ...], state: Any) -> bool:
        """Whether a state of the space stands for a state of a trace."""
