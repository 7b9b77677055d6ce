"""From a task to what top-down specialization works on, and from the node that it reached to the plan."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from celosia.errors import NoSolutionError, ProjectError
from celosia.hierarchies import Hierarchy, HierarchyProposal, gain_intervals, propose
from celosia.measure.risk import class_risk
from celosia.measure.utility import utility_measures
from celosia.recode.domain import build_domain
from celosia.recode.evaluate import Evaluator
from celosia.recode.full_domain import full_domain_recoding
from celosia.recode.gains import tuple_codes
from celosia.recode.result import Candidate, SearchResult
from celosia.recode.scores import Benefits, get_score
from celosia.recode.search_location import SearchLocation
from celosia.recode.subject import SearchSubject, SpecializationGoal, make_subject
from celosia.recode.task import RecodingTask
from celosia.recode.top_down import TopDown
from celosia.recode.two_phase import PartNode, first_phase
from celosia.say import join_texts, say
from celosia.tables.recoder import check_columns
from celosia.tables.table import Counts, Progress
from celosia.types import ColumnType

if TYPE_CHECKING:
    from celosia.recode.cluster_table import LargeSubject
    from celosia.recode.techniques.technique import RecodingPlan

__all__ = [
    "Numbers",
    "PreparedSpecialization",
    "choose_score",
    "choose_targets",
    "describe_steps",
    "make_plan",
    "prepare",
]

Numbers = Literal["gain", "proposed"]
"""Where the hierarchies of numbers come from that have none."""


@dataclass(frozen=True)
class PreparedSpecialization:
    """All that a specialization needs, worked out of a task: the rows, the aim, the hierarchies and their origin."""

    task: RecodingTask
    targets: tuple[str, ...]
    source: "CombinationsInMemory | LargeSubject"
    aim: SpecializationGoal
    hierarchies: Mapping[str, Hierarchy]
    reasons: Mapping[str, str]
    road: SearchLocation | None = None

    @cached_property
    def evaluator(self) -> Evaluator:
        """For looks at nodes of the whole table."""
        return self.source.evaluator(self.aim)

    @cached_property
    def benefits(self) -> Benefits:
        """What every step brings."""
        return self.source.benefits(self.aim)


@dataclass(frozen=True)
class CombinationsInMemory:
    """A table whose combinations are here."""

    subject: SearchSubject

    def evaluator(self, aim: SpecializationGoal) -> Evaluator:
        """For looks at its nodes."""
        return aim.evaluator(self.subject)

    def benefits(self, aim: SpecializationGoal) -> Benefits:
        """What every step brings."""
        return aim.benefits(self.subject)

    def first_phase(
        self, aim: SpecializationGoal, partitions: int, seed: int, progress: Progress
    ) -> list[PartNode]:
        """What every part finds by itself."""
        return first_phase(self.subject, aim, partitions=partitions, seed=seed, progress=progress)


def choose_targets(task: RecodingTask, given: str | Sequence[str]) -> tuple[str, ...]:
    """The columns whose tuple is told about: those given, or else all sensitive ones."""
    named = (given,) if isinstance(given, str) else tuple(dict.fromkeys(given))
    check_columns(named, task.table.columns(), where=task.table.name)
    for name in named:
        if name in (*task.quasi_identifiers, *task.dropped):
            raise ProjectError(
                say("the target {target!r} is a quasi-identifier or an identifier", target=name),
                where="target",
                remedy=say("name sensitive or common columns, such that models are to predict"),
            )
    return named or task.sensitive


def choose_score(task: RecodingTask, asked: str | None, targets: Sequence[str]) -> str:
    """The score asked for; by default gain per privacy, or without a target the loss that a step saves."""
    name = asked or ("gain-per-privacy" if targets else "loss-per-privacy")
    score = get_score(name)
    if score.needs_target and not targets:
        raise ProjectError(
            say("{score} is the gain towards a target, and there is none", score=name),
            where="score",
            remedy=say("name a target or a sensitive column, or use the score loss-per-privacy"),
        )
    if score.needs_target and task.measure != "loss":
        raise ProjectError(
            say(
                "top-down specialization is led by its score {score}, not by {measure}",
                score=name,
                measure=task.measure,
            ),
            where="measure",
            remedy=say("leave it out, or use the score loss-per-privacy"),
        )
    return name


def prepare(
    task: RecodingTask, *, targets: tuple[str, ...], score: str, numbers: Numbers
) -> PreparedSpecialization:
    """Count the table once, settle the hierarchies, encode."""
    further = tuple(name for name in targets if name not in task.modelled)
    road = task.road_of(further) if further else task.road
    told = targets if numbers == "gain" else ()
    if road is not None and road.is_large:
        hierarchies, reasons, source = _prepare_large(task, further, targets, told, road)
    else:
        hierarchies, reasons, source = _prepare_here(task, further, targets, told)
    aim = SpecializationGoal(
        models=task.models,
        score=score,
        measure=task.measure,
        limit=task.suppression,
        weights=task.weights,
        hierarchies={name: one for name, one in hierarchies.items() if name in task.modelled},
        population=task.people(source.subject.domain, hierarchies)
        if isinstance(source, CombinationsInMemory)
        else None,
    )
    return PreparedSpecialization(task, targets, source, aim, hierarchies, reasons, road)


Found = tuple[dict[str, Hierarchy], dict[str, str], "CombinationsInMemory | LargeSubject"]


def _prepare_here(
    task: RecodingTask, further: tuple[str, ...], targets: tuple[str, ...], told: tuple[str, ...]
) -> Found:
    counts = task.count(further) if further else task.counts
    hierarchies, reasons = _settle_hierarchies(task, lambda _: counts, further, told)
    domain = build_domain(
        counts,
        hierarchies,
        quasi_identifiers=task.quasi_identifiers,
        missing=task.missing,
        unknown=task.unknown,
        person=task.person,
    )
    return hierarchies, reasons, CombinationsInMemory(make_subject(domain, targets, task.modelled))


def _prepare_large(
    task: RecodingTask,
    further: tuple[str, ...],
    targets: tuple[str, ...],
    told: tuple[str, ...],
    road: SearchLocation,
) -> Found:
    """The combinations stay on the cluster; of every column that needs it, the joint counts with the target come."""
    from celosia.recode.cluster_table import LargeSubject, encode

    hierarchies, reasons = _settle_hierarchies(
        task, lambda name: task.table.count_by((name, *told)), further, told
    )
    encoded = encode(task, hierarchies, (*task.modelled, *further), road)
    return hierarchies, reasons, LargeSubject(task, encoded, targets, hierarchies)


def _settle_hierarchies(
    task: RecodingTask, count: Callable[[str], Counts], further: tuple[str, ...], targets: Sequence[str]
) -> tuple[dict[str, Hierarchy], dict[str, str]]:
    """The hierarchy of every column that has or needs one, and where it comes from; ``count`` knows a column."""
    found, reasons = {}, {}
    for name in dict.fromkeys([*task.quasi_identifiers, *task.modelled, *further]):
        if name in task.named_hierarchies:
            found[name], reasons[name] = task.named_hierarchies[name]
        elif name in task.quasi_identifiers:
            counts = count(name)
            place = counts.columns.index(name)
            values, rows = task.with_population(name, counts.texts[place], counts.rows_of(place))
            present = values.is_not_null()
            by_gain = targets and task.population_counts is None  # its cuts are between values of the table
            proposal = propose(
                name,
                values.filter(present),
                type=task.declared.get(name, ColumnType.TEXT),
                counts=rows[present.to_numpy()],
                numbers=_GainProposal(counts, place, tuple(targets)) if by_gain else None,
                language=task.language,
            )
            found[name], reasons[name] = proposal.hierarchy, say("proposed: {reason}", reason=proposal.reason)
    return found, reasons


@dataclass(frozen=True)
class _GainProposal:
    """Intervals of a column of numbers that tell most about the target."""

    counts: Counts
    place: int
    targets: tuple[str, ...]

    def __call__(self) -> HierarchyProposal:
        """The proposal, made when the column turns out to be one of numbers."""
        counts = self.counts
        values = counts.texts[self.place].gather(counts.codes[self.place])
        places = [counts.columns.index(name) for name in self.targets]
        told = [(counts.codes[place].astype(np.int64), len(counts.values[place])) for place in places]
        tuples = tuple_codes(told, len(counts))
        hierarchy = gain_intervals(counts.columns[self.place], values, tuples, counts.counts)
        named = ", ".join(self.targets)
        return HierarchyProposal(hierarchy, say("intervals that tell most about {columns}", columns=named))


def make_plan(
    prepared: PreparedSpecialization,
    found: TopDown,
    *,
    search: str,
    seconds: float,
    details: Mapping[str, Any],
    notes: Sequence[str] = (),
) -> "RecodingPlan":
    """The plan of the node that was reached."""
    from celosia.recode.techniques.technique import RecodingPlan

    task, evaluator = prepared.task, prepared.evaluator
    domain = evaluator.domain
    if not found.is_valid:
        raise NoSolutionError(
            say("not even the most general node satisfies what was asked for"),
            remedy=say(
                "ask for less (a lower k or l, a higher t), or let technique full-domain suppress rows"
            ),
        )
    checks = evaluator.checks
    everything = evaluator.with_measures(list(utility_measures().values()))
    candidate = Candidate.of(everything.check(found.node))
    levels = dict(zip(domain.names, candidate.node, strict=True))
    heights = dict(zip(domain.names, domain.heights, strict=True))
    road = "" if prepared.road is None else prepared.road.text
    told = [_tell_score(prepared), *notes, say("a greedy search: a better node may exist"), road]
    sizes, times = evaluator.sizes()
    note = join_texts("; ", (text for text in told if text))
    result = SearchResult(
        search=search,
        measure=task.measure,
        candidates=(candidate,),
        is_proven=False,
        checks=checks,
        nodes=evaluator.lattice.size,
        seconds=seconds,
        note=note,
    )
    return RecodingPlan(
        recoding=full_domain_recoding(evaluator, candidate.node, dropped=task.dropped),
        rows=domain.rows + domain.excluded,
        excluded=domain.excluded,
        suppressed=candidate.suppressed,
        classes=candidate.classes,
        before=class_risk(sizes, times=times, threshold=task.threshold),
        measures=candidate.measures,
        shown={
            name: say("level {level} of {height}", level=level, height=heights[name])
            for name, level in levels.items()
        },
        reasons=prepared.reasons,
        details={
            "node": levels,
            "score": prepared.aim.score,
            "target": list(prepared.targets),
            **({"road": road} if road else {}),
            "search": {"name": search, "checks": checks, "seconds": round(seconds, 4), "note": note},
            "steps": describe_steps(found, domain.names),
            **details,
        },
        note=note,
        hierarchies=prepared.hierarchies,
        candidate=candidate,
        result=result,
    )


def describe_steps(found: TopDown, names: Sequence[str]) -> list[dict[str, Any]]:
    """The steps for the record: no value of the table is in them."""
    return [
        {
            "column": names[step.column],
            "level": step.level,
            "benefit": step.benefit,
            "score": step.score,
            "smallest class": step.smallest,
        }
        for step in found.steps
    ]


def _tell_score(prepared: PreparedSpecialization) -> str:
    if get_score(prepared.aim.score).needs_target:
        return ""
    if prepared.targets:
        return say("led by {score}", score=prepared.aim.score)
    return say("there is no sensitive column and no target: led by {score}", score=prepared.aim.score)
