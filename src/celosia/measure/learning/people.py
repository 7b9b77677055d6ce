"""The rows that models learn from and are asked about, and which of them are the same people's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.release_measure import NotMeasurableError
from celosia.measure.row_order import rows_in_order
from celosia.measure.subject import MeasureSubject
from celosia.say import say
from celosia.tables.count import encode_groups
from celosia.tables.table import Counts, Table

__all__ = ["MOST_ROWS", "LearningPeople", "assign_folds", "read_aligned", "read_people"]

Integers = npt.NDArray[np.int64]

MOST_ROWS = 100_000
"""Rows of a table that models look at; of a larger one, so many are drawn."""


@dataclass(frozen=True)
class LearningPeople:
    """Rows of one table: row ``i`` has the combination ``combinations[i]`` of ``counts`` and is of person ``who[i]``.

    People have the same number in every table that is aligned; ``total`` is how many rows the table has.
    """

    counts: Counts
    combinations: Integers
    who: Integers
    total: int

    def codes(self, column: str) -> Integers:
        """The value of every combination in a column, as a place in ``values(column)``."""
        return self.counts.codes[self.counts.columns.index(column)].astype(np.int64)

    def values(self, column: str) -> pl.Series:
        """The distinct texts of a column."""
        return self.counts.texts[self.counts.columns.index(column)]


def read_people(counts: Counts, *, seed: int) -> LearningPeople:
    """The rows that were counted, everybody another person; of very many, some that the seed decides.

    >>> counts = Counts(("sex",), (pl.Series(["f", "m"]),), (np.array([0, 1], np.int32),), np.array([2, 1]))
    >>> people = read_people(counts, seed=1)
    >>> people.combinations.tolist(), people.who.tolist()
    ([0, 0, 1], [0, 1, 2])
    """
    total = counts.rows
    if total > MOST_ROWS:
        drawn = np.random.default_rng(seed).choice(total, MOST_ROWS, replace=False, shuffle=False)
        combinations = np.searchsorted(np.cumsum(counts.counts), np.sort(drawn), "right")
    else:
        combinations = np.repeat(np.arange(len(counts)), counts.counts)
    return LearningPeople(counts, combinations.astype(np.int64), np.arange(len(combinations)), total)


def read_aligned(
    subject: MeasureSubject, columns: Sequence[str]
) -> tuple[LearningPeople, LearningPeople] | None:
    """The rows of the original and of the release with one number per person; None where nothing aligns them."""
    if subject.key is not None and all(
        subject.key in table.columns() for table in (subject.source, subject.release)
    ):
        sides = [table.count_by([subject.key, *columns]) for table in (subject.source, subject.release)]
    elif subject.same_order:
        sides = [_numbered(table, columns) for table in (subject.source, subject.release)]
        if sides[0].rows != sides[1].rows:
            raise NotMeasurableError(
                say(
                    "the tables were said to be row by row the same people's, but have {before} and "
                    "{after} rows",
                    before=sides[0].rows,
                    after=sides[1].rows,
                )
            )
    else:
        return None
    names = pl.concat([side.texts[0] for side in sides]).unique(maintain_order=True)
    number = pl.DataFrame({"name": names, "number": np.arange(len(names))})
    people = []
    for side in sides:
        known = pl.DataFrame({"name": side.texts[0]}).join(
            number, on="name", how="left", nulls_equal=True, maintain_order="left"
        )
        who = known.get_column("number").to_numpy()[side.codes[0]]
        people.append(LearningPeople(*_without_first(side), np.repeat(who, side.counts), side.rows))
    if not np.isin(people[0].who, people[1].who).any():
        raise NotMeasurableError(
            say("no value of {key!r} is in both tables: their rows cannot be aligned", key=subject.key)
        )
    return _draw(people[0], people[1], people=len(names), seed=subject.seed)


def assign_folds(strata: Integers, folds: int, *, repeats: int, seed: int) -> Integers:
    """``fold[repeat, person]``: people dealt out at random, so that every stratum is spread evenly.

    >>> dealt = assign_folds(np.array([0, 0, 1, 1, 1, 1]), 2, repeats=3, seed=0)
    >>> [np.bincount(fold[:2]).tolist() + np.bincount(fold[2:]).tolist() for fold in dealt]
    [[1, 1, 2, 2], [1, 1, 2, 2], [1, 1, 2, 2]]
    """
    random = np.random.default_rng(seed)
    dealt = np.empty((repeats, len(strata)), np.int64)
    for repeat in range(repeats):
        mixed = random.permutation(len(strata))
        order = mixed[np.argsort(strata[mixed], kind="stable")]
        dealt[repeat, order] = np.arange(len(strata)) % folds
    return dealt


def _numbered(table: Table, columns: Sequence[str]) -> Counts:
    """The rows in order, counted with their number as the first column."""
    rows = rows_in_order(table, columns)
    named = [rows.to_series(place).alias(f"c{place + 1}") for place in range(rows.width)]
    numbers = pl.Series("c0", np.arange(rows.height))
    ones = pl.Series("rows", np.ones(rows.height, np.int64))
    return encode_groups(pl.DataFrame([numbers, *named, ones]), ["", *columns], missing=())


def _without_first(side: Counts) -> tuple[Counts, Integers]:
    """The combinations of all columns but the first, and that of every row."""
    codes = pl.DataFrame([pl.Series(f"c{place}", codes) for place, codes in enumerate(side.codes[1:])])
    rows = pl.Series("rows", side.counts)
    groups = (
        codes.with_columns(rows)
        .group_by(codes.columns)
        .agg(pl.col("rows").sum())
        .sort(codes.columns)
        .with_row_index("combination")
    )
    places = codes.join(groups, on=codes.columns, how="left", maintain_order="left")
    counts = Counts(
        columns=side.columns[1:],
        values=side.values[1:],
        spellings=side.spellings,
        codes=tuple(groups.get_column(name).to_numpy() for name in codes.columns),
        counts=groups.get_column("rows").to_numpy(),
    )
    return counts, np.repeat(places.get_column("combination").to_numpy().astype(np.int64), side.counts)


def _draw(
    original: LearningPeople, release: LearningPeople, *, people: int, seed: int
) -> tuple[LearningPeople, LearningPeople]:
    """Both tables with the rows of no more people than models look at."""
    if people <= MOST_ROWS:
        return original, release
    is_drawn = np.zeros(people, np.bool_)
    is_drawn[np.random.default_rng(seed).choice(people, MOST_ROWS, replace=False)] = True
    kept = [
        replace(side, combinations=side.combinations[is_drawn[side.who]], who=side.who[is_drawn[side.who]])
        for side in (original, release)
    ]
    return kept[0], kept[1]
