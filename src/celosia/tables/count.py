"""The frequency set: distinct combinations of some columns and their counts, dictionary-encoded."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.machine import free_memory
from celosia.say import say
from celosia.tables.format import Reader, first_batches, reading
from celosia.tables.lookup import WIDEST, is_narrow_type
from celosia.tables.table import Counts, Progress, no_progress
from celosia.values.parse import ValueParser
from celosia.values.same import as_values
from celosia.values.text import text_of, texts_of

__all__ = ["ParserChoice", "count_rows", "count_sizes", "encode_groups"]

ParserChoice = Callable[[str, pl.Series], ValueParser | None]
"""How the texts of a column are read, from its name and its distinct texts; None: they are the values."""

MOST_PLACES = 1 << 31
"""Rows whose combinations have numbers of 32 bits."""
_MERGE = 1 << 21
_TAKES = 4
_MANY_ROWS = 1 << 19
_BLOCK = 1 << 18
_LOOK = 1 << 16
_STAGE = say("counting rows")
_LARGEST_KEY = 2.0**62


def as_texts(name: str, texts: pl.Series) -> None:
    """Texts are values themselves."""


def count_rows(
    reader: Reader,
    columns: Sequence[str],
    *,
    missing: Collection[str],
    parser: ParserChoice = as_texts,
    places: bool = False,
    where: str = "",
    progress: Progress = no_progress,
) -> Counts:
    """Count the combinations of ``columns`` that occur; values and combinations come sorted, missing last.

    With ``places`` the combination of every row is told, too, if all rows fit in memory.

    >>> from celosia.tables.format import FrameReader, Options
    >>> reader = FrameReader(pl.DataFrame({"sex": ["f", "m", "f", "?"], "len": [1, 1, 1, 1]}), Options())
    >>> counts = count_rows(reader, ["sex", "len"], missing=("?",))
    >>> counts.values[0].to_list(), counts.codes[0].tolist(), counts.counts.tolist()
    (['f', 'm', None], [0, 1, 2], [2, 1, 1])
    """
    for name in columns:  # raises where values have no text
        text_of(pl.nth(0), reader.dtypes[reader.names.index(name)], column=name, where=where)
    progress(_STAGE, 0.0)
    with reading(where, say("a table that can be counted")):
        if columns and _fits(reader, columns) and (places or _is_mostly_distinct(reader, columns)):
            rows, groups = _collect(reader, columns, progress=progress), None
        else:
            rows, groups = [], _group(reader, columns, progress=progress)
    progress(_STAGE, 1.0)
    if groups is not None:
        return encode_groups(groups, columns, missing=missing, parser=parser, where=where)
    return _number_rows(rows, columns, missing, parser, where, places=places)


def count_sizes(
    reader: Reader, columns: Sequence[str], *, where: str = "", progress: Progress = no_progress
) -> list[tuple[int, int]]:
    """Sizes of the classes of some columns as the table holds them, and how many classes have each.

    >>> from celosia.tables.format import FrameReader, Options
    >>> count_sizes(FrameReader(pl.DataFrame({"sex": ["f", "m", "f", "x"]}), Options()), ["sex"])
    [(1, 2), (2, 1)]
    """
    with reading(where, say("a table that can be counted")):
        groups = _group(reader, columns, progress=progress)
    found = groups.group_by("rows").len().sort("rows")
    return [(int(rows), int(times)) for rows, times in found.iter_rows() if rows]


@dataclass(frozen=True)
class _EncodedColumn:
    """A column of groups: its distinct values in order, null last, the place of each group's, and their spellings."""

    values: pl.Series
    codes: npt.NDArray[np.int32]
    spellings: pl.Series | None = None
    respelled: int = 0


def _fits(reader: Reader, columns: Sequence[str]) -> bool:
    """Whether all rows of some columns surely fit in memory, as values and as numbers."""
    rows, size = reader.size()
    share = len(columns) / max(1, len(reader.names))
    return rows < MOST_PLACES and _TAKES * share * size < (free_memory() or 8 << 30) // 2


