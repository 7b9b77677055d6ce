"""Columns by their very names: Polars takes some names for patterns, and columns of people may be called anything."""

from polars import selectors

__all__ = ["named"]


def named(*names: str) -> selectors.Selector:
    """The columns of these names, none else; ``pl.col`` and names alone take ``*`` and ``^a$`` for patterns.

    It stands wherever an expression may: in ``select``, ``group_by``, ``join``, ``sort`` and ``struct``. Of a series
    with such a name most methods go wrong as well: give it another first, as in ``series.alias("")``.

    >>> import polars as pl
    >>> people = pl.DataFrame({"*": [1, 2], "^a$": [3, 3], "b": [5, 6]})
    >>> people.select(named("*")).columns, people.select("*").columns
    (['*'], ['*', '^a$', 'b'])
    >>> people.group_by(named("^a$")).agg(pl.len()).rows()
    [(3, 2)]
    """
    return selectors.by_name(*names)
