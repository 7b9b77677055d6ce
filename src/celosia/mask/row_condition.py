"""Rules that pick rows: conditions as people write them in SQL.

A rule looks at one row at a time, so that it picks the same rows however they come: functions of several rows are not
allowed. Where a rule can be neither true nor false, because a value is missing, the row is not picked.

A table of texts knows no types, so a column is taken for what the rule takes it for: in ``age > 90`` for a number, in
``zip = '02139'`` for a text. A text that is no number then counts as missing. Where two columns of texts are compared
with each other, the types declared or inferred for them decide. Dates are compared with ISO texts.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, product

import polars as pl
from polars.exceptions import PolarsError

from celosia.errors import ProjectError, TableError
from celosia.say import say
from celosia.types import NUMBERS, ColumnType, nearest
from celosia.values.named import named
from celosia.values.text import text_of

__all__ = ["RowCondition", "check_rule"]

_FUNCTIONS = """
    abs cast ceil ceiling coalesce concat ends_with floor greatest if ifnull least left length lower ltrim mod nullif
    regexp_like replace reverse right round rtrim sign starts_with substr trim upper"""
FUNCTIONS = frozenset(_FUNCTIONS.split())
"""What may be called: functions of one row."""

_WORDS = """
    and or not in between case when then else like ilike is as decimal numeric varchar char"""
WORDS = frozenset(_WORDS.split())
"""Words that may stand before a parenthesis without being called."""

DATE_WORDS = frozenset(["date", "timestamp", "interval", "current_date", "current_timestamp"])

TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?\*/) | (?P<text>'(?:[^']|'')*') | (?P<quoted>"(?:[^"]|"")*"|`[^`]*`)
      | (?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?) | (?P<word>[^\W\d]\w*) | (?P<sign><=|>=|<>|!=|\|\||.)""",
    re.VERBOSE | re.DOTALL,
)
COMPARISONS = frozenset(["<", ">", "<=", ">=", "=", "<>", "!="])
MOST_TRIES = 4096