def _is_mostly_distinct(reader: Reader, columns: Sequence[str]) -> bool:
    """Whether grouping would leave about as many combinations as there are rows, so that it is work for nothing.

    Of D combinations that are equally likely, n rows have about n * n / 2 D pairs that are alike; where some are
    likelier there are more. If D is twice the number of all rows, most of them are alone.
    """
    rows = reader.size()[0]
    first = None if rows < _MANY_ROWS else next(iter(first_batches(reader, columns, _LOOK)), None)
    if first is None:
        return False
    looked_at = pl.DataFrame([first.to_series(i).head(_LOOK).alias(f"c{i}") for i in range(first.width)])
    pairs = looked_at.height - looked_at.unique().height
    return 4 * rows * pairs <= looked_at.height**2


def _collect(reader: Reader, columns: Sequence[str], *, progress: Progress) -> list[pl.Series]:
    query = reader.lazy()
    if query is not None:
        try:
            chosen = [pl.nth(reader.names.index(name)).alias(f"c{i}") for i, name in enumerate(columns)]
            return query.select(chosen).collect(engine="streaming").get_columns()
        except pl.exceptions.PolarsError:
            pass  # read in batches, a bad file is explained
    parts, done, expected = [], 0, max(1, reader.size()[0])
    for batch in reader.batches(columns):
        parts.append(pl.DataFrame([batch.to_series(i).alias(f"c{i}") for i in range(len(columns))]))
        done += batch.height
        progress(_STAGE, min(1.0, done / expected))
    kinds = dict(zip(reader.names, reader.dtypes, strict=True))
    empty = pl.DataFrame(schema={f"c{i}": kinds[name] for i, name in enumerate(columns)})
    return pl.concat([empty, *parts]).get_columns()


def _number_rows(
    rows: list[pl.Series],
    columns: Sequence[str],
    missing: Collection[str],
    parser: ParserChoice,
    where: str,
    *,
    places: bool,
) -> Counts:
    """Combinations and, with ``places``, which of them every row has, from the codes of all rows."""
    encoded = []
    for place, name in enumerate(columns):
        encoded.append(_encode_column(rows[place], name, missing, parser, where))
        rows[place] = rows[place].clear()  # as codes they take a fraction
    return _count_encoded(columns, encoded, None, places=places)


def _count_encoded(
    columns: Sequence[str],
    encoded: Sequence[_EncodedColumn],
    rows: npt.NDArray[np.int64] | None,
    *,
    places: bool = False,
) -> Counts:
    """Combinations in their order; without ``rows``, every code is of one row, whose combination may be told."""
    named = list(zip(columns, encoded, strict=True))
    groups = _sorted_groups([(column.codes, len(column.values)) for column in encoded])
    return Counts(
        columns=tuple(columns),
        values=tuple(column.values.alias("") for column in encoded),
        codes=tuple(groups.codes_of([column.codes for column in encoded])),
        counts=groups.add_up(rows),
        spellings={name: column.spellings for name, column in named if column.spellings is not None},
        respelled={name: column.respelled for name, column in named if column.respelled},
        places=groups.places if places else None,
    )


