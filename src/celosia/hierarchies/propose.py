"""A first hierarchy for a column, from its type, its name and its values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies.building import ROOT, Values, as_series, distinct
from celosia.hierarchies.checks import name_some
from celosia.hierarchies.dates import dates, days
from celosia.hierarchies.digits import digits
from celosia.hierarchies.files import words_of
from celosia.hierarchies.flat import flat
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.hierarchies.intervals import intervals
from celosia.hierarchies.prefixes import prefixes
from celosia.hierarchies.rare import merge_rare
from celosia.hierarchies.world.build import recognize
from celosia.say import say, say_count
from celosia.types import ColumnType

__all__ = ["HierarchyProposal", "propose"]

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
MONEY = frozenset(
    {
        "salary",
        "salario",
        "sueldo",
        "income",
        "ingresos",
        "wage",
        "wages",
        "renta",
        "cost",
        "coste",
        "costo",
        "importe",
    }
    | {
        "monto",
        "amount",
        "price",
        "precio",
        "saldo",
        "balance",
        "deuda",
        "debt",
        "pago",
        "payment",
        "gasto",
        "gastos",
    }
)
WHOLE = r"^[0-9]+$"
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?(inf|Infinity)$|^[nN]a[nN]$"
CODE = r"^[A-Za-z0-9]+([ ./-][A-Za-z0-9]+)*$"
ICD = r"^[A-Z][0-9][0-9A-Z](\.[0-9A-Z]{1,4})?$"


@dataclass(frozen=True)
class HierarchyProposal:
    """A hierarchy for a column and, in a few words, why this one."""

    hierarchy: Hierarchy
    reason: str


def propose(
    column: str,
    values: Values,
    *,
    type: ColumnType,
    counts: Sequence[int] | npt.NDArray[np.int64] | None = None,
    numbers: Callable[[], HierarchyProposal] | None = None,
    language: str = "en",
) -> HierarchyProposal:
    """A hierarchy for a column with these values, ending in a single ``*``, and the reason for it.

    ``counts`` are the rows of each value given: where most rows fall into one round interval, intervals with
    equally many rows are proposed. ``numbers``, if given, makes the proposal for a column of numbers instead. A
    column without values has nothing to generalize: its hierarchy is ``*``. What the world knows, such as countries,
    diagnoses and ages, is recognized by values and name; its labels are in ``language``.

    >>> proposal = propose("zip", ["28001", "28004", "08001"], type=ColumnType.TEXT)
    >>> proposal.hierarchy.rows()[0], proposal.reason
    (('08001', '0800*', '*'), "'zip' names a postcode: its digits are masked one by one")
    >>> propose("sex", ["F", "M"], type=ColumnType.TEXT).reason
    '2 categories without a known order: each is kept or suppressed'
    """
    values = as_series(values)
    if values.null_count() == len(values):
        return HierarchyProposal(Hierarchy.from_levels(column, [[ROOT]]), say("no values"))
    texts = distinct(column, values)
    if type is not ColumnType.BOOLEAN:
        found = (
            _as_known(column, values, texts, counts, language, but_numbers=numbers is not None)
            or _as_dates(column, texts)
            or _as_digits(column, texts)
            or _as_numbers(column, values, texts, counts, numbers)
            or _as_codes(column, texts)
        )
        if found:
            return found
    return _as_categories(column, values, texts, counts, language)


def _as_categories(
    column: str,
    values: pl.Series,
    texts: pl.Series,
    counts: Sequence[int] | npt.NDArray[np.int64] | None,
    language: str,
) -> HierarchyProposal:
    """Categories that nothing is known of: the rare ones become one where that merges any."""
    if counts is not None and len(texts) > 2:
        merged = merge_rare(column, values, counts=counts, language=language)
        if merged.height > 1:
            reason = say_count(
                "{count} category without a known order: the rare ones become one",
                "{count} categories without a known order: the rare ones become one, more of them at every level",
                len(texts),
            )
            return HierarchyProposal(merged, reason)
    if len(texts) <= FEW:
        reason = say_count(
            "{count} category without a known order: each is kept or suppressed",
            "{count} categories without a known order: each is kept or suppressed",
            len(texts),
        )
    else:
        reason = say(
            "{count} texts without a known pattern: each is kept or suppressed (write a taxonomy?)",
            count=len(texts),
        )
    return HierarchyProposal(flat(column, texts), reason)


def _as_known(
    column: str,
    values: pl.Series,
    texts: pl.Series,
    counts: Sequence[int] | npt.NDArray[np.int64] | None,
    language: str,
    *,
    but_numbers: bool,
) -> HierarchyProposal | None:
    """What the world knows of the values, with those that it does not know by name."""
    if but_numbers and texts.str.contains(NUMBER).all():
        return None
    rows = None if counts is None else _rows_of(texts, values, counts)
    recognized = recognize(column, texts, counts=rows, language=language)
    if recognized is None:
        return None
    reason = say("{kind}: grouped as they are known", kind=recognized.domain.title)
    if recognized.unknown:
        reason = say_count(
            "{kind}: grouped as they are known, but for {count} value: {values}",
            "{kind}: grouped as they are known, but for {count} values: {values}",
            len(recognized.unknown),
            kind=recognized.domain.title,
            values=name_some(recognized.unknown),
        )
    return HierarchyProposal(recognized.hierarchy, reason)


def _rows_of(
    texts: pl.Series, values: pl.Series, counts: Sequence[int] | npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The rows of each distinct text."""
    frame = (
        pl.DataFrame({"value": values, "rows": np.asarray(counts, dtype=np.int64)}).group_by("value").sum()
    )
    return texts.to_frame().join(frame, on="value", how="left", maintain_order="left")["rows"].to_numpy()


