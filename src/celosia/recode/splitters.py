"""How the rows of a release are counted: where they lie, in a database or on a cluster, over their file, or a copy."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import polars as pl

from celosia.recode.cuts import CutAxis, names_a_value
from celosia.recode.domain import MissingPolicy, UnknownPolicy, not_covered
from celosia.say import say
from celosia.tables.duckdb_engine import open_duck, place_sql, stage
from celosia.tables.file_table import FileTable
from celosia.tables.frame_table import FrameTable
from celosia.tables.location import is_in_database, is_on_cluster
from celosia.tables.splitter import Splitter, SqlSplitter
from celosia.tables.table import Progress
from celosia.values.text import missing_to_null, text_of

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = ["Cuttable", "first_rows", "most_rows", "open_sample", "open_splitter"]

Cuttable = Union[FileTable, FrameTable, "SqlTable", "SparkTable"]
"""Tables that can be cut where they lie."""
Opened = tuple[Splitter, int]
"""A splitter, and the rows of its table, those that leave the release among them."""


def most_rows(table: Cuttable) -> int:
    """The rows of a table, guessed generously where the file does not say."""
    if isinstance(table, FrameTable):
        return sum(batch.height for batch in table.scan(table.columns()[:1]))
    rows = table.reader.size()[0]
    is_exact = table.format is None or not table.format.holds_text
    return rows if is_exact else rows + rows // 2


def first_rows(table: Cuttable, columns: Sequence[str]) -> pl.DataFrame:
    """Some rows of a table."""
    if is_on_cluster(table):
        from celosia.tables.spark import splitting as on_cluster

        return on_cluster.first_rows(table, columns)
    if is_in_database(table):
        from celosia.tables.sql import splitting

        return splitting.first_rows(table, columns)
    return next(iter(table.scan(columns)), pl.DataFrame())


@contextmanager
def open_splitter(
    table: Cuttable,
    lines: tuple[CutAxis, ...],
    sensitive: tuple[str, ...],
    *,
    private: Path,
    memory: int,
    progress: Progress,
) -> Iterator[Opened]:
    """The rows of a release as an engine counts them, and how many rows the table has.

    A database or a Parquet file is asked in place where all columns mean the same to the engine as to us; of any other
    table the columns that matter are copied first, as our own reader sees them. A cluster makes such a copy itself.
    """
    if is_on_cluster(table):
        with _on_cluster(table, lines, sensitive) as opened_there:
            yield opened_there
        return
    if is_in_database(table):
        with _in_database(table, lines, sensitive, memory) as found:
            if found is not None:
                yield found
                return
    elif isinstance(table, FileTable):
        opened = _in_place(table, lines, sensitive, private=private, memory=memory)
        if opened is not None:
            with opened as splitter:
                yield splitter, table.reader.size()[0]
            return
    path, total = private / "rows.parquet", 0
    expected = most_rows(table)

    def copied() -> Iterator[pl.DataFrame]:
        nonlocal total
        for batch in table.scan([line.name for line in lines] + list(sensitive)):
            total += batch.height
            progress(say("copying columns"), min(1.0, total / expected))
            yield _copy(batch, lines, sensitive)

    stage(copied(), path)
    names, dtypes = [f"q{i}" for i in range(len(lines) + len(sensitive))], [line.dtype for line in lines]
    places, others = names[: len(lines)], names[len(lines) :]
    with open_duck(path, places, dtypes, others, folder=private, memory=memory, where=table.name) as splitter:
        yield splitter, total


@contextmanager
def open_sample(
    splitter: Splitter, lines: Sequence[CutAxis], sensitive: int, *, rows: int, private: Path, memory: int
) -> Iterator[Splitter | None]:
    """About so many of the rows, counted here; None where all are counted as soon."""
    engine: Any = getattr(splitter, "engine", None)
    if not hasattr(engine, "sample"):
        yield None
        return
    path = private / "sample.parquet"
    stage([engine.sample(rows)], path)
    names = [f"q{i}" for i in range(len(lines))], [f"s{i}" for i in range(sensitive)]
    dtypes = [line.dtype for line in lines]
    with open_duck(path, names[0], dtypes, names[1], folder=private, memory=memory) as found:
        yield found


@contextmanager
def _in_database(
    table: "SqlTable", lines: Sequence[CutAxis], sensitive: Sequence[str], memory: int
) -> Iterator[Opened | None]:
    """The database itself as the engine; None if a column has to be read by us."""
    from celosia.tables.sql.splitting import SqlAxis, open_engine
    from celosia.types import ColumnType

    kinds = {table.plain(name).type for name in (*(line.name for line in lines), *sensitive)}
    if names_a_value(lines[0].markers) and kinds != {ColumnType.TEXT}:
        yield None
        return
    asked = [SqlAxis(line.name, line.type, line.dtype, line.ordered, is_tree=line.is_tree) for line in lines]
    is_dropped = lines[0].missing is MissingPolicy.DROP
    with open_engine(table, asked, sensitive, drops_missing=is_dropped, memory=memory) as engine:
        if engine is None:
            yield None
            return
        for place, line in enumerate(lines):
            if line.unknown is UnknownPolicy.ERROR and (strange := engine.strange(place)):
                raise not_covered(line.name, pl.Series(strange))
        yield SqlSplitter(engine, tuple(line.dtype for line in lines), len(sensitive)), table.reader.size()[0]


@contextmanager
def _on_cluster(table: "SparkTable", lines: Sequence[CutAxis], sensitive: Sequence[str]) -> Iterator[Opened]:
    """Spark as the engine; it reads columns itself where they mean the same to it."""
    from celosia.tables.spark.splitting import SparkAxis, open_engine

    for line in lines:
        if line.hierarchy is not None:
            # Raises if it does not know some, and names all of them: a worker would see those of its own rows only.
            line.leaves_out(table.values_of(line.name))
    asked = [SparkAxis(line.name, line.type, line.dtype, line.is_plain) for line in lines]
    asked += [SparkAxis(name, None, pl.String(), not names_a_value(lines[0].markers)) for name in sensitive]
    read = partial(_copy, lines=tuple(lines), sensitive=tuple(sensitive))
    with open_engine(table, asked, read, drops_missing=lines[0].drops_missing) as engine:
        yield SqlSplitter(engine, tuple(line.dtype for line in lines), len(sensitive)), table.count()


def _in_place(
    table: FileTable,
    lines: Sequence[CutAxis],
    sensitive: Sequence[str],
    *,
    private: Path,
    memory: int,
) -> AbstractContextManager[Splitter] | None:
    """An engine over the file itself; None if a column has to be read by us."""
    if table.format.name != "parquet" or not table.is_plain:
        return None
    markers = lines[0].markers
    if names_a_value(markers) or any(line.hierarchy is not None for line in lines):
        return None
    dtypes = dict(zip(table.reader.names, table.reader.dtypes, strict=True))
    asked = [(line.name, line.type) for line in lines] + [(name, None) for name in sensitive]
    found = [place_sql(name, dtypes[name], kind, markers) for name, kind in asked]
    places = [one for one in found if one is not None]
    if len(places) < len(found):
        return None
    is_dropped = lines[0].missing is MissingPolicy.DROP
    return open_duck(
        table.path,
        [place for place, _ in places[: len(lines)]],
        [line.dtype for line in lines],
        [place for place, _ in places[len(lines) :]],
        kept=" AND ".join(f"q{i} IS NOT NULL" for i in range(len(lines))) if is_dropped else "TRUE",
        parameters=[text for _, texts in places for text in texts],
        folder=private,
        memory=memory,
        where=table.name,
    )


def _copy(batch: pl.DataFrame, lines: Sequence[CutAxis], sensitive: Sequence[str]) -> pl.DataFrame:
    """The rows that stay, as the engine will see them."""
    columns = [line.read(batch.get_column(line.name)) for line in lines]
    for name in sensitive:
        column = batch.get_column(name)
        texts = missing_to_null(text_of(pl.nth(0), column.dtype, column=name), lines[0].markers)
        columns.append(column.to_frame().select(texts.alias("")).to_series())
    kept = np.ones(batch.height, bool)
    for line in lines:
        gone = line.leaves_out(batch.get_column(line.name))
        kept &= ~gone if gone is not None else True
    return pl.DataFrame([c.alias(f"q{i}") for i, c in enumerate(columns)]).filter(pl.Series(kept))
