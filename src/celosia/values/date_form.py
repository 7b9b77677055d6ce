"""Dates as a column of a text file writes them: 31/12/1999."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.types import ColumnType
from celosia.values.value_form import ValueForm

__all__ = ["DATE_ORDERS", "DateForm"]

_PLAIN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:.*)?$"
_FIRST_YEAR = "30"
"""Years of two digits from this one on are of the last century, as in spreadsheets."""

DATE_ORDERS = {"day-first": "dmy", "month-first": "mdy", "year-first": "ymd"}
"""What may be said of dates instead of a whole format: which part comes first."""


@dataclass(frozen=True)
class DateForm(ValueForm):
    """Dates, or dates with times, in a format such as %d/%m/%Y; %-d and %-m have no zero before a single digit.

    A time follows after a blank, its seconds if there are any; %-H stands for hours without a zero.

    >>> born = DateForm("%d/%m/%Y")
    >>> pl.DataFrame({"born": ["15/05/1972", "?"]}).select(born.read(pl.nth(0))).to_series().to_list()
    ['1972-05-15', '?']
    >>> born.write_label("[1955-11-15 - 1972-03-02]"), born.write_label("1972-05")
    ('[15/11/1955 - 02/03/1972]', '05/1972')
    """

    type: ClassVar[ColumnType] = ColumnType.DATE
    format: str = "%Y-%m-%d"

    @property
    def text(self) -> str:
        """The format."""
        return self.format

    @cached_property
    def _parts(self) -> list[tuple[str, bool]]:
        """Year, month and day in the order of the format, and whether each has all its digits."""
        day = self.format.partition(" ")[0]
        return [(letter, not dash) for dash, letter in re.findall(r"%(-?)([dmYy])", day)]

    @cached_property
    def mark(self) -> str:
        """What stands between the parts of a date."""
        found = re.match(r"%-?[dmYy](\W)%-?[dmYy]\1%-?[dmYy](?: |$)", self.format)
        if found is None or {letter.lower() for letter, _ in self._parts} != {"d", "m", "y"}:
            raise TableError(
                say("{format!r} is not a format of dates", format=self.format),
                remedy=say("write it as in %d/%m/%Y, or say day-first, month-first or year-first"),
            )
        return found[1]

    @property
    def order(self) -> str:
        """Which part comes first, second and third: dmy, mdy or ymd."""
        return "".join(letter.lower() for letter, _ in self._parts)

    @property
    def has_time(self) -> bool:
        """Whether times follow the dates."""
        return " " in self.format

    @cached_property
    def _pattern(self) -> str:
        digits = {"Y": "[0-9]{4}", "y": "[0-9]{2}"}
        each = [digits.get(part, "[0-9]{2}" if whole else "[0-9]{1,2}") for part, whole in self._parts]
        day = re.escape(self.mark).join(f"({one})" for one in each)
        return f"^{day}{self._time}$"

    @property
    def _time(self) -> str:
        hours = "[0-9]{1,2}" if "%-H" in self.format else "[0-9]{2}"
        return rf"( {hours}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?)" if self.has_time else ""

    def matches(self, text: pl.Expr) -> pl.Expr:
        """Whether texts look like dates of this form; one may still be a 30th of February."""
        return text.str.contains(self._pattern)

    @property
    def _is_fixed(self) -> bool:
        return all(whole for _, whole in self._parts)

    def read(self, text: pl.Expr) -> pl.Expr:
        """Dates as ISO writes them."""
        return pl.when(self.matches(text)).then(self._iso(text)).otherwise(text)

    def _read_all(self, text: pl.Expr) -> pl.Expr:
        if not self._is_fixed or self.has_time:
            return self.read(text)
        size = sum(4 if part == "Y" else 2 for part, _ in self._parts) + 2
        return pl.when(text.str.len_bytes() == size).then(self._iso(text)).otherwise(text)

    def _iso(self, text: pl.Expr) -> pl.Expr:
        if self._is_fixed:
            starts, at = {}, 0
            for part, _ in self._parts:
                size = 4 if part == "Y" else 2
                starts[part.lower()] = text.str.slice(at, size)
                at += size + 1
            rest = text.str.slice(at - 1)
        else:
            places = {part.lower(): place for place, (part, _) in enumerate(self._parts, start=1)}
            starts = {part: text.str.extract(self._pattern, place) for part, place in places.items()}
            rest = text.str.extract(self._pattern, 4) if self.has_time else pl.lit("")
        year, month, day = starts["y"], starts["m"], starts["d"]
        if not self._is_fixed:
            month, day = month.str.zfill(2), day.str.zfill(2)
        if ("y", True) in self._parts:
            year = pl.when(year >= _FIRST_YEAR).then(pl.lit("19")).otherwise(pl.lit("20")) + year
        parts = [year, pl.lit("-"), month, pl.lit("-"), day]
        if self.has_time:
            even = rest.str.replace("^ ([0-9]):", " 0${1}:") if "%-H" in self.format else rest
            parts.append(even.str.replace(" ", "T", literal=True))
        return pl.concat_str(parts)

    def write(self, plain: pl.Expr) -> pl.Expr:
        """Dates in the format."""
        year, month, day = plain.str.slice(0, 4), plain.str.slice(5, 2), plain.str.slice(8, 2)
        values = {"Y": year, "y": year.str.slice(2), "m": month, "d": day}
        each = [values[part] if whole else values[part].str.strip_prefix("0") for part, whole in self._parts]
        date = pl.concat_str(each, separator=self.mark)
        time = plain.str.slice(10).str.replace("T", " ", literal=True)
        if "%-H" in self.format:
            time = time.str.replace("^ 0", " ", literal=False)
        written = pl.concat_str(date, time)
        return pl.when(self.is_plain(plain)).then(written).otherwise(plain)

    def is_plain(self, text: pl.Expr) -> pl.Expr:
        """Whether texts are dates as ISO writes them."""
        return text.str.contains(_PLAIN)

    @cached_property
    def _months(self) -> str:
        """The format of a month: years have all their digits there."""
        parts = [part.upper() if part == "y" else part for part, _ in self._parts if part != "d"]
        return self.mark.join(f"%{part}" for part in parts)

    def write_label(self, label: str) -> str:
        """Days and months within a label."""
        day = r"(?<![\w-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+)?(?![\w])"
        written = re.sub(day, lambda found: self._written_day(found[0]), label)
        month = r"(?<![\w/.-])([0-9]{4})-([0-9]{2})(?![\w/.-])"
        swap = {"%Y": r"\1", "%m": r"\2"}
        return re.sub(month, re.sub("%[Ym]", lambda part: swap[part[0]], self._months), written)

    def read_label(self, label: str) -> str:
        """The same with days and months as ISO writes them."""
        inner = self._pattern[1:-1]
        read = re.sub(rf"(?<![\w/.-]){inner}(?![\w/.-])", self._read_day, label)
        mark = re.escape(self.mark)
        year, month = r"(?P<y>[0-9]{4})", r"(?P<m>[0-9]{2})"
        pair = (year, month) if self.order.startswith("y") else (month, year)
        return re.sub(rf"(?<![\w/.-]){pair[0]}{mark}{pair[1]}(?![\w/.-])", r"\g<y>-\g<m>", read)

    def _written_day(self, plain: str) -> str:
        """One date in the format."""
        values = {"Y": plain[:4], "y": plain[2:4], "m": plain[5:7], "d": plain[8:10]}
        parts = [values[part] if whole else values[part].removeprefix("0") for part, whole in self._parts]
        time = plain[10:].replace("T", " ")
        if "%-H" in self.format:
            time = re.sub("^ 0", " ", time)
        return self.mark.join(parts) + time

    def _read_day(self, found: re.Match[str]) -> str:
        """One date as ISO writes it."""
        places = {part.lower(): found[place] for place, (part, _) in enumerate(self._parts, start=1)}
        year = places["y"]
        if len(year) == 2:
            year = ("19" if year >= _FIRST_YEAR else "20") + year
        time = re.sub("^ ([0-9]):", r" 0\1:", found[4]).replace(" ", "T") if self.has_time else ""
        return f"{year}-{places['m']:0>2}-{places['d']:0>2}{time}"
