"""What the labels of a released column stand for: the level of a hierarchy, so many of its values and of its rows."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from celosia.hierarchies import Hierarchy
from celosia.measure.decode import LabelMeaning
from celosia.measure.kept.spread import SpreadColumn, spread_column
from celosia.measure.subject import MeasureSubject

__all__ = ["NO_LEVEL", "LabelLevels", "label_column"]

NO_LEVEL = -1
"""The level of a label that no hierarchy has."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LabelLevels:
    """Per label: its ``levels`` (of ``height``), ``leaves`` of ``size`` values, and ``rows`` of the original.

    ``widths[label]`` is the share of the original's range that an interval spans; NaN for all that is none, and for
    labels that were found in a hierarchy.
    """

    height: int
    size: int
    levels: Integers
    leaves: Integers
    rows: Integers
    widths: Floats


def label_column(subject: MeasureSubject, column: str) -> LabelLevels:
    """Find what the labels stand for: by the column's hierarchy if it has all of them, else by what each allows.

    A full-domain release shows one level: the lowest that has every label is taken. Where there is none each label is
    at the lowest level that has it. Without a hierarchy values are at level 0 and ``*`` is at level 1, as if there were
    nothing between.

    >>> import polars as pl
    >>> ages = Hierarchy.from_rows("age", [("31", "3*", "*"), ("38", "3*", "*"), ("47", "4*", "*")])
    >>> people, release = pl.DataFrame({"age": [31, 38, 47]}), pl.DataFrame({"age": ["3*", "3*", "4*"]})
    >>> found = label_column(MeasureSubject.of(people, release, hierarchies={"age": ages}), "age")
    >>> found.levels.tolist(), sorted(found.leaves.tolist()), found.size
    ([1, 1], [1, 2], 3)
    """
    hierarchy = subject.hierarchies.get(column)
    levels = None if hierarchy is None else _by_hierarchy(subject, column, hierarchy)
    return _by_meaning(spread_column(subject, column)) if levels is None else levels


def _by_hierarchy(subject: MeasureSubject, column: str, hierarchy: Hierarchy) -> LabelLevels | None:
    """None where the hierarchy lacks a label; ``*`` is its root even if that is called otherwise."""
    labels = subject.counts(column).texts[0].to_list()
    counted = subject.original_counts(column)
    values, rows = counted.texts[0], counted.rows_of(0)
    missing = int(rows[values.is_null().to_numpy()].sum())
    codes_of = [{label: code for code, label in enumerate(level)} for level in hierarchy.labels]
    placed = _place(labels, codes_of)
    if placed is None:
        return None
    levels, codes = placed
    leaf = hierarchy.find(values).astype(np.int64)
    present, weights = leaf[leaf >= 0], rows[leaf >= 0]
    size = len(hierarchy.values) + (missing > 0)
    leaves, under = np.ones(len(labels), np.int64), np.zeros(len(labels), np.int64)
    for level in np.unique(levels).tolist():
        here = (levels == level) & (codes >= 0)
        level_codes = hierarchy.codes[level]
        sums = np.bincount(level_codes[present], weights, len(hierarchy.labels[level])).astype(np.int64)
        leaves[here], under[here] = hierarchy.leaves(level)[codes[here]], sums[codes[here]]
        # As in a search, missing values join the others at a root, and there alone.
        if level == hierarchy.height > 0 and len(np.unique(level_codes[present])) <= 1:
            leaves[here], under[here] = size if missing else leaves[here], int(weights.sum()) + missing
    is_root = codes == _ROOT
    leaves[is_root], under[is_root] = size, int(rows.sum())
    under[codes == _MISSING] = missing
    return LabelLevels(hierarchy.height, size, levels, leaves, under, np.full(len(labels), np.nan))


_MISSING, _ROOT = -1, -2


def _place(labels: list[str | None], codes_of: list[dict[str, int]]) -> tuple[Integers, Integers] | None:
    """Level and code of every label; None if one is nowhere."""
    top = len(codes_of) - 1
    named = [label for label in labels if label is not None]
    common = next(
        (level for level, codes in enumerate(codes_of) if all(labels in codes for labels in named)), None
    )
    levels, places = [], []
    for label in labels:
        if label is None:
            levels.append(common or 0)
            places.append(_MISSING)
            continue
        level = (
            common
            if common is not None
            else next((level for level, codes in enumerate(codes_of) if label in codes), None)
        )
        if level is None and label != "*":
            return None
        levels.append(top if level is None else level)
        places.append(_ROOT if level is None else codes_of[level][label])
    return np.array(levels, np.int64), np.array(places, np.int64)


def _by_meaning(spread: SpreadColumn) -> LabelLevels:
    decoded = spread.decoded
    meanings = decoded.meanings
    levels = np.select(
        [meanings == LabelMeaning.EVERYTHING, meanings == LabelMeaning.SOME], [1, NO_LEVEL], default=0
    ).astype(np.int64)
    rows = np.rint(spread.average(spread.before) * spread.allowed).astype(np.int64)
    is_interval = (meanings == LabelMeaning.SOME) & ~np.isnan(decoded.low)
    known = decoded.numbers[np.isfinite(decoded.numbers)]
    widths = np.full(len(meanings), np.nan)
    if len(known):
        low, high = np.maximum(decoded.low, known.min()), np.minimum(decoded.high, known.max())
        widths = np.where(is_interval, np.maximum(high - low, 0.0) / decoded.scale, np.nan)
    return LabelLevels(1, len(decoded.values), levels, spread.allowed, rows, widths)
