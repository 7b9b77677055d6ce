"""From the classes of people to what becomes of every table of a star."""

from dataclasses import replace
from typing import Any

import numpy as np

from celosia.measure.risk import class_risk
from celosia.recode.branch import Branch
from celosia.recode.full_domain import bare_recoding
from celosia.recode.star import Star, StarNode
from celosia.recode.techniques import RecodingPlan
from celosia.say import join_texts, say
from celosia.tables.exclude_people import ExcludePeople
from celosia.tables.layer import apply_layer
from celosia.tables.table import Progress, Recoding, no_progress

__all__ = ["plan_star"]


def plan_star(
    star: Star,
    picked: tuple[int, ...] | None = None,
    *,
    seconds: float | None = None,
    progress: Progress = no_progress,
) -> dict[str, RecodingPlan]:
    """The best node for all tables together, or the best found in some seconds, as a plan for each."""
    threshold = max([1, *(model.least_rows for model in star.models)])
    before = star.look(tuple(0 for _ in star.attributes))
    found = star.best(picked, seconds=seconds, progress=progress)
    risk = class_risk(before.sizes, threshold=threshold)
    told = _told(star, found)
    return {
        branch.name: _plan(star, number, found, before=risk, details=told)
        for number, branch in enumerate(star.branches)
    }


def _plan(star: Star, number: int, found: StarNode, *, before: Any, details: dict[str, Any]) -> RecodingPlan:
    branch = star.branches[number]
    task, domain = branch.task, branch.domain
    levels = star.levels(branch, found.node)
    gone, shown_rows = star.rows_of(number, found.suppressed)
    table = None
    if gone:
        people = star.people.filter(found.suppressed)
        table = apply_layer(task.table, ExcludePeople(task.table, branch.person, people))
    shown = dict(zip(domain.names, levels, strict=True))
    return RecodingPlan(
        recoding=_recoding(branch, levels),
        rows=domain.rows + domain.excluded - gone,
        excluded=domain.excluded - (gone - shown_rows),
        suppressed=0,
        classes=None,
        before=before,
        measures={task.measure: found.cost},
        shown={
            name: say("level {level} of {height}", level=level, height=column.height)
            for column, (name, level) in zip(domain.columns, shown.items(), strict=True)
        },
        reasons=task.reasons,
        details={"node": shown, "people": {**details, "rows of people left out": gone}},
        note=join_texts("; ", [_note(star, task.measure), say("people are compared by all their rows")]),
        hierarchies=task.hierarchies,
        table=table,
        counts_people=True,
        left_out=gone,
    )


def _note(star: Star, measure: str) -> str:
    """How sure it is that there is no better node."""
    if star.is_proven:
        return say(
            "no node with a lower {measure} keeps the promises (proven); {count:,} nodes looked at",
            measure=measure,
            count=star.checks,
        )
    return say(
        "not proven to be the lowest {measure}; {count:,} nodes looked at", measure=measure, count=star.checks
    )


def _recoding(branch: Branch, levels: tuple[int, ...]) -> Recoding:
    maps = {
        column.name: {
            value: column.labels[level][code]
            for value, code in zip(column.values, column.levels[level], strict=True)
        }
        for column, level in zip(branch.domain.columns, levels, strict=True)
        if level > 0 or column.is_respelled
    }
    bare = bare_recoding(branch.domain, branch.task.dropped)
    unified = tuple(name for name in bare.unified if name != branch.person)
    return replace(bare, maps=maps, unified=unified)


def _told(star: Star, found: StarNode) -> dict[str, Any]:
    kept = found.sizes[~found.bad]
    return {
        "tables": [branch.name for branch in star.branches],
        "compared": True,
        "people": len(star.people),
        "left out": int(found.sizes[found.bad].sum()),
        "classes": len(kept),
        "smallest class": int(np.min(kept)),
        "rows are counted": [branch.name for branch in star.branches if branch.is_counted],
    }
