"""What has to be known of a table to cut it into parts, and how any engine that speaks SQL finds it out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Protocol

import polars as pl

__all__ = ["BINS", "Engine", "Numbering", "Range", "SplitDialect", "Splitter", "SqlSplitter"]

BINS = 256
"""Bins between the smallest and the largest number of a part."""
MOST = 1.7976931348623157e308
"""The largest number that is finite."""


class Numbering(Protocol):
    """What says to which part a row belongs."""

    def sql(self, names: Sequence[str]) -> tuple[str, list[Any]]:
        """The number of the part as an expression over the columns, and its parameters."""
        ...


@dataclass(frozen=True)
class Range:
    """A stretch of a column that is to be binned: from ``first`` to ``last``, both of it; bins lie between the
    finite ``low`` and ``high``, and what is beyond them has bins of its own.
    """

    first: Any
    last: Any
    low: Any
    high: Any


class Splitter(Protocol):
    """What an engine must be able to tell about the parts of a table, in one pass over it for all parts.

    Columns are named by number. Frames come with one row per part, or per part and bin or value.
    """

    def extremes(self, parts: Numbering) -> pl.DataFrame:
        """``part``, ``rows`` and for column i ``present_i``, ``first_i``, ``last_i``, and of finite values ``low_i``,
        ``high_i``.
        """
        ...

    def rows(self, parts: Numbering) -> pl.DataFrame:
        """``part`` and ``rows`` of parts that have any."""
        ...

    def bins(self, parts: Numbering, column: int, ranges: Mapping[int, Range]) -> pl.DataFrame:
        """``part``, ``low``, ``high``, ``rows`` of the bins of a column that hold any, for the parts in ``ranges``."""
        ...

    def values(self, parts: Numbering, sensitive: int) -> pl.DataFrame:
        """``part``, ``value``, ``rows`` of every value of a sensitive column."""
        ...

    def points(self, most: int) -> int:
        """How many combinations of all columns there are, or some number above ``most``."""
        ...

    def sizes(self) -> pl.DataFrame:
        """``n`` and ``times``: how many combinations of all quasi-identifiers have so many rows."""
        ...

    def mode(self, column: int) -> Any:
        """The most frequent value of a column, the smallest of several; None if there is none."""
        ...

    def fill(self, values: Mapping[int, Any]) -> "Splitter":
        """The same rows with values in place of missing ones."""
        ...


@dataclass(frozen=True)
class SplitDialect:
    """What engines that speak SQL say differently.

    ``whole``, ``real`` and ``text`` are types to cast to, ``key`` is that of texts with an index; braces stand for a
    value. ``rough`` counts distinct
    combinations quickly and not quite, where an engine can. ``days`` and ``microseconds`` tell how long after 1970 a
    date or a time is, None where there are none but as text. ``has_values`` says that rows can be written down after
    VALUES, and ``joins_values`` that they are joined to many others as fast as a table is.
    """

    whole: str = "BIGINT"
    real: str = "DOUBLE"
    text: str = "VARCHAR"
    key: str = "VARCHAR"
    least: str = "LEAST"
    floor: str = "FLOOR({})"
    beginning: str = "SUBSTR({}, 1, CAST({} AS INTEGER))"
    rough: str | None = None
    has_values: bool = True
    joins_values: bool = False
    days: str | None = None
    microseconds: str | None = None

    def type(self, dtype: pl.DataType) -> str:
        """What places of a type are cast to."""
        return {pl.Int64(): self.whole, pl.Float64(): self.real, pl.String(): self.text}[dtype]

    def listed(self, name: str, columns: Mapping[str, str], rows: int) -> str:
        """A table of so many rows as it stands after WITH, a mark for every value, each cast to the type given.

        >>> SplitDialect(has_values=False).listed("t", {"a": "BIGINT", "b": "DOUBLE"}, 1)
        't AS (SELECT CAST(? AS BIGINT) AS a, CAST(? AS DOUBLE) AS b)'
        """
        if self.has_values:
            one = ", ".join(f"CAST(? AS {kind})" for kind in columns.values())
            return f"{name} ({', '.join(columns)}) AS (VALUES {', '.join([f'({one})'] * rows)})"
        one = ", ".join(f"CAST(? AS {kind}) AS {column}" for column, kind in columns.items())
        return f"{name} AS ({' UNION ALL '.join([f'SELECT {one}'] * rows)})"


class Engine(Protocol):
    """What answers queries over the rows of a release: ``chosen``, with columns q0, q1, ... and s0, s1, ..."""

    @property
    def words(self) -> SplitDialect:
        """How it is spoken to."""
        ...

    def ask(self, query: str, values: Sequence[Any], columns: Mapping[str, str]) -> pl.DataFrame:
        """Answer a query that goes on after ``WITH chosen AS (...),`` and has a ``?`` for every value.

        ``columns`` are the names for what it finds, and for each the column of ``chosen`` whose values they are, or
        nothing for whole numbers.
        """
        ...


@dataclass(frozen=True)
class SqlSplitter:
    """The verbs of :class:`Splitter` as queries, the same for every engine but for a few :class:`SplitDialect`.

    Engines compare texts by code points. Names are such that no engine takes them for words of its own.
    """

    engine: Engine
    dtypes: tuple[pl.DataType, ...]
    sensitive: int
    filled: Mapping[int, Any] = field(default_factory=dict)

    @property
    def _names(self) -> list[str]:
        return [f"q{i}" for i in range(len(self.dtypes))]

    def extremes(self, parts: Numbering) -> pl.DataFrame:
        """Rows of every part, and for every column how many are present, the extremes, and the finite ones."""
        asked, found, given = ["part", "COUNT(*)"], {"part": "", "rows": ""}, []
        for i, (name, dtype) in enumerate(zip(self._names, self.dtypes, strict=True)):
            finite = name
            if dtype == pl.Float64:
                finite = f"CASE WHEN {name} >= ? AND {name} <= ? THEN {name} END"
                given += [-MOST, MOST] * 2
            asked += [f"COUNT({name})", f"MIN({name})", f"MAX({name})", f"MIN({finite})", f"MAX({finite})"]
            found[f"present_{i}"] = ""
            found.update({f"{what}_{i}": name for what in ("first", "last", "low", "high")})
        return self._ask(f"SELECT {', '.join(asked)} FROM parted GROUP BY part", found, parts, given=given)

    def rows(self, parts: Numbering) -> pl.DataFrame:
        """Rows of every part."""
        return self._ask("SELECT part, COUNT(*) FROM parted GROUP BY part", {"part": "", "rows": ""}, parts)

    def bins(self, parts: Numbering, column: int, ranges: Mapping[int, Range]) -> pl.DataFrame:
        """Bins of equal width for numbers, equal beginnings for texts; each with the values that it really holds."""
        kinds: dict[str, dict[int, Range]] = {}
        for part, one in ranges.items():
            number = _bin_sql(f"q{column}", self.dtypes[column], one, self.engine.words)
            kinds.setdefault(number, {})[part] = one
        return pl.concat([self._bins(parts, column, some, number) for number, some in kinds.items()])

    def _bins(self, parts: Numbering, column: int, ranges: Mapping[int, Range], number: str) -> pl.DataFrame:
        name, words = f"q{column}", self.engine.words
        kind = words.type(self.dtypes[column])
        fields = dict.fromkeys(("r_first", "r_last", "r_low", "r_high"), kind)
        fields = {"r_part": words.whole, **fields, "r_size": words.real, "r_tiny": words.real}
        query = (
            f"SELECT part, MIN({name}), MAX({name}), COUNT(*) FROM parted JOIN ranges ON part = r_part "
            f"WHERE {name} >= r_first AND {name} <= r_last GROUP BY part, {number}"
        )
        given = [
            value
            for part, r in ranges.items()
            for value in (part, r.first, r.last, r.low, r.high, _size(r), _size(r) / (4 * BINS))
        ]
        found = {"part": "", "low": name, "high": name, "rows": ""}
        return self._ask(query, found, parts, words.listed("ranges", fields, len(ranges)), given)

    def values(self, parts: Numbering, sensitive: int) -> pl.DataFrame:
        """Rows of every part and value."""
        name = f"s{sensitive}"
        query = f"SELECT part, {name}, COUNT(*) FROM parted GROUP BY part, {name}"
        return self._ask(query, {"part": "", "value": name, "rows": ""}, parts)

    def points(self, most: int) -> int:
        """Counted exactly only up to ``most``, or where a rough estimate says that it costs little."""
        names = ", ".join([*self._names, *(f"s{i}" for i in range(self.sensitive))])
        rough = self.engine.words.rough
        if rough is not None:
            found = int(self._ask(f"SELECT {rough.format(names)} FROM parted", {"n": ""}).item())
            if found > most:
                return found
        distinct = f"SELECT DISTINCT {names} FROM parted LIMIT {most + 1}"
        return int(self._ask(f"SELECT COUNT(*) FROM ({distinct}) AS combinations", {"n": ""}).item())

    def sizes(self) -> pl.DataFrame:
        """How many classes there are of each size."""
        names = ", ".join(self._names)
        classes = f"SELECT COUNT(*) AS class_rows FROM parted GROUP BY {names}"
        query = f"SELECT class_rows, COUNT(*) FROM ({classes}) AS classes GROUP BY class_rows"
        return self._ask(query, {"n": "", "times": ""})

    def mode(self, column: int) -> Any:
        """The most frequent value."""
        name = f"q{column}"
        query = (
            f"SELECT {name} FROM parted WHERE {name} IS NOT NULL "
            f"GROUP BY {name} ORDER BY COUNT(*) DESC, {name} LIMIT 1"
        )
        found = self._ask(query, {"value": name})
        return found.item() if found.height else None

    def fill(self, values: Mapping[int, Any]) -> "SqlSplitter":
        """The same rows, values in place of missing ones."""
        return replace(self, filled={**self.filled, **values})

    def _ask(
        self,
        query: str,
        columns: Mapping[str, str],
        parts: Numbering | None = None,
        further: str = "",
        given: Sequence[Any] = (),
    ) -> pl.DataFrame:
        """Ask of ``parted``, the rows with gaps filled and the number of their part, and a ``further`` table."""
        shown = list(self._names)
        for i in self.filled:
            kind = self.engine.words.type(self.dtypes[i])
            shown[i] = f"COALESCE({shown[i]}, CAST(? AS {kind})) AS {shown[i]}"
        shown += [f"s{i}" for i in range(self.sensitive)]
        filled = [self.filled[i] for i in sorted(self.filled)]
        number, bounds = parts.sql(self._names) if parts is not None else ("0", [])
        whole = (
            f"whole AS (SELECT {', '.join(shown)} FROM chosen), "
            f"parted AS (SELECT whole.*, {number} AS part FROM whole){', ' + further if further else ''} {query}"
        )
        return self.engine.ask(whole, [*filled, *bounds, *given], columns)


def _size(r: Range) -> float:
    """What the bins of a range are measured with: its width, or how many characters of texts are looked at."""
    if isinstance(r.low, str):
        same = (a == b for a, b in zip(r.first, r.last, strict=False))
        return float(sum(takewhile(bool, same)) + 2)
    width = r.high - r.low
    return float(width) if math.isfinite(width) else r.high / 2 - r.low / 2


def _bin_sql(name: str, dtype: pl.DataType, r: Range, words: SplitDialect) -> str:
    """The bin of a value; no value of a higher bin is below one of a lower bin, however the sums are rounded."""
    if dtype == pl.String:
        return words.beginning.format(name, "r_size")
    width = r.high - r.low
    distance = f"({name} - r_low)"
    if dtype == pl.Int64 and width >= 1 << 62:
        # The exact one would not fit.
        distance = f"(CAST({name} AS {words.real}) - CAST(r_low AS {words.real}))"
    elif not math.isfinite(width):
        # Beside numbers this large all small ones are one. Some engines refuse half of the smallest number there is.
        distance = f"(CASE WHEN {name} > -1 AND {name} < 1 THEN 0 ELSE {name} / 2 END - r_low / 2)"
    share = words.floor.format(f"{distance} / r_size * {BINS}")
    inside = f"{words.least}({BINS - 1}, {share})" if width > 0 else "0"
    # So do they refuse a share that is too small for a number: what is tiny lies in the first bin anyway.
    tiny = f"WHEN {distance} <= r_tiny THEN 0 " if width > 0 else ""
    return f"CASE WHEN {name} < r_low THEN -1 WHEN {name} > r_high THEN {BINS} {tiny}ELSE {inside} END"
