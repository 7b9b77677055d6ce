"""Techniques that compete for one task: which fit, what each would keep, and which keeps most.

All work from one counted frequency set. Where there are many combinations they are tried on neighbourhoods of them,
and only the best is done for the whole; full-domain is tried on the whole, as far as little work goes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from celosia.errors import CelosiaError, HierarchyError, NoSolutionError, ProjectError
from celosia.recode.dense_part import dense_part
from celosia.recode.represent import Represent
from celosia.recode.result import SearchResult
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.full_domain import FullDomain
from celosia.recode.techniques.technique import RecodingPlan, Technique
from celosia.tables.location import is_on_cluster
from celosia.types import DATES, NUMBERS

__all__ = ["Contender", "Contest", "Trial", "find_contenders"]

GLOBAL = ("full-domain",)
LOCAL = ("local", "mondrian", "clustering")
"""Techniques by which the same value may become something else in another class."""
LIMITS = (0.0, 0.01, 0.05)
"""Shares of rows left out for which full-domain is tried, whether or not they may go: a person may want to know."""
WORK = 2_000_000
"""Keys that a trial of full-domain may group; the search that is taken is not limited."""
WHOLE = 6_000
"""As many combinations are tried as a whole; more of them take too long."""
PART = 3_072
"""Combinations of the neighbourhoods on which more of them are tried."""
PATIENCE = 2.0
"""Seconds that a person waits for a technique, and again for every 100,000 combinations beyond the first."""


@dataclass(frozen=True)
class Contender:
    """A technique, and the share of rows that it may leave out; more than allowed only for a person to know."""

    technique: Technique
    suppression: float = 0.0
    is_allowed: bool = True

    def fit(self, task: RecodingTask) -> RecodingTask | None:
        """The task as this one would be given it; None if it does not do what is asked."""
        if task.same_labels and not self.technique.is_global:
            return None
        suppression = self.suppression if self.technique.suppresses else 0.0
        for measure in dict.fromkeys([task.measure, "loss"]):
            asked = task.varied(suppression=suppression, measure=measure)
            try:
                self.technique.check(asked)
            except ProjectError:
                continue
            return asked
        return None


@dataclass(frozen=True)
class Trial:
    """What a contender makes of the measure asked for, and whether of the whole table; with its plan or search then.

    Where the table is on a cluster the plan comes last: it says what the machines there do.
    """

    contender: Contender
    value: float
    is_of_whole: bool
    plan: RecodingPlan | None = None
    result: SearchResult | None = None


def find_contenders(task: RecodingTask) -> list[Contender]:
    """The techniques that can do what is asked, those first whose labels are the same in the whole table."""
    from celosia.recode.techniques.registry import (
        TECHNIQUES,
        make_technique,
    )  # it knows auto, which knows this

    limits = dict.fromkeys([task.suppression, *LIMITS])
    contenders = [
        Contender(make_technique(name), limit, is_allowed=limit == task.suppression)
        for name in GLOBAL
        for limit in limits
    ]
    for name in (name for name in LOCAL if name in TECHNIQUES):
        parameters = _shown(task) if "represent" in TECHNIQUES[name].model_fields else {}
        contenders.append(Contender(make_technique(name, **parameters), task.suppression))
    return [contender for contender in contenders if contender.fit(task) is not None]


def _shown(task: RecodingTask) -> dict[str, Represent]:
    """What classes show: labels of a hierarchy of numbers or dates, where a person gave one, else sets and ranges."""
    try:
        given = [name for name in task.quasi_identifiers if name in task.own_hierarchies]
    except HierarchyError:  # it is told where the hierarchies are looked at
        given = []
    # Asked of the table only if need be: goals are checked before there is one.
    is_ordered = any(task.types[name] in (*NUMBERS, *DATES) for name in given)
    # Categories from one to another of the alphabet would tell less, and read worse, than those that are meant.
    return {"represent": Represent.NODE if is_ordered else Represent.SET}


class Contest:
    """Tries contenders on a task whose combinations are counted."""

    def __init__(self, task: RecodingTask, contenders: Sequence[Contender]) -> None:
        self.task = task
        self.contenders = contenders
        self.points = len(task.count_rows())
        task.evaluator  # noqa: B018 - worked out once, and shared by all that search the lattice
        self.refusal: CelosiaError | None = None
        """What the first contender said that found no solution."""

    def run(self) -> tuple[Trial, list[Trial]]:
        """The best trial, with a plan for the whole table, and the others, what they would make of the whole."""
        trials = list(self._try_all())
        ranked = sorted((trial for trial in trials if self._may_win(trial)), key=lambda trial: trial.value)
        for number, trial in enumerate(ranked):
            try:
                best = self._confirmed(trial)
            except NoSolutionError as error:
                self.refusal = self.refusal or error
                trials = [other for other in trials if other is not trial]
                continue
            better = [
                other for other in ranked[number + 1 :] if other.is_of_whole and other.value < best.value
            ]
            if better:  # what the part promised did not come true
                return self._confirmed(better[0]), self._others(trials, better[0], 1.0)
            scale = 1.0 if trial.is_of_whole or not trial.value else best.value / trial.value
            return best, self._others(trials, trial, scale)
        raise self.refusal or NoSolutionError("")

    def _try_all(self) -> Iterator[Trial]:
        part = self._part()
        for contender in self.contenders:
            asked = contender.fit(self.task)
            assert asked is not None
            try:
                if isinstance(contender.technique, FullDomain):
                    result = contender.technique.find(asked, work=WORK)
                    yield Trial(contender, result.best.measures[self.task.measure], True, result=result)
                    continue
                plan = contender.technique.plan_here(asked if part is None else _same_part(asked, part))
            except NoSolutionError as error:
                self.refusal = self.refusal or error
                continue
            value = plan.value(self.task.measure)
            if value is not None:  # else the measure says nothing of this technique
                is_kept = part is None and not is_on_cluster(self.task.table)
                yield Trial(contender, value, part is None, plan=plan if is_kept else None)

    def _part(self) -> RecodingTask | None:
        """A task about neighbourhoods; None where all combinations are tried."""
        size = max(PART, 40 * self.task.threshold)
        if self.points <= max(WHOLE, 2 * size):
            return None
        space = self.task.space(self.task.counts)
        return self.task.part(space.owners[dense_part(space, size, seed=self.task.seed or 0)])

    def _may_win(self, trial: Trial) -> bool:
        patience = PATIENCE * max(1.0, self.points / 100_000)
        return trial.contender.is_allowed and self.points / trial.contender.technique.pace <= patience

    def _confirmed(self, trial: Trial) -> Trial:
        """The trial with a plan for the whole table, as the technique makes it where a person asks for it by name."""
        technique = trial.contender.technique
        asked = trial.contender.fit(self.task)
        assert asked is not None
        plan = trial.plan
        if plan is None and isinstance(technique, FullDomain) and trial.result is not None:
            result = trial.result if trial.result.is_proven else technique.find(asked)
            plan = technique.plan_of(asked, result)
        elif plan is None:
            plan = technique.plan(asked)
        # What parts on other machines cost is known when all are recoded.
        value = plan.value(self.task.measure) if plan.recoding.parts is None else None
        return replace(trial, plan=plan, value=trial.value if value is None else value)

    def _others(self, trials: Sequence[Trial], taken: Trial, scale: float) -> list[Trial]:
        """All but the one taken; what a part says is brought to the whole by what it said of that one."""
        return [
            trial if trial.is_of_whole else replace(trial, value=trial.value * scale)
            for trial in trials
            if trial.contender != taken.contender
        ]


def _same_part(asked: RecodingTask, part: RecodingTask) -> RecodingTask:
    return part.varied(suppression=asked.suppression, measure=asked.measure)
