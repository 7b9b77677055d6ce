"""The classes of a release and the sensitive values in them, counted in memory or by an engine that needs little."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.tables.duckdb_engine import connect, listening, stage
from celosia.tables.file_table import FileTable
from celosia.tables.frame_table import FrameTable
from celosia.tables.private import private_folder
from celosia.tables.table import Counts, Table
from celosia.values.named import named
from celosia.values.same import FoldedValues, fold_people
from celosia.values.text import text_of

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = [
    "OTHERS",
    "ClassesInMemory",
    "Counting",
    "InDatabase",
    "OnCluster",
    "PeopleInClasses",
    "out_of_core",
]

Integers = npt.NDArray[np.int64]
OTHERS = -1
"""The number of the class that stands for all rows that are not looked at."""
NOBODY = pl.DataFrame(schema={"class": pl.Int64, "value": pl.Int64, "n": pl.Int64})


class Counting(Protocol):
    """What a verification has to know of a release."""

    def sizes(self) -> tuple[Integers, Integers]:
        """Sizes of classes, and how many classes have each."""
        ...

    def values(self, column: str) -> tuple[str | None, ...]:
        """The values of a quasi-identifier or a sensitive column."""
        ...

    def entries(self, column: str) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Some whole classes at a time: ``class``, ``value`` (its number), ``n``; and all other rows as one class."""
        ...

    def shown(self) -> Iterator[pl.DataFrame]:
        """Some whole classes at a time: the texts of the quasi-identifiers, ``qi0`` and so on, and the rows ``n``."""
        ...


