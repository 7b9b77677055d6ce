"""Rows that are counted where they lie, part by part, by an engine that needs little memory: DuckDB over one file."""

import glob
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from celosia.errors import ProjectError, TableError
from celosia.machine import usable_cores
from celosia.say import say
from celosia.tables.splitter import SplitDialect, SqlSplitter
from celosia.types import ColumnType

__all__ = ["WORDS", "DuckEngine", "connect", "listening", "open_duck", "place_sql", "stage"]

Result = TypeVar("Result")

WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
WORDS = SplitDialect(
    rough="approx_count_distinct(hash({}))",
    days="CAST({} - DATE '1970-01-01' AS BIGINT)",
    microseconds="epoch_us({})",
)
"""How DuckDB is spoken to."""


def place_sql(
    name: str, dtype: pl.DataType, kind: ColumnType | None, markers: Sequence[str]
) -> tuple[str, list[str]] | None:
    """How SQL reads a column of a Parquet file just as our reader does, with parameters; None where it might differ.

    Of a quasi-identifier, which has a ``kind``, the place on its line is read: dates as days or microseconds.
    ``markers`` are the texts of a missing value.

    >>> place_sql("age", pl.Int8(), ColumnType.INTEGER, ["?"])
    ('CAST("age" AS BIGINT)', [])
    """
    column = '"' + name.replace('"', '""') + '"'
    if dtype == pl.String and kind in (None, ColumnType.TEXT):
        listed = ", ".join("?" * len(markers))
        text = f"CASE WHEN {column} IN ({listed}) THEN NULL ELSE {column} END" if markers else column
        return text, list(markers)
    expressions: dict[ColumnType | None, tuple[bool, str]] = {
        None: (dtype in (*WHOLE, pl.Date, pl.Boolean), column),
        ColumnType.INTEGER: (dtype in WHOLE, f"CAST({column} AS BIGINT)"),
        ColumnType.REAL: (
            dtype in (pl.Float32, pl.Float64),
            f"CASE WHEN isnan({column}) THEN NULL ELSE CAST({column} AS DOUBLE) END",
        ),
        ColumnType.DATE: (dtype == pl.Date, str(WORDS.days).format(column)),
        ColumnType.DATETIME: (
            dtype in (pl.Datetime("us"), pl.Datetime("ms")),
            str(WORDS.microseconds).format(column),
        ),
    }
    is_same, text = expressions.get(kind, (False, ""))
    return (text, []) if is_same else None


def stage(frames: Iterable[pl.DataFrame], path: Path) -> None:
    """Write frames, one after the other, into a Parquet file."""
    import pyarrow.parquet

    writer = None
    try:
        for frame in frames:
            table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
            if writer is None:
                writer = pyarrow.parquet.ParquetWriter(
                    path, table.schema, compression="lz4", write_statistics=False
                )
            writer.write_table(table, row_group_size=1 << 17)
    finally:
        if writer is not None:
            writer.close()


@contextmanager
def open_duck(
    path: Path,
    places: Sequence[str],
    dtypes: Sequence[pl.DataType],
    sensitive: Sequence[str],
    *,
    kept: str = "TRUE",
    parameters: Sequence[Any] = (),
    folder: Path,
    memory: int,
    where: str = "",
) -> Iterator[SqlSplitter]:
    """A splitter over a Parquet file.

    ``places`` are expressions of SQL for the quasi-identifiers, of ``dtypes`` Int64, Float64 or String, ``sensitive``
    those for sensitive columns, and ``kept`` says which rows count; ``parameters`` are those of all of them in this
    order. What does not fit into ``memory`` goes to ``folder``.

    >>> import tempfile
    >>> from celosia.tables.private import private_folder
    >>> class Halves:
    ...     def sql(self, names):
    ...         return f"CASE WHEN {names[0]} <= ? THEN 0 ELSE 1 END", [39]
    >>> with private_folder(Path(tempfile.gettempdir())) as folder:
    ...     stage([pl.DataFrame({"age": [12, 70, 40]})], folder / "rows")
    ...     with open_duck(folder / "rows", ["age"], [pl.Int64()], [], folder=folder, memory=1 << 27) as splitter:
    ...         splitter.extremes(Halves()).sort("part").rows()
    [(0, 1, 1, 12, 12, 12, 12), (1, 2, 2, 40, 70, 40, 70)]
    """
    with connect(path, folder=folder, memory=memory, where=where) as connection:
        names = [f"{place} AS q{i}" for i, place in enumerate(places)]
        names += [f"{name} AS s{i}" for i, name in enumerate(sensitive)]
        chosen = f"SELECT * FROM (SELECT {', '.join(names)} FROM source) AS every_row WHERE {kept}"
        engine = DuckEngine(connection, chosen, tuple(parameters), where)
        yield SqlSplitter(engine, tuple(dtypes), len(sensitive))