@dataclass(frozen=True)
class _Groups:
    """Combinations in their order: the number of each, ``order``, the rows by combination, and where each begins there.

    Without ``starts`` every row is a combination of its own. ``sizes`` are those of the columns where the number of a
    combination is made of its codes alone.
    """

    order: npt.NDArray[np.uint32]
    is_first: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.intp] | None
    keys: npt.NDArray[np.int64]
    sizes: Sequence[int] | None = None

    @property
    def places(self) -> npt.NDArray[np.int32]:
        """The combination of every row."""
        places = np.empty(len(self.order), np.int32)
        places[self.order] = np.cumsum(self.is_first, dtype=np.int32) - 1
        return places

    def add_up(self, rows: npt.NDArray[np.int64] | None) -> npt.NDArray[np.int64]:
        """How many rows every combination has."""
        if self.starts is None:
            return np.ones(len(self.order), np.int64) if rows is None else rows[self.order]
        if rows is None:
            return np.diff(self.starts, append=len(self.order)).astype(np.int64, copy=False)
        return np.add.reduceat(rows[self.order], self.starts)

    def codes_of(self, columns: Sequence[npt.NDArray[np.int32]]) -> list[npt.NDArray[np.int32]]:
        """The codes of every combination, column by column, in the place of those of the rows."""
        if self.sizes is None:
            first = self.order if self.starts is None else self.order[self.starts]
            return [codes[first] for codes in columns]
        found = [codes if codes.flags.writeable else np.empty(len(self.keys), np.int32) for codes in columns]
        # Taken apart, not looked up: rows of neighbouring combinations lie anywhere in memory.
        for start in range(0, len(self.keys), _BLOCK):
            block = slice(start, start + _BLOCK)
            keys = self.keys[block]
            for codes, size in zip(reversed(found), reversed(self.sizes), strict=True):
                rest = keys // size
                codes[: len(self.keys)][block] = keys - rest * size
                keys = rest
        return [codes[: len(self.keys)] for codes in found]


def _sorted_groups(coded: Sequence[tuple[npt.NDArray[np.int32], int]]) -> _Groups:
    key, size, is_plain = coded[0][0].astype(np.int64), float(coded[0][1]), True
    for codes, values in coded[1:]:
        if size * values >= _LARGEST_KEY:  # numbered anew, which keeps their order
            groups = _sorted_key(key)
            key, size, is_plain = groups.places.astype(np.int64), float(len(groups.keys)), False
        key *= values
        key += codes
        size *= values
    return replace(_sorted_key(key), sizes=[values for _, values in coded] if is_plain else None)


