"""A table in a database: counted there, recoded there, and streamed only where a technique needs rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import polars as pl
import sqlalchemy as sa

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.count import encode_groups
from celosia.tables.format import Format, Options
from celosia.tables.infer import Cast
from celosia.tables.location import Location
from celosia.tables.recoder import check_columns
from celosia.tables.sql.columns import SqlColumn
from celosia.tables.sql.database import Database
from celosia.tables.sql.dialect import DatabaseTable
from celosia.tables.table import Counts, Progress, Recoding, Written, no_progress
from celosia.tables.writing import write_rows
from celosia.types import Column, ColumnType, Schema
from celosia.values.parse import ValueParser

__all__ = ["SqlReader", "SqlTable", "named"]


def named(name: str) -> sa.ColumnClause[Any]:
    """A column by its name, always in quotes."""
    return sa.column(sa.quoted_name(name, quote=True))


@dataclass(frozen=True)
class SqlTable:
    """One table of a database, or several with the same columns whose rows are taken together.

    ``where`` is a condition of SQL; only rows that fulfil it are there.
    """

    location: ClassVar[Location] = Location.DATABASE
    database: Database
    places: tuple[DatabaseTable, ...]
    fields: tuple[SqlColumn, ...]
    where: str | None = None
    options: Options = field(default_factory=Options)
    types: Mapping[str, Column] = field(default_factory=dict)
    memory: int | None = None
    format: Format | None = None

    @property
    def name(self) -> str:
        """The names of its tables."""
        return ", ".join(
            f"{place.schema}.{place.name}" if place.schema else place.name for place in self.places
        )

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def columns(self) -> tuple[str, ...]:
        """Names of the columns in order."""
        return tuple(column.name for column in self.fields)

    def schema(self) -> Schema:
        """Columns with the types of the database, or those declared by hand."""
        return Schema(tuple(self.types.get(column.name, column.column) for column in self.fields))

    def casts(self) -> Mapping[str, Cast]:
        """None: a database has types of its own."""
        return {}

    def is_as_counted(self, counts: Counts) -> bool:
        """Unknown: others may write to a database meanwhile."""
        return False

    def parsers_of(self, columns: Sequence[str]) -> Mapping[str, ValueParser]:
        """None: a database has types of its own."""
        return {}

    def native_types(self) -> Mapping[str, tuple[str, str]]:
        """For every column the kind of database and the type as it writes it."""
        return {column.name: (self.database.dialect.scheme, column.native) for column in self.fields}

    @cached_property
    def reader(self) -> "SqlReader":
        """Its rows."""
        return SqlReader(self)

    def field(self, name: str) -> SqlColumn:
        """A column by its name."""
        return next(column for column in self.fields if column.name == name)

    def plain(self, name: str) -> SqlColumn:
        """A column whose values can be compared; raises if they cannot."""
        found = self.field(name)
        if not found.is_plain:
            raise TableError(
                say(
                    "column {name!r} holds values of type {type}, which cannot be generalized",
                    name=name,
                    type=found.native,
                ),
                where=self.name,
                remedy=say("drop it, or make plain columns of it in a view first"),
            )
        return found

    def rows(self, columns: Sequence[str] | None = None) -> sa.FromClause:
        """The rows, as something to select from."""
        names = self.columns() if columns is None else columns
        parts = []
        for place in self.places:
            table = sa.table(
                sa.quoted_name(place.name, quote=True),
                *[named(name) for name in names],
                schema=None if place.schema is None else sa.quoted_name(place.schema, quote=True),
            )
            chosen = sa.select(*table.c) if names else sa.select(sa.literal_column("1")).select_from(table)
            parts.append(chosen if self.where is None else chosen.where(sa.literal_column(f"({self.where})")))
        whole = parts[0] if len(parts) == 1 else sa.union_all(*parts)
        return whole.subquery("r")

    def key(self, rows: sa.FromClause, name: str) -> sa.ColumnElement[Any]:
        """What is counted and compared of a column."""
        return self.database.dialect.key(self.plain(name), rows.c[name])

    def check_filter(self) -> None:
        """Raise if the condition is none."""
        if self.where is not None:
            if not self.where.strip():
                raise TableError(
                    say("the filter is no condition"), where=self.name, remedy=say("correct --where")
                )
            statement: sa.Select[Any] = sa.select(sa.literal_column("1")).select_from(self.rows(())).limit(0)
            self.database.check_one(statement)

    def count(self) -> int:
        """How many rows there are."""
        statement = sa.select(sa.func.count()).select_from(self.rows(()))
        return int(self.database.ask(statement)[0][0])

    def count_by(
        self, columns: Sequence[str], *, places: bool = False, progress: Progress = no_progress
    ) -> Counts:
        """The distinct combinations of ``columns`` and their counts, by one ``GROUP BY`` where the table is."""
        check_columns(columns, self.columns(), where=self.name)
        progress(say("counting rows"), 0.0)
        rows = self.rows(columns)
        keys = [self.key(rows, name) for name in columns]
        statement = sa.select(*keys, sa.func.count()).select_from(rows)
        if keys:
            statement = statement.group_by(*keys)
        fields = [replace(self.plain(name), name=f"c{i}") for i, name in enumerate(columns)]
        fields.append(SqlColumn("rows", ColumnType.INTEGER, "", pl.Int64()))
        frames = list(self.database.frames(statement, fields))
        empty = pl.DataFrame(schema={column.name: column.dtype for column in fields})
        groups = pl.concat([empty, *frames])
        progress(say("counting rows"), 1.0)
        return encode_groups(groups, columns, missing=self.options.missing, where=self.name)

    def sizes(self, columns: Sequence[str]) -> list[tuple[int, int]]:
        """Sizes of classes and how many classes have each: no value leaves the database for that.

        Classes are those of a reader who tells apart all that can be told apart: two spellings of a value are two.
        """
        rows = self.rows(columns)
        classes = sa.select(sa.func.count().label("n")).select_from(rows)
        spellings = [self._spelling(rows, name) for name in columns]
        classes = classes.group_by(
            *[self.key(rows, name) for name in columns], *[one for one in spellings if one is not None]
        )
        found = classes.subquery("classes")
        return [
            (int(n), int(times))
            for n, times in self.database.ask(
                sa.select(found.c.n, sa.func.count()).group_by(found.c.n).order_by(found.c.n)
            )
        ]

    def respelled(self, column: str) -> int:
        """How many values of a column are there in several spellings, counted where the table is."""
        rows = self.rows((column,))
        key, spelling = self.key(rows, column), self._spelling(rows, column)
        if spelling is None:
            return 0
        several: sa.Select[Any] = sa.select(sa.literal_column("1")).select_from(rows).group_by(key)
        several = several.having(sa.func.min(spelling) != sa.func.max(spelling))
        statement = sa.select(sa.func.count()).select_from(several.subquery("several"))
        return int(self.database.ask(statement)[0][0])

    def _spelling(self, rows: sa.FromClause, name: str) -> sa.ColumnElement[Any] | None:
        return self.database.dialect.spelling(self.plain(name), rows.c[name])

    def few_values(self, name: str, rows: int) -> pl.Series:
        """Distinct values of one column in the first rows: values only, so that no row leaves the database."""
        column = self.plain(name)
        first = sa.select(*self.rows((name,)).c).limit(rows).subquery("first")
        statement = sa.select(self.database.dialect.key(column, first.c[name])).distinct()
        frames = list(self.database.frames(statement, [column]))
        return pl.concat([pl.Series(name, [], dtype=column.dtype), *(frame.to_series() for frame in frames)])

    def unparsed(self) -> "SqlTable":
        """The table: a database has types of its own."""
        return self

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows in batches."""
        if columns is not None:
            check_columns(columns, self.columns(), where=self.name)
        return self.reader.batches(columns)

    def write(
        self,
        recoding: Recoding,
        destination: Any,
        *,
        seed: int | None = None,
        progress: Progress = no_progress,
    ) -> Written:
        """Apply ``recoding`` and write the rows in random order: inside the database if it can be done there."""
        from celosia.tables.sql.new_table import NewTable
        from celosia.tables.sql.push_down import push_down

        is_global = recoding.assignment is None and recoding.parts is None
        if isinstance(destination, NewTable) and destination.database is self.database and is_global:
            return push_down(self, recoding, destination, progress=progress)
        return write_rows(self, recoding, destination, seed=seed, progress=progress)


