"""A first hierarchy for a column, from its type, its name and its values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies.building import ROOT, Values, as_series, distinct
from celosia.hierarchies.dates import dates, days
from celosia.hierarchies.digits import digits
from celosia.hierarchies.files import words_of
from celosia.hierarchies.flat import flat
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.hierarchies.intervals import intervals
from celosia.hierarchies.prefixes import prefixes
from celosia.types import ColumnType

__all__ = ["Proposal", "propose"]

TALLEST = 6
"""Levels above the values: the lattice has as many nodes as the product over all columns."""

FEW = 10
FINEST = 100
SKEWED = 0.8
POSTCODES = {
    "zip",
    "zipcode",
    "zipcodes",
    "postal",
    "postcode",
    "postalcode",
    "cp",
    "codpostal",
    "codigopostal",
    "plz",
}
WHOLE = r"^[0-9]+$"
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?(inf|Infinity)$|^[nN]a[nN]$"
CODE = r"^[A-Za-z0-9]+([ ./-][A-Za-z0-9]+)*$"
ICD = r"^[A-Z][0-9][0-9A-Z](\.[0-9A-Z]{1,4})?$"


@dataclass(frozen=True)
class Proposal:
    """A hierarchy for a column and, in a few words, why this one."""

    hierarchy: Hierarchy
    reason: str


def propose(
    column: str,
    values: Values,
    *,
    type: ColumnType,
    counts: Sequence[int] | npt.NDArray[np.int64] | None = None,
    numbers: Callable[[], Proposal] | None = None,
) -> Proposal:
    """A hierarchy for a column with these values, ending in a single ``*``, and the reason for it.

    ``counts`` are the rows of each value given: where most rows fall into one round interval, intervals with
    equally many rows are proposed. ``numbers``, if given, makes the proposal for a column of numbers instead. A
    column without values has nothing to generalize: its hierarchy is ``*``.

    >>> proposal = propose("zip", ["28001", "28004", "08001"], type=ColumnType.TEXT)
    >>> proposal.hierarchy.rows()[0], proposal.reason
    (('08001', '0800*', '*'), "'zip' names a postcode: its digits are masked one by one")
    >>> propose("sex", ["F", "M"], type=ColumnType.TEXT).reason
    '2 categories without a known order: each is kept or suppressed'
    """
    values = as_series(values)
    if values.null_count() == len(values):
        return Proposal(Hierarchy.from_levels(column, [[ROOT]]), "no values")
    texts = distinct(column, values)
    if type is not ColumnType.BOOLEAN:
        found = (
            _as_dates(column, texts)
            or _as_digits(column, texts)
            or _as_numbers(column, values, texts, counts, numbers)
            or _as_codes(column, texts)
        )
        if found:
            return found
    if len(texts) <= FEW:
        noun = "category" if len(texts) == 1 else "categories"
        reason = f"{len(texts)} {noun} without a known order: each is kept or suppressed"
    else:
        reason = f"{len(texts)} texts without a known pattern: each is kept or suppressed (write a taxonomy?)"
    return Proposal(flat(column, texts), reason)


def _as_dates(column: str, texts: pl.Series) -> Proposal | None:
    found = days(texts).sort()
    if found.null_count():
        return None
    reason = f"dates from {found[0]} to {found[-1]}: longer and longer periods"
    return Proposal(dates(column, texts), reason)


def _as_digits(column: str, texts: pl.Series) -> Proposal | None:
    if not texts.str.contains(WHOLE).all():
        return None
    widths = texts.str.len_bytes()
    width = int(widths.max())  # type: ignore[arg-type]
    coded = widths.n_unique() == 1 and width >= 4 and bool(texts.str.starts_with("0").any())
    if _names_postcode(column):
        why = f"{column!r} names a postcode"
    elif coded:
        why = f"all values have {width} digits and some begin with 0"
    else:
        return None
    step = -(-width // TALLEST)
    masked = digits(column, texts, step=step)
    pace = "one by one" if step == 1 else f"{step} at a time"
    hierarchy = replace(masked, labels=(*masked.labels[:-1], (ROOT,)))
    return Proposal(hierarchy, f"{why}: its digits are masked {pace}")


def _as_numbers(
    column: str,
    values: pl.Series,
    texts: pl.Series,
    counts: Sequence[int] | npt.NDArray[np.int64] | None,
    build: Callable[[], Proposal] | None,
) -> Proposal | None:
    if not texts.str.contains(NUMBER).all() or texts.cast(pl.Float64, strict=False).null_count():
        return None
    if build is not None:
        return build()
    hierarchy = intervals(column, values, bins=FINEST, counts=counts)
    span = f"numbers from {hierarchy.values[0]} to {hierarchy.values[-1]}"
    if _fullest(hierarchy, values, counts) <= SKEWED:
        return Proposal(hierarchy, f"{span}: intervals with round bounds")
    even = intervals(column, values, kind="frequency", counts=counts)
    return Proposal(even, f"{span}, most of them close together: intervals with about equally many rows")


def _fullest(
    hierarchy: Hierarchy, values: pl.Series, counts: Sequence[int] | npt.NDArray[np.int64] | None
) -> float:
    """The largest share of the rows that one of the finest intervals holds."""
    if len(hierarchy.values) <= FEW or hierarchy.height < 1:
        return 0.0
    found = hierarchy.find(values)
    rows = np.ones(len(found)) if counts is None else np.asarray(counts, dtype=np.float64)
    known = found >= 0
    per_label = np.bincount(hierarchy.codes[1][found[known]], weights=rows[known])
    return float(per_label.max() / max(per_label.sum(), 1))


def _as_codes(column: str, texts: pl.Series) -> Proposal | None:
    lengths = texts.str.len_chars()
    longest = int(lengths.max())  # type: ignore[arg-type]
    shaped = lengths.n_unique() == 1 or bool(texts.str.contains(ICD).all()) or _names_postcode(column)
    coded = bool((texts.str.contains(CODE) & texts.str.contains("[0-9]")).all())
    if len(texts) <= FEW or not shaped or not coded or longest > 12:
        return None
    kept = [length for length in range(longest - 1, 0, -1) if not _ends_in_mark(texts, length)]
    step = max(1, -(-len(kept) // (TALLEST - 1)))
    hierarchy = prefixes(column, texts, lengths=kept[step - 1 :: step])
    if hierarchy.height < 2:
        return None
    return Proposal(hierarchy, f"codes such as {texts[0]!r}: shorter and shorter beginnings")


def _ends_in_mark(texts: pl.Series, length: int) -> bool:
    """Whether no text is cut at ``length`` other than right after a point, slash or dash."""
    return bool(texts.str.slice(length - 1, 1).is_in(["", " ", ".", "/", "-"]).all())


def _names_postcode(column: str) -> bool:
    return not POSTCODES.isdisjoint(words_of(column))
