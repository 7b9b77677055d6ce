"""Values of text: what the texts of a column are as values of the type that they have.

A file of text writes one value in several ways: 1.10, 1.1 and 1.100 are one dose. A column whose texts all have a type
is counted, recoded and compared by value; its texts are kept for whoever reads them.
"""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["ValueParser", "canonical_real", "parse_texts", "parser_of"]

DIGITS = 38
"""Digits of the longest decimal number that is kept exactly."""
EXACT = 15
"""Significant digits that a floating-point number always keeps."""


@dataclass(frozen=True)
class ValueParser:
    """How the texts of one column become values of ``dtype``; String leaves them as they are.

    >>> dose = ValueParser(ColumnType.REAL, pl.Float64())
    >>> dose.parse(pl.Series(["1.10", "1.1", None])).to_list()
    [1.1, 1.1, None]
    """

    type: ColumnType
    dtype: pl.DataType

    @property
    def is_text(self) -> bool:
        """Whether texts are the values."""
        return self.dtype == pl.String

    def parse(self, texts: pl.Series, *, column: str = "", where: str = "") -> pl.Series:
        """The values of texts, null for null; raises if one of them is none."""
        values = parse_texts(texts, self.dtype)
        strange = texts.filter(values.is_null() & texts.is_not_null())
        if len(strange):
            raise TableError(
                say(
                    "column {column!r} is read as {type}, and {value!r} is none",
                    column=column,
                    type=self.type,
                    value=strange[0],
                ),
                where=where,
                remedy=say(
                    "run it again when nobody writes to it, or declare the column with --type {column}=text",
                    column=column,
                ),
            )
        return values


def parser_of(type: ColumnType, texts: pl.Series) -> ValueParser:
    """How the distinct texts of a column, none of them missing, become values of a type: exactly, or not at all.

    A type that not all of them have leaves them texts.

    >>> parser_of(ColumnType.REAL, pl.Series(["1.10", "2"])).dtype
    Float64
    >>> parser_of(ColumnType.REAL, pl.Series(["0.12345678901234567", "2"])).dtype
    Decimal(precision=38, scale=17)
    >>> parser_of(ColumnType.INTEGER, pl.Series(["18446744073709551616"])).dtype
    Int128
    >>> parser_of(ColumnType.BOOLEAN, pl.Series(["True", "true"])).dtype
    String
    """
    for dtype in _candidates(type, texts):
        if not parse_texts(texts, dtype).null_count():
            return ValueParser(type, dtype)
    return ValueParser(type, pl.String())


def _candidates(type: ColumnType, texts: pl.Series) -> list[pl.DataType]:
    if type is ColumnType.INTEGER:
        return [pl.Int64(), pl.Int128()]
    if type in (ColumnType.REAL, ColumnType.DECIMAL):
        exact = _exact_decimal(texts)
        reals: list[pl.DataType] = [pl.Float64()] if _parts_all(texts) else []
        return reals if exact is None else [exact, *reals]
    if type is ColumnType.BOOLEAN:
        # True and true leave as they came, and whoever reads texts tells them apart: then they are counted so, too.
        is_even = texts.str.strip_chars().str.to_lowercase().n_unique() == texts.n_unique()
        return [pl.Boolean()] if is_even else []
    if type is ColumnType.DATE:
        return [pl.Date()]
    if type is ColumnType.DATETIME:
        # Finer times than microseconds stay texts: Python has no value for them.
        is_fine = texts.str.contains(r"\.[0-9]{7}").any()
        return [] if is_fine else [pl.Datetime("us"), pl.Datetime("us", "UTC")]
    return []


def _exact_decimal(texts: pl.Series) -> pl.DataType | None:
    """The type that holds numbers of more digits than a floating-point number keeps; None where that is enough."""
    digits = texts.str.replace_all(r"[^0-9]", "").str.strip_chars_start("0").str.len_bytes()
    if not (digits > EXACT).any() or not texts.str.contains(r"^[+-]?[0-9]+(\.[0-9]+)?$").all():
        return None
    scale = int(texts.str.extract(r"\.([0-9]+)$").str.len_bytes().max() or 0)  # type: ignore[arg-type]
    whole = int(texts.str.extract(r"^[+-]?0*([0-9]*)").str.len_bytes().max() or 0)  # type: ignore[arg-type]
    return pl.Decimal(DIGITS, scale) if whole + scale <= DIGITS else None


def _parts_all(texts: pl.Series) -> bool:
    """Whether numbers that differ are different floating-point numbers, too."""
    frame = pl.DataFrame({"text": texts, "real": parse_texts(texts, pl.Float64())})
    alike = frame.filter(pl.col("real").is_duplicated()).sort("real")
    for group in alike.partition_by("real"):
        try:
            if len({Decimal(text.strip()) for text in group.get_column("text")}) > 1:
                return False
        except InvalidOperation:
            return False
    return True


def parse_texts(texts: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Texts as values of a type, null where a text is none; blanks around numbers and dates do not matter.

    >>> parse_texts(pl.Series(["TRUE", "no"]), pl.Boolean()).to_list()
    [True, None]
    >>> parse_texts(pl.Series(["2024-05-01 10:30", "2024-05-01T10:30:00.5"]), pl.Datetime("us")).to_list()
    [datetime.datetime(2024, 5, 1, 10, 30), datetime.datetime(2024, 5, 1, 10, 30, 0, 500000)]
    """
    if dtype == pl.String:
        return texts
    bare = texts.str.strip_chars()
    if dtype == pl.Boolean:
        lower = bare.str.to_lowercase()
        return lower.replace_strict({"true": True, "false": False}, default=None, return_dtype=pl.Boolean)
    if dtype == pl.Date:
        return bare.str.to_date("%Y-%m-%d", strict=False)
    if isinstance(dtype, pl.Datetime):
        return _parse_times(bare, dtype)
    values = bare.cast(dtype, strict=False)
    if not dtype.is_float():
        return values
    # NaN is no number, and there is one zero.
    return values.to_frame().select(canonical_real(pl.nth(0))).to_series().alias(texts.name)


def canonical_real(number: pl.Expr) -> pl.Expr:
    """A floating-point number in its one form: no value for NaN, and no minus before a zero.

    >>> pl.DataFrame({"x": [-0.0, float("nan")]}).select(canonical_real(pl.nth(0)).cast(pl.String)).rows()
    [('0.0',), (None,)]
    """
    known = number.fill_nan(None)
    # The engine takes adding 0.0 for adding nothing.
    return pl.when(known == 0).then(known.abs()).otherwise(known)


def _parse_times(texts: pl.Series, dtype: pl.Datetime) -> pl.Series:
    even = texts.str.replace(" ", "T", literal=True).str.replace(r"(T\d\d:\d\d)($|Z|[+-])", "${1}:00$2")
    if dtype.time_zone is None:
        return even.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", strict=False, time_unit=dtype.time_unit)
    zoned = even.str.replace(r"Z$", "+00:00").str.replace(r"([+-]\d\d)(\d\d)$", "$1:$2")
    moments = zoned.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", strict=False, time_unit=dtype.time_unit)
    return moments.dt.convert_time_zone(dtype.time_zone)
