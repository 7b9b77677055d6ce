"""The order of the values of a column, for whoever needs "how far apart": that of numbers and dates, or one given.

Texts have none. That of the alphabet says nothing about what they mean: 1234,56 comes before 987,00 there, and "severe"
after "mild" by accident.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.values.same import fold_keys
from celosia.values.text import texts_of

__all__ = ["rank_values"]

Integers = npt.NDArray[np.int64]
NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?|inf)|NaN", re.ASCII)
"""A number as a table writes it, without blanks around it: no thousands separators."""
DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?"
    r"(?P<offset>Z|[+-][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?)?",
    re.ASCII,
)
"""A date, or a date and a time, as ISO 8601 writes them."""

TRUTH = frozenset({"false", "true"})


def rank_values(
    values: Sequence[object] | pl.Series, *, order: Sequence[str] | None = None
) -> Integers | None:
    """``ranks[value]``: the place of each value, from 0; None where the values have no order.

    The ``order`` given decides; values that it does not name have none. Without one numbers come by size, dates by time
    and false before true: where the type of the series says that they are, or where texts are all written as numbers,
    or all as dates. What is not a number (NaN) comes after all numbers, a missing value (None) last; equal numbers
    follow their text.

    >>> rank_values(["10", "9", None, "-1.5"]).tolist()
    [2, 1, 3, 0]
    >>> rank_values(["2024-10-01", "2024-09-30"]).tolist()
    [1, 0]
    >>> rank_values(["mild", "severe"]), rank_values(["severe", "mild"], order=["mild", "severe"]).tolist()
    (None, [1, 0])
    """
    if not isinstance(values, pl.Series) and not all(
        value is None or isinstance(value, str) for value in values
    ):
        # The type of the first alone would be taken, which later integers may not fit.
        are_integers = all(value is None or type(value) is int for value in values)
        values = pl.Series(values, dtype=pl.Int128 if are_integers else None)
    if isinstance(values, pl.Series) and not _is_text(values.dtype) and order is None:
        return _rank_typed(values)
    texts = texts_of(values).to_list() if isinstance(values, pl.Series) else list(values)
    present = [position for position, text in enumerate(texts) if text is not None]
    spelled = [str(texts[position]) for position in present]
    places = _places_given(spelled, order) if order is not None else _places(spelled)
    if places is None:
        return None
    ranks = np.empty(len(texts), np.int64)
    ranks[np.array(present, np.int64)[places]] = np.arange(len(present))
    missing = [position for position, text in enumerate(texts) if text is None]
    ranks[np.array(missing, np.int64)] = np.arange(len(present), len(texts))
    return ranks


def _places(texts: Sequence[str]) -> Integers | None:
    """Texts in the order of what they say: the places of the first, the second and so on; None if there is none.

    Blanks around them do not matter, nor does the case of true and false: as where texts become values of a type.
    """
    texts = pl.Series(texts, dtype=pl.String).str.strip_chars().to_list()
    if all(map(NUMBER.fullmatch, texts)):
        return _numeric_order(texts)
    if (moments := _moments(texts)) is not None:
        return _sorted_by(list(zip(moments, texts, strict=True)))
    lower = [text.lower() for text in texts]
    return _sorted_by(list(zip(lower, texts, strict=True))) if TRUTH.issuperset(lower) else None


def _places_given(texts: Sequence[str], order: Sequence[str]) -> Integers | None:
    place = {key: number for number, key in enumerate(fold_keys(pl.Series(order, dtype=pl.String)))}
    keys = fold_keys(pl.Series(texts, dtype=pl.String)).to_list()
    if not place.keys() >= set(keys):
        return None
    return _sorted_by([place[key] for key in keys])


def _sorted_by(keys: Sequence[Any]) -> Integers:
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)


def _moments(texts: Sequence[str]) -> list[datetime] | None:
    """When texts are, if all are dates: all with an offset from universal time, or none."""
    matches = [DATE.fullmatch(text) for text in texts]
    if not all(matches) or len({match["offset"] is None for match in matches if match}) > 1:
        return None
    try:
        return [datetime.fromisoformat(text) for text in texts]
    except ValueError:  # a thirteenth month
        return None


def _numeric_order(texts: Sequence[str]) -> Integers:
    numbers = np.array([float(text) for text in texts])
    # Rounding to double never swaps two numbers, it only makes some equal; then the exact decimals decide.
    if len(np.unique(numbers)) == len(numbers):
        return np.argsort(numbers)
    return _sorted_by([_exact(text) for text in texts])


def _exact(text: str) -> tuple[bool, Decimal, str]:
    unordered = text == "NaN"
    return (unordered, Decimal(0) if unordered else Decimal(text), text)


def _is_text(dtype: pl.DataType) -> bool:
    return dtype in (pl.String, pl.Categorical, pl.Enum, pl.Null)


def _rank_typed(values: pl.Series) -> Integers | None:
    """The ranks of numbers, dates and truth; equal values, which a column of distinct ones has not, as they stand."""
    if not (values.dtype.is_numeric() or values.dtype.is_temporal() or values.dtype == pl.Boolean):
        return None
    ranks = np.empty(len(values), np.int64)
    ranks[values.arg_sort(nulls_last=True).to_numpy()] = np.arange(len(values))
    return ranks
