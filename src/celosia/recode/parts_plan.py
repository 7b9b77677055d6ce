"""Mondrian for a table that does not fit in memory: every part by itself, and what all of them cost together."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from celosia.errors import ProjectError
from celosia.machine import free_memory
from celosia.recode.local import PartitionCosts, local_recoding
from celosia.recode.mondrian import CutRules, Partition
from celosia.recode.represent import Represent, choose, represent
from celosia.recode.rothko import MemoryNeed, TableParts, plan_parts
from celosia.recode.search_location import SearchLocation
from celosia.recode.space import Axis, Space, build_space, read_values
from celosia.recode.task import RecodingTask
from celosia.say import say
from celosia.tables import FileTable, FrameTable, open_table
from celosia.tables.location import is_in_database, is_on_cluster
from celosia.tables.table import Counts, Progress, Recoding, no_progress
from celosia.types import ColumnType

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable

__all__ = ["Partitioner", "check_memory", "find_parts", "find_search_location", "is_counted", "typed_columns"]

SHARE_FOR_PARTS = 0.6
"""Of the memory allowed, beyond what the libraries take: for recoding a part. The rest is for rows on their way."""
LEAST = 700_000_000
"""Less cannot be kept to: the libraries take half of it, and the batches in which files are read their part."""
SURELY_FITS = 100
"""A table that takes a hundredth of the memory allowed is not measured any closer."""
MOST_HERE = 1_000_000
"""Combinations of a table on a cluster that are cut on the driver: every worker has to hold the class of each."""
ROWS_WORTH_A_PART = 100_000
"""Fewer rows are cut sooner than a cluster finds one more cut to share them out."""


class Partitioner(Protocol):
    """What puts the points of a space into classes that satisfy the models."""

    def __call__(self, space: Space, rules: CutRules, *, progress: Progress = no_progress) -> Partition:
        """The classes."""


def check_memory(memory: int) -> None:
    """Raise if so few bytes cannot be kept to."""
    if memory < LEAST:
        raise ProjectError(
            say("{memory:,} MB of memory are less than rows on their way take", memory=memory // 10**6),
            where="memory",
            remedy=say("allow {least} MB or more", least=LEAST // 10**6),
        )


def is_counted(task: RecodingTask, memory: int | None) -> bool:
    """Whether all of a table is surely counted at once, in memory and on this machine."""
    if is_on_cluster(task.table):
        return False
    return isinstance(task.table, FrameTable) or _room_here(task, memory) is None


def find_search_location(task: RecodingTask, rules: CutRules, memory: int | None) -> SearchLocation | None:
    """Whether a table on a cluster is cut on the driver or there; None if it is on no cluster."""
    road = task.road_of(() if rules.target is None else (rules.target,))
    if road is None:
        return None
    most = min(road.most, MOST_HERE)
    need = MemoryNeed(len(task.quasi_identifiers), sensitive=len(task.modelled))
    if memory is not None:
        most = min(most, int((memory - MemoryNeed.FIXED) / need.per_row))
    # People with the same values who part are told apart where all of them are, which only parts can say.
    return replace(road, most=0 if rules.is_relaxed else max(0, most))


def find_parts(
    task: RecodingTask,
    rules: CutRules,
    memory: int | None,
    *,
    shown: Represent,
    prepare: Callable[[Space], Space],
    partition: "Partitioner",
    road: SearchLocation | None = None,
) -> TableParts | None:
    """The parts of a table that is too large for ``memory``; what they cost grows as they are recoded.

    The space of a part is prepared, and then parted into classes.

    None if it fits, or if there is no file to write to: then there is nowhere to keep rows meanwhile.
    """
    if memory is not None:
        check_memory(memory)
    table: Any = task.table
    room = _room_on_cluster(table, memory, road) if is_on_cluster(table) else _room_here(task, memory)
    if room is None:
        return None
    budget, wanted = room
    parts = plan_parts(
        table,
        quasi_identifiers=task.quasi_identifiers,
        types=task.types,
        hierarchies=task.own_hierarchies,
        rules=rules,
        budget=budget,
        share=SHARE_FOR_PARTS,
        folder=Path(task.folder or tempfile.gettempdir()),
        missing=task.missing,
        unknown=task.unknown,
        wanted=wanted,
        progress=task.progress,
    )
    if parts is None:
        return None
    found = replace(
        parts,
        spare=max(1 << 24, (budget - MemoryNeed.FIXED) // 10),
        shown={name: _shown_type(task, name, shown) for name in task.quasi_identifiers},
        costs=PartitionCosts(task.weights),
    )
    return found.recoded_by(_recoder(task, found, prepare, partition, shown))


def _room_here(task: RecodingTask, memory: int | None) -> tuple[int, int] | None:
    """Bytes that recoding may take; None if all of a table surely fits, or there is nowhere to keep rows meanwhile."""
    table = task.table
    if task.folder is None or not (isinstance(table, FileTable | FrameTable) or is_in_database(table)):
        return None
    budget = memory if memory is not None else (free_memory() or 8 << 30) // 2
    if not isinstance(table, FrameTable) and SURELY_FITS * table.reader.size()[1] + MemoryNeed.FIXED < budget:
        return None
    return budget, 0


def _room_on_cluster(
    table: "SparkTable", memory: int | None, road: SearchLocation | None
) -> tuple[int, int] | None:
    """Bytes that a worker may take, and how many parts the cores want to share; None if all is cut on the driver."""
    from celosia.tables.spark.parts import worker_memory

    if road is None or not road.is_large:
        return None
    budget = memory if memory is not None else max(LEAST, worker_memory(table.spark))
    cores = table.spark.sparkContext.defaultParallelism
    return budget, max(1, min(2 * cores, table.count() // ROWS_WORTH_A_PART))


def typed_columns(task: RecodingTask, shown: Represent) -> tuple[str, ...]:
    """Quasi-identifiers whose classes show values of the column's own type, known before there are any."""
    return tuple(
        name
        for name in task.quasi_identifiers
        if choose(_empty_axis(task, name), shown, task.keep_type.get(name)).keeps_type
    )


