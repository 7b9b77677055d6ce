"""Values as operations need them: numbers, dates and texts, whatever the table holds."""

from collections.abc import Callable
from typing import Literal

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.values.text import text_of

__all__ = ["bounds_of", "by_plain_name", "dates_of", "each_number", "numbers_of", "texts_of"]


def by_plain_name(values: pl.Series) -> pl.Series:
    """Values under a name that Polars does not take for a pattern of names, as it does ^a$: with a space at its end.

    >>> by_plain_name(pl.Series("^a$", [1])).name, by_plain_name(pl.Series("a", [1])).name
    ('^a$ ', 'a')
    """
    name = values.name
    return values.alias(f"{name} ") if name.startswith("^") and name.endswith("$") else values


def texts_of(values: pl.Series, *, location: str = "") -> pl.Series:
    """The texts of values; missing ones stay missing.

    >>> texts_of(pl.Series([1, None])).to_list()
    ['1', None]
    """
    expression = text_of(pl.nth(0), values.dtype, column=values.name, where=location)
    return values.alias("").to_frame().select(expression).to_series().alias(values.name)


def numbers_of(values: pl.Series, *, location: str = "") -> pl.Series:
    """Numbers as they are; texts as integers if all are, otherwise as reals. A text that is no number is an error.

    >>> numbers_of(pl.Series(["1", "2.5", None])).to_list()
    [1.0, 2.5, None]
    """
    if values.dtype.is_numeric():
        return values.fill_nan(None) if values.dtype.is_float() else values
    if values.dtype != pl.String:
        raise _unfit(values, location, "number")
    for kind in (pl.Int64, pl.Float64):
        numbers = values.str.strip_chars().cast(kind, strict=False)
        if kind == pl.Float64:
            numbers = numbers.fill_nan(None)
        if numbers.null_count() == values.null_count():
            return numbers
    raise _unfit(values, location, "number", numbers)


def each_number(
    values: pl.Series,
    whole: Callable[[pl.Series], pl.Series],
    real: Callable[[pl.Series], pl.Series],
    *,
    location: str = "",
) -> pl.Series:
    """What ``whole`` makes of integers and ``real`` of other numbers, each text by itself, whatever is in its batch.

    Texts that are integers are exact, however large their neighbours; the two give the same type.

    >>> each_number(pl.Series(["7", "2.5", None]), lambda n: n // 2, lambda n: (n / 2).cast(pl.Int64)).to_list()
    [3, 1, None]
    """
    if values.dtype == pl.Null:
        values = values.cast(pl.Int64)
    if values.dtype.is_numeric():
        return whole(values) if values.dtype.is_integer() else real(values.fill_nan(None))
    if values.dtype != pl.String:
        raise _unfit(values, location, "number")
    texts = values.str.strip_chars()
    integers = texts.cast(pl.Int64, strict=False)
    if integers.null_count() == values.null_count():
        return whole(integers)
    numbers = texts.cast(pl.Float64, strict=False).fill_nan(None)
    if numbers.null_count() != values.null_count():
        raise _unfit(values, location, "number", numbers)
    are_integers = integers.is_not_null()
    reals = numbers.zip_with(~are_integers, pl.Series([None], dtype=pl.Float64))
    return whole(integers).zip_with(are_integers, real(reals))


def bounds_of(dtype: pl.DataType) -> tuple[int, int]:
    """The least and the greatest integer that a type of integers holds.

    >>> bounds_of(pl.Int8())
    (-128, 127)
    """
    low, high = pl.select(low=dtype.min(), high=dtype.max()).row(0)  # type: ignore[attr-defined]
    return int(low), int(high)


def dates_of(values: pl.Series, *, location: str = "") -> pl.Series:
    """Dates and times as they are; ISO texts as dates, or as dates with times. Any other text is an error.

    >>> dates_of(pl.Series(["2024-05-01", None])).to_list()
    [datetime.date(2024, 5, 1), None]
    """
    if values.dtype.is_temporal() and values.dtype not in (pl.Time, pl.Duration):
        return values
    if values.dtype != pl.String:
        raise _unfit(values, location, "date")
    dates = values.str.to_date("%Y-%m-%d", strict=False)
    if dates.null_count() == values.null_count():
        return dates
    for form in ("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"):
        dates = values.str.to_datetime(form, strict=False, time_unit="us")
        if dates.null_count() == values.null_count():
            return dates
    raise _unfit(values, location, "date", dates)


def _unfit(
    values: pl.Series, location: str, kind: Literal["number", "date"], numbers: pl.Series | None = None
) -> TableError:
    """An error that tells which column, never which value: it may be somebody's."""
    name, dtype = values.name, values.dtype
    wrong = 0 if numbers is None else numbers.null_count() - values.null_count()
    match kind, numbers is None:
        case "number", True:
            problem = say("column {name!r} is of type {type}, which is no number", name=name, type=dtype)
        case "number", False:
            problem = say("column {name!r} holds {count} values that are no numbers", name=name, count=wrong)
        case "date", True:
            problem = say("column {name!r} is of type {type}, which is no date", name=name, type=dtype)
        case _:
            problem = say("column {name!r} holds {count} values that are no dates", name=name, count=wrong)
    return TableError(
        problem,
        where=location,
        remedy=say(
            "choose an operation that takes {type!s} values, declare what means a missing "
            "value, or clean the column first",
            type=values.dtype,
        ),
    )
