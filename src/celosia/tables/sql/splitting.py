"""A table in a database as an engine that finds cuts: its columns as places on lines, counted where they lie."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import polars as pl
import sqlalchemy as sa

from celosia.errors import CelosiaError, TableError
from celosia.tables.splitter import SplitDialect
from celosia.tables.sql.columns import SqlColumn
from celosia.tables.sql.dialect import InlineTable
from celosia.tables.sql.sql_table import SqlTable
from celosia.types import ColumnType

__all__ = ["SqlAxis", "SqlEngine", "first_rows", "open_engine"]

MOST_VALUES = 20_000
"""Values of a hierarchy that are sent to a database for it to look up their places."""
AT_ONCE = 500
"""Rows of a small table that go into one statement."""
EXACT_DIGITS = 15
"""Decimals of so many digits are the same floating-point number to everybody."""


@dataclass(frozen=True)
class SqlAxis:
    """A quasi-identifier as a splitter is to see it: its type, and that of its places.

    ``values`` are those that its hierarchy knows, if it has one; if it ``is_tree``, their order is that of their
    places.
    """

    name: str
    type: ColumnType
    dtype: pl.DataType
    values: Sequence[str] | None = None
    is_tree: bool = False


@contextmanager
def open_engine(
    table: SqlTable, asked: Sequence[SqlAxis], sensitive: Sequence[str], *, drops_missing: bool, memory: int
) -> Iterator["SqlEngine | None"]:
    """An engine over the rows that stay in a release; None if the database might read a column otherwise than we do.

    Rows with a value that a hierarchy does not know do not stay, nor those with a missing one if ``drops_missing``. An
    engine in this process keeps to ``memory`` bytes.
    """
    dialect = table.database.dialect
    width = 48 * (len(asked) + len(sensitive))
    if not dialect.spills and width * table.reader.size()[0] > memory:
        yield None
        return
    source = _Source(table, drops_missing)
    is_readable = all(map(source.add_line, asked)) and all(map(source.add_sensitive, sensitive))
    try:
        is_ready = is_readable and source.join_values()
        dialect.allow_memory(table.database, memory)
        try:
            yield SqlEngine(table, source.chosen(), source.fields, source.strange()) if is_ready else None
        finally:
            dialect.allow_memory(table.database, None)
    finally:
        source.drop()


@dataclass(frozen=True)
class SqlEngine:
    """A database as an engine for :class:`celosia.tables.splitter.SqlSplitter`.

    ``fields[name]`` says how values of a column of ``chosen`` arrive. ``unknown[place]`` asks for the values of a
    quasi-identifier that its hierarchy does not know.
    """

    table: SqlTable
    source: str
    fields: Mapping[str, SqlColumn]
    unknown: Mapping[int, sa.Select[Any]]

    @property
    def words(self) -> SplitDialect:
        """Those of its dialect."""
        return self.table.database.dialect.words

    def ask(self, query: str, values: Sequence[Any], columns: Mapping[str, str]) -> pl.DataFrame:
        """Few rows, as the driver has them."""
        database, source = self.table.database, self.source
        mark = database.dialect.mark
        if values and mark != "?":  # all of the statement is looked through for such marks
            source, query = source.replace("%", "%%"), query.replace("?", mark)
        rows = database.ask(f"WITH chosen AS ({source}), {query}", values)
        found = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
        return pl.DataFrame(
            [
                database.dialect.arrive(replace(self.fields[kind or "part"], name=name), list(one))
                for (name, kind), one in zip(columns.items(), found, strict=True)
            ]
        )

    def strange(self, place: int) -> list[str]:
        """The values of a quasi-identifier that its hierarchy does not know."""
        if place not in self.unknown:
            return []
        found = [row[0] for row in self.table.database.ask(self.unknown[place])]
        return self.table.database.dialect.arrive(_as_text(_WHOLE), found).sort().to_list()


def first_rows(table: SqlTable, columns: Sequence[str], *, most: int = 1 << 14) -> pl.DataFrame:
    """Some rows: all that are asked for are fetched, for a query that is left half way may take the connection down."""
    rows, fields = table.rows(columns), [table.plain(name) for name in columns]
    statement = sa.select(*[table.key(rows, name) for name in columns]).select_from(rows).limit(most)
    empty = pl.DataFrame(schema={field.name: field.dtype for field in fields})
    return pl.concat([empty, *table.database.frames(statement, fields)])


_WHOLE = SqlColumn("", ColumnType.INTEGER, "", pl.Int64())
_KINDS = {
    pl.Int64(): ColumnType.INTEGER,
    pl.Float64(): ColumnType.REAL,
    pl.String(): ColumnType.TEXT,
}


class _Source:
    """The query that all others start from, column by column."""

    def __init__(self, table: SqlTable, drops_missing: bool) -> None:
        self.table, self.drops_missing = table, drops_missing
        self.database, self.dialect = table.database, table.database.dialect
        self.rows = table.rows()
        self.joined: sa.FromClause = self.rows
        self.columns: list[sa.ColumnElement[Any]] = []
        self.fields: dict[str, SqlColumn] = {"part": _WHOLE}
        self._values: list[tuple[int, SqlAxis, sa.ColumnElement[Any]]] = []
        self._known: list[sa.ColumnElement[bool]] = []
        self._strange: dict[int, sa.Select[Any]] = {}
        self._made: list[str] = []

    def add_line(self, one: SqlAxis) -> bool:
        """Take in a quasi-identifier; False if the database might read it otherwise."""
        field, place = self.table.plain(one.name), len(self.columns)
        is_text = one.type is ColumnType.TEXT and field.type in (ColumnType.TEXT, ColumnType.INTEGER)
        found = self._text(field) if is_text or one.is_tree else self._number(field, one.type)
        if found is None:
            return False
        if one.values is not None:
            has_text = field.type in (ColumnType.TEXT, ColumnType.INTEGER, ColumnType.BOOLEAN)
            if not has_text or len(one.values) > MOST_VALUES:
                return False
            self._values.append((place, one, self._text(field)))
        self.columns.append(found)
        self.fields[f"q{place}"] = SqlColumn("", _KINDS[one.dtype], "", one.dtype)
        return True

    def add_sensitive(self, name: str) -> bool:
        """Take in a sensitive column; False if equal values might not be equal to the database."""
        field = self.table.plain(name)
        found: sa.ColumnElement[Any] | None = self.dialect.key(field, self.rows.c[name])
        if field.dtype == pl.String and field.type is not ColumnType.DECIMAL:
            found = self._text(field)
        elif field.type is ColumnType.REAL:
            found = self._number(field, ColumnType.REAL)
        if found is None:
            return False
        self.fields[f"s{sum(key.startswith('s') for key in self.fields)}"] = field
        self.columns.append(found)
        return True

    def _text(self, field: SqlColumn) -> sa.ColumnElement[Any]:
        """The text of a value, compared by code points, null where it means a missing one."""
        value, markers = self.rows.c[field.name], self.table.options.missing
        if field.type is ColumnType.BOOLEAN:
            truth: sa.ColumnElement[bool] = sa.literal_column(self.database.render(value))
            return sa.case(
                (truth, sa.literal("true", sa.Text)), (sa.not_(truth), sa.literal("false", sa.Text))
            )
        key = self.dialect.key(_as_text(field), sa.cast(value, sa.Text))
        if not markers:
            return key
        return sa.case((key.in_([sa.literal(marker, sa.Text) for marker in markers]), sa.null()), else_=key)

    def _number(self, field: SqlColumn, kind: ColumnType) -> sa.ColumnElement[Any] | None:
        """The place of a number or a date, or the text of a truth value."""
        value, words = self.database.render(self.rows.c[field.name]), self.dialect.words
        if field.type is not kind or field.dtype == pl.UInt64:
            return None
        if kind is ColumnType.BOOLEAN:
            return self._text(field)
        templates = {
            ColumnType.INTEGER: f"CAST({{}} AS {words.whole})",
            # -0.0 and 0.0 are one number, and the sum is always 0.0.
            ColumnType.REAL: f"CAST({{}} AS {words.real}) + 0" if field.dtype.is_float() else None,
            ColumnType.DECIMAL: f"CAST({{}} AS {words.real}) + 0" if _digits(field) <= EXACT_DIGITS else None,
            ColumnType.DATE: words.days if field.dtype == pl.Date else None,
            ColumnType.DATETIME: words.microseconds if field.dtype == pl.Datetime("us") else None,
        }
        template = templates.get(kind)
        if template is None:
            return None
        found = template.format(value)
        if kind is ColumnType.REAL and self.dialect.nan is not None:
            found = f"CASE WHEN {value} = {self.dialect.nan} THEN NULL ELSE {found} END"
        return sa.literal_column(found)

    def join_values(self) -> bool:
        """Join the values that hierarchies know; False if the database does not let us bring them."""
        for place, one, text in self._values:
            kinds = {"known": self.dialect.words.key, "place": self.dialect.integer}
            rows = [(value, number) for number, value in enumerate(one.values or ())]
            small = InlineTable(self.database.new_name(), kinds, rows)
            try:
                values = self._bring(small)
            except TableError:
                return False
            self.joined = self.joined.outerjoin(values, text == values.c.known)
            self._known.append(sa.or_(text.is_(None), values.c.known.is_not(None)))
            if one.is_tree:
                self.columns[place] = values.c.place
            strange = (
                sa.select(text).distinct().select_from(self.rows.outerjoin(values, text == values.c.known))
            )
            self._strange[place] = strange.where(text.is_not(None), values.c.known.is_(None))
        return True

    def _bring(self, small: InlineTable) -> sa.FromClause:
        """A small table in the statement itself where it is joined as well there, else one that nobody else sees."""
        if self.dialect.words.joins_values:
            return self.dialect.values(small)
        name, kind = self.database.quote(small.name), small.columns["known"]
        self.database.run(
            f"CREATE TEMPORARY TABLE {name} (known {kind} PRIMARY KEY, place {self.dialect.integer})"
        )
        self._made.append(name)
        for start in range(0, len(small.rows), AT_ONCE):
            rows = [
                f"({self.database.render(sa.literal(value, sa.Text))}, {place})"
                for value, place in small.rows[start : start + AT_ONCE]
            ]
            self.database.run(f"INSERT INTO {name} VALUES {', '.join(rows)}")
        return sa.table(small.name, sa.column("known"), sa.column("place"))

    def drop(self) -> None:
        """Let go of small tables."""
        # They end with the connection anyhow, and an error that came before is the one to tell.
        with suppress(CelosiaError):
            for name in self._made:
                self.database.run(f"{self.dialect.drop_temporary} {name}")

    def chosen(self) -> str:
        """The rows that stay."""
        names = [name for name in self.fields if name != "part"]
        shown = [column.label(name) for name, column in zip(names, self.columns, strict=True)]
        statement = sa.select(*shown).select_from(self.joined).where(*self._known)
        if self.drops_missing:
            lines = [column for name, column in zip(names, self.columns, strict=True) if name[0] == "q"]
            statement = statement.where(*[column.is_not(None) for column in lines])
        return self.database.render(statement)

    def strange(self) -> dict[int, sa.Select[Any]]:
        """Queries for values that hierarchies do not know."""
        return self._strange


def _as_text(field: SqlColumn) -> SqlColumn:
    """A column as it would be if it held the texts of its values."""
    return replace(field, type=ColumnType.TEXT, dtype=pl.String())


def _digits(field: SqlColumn) -> int:
    """Digits that a decimal may have."""
    found = re.search(r"\((\d+)", field.native)
    return int(found[1]) if found and field.dtype.is_decimal() else 38 + 1
