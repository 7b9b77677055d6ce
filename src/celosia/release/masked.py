"""What operations promise, checked on what was written."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from celosia.machine import usable_cores
from celosia.mask import ColumnOperation
from celosia.mask.masking import plain_values
from celosia.release.verify import Finding
from celosia.say import say, say_count
from celosia.tables.location import is_on_cluster
from celosia.tables.table import Progress, Table, no_progress

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable

__all__ = ["count_written", "verify_masked"]

FEW = 1 << 12
"""Different values of a column that are remembered."""


def verify_masked(
    table: Table,
    chains: Mapping[str, Sequence[ColumnOperation]],
    *,
    dropped: Sequence[str] = (),
    missing: Sequence[str] = (),
    progress: Progress = no_progress,
) -> tuple[Finding, ...]:
    """A finding for every column with operations, and for those that were to be dropped.

    Values are read back in batches and every last operation of a chain is asked whether they can come from it; texts
    in ``missing`` mean a missing value.

    >>> from celosia.mask import make_operation
    >>> from celosia.tables import open_table
    >>> written = open_table(pl.DataFrame({"paid": [1200, 990]}))
    >>> verify_masked(written, {"paid": [make_operation("round", to=100)]})[0].text
    "1 different value of 'paid' not rounded to 100"
    """
    present = [name for name in dropped if name in table.columns()]
    shown = ", ".join(map(repr, present))
    text = (
        say("columns that were to be dropped are in the release: {columns}", columns=shown)
        if present
        else say("no dropped column is left")
    )
    findings = [Finding("dropped columns", None, 0, len(present), 0, not present, text)] if dropped else []
    checked = {name: chain[-1] for name, chain in chains.items() if chain and name in table.columns()}
    columns = [_ReadColumn(name, operation, missing) for name, operation in checked.items()]
    progress(say("verifying operations"), 0.5)
    broken = _broken_on_cluster(table, columns) if is_on_cluster(table) else _broken_here(table, columns)
    for name, operation in checked.items():
        n, description = broken[name], operation.describe()
        text = (
            say_count(
                "{count} different value of {column!r} not {what}",
                "{count} different values of {column!r} not {what}",
                n,
                column=name,
                what=description,
            )
            if n
            else say("{column!r}: {what}", column=name, what=description)
        )
        findings.append(Finding(f"operation {operation.name}", name, 0, n, 0, n == 0, text))
    return tuple(findings)


def _broken_here(table: Table, columns: Sequence["_ReadColumn"]) -> dict[str, int]:
    with ThreadPoolExecutor(max_workers=usable_cores()) as pool:
        for batch in table.scan([column.name for column in columns]) if columns else ():
            for done in [pool.submit(column.look_at, batch) for column in columns]:
                done.result()
    return {column.name: column.broken for column in columns}


def _broken_on_cluster(table: "SparkTable", columns: Sequence["_ReadColumn"]) -> dict[str, int]:
    """Looked at where the values are; only if some are broken are those told apart that several machines found."""
    names = [column.name for column in columns]
    broken = dict(zip(names, table.tally(names, _Columns(tuple(columns))), strict=True))
    for column in columns:
        if broken[column.name]:
            alone = [column.name]
            (broken[column.name],) = table.distinct(alone).tally(alone, _Columns((column,)))
    return broken


@dataclass(frozen=True)
class _Columns:
    """Columns of one part of a table, which another machine reads back."""

    columns: tuple["_ReadColumn", ...]

    def __call__(self, batch: pl.DataFrame) -> list[int]:
        before = [column.broken for column in self.columns]
        for column in self.columns:
            column.look_at(batch)
        return [column.broken - n for column, n in zip(self.columns, before, strict=True)]


@dataclass
class _ReadColumn:
    """A column that is read back; values are looked at once while those that differ are few."""

    name: str
    operation: ColumnOperation
    missing: Sequence[str]
    broken: int = 0
    seen: pl.Series | None = None

    def look_at(self, batch: pl.DataFrame) -> None:
        """Count the values of a batch that cannot come from the operation."""
        values = plain_values(batch.get_column(self.name).alias("").unique(), self.missing).drop_nulls()
        if self.seen is not None:
            values = values.filter(~values.is_in(self.seen.implode()))
        if not len(values):
            return
        known = values if self.seen is None else pl.concat([self.seen, values])
        self.seen = known if len(known) <= FEW else self.seen
        if self.operation.replacement is not None:
            values = values.filter(values.cast(pl.String) != self.operation.replacement)
        self.broken += self.operation.broken(values)


def count_written(table: Table) -> int:
    """The rows of a release, counted by reading it: what a file says of itself is not asked."""
    if is_on_cluster(table):
        return table.count_read()
    return sum(batch.height for batch in table.scan(table.columns()[:1]))