class ClassesInMemory:
    """All classes at once, as the table counts them."""

    def __init__(self, table: Table, columns: tuple[str, ...]) -> None:
        self._table, self._columns = table, columns
        self._counted: dict[str, Any] = {}

    @cached_property
    def _classes(self) -> Counts:
        return self._table.count_by(self._columns)

    def sizes(self) -> tuple[Integers, Integers]:
        """Every class by itself; or only how many there are of each size, where nobody asked for more."""
        table = self._table
        if (
            "_classes" not in self.__dict__
            and isinstance(table, FileTable | FrameTable)
            and not table.options.missing
        ):
            sizes = np.array(table.sizes(self._columns), np.int64).reshape(-1, 2)
            return sizes[:, 0], sizes[:, 1]
        counts = self._classes.counts
        return counts, np.ones(len(counts), np.int64)

    def values(self, column: str) -> tuple[str | None, ...]:
        """The values of a quasi-identifier, known from the classes, or of a sensitive column."""
        if column in self._columns:
            return tuple(self._classes.texts[self._columns.index(column)].to_list())
        if column not in self._counted:
            self._counted[column] = self._table.count_by((*self._columns, column))
        return tuple(self._counted[column].texts[-1].to_list())

    def entries(self, column: str) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Number the classes of the quasi-identifiers; there are no other rows."""
        self.values(column)
        counted = self._counted[column]
        quasi = {f"qi{number}": codes for number, codes in enumerate(counted.codes[:-1])}
        frame = pl.DataFrame({**quasi, "value": counted.codes[-1].astype(np.int64), "n": counted.counts})
        classes = frame.select(*quasi).unique().with_row_index("class")
        yield frame.join(classes, on=list(quasi)).select(pl.col("class").cast(pl.Int64), "value", "n"), NOBODY

    def shown(self) -> Iterator[pl.DataFrame]:
        """The labels of all classes at once."""
        if len(self._classes):
            yield _as_texts(self._classes)


class InDatabase(ClassesInMemory):
    """Sizes counted where the table is, so that no value leaves it for that; the rest as :class:`ClassesInMemory`."""

    def __init__(self, table: "SqlTable", columns: tuple[str, ...]) -> None:
        super().__init__(table, columns)
        self._where = table

    def sizes(self) -> tuple[Integers, Integers]:
        """Only how many classes there are of each size, to a reader who tells two spellings of a value apart."""
        sizes = np.array(self._where.sizes(self._columns), np.int64).reshape(-1, 2)
        return sizes[:, 0], sizes[:, 1]

    def values(self, column: str) -> tuple[str | None, ...]:
        """Of a quasi-identifier only the different ones leave the database, not the classes."""
        if column in self._columns:
            return tuple(self._where.count_by((column,)).texts[0].to_list())
        return super().values(column)


class OnCluster:
    """Counted by the cluster in one aggregation; where classes are too many to bring here, in shares of them."""

    AT_ONCE = 2_000_000
    """Entries of histograms that are brought here at once."""

    def __init__(self, table: "SparkTable", columns: tuple[str, ...]) -> None:
        self._table, self._columns = table, columns
        self._overall: dict[str, pl.DataFrame] = {}

    @cached_property
    def _classes(self) -> Counts | None:
        return self._table.count_few(self._columns)

    def sizes(self) -> tuple[Integers, Integers]:
        """Every class by itself, or where they are many only how many there are of each size."""
        if self._classes is not None:
            return self._classes.counts, np.ones(len(self._classes), np.int64)
        sizes = np.array(self._table.sizes(self._columns), np.int64).reshape(-1, 2)
        return sizes[:, 0], sizes[:, 1]

    def values(self, column: str) -> tuple[str | None, ...]:
        """The values of a column."""
        if self._classes is not None and column in self._columns:
            return tuple(self._classes.texts[self._columns.index(column)].to_list())
        if column not in self._overall:
            counted = self._table.count_by((column,))
            self._overall[column] = pl.DataFrame(
                {"value": counted.texts[0].gather(counted.codes[0]), "n": counted.counts}
            ).with_row_index("number")
        return tuple(self._overall[column]["value"].to_list())

    def entries(self, column: str) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Some whole classes at a time, dealt out by their hash."""
        self.values(column)
        names = [*self._columns, column]
        for counted in self._shares(names):
            if not len(counted):
                continue
            quasi = {f"qi{number}": codes for number, codes in enumerate(counted.codes[:-1])}
            value = counted.texts[-1].gather(counted.codes[-1])
            held = pl.DataFrame({**quasi, "value": value, "n": counted.counts}).sort(list(quasi))
            numbers = _number_classes(held, list(quasi))
            yield _described(held, numbers, self._overall[column], np.ones(held.height, bool))

    def shown(self) -> Iterator[pl.DataFrame]:
        """Some at a time, dealt out by their hash."""
        for counted in self._shares(self._columns):
            if len(counted):
                yield _as_texts(counted)

    def _shares(self, names: Sequence[str]) -> Iterator[Counts]:
        few = self._table.count_few(names)
        if few is not None:
            yield few
            return
        shares = -(-self._table.estimate(names) // self.AT_ONCE)
        for share in range(shares):
            yield self._table.count_share(names, by=self._columns, share=share, of=shares)


@contextmanager
def out_of_core(
    table: Table, columns: Sequence[str], modelled: Sequence[str], *, memory: int, folder: Path
) -> Iterator["_OutOfCore"]:
    """Count within ``memory`` bytes; what does not fit, and a copy of other files than Parquet, goes to ``folder``."""
    names = [*columns, *modelled]
    with private_folder(folder) as private:
        path = private / "release.parquet"
        if isinstance(table, FileTable) and table.format.name == "parquet" and table.is_plain:
            path = table.path
        else:
            stage((_texts(batch, names) for batch in table.scan(names)), path)
        with connect(path, folder=private, memory=memory, where=table.name) as connection:
            yield _OutOfCore(connection, tuple(columns))


def _texts(batch: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    return batch.select(text_of(named(name), batch.schema[name], column=name).alias(name) for name in names)


@dataclass(frozen=True)
class _OutOfCore:
    connection: Any
    columns: tuple[str, ...]
    _counted: dict[str, pl.DataFrame] = field(default_factory=dict, init=False, compare=False)

    @property
    def _names(self) -> str:
        return ", ".join(_quoted(name) for name in self.columns)

    def sizes(self) -> tuple[Integers, Integers]:
        """Only how many classes there are of each size."""
        sizes = self._ask(
            f"SELECT n, COUNT(*) AS times FROM (SELECT COUNT(*) AS n FROM source GROUP BY {self._names}) "
            "AS classes GROUP BY n ORDER BY n"
        )
        return sizes["n"].to_numpy().astype(np.int64), sizes["times"].to_numpy().astype(np.int64)

    def values(self, column: str) -> tuple[str | None, ...]:
        """The values of a column, as texts."""
        return tuple(self._overall(column)["value"].to_list())

    def _overall(self, column: str) -> pl.DataFrame:
        if column not in self._counted:
            name = f"CAST({_quoted(column)} AS VARCHAR)"
            query = f"SELECT {name} AS value, COUNT(*) AS n FROM source GROUP BY 1 ORDER BY 1 NULLS LAST"
            self._counted[column] = self._ask(query).with_row_index("number")
        return self._counted[column]

    def _ask(self, query: str) -> pl.DataFrame:
        """Where an interrupt is heard meanwhile."""
        return listening(self.connection, lambda: self.connection.sql(query).pl())  # type: ignore[no-any-return]

    def entries(self, column: str) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Classes in their order, a batch at a time; the last class of a batch may go on in the next."""
        overall = self._overall(column)
        query = (
            f"SELECT {self._names}, CAST({_quoted(column)} AS VARCHAR) AS value, COUNT(*) AS n FROM source "
            f"GROUP BY ALL ORDER BY {', '.join(str(i + 1) for i in range(len(self.columns)))}"
        )
        rows = listening(self.connection, lambda: self.connection.sql(query).to_arrow_reader(1 << 18))
        held = None
        while (batch := listening(self.connection, lambda: next(rows, None))) is not None:
            frame = pl.DataFrame(pl.from_arrow(batch))
            held = frame if held is None else pl.concat([held, frame])
            numbers = _number_classes(held, self.columns)
            is_last = numbers == numbers[-1]
            if not is_last.all():
                yield _described(held, numbers, overall, ~is_last)
                held = held.filter(is_last)
        if held is not None:
            numbers = _number_classes(held, self.columns)
            yield _described(held, numbers, overall, np.ones(len(numbers), bool))

    def shown(self) -> Iterator[pl.DataFrame]:
        """A batch at a time."""
        names = enumerate(self.columns)
        texts = ", ".join(f"CAST({_quoted(name)} AS VARCHAR) AS qi{number}" for number, name in names)
        query = f"SELECT {texts}, COUNT(*) AS n FROM source GROUP BY ALL"
        rows = listening(self.connection, lambda: self.connection.sql(query).to_arrow_reader(1 << 18))
        while (batch := listening(self.connection, lambda: next(rows, None))) is not None:
            frame = pl.DataFrame(pl.from_arrow(batch))
            if frame.height:
                yield frame.with_columns(pl.col("n").cast(pl.Int64))


class PeopleInClasses:
    """The classes of rows that somebody counted, their sizes in different people.

    >>> from celosia.tables import open_table
    >>> visits = open_table(pl.DataFrame({"who": ["a", "A", "b", "c"], "year": [1, 1, 1, 2]}))
    >>> sizes, times = PeopleInClasses(ClassesInMemory(visits, ("year",)), "who").sizes()
    >>> dict(zip(sizes.tolist(), times.tolist()))
    {1: 1, 2: 1}
    """

    def __init__(self, counting: Counting, person: str) -> None:
        self._counting, self._person = counting, person

    @cached_property
    def _people(self) -> FoldedValues:
        return fold_people(pl.Series(self._counting.values(self._person), dtype=pl.String))

    @property
    def total(self) -> int:
        """How many people there are."""
        return len(self._people.values)

    def sizes(self) -> tuple[Integers, Integers]:
        """How many classes have how many people."""
        numbers = self._people.codes
        frames = [pl.DataFrame(schema={"people": pl.Int64, "times": pl.Int64})]
        for entries, _ in self._counting.entries(self._person):
            who = pl.Series("who", numbers[entries.get_column("value").to_numpy()])
            classes = entries.select("class").with_columns(who).unique().group_by("class").len("people")
            times = classes.group_by(pl.col("people").cast(pl.Int64)).len("times")
            frames.append(times.with_columns(pl.col("times").cast(pl.Int64)))
        sizes = pl.concat(frames).group_by("people").agg(pl.col("times").sum()).sort("people")
        return sizes.get_column("people").to_numpy(), sizes.get_column("times").to_numpy()

    def values(self, column: str) -> tuple[str | None, ...]:
        """The values of a column."""
        return self._counting.values(column)

    def entries(self, column: str) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """Those of the rows."""
        return self._counting.entries(column)

    def shown(self) -> Iterator[pl.DataFrame]:
        """Those of the rows."""
        return self._counting.shown()


def _as_texts(counted: Counts) -> pl.DataFrame:
    texts = {
        f"qi{place}": values.gather(codes).cast(pl.String)
        for place, (values, codes) in enumerate(zip(counted.texts, counted.codes, strict=True))
    }
    return pl.DataFrame({**texts, "n": counted.counts})


def _number_classes(frame: pl.DataFrame, columns: Sequence[str]) -> Integers:
    """The class of every row of a frame that is in the order of its classes."""
    begins = np.zeros(frame.height, bool)
    for name in columns:
        column = frame.get_column(name)
        begins |= column.ne_missing(column.shift(1)).to_numpy()
    begins[0] = False
    return np.cumsum(begins)


def _described(
    frame: pl.DataFrame, numbers: Integers, overall: pl.DataFrame, chosen: npt.NDArray[np.bool_]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    joined = frame.select("value").join(
        overall.select("value", "number"), on="value", how="left", nulls_equal=True, maintain_order="left"
    )
    codes = joined["number"].to_numpy().astype(np.int64)
    rows = frame["n"].to_numpy().astype(np.int64)
    entries = pl.DataFrame({"class": numbers[chosen], "value": codes[chosen], "n": rows[chosen]})
    left = overall["n"].to_numpy().astype(np.int64)
    left = left - np.bincount(codes[chosen], weights=rows[chosen], minlength=len(left)).astype(np.int64)
    there = np.flatnonzero(left)
    return entries, pl.DataFrame(
        {"class": np.full(len(there), OTHERS, np.int64), "value": there, "n": left[there]}
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
