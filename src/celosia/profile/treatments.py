"""What would treat a column that singles people out, tried on the counts of its values: the mildest first.

Numbers are rounded, and their extremes coded together; dates and texts are cut short. Each trial says how many rows
would still be alone, and how many in groups smaller than k, before anything is written.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import floor, log10

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies.dates import days
from celosia.profile.columns import ENOUGH, Profile
from celosia.say import Text, say
from celosia.tables.group_sizes import GroupSizes
from celosia.tables.location import is_on_cluster
from celosia.tables.table import Counts, Table
from celosia.types import DATES, ColumnType, Role

__all__ = [
    "DROP",
    "MEASURED",
    "TOLERATED",
    "Treatment",
    "count_values",
    "find_treatment",
    "find_treatments",
    "treatments_of",
]

DROP = "drop"
TOLERATED = 0.01
"""The share of rows that a column may leave in groups under k before somebody has to answer for it."""
MEASURED = (ColumnType.INTEGER, ColumnType.REAL, ColumnType.DECIMAL, *DATES)
MOST_CODED = 0.05
"""The share of rows whose extreme values may become one."""
LARGEST = 1e15
"""Numbers beyond this have no digits left to round."""

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Treatment:
    """An operation as ``--mask`` takes it, and what it leaves: rows alone, and rows in groups smaller than k."""

    operation: str
    described: Text
    alone: int
    small: int


def find_treatment(counts: Counts, *, k: int, share: float = TOLERATED) -> Treatment:
    """The mildest treatment of a column that leaves nobody in a group under k; else one that leaves few.

    Few is at most ``share`` of the rows. Where nothing else helps, the column is left out.

    >>> from celosia.tables import open_table
    >>> costs = pl.DataFrame({"cost": [100 + number for number in range(400)] + [9000]})
    >>> found = find_treatment(open_table(costs).count_by(["cost"]), k=5)
    >>> found.operation, found.small
    ('round:to=5+code:bottom=105,top=495', 0)
    """
    tried = list(treatments_of(counts, k=k))
    missing = _missing(counts)
    unavoidable = missing if missing < k else 0
    most = max(unavoidable, int(share * counts.rows))
    for one in tried:
        if one.small <= unavoidable:
            return one
    for one in tried:
        if one.small <= most:
            return one
    return Treatment(DROP, say("left out"), 0, 0)


def treatments_of(counts: Counts, *, k: int) -> Iterator[Treatment]:
    """Every treatment of one column that is tried, the mildest first."""
    values, rows = counts.values[0].gather(counts.codes[0]), counts.counts
    texts = counts.texts[0].gather(counts.codes[0])
    if values.dtype.is_numeric():
        yield from _roundings(values.cast(pl.Float64), rows, k)
    else:
        yield from _truncations(texts, rows, k)


def _missing(counts: Counts) -> int:
    is_missing = counts.values[0].gather(counts.codes[0]).is_null().to_numpy()
    return int(counts.counts[is_missing].sum())


def _roundings(values: pl.Series, rows: Integers, k: int) -> Iterator[Treatment]:
    present = values.is_not_null().to_numpy()
    numbers, counts = values.drop_nulls().to_numpy(), rows[present]
    missing = rows[~present]
    if len(numbers) < 2 or not np.isfinite(numbers).all() or np.abs(numbers).max() > LARGEST:
        return
    for step in _steps(numbers):
        places = _rounded(numbers, step)
        multiples, inverse = np.unique(places, return_inverse=True)
        groups = np.bincount(inverse, weights=counts).astype(np.int64)
        sizes = GroupSizes.of_counts(np.concatenate([groups, missing]), k)
        described = say("rounded to {to:f}", to=step)
        yield Treatment(f"round:to={step:f}", described, sizes.alone, sizes.small)
        coded = _coded(multiples, groups, k)
        if coded is not None:
            yield _round_and_code(step, coded, missing, k)


def _rounded(numbers: npt.NDArray[np.float64], step: Decimal) -> npt.NDArray[np.float64]:
    """The multiples of the step that numbers become: halves go away from zero, and are halves as they are written."""
    over, under = (float(part) for part in step.as_integer_ratio())
    sizes = np.abs(numbers)
    places = np.floor(sizes * (under / over))
    places += sizes >= (2 * places + 1) * over / (2 * under)
    return np.sign(numbers) * places


def _round_and_code(
    step: Decimal, limits: tuple[int | None, int | None], missing: Integers, k: int
) -> Treatment:
    bottom, top = (None if place is None else (step * place).normalize() for place in limits)
    named = {"bottom": bottom, "top": top}
    parameters = ",".join(f"{name}={limit:f}" for name, limit in named.items() if limit is not None)
    if bottom is None:
        described = say(
            "rounded to {to:f} and coded as {limit:f} from there upwards", to=step, limit=top or 0
        )
    elif top is None:
        described = say("rounded to {to:f} and coded as {limit:f} below that", to=step, limit=bottom)
    else:
        described = say(
            "rounded to {to:f} and coded as {bottom:f} below that and as {top:f} from there upwards",
            to=step,
            bottom=bottom,
            top=top,
        )
    left = GroupSizes.of_counts(missing, k)
    return Treatment(f"round:to={step:f}+code:{parameters}", described, left.alone, left.small)


def _steps(numbers: npt.NDArray[np.float64]) -> Iterator[Decimal]:
    """1, 2 and 5 times powers of ten, from the finest difference that matters up to the range of the numbers."""
    width = float(numbers.max() - numbers.min())
    finest = max(width / 1e6, float(np.diff(np.unique(numbers)).min(initial=width)))
    if not width or not finest:
        return
    for power in range(floor(log10(finest)), floor(log10(width)) + 1):
        for digit in (1, 2, 5):
            step = Decimal(digit).scaleb(power)
            if finest < step <= width:
                yield Decimal(f"{step:f}")


def _coded(
    multiples: npt.NDArray[np.float64], groups: Integers, k: int
) -> tuple[int | None, int | None] | None:
    """Limits, as multiples of the step, beyond which extremes become one so that all groups have k rows.

    None where groups between the limits are too small, or too many rows would be beyond them.
    """
    if (groups >= k).all():
        return None
    is_large = groups >= k
    middle = int(groups.argmax())
    if not is_large[middle]:
        return None
    below = np.flatnonzero(~is_large[:middle])
    above = np.flatnonzero(~is_large[middle:])
    low = int(below[-1]) + 1 if len(below) else 0
    high = middle + int(above[0]) - 1 if len(above) else len(groups) - 1
    beyond = int(groups[:low].sum() + groups[high + 1 :].sum())
    if beyond > MOST_CODED * int(groups.sum()) or low == high:
        return None
    return int(multiples[low]) if low else None, int(multiples[high]) if high < len(groups) - 1 else None


def _truncations(texts: pl.Series, rows: Integers, k: int) -> Iterator[Treatment]:
    present = texts.drop_nulls()
    if not len(present):
        return
    if days(present).null_count() == 0:
        yield from _cut_dates(texts, rows, k)
        return
    for length in _lengths(max(present.str.len_chars())):
        described = say("cut to the first {count} characters", count=length)
        yield _cut(texts.str.head(length), rows, k, f"truncate:first={length}", described)


def _cut_dates(texts: pl.Series, rows: Integers, k: int) -> Iterator[Treatment]:
    """The day, the month, the year: from the beginning of an ISO date, from the end of one with the day first."""
    is_iso = texts.drop_nulls().str.contains(r"^[0-9]{4}[-/]").all()
    if not is_iso and texts.str.contains("[T ]").any():
        return  # a day first and a time behind: nothing that is cut off leaves a month
    longest = max(texts.drop_nulls().str.len_chars())
    units = ((10, say("cut to the day")), (7, say("cut to the month")), (4, say("cut to the year")))
    for length, described in units:
        if length < longest:
            cut = texts.str.head(length) if is_iso else texts.str.tail(length)
            side = "first" if is_iso else "last"
            yield _cut(cut, rows, k, f"truncate:{side}={length}", described)


def _cut(texts: pl.Series, rows: Integers, k: int, operation: str, described: Text) -> Treatment:
    groups = pl.DataFrame({"text": texts, "rows": rows}).group_by("text").agg(pl.col("rows").sum())
    sizes = GroupSizes.of_counts(groups.get_column("rows").to_numpy().astype(np.int64), k)
    return Treatment(operation, described, sizes.alone, sizes.small)


def _lengths(longest: int) -> Iterator[int]:
    """Shorter and shorter, in few steps where texts are long."""
    length = longest - 1
    while length > 0:
        yield length
        length = min(length - 1, length * 4 // 5)


def find_treatments(table: Table, profile: Profile, *, k: int = 5) -> dict[str, Treatment]:
    """What would treat the numbers and dates that leave as they are and single people out, by column.

    >>> from celosia.profile.columns import profile_table
    >>> from celosia.tables import open_table
    >>> paid = open_table(pl.DataFrame({"salary": [1000 + number * 77 % 1000 for number in range(200)]}))
    >>> find_treatments(paid, profile_table(paid))["salary"].operation
    'round:to=100'
    """
    names = [
        column.name
        for column in profile
        if column.role in (Role.SENSITIVE, Role.COMMON) and column.type in MEASURED and column.rows >= ENOUGH
    ]
    counted = {name: count_values(table, name) for name in names}
    found = {
        name: find_treatment(counts, k=k)
        for name, counts in counted.items()
        if counts is not None and GroupSizes.of_counts(counts.counts, k).small > TOLERATED * counts.rows
    }
    return {name: one for name, one in found.items() if one.operation != DROP}


def count_values(table: Table, name: str) -> Counts | None:
    """The values of a column with their rows; None where a cluster has too many to bring them here."""
    return table.count_few([name]) if is_on_cluster(table) else table.count_by([name])
