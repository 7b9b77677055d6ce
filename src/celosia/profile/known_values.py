"""What values say that others may know about a person: ages, postcodes, coordinates, places."""

import unicodedata
from functools import cache

import polars as pl

from celosia.profile.content import SAMPLE, SHARE, content_reason, sample, share_of
from celosia.profile.place_names import PLACES
from celosia.profile.reasons import Reason
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["known_to_others"]

FEWEST = 20
"""With fewer distinct values than this, ages, postcodes and coordinates look like any numbers."""
FEWEST_PLACES = 3
OLDEST = 120
POSTCODE = r"^(?:0[1-9]|[1-4][0-9]|5[0-2])[0-9]{3}$"
"""Five digits that begin with the number of a Spanish province; those of other countries begin so too, mostly."""
PAIR = r"^\(?-?[0-9]{1,2}\.[0-9]{3,}[,; ]+-?[0-9]{1,3}\.[0-9]{3,}\)?$"
FINE = r"^-?[0-9]{1,3}\.[0-9]{4,8}$"


def known_to_others(values: pl.Series, kind: ColumnType) -> Reason | None:
    """Why others may know the distinct ``values`` (texts, none missing) of a column; None if nothing says so.

    >>> print(known_to_others(pl.Series(["Lugo", "Cádiz", "Madrid", "Vigo"]), ColumnType.TEXT))
    100 % of the values are places
    >>> print(known_to_others(pl.Series([str(age) for age in range(18, 91)]), ColumnType.INTEGER))
    whole numbers from 18 to 90, as ages are
    """
    some = sample(values, SAMPLE).str.strip_chars()
    if kind is ColumnType.INTEGER:
        return _ages(values)
    if kind in (ColumnType.REAL, ColumnType.DECIMAL):
        return _coordinates(some)
    if kind is ColumnType.TEXT:
        return _places(some) or _postcodes(some) or _pairs(some)
    return None


def _ages(values: pl.Series) -> Reason | None:
    numbers = values.cast(pl.Int64, strict=False).drop_nulls()
    if len(numbers) < 2 * FEWEST:
        return None
    low, high = int(numbers.min() or 0), int(numbers.max() or 0)  # type: ignore[arg-type]
    if low < 0 or not 60 <= high <= OLDEST:
        return None
    text = say("whole numbers from {low} to {high}, as ages are", low=low, high=high)
    return Reason("ages", text, {"low": low, "high": high})


def _postcodes(values: pl.Series) -> Reason | None:
    share = share_of(values.str.contains(POSTCODE)) if len(values) >= FEWEST else 0.0
    return content_reason("postcodes", share, say("written as postcodes are")) if share >= SHARE else None


def _pairs(values: pl.Series) -> Reason | None:
    share = share_of(values.str.contains(PAIR)) if len(values) >= FEWEST else 0.0
    return content_reason("coordinates", share, say("pairs of coordinates")) if share >= SHARE else None


def _coordinates(values: pl.Series) -> Reason | None:
    """Degrees with four decimals or more; what lies about zero is more likely something on a scale of its own."""
    if len(values) < FEWEST or share_of(values.str.contains(FINE)) < SHARE:
        return None
    numbers = values.cast(pl.Float64, strict=False).drop_nulls()
    if not len(numbers) or not (numbers.abs() <= 180).all() or (numbers.abs() < 2).mean() > 0.5:  # type: ignore[operator]
        return None
    return Reason("coordinates", say("degrees with several decimals, as coordinates are"))


def _places(values: pl.Series) -> Reason | None:
    if len(values) < FEWEST_PLACES:
        return None
    known = _known_places()
    share = sum(_plain(text) in known for text in values.to_list()) / len(values)
    return content_reason("places", share, say("places")) if share >= SHARE else None


@cache
def _known_places() -> frozenset[str]:
    return frozenset(place.strip() for place in PLACES.split("|"))


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).strip()