@dataclass(frozen=True)
class RowCondition:
    """A condition on the columns of a row.

    >>> rule = RowCondition("age > 90 and city in ('Soria', 'Lugo')")
    >>> rule.columns
    ('age', 'city')
    >>> picks = rule.compile({"age": pl.String(), "city": pl.String()})
    >>> picks(pl.DataFrame({"age": ["91", "95", None, "100"], "city": ["Soria", "Vigo", "Lugo", "Lugo"]})).to_list()
    [True, False, False, True]
    """

    text: str

    def __post_init__(self) -> None:
        _ = self.columns

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns it looks at."""
        for name, place, remedy in self._refused():
            raise ProjectError(
                say("{name!r} is not understood in a rule", name=name),
                where=say("{rule}, character {number}", rule=self._place, number=place + 1),
                remedy=remedy,
            )
        try:
            names = pl.sql_expr(self.text).meta.root_names()
        except PolarsError as error:
            raise self._malformed(error) from None
        if not names:
            raise ProjectError(
                say("it looks at no column"), where=self._place, remedy=say("write one as: age > 90")
            )
        return tuple(dict.fromkeys(names))

    def compile(
        self,
        dtypes: Mapping[str, pl.DataType],
        type_of: Callable[[str], ColumnType] | None = None,
    ) -> Callable[[pl.DataFrame], pl.Series]:
        """A function that tells the rows it picks; ``type_of`` is asked where texts are compared with each other."""
        for name in self.columns:
            if name not in dtypes:
                raise ProjectError(
                    say("column {name!r} does not exist", name=name),
                    where=self._place,
                    remedy=nearest(name, tuple(dtypes)),
                )
        condition = pl.sql_expr(self.text).fill_null(value=False).alias("picked")
        failed: Exception | None = None
        ways = product(*(list(self._ways(name, dtypes, type_of)) for name in self.columns))
        for way in islice(ways, MOST_TRIES):
            empty = pl.DataFrame(schema={name: dtypes[name] for name in self.columns})
            try:
                result = empty.select(way).select(pl.sql_expr(self.text)).to_series()
            except PolarsError as error:
                failed = failed or error
                continue
            if result.dtype != pl.Boolean:
                raise ProjectError(
                    say("it is a value, not a condition"),
                    where=self._place,
                    remedy=say("compare it: age > 90"),
                )
            return partial(self._pick, way, condition)
        raise ProjectError(
            say("it does not fit the types of its columns ({reason})", reason=_first_line(failed)),
            where=self._place,
            remedy=say("texts and dates stand between quotes, numbers do not: age > 90, city = 'Soria'"),
        )

    def start(
        self, type_of: Callable[[str], ColumnType] | None = None
    ) -> Callable[[pl.DataFrame], pl.Series]:
        """A function that tells the rows of batches it picks, compiled when the first comes; types are asked now."""
        known = {} if type_of is None else self._types_of_compared(type_of)
        compiled: dict[tuple[pl.DataType, ...], Callable[[pl.DataFrame], pl.Series]] = {}

        def pick(rows: pl.DataFrame) -> pl.Series:
            dtypes = tuple(rows.schema.get(name, pl.Null()) for name in self.columns)
            if dtypes not in compiled:
                compiled[dtypes] = self.compile(rows.schema, lambda name: known.get(name, ColumnType.TEXT))
            return compiled[dtypes](rows)

        return pick

    def _types_of_compared(self, type_of: Callable[[str], ColumnType]) -> dict[str, ColumnType]:
        """What columns that are compared with each other are; nothing of those that do not exist."""
        types = {}
        for name in self._compared:
            with suppress(KeyError):
                types[name] = type_of(name)
        return types

    def _pick(self, way: tuple[pl.Expr, ...], condition: pl.Expr, frame: pl.DataFrame) -> pl.Series:
        try:
            return frame.select(way).select(condition).to_series()
        except PolarsError:  # its message shows values
            raise TableError(
                say("it cannot be worked out for every row"),
                where=self._place,
                remedy=say(
                    "leave out the cast: texts are taken for numbers where they are compared with numbers"
                ),
            ) from None

    def _ways(
        self,
        name: str,
        dtypes: Mapping[str, pl.DataType],
        type_of: Callable[[str], ColumnType] | None,
    ) -> Iterator[pl.Expr]:
        """What the values of a column may be taken for, the likeliest first."""
        value, dtype = named(name), dtypes[name]
        if dtype in (pl.Enum, pl.Categorical):
            yield value.cast(pl.String)
            return
        number = value.str.strip_chars().cast(pl.Float64, strict=False).fill_nan(None)
        if dtype == pl.String:
            if type_of is not None and name in self._compared and type_of(name) in NUMBERS:
                yield number
            yield value
            yield number
            yield value.replace_strict({"true": True, "false": False}, default=None, return_dtype=pl.Boolean)
            return
        yield value.fill_nan(None) if dtype.is_float() else value
        if dtype.is_temporal():
            yield text_of(value, dtype)

    @property
    def _place(self) -> str:
        return say("rule {text!r}", text=self.text)

    @property
    def _tokens(self) -> list[tuple[str, str, int]]:
        tokens = [(str(m.lastgroup), m.group(), m.start()) for m in TOKEN.finditer(self.text)]
        return [token for token in tokens if token[0] != "space"]

    def _refused(self) -> Iterator[tuple[str, int, str]]:
        """Words that would look at several rows or at the clock, where they stand, and what to write instead."""
        tokens = self._tokens
        for (kind, name, place), after in zip(tokens, [*tokens[1:], ("", "", 0)], strict=False):
            word = name.lower()
            if name == ";":
                yield name, place, say("a rule is one condition")
            if kind != "word":
                continue
            if word in DATE_WORDS and (after[0] == "text" or word.startswith("current_")):
                yield name, place, say("write dates as texts: born < '1990-05-01'")
            elif word in ("select", "over") or (after[1] == "(" and word not in WORDS | FUNCTIONS):
                yield (
                    name,
                    place,
                    say("functions of one row are: {names}", names=", ".join(sorted(FUNCTIONS))),
                )

    @cached_property
    def _compared(self) -> frozenset[str]:
        """Columns that are compared with another column."""
        tokens, compared = self._tokens, set()
        for left, sign, right in zip(tokens, tokens[1:], tokens[2:], strict=False):
            both = {left[1].strip('"`'), right[1].strip('"`')}
            if sign[1] in COMPARISONS and both <= set(self.columns) and "text" not in (left[0], right[0]):
                compared |= both
        return frozenset(compared)

    def _malformed(self, error: Exception) -> ProjectError:
        return ProjectError(
            say("it cannot be read ({reason})", reason=_first_line(error)),
            where=self._place,
            remedy=say("write a condition as in SQL: age > 90 and city in ('Soria', 'Lugo')"),
        )


def check_rule(text: str) -> str:
    """The text of a rule, if it can be read; what is wrong with it as a ValueError, for the field that holds it."""
    try:
        RowCondition(text)
    except ProjectError as error:
        raise ValueError(error.text) from None
    return text


def _first_line(error: Exception | None) -> str:
    return str(error).strip().splitlines()[0] if error is not None else say("unknown")
