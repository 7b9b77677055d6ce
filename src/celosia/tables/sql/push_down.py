"""A global recoding as one statement: the rows joined to small tables of labels, and none of them leaves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl
import sqlalchemy as sa

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.recoder import check_columns
from celosia.tables.sql.columns import SqlColumn, possible_texts
from celosia.tables.sql.dialect import InlineTable
from celosia.tables.table import Progress, Recoding, Written, no_progress
from celosia.types import ColumnType
from celosia.values.text import texts_of

if TYPE_CHECKING:
    from celosia.tables.sql.new_table import NewTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = ["push_down"]


def push_down(
    table: "SqlTable", recoding: Recoding, destination: "NewTable", *, progress: Progress = no_progress
) -> Written:
    """Make the release in the database of the table itself."""
    progress(say("recoding rows"), 0.0)
    statement = _Statement(table, recoding)
    source = table.count()
    excluded = int(table.database.ask(statement.left_out())[0][0]) if recoding.excluded else 0
    written = destination.create_as(statement.released(), statement.types)
    suppressed = source - written - excluded
    if suppressed:
        statement.check_labels()
    progress(say("recoding rows"), 1.0)
    return Written(source, written, excluded, suppressed)


@dataclass
class _PushedColumn:
    """What becomes of one column: ``code`` tells labels apart that stand in classes to be suppressed.

    A row is ``kept`` unless a value leaves it out, and ``seen`` if its value has a label.
    """

    value: sa.ColumnElement[Any]
    type: str
    code: sa.ColumnElement[Any] | None = None
    kept: list[sa.ColumnElement[bool]] = field(default_factory=list)
    seen: list[sa.ColumnElement[bool]] = field(default_factory=list)


class _Statement:
    """The parts of the statement: rows and what they are joined to, what is shown, which rows stay."""

    def __init__(self, table: "SqlTable", recoding: Recoding) -> None:
        self.table = table
        self.database, self.dialect = table.database, table.database.dialect
        check_columns(recoding.dropped, table.columns(), where=table.name)
        self.names = tuple(name for name in table.columns() if name not in set(recoding.dropped))
        self.codes = _codes(recoding.suppressed)
        counted = [*recoding.unified, *recoding.quasi_identifiers]
        unified = [name for name in counted if name not in set(recoding.dropped)]
        used = [*unified, *recoding.filled, *recoding.excluded, *recoding.maps, *self.codes]
        self.used = tuple(dict.fromkeys(used))
        check_columns(self.used, self.names, where=table.name)
        self.recoding = _in_texts(recoding, table)
        self.rows = table.rows(self.names)
        self.joined: sa.FromClause = self.rows
        self.columns = {name: self._column(name) for name in self.names}

    @property
    def types(self) -> dict[str, str]:
        """The type of every column of the release."""
        return {name: column.type for name, column in self.columns.items()}

    def released(self) -> sa.Select[Any]:
        """The rows of the release in random order."""
        shown = [
            column.value.label(sa.quoted_name(name, quote=True)) for name, column in self.columns.items()
        ]
        statement = self._select(*shown)
        for column in self.columns.values():
            statement = statement.where(*column.kept, *column.seen)
        if self.codes:
            statement = statement.where(~self._suppressed())
        if self.recoding.keeps_order:
            return statement
        return statement.order_by(sa.literal_column(self.dialect.random))

    def left_out(self) -> sa.Select[Any]:
        """How many rows have a value that leaves them out."""
        return self._count(sa.not_(self._all_kept()))

    def check_labels(self) -> None:
        """Raise if a row that should stay has a value without a label: it stayed behind, but nobody asked for that."""
        mapped = {name: sa.and_(*column.seen) for name, column in self.columns.items() if column.seen}
        if not mapped:
            return
        lacking = [sa.func.max(sa.case((seen, 0), else_=1)) for seen in mapped.values()]
        found = self.database.ask(sa.select(*lacking).select_from(self.joined).where(self._all_kept()))[0]
        for name, lacks in zip(mapped, found, strict=True):
            if lacks:
                raise TableError(
                    say("the recoding of column {name!r} lacks a value that occurs", name=name),
                    where=self.table.name,
                    remedy=say("add it to the hierarchy, or exclude such rows"),
                )

    def _all_kept(self) -> sa.ColumnElement[bool]:
        return sa.and_(sa.true(), *[one for column in self.columns.values() for one in column.kept])

    def _count(self, *conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
        return self._select(sa.func.count()).where(*conditions)

    def _select(self, *shown: sa.ColumnElement[Any]) -> sa.Select[Any]:
        """Something of the rows and what they are joined to."""
        statement = sa.select(*shown).select_from(self.joined)
        hint = self.dialect.in_order
        return statement if hint is None else statement.prefix_with(hint)

    def _column(self, name: str) -> _PushedColumn:
        one, value = self.table.field(name), self.rows.c[name]
        if name not in self.used:
            return _PushedColumn(value, one.native)
        key = self.table.key(self.rows, name)
        missing = self._is_missing(one, key)
        small = self._small(one)
        found = _PushedColumn(value, one.native)
        if small is not None:
            self.joined = self.joined.outerjoin(small, key == small.c.value)
            # Asked only where it matters: planners take it for a condition that hardly any row fulfils.
            if self.recoding.excluded.get(name):
                found.kept.append(small.c.gone.is_(None))
        filled = self.recoding.filled.get(name)
        if filled in self.recoding.excluded.get(name, ()):
            found.kept.append(sa.not_(missing))
        if name in self.recoding.maps:
            self._show_labels(found, name, missing, small)
        else:
            found.value = self._kept(one, value, missing)
        self._encode(found, name, missing, small)
        return found

    def _kept(
        self, one: SqlColumn, value: sa.ColumnElement[Any], missing: sa.ColumnElement[bool]
    ) -> sa.ColumnElement[Any]:
        """A value that leaves without a label: in one form, if it was counted, or classes would fall apart."""
        name, filled = one.name, self.recoding.filled.get(one.name)
        is_unified = name in self.recoding.unified or filled is not None
        if is_unified or name in self.recoding.quasi_identifiers:
            value = self.dialect.canonical(one, value)
        if not is_unified:
            return value
        instead = sa.null() if filled is None else self.dialect.canonical(one, self._fill(one, filled))
        return sa.case((missing, instead), else_=value)

    def _is_missing(self, one: SqlColumn, key: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
        """Whether a value is missing: null, one whose text means it, or a number that is none."""
        conditions: list[sa.ColumnElement[bool]] = [key.is_(None)]
        markers = possible_texts(one, self.table.options.missing)
        if markers:
            conditions.append(key.in_([self.dialect.comparable(one, marker) for marker in markers]))
        if one.type in (ColumnType.REAL, ColumnType.DECIMAL) and self.dialect.nan is not None:
            conditions.append(key == sa.literal_column(self.dialect.nan))
        return sa.or_(*conditions)

    def _fill(self, one: SqlColumn, text: str) -> sa.ColumnElement[Any]:
        """A value that is filled in, of the type of the column: unlike in a file, the column keeps its type."""
        if not possible_texts(one, [text]):
            raise TableError(
                say(
                    "what is to be filled in for missing values of column {name!r} is no {type}",
                    name=one.name,
                    type=one.type,
                ),
                where=self.table.name,
                remedy=say("fill in a value that the column can hold"),
            )
        return self.dialect.typed(one, text)

    def _show_labels(
        self, found: _PushedColumn, name: str, missing: sa.ColumnElement[bool], small: sa.FromClause | None
    ) -> None:
        """Labels instead of values; what is missing is as good as what it is filled with."""
        assert small is not None
        labels, filled = self.recoding.maps[name], self.recoding.filled.get(name)
        found.type = self.dialect.types[ColumnType.TEXT]
        # A value that is missing has no row in the small table.
        known = small.c.value.is_not(None)
        if filled in labels:
            found.value = sa.case((missing, sa.literal(labels[filled], sa.Text)), else_=small.c.label)
            found.seen.append(sa.or_(missing, known))
        else:
            found.value = small.c.label
            found.seen.append(known)

    def _encode(
        self, found: _PushedColumn, name: str, missing: sa.ColumnElement[bool], small: sa.FromClause | None
    ) -> None:
        """The codes of a column's labels, null for those that stand in no class to be suppressed."""
        if (codes := self.codes.get(name)) is None:
            return
        labels, filled = self.recoding.maps.get(name), self.recoding.filled.get(name)
        code = codes.get(filled if labels is None else labels.get(filled))
        own = sa.null() if small is None else small.c.code
        found.code = own if code is None else sa.case((missing, sa.literal(code)), else_=own)

    def _small(self, one: SqlColumn) -> sa.FromClause | None:
        """The small table of a column: its values, and for each a label, a code, and whether its rows are left out."""
        labels, codes = self.recoding.maps.get(one.name), self.codes.get(one.name, {})
        missing = {None, *self.table.options.missing}
        gone = set(self.recoding.excluded.get(one.name, ())) - missing
        known: Iterable[str | None] = codes if labels is None else labels
        texts = [text for text in dict.fromkeys([*known, *gone]) if text is not None and text not in missing]
        rows: list[tuple[Any, ...]] = []
        for text in possible_texts(one, texts):
            if labels is not None and text not in labels:
                # Only left out: it needs no label.
                rows.append((text, None, None, 1))
                continue
            label = text if labels is None else labels[text]
            rows.append((text, label, codes.get(label), 1 if text in gone else None))
        if not rows and labels is None:
            return None
        return self._make(
            {"value": self.dialect.key_type(one), "label": self.dialect.types[ColumnType.TEXT]},
            ("code", "gone"),
            rows,
            keys=("value",),
        )

    def _suppressed(self) -> sa.ColumnElement[bool]:
        """Whether a row's labels are among those that are suppressed."""
        frame = self.recoding.suppressed
        columns = [[codes[value] for value in frame[name]] for name, codes in self.codes.items()]
        rows = list(dict.fromkeys(zip(*columns, strict=True)))
        keys = tuple(f"k{i}" for i in range(len(columns)))
        small = self._make({}, keys, rows, keys=keys)
        same = [small.c[key] == self.columns[name].code for key, name in zip(keys, self.codes, strict=True)]
        return sa.exists(sa.select(sa.literal_column("1")).select_from(small).where(*same))

    def _make(
        self,
        kinds: dict[str, str],
        numbers: Iterable[str],
        rows: list[tuple[Any, ...]],
        *,
        keys: tuple[str, ...],
    ) -> sa.FromClause:
        kinds = {**kinds, **dict.fromkeys(numbers, self.dialect.integer)}
        return self.dialect.small(self.database, InlineTable(self.database.new_name(), kinds, rows, keys))