def _sorted_key(key: npt.NDArray[np.int64]) -> _Groups:
    order = pl.Series(key).arg_sort().to_numpy()
    ordered = key[order]
    is_first = np.ones(len(key), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    if is_first.all():
        return _Groups(order, is_first, None, ordered)
    starts = np.flatnonzero(is_first)
    return _Groups(order, is_first, starts, ordered[starts])


def encode_groups(
    groups: pl.DataFrame,
    columns: Sequence[str],
    *,
    missing: Collection[str],
    parser: ParserChoice = as_texts,
    where: str = "",
) -> Counts:
    """Groups as an engine found them, ``rows`` in the last column, with small numbers for their values."""
    encoded = [
        _encode_column(groups.to_series(place), name, missing, parser, where)
        for place, name in enumerate(columns)
    ]
    rows = groups.get_column("rows").to_numpy().astype(np.int64, copy=False)
    if not columns:
        return Counts((), (), (), rows)
    # Several markers, null and NaN, spellings of one number are one value: their groups are one group.
    return _count_encoded(columns, encoded, rows)


def _encode_column(
    raw: pl.Series, name: str, missing: Collection[str], parser: ParserChoice, where: str
) -> _EncodedColumn:
    raw = raw.alias("")  # a name like '^a$' would mean something else to the engine
    if raw.dtype in (pl.String, pl.Categorical, pl.Enum):
        return _encode_texts(raw.cast(pl.String), name, missing, parser, where)
    texts_of(raw.clear(), column=name, where=where)  # raises where values have no text
    return _encode_values(as_values(raw, missing=missing))


def _encode_values(values: pl.Series) -> _EncodedColumn:
    """Values of a type, by their place among the distinct ones."""
    narrow = _encode_narrow(values) if is_narrow_type(values.dtype) else None
    if narrow is not None:
        return _EncodedColumn(*narrow)
    distinct = values.unique().sort(nulls_last=True)
    known = distinct.drop_nulls().to_physical()
    places = pl.Series(np.arange(len(known), dtype=np.int32))
    # Looked up, not ranked: that would sort all rows, which takes several times as long.
    codes = values.to_physical().replace_strict(known, places, default=len(known), return_dtype=pl.Int32)
    return _EncodedColumn(distinct, codes.fill_null(len(known)).to_numpy())


def _encode_narrow(values: pl.Series) -> tuple[pl.Series, npt.NDArray[np.int32]] | None:
    """Values that are integers underneath, by a table of all between the smallest and the largest; None: too wide."""
    physical = values.cast(pl.Int8) if values.dtype == pl.Boolean else values.to_physical()
    low, high = physical.min(), physical.max()
    if low is None or int(high) - int(low) >= WIDEST:  # type: ignore[arg-type]
        return None
    has_missing = values.null_count() > 0
    plain = (physical.fill_null(low) if has_missing else physical).to_numpy()
    present = values.is_not_null().to_numpy() if has_missing else None
    seen = np.zeros(int(high) - int(low) + 1, np.bool_)  # type: ignore[arg-type]
    # Block by block: memory that is touched for the first time costs more than the work itself.
    blocks = [slice(start, start + _BLOCK) for start in range(0, len(plain), _BLOCK)]
    for block in blocks:
        offsets = np.subtract(plain[block], int(low), dtype=np.int64)  # type: ignore[arg-type]
        seen[offsets if present is None else offsets[present[block]]] = True
    number = np.cumsum(seen, dtype=np.int32) - 1
    codes = np.empty(len(plain), np.int32)
    for block in blocks:
        codes[block] = number[np.subtract(plain[block], int(low), dtype=np.int64)]  # type: ignore[arg-type]
    found = pl.Series(np.flatnonzero(seen) + int(low))  # type: ignore[arg-type]
    distinct = (
        found.cast(pl.Int32).cast(values.dtype) if values.dtype == pl.Date else found.cast(values.dtype)
    )
    if present is not None:
        codes[~present] = len(distinct)
        distinct = pl.concat([distinct, pl.Series([None], dtype=values.dtype)])
    return distinct, codes


def _encode_texts(
    raw: pl.Series, name: str, missing: Collection[str], parser: ParserChoice, where: str
) -> _EncodedColumn:
    """Texts, or what they are read as: looked at once each."""
    distinct = raw.unique().sort(nulls_last=True)
    texts = as_values(distinct, missing=missing)
    reads = parser(name, texts.drop_nulls())
    known = distinct.drop_nulls()
    places = raw.cast(pl.Enum(known)).to_physical().cast(pl.Int32).fill_null(len(known)).to_numpy()
    if reads is None or reads.is_text:
        values = texts.unique().sort(nulls_last=True)
        translate = _translate(texts, values)
        return _EncodedColumn(values, translate[places])
    parsed = reads.parse(texts, column=name, where=where)
    values = parsed.unique().sort(nulls_last=True)
    translate = _translate(parsed, values)
    spellings, respelled = _spell(texts, translate, len(values))
    return _EncodedColumn(values, translate[places], spellings, respelled)


def _translate(texts: pl.Series, values: pl.Series) -> npt.NDArray[np.int32]:
    """``translate[text]``: the place of its value among the distinct values."""
    found = texts.alias("v").to_frame().with_row_index("at")
    known = values.alias("v").to_frame().with_row_index("place")
    joined = found.join(known, on="v", how="left", nulls_equal=True).sort("at")
    return joined.get_column("place").to_numpy().astype(np.int32)


def _spell(texts: pl.Series, translate: npt.NDArray[np.int32], values: int) -> tuple[pl.Series, int]:
    """One spelling for every value, the shortest of those that occur, and how many others there are."""
    frame = pl.DataFrame({"place": translate, "text": texts}).drop_nulls("text")
    chosen = (
        frame.with_columns(pl.col("text").str.len_bytes().alias("size"))
        .sort("place", "size", "text")
        .unique("place", keep="first", maintain_order=True)
    )
    whole = pl.DataFrame({"place": np.arange(values, dtype=np.int32)}).join(chosen, on="place", how="left")
    return whole.sort("place").get_column("text").alias(""), frame.height - chosen.height


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
