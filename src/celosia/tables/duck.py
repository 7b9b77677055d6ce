"""Rows that are counted where they lie, part by part, by an engine that needs little memory: DuckDB over one file."""

import glob
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from celosia.errors import ProjectError, TableError
from celosia.machine import usable_cores
from celosia.types import ColumnType

__all__ = [
    "BINS",
    "DuckSplitter",
    "Numbering",
    "Range",
    "Splitter",
    "connect",
    "open_duck",
    "place_sql",
    "stage",
]

BINS = 256
"""Bins between the smallest and the largest number of a part."""
MOST = "1.7976931348623157e308"
"""The largest number that is finite."""

WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
SQL_TYPES = {pl.Int64(): "BIGINT", pl.Float64(): "DOUBLE", pl.String(): "VARCHAR"}


class Numbering(Protocol):
    """What says to which part a row belongs."""

    def sql(self, names: Sequence[str]) -> tuple[str, list[Any]]:
        """The number of the part as an expression over the columns, and its parameters."""
        ...


@dataclass(frozen=True)
class Range:
    """A stretch of a column that is to be binned: from ``first`` to ``last``, both of it; bins lie between the
    finite ``low`` and ``high``, and what is beyond them has bins of its own.
    """

    first: Any
    last: Any
    low: Any
    high: Any


class Splitter(Protocol):
    """What an engine must be able to tell about the parts of a table, in one pass over it for all parts.

    Columns are named by number. Frames come with one row per part, or per part and bin or value.
    """

    def extremes(self, parts: Numbering) -> pl.DataFrame:
        """``part``, ``rows`` and for column i ``present_i``, ``first_i``, ``last_i``, and of finite values ``low_i``,
        ``high_i``.
        """
        ...

    def bins(self, parts: Numbering, column: int, ranges: Mapping[int, Range]) -> pl.DataFrame:
        """``part``, ``low``, ``high``, ``rows`` of the bins of a column that hold any, for the parts in ``ranges``."""
        ...

    def values(self, parts: Numbering, sensitive: int) -> pl.DataFrame:
        """``part``, ``value``, ``rows`` of every value of a sensitive column."""
        ...

    def points(self, most: int) -> int:
        """How many combinations of all columns there are, or some number above ``most``."""
        ...

    def sizes(self) -> pl.DataFrame:
        """``n`` and ``times``: how many combinations of all quasi-identifiers have so many rows."""
        ...

    def mode(self, column: int) -> Any:
        """The most frequent value of a column, the smallest of several; None if there is none."""
        ...

    def fill(self, values: Mapping[int, Any]) -> "Splitter":
        """The same rows with values in place of missing ones."""
        ...


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
        ColumnType.DATE: (dtype == pl.Date, f"CAST({column} - DATE '1970-01-01' AS BIGINT)"),
        ColumnType.DATETIME: (dtype in (pl.Datetime("us"), pl.Datetime("ms")), f"epoch_us({column})"),
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
) -> Iterator["DuckSplitter"]:
    """A splitter over a Parquet file.

    ``places`` are expressions of SQL for the quasi-identifiers, of ``dtypes`` Int64, Float64 or String, ``sensitive``
    those for sensitive columns, and ``kept`` says which rows count; ``parameters`` are those of all of them in this
    order. What does not fit into ``memory`` goes to ``folder``.
    """
    with connect(path, folder=folder, memory=memory, where=where) as connection:
        names = [f"{place} AS q{i}" for i, place in enumerate(places)]
        names += [f"{name} AS s{i}" for i, name in enumerate(sensitive)]
        chosen = f"SELECT * FROM (SELECT {', '.join(names)} FROM source) AS every_row WHERE {kept}"
        yield DuckSplitter(connection, chosen, tuple(parameters), tuple(dtypes), len(sensitive), where=where)


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


