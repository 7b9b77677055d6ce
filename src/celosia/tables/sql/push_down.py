"""A global recoding as one statement: the rows joined to small tables of labels, and none of them leaves."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl
import sqlalchemy as sa

from celosia.tables.recoder import check_columns
from celosia.tables.sql.columns import SqlColumn
from celosia.tables.sql.dialect import Small
from celosia.tables.table import Progress, Recoding, Written, no_progress
from celosia.types import ColumnType

if TYPE_CHECKING:
    from celosia.tables.sql.new_table import NewTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = ["push_down"]


def push_down(
    table: "SqlTable", recoding: Recoding, destination: "NewTable", *, progress: Progress = no_progress
) -> Written:
    """Make the release in the database of the table itself."""
    progress("recoding rows", 0.0)
    statement = _Statement(table, recoding)
    source = table.count()
    excluded = table.database.ask(statement.left_out())[0][0] if recoding.excluded else 0
    written = destination.create_as(statement.released())
    progress("recoding rows", 1.0)
    return Written(source, written, int(excluded), source - written - int(excluded))


@dataclass
class _Column:
    """What becomes of one column: ``code`` tells labels apart that stand in classes to be suppressed."""

    value: sa.ColumnElement[Any]
    code: sa.ColumnElement[Any] | None = None
    kept: list[sa.ColumnElement[bool]] = field(default_factory=list)
    seen: list[sa.ColumnElement[bool]] = field(default_factory=list)


class _Statement:
    """The parts of the statement: rows and what they are joined to, what is shown, which rows stay."""

    def __init__(self, table: "SqlTable", recoding: Recoding) -> None:
        self.table, self.recoding = table, recoding
        self.database, self.dialect = table.database, table.database.dialect
        check_columns(recoding.dropped, table.columns(), where=table.name)
        self.names = [name for name in table.columns() if name not in set(recoding.dropped)]
        self.rows = table.rows(self.names)
        self.joined: sa.FromClause = self.rows
        self.codes = _codes(recoding.suppressed)
        self.columns = {name: self._column(name) for name in self.names}

    def released(self) -> sa.Select[Any]:
        """The rows of the release in random order."""
        shown = [
            column.value.label(sa.quoted_name(name, quote=True)) for name, column in self.columns.items()
        ]
        statement = sa.select(*shown).select_from(self.joined)
        for column in self.columns.values():
            statement = statement.where(*column.kept, *column.seen)
        if self.codes:
            statement = statement.where(~self._suppressed())
        return statement.order_by(sa.literal_column(self.dialect.random))

    def left_out(self) -> sa.Select[Any]:
        """How many rows have a value that leaves them out."""
        kept = [condition for column in self.columns.values() for condition in column.kept]
        return sa.select(sa.func.count()).select_from(self.joined).where(sa.not_(sa.and_(sa.true(), *kept)))

    def _column(self, name: str) -> _Column:
        one, value = self.table.field(name), self.rows.c[name]
        recoding = self.recoding
        used = {*recoding.unified, *recoding.filled, *recoding.excluded, *recoding.maps, *self.codes}
        if name not in used:
            return _Column(value)
        key = self.table.key(self.rows, name)
        missing = _is_missing(one, key, self.table.options.missing, self.dialect.nan)
        shown: sa.ColumnElement[Any] = value
        filled = recoding.filled.get(name)
        if filled is not None:
            shown = sa.case((missing, self.dialect.typed(one, filled)), else_=value)
        elif name in recoding.unified:
            shown = sa.case((missing, sa.null()), else_=value)
        small = self._small(one)
        if small is None:
            found = _Column(shown)
        else:
            self.joined = self.joined.outerjoin(small, key == small.c.value)
            found = _Column(shown, kept=[small.c.gone.is_(None)])
        self._recode(found, name, filled, missing, small)
        return found

    def _recode(
        self, found: _Column, name: str, filled: str | None, missing: sa.ColumnElement[bool], small: Any
    ) -> None:
        """Labels, codes and conditions of a column; what is missing is as good as what it is filled with."""
        if filled in self.recoding.excluded.get(name, ()):
            found.kept.append(sa.not_(missing))
        labels, codes = self.recoding.maps.get(name), self.codes.get(name)
        if labels is not None:
            found.value = sa.case((missing, sa.literal(labels.get(filled), sa.Text)), else_=small.c.label)
            found.seen.append(sa.or_(missing, small.c.value.is_not(None)))
        if codes is not None:
            own = labels.get(filled) if labels is not None else filled
            code = codes.get(own)
            lost = sa.null() if code is None else sa.literal(code)
            found.code = sa.case((missing, lost), else_=small.c.code if small is not None else sa.null())

    def _small(self, one: SqlColumn) -> sa.FromClause | None:
        """The small table of a column: its values, and for each a label, a code, and whether its rows are left out."""
        labels, codes = self.recoding.maps.get(one.name), self.codes.get(one.name)
        gone = {text for text in self.recoding.excluded.get(one.name, ()) if text is not None}
        texts: list[str] = [text for text in labels if text is not None] if labels is not None else []
        texts += [text for text in codes or () if text is not None and labels is None]
        texts = list(dict.fromkeys([*texts, *sorted(gone)]))
        if not texts:
            return None if labels is None else self._small_of(one, [])
        rows = []
        for text in texts:
            label = text if labels is None else labels.get(text)
            rows.append((text, label, (codes or {}).get(label), 1 if text in gone else None))
        return self._small_of(one, rows)

    def _small_of(self, one: SqlColumn, rows: list[tuple[Any, ...]]) -> sa.FromClause:
        dialect = self.dialect
        kinds = {
            "value": dialect.key_type(one),
            "label": dialect.types[ColumnType.TEXT],
            "code": dialect.integer,
            "gone": dialect.integer,
        }
        return dialect.small(self.database, Small(self.database.new_name(), kinds, rows))

    def _suppressed(self) -> sa.ColumnElement[bool]:
        """Whether a row's labels are among those that are suppressed."""
        frame = self.recoding.suppressed
        columns = [[codes[value] for value in frame[name]] for name, codes in self.codes.items()]
        kinds = {f"k{i}": self.dialect.integer for i in range(len(columns))}
        rows = list(dict.fromkeys(zip(*columns, strict=True)))
        small = self.dialect.small(self.database, Small(self.database.new_name(), kinds, rows))
        same = [small.c[f"k{i}"] == self.columns[name].code for i, name in enumerate(self.codes)]
        return sa.exists(sa.select(sa.literal_column("1")).select_from(small).where(*same))


def _codes(suppressed: pl.DataFrame) -> dict[str, dict[str | None, int]]:
    """A number for every label that stands in a class to be suppressed, by column."""
    if not suppressed.height:
        return {}
    return {
        series.name: {value: code for code, value in enumerate(series.unique().to_list())}
        for series in suppressed.iter_columns()
    }


def _is_missing(
    one: SqlColumn, key: sa.ColumnElement[Any], markers: tuple[str, ...], nan: str | None
) -> sa.ColumnElement[bool]:
    """Whether a value is missing: null, a text that means it, or a number that is none."""
    conditions: list[sa.ColumnElement[bool]] = [key.is_(None)]
    if one.type is ColumnType.TEXT and markers:
        conditions.append(key.in_([sa.literal(marker, sa.Text) for marker in markers]))
    if one.type is ColumnType.REAL and nan is not None:
        conditions.append(key == sa.literal_column(nan))
    return sa.or_(*conditions)
