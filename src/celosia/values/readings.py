"""Further readings of a text: what a program of another language or country takes it for.

To a spreadsheet in Spain 1.234 is more than a thousand, and so is 1,234 to one in England. No single form of a text
says that: a text has several readings, and :func:`celosia.values.same.fold` takes texts that share one for one value.
"""

import math
from collections.abc import Callable

import polars as pl

__all__ = ["further_numbers", "further_texts"]

_SIGN = r"^[+-]?[1-9]\d{0,2}"
_PLAIN = r"[+-]?\d+([.,]\d+)?"
Change = Callable[[pl.Expr], pl.Expr]


def _without(text: pl.Expr, marks: str) -> pl.Expr:
    return text.str.replace_all(f"[{marks}]", "")


def _point(text: pl.Expr) -> pl.Expr:
    return text.str.replace(",", ".", literal=True)


_NUMBERS: tuple[tuple[str, Change, float], ...] = (
    (_SIGN + r"(,\d{3})+(\.\d+)?$", lambda text: _without(text, ","), 1.0),
    (_SIGN + r"(\.\d{3})+(,\d+)?$", lambda text: _point(_without(text, ".")), 1.0),
    (_SIGN + r"([ '’]\d{3})+([.,]\d+)?$", lambda text: _point(_without(text, " '’")), 1.0),
    (rf"^{_PLAIN} ?%$", lambda text: _point(_without(text, " %")), 0.01),
    (r"^\(\d+([.,]\d+)?\)$", lambda text: _point(_without(text, "()")), -1.0),
    (rf"^[$€£] ?{_PLAIN}$|^{_PLAIN} ?[$€£]$", lambda text: _point(_without(text, "$€£ ")), 1.0),
)
"""How a number may be written: the pattern, what makes a number of it, and what that is multiplied by."""

_OTHER_BASES = r"^[+-]?0(x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(p[+-]?\d+)?|b[01]+)$"
"""Numbers with the base 16, which R and DuckDB read, and 2, which DuckDB does."""

_TRUTH = {"t": "true", "yes": "true", "y": "true", "f": "false", "no": "false", "n": "false"}
"""What R and DuckDB take for true and false."""

_DATES = (
    (r"^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$", (1, 2, 3)),
    (r"^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$", (3, 2, 1)),
    (r"^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$", (3, 1, 2)),
    (r"^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2})$", (3, 2, 1)),
    (r"^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2})$", (3, 1, 2)),
    (r"^(\d{2})[/.-](\d{1,2})[/.-](\d{1,2})$", (1, 2, 3)),
)
"""How a day may be written: the pattern, and which of its parts are the year, the month and the day."""


def further_numbers(texts: pl.Series) -> list[pl.Series]:
    """The numbers that texts may be to somebody, null where a text is none to her.

    >>> [found.to_list() for found in further_numbers(pl.Series(["1,234", "50 %", "flu"])) if found.count()]
    [[1234.0, None, None], [None, 0.5, None]]
    """
    frame = texts.alias("text").to_frame()
    readings = []
    for pattern, change, factor in _NUMBERS:
        text = pl.col("text")
        number = change(text).cast(pl.Float64, strict=False) * factor
        readings.append(frame.select(pl.when(text.str.contains(pattern)).then(number)).to_series())
    return [*readings, _of_other_bases(frame.to_series())]


def _of_other_bases(texts: pl.Series) -> pl.Series:
    is_one = texts.str.contains(_OTHER_BASES).fill_null(value=False)
    numbers = {text: _as_real(text) for text in texts.filter(is_one)}
    return texts.replace_strict(numbers, default=None, return_dtype=pl.Float64)


def _as_real(text: str) -> float:
    """The number that a text with the base 16 or 2 is, in lower case.

    >>> _as_real("-0x1f"), _as_real("0x1.8p0"), _as_real("0b101")
    (-31.0, 1.5, 5.0)
    """
    try:
        return float(int(text, 2)) if "0b" in text[:3] else float.fromhex(text)
    except OverflowError:
        return -math.inf if text.startswith("-") else math.inf


def further_texts(texts: pl.Series) -> list[pl.Series]:
    """Further readings of texts as days, as ISO writes them, times of day and truth; texts are in lower case.

    >>> [found.to_list() for found in further_texts(pl.Series(["01/02/2024", "10:30", "t"])) if found.count()]
    [['2024-02-01', None, None], ['2024-01-02', None, None], [None, '10:30:00', None], [None, None, 'true']]
    """
    frame, text = texts.alias("text").to_frame(), pl.col("text")
    readings = [_days(frame, pattern, parts) for pattern, parts in _DATES]
    is_time = text.str.contains(r"^\d{1,2}:\d\d(:\d\d)?(\.0+)?$")
    whole = text.str.replace(r"\.0+$", "").str.replace(r"^(\d):", "0${1}:")
    readings.append(
        frame.select(pl.when(is_time).then(whole.str.replace(r"^(\d\d:\d\d)$", "${1}:00"))).to_series()
    )
    truth = text.replace_strict(_TRUTH, default=None, return_dtype=pl.String)
    return [*readings, frame.select(truth).to_series()]


def _days(frame: pl.DataFrame, pattern: str, parts: tuple[int, int, int]) -> pl.Series:
    year, month, day = (pl.col("text").str.extract(pattern, part) for part in parts)
    # Of two digits spreadsheets make the years from 1930 to 2029.
    century = pl.when(year.str.len_bytes() > 2).then(pl.lit("")).when(year >= "30").then(pl.lit("19"))
    year = century.otherwise(pl.lit("20")) + year
    written = pl.concat_str([year, month.str.zfill(2), day.str.zfill(2)], separator="-")
    is_day = written.str.to_date("%Y-%m-%d", strict=False).is_not_null()
    return frame.select(pl.when(is_day).then(written)).to_series()