def _shown_type(task: RecodingTask, name: str, shown: Represent) -> pl.DataType:
    """The type of what classes show of a column, known before there are any."""
    if name not in typed_columns(task, shown):
        return pl.String()
    axis = _empty_axis(task, name)
    return pl.Boolean() if axis.type is ColumnType.BOOLEAN else axis.values.dtype


def _empty_axis(task: RecodingTask, name: str) -> Axis:
    kind = task.types.get(name, ColumnType.TEXT)
    values = read_values(pl.Series([], dtype=pl.String), kind, name=name)
    return Axis(name, kind, values, np.zeros(0), task.own_hierarchies.get(name))


def _recoder(
    task: RecodingTask,
    parts: TableParts,
    prepare: Callable[[Space], Space],
    partition: "Partitioner",
    shown: Represent,
) -> "_PartRecoder":
    table: Any = task.table
    options = table.options if isinstance(table, FrameTable) else table.reader.options
    return _PartRecoder(
        parts,
        options.missing,
        partial(
            build_space,
            quasi_identifiers=task.quasi_identifiers,
            types=task.types,
            hierarchies=task.own_hierarchies,
            missing=task.missing,
            unknown=task.unknown,
            where=table.name,
            person=task.person,
        ),
        prepare,
        partition,
        partial(represent, asked=shown, keep_type=dict(task.keep_type)),
    )


@dataclass(frozen=True)
class _PartRecoder:
    """Recodes the rows of one part. It holds no table, so that other machines can do it, too."""

    parts: TableParts
    markers: tuple[str, ...]
    space: Callable[[Counts], Space]
    prepare: Callable[[Space], Space]
    partition: "Partitioner"
    released: Callable[[Partition], pl.DataFrame]

    def __call__(self, frame: pl.DataFrame, rules: CutRules) -> Recoding:
        counts = open_table(frame, missing=self.markers).count_by(list(self.parts.columns))
        space = self.prepare(self.parts.widen(self.space(counts)))
        partition = self.partition(space, rules)
        self.parts.costs.add(partition)
        return local_recoding(partition, counts, self.released(partition), person=rules.person)