def _as_dates(column: str, texts: pl.Series) -> HierarchyProposal | None:
    found = days(texts).sort()
    if found.null_count():
        return None
    reason = say("dates from {first} to {last}: longer and longer periods", first=found[0], last=found[-1])
    return HierarchyProposal(dates(column, texts), reason)


def _as_digits(column: str, texts: pl.Series) -> HierarchyProposal | None:
    if not texts.str.contains(WHOLE).all():
        return None
    widths = texts.str.len_bytes()
    width = int(widths.max())  # type: ignore[arg-type]
    coded = widths.n_unique() == 1 and width >= 4 and bool(texts.str.starts_with("0").any())
    if not coded and not _names_postcode(column):
        return None
    step = -(-width // TALLEST)
    masked = digits(column, texts, step=step)
    hierarchy = replace(masked, labels=(*masked.labels[:-1], (ROOT,)))
    return HierarchyProposal(hierarchy, _why_digits(column, width, step))


def _why_digits(column: str, width: int, step: int) -> str:
    if _names_postcode(column):
        if step == 1:
            return say("{column!r} names a postcode: its digits are masked one by one", column=column)
        return say(
            "{column!r} names a postcode: its digits are masked {step} at a time", column=column, step=step
        )
    if step == 1:
        return say(
            "all values have {width} digits and some begin with 0: its digits are masked one by one",
            width=width,
        )
    return say(
        "all values have {width} digits and some begin with 0: its digits are masked {step} at a time",
        width=width,
        step=step,
    )


def _as_numbers(
    column: str,
    values: pl.Series,
    texts: pl.Series,
    counts: Sequence[int] | npt.NDArray[np.int64] | None,
    build: Callable[[], HierarchyProposal] | None,
) -> HierarchyProposal | None:
    if not texts.str.contains(NUMBER).all() or texts.cast(pl.Float64, strict=False).null_count():
        return None
    if build is not None:
        return build()
    hierarchy = intervals(column, values, bins=FINEST, counts=counts)
    low, high = hierarchy.values[0], hierarchy.values[-1]
    is_money = not MONEY.isdisjoint(words_of(column))
    if not is_money and _fullest(hierarchy, values, counts) <= SKEWED:
        reason = say("numbers from {low} to {high}: intervals with round bounds", low=low, high=high)
        return HierarchyProposal(hierarchy, reason)
    even = intervals(column, values, kind="frequency", counts=counts)
    if is_money:
        reason = say(
            "money from {low} to {high}: round steps with about equally many rows", low=low, high=high
        )
        return HierarchyProposal(even, reason)
    reason = say(
        "numbers from {low} to {high}, most of them close together: intervals with about equally many rows",
        low=low,
        high=high,
    )
    return HierarchyProposal(even, reason)


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


def _as_codes(column: str, texts: pl.Series) -> HierarchyProposal | None:
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
    return HierarchyProposal(
        hierarchy, say("codes such as {example!r}: shorter and shorter beginnings", example=texts[0])
    )


def _ends_in_mark(texts: pl.Series, length: int) -> bool:
    """Whether no text is cut at ``length`` other than right after a point, slash or dash."""
    return bool(texts.str.slice(length - 1, 1).is_in(["", " ", ".", "/", "-"]).all())


def _names_postcode(column: str) -> bool:
    return not POSTCODES.isdisjoint(words_of(column))
