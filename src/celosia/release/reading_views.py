"""The sensitive values of a release as different readers tell them apart."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.release.checks import ReleasedValues
from celosia.tables.parsers import ColumnParsers
from celosia.types import MISSING_MARKERS
from celosia.values.same import MISSING_MARKS, FoldedValues, sensitive_values
from celosia.values.text import texts_of

__all__ = ["ReadingViews", "read_views"]


@dataclass(frozen=True)
class ReadingViews:
    """All ``spellings`` of a column, and which of them are one value to the bluntest reader and to sharper ones."""

    spellings: tuple[str | None, ...]
    folded: FoldedValues
    keyed: FoldedValues
    spelled: FoldedValues

    def subjects(
        self, entries: pl.DataFrame, others: pl.DataFrame, hierarchy: Hierarchy | None, *, every: bool
    ) -> Iterator[ReleasedValues]:
        """What a check looks at, to the bluntest reader, and if ``every`` reader is asked to the others as well."""
        views = [self.folded]
        if every and self.folded.merged:
            views += [view for view in (self.keyed, self.spelled) if view.merged < self.folded.merged]
        present = np.unique(np.concatenate([entries["value"].to_numpy(), others["value"].to_numpy()]))
        for view in views:
            # Where people are counted, their values come folded, and other spellings do not occur.
            places = np.unique(view.codes[present])
            numbers = np.full(len(view.values), -1, np.int64)
            numbers[places] = np.arange(len(places))
            codes = numbers[view.codes]
            yield ReleasedValues(
                _renumbered(entries, codes),
                _renumbered(others, codes),
                tuple(view.values[place] for place in places),
                hierarchy,
                self.spellings,
                codes,
                is_spelled=view is self.spelled,
            )


def read_views(
    spellings: Sequence[str | None], *, missing: Collection[str] = MISSING_MARKERS
) -> ReadingViews:
    """The views of a column of which all distinct spellings are given; numbers and dates have none, but values.

    ``missing`` are texts of a missing value: a column that holds numbers, and these or usual ones, is one of numbers.

    >>> views = read_views(["2020-02-01", "2020-01-02", "01/02/2020", "N/A", "n/a"])
    >>> [len(view.values) for view in (views.folded, views.keyed, views.spelled)]
    [2, 4, 5]
    >>> len(read_views(["1.10", "1.1"]).spelled.values), len(read_views(["1.10", "1.1", ""]).spelled.values)
    (1, 2)
    """
    texts = pl.Series(spellings, dtype=pl.String)
    told = sensitive_values(texts)
    return ReadingViews(tuple(spellings), told.folded, told.keyed, _by_value(texts, missing))


def _by_value(texts: pl.Series, missing: Collection[str]) -> FoldedValues:
    """Texts that are one value where all of them have a type, as when a table is counted."""
    marks = pl.Series([*missing, *MISSING_MARKS], dtype=pl.String).implode()
    known = texts.set(texts.is_in(marks) | texts.str.to_lowercase().str.strip_chars().is_in(marks), None)
    parser = ColumnParsers().choose("", known.drop_nulls(), declared=None, infers=True)
    values = texts if parser is None else texts_of(parser.parse(known))
    codes = values.rank("dense").fill_null(0).to_numpy().astype(np.int64)
    _, first, codes = np.unique(codes, return_index=True, return_inverse=True)
    return FoldedValues(codes, tuple(texts.gather(first)))


def _renumbered(entries: pl.DataFrame, codes: npt.NDArray[np.int64]) -> pl.DataFrame:
    """Entries of classes with values that share a number put together."""
    values = pl.Series("value", codes[entries.get_column("value").to_numpy()], dtype=pl.Int64)
    return entries.with_columns(values).group_by("class", "value").agg(pl.col("n").sum())
