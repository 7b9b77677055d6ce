"""Categories that nobody knows: the rare ones become one, more of them at every level."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies.building import Values, as_series, distinct, require_parameter, stack
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.say import say

__all__ = ["merge_rare"]

SHARES = (0.01, 0.05, 0.2)
OTHER = {"en": "other", "es": "otros"}


def merge_rare(
    column: str,
    values: Values,
    *,
    counts: Sequence[int] | npt.NDArray[np.int64] | None = None,
    shares: Sequence[float] = SHARES,
    language: str = "en",
) -> Hierarchy:
    """Values with fewer than each of ``shares`` of all rows become ``other``, level by level, then ``*``.

    ``counts`` are the rows of each value given; without them every value has one. Two values or more become
    ``other`` at a time: a single one would be known by its label.

    >>> merge_rare("pet", ["cat", "dog", "emu", "yak"], counts=[60, 37, 2, 1], shares=(0.05,)).rows()[1:3]
    [('dog', 'dog', '*'), ('emu', 'other', '*')]
    """
    require_parameter(
        column,
        list(shares) == sorted(set(shares)) and all(0 < share < 1 for share in shares),
        what=say("the shares {shares} do not rise from level to level", shares=tuple(shares)),
        remedy=say("give shares of all rows between 0 and 1, the smallest first"),
    )
    given = as_series(values)
    texts = distinct(column, given)
    weights = np.ones(len(given), np.int64) if counts is None else np.asarray(counts, np.int64)
    frame = pl.DataFrame({"value": given, "rows": weights}).drop_nulls("value").group_by("value").sum()
    rows = texts.to_frame().join(frame, on="value", how="left", maintain_order="left")["rows"]
    share = rows / max(int(rows.sum()), 1)
    label = _free_label(texts, language)
    levels = [_merge(texts, share < bound, label) for bound in shares]
    return stack(column, texts, levels=levels)


def _merge(texts: pl.Series, is_rare: pl.Series, label: str) -> pl.Series:
    if int(is_rare.sum()) < 2:
        return texts
    frame = pl.DataFrame({"value": texts, "rare": is_rare})
    return frame.select(pl.when("rare").then(pl.lit(label)).otherwise("value")).to_series()


def _free_label(texts: pl.Series, language: str) -> str:
    """What the rare ones are called; a value of that name keeps it."""
    label, taken = OTHER[language], set(texts.to_list())
    while label in taken:
        label = f"({label})"
    return label
