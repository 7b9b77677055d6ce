"""The frequency set: distinct combinations of some columns and their counts, dictionary-encoded."""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.tables.format import Reader, reading
from celosia.tables.lookup import NarrowLookup, is_narrow_type
from celosia.tables.table import Counts, Progress, no_progress
from celosia.tables.text import missing_to_null, text_of

__all__ = ["count_rows", "encode_groups"]

_MERGE = 1 << 21
_STAGE = "counting rows"


def count_rows(
    reader: Reader,
    columns: Sequence[str],
    *,
    missing: Collection[str],
    where: str = "",
    progress: Progress = no_progress,
) -> Counts:
    """Count the combinations of ``columns`` that occur; values and combinations come sorted, missing last.

    >>> from celosia.tables.format import FrameReader, Options
    >>> reader = FrameReader(pl.DataFrame({"sex": ["f", "m", "f", "?"], "len": [1, 1, 1, 1]}), Options())
    >>> counts = count_rows(reader, ["sex", "len"], missing=("?",))
    >>> counts.values[0].to_list(), counts.codes[0].tolist(), counts.counts.tolist()
    (['f', 'm', None], [0, 1, 2], [2, 1, 1])
    """
    dtypes = [reader.dtypes[reader.names.index(name)] for name in columns]
    _texts(columns, dtypes, missing, where)
    progress(_STAGE, 0.0)
    with reading(where, "a table that can be counted"):
        groups = _group(reader, columns, progress=progress)
    progress(_STAGE, 1.0)
    return encode_groups(groups, columns, missing=missing, where=where)


def _texts(
    columns: Sequence[str], dtypes: Sequence[pl.DataType], missing: Collection[str], where: str
) -> list[pl.Expr]:
    """How values become texts; raises where they have none."""
    return [
        missing_to_null(text_of(pl.nth(0), dtype, column=column, where=where), missing)
        for column, dtype in zip(columns, dtypes, strict=True)
    ]


def encode_groups(
    groups: pl.DataFrame, columns: Sequence[str], *, missing: Collection[str], where: str = ""
) -> Counts:
    """Groups as an engine found them, ``rows`` in the last column, with values as texts and small numbers for them."""
    texts = _texts(columns, groups.dtypes[: len(columns)], missing, where)
    encoded = [_encode_column(groups.to_series(place), text) for place, text in enumerate(texts)]
    codes = pl.DataFrame([pl.Series(f"c{i}", codes) for i, (_, codes) in enumerate(encoded)])
    rows = groups.get_column("rows")
    # Several markers, or null and NaN, are one missing value: their groups are one group.
    if any(groups.to_series(i).n_unique() > len(values) for i, (values, _) in enumerate(encoded)):
        merged = _merge([codes.with_columns(rows)])
        codes, rows = merged.drop("rows"), merged.get_column("rows")
    order = _order(codes, [len(values) for values, _ in encoded])
    return Counts(
        columns=tuple(columns),
        values=tuple(values.alias("") for values, _ in encoded),
        codes=tuple(column.to_numpy()[order] for column in codes.iter_columns()),
        counts=rows.to_numpy().astype(np.int64)[order],
    )


def _group(reader: Reader, columns: Sequence[str], *, progress: Progress) -> pl.DataFrame:
    """Distinct values of the columns, called c0, c1, ... lest a name mean something to the engine, and their rows."""
    query = reader.lazy()
    if query is None:
        return _group_batches(reader, columns, progress=progress)
    chosen = [pl.nth(reader.names.index(name)).alias(f"c{i}") for i, name in enumerate(columns)]
    counted = query.select(chosen or [pl.nth(0).alias("c")])
    rows, keys = pl.len().alias("rows"), [f"c{i}" for i in range(len(columns))]
    counted = counted.group_by(keys).agg(rows) if columns else counted.select(rows)
    try:
        return counted.collect(engine="streaming")
    except pl.exceptions.PolarsError:
        # Read in batches, a bad file is explained: which line, and what is wrong with it.
        return _group_batches(reader, columns, progress=progress)


def _group_batches(reader: Reader, columns: Sequence[str], *, progress: Progress) -> pl.DataFrame:
    expected, done, held, limit = max(1, reader.size()[0]), 0, 0, _MERGE
    parts: list[pl.DataFrame] = []
    for batch in reader.batches(columns or reader.names[:1]):
        named = pl.DataFrame([batch.to_series(i).rename(f"c{i}") for i in range(len(columns))])
        one = named.with_columns(pl.lit(1, dtype=pl.Int64).alias("rows")) if columns else _height(batch)
        parts.append(_merge([one]))
        held += len(parts[-1])
        if held > limit:
            parts = [_merge(parts)]
            held, limit = len(parts[0]), max(_MERGE, 2 * len(parts[0]))
        done += len(batch)
        progress(_STAGE, min(1.0, done / expected))
    return _merge(parts)


def _height(batch: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame({"rows": [batch.height]})


def _merge(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Groups of several parts as groups of the whole."""
    whole = pl.concat(parts)
    keys = [name for name in whole.columns if name != "rows"]
    if not keys:
        return whole.sum()
    return whole.group_by(keys).agg(pl.col("rows").sum())


def _encode_column(column: pl.Series, text: pl.Expr) -> tuple[pl.Series, npt.NDArray[np.int32]]:
    """The distinct texts of a column of groups and each group's place among them; only distinct values become text."""
    if not is_narrow_type(column.dtype):
        return _encode(column.to_frame().select(text).to_series())
    distinct = column.unique()
    values, places = _encode(distinct.to_frame().select(text).to_series())
    by_value = dict(zip(distinct.to_list(), places.tolist(), strict=True))
    lookup = NarrowLookup(lambda new: np.array([by_value[value] for value in new.to_list()], np.int64))
    codes = lookup.numbers(column, missing=by_value.get(None, 0))
    if codes is None:
        return _encode(column.to_frame().select(text).to_series())
    return values, codes.astype(np.int32)


def _encode(texts: pl.Series) -> tuple[pl.Series, npt.NDArray[np.int32]]:
    """The distinct texts, sorted, null last, and for every text its place among them."""
    values = texts.unique().sort(nulls_last=True)
    known = values.drop_nulls()
    places = texts.cast(pl.Enum(known)).to_physical().cast(pl.Int32).fill_null(len(known))
    return values, places.to_numpy()


def _order(codes: pl.DataFrame, sizes: Sequence[int]) -> npt.NDArray[np.intp]:
    """The order of the combinations, by the first column, then the second, ..."""
    if not codes.width:
        return np.arange(1, dtype=np.intp)
    if np.prod([float(size) for size in sizes]) < 2.0**62:
        key = np.zeros(len(codes), dtype=np.int64)
        for size, column in zip(sizes, codes.iter_columns(), strict=True):
            key = key * size + column.to_numpy()
        return np.argsort(key, kind="stable")
    return codes.select(pl.arg_sort_by(codes.columns)).to_series().to_numpy().astype(np.intp)
