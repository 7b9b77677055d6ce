"""What techniques with classes of their own have in common: parameters, checks, and the plan of a release."""

import time
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import Thread
from typing import Any, ClassVar

from pydantic import Field

from celosia.errors import ProjectError
from celosia.measure.risk import class_risk
from celosia.recode.local import label_loss, local_recoding, partition_measures
from celosia.recode.mondrian import CutRules, Partition, Split, judge_whole, load_loops
from celosia.recode.parts_plan import (
    Partitioner,
    check_memory,
    find_parts,
    find_search_location,
    is_counted,
    typed_columns,
)
from celosia.recode.represent import Represent, choose, represent
from celosia.recode.rothko import MemoryNeed, TableParts
from celosia.recode.search_location import SearchLocation
from celosia.recode.space import Space, with_sets
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.technique import RecodingPlan, Technique
from celosia.say import join_texts, say
from celosia.tables.location import is_in_database, is_on_cluster
from celosia.tables.table import Counts, Recoding
from celosia.types import ColumnType

__all__ = ["Multidimensional", "most_cells"]


class Multidimensional(Technique):
    """A technique that finds classes of its own for all quasi-identifiers together, and says what each shows."""

    suppresses: ClassVar[bool] = False

    represent: Represent = Field(
        default=Represent.RANGE,
        description="what a class shows: range (the default), set, node, mode, median or mean",
    )
    memory: int | None = Field(
        default=None,
        gt=0,
        description="bytes that may be taken, as in 2GB; a share of what is free by default",
    )

    @abstractmethod
    def rules(self, task: RecodingTask) -> CutRules:
        """What every class has to satisfy, and how parts are cut."""

    @abstractmethod
    def partitioner(self, task: RecodingTask) -> Partitioner:
        """How classes are found in a space; it holds no table, so that other machines can do it, too."""

    @property
    @abstractmethod
    def details(self) -> Mapping[str, Any]:
        """What the record says of how classes were found."""

    @abstractmethod
    def say_led(self, measure: str) -> str:
        """That it is led by something else than a measure that was asked for."""

    def say_price(self, task: RecodingTask) -> str:
        """What a reader of the release should know of how its classes were found; empty if nothing."""
        return ""

    def load_loops(self, task: RecodingTask) -> Thread | None:
        """Have the compiled loops loaded while rows are counted."""
        return load_loops(Split.LOSS, cells=most_cells(task))

    def check(self, task: RecodingTask) -> None:
        """Raise if something is asked for that it does not do."""
        task.refuse_levels(self.name)
        task.refuse_models(self.name)
        if task.suppression:
            raise ProjectError(
                say("{technique} suppresses no rows", technique=self.name),
                where="suppression",
                remedy=say("leave it out, or use technique local or full-domain"),
            )
        if task.measure != "loss":
            raise ProjectError(
                self.say_led(task.measure),
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

    def try_out(self, task: RecodingTask) -> None:
        """Raise whatever the first cut would; a table that is recoded part by part is not read for that."""
        self.check(task)
        if not is_counted(task, self.memory):
            return
        judge_whole(self.prepare(task, task.space(self.count(task))), self.rules(task))

    def count(self, task: RecodingTask) -> Counts:
        """The combinations of all columns that matter."""
        return task.count_rows()

    def prepare(self, task: RecodingTask, space: Space) -> Space:
        """The space in which classes are looked for."""
        return self.preparation(task)(space)

    def preparation(self, task: RecodingTask) -> Callable[[Space], Space]:
        """What is done to a space first; it holds no table, so that other machines can do it, too."""
        return with_sets if self.represent is Represent.SET else _as_it_is

    def plan(self, task: RecodingTask) -> RecodingPlan:
        """Cut, and say what every class shows."""
        self.check(task)
        started = time.perf_counter()
        rules = self.rules(task)
        if not is_on_cluster(task.table):
            self.load_loops(task)
        road = find_search_location(task, rules, self.memory)
        parts = find_parts(
            task,
            rules,
            self.memory,
            shown=self.represent,
            road=road,
            prepare=self.preparation(task),
            partition=self.partitioner(task),
        )
        if parts is not None:
            return self.plan_large(task, parts, road)
        plan = self.plan_counted(task, self.count(task), started)
        return (
            plan
            if road is None
            else replace(plan, note=join_texts("; ", filter(None, [road.text, plan.note])))
        )

    def plan_here(self, task: RecodingTask) -> RecodingPlan:
        """Cut what was counted, also where people with the same values part, which a cluster is not told by a plan."""
        return self.plan_counted(task, self.count(task), time.perf_counter())

    def plan_large(self, task: RecodingTask, parts: TableParts, road: SearchLocation | None) -> RecodingPlan:
        """The plan for a table that is recoded part by part; what it costs is known at the end."""
        rows = sum(parts.rows) + parts.excluded
        task.check_rows(rows)
        why = say("too large for the memory allowed") if road is None else road.text
        parting = road is not None and parts.rules.is_relaxed
        why = say("people with the same values may part") if parting else why
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
                **self.details,
                "represent": str(self.represent),
                "parts": parts.count,
                "largest part": max(parts.rows),
            },
            note=join_texts(
                "; ",
                filter(
                    None,
                    [
                        say(
                            "{reason}: cut into {count} parts where it lies, then each recoded",
                            reason=why,
                            count=parts.count,
                        ),
                        self.say_price(task),
                    ],
                ),
            ),
            hierarchies=task.own_hierarchies,
            memory=5 * parts.spare,
            typed=typed_columns(task, self.represent),
        )

    def plan_counted(self, task: RecodingTask, counts: Counts, started: float) -> RecodingPlan:
        """The plan for a table that fits in memory."""
        space = self.prepare(task, task.space(counts))
        partition = self.partitioner(task)(space, self.rules(task), progress=task.progress)
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
                **self.details,
                "represent": str(self.represent),
                "boxes": len(partition),
                "seconds": round(time.perf_counter() - started, 4),
            },
            note=self.say_price(task),
            hierarchies=task.own_hierarchies,
            memory=None if self.memory is None else max(1 << 26, (self.memory - MemoryNeed.FIXED) // 2),
            typed=tuple(
                axis.name
                for axis in space.axes
                if choose(axis, self.represent, task.keep_type.get(axis.name)).keeps_type
            ),
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
            lost = float(partition.shares(number) @ partition.rows) / max(1, partition.space.rows)
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
        case Represent.SET:
            return say("set of each class; covers {share:.2%} of the column on average", share=share)
        case Represent.NODE:
            return say("node of each class; covers {share:.2%} of the column on average", share=share)
        case Represent.MODE:
            return say("mode of each class; covers {share:.2%} of the column on average", share=share)
        case Represent.MEDIAN:
            return say("median of each class; covers {share:.2%} of the column on average", share=share)
    return say("mean of each class; covers {share:.2%} of the column on average", share=share)


def _as_it_is(space: Space) -> Space:
    return space


def most_cells(task: RecodingTask) -> int | None:
    """Points times columns that there can be; None where somebody else would have to be asked."""
    reader = getattr(task.table, "reader", None)
    if reader is None or is_in_database(task.table):
        return None
    rows, _ = reader.size()
    return int(rows) * len(task.quasi_identifiers)
