"""Checks all questions about a guideline: Bäumler et al. (2006), Fig. 8, without the person who analyses runs.

Timers are free at first: an over-approximation. What all runs do there, all real runs do. A run that is found is taken
again in the exact model; if that goes otherwise, the first timer that the run got wrong follows the time exactly from
then on, and the question is asked again (counterexample-guided refinement, Clarke et al. 2000). That ends: with all
timers exact, the model is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from time import monotonic

from beeline.ctl import Evidence, Labelling, show
from beeline.ctl.evidence import MOST_BRANCHES
from beeline.ctl.formula import Formula, atom, basic
from beeline.engine import Limits, Progress, Status
from beeline.guidelines.answers import EXACT, OVER_APPROXIMATION, REAL, Answer, Report
from beeline.guidelines.runs import Replay, Run, Wrong
from beeline.languages.asbru.claims import Claim, claims
from beeline.languages.asbru.dynamics import system_of
from beeline.languages.asbru.fairness import constraints
from beeline.languages.asbru.guideline import Guideline
from beeline.model.expressions import Ref, walk
from beeline.records import replace
from beeline.symbolic.diagrams import Diagram
from beeline.symbolic.ended import Ended
from beeline.symbolic.functions import Functions, Values

REASONS = {Status.TIME: "time limit", Status.MEMORY: "memory limit"}
ABOUT_ALL = ("ACTL", "state")  # fragments whose formulas hold of a part of the runs if they hold of all


def check_guideline(
    guideline: Guideline,
    wanted: Collection[str] = (),
    exact: Collection[str] = (),
    limits: Limits | None = None,
    progress: Progress | None = None,
    fair: bool = False,
) -> Report:
    """Answers the questions named in `wanted`, or all. The timers named in `exact` are exact from the start. With
    `fair`, claims that fail on endless runs are asked again about runs on which users leave nothing undone for ever."""
    asked = [claim for claim in claims(guideline) if not wanted or claim.asked.name in wanted]
    return _Checker(guideline, asked, exact, limits or Limits(), progress, fair).run()


class _Checker:
    def __init__(
        self,
        guideline: Guideline,
        asked: Sequence[Claim],
        exact: Collection[str],
        limits: Limits,
        progress: Progress | None,
        fair: bool,
    ) -> None:
        self._guideline, self._asked, self._limits, self._progress = guideline, asked, limits, progress
        self._fair, self._fairness = fair, constraints(guideline)
        self._timers = [timer.name for timer in guideline.timers]
        self._exact = {name for name in self._timers if name in exact}
        self._replay = Replay(guideline)
        self._began = monotonic()
        self._spurious: dict[str, list[str]] = {}
        self._witnesses: list[Run] = []
        """Real runs that were found: what they pass need not be looked for again."""

    def run(self) -> Report:
        answers: dict[str, Answer] = {}
        states, reason = 0, ""
        while len(answers) < len(self._asked) and not reason:
            unanswered = [claim for claim in self._asked if claim.asked.name not in answers]
            try:
                states = self._round(unanswered, answers)
            except Ended as end:
                reason = REASONS.get(end.status, end.status.value)
            except MemoryError:
                reason = REASONS[Status.MEMORY]
            except KeyboardInterrupt:
                reason = "interrupted"
        for claim in self._asked:
            answers.setdefault(claim.asked.name, Answer(claim, "unknown", self._model, reason=reason))
        ordered = tuple(answers[claim.asked.name] for claim in self._asked)
        return Report(self._guideline, ordered, states, monotonic() - self._began)

    def _remaining(self) -> Limits:
        if self._limits.time is None:
            return self._limits
        return replace(self._limits, time=max(0.0, self._limits.time - (monotonic() - self._began)))

    @property
    def _model(self) -> str:
        return EXACT if self._exact.issuperset(self._timers) else OVER_APPROXIMATION

    def _round(self, unanswered: Sequence[Claim], answers: dict[str, Answer]) -> int:
        """Asks all that is open of one model, and returns how many states that has; timers that were got wrong become
        exact for the next. The model is forgotten here: there may be no room for two."""
        model = _Model(self._guideline, self._exact, unanswered, self._remaining(), self._progress)
        wrong: set[str] = set()
        for claim in unanswered:
            try:
                answers[claim.asked.name] = self._answer(model, claim)
            except Wrong as reason:
                self._spurious.setdefault(claim.asked.name, []).append(reason.timer)
                wrong.add(reason.timer)
        self._exact |= wrong
        return model.structure.count(model.structure.everything)

    def _answer(self, model: _Model, claim: Claim) -> Answer:
        """Raises `Wrong` where the model's answer rests on a run that is spurious."""
        formula, name = claim.asked.formula, claim.asked.name
        witness = self._passed(claim)
        holds = witness is not None or model.holds(formula)
        answer = Answer(
            claim,
            "holds" if holds else "violated",
            self._model,
            tuple(timer for timer in self._timers if timer in self._exact),
            spurious=tuple(self._spurious.get(name, ())),
        )
        if witness is not None:
            return replace(answer, triage=REAL, run=witness)
        if holds == (claim.asked.fragment in ABOUT_ALL):
            return answer  # it is about all runs and true, or about some and false: with fewer runs it still is
        first, *others = self._real_runs(model, claim)
        if first.cycle is None:
            self._witnesses.append(first)
        answer = replace(answer, triage=REAL, run=first, branches=tuple(others), undone=self._undone(first))
        if holds or first.cycle is None or not self._fair:
            return answer
        return replace(answer, only_unfair=bool(answer.undone) and model.holds_fairly(formula))

    def _undone(self, run: Run) -> tuple[str, ...]:
        """What users never come to do while a run goes round."""
        if run.cycle is None:
            return ()
        again = run.exact[run.cycle :]
        return tuple(
            plan for plan, done in self._fairness.items() if not any(self._replay.holds(done, state) for state in again)
        )

    def _passed(self, claim: Claim) -> Run | None:
        """A real run known already that passes what can be reached, if that is what is asked."""
        formula = claim.asked.formula
        if formula.kind != "EF" or formula.parts[0].kind != "atom":
            return None
        sought = dict(claim.asked.atoms)[formula.parts[0].name]
        for run in self._witnesses:
            for number, state in enumerate(run.exact):
                if self._replay.holds(sought, state):
                    return Run(run.states[: number + 1], None, run.exact[: number + 1])
        return None

    # Replay

    def _real_runs(self, model: _Model, claim: Claim) -> list[Run]:
        """The runs that show what a model says of a formula, as they are in the exact model: the first one, and those
        that branch off."""
        evidence = show(model.labelling, claim.asked.formula, model.structure.start)
        named = {part.name for _, expression in claim.asked.atoms for part in walk(expression) if isinstance(part, Ref)}
        return self._follow(model, evidence, [], named)

    def _follow(
        self, model: _Model, evidence: Evidence[Values], before: list[Values], asked: Collection[str]
    ) -> list[Run]:
        path = [*before, *evidence.path]
        run = self._taken(model, path, asked, None if evidence.cycle is None else len(before) + evidence.cycle)
        if evidence.branches and self._model != EXACT:
            several = evidence.cycle is not None and len(run.states) > len(path)
            if several or len(evidence.branches) >= MOST_BRANCHES:
                # Every round of the cycle would need its branches, or some are not listed: only exact time tells.
                raise Wrong(next(timer for timer in self._timers if timer not in self._exact))
        found = [run]
        for position, branch in evidence.branches:
            found += self._follow(model, branch, path[: len(before) + position], asked)
        return found

    def _taken(self, model: _Model, path: list[Values], asked: Collection[str], cycle: int | None) -> Run:
        states = [model.values(state) for state in path]
        choices = [model.structure.chosen(one, other) for one, other in pairwise(path)]
        if cycle is None:
            exact = self._replay.follow(states, choices, asked)
            return Run(tuple(map(self._replay.values, exact)), None, tuple(exact))
        exact = self._replay.around(states, choices, asked, cycle)
        return Run(tuple(map(self._replay.values, exact)), exact.index(exact[-1]), tuple(exact))


class _Model:
    """A guideline with some timers exact, made ready for formulas."""

    def __init__(
        self,
        guideline: Guideline,
        exact: Collection[str],
        asked: Iterable[Claim],
        limits: Limits,
        progress: Progress | None,
    ) -> None:
        system = system_of(guideline, exact)
        atoms = {name: expression for claim in asked for name, expression in claim.asked.atoms}
        fair = {f"{plan} is not left undone": done for plan, done in constraints(guideline).items()}
        self._fairness = [atom(name) for name in fair]
        self.structure = Functions(system, {**atoms, **fair}, limits, progress)
        self.labelling = Labelling(self.structure)
        self._names = [variable.name for variable in system.variables]

    @cached_property
    def _fairly(self) -> Labelling[Diagram, Values]:
        return Labelling(self.structure, self._fairness)

    def holds(self, formula: Formula) -> bool:
        return self.labelling.holds_at(basic(formula), self.structure.start)

    def holds_fairly(self, formula: Formula) -> bool:
        """Whether it holds if nobody leaves undone for ever what is to be done."""
        return self._fairly.holds_at(basic(formula), self.structure.start)

    def values(self, state: Values) -> dict[str, int]:
        return dict(zip(self._names, state, strict=True))
