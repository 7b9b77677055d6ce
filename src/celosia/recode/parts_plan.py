"""Mondrian for a table that does not fit in memory: every part by itself, and what all of them cost together."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl

from celosia.errors import ProjectError
from celosia.machine import free_memory
from celosia.recode.local import Costs, local_recoding
from celosia.recode.mondrian import Partition, Rules, mondrian
from celosia.recode.rothko import Need, Parts, plan_parts
from celosia.recode.space import Space
from celosia.recode.task import Task
from celosia.tables import FileTable, FrameTable, open_table
from celosia.tables.table import Recoding
from celosia.tables.where import is_in_database

__all__ = ["find_parts"]

SHARE_FOR_PARTS = 0.6
"""Of the memory allowed, beyond what the libraries take: for recoding a part. The rest is for rows on their way."""
LEAST = 700_000_000
"""Less cannot be kept to: the libraries take half of it, and the batches in which files are read their part."""
SURELY_FITS = 100
"""A table that takes a hundredth of the memory allowed is not measured any closer."""


def find_parts(
    task: Task,
    rules: Rules,
    memory: int | None,
    released: Callable[[Partition], pl.DataFrame],
    with_target: Callable[[Space], Space],
) -> tuple[Parts, Costs] | None:
    """The parts of a table that is too large for ``memory``, and their costs, which grow as they are recoded.

    None if it fits, or if there is no file to write to: then there is nowhere to keep rows meanwhile.
    """
    table = task.table
    if task.folder is None or not (isinstance(table, FileTable | FrameTable) or is_in_database(table)):
        return None
    if memory is not None and memory < LEAST:
        raise ProjectError(
            f"{memory // 10**6:,} MB of memory are less than rows on their way take",
            where="memory",
            remedy=f"allow {LEAST // 10**6} MB or more",
        )
    budget = memory if memory is not None else (free_memory() or 8 << 30) // 2
    if not isinstance(table, FrameTable) and SURELY_FITS * table.reader.size()[1] + Need.FIXED < budget:
        return None
    parts = plan_parts(
        table,
        quasi_identifiers=task.quasi_identifiers,
        types=task.types,
        hierarchies=task.own_hierarchies,
        rules=rules,
        budget=budget,
        share=SHARE_FOR_PARTS,
        folder=Path(task.folder),
        missing=task.missing,
        unknown=task.unknown,
        progress=task.progress,
    )
    if parts is None:
        return None
    spare = max(1 << 24, (budget - Need.FIXED) // 10)
    costs = Costs(task.weights)
    found = replace(parts, spare=spare)
    markers = (table.options if isinstance(table, FrameTable) else table.reader.options).missing

    def recode_part(frame: pl.DataFrame, own: Rules) -> Recoding:
        counts = open_table(frame, missing=markers).count_by(list(found.columns))
        space = with_target(found.widen(task.space(counts)))
        partition = mondrian(space, own)
        costs.add(partition)
        return local_recoding(partition, counts, released(partition))

    return found.recoded_by(recode_part), costs
