"""The first rows of a table beside what a release makes of them: rows of a release come in another order."""

from collections.abc import Sequence
from itertools import islice
from typing import TypedDict

import numpy as np
import polars as pl

from celosia.release.prepared_table import PreparedTable
from celosia.tables.recoder import Recoder
from celosia.tables.table import Recoding
from celosia.values.named import named

__all__ = ["RowsBeforeAfter", "rows_before_after"]

TextRow = list[str | None]


class RowsBeforeAfter(TypedDict):
    """Rows as texts, before and after: ``released`` are the columns of those after, of which None stayed behind."""

    columns: list[str]
    released: list[str]
    before: list[TextRow]
    after: list[TextRow | None]


def rows_before_after(job: PreparedTable, recoding: Recoding, *, most: int = 20) -> RowsBeforeAfter:
    """Some rows as they are and as they leave, all values as texts; a row that stays behind becomes None.

    Only for eyes that may see the table: the rows of both sides stand beside each other.

    >>> from celosia.project import make_project
    >>> from celosia.release.open_source import opened_table
    >>> people = pl.DataFrame({"id": [1], "age": [31]})
    >>> project = make_project(tables={"people": {"columns": {"id": {"role": "identifier"}}}})
    >>> ages = Recoding(dropped=("id",), maps={"age": {31: "[30-39]"}})
    >>> with opened_table(project, source=people) as job:
    ...     found = rows_before_after(job, ages)
    >>> found["before"], found["after"]
    ([['1', '31']], [['[30-39]']])
    """
    names = tuple(job.source.columns())
    batches = list(islice(job.source.scan(names), 1))
    if not batches:
        return {"columns": list(names), "released": [], "before": [], "after": []}
    frame = batches[0].head(most)
    masked, kept = _through_operations(job, frame)
    recoder = Recoder(
        recoding,
        tuple(masked.columns),
        missing=job.plan.source.missing,
        dtypes=dict(masked.schema),
        parsers=job.table.parsers_of(recoding.looked_at),
        where=job.table.name,
    )
    recoded = recoder.apply(masked)
    stays = np.ones(masked.height, np.bool_) if recoded.kept is None else recoded.kept
    after: list[TextRow | None] = [None] * frame.height
    for place, row, stayed in zip(kept, _texts(recoded.frame), stays, strict=True):
        if stayed:
            after[int(place)] = row
    return {
        "columns": list(names),
        "released": list(recoded.frame.columns),
        "before": _texts(frame),
        "after": after,
    }


def _through_operations(job: PreparedTable, frame: pl.DataFrame) -> tuple[pl.DataFrame, Sequence[int]]:
    """What operations leave of the rows, and which rows those are."""
    everyone = np.arange(frame.height)
    if job.masking is None:
        return frame, everyone.tolist()
    names = job.masking.names
    change = job.masking.begin(names)
    masked, kept = change(frame.select(named(*job.masking.needs(names))))
    return masked, (everyone if kept is None else everyone[kept.to_numpy()]).tolist()


def _texts(frame: pl.DataFrame) -> list[TextRow]:
    return [list(row) for row in frame.select(pl.all().cast(pl.String)).rows()]
