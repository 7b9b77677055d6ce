"""Treatments of dates and texts, tried on how many rows have each: cut short, or rare ones merged."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from celosia.hierarchies.dates import days
from celosia.profile.treatment import Integers, Treatment, chance_alike
from celosia.say import Text, say
from celosia.tables.group_sizes import GroupSizes

__all__ = ["text_treatments"]

CODE = r"^[A-Za-z]{0,4}[0-9][A-Za-z0-9./-]*$"
"""A text whose first characters say something by themselves."""


def text_treatments(texts: pl.Series, rows: Integers, k: int) -> Iterator[Treatment]:
    """What becomes of texts that so many rows have each, the mildest first.

    >>> codes = pl.Series(["I10", "I20", "I21", "J45"])
    >>> [(one.operation, one.small) for one in text_treatments(codes, np.array([5, 2, 3, 9]), 5)]
    [('truncate:first=2', 0), ('truncate:first=1', 0), ('merge:least=5', 0)]
    """
    present = texts.drop_nulls()
    if not len(present):
        return
    if days(present).null_count() == 0:
        yield from _cut_dates(texts, rows, k)
        return
    if (~present.str.contains(CODE)).any():
        yield from _merged(texts, rows, k)
        return
    for length in _lengths(max(present.str.len_chars())):
        described = say("cut to the first {count} characters", count=length)
        yield _cut(texts.str.head(length), rows, k, f"truncate:first={length}", described)
    yield from _merged(texts, rows, k)


def _merged(texts: pl.Series, rows: Integers, k: int) -> Iterator[Treatment]:
    """Categories with a few rare values, which become one."""
    present = texts.is_not_null().to_numpy()
    groups, missing = np.sort(rows[present]), rows[~present]
    rare = int((groups < k).sum())
    while 0 < groups[:rare].sum() < k and rare < len(groups):
        rare += 1
    if len(groups) - rare < 1:
        return
    merged = np.concatenate([groups[rare:], groups[:rare].sum(keepdims=True)]) if rare else groups
    sizes = GroupSizes.of_counts(np.concatenate([merged, missing]), k)
    described = say("with values of fewer than {k} rows as one", k=k)
    yield Treatment(f"merge:least={k}", described, sizes.alone, sizes.small, chance_alike(merged))


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