def _in_texts(recoding: Recoding, table: "SqlTable") -> Recoding:
    """The recoding with values as texts: so they go into a statement, each cast to the type of its column there."""

    def texts(name: str, values: Iterable[Any]) -> dict[Any, str | None]:
        known, dtype = list(values), table.field(name).dtype
        if all(value is None or isinstance(value, str) for value in known) and not dtype.is_numeric():
            return {value: value for value in known}
        try:
            return dict(zip(known, texts_of(pl.Series(known, dtype=dtype)).to_list(), strict=True))
        except (TypeError, pl.exceptions.PolarsError, OverflowError):
            return {value: _text_of(value, dtype) for value in known}

    maps = {}
    for name, labels in recoding.maps.items():
        known = texts(name, labels)
        # What is no value of the column, no row has.
        maps[name] = {known[value]: label for value, label in labels.items() if _is_kept(value, known)}
    excluded = {}
    for name, values in recoding.excluded.items():
        known = texts(name, values)
        excluded[name] = tuple(known[value] for value in values if _is_kept(value, known))
    # What cannot be filled in keeps its own text, and is refused as what it is.
    filled = {
        name: _text_of(value, table.field(name).dtype) or str(value)
        for name, value in recoding.filled.items()
    }
    return replace(recoding, maps=maps, filled=filled, excluded=excluded)


def _is_kept(value: Any, texts: Mapping[Any, str | None]) -> bool:
    return value is None or texts[value] is not None


def _text_of(value: Any, dtype: pl.DataType) -> str | None:
    """The text of a value of a type; None for a missing one and for what is no value of that type."""
    try:
        text: str | None = texts_of(pl.Series([value], dtype=dtype))[0]
    except (TypeError, pl.exceptions.PolarsError, OverflowError):
        return None
    return text


def _codes(suppressed: pl.DataFrame) -> dict[str, dict[str | None, int]]:
    """A number for every label that stands in a class to be suppressed, by column."""
    if not suppressed.height:
        return {}
    return {
        series.name: {value: code for code, value in enumerate(series.unique().to_list())}
        for series in suppressed.iter_columns()
    }
