"""The columns of a table in a database: what they are called there, and what they are here."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import polars as pl
import sqlalchemy as sa

from celosia.types import Column, ColumnType
from celosia.values.text import text_of

__all__ = ["DTYPES", "NativeType", "SqlColumn", "possible_texts"]

DTYPES: dict[ColumnType, pl.DataType] = {
    ColumnType.TEXT: pl.String(),
    ColumnType.INTEGER: pl.Int64(),
    ColumnType.REAL: pl.Float64(),
    ColumnType.BOOLEAN: pl.Boolean(),
    ColumnType.DATE: pl.Date(),
    ColumnType.DATETIME: pl.Datetime("us"),
    ColumnType.DECIMAL: pl.String(),
    ColumnType.OTHER: pl.String(),
}


@dataclass(frozen=True)
class SqlColumn:
    """One column: its name, its type here, and ``native``, the type as its database writes it.

    Values arrive as ``dtype``. ``is_plain`` says that values have a text and can be compared: others (documents,
    shapes, lists) only pass through.
    """

    name: str
    type: ColumnType
    native: str
    dtype: pl.DataType
    length: int | None = None
    is_plain: bool = True

    @property
    def column(self) -> Column:
        """The column as other rooms know it."""
        return Column(self.name, self.type, self.length)


def possible_texts(column: SqlColumn, texts: Iterable[str]) -> list[str]:
    """Those of some texts that a value of a column can have.

    A database would take '031' for the number 31 and stumble over 'unknown'; elsewhere neither is the text of a number.

    >>> age = SqlColumn("age", ColumnType.INTEGER, "integer", pl.Int64())
    >>> possible_texts(age, ["31", "031", "unknown"])
    ['31']
    """
    series = pl.Series("", list(texts), dtype=pl.String)
    dtype = column.dtype
    if column.type is ColumnType.DECIMAL and dtype == pl.String:
        return series.filter(series.str.contains(_DECIMAL)).to_list()
    if dtype == pl.String:
        return series.to_list()
    values = _parsed(series, dtype).to_frame()
    again = values.select(text_of(pl.nth(0), dtype)).to_series()
    return series.filter((again == series).fill_null(value=False)).to_list()


_DECIMAL = r"^(-?[1-9]\d*|0|-?(0|[1-9]\d*)\.\d*[1-9]|-?Infinity)$"


def _parsed(texts: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Texts as values, null where they are none."""
    if dtype == pl.Boolean:
        return texts.replace_strict({"true": True, "false": False}, default=None, return_dtype=pl.Boolean)
    if dtype == pl.Date:
        return texts.str.to_date("%Y-%m-%d", strict=False)
    if isinstance(dtype, pl.Datetime):
        form = "%Y-%m-%dT%H:%M:%S%.f" + ("%:z" if dtype.time_zone else "")
        return texts.str.to_datetime(form, strict=False, time_unit="us", time_zone=dtype.time_zone)
    return texts.cast(dtype, strict=False)


class NativeType(sa.types.UserDefinedType[Any]):
    """A type by the name that the database itself has for it; values are given as text and cast."""

    cache_ok = True

    def __init__(self, spec: str) -> None:
        self.spec = spec

    def get_col_spec(self, **_: Any) -> str:
        """The name."""
        return self.spec

    def literal_processor(self, dialect: sa.Dialect) -> Any:
        """A value in the text of a statement: a quoted text, cast."""
        quote = sa.String().dialect_impl(dialect).literal_processor(dialect)
        assert quote is not None
        return lambda value: f"CAST({quote(str(value))} AS {self.spec})"