@contextmanager
def connect(path: Path, *, folder: Path, memory: int, where: str = "") -> Iterator[Any]:
    """A connection with a Parquet file as the view ``source``; what does not fit into ``memory`` goes to ``folder``."""
    import duckdb

    settings = {
        "memory_limit": f"{max(memory, 1 << 25) >> 10}KiB",
        "threads": usable_cores(),
        "temp_directory": str(folder),
        "preserve_insertion_order": False,
        # Nothing is fetched from anywhere.
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
    }
    with _explained(where), duckdb.connect(":memory:", config=settings) as connection:
        connection.execute("SET enable_progress_bar = false")
        # A path with * or [ in it is no pattern.
        connection.read_parquet(glob.escape(str(path.absolute()))).create_view("source")
        yield connection


def listening(connection: Any, work: Callable[[], Result]) -> Result:
    """Let a connection work in another thread: the engine would hear of an interrupt only when its query ends.

    >>> import duckdb
    >>> with duckdb.connect(":memory:") as connection:
    ...     listening(connection, lambda: connection.sql("SELECT 6 * 7").fetchall())
    [(42,)]
    """
    if threading.current_thread() is not threading.main_thread():
        return work()  # only the main thread hears signals
    found: list[Result] = []
    failed: list[BaseException] = []
    # Events, for an interrupt while a thread is joined would have it taken for ended.
    begun, unwanted, done = threading.Event(), threading.Event(), threading.Event()

    def carry_out() -> None:
        begun.set()
        try:
            if not unwanted.is_set():
                found.append(work())
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    try:
        threading.Thread(target=carry_out, daemon=True).start()
        while not done.wait(0.2):  # a signal that comes just before the wait is heard after it
            pass
    except BaseException:
        unwanted.set()  # a thread that only begins does nothing any more
        while begun.is_set() and not done.is_set():
            connection.interrupt()  # again and again: a query that only begins forgets those before
            done.wait(0.01)
        raise
    if failed:
        raise failed.pop()
    return found[0]


@contextmanager
def _explained(where: str) -> Iterator[None]:
    """What the engine raises, as one of ours."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise ProjectError(
            say("the memory allowed is too little to look for cuts"),
            where=where,
            remedy=say("allow more with --memory"),
        ) from error
    except duckdb.Error as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(". ")
        raise TableError(
            say("the rows could not be counted ({reason})", reason=reason),
            where=where,
            remedy=say("check the file and the disk"),
        ) from error
    except RuntimeError as error:
        if "interrupted" not in str(error).lower():
            raise
        raise KeyboardInterrupt from None  # it eats the signal and says so in these words


@dataclass(frozen=True)
class DuckEngine:
    """DuckDB as an engine for :class:`celosia.tables.splitter.SqlSplitter`; ``source`` selects the rows."""

    connection: Any
    source: str
    parameters: tuple[Any, ...] = ()
    where: str = ""
    words: SplitDialect = WORDS

    def ask(self, query: str, values: Sequence[Any], columns: Mapping[str, str]) -> pl.DataFrame:
        """Whole columns, as the engine hands them over."""
        whole = f"WITH chosen AS ({self.source}), {query}"
        with _explained(self.where):
            found = listening(
                self.connection,
                lambda: self.connection.sql(whole, params=[*self.parameters, *values]).pl(),
            )
        assert isinstance(found, pl.DataFrame)
        return found.rename(dict(zip(found.columns, columns, strict=True)))
