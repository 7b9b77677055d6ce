"""The text of a value: what labels, files and people have of it, whatever the type of the column."""

from collections.abc import Collection

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.types import ColumnType
from celosia.values.parse import canonical_real

__all__ = ["column_type", "missing_to_null", "text_of", "texts_of"]

_TEXT = (pl.String, pl.Categorical, pl.Enum)


def text_of(value: pl.Expr, dtype: pl.DataType, *, column: str = "", where: str = "") -> pl.Expr:
    """The expression that turns a column of ``dtype`` into text; null and NaN stay null.

    >>> import datetime
    >>> frame = pl.DataFrame({"at": [datetime.datetime(2024, 5, 1, 10, 30)], "paid": [True], "rate": [float("nan")]})
    >>> frame.select(text_of(pl.col(name), dtype) for name, dtype in frame.schema.items()).row(0)
    ('2024-05-01T10:30:00', 'true', None)
    """
    if dtype == pl.String:
        return value
    if dtype.is_float():
        return canonical_real(value).cast(pl.String)
    if isinstance(dtype, pl.Datetime):
        return value.dt.to_string("%Y-%m-%dT%H:%M:%S%.f" + ("%:z" if dtype.time_zone else ""))
    if dtype == pl.Time:
        return value.dt.to_string("%H:%M:%S%.f")
    if dtype == pl.Duration:
        return value.dt.to_string("iso")
    if dtype in _TEXT or dtype.is_numeric() or dtype in (pl.Boolean, pl.Date, pl.Null):
        return value.cast(pl.String)
    raise TableError(
        say(
            "column {column!r} holds {type} values, which have no text",
            column=column,
            type=str(dtype).split("(")[0].lower(),
        ),
        where=where,
        remedy=say("drop it, keep it as it is in Parquet, or split it into plain columns first"),
    )


def texts_of(values: pl.Series, *, column: str = "", where: str = "") -> pl.Series:
    """The texts of values; null and NaN stay null.

    >>> texts_of(pl.Series([1.5, -0.0])).to_list()
    ['1.5', '0.0']
    """
    if values.dtype == pl.String:
        return values
    text = text_of(pl.nth(0), values.dtype, column=column or values.name, where=where).alias("")
    return values.alias("").to_frame().select(text).to_series().alias(values.name)


def missing_to_null(texts: pl.Expr, missing: Collection[str]) -> pl.Expr:
    """Text with the markers of a missing value as null.

    >>> pl.DataFrame({"a": ["x", "?", None]}).select(missing_to_null(pl.col("a"), ("?",))).to_series().to_list()
    ['x', None, None]
    """
    markers = pl.Series(list(missing), dtype=pl.String).implode()
    return pl.when(texts.is_in(markers)).then(None).otherwise(texts)


def column_type(dtype: pl.DataType) -> ColumnType:
    """What the engine's type is called here.

    >>> column_type(pl.UInt8()), column_type(pl.List(pl.Int64))
    (<ColumnType.INTEGER: 'integer'>, <ColumnType.OTHER: 'other'>)
    """
    if dtype in _TEXT:
        return ColumnType.TEXT
    if dtype.is_integer():
        return ColumnType.INTEGER
    if dtype.is_float():
        return ColumnType.REAL
    if dtype.is_decimal():
        return ColumnType.DECIMAL
    named = {pl.Boolean: ColumnType.BOOLEAN, pl.Date: ColumnType.DATE, pl.Null: ColumnType.TEXT}
    for engine, name in named.items():
        if dtype == engine:
            return name
    return ColumnType.DATETIME if isinstance(dtype, pl.Datetime) else ColumnType.OTHER
