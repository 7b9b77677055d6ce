"""Values as a column of a database takes them in: of its type, within its length, or not at all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import polars as pl

from celosia.say import say
from celosia.tables.format import Reader
from celosia.types import Column, ColumnType, Schema
from celosia.values.text import column_type, missing_to_null, text_of

__all__ = ["ColumnCast", "column_cast", "find_scales"]

DIGITS = 38
"""Digits that decimals may have."""
LONG = 19
"""Digits of a whole number that 64 bits may not hold."""
_TIMES = ("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M")
_NAMES = {
    ColumnType.INTEGER: say("a whole number"),
    ColumnType.REAL: say("a number"),
    ColumnType.DECIMAL: say("a number of at most {digits} digits", digits=DIGITS),
    ColumnType.BOOLEAN: say("true or false"),
    ColumnType.DATE: say("a date such as 2024-05-31"),
    ColumnType.DATETIME: say("a date and a time without a zone such as 2024-05-31 10:30:00"),
}


@dataclass(frozen=True)
class ColumnCast:
    """How values become those of a column; ``native`` is its type where the kind of database alone does not say it."""

    column: Column
    convert: Callable[[pl.Expr], pl.Expr]
    native: str | None = None

    @property
    def meaning(self) -> str:
        """What a value of the column is."""
        if self.column.length and self.column.type is ColumnType.TEXT:
            return say("a text of at most {length:,} characters", length=self.column.length)
        return _NAMES.get(self.column.type, say("a text"))

    def apply(self, values: pl.Series, missing: Sequence[str]) -> tuple[pl.Series, int | None]:
        """The values as the column holds them, and the place of the first that it cannot hold.

        >>> fit = column_cast(Column("age", ColumnType.INTEGER), pl.String())
        >>> fit.apply(pl.Series(["31", "?", "old"]), ("?",))[1]
        2
        """
        given = values.alias("").to_frame()
        if missing and values.dtype == pl.String:
            given = given.select(missing_to_null(pl.nth(0), missing))
        fitted = given.select(self.convert(pl.nth(0)).alias("")).to_series()
        odd = fitted.is_null() & ~self._is_none(given.to_series().alias(""))
        return fitted.alias(self.column.name), odd.arg_max() if odd.any() else None

    @staticmethod
    def _is_none(values: pl.Series) -> pl.Series:
        """Nothing, and what is no number."""
        return values.fill_nan(None).is_null() if values.dtype.is_float() else values.is_null()


def column_cast(column: Column, dtype: pl.DataType, scale: int | None = None) -> ColumnCast:
    """How values of ``dtype`` become those of a column; ``scale`` is the number of digits after the point."""
    is_its_own = column.type is column_type(dtype) and dtype != pl.String
    if is_its_own and isinstance(dtype, pl.Datetime):
        is_its_own = dtype.time_zone is None
    if is_its_own and not isinstance(dtype, pl.Categorical | pl.Enum):
        return ColumnCast(column, _typed(dtype, column.type), _native(column.type, dtype, scale))
    text_type = pl.String() if dtype == pl.String else dtype

    def convert(value: pl.Expr) -> pl.Expr:
        return _parsed(text_of(value, text_type, column=column.name), column, scale)

    return ColumnCast(column, convert, _native(column.type, dtype, scale))


def _native(type: ColumnType, dtype: pl.DataType, scale: int | None) -> str | None:
    """Decimals as wide as their values need; integers that 64 bits do not hold are decimals."""
    if type is ColumnType.DECIMAL:
        found = scale if scale is not None else getattr(dtype, "scale", None)
        return f"DECIMAL({DIGITS}, {found or 0})"
    if type is ColumnType.INTEGER and (scale is not None or dtype in (pl.UInt64, pl.Int128)):
        return f"DECIMAL({DIGITS}, 0)"
    return None


def _typed(dtype: pl.DataType, type: ColumnType) -> Callable[[pl.Expr], pl.Expr]:
    """Values that have their type already."""
    if dtype.is_float():
        return _finite
    if isinstance(dtype, pl.Datetime):
        return lambda value: _within_years(value.cast(pl.Datetime("us")), datetime(1, 1, 1))
    if dtype == pl.Date:
        return lambda value: _within_years(value, date(1, 1, 1))
    if dtype in (pl.UInt64, pl.Int128):
        return lambda value: value.cast(pl.Decimal(DIGITS, 0), strict=False)
    return lambda value: value.cast(pl.Int64) if type is ColumnType.INTEGER else value


def _parsed(texts: pl.Expr, column: Column, scale: int | None) -> pl.Expr:
    """Texts as values of a column, null where they are none."""
    if column.type is ColumnType.INTEGER:
        return texts.cast(pl.Int64 if scale is None else pl.Decimal(DIGITS, 0), strict=False)
    if column.type is ColumnType.DECIMAL:
        is_number = texts.str.contains(r"^[+-]?[0-9]+(?:\.[0-9]*)?$")
        return pl.when(is_number).then(texts.cast(pl.Decimal(DIGITS, scale or 0), strict=False))
    if column.type is ColumnType.TEXT and column.length:
        return pl.when(texts.str.len_chars() <= column.length).then(texts)
    parsers = {
        ColumnType.REAL: lambda: _finite(texts.cast(pl.Float64, strict=False)),
        ColumnType.BOOLEAN: lambda: _truth(texts),
        ColumnType.DATE: lambda: _within_years(texts.str.to_date("%Y-%m-%d", strict=False), date(1, 1, 1)),
        ColumnType.DATETIME: lambda: _within_years(_time(texts), datetime(1, 1, 1)),
    }
    return parsers[column.type]() if column.type in parsers else texts


def _truth(texts: pl.Expr) -> pl.Expr:
    known = {"true": True, "false": False}
    return texts.str.to_lowercase().replace_strict(known, default=None, return_dtype=pl.Boolean)


def _time(texts: pl.Expr) -> pl.Expr:
    spelt = texts.str.replace(" ", "T", literal=True)
    return pl.coalesce(spelt.str.to_datetime(form, strict=False, time_unit="us") for form in _TIMES)


def _finite(value: pl.Expr) -> pl.Expr:
    return pl.when(value.is_finite()).then(value.cast(pl.Float64))


def _within_years(value: pl.Expr, first: date) -> pl.Expr:
    """Years of four digits, from 1 on, which every database has."""
    return pl.when(value.is_between(first, first.replace(year=9999, month=12, day=31))).then(value)


def find_scales(reader: Reader, schema: Schema, longest: Mapping[str, int]) -> dict[str, int]:
    """For texts that become decimals, the most digits after the point; 0 for integers too long for 64 bits.

    ``longest`` are the lengths of the longest texts where they are known.
    """
    texts = [
        column
        for column, dtype in zip(schema, reader.dtypes, strict=True)
        if dtype == pl.String
        and (
            column.type is ColumnType.DECIMAL
            or (column.type is ColumnType.INTEGER and longest.get(column.name, LONG) >= LONG)
        )
    ]
    scales = {column.name: 0 for column in texts if column.type is ColumnType.DECIMAL}
    if not texts:
        return scales
    for batch in reader.batches([column.name for column in texts]):
        for column, values in zip(texts, batch.iter_columns(), strict=True):
            if column.type is ColumnType.DECIMAL:
                most = values.str.extract(r"\.([0-9]*)$").str.len_chars().max()
                scales[column.name] = min(DIGITS, max(scales[column.name], int(most or 0)))  # type: ignore[arg-type]
            elif _is_long(values):
                scales[column.name] = 0
    return scales


def _is_long(texts: pl.Series) -> bool:
    """Whether a text is a whole number that 64 bits do not hold."""
    whole = texts.filter(texts.str.contains(r"^[+-]?[0-9]{19,38}$"))
    return bool(whole.cast(pl.Int64, strict=False).null_count())
