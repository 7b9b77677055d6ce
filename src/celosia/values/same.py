"""When two values are the same: the one answer for counting, privacy models and verification.

It is careful in both directions, because a release is read by many programs. For the size of a class, two cells are the
same only if *every* reader sees the same (the bare text, pandas, Polars, DuckDB, R, a spreadsheet): values are counted
by :func:`canonical` form, and every value of a quasi-identifier leaves in one spelling. For diversity, closeness and
whatever else counts sensitive values, two cells differ only if every reader sees them differ: :func:`fold` takes
spellings of one number, upper and lower case, blanks, invisible characters and all usual marks of a missing value as
one value each.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.values.parse import ValueParser, canonical_real, parse_texts
from celosia.values.readings import further_numbers, further_texts
from celosia.values.text import missing_to_null, text_of, texts_of

__all__ = [
    "MISSING_MARKS",
    "FoldedValues",
    "SensitiveValues",
    "as_values",
    "canonical",
    "find_like",
    "fold",
    "fold_keys",
    "fold_people",
    "people_keys",
    "people_values",
    "sensitive_values",
]

MISSING_MARKS = (
    *("", "?", "-", "--", ".", "..", "*", "na", "n/a", "n.a.", "#n/a", "#n/a n/a", "#na", "<na>"),
    *("n/d", "n.d.", "nd", "s/d", "nan", "-nan", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan", "nat"),
    *("null", "#null!", "nil", "none", r"\n"),
)
"""What usually marks a missing value, in lower case: some reader takes each of these for one."""

SIGNIFICANT = 15
"""Digits of a number by which every reader can tell it from another: spreadsheets keep no more."""
SMALLEST = 2.2250738585072014e-308
"""The smallest positive number that every reader tells from zero."""
_BLANK = r"[\s\p{Z}\x{2800}]+"
_INVISIBLE = (
    r"[\p{Cf}\p{Cc}\x{FE00}-\x{FE0F}\x{034F}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180F}"
    r"\x{2065}\x{3164}\x{FFA0}\x{FFF0}-\x{FFF8}\x{E0000}-\x{E0FFF}]"
)
"""What Unicode says may be ignored when a text is shown."""
_NUMBER = r"^[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf(inity)?)$"
_GROUPED = r"^([+-]?[0-9]{1,3})(SEP[0-9]{3})+$"


def canonical(value: pl.Expr, dtype: pl.DataType, missing: Collection[str] = ()) -> pl.Expr:
    """The expression for values as they are counted: null for what is missing, one zero, categories as their texts.

    >>> frame = pl.DataFrame({"dose": [0.0, -0.0, float("nan")], "city": ["Lugo", "?", None]})
    >>> frame.select(canonical(pl.col(name), dtype, ("?",)) for name, dtype in frame.schema.items()).rows()
    [(0.0, 'Lugo'), (0.0, None), (None, None)]
    """
    is_text = False
    if dtype.is_float():
        counted = canonical_real(value)
    elif is_text := _is_counted_as_text(dtype):
        counted = text_of(value, dtype)
    else:
        counted = value
    if not missing:
        return counted
    if is_text:
        return missing_to_null(counted, missing)
    marks = parse_texts(pl.Series(list(missing), dtype=pl.String), dtype)
    if marks.null_count() == len(marks):
        return counted
    return pl.when(counted.is_in(marks.drop_nulls().implode())).then(None).otherwise(counted)


def _is_counted_as_text(dtype: pl.DataType) -> bool:
    """Texts and categories, and times finer than microseconds: Python has no value for these."""
    is_fine = isinstance(dtype, pl.Datetime) and dtype.time_unit == "ns"
    return is_fine or dtype in (pl.String, pl.Categorical, pl.Enum, pl.Null, pl.Time, pl.Duration)


def as_values(
    raw: pl.Series,
    *,
    missing: Collection[str] = (),
    parser: ValueParser | None = None,
    column: str = "",
    where: str = "",
) -> pl.Series:
    """What a table holds in some rows of a ``column`` as the values that are counted; ``parser`` reads texts.

    They come without a name: one like ``^a$`` would mean something else to the engine.

    >>> from celosia.types import ColumnType
    >>> dose = ValueParser(ColumnType.REAL, pl.Float64())
    >>> as_values(pl.Series(["1.10", "1.1", "?"]), missing=("?",), parser=dose).to_list()
    [1.1, 1.1, None]
    """
    values = raw.alias("").to_frame().select(canonical(pl.nth(0), raw.dtype, missing)).to_series()
    if parser is not None and values.dtype == pl.String:
        values = parser.parse(values, column=column, where=where)
    return values


@dataclass(frozen=True)
class FoldedValues:
    """Distinct values as the bluntest reader tells them apart.

    ``codes[value]`` numbers them so that two have the same number unless every reader sees them differ;
    ``values[number]`` is one of those that share it, None for a missing one.
    """

    codes: npt.NDArray[np.int64]
    values: tuple[object, ...]

    @property
    def first(self) -> npt.NDArray[np.int64]:
        """The place of the first value of each number."""
        return np.unique(self.codes, return_index=True)[1].astype(np.int64)

    @property
    def merged(self) -> int:
        """How many of the values look like another to some reader."""
        return len(self.codes) - len(self.values)


def fold(values: pl.Series) -> FoldedValues:
    """Distinct values of any type, folded.

    >>> found = fold(pl.Series(["HIV", "hiv ", "flu", "N/A", None, "1.10", "1,1"]))
    >>> found.codes.tolist(), found.values
    ([0, 0, 1, 2, 2, 3, 3], ('HIV', 'flu', None, '1.10'))
    >>> fold(pl.Series(["1.234", "1234", "1,234", "0.5", "50%"])).codes.tolist()
    [0, 0, 0, 1, 1]
    """
    values = values.alias("")
    keys = fold_keys(values)
    return _folded_by(_joined(keys, _shared_readings(values, keys)), values, keys)


def _folded_by(numbers: npt.NDArray[np.int64], values: pl.Series, keys: pl.Series) -> FoldedValues:
    """Values with the same number as one, in the order in which they come."""
    frame = pl.DataFrame({"number": numbers}).with_row_index("place")
    groups = frame.group_by("number").agg(pl.col("place").min()).sort("place").with_row_index("code")
    codes = frame.join(groups.select("number", "code"), on="number", how="left").sort("place")
    first = groups.get_column("place")
    shown = zip(values.gather(first).to_list(), keys.gather(first).is_not_null().to_list(), strict=True)
    return FoldedValues(
        codes.get_column("code").to_numpy().astype(np.int64),
        tuple(value if is_known else None for value, is_known in shown),
    )


class SensitiveValues(tuple[object, ...]):
    """Distinct values of a sensitive column, and how readers tell them apart.

    ``folded`` are they to the bluntest reader. ``keyed`` are they by :func:`fold_keys`: a reading that only some have
    joins nothing there, so that 2020-02-01 and 2020-01-02 differ though 01/02/2020 may be either.
    """

    folded: FoldedValues
    keyed: FoldedValues

    @classmethod
    def distinct(cls, values: Sequence[object]) -> "SensitiveValues":
        """Values that no reader takes for one."""
        return _with_foldings(tuple(values), *[FoldedValues(np.arange(len(values)), tuple(values))] * 2)

    def __reduce__(self) -> tuple[object, ...]:
        """Between processes it keeps what readers take for one."""
        return _with_foldings, (tuple(self), self.folded, self.keyed)


def _with_foldings(values: tuple[object, ...], folded: FoldedValues, keyed: FoldedValues) -> SensitiveValues:
    sensitive = SensitiveValues(values)
    sensitive.folded, sensitive.keyed = folded, keyed
    return sensitive


def sensitive_values(values: pl.Series) -> SensitiveValues:
    """Distinct values with what readers take for one.

    >>> days = sensitive_values(pl.Series(["2020-02-01", "2020-01-02", "01/02/2020", "N/A"]))
    >>> days.folded.codes.tolist(), days.keyed.codes.tolist()
    ([0, 0, 0, 1], [0, 1, 2, 3])
    """
    values = values.alias("")
    keys = fold_keys(values)
    shared = _shared_readings(values, keys)
    folded = keyed = _folded_by(_joined(keys, shared.clear()), values, keys)
    if not shared.is_empty():
        folded = _folded_by(_joined(keys, shared), values, keys)
    return _with_foldings(tuple(values.to_list()), folded, keyed)


def people_values(values: pl.Series) -> SensitiveValues:
    """Distinct values of what tells people apart, those that mean one person folded; see :func:`people_keys`.

    >>> people_values(pl.Series(["A1", "b2", "a1 "])).folded.codes.tolist()
    [0, 1, 0]
    """
    people = fold_people(values)
    return _with_foldings(tuple(values.to_list()), people, people)


def find_like(values: Sequence[object], value: str) -> npt.NDArray[np.bool_]:
    """``found[place]``: whether some reader takes that value for the one that is named.

    >>> find_like(("flu", "01/02/2024", None), "2024-02-01").tolist()
    [False, True, False]
    """
    return np.array(_find_like(tuple(texts_of(pl.Series("", values))), value), np.bool_)


@lru_cache(maxsize=32)
def _find_like(texts: tuple[str | None, ...], value: str) -> tuple[bool, ...]:
    """Which texts some reader takes for a value; kept, because searches ask it again and again."""
    codes = fold(pl.Series([value, *texts], dtype=pl.String)).codes
    return tuple((codes[1:] == codes[0]).tolist())


def _joined(keys: pl.Series, shared: pl.DataFrame) -> npt.NDArray[np.int64]:
    """A number for every value, the same for those with one key and for those with readings in common."""
    own = (
        keys.alias("key").to_frame().with_row_index("place").with_columns(pl.col("key").fill_null("missing"))
    )
    pairs = own if shared.is_empty() else pl.concat([own, shared.select("place", "key")])
    ids = pairs.get_column("key").rank("dense").to_numpy().astype(np.int64)
    if shared.is_empty():
        return ids
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = len(keys)
    links = (np.ones(len(ids), np.int8), (pairs.get_column("place").to_numpy(), size + ids))
    whole = coo_array(links, shape=(size + int(ids.max()) + 1,) * 2)
    return np.asarray(connected_components(whole, directed=False)[1][:size], np.int64)


def _shared_readings(values: pl.Series, keys: pl.Series) -> pl.DataFrame:
    """Further readings of values, ``place`` and ``key``, that another value of the column has as well."""
    nothing = pl.DataFrame(schema={"place": pl.UInt32, "key": pl.String})
    if values.dtype.is_integer() or values.dtype.is_temporal() or values.dtype == pl.Boolean:
        return nothing
    plain = _plain_texts(texts_of(values))
    reading_keys = [_number_keys(numbers) for numbers in further_numbers(plain)]
    reading_keys += [pl.Series("key", fold_keys(texts)) for texts in further_texts(plain) if texts.count()]
    frames = [
        key.alias("key").to_frame().with_row_index("place").drop_nulls()
        for key in reading_keys
        if key.count()
    ]
    if not frames:
        return nothing
    readings = pl.concat(frames).unique()
    known = pl.concat([keys.alias("key"), readings.get_column("key")]).drop_nulls()
    counts = known.to_frame().group_by("key").len().filter(pl.col("len") > 1)
    return readings.join(counts, on="key", how="semi")


def fold_keys(values: pl.Series) -> pl.Series:
    """What a value is to most readers, as a text that does not depend on its type; null if it is missing.

    >>> fold_keys(pl.Series([1.5])).to_list() == fold_keys(pl.Series(["1,50"])).to_list()
    True
    """
    values = values.alias("")
    if values.dtype.is_numeric() and not values.dtype.is_decimal():
        return _number_keys(values.cast(pl.Float64))
    plain = _plain_texts(texts_of(values))
    numbers = _number_keys(_even_numbers(plain).cast(pl.Float64, strict=False))
    times = _time_keys(plain)
    frame = pl.DataFrame({"number": numbers, "time": times, "text": "text " + plain})
    return frame.select(pl.coalesce("number", "time", "text")).to_series()


def _number_keys(numbers: pl.Series) -> pl.Series:
    # Spreadsheets take what is nearer to zero than this for zero.
    numbers = numbers.set((numbers.abs() < SMALLEST).fill_null(value=False), 0.0)
    rounded = numbers.to_frame().select(canonical_real(pl.nth(0)).round_sig_figs(SIGNIFICANT)).to_series()
    return "number " + rounded.cast(pl.String)


def _even_numbers(texts: pl.Series) -> pl.Series:
    """Numbers as a program reads them, whatever parts their decimals and thousands; null for anything else."""
    commas = texts.str.count_matches(",", literal=True)
    points = texts.str.count_matches(".", literal=True)
    last_comma = texts.str.reverse().str.find(",", literal=True)
    last_point = texts.str.reverse().str.find(".", literal=True)
    frame = pl.DataFrame(
        {"text": texts, "commas": commas, "points": points, "c": last_comma, "p": last_point}
    )
    text = pl.col("text")
    without_points, without_commas = (text.str.replace_all(mark, "", literal=True) for mark in (".", ","))
    decimal_comma = (pl.col("commas") == 1) & ((pl.col("points") == 0) | (pl.col("c") < pl.col("p")))
    grouped_points = text.str.contains(_GROUPED.replace("SEP", r"\.")) & (pl.col("points") > 1)
    number = (
        pl.when(decimal_comma)
        .then(without_points.str.replace(",", ".", literal=True))
        .when((pl.col("commas") > 0) & (pl.col("points") <= 1))
        .then(without_commas)
        .when(grouped_points)
        .then(without_points)
        .otherwise(text)
    )
    even = frame.select(number.alias("even")).to_series()
    return even.set(~even.str.contains(_NUMBER).fill_null(value=False), None)


def _time_keys(texts: pl.Series) -> pl.Series:
    """Dates and times to the millisecond; a day is its midnight, and a time without a zone universal, as in DuckDB."""
    padded = texts.str.replace(r"^(\d{4})-(\d)-", "${1}-0${2}-")
    texts = padded.str.replace(r"^(\d{4}-\d\d)-(\d)($|[t ])", "${1}-0${2}${3}")
    is_time = texts.str.contains(r"^\d{4}-\d\d-\d\d([t ]\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:?\d\d)?)?$")
    if not is_time.any():
        return pl.Series([None] * len(texts), dtype=pl.String)
    upper = texts.set(~is_time.fill_null(value=False), None).str.to_uppercase()
    upper = upper.str.replace(r"^(\d{4}-\d\d-\d\d)$", "${1}T00:00")
    local, zoned = (parse_texts(upper, pl.Datetime("us", zone)) for zone in (None, "UTC"))
    keys = [
        ("time " + moments.dt.truncate("1ms").dt.to_string("%Y-%m-%dT%H:%M:%S%.3f"))
        for moments in (local, zoned)
    ]
    return (
        pl.DataFrame({"local": keys[0], "zoned": keys[1]}).select(pl.coalesce("local", "zoned")).to_series()
    )


def _plain_texts(texts: pl.Series) -> pl.Series:
    """Texts without what some reader does not see: case, blanks, invisible characters; null for marks of missing."""
    plain = (
        texts.str.replace_all(_BLANK, " ")
        .str.replace_all(_INVISIBLE, "")
        .str.normalize("NFKC")
        .str.to_lowercase()
        .str.replace_all("ß", "ss", literal=True)
        .str.replace_all("ς", "σ", literal=True)
        .str.replace_all("ı|i\u0307", "i")  # capitals of one i are those of the other where Turkish is read
        .str.replace_all("−", "-", literal=True)
        .str.normalize("NFKC")
        .str.replace_all(" +", " ")
        .str.strip_chars(" ")
    )
    marks = pl.Series(MISSING_MARKS, dtype=pl.String)
    return plain.set(plain.is_in(marks.implode()), None)


def people_keys(values: pl.Series) -> pl.Series:
    """Who is meant, to the bluntest reader, by what tells people apart; null if it is missing.

    As :func:`fold_keys`, but an identifier keeps all its digits, and one like 12e4 is no number: two people whose long
    identifiers a spreadsheet confuses are still two.

    >>> people_keys(pl.Series(["A1", " a1", "007", "7.0", "12e4", "-"])).to_list()
    ['a1', 'a1', '7', '7', '12e4', None]
    >>> people_keys(pl.Series([7.0])).to_list() == people_keys(pl.Series([7])).to_list()
    True
    """
    values = values.alias("")
    texts = values.to_frame().select(text_of(pl.nth(0), values.dtype)).to_series()
    if values.dtype.is_float():  # a table that lacks some people has them so, and large ones with an exponent
        is_whole = ((values == values.floor()) & (values.abs() < 2.0**63)).fill_null(value=False)
        whole = values.set(~is_whole, None).cast(pl.Int64).cast(pl.String)
        texts = whole.zip_with(is_whole, texts)
    plain = _plain_texts(texts)
    numbers = (
        plain.str.replace(",", ".", literal=True)
        .str.strip_prefix("+")
        .str.replace(r"^(-?)0+([0-9])", "${1}${2}")
        .str.replace(r"(\.[0-9]*?)0*$", "${1}")
        .str.strip_suffix(".")
    )
    is_number = plain.str.contains(r"^[+-]?[0-9]+([.,][0-9]*)?$").fill_null(value=False)
    times = _time_keys(plain).str.strip_prefix("time ")  # so that the key of a key is itself
    frame = pl.DataFrame({"time": times, "text": numbers.zip_with(is_number, plain)})
    return frame.select(pl.coalesce("time", "text")).to_series()


def fold_people(values: pl.Series) -> FoldedValues:
    """What tells people apart, folded; its values are keys that say the same in every table.

    >>> found = fold_people(pl.Series(["A1", "b2", "a1 "]))
    >>> found.codes.tolist(), found.values
    ([0, 1, 0], ('a1', 'b2'))
    """
    keys = people_keys(values).alias("key")
    distinct = keys.unique(maintain_order=True).to_frame().with_row_index("number")
    codes = keys.to_frame().join(distinct, on="key", how="left", nulls_equal=True, maintain_order="left")
    return FoldedValues(
        codes.get_column("number").to_numpy().astype(np.int64), tuple(distinct.get_column("key"))
    )