@contextmanager
def _explained(where: str) -> Iterator[None]:
    """What the engine raises, as one of ours."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise ProjectError(
            "the memory allowed is too little to look for cuts",
            where=where,
            remedy="allow more with --memory",
        ) from error
    except duckdb.Error as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(". ")
        raise TableError(
            f"the rows could not be counted ({reason})", where=where, remedy="check the file and the disk"
        ) from error
    except RuntimeError as error:
        if "interrupted" not in str(error).lower():
            raise
        raise KeyboardInterrupt from None  # it eats the signal and says so in these words


@dataclass(frozen=True)
class DuckSplitter:
    """The verbs of :class:`Splitter` as queries that any database understands.

    >>> import tempfile
    >>> from celosia.tables.private import private_folder
    >>> class Halves:
    ...     def sql(self, names):
    ...         return f"CASE WHEN {names[0]} <= ? THEN 0 ELSE 1 END", [39]
    >>> with private_folder(Path(tempfile.gettempdir())) as folder:
    ...     stage([pl.DataFrame({"age": [12, 70, 40]})], folder / "rows")
    ...     with open_duck(folder / "rows", ["age"], [pl.Int64()], [], folder=folder, memory=1 << 27) as duck:
    ...         duck.extremes(Halves()).sort("part").rows()
    [(0, 1, 1, 12, 12, 12, 12), (1, 2, 2, 40, 70, 40, 70)]
    """

    connection: Any
    source: str
    parameters: tuple[Any, ...]
    dtypes: tuple[pl.DataType, ...]
    sensitive: int
    filled: Mapping[int, Any] = field(default_factory=dict)
    where: str = ""

    @property
    def _names(self) -> list[str]:
        return [f"q{i}" for i in range(len(self.dtypes))]

    def extremes(self, parts: Numbering) -> pl.DataFrame:
        """Rows of every part, and for every column how many are present, the extremes, and the finite ones."""
        asked = ["part", "COUNT(*) AS rows"]
        for i, (name, dtype) in enumerate(zip(self._names, self.dtypes, strict=True)):
            is_finite = f"{name} >= -{MOST} AND {name} <= {MOST}"
            finite = f"CASE WHEN {is_finite} THEN {name} END" if dtype == pl.Float64 else name
            asked += [
                f"COUNT({name}) AS present_{i}",
                f"MIN({name}) AS first_{i}",
                f"MAX({name}) AS last_{i}",
            ]
            asked += [f"MIN({finite}) AS low_{i}", f"MAX({finite}) AS high_{i}"]
        return self._ask(f"SELECT {', '.join(asked)} FROM parted GROUP BY part", parts)

    def bins(self, parts: Numbering, column: int, ranges: Mapping[int, Range]) -> pl.DataFrame:
        """Bins of equal width for numbers, equal beginnings for texts; each with the values that it really holds."""
        kinds: dict[str, dict[int, Range]] = {}
        for part, one in ranges.items():
            kinds.setdefault(_bin_sql(f"q{column}", self.dtypes[column], one), {})[part] = one
        return pl.concat([self._bins(parts, column, some, number) for number, some in kinds.items()])

    def _bins(self, parts: Numbering, column: int, ranges: Mapping[int, Range], number: str) -> pl.DataFrame:
        name, kind = f"q{column}", SQL_TYPES[self.dtypes[column]]
        one = "(?, " + f"CAST(? AS {kind}), " * 4 + "CAST(? AS DOUBLE))"
        wanted = f"(VALUES {', '.join([one] * len(ranges))}) AS r (number, first, last, low, high, size)"
        query = (
            f"SELECT part, MIN({name}) AS low, MAX({name}) AS high, COUNT(*) AS rows "
            f"FROM parted JOIN {wanted} ON part = number "
            f"WHERE {name} >= first AND {name} <= last GROUP BY part, {number}"
        )
        given = [
            value for part, r in ranges.items() for value in (part, r.first, r.last, r.low, r.high, _size(r))
        ]
        return self._ask(query, parts, given)

    def values(self, parts: Numbering, sensitive: int) -> pl.DataFrame:
        """Rows of every part and value."""
        query = (
            f"SELECT part, s{sensitive} AS value, COUNT(*) AS rows FROM parted GROUP BY part, s{sensitive}"
        )
        return self._ask(query, parts)

    def points(self, most: int) -> int:
        """Counted exactly only where a rough estimate says that it costs little."""
        names = ", ".join([*self._names, *(f"s{i}" for i in range(self.sensitive))])
        rough = int(self._ask(f"SELECT approx_count_distinct(hash({names})) AS n FROM parted").item())
        if rough > most:
            return rough
        query = f"SELECT COUNT(*) AS n FROM (SELECT DISTINCT hash({names}) FROM parted) AS found"
        return int(self._ask(query).item())

    def sizes(self) -> pl.DataFrame:
        """How many classes there are of each size."""
        names = ", ".join(self._names)
        classes = f"SELECT COUNT(*) AS n FROM parted GROUP BY {names}"
        return self._ask(f"SELECT n, COUNT(*) AS times FROM ({classes}) AS found GROUP BY n")

    def mode(self, column: int) -> Any:
        """The most frequent value."""
        name = f"q{column}"
        found = self._ask(
            f"SELECT {name} AS value FROM parted WHERE {name} IS NOT NULL "
            f"GROUP BY {name} ORDER BY COUNT(*) DESC, {name} LIMIT 1"
        )
        return found.item() if found.height else None

    def fill(self, values: Mapping[int, Any]) -> "DuckSplitter":
        """The same rows, values in place of missing ones."""
        return replace(self, filled={**self.filled, **values})

    def _ask(self, query: str, parts: Numbering | None = None, given: Sequence[Any] = ()) -> pl.DataFrame:
        columns = [
            f"COALESCE({name}, CAST(? AS {SQL_TYPES[self.dtypes[i]]})) AS {name}"
            if i in self.filled
            else name
            for i, name in enumerate(self._names)
        ]
        columns += [f"s{i}" for i in range(self.sensitive)]
        filled = [self.filled[i] for i in range(len(self.dtypes)) if i in self.filled]
        number, bounds = parts.sql(self._names) if parts is not None else ("0", [])
        whole = (
            f"WITH chosen AS ({self.source}), whole AS (SELECT {', '.join(columns)} FROM chosen), "
            f"parted AS (SELECT whole.*, {number} AS part FROM whole) {query}"
        )
        with _explained(self.where):
            found = self.connection.sql(whole, params=[*self.parameters, *filled, *bounds, *given]).pl()
        assert isinstance(found, pl.DataFrame)
        return found


def _size(r: Range) -> float:
    """What the bins of a range are measured with: its width, or how many characters of texts are looked at."""
    if isinstance(r.low, str):
        same = (a == b for a, b in zip(r.first, r.last, strict=False))
        return float(sum(takewhile(bool, same)) + 2)
    width = r.high - r.low
    return float(width) if math.isfinite(width) else r.high / 2 - r.low / 2


def _bin_sql(name: str, dtype: pl.DataType, r: Range) -> str:
    """The bin of a value; no value of a higher bin is below one of a lower bin, however the sums are rounded."""
    if dtype == pl.String:
        return f"SUBSTR({name}, 1, CAST(size AS INTEGER))"
    width = r.high - r.low
    distance = f"({name} - low)"
    if dtype == pl.Int64 and width >= 1 << 62:
        distance = f"(CAST({name} AS DOUBLE) - CAST(low AS DOUBLE))"  # the exact one would not fit
    elif not math.isfinite(width):
        distance = f"({name} / 2 - low / 2)"
    inside = f"LEAST({BINS - 1}, FLOOR({distance} / size * {BINS}))" if width > 0 else "0"
    return f"CASE WHEN {name} < low THEN -1 WHEN {name} > high THEN {BINS} ELSE {inside} END"
