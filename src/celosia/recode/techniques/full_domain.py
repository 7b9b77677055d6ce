"""Full-domain generalization: one level for every column, the best node of the lattice."""

from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from celosia.errors import NoSolutionError
from celosia.measure.risk import class_risk
from celosia.measure.utility import get_measure, utility_measures
from celosia.recode.datafly import datafly
from celosia.recode.evaluate import Evaluator
from celosia.recode.full_domain import check_node, full_domain_recoding
from celosia.recode.incognito import incognito_search
from celosia.recode.lattice import require_small
from celosia.recode.optimal import optimal_search
from celosia.recode.result import Candidate, SearchResult
from celosia.recode.samarati import check_samarati, samarati
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.technique import RecodingPlan, Technique
from celosia.say import join_texts, say

__all__ = ["FullDomain"]


class FullDomain(Technique):
    """Full-domain generalization: all values of a column go to the same level of its hierarchy.

    The search looks for the node (one level per column) that satisfies every privacy model and costs least. Rows of
    classes that still violate a model are suppressed, within the limit. Every value is treated alike everywhere in the
    release, which makes it easy to analyse; local recoding and Mondrian lose less.
    """

    name: ClassVar[str] = "full-domain"
    is_global: ClassVar[bool] = True

    search: Literal["optimal", "incognito", "datafly", "samarati"] = Field(
        default="optimal", description="optimal (the default), incognito, datafly or samarati"
    )
    seconds: float | None = Field(default=None, gt=0, description="take the best that is found in this time")
    node: tuple[int, ...] | None = Field(default=None, description="apply this node, not the best")

    @model_validator(mode="after")
    def _has_a_clock(self) -> "FullDomain":
        if self.seconds is not None and self.search != "optimal":
            raise ValueError(
                say("the time limit is for the optimal search, not for {search}", search=self.search)
            )
        return self

    @property
    def compares_people(self) -> bool:
        """Only the optimal search does."""
        return self.search == "optimal"

    def check(self, task: RecodingTask) -> None:
        """Raise if a column is to keep its type, or levels are bounded for a search that looks at all of them."""
        task.refuse_keep_type(self.name)
        if self.search in ("incognito", "samarati"):
            task.refuse_levels(self.search)

    def try_out(self, task: RecodingTask) -> None:
        """Raise whatever a search of the lattice would, before it begins."""
        self.check(task)
        evaluator = task.evaluator
        if self.node is not None:
            check_node(self.node, evaluator.domain.names, evaluator.domain.heights, evaluator.lattice.bottom)
        elif self.search == "samarati":
            check_samarati(evaluator)
        elif self.search == "incognito":
            require_small(evaluator.lattice, self.search)
        evaluator.try_out()

    def plan(self, task: RecodingTask) -> RecodingPlan:
        """Search the lattice."""
        self.check(task)
        return self.plan_of(task, self.find(task))

    def plan_of(self, task: RecodingTask, result: SearchResult) -> RecodingPlan:
        """What becomes of the rows under what a search found."""
        evaluator = task.evaluator
        everything = evaluator.with_measures(list(utility_measures().values()))
        candidate = Candidate.of(everything.check(result.best.node))
        levels = dict(zip(evaluator.domain.names, candidate.node, strict=True))
        heights = dict(zip(evaluator.domain.names, evaluator.domain.heights, strict=True))
        sizes, times = evaluator.sizes()
        return RecodingPlan(
            recoding=full_domain_recoding(evaluator, candidate.node, dropped=task.dropped),
            rows=evaluator.domain.rows + evaluator.domain.excluded,
            excluded=evaluator.domain.excluded,
            suppressed=candidate.suppressed,
            classes=candidate.classes,
            before=class_risk(sizes, times=times, threshold=task.threshold),
            measures=candidate.measures,
            shown={
                name: say("level {level} of {height}", level=level, height=heights[name])
                for name, level in levels.items()
            },
            reasons=task.reasons,
            details={
                "node": levels,
                "search": _about(result),
                **({} if task.road is None else {"road": task.road.text}),
            },
            note=join_texts("; ", filter(None, [result.note, "" if task.road is None else task.road.text])),
            hierarchies=task.hierarchies,
            candidate=candidate,
            result=result,
        )

    def find(self, task: RecodingTask, *, best: int = 1, work: int | None = None) -> SearchResult:
        """The best candidates by the measure asked for, or the node that a person picked.

        The optimal search does no more than so much ``work``.
        """
        evaluator, progress = task.evaluator, task.progress
        measure = get_measure(task.measure)
        if self.node is not None:
            return _picked(self.node, task.measure, evaluator)
        searches: dict[str, Callable[[], SearchResult]] = {
            "optimal": lambda: optimal_search(
                evaluator,
                measure,
                best=best,
                seconds=self.seconds,
                work=work,
                seed=task.seed or 0,
                progress=progress,
            ),
            "incognito": lambda: incognito_search(evaluator, measure, best=best, progress=progress),
            "datafly": lambda: datafly(evaluator, measure, progress=progress),
            "samarati": lambda: samarati(evaluator, measure, progress=progress),
        }
        return searches[self.search]()


def _about(result: SearchResult) -> dict[str, object]:
    return {
        "name": result.search,
        "measure": result.measure,
        "proven": result.is_proven,
        "checks": result.checks,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 4),
        "note": result.note,
    }


def _picked(node: tuple[int, ...], measure: str, evaluator: Evaluator) -> SearchResult:
    check_node(node, evaluator.domain.names, evaluator.domain.heights, evaluator.lattice.bottom)
    one = evaluator.check(node)
    if not one.is_valid:
        raise NoSolutionError(
            say(
                "node {node} would suppress {rows:,} rows, and {allowed:,} are allowed",
                node=",".join(map(str, node)),
                rows=one.tally.suppressed,
                allowed=evaluator.allowed,
            ),
            where="node",
            remedy=say("pick a candidate that `celosia explore` lists, or allow more suppression"),
        )
    size = evaluator.lattice.size
    return SearchResult("picked", measure, (Candidate.of(one),), False, 1, size, 0.0, say("picked by hand"))
