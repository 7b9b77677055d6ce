"""What all builders share: the distinct values of a column in, levels that merge something out."""

from collections.abc import Iterable, Sequence

import polars as pl

from celosia.errors import HierarchyError
from celosia.hierarchies.checks import name_some
from celosia.hierarchies.encoding import MOST_LEVELS
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.say import say, say_count

__all__ = ["ROOT", "Values", "as_series", "distinct", "reject_values", "require_parameter", "stack"]

ROOT = "*"

Values = pl.Series | Iterable[str | None]
"""The values of a column as text; None is a missing value and takes no part. Repetitions do not matter."""


def as_series(values: Values) -> pl.Series:
    """The values as a column of text, however they came.

    >>> as_series([1986, None, "1996"]).to_list()
    ['1986', None, '1996']
    """
    if isinstance(values, pl.Series):
        return values.cast(pl.String)
    return pl.Series("value", list(values), dtype=pl.String, strict=False)


def distinct(column: str, values: Values) -> pl.Series:
    """The distinct values in order of their text, without missing ones; there must be one.

    >>> distinct("city", ["Soria", None, "Lugo", "Soria"]).to_list()
    ['Lugo', 'Soria']
    """
    found = as_series(values).drop_nulls().unique().sort()
    if found.is_empty():
        raise HierarchyError(
            say("the column has no values"),
            where=say("hierarchy of {column!r}", column=column),
            remedy=say("leave the column out"),
        )
    return found.alias("value")


def reject_values(column: str, values: pl.Series, *, wanted: str, remedy: str) -> None:
    """Raise an error that names ``values``, which a builder cannot take, if there are any."""
    if not values.is_empty():
        raise HierarchyError(
            say_count(
                "{count} of the values is no {wanted}: {values}",
                "{count} of the values are no {wanted}: {values}",
                len(values),
                wanted=wanted,
                values=name_some(values.to_list()),
            ),
            where=say("hierarchy of {column!r}", column=column),
            remedy=remedy,
        )


def require_parameter(column: str, holds: bool, *, what: str, remedy: str) -> None:
    """Raise an error about a parameter unless it ``holds``."""
    if not holds:
        raise HierarchyError(what, where=say("hierarchy of {column!r}", column=column), remedy=remedy)


def stack(column: str, values: pl.Series, *, levels: Sequence[pl.Series], root: str = ROOT) -> Hierarchy:
    """The hierarchy of ``values`` with these levels, finest first, and ``root`` on top.

    A level that merges nothing beyond the one before it is left out: it would only make the lattice larger.

    >>> values = pl.Series(["10", "20"])
    >>> stack("n", values, levels=[pl.Series(["1*", "2*"]), pl.Series(["**", "**"])]).rows()
    [('10', '*'), ('20', '*')]
    """
    if len(levels) >= MOST_LEVELS:
        raise HierarchyError(
            say("the hierarchy would have {count} levels", count=len(levels)),
            where=say("hierarchy of {column!r}", column=column),
            remedy=say("take larger steps"),
        )
    kept = [values]
    # Levels nest, so the same number of labels means the same groups.
    for level, size in ((level, level.n_unique()) for level in levels):
        if 1 < size < kept[-1].n_unique():
            kept.append(level)
    return Hierarchy.from_levels(column, [*(level.to_list() for level in kept), [root] * len(values)])
