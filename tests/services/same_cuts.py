"""Two engines that tell the same of the parts of a table."""

import polars as pl

from celosia.recode.cuts import CutTree
from celosia.tables.splitter import Range
from celosia.values.text import text_of


def same_counts(one, other, cuts: CutTree, line: int, sensitive: int) -> None:
    extremes = other.extremes(cuts)
    assert in_order(one.extremes(cuts)) == in_order(extremes)
    assert one.points(10**6) == other.points(10**6)
    assert in_order(one.sizes()) == in_order(other.sizes())
    for i in range(sensitive):
        assert texts(one.values(cuts, i)) == texts(other.values(cuts, i))
    ranges = {
        row["part"]: Range(*(row[f"{what}_{line}"] for what in ("first", "last", "low", "high")))
        for row in extremes.iter_rows(named=True)
        if row[f"low_{line}"] is not None
    }
    if ranges:
        assert in_order(one.bins(cuts, line, ranges)) == in_order(other.bins(cuts, line, ranges))


def in_order(found: pl.DataFrame) -> list[tuple]:
    # Zero and minus zero are equal, but do not look it.
    plain = [
        tuple(value + 0.0 if isinstance(value, float) else value for value in row) for row in found.rows()
    ]
    return sorted(plain, key=repr)


def texts(found: pl.DataFrame) -> list[tuple]:
    value = text_of(pl.col("value"), found.schema["value"])
    return in_order(found.select("part", value.alias("value"), pl.col("rows").cast(pl.Int64)))
