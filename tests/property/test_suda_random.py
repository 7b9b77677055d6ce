"""Minimal sample uniques of small random tables, against looking at every set of columns."""

from itertools import combinations
from math import factorial

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.kernels.uniques import find_uniques
from celosia.measure.risk.suda import suda
from celosia.tables import open_table
from celosia.tables.table import Counts


def tables(widest: int = 6) -> st.SearchStrategy[list[tuple[int, ...]]]:
    """Rows of up to six columns with few values each, so that some are alone and some are not."""
    return st.integers(1, widest).flatmap(
        lambda width: st.lists(st.tuples(*[st.integers(0, 3)] * width), min_size=1, max_size=30)
    )


def plain_uniques(rows: list[tuple[int, ...]], largest: int) -> list[list[tuple[int, ...]]]:
    """The minimal sample uniques of every row: every set of columns is counted."""
    found: list[list[tuple[int, ...]]] = [[] for _ in rows]
    for size in range(1, largest + 1):
        for columns in combinations(range(len(rows[0])), size):
            seen = [tuple(row[place] for place in columns) for row in rows]
            for uniques, values in zip(found, seen, strict=True):
                if seen.count(values) == 1 and not any(set(one) <= set(columns) for one in uniques):
                    uniques.append(columns)
    return found


def count(rows: list[tuple[int, ...]]) -> Counts:
    names = [f"column {place}" for place in range(len(rows[0]))]
    frame = pl.DataFrame(rows, schema=names, orient="row")
    return open_table(frame).count_by(names)


def place_of(counts: Counts, row: tuple[int, ...]) -> int:
    """The combination of a row."""
    texts = zip(
        *(values.gather(codes) for values, codes in zip(counts.texts, counts.codes, strict=True)),
        strict=True,
    )
    return list(texts).index(tuple(map(str, row)))


@given(tables(), st.integers(1, 6))
def test_scores_are_those_of_counting_every_set_of_columns(rows: list[tuple[int, ...]], largest: int) -> None:
    counts, width = count(rows), len(rows[0])
    found = suda(counts, largest=largest)
    scores, shares = found.scores, found.shares
    all_uniques = plain_uniques(rows, min(largest, width))
    for row, uniques in zip(rows, all_uniques, strict=True):
        place = place_of(counts, row)
        expected = sum(factorial(width - len(one)) for one in uniques)
        assert scores[place] == expected
        for column in range(width):
            part = sum(factorial(width - len(one)) for one in uniques if column in one)
            assert shares[place, column] == pytest.approx(part / expected if expected else 0.0)
    for size in range(1, found.largest + 1):
        of_size = [sum(len(one) == size for one in uniques) for uniques in all_uniques]
        assert found.found[:, size].sum() == sum(of_size)


@given(tables())
def test_with_room_for_few_sets_the_answer_is_the_same(rows: list[tuple[int, ...]]) -> None:
    counts, width = count(rows), len(rows[0])
    codes, worth = np.stack(counts.codes), np.arange(width + 1.0)[::-1].copy()
    wide = find_uniques(codes, counts.counts, worth, largest=width)
    narrow = find_uniques(codes, counts.counts, worth, largest=width, pool=20)  # one row has at most C(6, 3)
    assert all(np.array_equal(one, other) for one, other in zip(wide, narrow, strict=True))


@given(tables(widest=4), st.integers(0, 10_000))
def test_the_order_of_rows_and_columns_does_not_matter(rows: list[tuple[int, ...]], seed: int) -> None:
    drawn = np.random.default_rng(seed)
    order = drawn.permutation(len(rows[0]))
    moved = [tuple(rows[i][place] for place in order) for i in drawn.permutation(len(rows))]
    one, other = suda(count(rows)), suda(count(moved))
    assert sorted(one.scores) == sorted(other.scores)
    assert one.contributions[order] == pytest.approx(other.contributions)
