"""Mondrian: cut the people in two along one column, and each part again, while both sides stay safe."""

import time
from dataclasses import replace
from typing import ClassVar

from pydantic import Field, model_validator

from celosia.errors import ProjectError
from celosia.measure.risk import class_risk
from celosia.recode.local import label_loss, local_recoding, partition_measures
from celosia.recode.mondrian import CutRules, Partition, Split, Width, judge_whole, load_loops, mondrian
from celosia.recode.parts_plan import (
    check_memory,
    find_parts,
    find_search_location,
    is_counted,
    typed_columns,
)
from celosia.recode.represent import Represent, choose, represent
from celosia.recode.rothko import MemoryNeed, TableParts
from celosia.recode.search_location import SearchLocation
from celosia.recode.space import Space
from celosia.recode.target import with_target
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.technique import RecodingPlan, Technique
from celosia.say import say
from celosia.tables.location import is_in_database, is_on_cluster
from celosia.tables.recoder import check_columns
from celosia.tables.table import Counts, Recoding
from celosia.types import ColumnType

__all__ = ["Mondrian"]


class Mondrian(Technique):
    """Mondrian: classes are boxes, each as small as the privacy models allow.

    Numbers and dates need no hierarchy: they are cut where it is best, and released as the range that the class
    really holds or as one number of the same type, so that the release can be analysed like the original. Columns
    with a hierarchy show the lowest label that covers their class. It loses less than one level for all.
    """

    name: ClassVar[str] = "mondrian"
    suppresses: ClassVar[bool] = False

    split: Split = Field(
        default=Split.LOSS,
        description="where parts are cut: loss (the default), median, up-to-median, distribution, or gain towards "
        "--target",
    )
    represent: Represent = Field(
        default=Represent.RANGE,
        description="what a class shows of numbers and dates: range (the default), node, mode, median or mean",
    )
    width: Width = Field(
        default=Width.SHARE,
        description="which column is widest: share of its whole range (the default), or range in deviations",
    )
    relaxed: bool = Field(
        default=False, description="people with the same value may fall on both sides of a cut"
    )
    target: str | None = Field(default=None, description="the column that cuts by gain are to tell about")
    memory: int | None = Field(
        default=None,
        gt=0,
        description="bytes that may be taken, as in 2GB; a share of what is free by default",
    )

    @model_validator(mode="after")
    def _fits_together(self) -> "Mondrian":
        if (self.split is Split.GAIN) != (self.target is not None):
            raise ValueError(say("a target and the split gain go together"))
        if self.relaxed and self.split is Split.DISTRIBUTION:
            raise ValueError(say("the split distribution keeps equal values together, relaxed does not"))
        return self

    def check(self, task: RecodingTask) -> None:
        """Raise if something is asked for that it does not do."""
        task.refuse_levels(self.name)
        task.refuse_models(self.name)
        if self.relaxed and task.person is not None:
            raise ProjectError(
                say(
                    "people are counted where rows with the same values stay together, and relaxed parts them"
                ),
                where="relaxed",
                remedy=say("leave it out"),
            )
        if task.suppression:
            raise ProjectError(
                say("{technique} suppresses no rows", technique=self.name),
                where="suppression",
                remedy=say("leave it out, or use technique local or full-domain"),
            )
        if task.measure != "loss":
            raise ProjectError(
                say(
                    "{technique} is led by its split, not by {measure}",
                    technique=self.name,
                    measure=task.measure,
                ),
                where="measure",
                remedy=say("leave it out, or use technique local or full-domain"),
            )
        if self.memory is not None:
            check_memory(self.memory)
        if self.memory is not None and task.folder is None and not is_on_cluster(task.table):
            raise ProjectError(
                say("memory is limited for files, and there is none to write to"),
                where="memory",
                remedy=say("say where to write (out), or leave it out"),
            )
        if self.target is not None:
            check_columns((self.target,), task.table.columns(), where=task.table.name)
        if self.target in (*task.quasi_identifiers, *task.dropped):
            raise ProjectError(
                say("the target {target!r} is a quasi-identifier or an identifier", target=self.target),
                where="target",
                remedy=say("name a sensitive or common column, one that models are to predict"),
            )

    def try_out(self, task: RecodingTask) -> None:
        """Raise whatever the first cut would; a table that is recoded part by part is not read for that."""
        self.check(task)
        if not is_counted(task, self.memory):
            return
        rules = self.rules(task)
        judge_whole(with_target(task.space(self.count(task)), self.target, task.types), rules)

    def count(self, task: RecodingTask) -> Counts:
        """The combinations of all columns that matter, the target's among them."""
        return task.count_rows(() if self.target is None else (self.target,))

    def plan(self, task: RecodingTask) -> RecodingPlan:
        """Cut, and say what every class shows."""
        self.check(task)
        started = time.perf_counter()
        rules = self.rules(task)
        if not is_on_cluster(task.table):
            load_loops(self.split, cells=_most_cells(task))
        road = find_search_location(task, rules, self.memory)
        parts = find_parts(task, rules, self.memory, shown=self.represent, road=road)
        if parts is not None:
            return self.plan_large(task, parts, road)
        plan = self.plan_counted(task, self.count(task), started)
        return plan if road is None else replace(plan, note=road.text)

    def plan_large(self, task: RecodingTask, parts: TableParts, road: SearchLocation | None) -> RecodingPlan:
        """The plan for a table that is recoded part by part; what it costs is known at the end."""
        rows = sum(parts.rows) + parts.excluded
        task.check_rows(rows)
        why = say("too large for the memory allowed") if road is None else road.text
        why = say("people with the same values may part") if road is not None and self.relaxed else why
        return RecodingPlan(
            recoding=Recoding(dropped=task.dropped, parts=parts),
            rows=rows,
            excluded=parts.excluded,
            suppressed=0,
            classes=None,
            before=class_risk(parts.sizes[0], times=parts.sizes[1], threshold=task.threshold),
            measures=parts.costs,
            shown=dict.fromkeys(task.quasi_identifiers, say("recoded in {count} parts", count=parts.count)),
            reasons={name: reason for name, (_, reason) in task.named_hierarchies.items()},
            details={
                "split": str(self.split),
                "represent": str(self.represent),
                "parts": parts.count,
                "largest part": max(parts.rows),
            },
            note=say(
                "{reason}: cut into {count} parts where it lies, then each recoded",
                reason=why,
                count=parts.count,
            ),
            hierarchies=task.own_hierarchies,
            memory=5 * parts.spare,
            typed=typed_columns(task, self.represent),
        )

    def plan_counted(self, task: RecodingTask, counts: Counts, started: float) -> RecodingPlan:
        """The plan for a table that fits in memory."""
        rules = self.rules(task)
        space = with_target(task.space(counts), self.target, task.types)
        partition = mondrian(space, rules, progress=task.progress)
        released = represent(partition, self.represent, task.keep_type)
        return RecodingPlan(
            recoding=local_recoding(partition, counts, released, dropped=task.dropped, person=task.person),
            rows=counts.rows,
            excluded=space.excluded,
            suppressed=0,
            classes=len(released.unique()),
            before=class_risk(counts.sizes(task.quasi_identifiers), threshold=task.threshold),
            measures=partition_measures(partition, task.weights),
            compared={"loss": label_loss(partition, task.weights, nodes=self.nodes(task, space))},
            shown=self.describe(task, partition),
            reasons={name: reason for name, (_, reason) in task.named_hierarchies.items()},
            details={
                "split": str(self.split),
                "represent": str(self.represent),
                "boxes": len(partition),
                "seconds": round(time.perf_counter() - started, 4),
            },
            hierarchies=task.own_hierarchies,
            memory=None if self.memory is None else max(1 << 26, (self.memory - MemoryNeed.FIXED) // 2),
            typed=tuple(
                axis.name
                for axis in space.axes
                if choose(axis, self.represent, task.keep_type.get(axis.name)).keeps_type
            ),
        )

    def rules(self, task: RecodingTask) -> CutRules:
        """How parts are cut."""
        return CutRules(
            models=task.models,
            split=self.split,
            width=self.width,
            is_relaxed=self.relaxed,
            target=self.target,
            hierarchies=task.own_hierarchies,
            weights=task.weights,
            person=task.person,
        )

    def nodes(self, task: RecodingTask, space: Space) -> list[str]:
        """Columns of which classes show the label that covers them."""
        shown = {
            axis.name: choose(axis, self.represent, task.keep_type.get(axis.name)) for axis in space.axes
        }
        return [name for name, how in shown.items() if how is Represent.NODE]

    def describe(self, task: RecodingTask, partition: Partition) -> dict[str, str]:
        """What every column shows, and how much of it is lost."""
        shown = {}
        for number, axis in enumerate(partition.space.axes):
            how = choose(axis, self.represent, task.keep_type.get(axis.name))
            shares = axis.shares(partition.low[:, number].astype(int), partition.high[:, number].astype(int))
            lost = float(shares @ partition.rows) / max(1, partition.space.rows)
            kept = _say_shown(how, lost)
            shown[axis.name] = (
                say("{type}, {shown}", type=TYPES[axis.type], shown=kept) if how.keeps_type else kept
            )
        return shown


TYPES: dict[ColumnType, str] = {
    ColumnType.TEXT: say("text"),
    ColumnType.INTEGER: say("integer"),
    ColumnType.REAL: say("real"),
    ColumnType.DECIMAL: say("decimal"),
    ColumnType.BOOLEAN: say("boolean"),
    ColumnType.DATE: say("date"),
    ColumnType.DATETIME: say("datetime"),
    ColumnType.OTHER: say("other"),
}


def _say_shown(how: Represent, share: float) -> str:
    """What classes show of a column, which covers so much of it."""
    match how:
        case Represent.RANGE:
            return say("range of each class; covers {share:.2%} of the column on average", share=share)
        case Represent.NODE:
            return say("node of each class; covers {share:.2%} of the column on average", share=share)
        case Represent.MODE:
            return say("mode of each class; covers {share:.2%} of the column on average", share=share)
        case Represent.MEDIAN:
            return say("median of each class; covers {share:.2%} of the column on average", share=share)
    return say("mean of each class; covers {share:.2%} of the column on average", share=share)


def _most_cells(task: RecodingTask) -> int | None:
    """Points times columns that there can be; None where somebody else would have to be asked."""
    reader = getattr(task.table, "reader", None)
    if reader is None or is_in_database(task.table):
        return None
    rows, _ = reader.size()
    return int(rows) * len(task.quasi_identifiers)