@dataclass(frozen=True)
class SqlReader:
    """The rows of a table in a database, as writing and cutting ask for them."""

    table: SqlTable
    declared: Mapping[str, ColumnType] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.table.columns()

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Types in which values arrive."""
        return tuple(column.dtype for column in self.table.fields)

    @property
    def options(self) -> Options:
        """How missing values are written."""
        return self.table.options

    @cached_property
    def _rows(self) -> int:
        return self.table.count()

    def size(self) -> tuple[int, int]:
        """Rows, counted, and bytes, guessed."""
        return self._rows, self._rows * 24 * len(self.table.fields)

    def lazy(self) -> None:
        """None: rows come in batches."""
        return

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows, a bounded number at a time."""
        return self._select(self.table.columns() if columns is None else columns, None)

    def first(self, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
        """So many rows, whichever come first."""
        return self._select(columns, rows)

    def _select(self, names: Sequence[str], most: int | None) -> Iterator[pl.DataFrame]:
        table = self.table
        rows, dialect = table.rows(names), table.database.dialect
        fields = [table.field(name) for name in names]
        chosen = [
            (dialect.key if one.is_plain else dialect.pass_on)(one, rows.c[one.name]).label(f"c{i}")
            for i, one in enumerate(fields)
        ]
        is_empty = True
        for frame in table.database.frames(sa.select(*chosen).select_from(rows).limit(most), fields):
            is_empty = False
            yield frame
        if is_empty:  # a file without rows has a header all the same
            yield pl.DataFrame(schema={column.name: column.dtype for column in fields})
