"""What the texts of a column are: the narrowest type that all of them have, and the cast that loses nothing."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.types import Column, ColumnType, Schema
from celosia.values.text import text_of

__all__ = [
    "Cast",
    "ColumnEvidence",
    "cast_of",
    "cast_text",
    "fits_type",
    "gather_evidence",
    "is_of_type",
    "schema_of",
    "weigh",
]

_UNSIGNED = r"(?:0|[1-9][0-9]*)"
_TWO = "[0-9]{2}"
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_PATTERNS = {
    "digits": r"^-?[0-9]+$",
    "integer": r"^(?:0|-?[1-9][0-9]*)$",
    "decimal": rf"^-?{_UNSIGNED}\.[0-9]+$",
    "real": rf"^[+-]?(?:{_UNSIGNED}(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$",
    "boolean": r"^(?i:true|false)$",
    "date": rf"^{_DAY}$",
    "datetime": rf"^{_DAY}[T ]{_TWO}:{_TWO}(?::{_TWO}(?:\.[0-9]{{1,9}})?)?(?:Z|[+-]{_TWO}:?{_TWO})?$",
    "whole": r"^[+-]?[0-9]+$",  # a telephone such as +34600111222, too
}
_TIMES = ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f")
_EXACT: Mapping[str, pl.DataType] = {"int64": pl.Int64(), "float64": pl.Float64()}


Cast = pl.DataType | str
"""A type of the engine, or the format of a date with time."""


@dataclass
class ColumnEvidence:
    """What still holds for every value of a column seen so far.

    ``kinds`` are the patterns that all values match, ``casts`` the names of the casts that give every text back,
    ``scale`` the digits after the point where all values have as many (-1: they have not), ``length`` the longest.
    """

    kinds: set[str] = field(default_factory=lambda: set(_PATTERNS))
    casts: set[str] = field(default_factory=lambda: {"int64", "float64", "boolean", "date", *_TIMES})
    scale: int | None = None
    length: int = 0
    seen: bool = False

    @property
    def type(self) -> ColumnType:
        """The narrowest type of all values; text where there are none."""
        if not self.seen:
            return ColumnType.TEXT
        # 1.10 would come back from a real number as 1.1: where all values have as many decimals, they are decimals.
        if (
            "integer" not in self.kinds
            and "float64" not in self.casts
            and self.scale is not None
            and self.scale > 0
        ):
            return ColumnType.DECIMAL
        for kind in ("boolean", "integer", "real", "date", "datetime"):
            if kind in self.kinds:
                return ColumnType(kind)
        return ColumnType.TEXT

    def and_of(self, other: "ColumnEvidence") -> "ColumnEvidence":
        """What holds for the values of two parts of a column."""
        scales = {one.scale for one in (self, other) if one.seen}
        return ColumnEvidence(
            kinds=self.kinds & other.kinds,
            casts=self.casts & other.casts,
            scale=(scales.pop() if len(scales) == 1 else -1) if scales else None,
            length=max(self.length, other.length),
            seen=self.seen or other.seen,
        )


def weigh(evidence: ColumnEvidence, texts: pl.Series) -> None:
    """Narrow the evidence down by the distinct texts of some rows, none of them missing.

    >>> evidence = ColumnEvidence()
    >>> weigh(evidence, pl.Series(["1.10", "20.05"]))
    >>> evidence.type.value, cast_of(evidence, evidence.type)
    ('decimal', Decimal(precision=38, scale=2))
    """
    if not len(texts):
        return
    evidence.seen = True
    evidence.length = max(evidence.length, int(texts.str.len_chars().max() or 0))  # type: ignore[arg-type]
    for kind in sorted(evidence.kinds):
        # An integer is a real number, and digits are a whole one: both were tried before.
        if ("integer" if kind == "real" else "digits" if kind == "whole" else None) in evidence.kinds:
            continue
        if not texts.str.contains(_PATTERNS[kind]).all():
            evidence.kinds.discard(kind)
    if "date" in evidence.kinds and texts.str.to_date("%Y-%m-%d", strict=False).null_count():
        evidence.kinds.discard("date")
    _weigh_scale(evidence, texts)
    for cast in sorted(evidence.casts, reverse=True):
        if cast == "float64" and "int64" in evidence.casts and evidence.length <= 15:
            continue
        if not _survives(texts, cast):
            evidence.casts.discard(cast)


def _weigh_scale(evidence: ColumnEvidence, texts: pl.Series) -> None:
    if "decimal" not in evidence.kinds:
        evidence.scale = -1
    if evidence.scale != -1:
        scales = texts.str.len_chars() - texts.str.find(".", literal=True) - 1
        same = scales.n_unique() == 1 and evidence.scale in (None, scales[0])
        evidence.scale = int(scales[0]) if same else -1


def _survives(texts: pl.Series, cast: str) -> bool:
    """Whether the cast gives every text back; a whole number may come back from a real one with a zero."""
    values = _apply(texts, cast)
    if values.null_count():
        return False
    back = values.to_frame().select(_text_again(pl.nth(0), cast)).to_series()
    same = back == texts
    return bool((same | (back == texts + ".0")).all() if cast == "float64" else same.all())


def _apply(texts: pl.Series, cast: str) -> pl.Series:
    if cast in _EXACT:
        return texts.cast(_EXACT[cast], strict=False)
    if cast == "boolean":
        return texts.replace_strict({"true": True, "false": False}, default=None, return_dtype=pl.Boolean)
    if cast == "date":
        return texts.str.to_date("%Y-%m-%d", strict=False)
    return texts.str.to_datetime(cast, strict=False, time_unit="us")


def _text_again(values: pl.Expr, cast: str) -> pl.Expr:
    return values.dt.to_string(cast) if cast in _TIMES else values.cast(pl.String)


def cast_of(evidence: ColumnEvidence, type: ColumnType) -> Cast | None:
    """The cast that gives every text back, or None where the text must stay as it is."""
    scale = evidence.scale or 0
    casts: dict[ColumnType, list[tuple[bool, Cast]]] = {
        ColumnType.INTEGER: [
            ("int64" in evidence.casts, pl.Int64()),
            ("integer" in evidence.kinds and evidence.length <= 38, pl.Decimal(38, 0)),
        ],
        ColumnType.REAL: [("float64" in evidence.casts, pl.Float64())],
        ColumnType.DECIMAL: [(scale > 0 and evidence.length <= 38, pl.Decimal(38, max(0, scale)))],
        ColumnType.BOOLEAN: [("boolean" in evidence.casts, pl.Boolean())],
        ColumnType.DATE: [("date" in evidence.casts, pl.Date())],
        ColumnType.DATETIME: [(time in evidence.casts, time) for time in _TIMES],
    }
    return next((cast for holds, cast in casts.get(type, []) if holds), None)


def cast_text(value: pl.Expr, cast: Cast) -> pl.Expr:
    """The expression that casts texts, missing ones null, to what :func:`cast_of` found."""
    if isinstance(cast, str):
        return value.str.to_datetime(cast, time_unit="us")
    if cast == pl.Boolean:
        return value == "true"
    return value.str.to_date("%Y-%m-%d") if cast == pl.Date else value.cast(cast)


def gather_evidence(batches: Iterable[pl.DataFrame], missing: Collection[str]) -> dict[str, ColumnEvidence]:
    """The evidence on every column of a table of text, from all its rows.

    >>> found = gather_evidence([pl.DataFrame({"zip": ["007", "?"], "age": ["30", "41"]})], ("?",))
    >>> found["zip"].type.value, found["age"].type.value
    ('text', 'integer')
    """
    found: dict[str, ColumnEvidence] = {}
    markers = pl.Series(list(missing), dtype=pl.String)
    for batch in batches:
        for column in batch.iter_columns():
            # Without its name: Series would take one like '^a$' or '*' for a pattern. A layer may have left numbers.
            texts = column.alias("").unique().drop_nulls()
            if texts.dtype != pl.String:
                texts = (
                    texts.to_frame().select(text_of(pl.nth(0), texts.dtype, column=column.name)).to_series()
                )
            weigh(
                found.setdefault(column.name, ColumnEvidence()), texts.filter(~texts.is_in(markers.implode()))
            )
    return found


def _check_declared(column: Column | None, seen: ColumnEvidence) -> None:
    """Raise if not every value of a column is of the type declared for it."""
    if column is None or fits_type(column.type, seen):
        return
    raise TableError(
        say(
            "column {name!r} is declared {type}, and not all of its values are",
            name=column.name,
            type=column.type,
        ),
        where="types",
        remedy=say("declare it {type}, or name what means a missing value", type=seen.type),
    )


def fits_type(type: ColumnType, seen: ColumnEvidence) -> bool:
    """Whether every value of a column may be of a type.

    >>> evidence = ColumnEvidence()
    >>> weigh(evidence, pl.Series(["1.5"]))
    >>> fits_type(ColumnType.REAL, evidence), fits_type(ColumnType.DATE, evidence)
    (True, False)
    """
    if not seen.seen or type in (ColumnType.TEXT, ColumnType.OTHER):
        return True
    fits = {
        ColumnType.INTEGER: {"integer", "digits"},
        ColumnType.REAL: {"integer", "real", "decimal"},
        ColumnType.DECIMAL: {"integer", "decimal"},
    }.get(type, {type.value})
    return bool(fits & seen.kinds) or cast_of(seen, type) is not None


def is_of_type(type: ColumnType, texts: pl.Series) -> pl.Series:
    """Whether plain texts, each by itself, are of a type.

    >>> is_of_type(ColumnType.INTEGER, pl.Series(["7", "x"])).to_list()
    [True, False]
    """
    pattern = {
        ColumnType.INTEGER: _PATTERNS["digits"],
        ColumnType.REAL: _PATTERNS["real"],
        ColumnType.DECIMAL: rf"^-?{_UNSIGNED}(?:\.[0-9]+)?$",
    }.get(type, _PATTERNS.get(type.value, ""))
    found = texts.str.contains(pattern)
    return (
        found & texts.str.to_date("%Y-%m-%d", strict=False).is_not_null()
        if type is ColumnType.DATE
        else found
    )


def schema_of(evidence: Mapping[str, ColumnEvidence], declared: Mapping[str, Column]) -> Schema:
    """The columns with the types declared for them or else inferred; text with the length of its longest value."""
    columns = []
    for name, seen in evidence.items():
        _check_declared(declared.get(name), seen)
        length = seen.length if seen.type == ColumnType.TEXT and seen.seen else None
        columns.append(declared.get(name, Column(name, seen.type, length)))
    return Schema(tuple(columns))
