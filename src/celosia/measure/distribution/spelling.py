"""One text for one value in two tables: what a release writes otherwise than its original is no change.

A number is 1.10 in a file of text and 1.1 in Parquet, a date may have blanks around it, a truth may be written TRUE.
Labels are compared by their texts, so those of a release get the texts of the original wherever they mean its values.
"""

from dataclasses import replace

import numpy as np
import polars as pl

from celosia.measure.distribution.marginal import NUMERIC_TYPES, read_numbers
from celosia.tables.table import Counts
from celosia.types import ColumnType

__all__ = ["spell_alike", "spell_counts"]


def spell_alike(texts: pl.Series, known: pl.Series, kind: ColumnType) -> pl.Series:
    """``texts`` of a column of ``kind``, each that means the same value as one of ``known`` written like that.

    >>> spell_alike(pl.Series(["1.1", "2", "[1-2]", None]), pl.Series(["1.10", "3", None]), ColumnType.REAL).to_list()
    ['1.10', '2', '[1-2]', None]
    """
    if kind not in (*NUMERIC_TYPES, ColumnType.BOOLEAN):
        return texts
    # A text that is one of theirs is left alone: doubles do not tell the longest numbers apart, texts do.
    is_other = texts.is_not_null() & ~texts.is_in(known.drop_nulls().implode())
    if not is_other.any():
        return texts
    theirs = pl.DataFrame({"key": _keys(known, kind), "like": known}).drop_nulls().unique("key", keep="first")
    mine = pl.DataFrame({"key": _keys(texts, kind), "text": texts, "is_other": is_other})
    spelled = mine.join(theirs, on="key", how="left", maintain_order="left")
    like = pl.when(pl.col("is_other")).then(pl.coalesce("like", "text")).otherwise("text")
    return spelled.select(like.alias(texts.name)).to_series()


def _keys(texts: pl.Series, kind: ColumnType) -> pl.Series:
    """What tells values of a kind apart, null for labels."""
    if kind is ColumnType.BOOLEAN:
        return texts.str.strip_chars().str.to_lowercase()
    return pl.Series(read_numbers(texts, kind)).fill_nan(None)


def spell_counts(counts: Counts, name: str, known: Counts, kind: ColumnType) -> Counts:
    """What was counted, with the column ``name`` spelt as where it was ``known`` first; labels that become one merge.

    >>> from celosia.tables import open_table
    >>> before = open_table(pl.DataFrame({"dose": ["1.10", "2"]})).count_by(["dose"])
    >>> after = open_table(pl.DataFrame({"dose": [1.1, 2.0, 2.0]})).count_by(["dose"])
    >>> found = spell_counts(after, "dose", before, ColumnType.REAL)
    >>> found.texts[0].to_list(), found.counts.tolist()
    (['1.10', '2'], [1, 2])
    """
    place = counts.columns.index(name)
    texts = counts.texts[place].cast(pl.String)
    spelt = spell_alike(texts, known.texts[known.columns.index(name)].cast(pl.String), kind)
    if spelt is texts:
        return counts
    return _merged(counts, place, spelt)


def _merged(counts: Counts, place: int, spelt: pl.Series) -> Counts:
    """Counts whose column at ``place`` has these texts; combinations that are the same now are one."""
    texts = pl.DataFrame({"text": spelt})
    first = texts.with_row_index("at").unique("text", keep="first", maintain_order=True).with_row_index("new")
    joined = texts.join(first, on="text", how="left", nulls_equal=True, maintain_order="left")
    codes, values = list(counts.codes), list(counts.values)
    codes[place] = joined["new"].to_numpy().astype(np.int32)[counts.codes[place]]
    values[place] = counts.values[place].gather(first["at"])
    rows = counts.counts
    if first.height < len(spelt):
        keys = {f"c{number}": column for number, column in enumerate(codes)}
        groups = pl.DataFrame({**keys, "rows": rows}).group_by(list(keys), maintain_order=True)
        merged = groups.agg(pl.col("rows").sum())
        codes, rows = [merged[name].to_numpy() for name in keys], merged["rows"].to_numpy()
    return replace(
        counts,
        values=tuple(values),
        codes=tuple(codes),
        counts=rows,
        spellings={**counts.spellings, counts.columns[place]: first["text"].alias("")},
        places=None,
    )
