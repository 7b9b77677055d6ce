"""When two cells are the same: as the sharpest reader sees them, and as the bluntest does.

Nothing here is shared with the product: what counts as the same is said again, from the definition.
"""

import math
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

__all__ = ["MISSING", "fold", "is_missing", "join_readings", "number_of", "sharp"]

MISSING = ("missing",)
"""What all marks of a missing value are folded to."""

MARKS = {
    *(
        "",
        "-",
        "--",
        ".",
        "..",
        "?",
        "*",
        "na",
        "n/a",
        "n.a.",
        "nd",
        "n/d",
        "n.d.",
        "s/d",
        "nan",
        "-nan",
    ),
    *("null", "none", "nil", "nat", "<na>", "#n/a", "#na", "#n/a n/a", "#null!"),
    *("1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan"),
}
"""Texts that usually mean a missing value, folded: those of pandas, R, spreadsheets, databases and people."""

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?", re.ASCII)
MOMENT = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})([ t][0-9]{2}:[0-9]{2}.*)?", re.ASCII)
COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+", re.ASCII)
INFINITE = {"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"}


def is_missing(value: Any) -> bool:
    """Whether a value is none: null, NaN, NaT or NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, float | Decimal):
        return math.isnan(value)
    return False


def sharp(value: Any) -> str:
    """How the sharpest reader sees a value: its type and exact form."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return f"{type(value).__name__}"
    if hasattr(value, "item") and hasattr(value, "dtype"):  # a scalar of numpy
        value = value.item()
    if isinstance(value, datetime):
        return f"datetime {value.isoformat()}"
    return f"{type(value).__name__} {value!r}"


def number_of(value: Any) -> Fraction | float | None:
    """The exact number that a value is or that its text reads as; None if it is no number."""
    if isinstance(value, bool) or is_missing(value):
        return None
    if isinstance(value, int | float | Decimal):
        return float(value) if abs(value) == math.inf else Fraction(str(value))
    if isinstance(value, str):
        text = plain(value)
        if COMMA.fullmatch(text):  # as half of the world writes it
            text = text.replace(",", ".")
        if text in INFINITE:
            return float(text)
        if NUMBER.fullmatch(text):
            return Fraction(text)
    return None


def rounded(number: Fraction | float) -> Fraction | float:
    """A number as a spreadsheet keeps it: 15 digits, and none beyond those of a double."""
    if isinstance(number, float):
        return number
    try:
        return Fraction(f"{float(number):.14e}")
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def plain(text: str) -> str:
    """Text by normal form, case, blanks and invisible characters folded."""
    text = unicodedata.normalize("NFKC", text)
    text = "".join(one for one in text if unicodedata.category(one) not in ("Cf", "Cs"))
    text = unicodedata.normalize("NFKC", text.casefold())
    return " ".join(text.split())


def fold(value: Any) -> tuple[Any, ...]:
    """How the bluntest reader sees a value; two values differ only if this does."""
    if hasattr(value, "item") and hasattr(value, "dtype"):
        value = value.item()
    if is_missing(value) or (isinstance(value, str) and plain(value) in MARKS):
        return MISSING
    number = number_of(value)
    if number is not None:
        return ("number", rounded(number))
    if isinstance(value, bool):
        return ("text", str(value).casefold())
    if isinstance(value, date):
        value = value.isoformat()
    text = plain(str(value))
    return ("text", moment(text) or text)


SLASHED = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})", re.ASCII)
OTHER_BASE = re.compile(r"[+-]?0(x[0-9a-f]+|b[01]+)", re.ASCII)
TRUTH = {"t": "true", "yes": "true", "y": "true", "f": "false", "no": "false", "n": "false"}


def readings(value: Any) -> set[tuple[Any, ...]]:
    """All that a value is to somebody: to most, and to readers of other places and programs.

    01/02/2020 is a day of February to a spreadsheet in Madrid and one of January to one in New York, 0x1 a number to
    DuckDB and R, and yes is true to DuckDB.
    """
    found = {fold(value)}
    text = plain(str(value))
    if parts := SLASHED.fullmatch(text):
        one, other, year = parts.groups()
        days = (moment(f"{year}-{month}-{day}") for month, day in ((one, other), (other, one)))
        found |= {("text", day) for day in days if day}
    if OTHER_BASE.fullmatch(text):
        found.add(("number", rounded(Fraction(int(text, 0)))))
    if text in TRUTH:
        found.add(("text", TRUTH[text]))
    return found


def join_readings(values: Iterable[Any]) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """For every value, folded, the one of all that somebody cannot tell from it: two differ if all see them differ."""
    groups: list[set[tuple[Any, ...]]] = []
    owns = set()
    for value in values:
        if fold(value) in owns:
            continue
        owns.add(fold(value))
        whole = readings(value)
        apart = [group for group in groups if not group & whole]
        groups = [*apart, whole.union(*(group for group in groups if group & whole))]
    names = {one: min(group & owns, key=str) for group in groups for one in group}
    return {one: names[one] for one in owns}


def moment(text: str) -> str:
    """A date with its time, to the millisecond, and with a zone as the same moment elsewhere; else nothing."""
    parts = MOMENT.fullmatch(text)
    if parts is None:
        return ""
    year, month, day, clock = parts.groups(default="")
    try:
        found = datetime.fromisoformat(f"{year}-{month:0>2}-{day:0>2}{clock.upper()}")
    except ValueError:
        return ""
    return (found if found.tzinfo is None else found.astimezone(UTC)).isoformat("T", "milliseconds")
