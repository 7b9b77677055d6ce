"""Local recoding by repeated search: every row keeps the finest node that it can have."""

from collections import Counter
from dataclasses import replace
from typing import ClassVar

from celosia.errors import ProjectError
from celosia.measure.risk import class_risk
from celosia.measure.utility import CellMeasure, get_measure
from celosia.recode.full_domain import bare_recoding
from celosia.recode.repeated import assign_classes, check_measure, repeated_search
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.technique import RecodingPlan, Technique
from celosia.say import say

__all__ = ["Local"]


class Local(Technique):
    """Local recoding by repeated search: rows that a node would suppress are searched again, and so on.

    The same value may be released at several levels: in a large class as it is, in a small one as a more general
    label. That loses far less than one level for everybody, and no row has to be suppressed; but before counting by a
    column, an analyst brings its values to one level.
    """

    name: ClassVar[str] = "local"
    pace: ClassVar[float] = 15_000

    def check(self, task: RecodingTask) -> None:
        """Raise if something is asked for that it does not do."""
        task.refuse_keep_type(self.name)
        task.refuse_models(self.name)
        if not isinstance(get_measure(task.measure), CellMeasure):
            raise ProjectError(
                say("local recoding cannot be led by {measure}", measure=task.measure),
                where="measure",
                remedy=say("use loss or precision: a measure of the values of each row"),
            )

    def try_out(self, task: RecodingTask) -> None:
        """Raise whatever the first of the searches would, before it begins."""
        self.check(task)
        measure = get_measure(task.measure)
        assert isinstance(measure, CellMeasure)
        check_measure(measure)
        task.evaluator.try_out()

    def plan(self, task: RecodingTask) -> RecodingPlan:
        """Search again and again."""
        self.check(task)
        measure = get_measure(task.measure)
        assert isinstance(measure, CellMeasure)
        evaluator = task.evaluator
        domain = evaluator.domain
        result = repeated_search(evaluator, measure, seed=task.seed or 0, progress=task.progress)
        levels = [Counter[int]() for _ in domain.columns]
        for step in result.steps:
            for found, level in zip(levels, step.node, strict=True):
                found[level] += step.rows
        share = {
            column.name: say(
                "{share:.0%} as it is, up to level {level} of {height}",
                share=found[0] / max(1, found.total()),
                level=max(found),
                height=column.height,
            )
            for column, found in zip(domain.columns, levels, strict=True)
            if found
        }
        assignment = assign_classes(domain, result)
        return RecodingPlan(
            recoding=replace(bare_recoding(domain, task.dropped), assignment=assignment),
            rows=task.counts.rows,
            excluded=domain.excluded,
            suppressed=result.suppressed,
            classes=result.classes,
            before=class_risk(evaluator.sets.base.counts, threshold=task.threshold),
            measures=result.measures,
            shown=share,
            reasons=task.reasons,
            details={
                "steps": len(result.steps),
                "checks": result.checks,
                "seconds": round(result.seconds, 4),
            },
            note=result.note,
            hierarchies=task.hierarchies,
        )
