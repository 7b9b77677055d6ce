"""Texts of which less and less of the beginning is kept."""

from collections.abc import Sequence

import polars as pl

from celosia.hierarchies.building import Values, distinct, require_parameter, stack
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.say import say

__all__ = ["prefixes"]


def prefixes(
    column: str, values: Values, *, step: int = 1, lengths: Sequence[int] | None = None
) -> Hierarchy:
    """Keep fewer characters at each level: ``step`` fewer each time, or the ``lengths`` given, longest first.

    ``J4*`` stands for all texts that begin with ``J4``, itself included; a text shorter than what is kept
    stays as it is. The last level is ``*``.

    >>> prefixes("code", ["AB1", "AB2", "AC1", "B"]).rows()[1:]
    [('AB2', 'AB*', 'A*', '*'), ('AC1', 'AC*', 'A*', '*'), ('B', 'B', 'B*', '*')]
    >>> prefixes("diagnosis", ["J45.1", "J45", "J18.0", "K21.9"], lengths=(3, 1)).level(1)
    {'J18.0': 'J18*', 'J45': 'J45*', 'J45.1': 'J45*', 'K21.9': 'K21*'}
    """
    require_parameter(
        column, step >= 1, what=say("step={step}", step=step), remedy=say("a step is 1 character or more")
    )
    texts = distinct(column, values)
    longest = int(texts.str.len_chars().max())  # type: ignore[arg-type]
    if lengths is None:
        lengths = range(longest - step, 0, -step)
    require_parameter(
        column,
        list(lengths) == sorted(set(lengths), reverse=True) and all(length >= 1 for length in lengths),
        what=say("the lengths {lengths} do not fall from level to level", lengths=tuple(lengths)),
        remedy=say("give the characters kept at each level, the most first, none below 1"),
    )
    return stack(column, texts, levels=[_keep(texts, length) for length in lengths])


def _keep(texts: pl.Series, length: int) -> pl.Series:
    # A kept text never equals a cut one: it is shorter than ``length``, a cut one longer. So levels nest.
    value = pl.col("value")
    cut = pl.concat_str(value.str.head(length), pl.lit("*"))
    return (
        texts.to_frame()
        .select(pl.when(value.str.len_chars() < length).then(value).otherwise(cut))
        .to_series()
    )
