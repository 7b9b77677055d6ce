"""Dates moved by a secret number of days, the same for all dates of a person."""

from typing import ClassVar

import polars as pl
from pydantic import Field

from celosia.errors import ProjectError, TableError
from celosia.mask.digests import hmac_of
from celosia.mask.distinct import PerDistinct
from celosia.mask.keys import DEFAULT
from celosia.mask.operation import ColumnFacts, ColumnOperation, Mask, OperationSubject
from celosia.mask.repeats import per_distinct_value
from celosia.say import say

__all__ = ["ShiftDates"]

ISO = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?$"


class ShiftDates(ColumnOperation):
    """Move all dates of a person by one secret number of days: what lies between them stays, to the day.

    With an offset of -41 days, an admission on 2024-03-10 and a discharge on 2024-03-15 become 2024-01-29 and
    2024-02-03: still five days. Everybody has an offset of their own between -``days`` and ``days``, never 0, that
    follows from the key, ``days`` and the text in the ``person`` column, so that it is the same in every table and run.
    Times of day stay; in a time zone with summer time they may differ by its hour, for intervals are exact.

    Shift all dates of a person with the same ``days``: one that stays in clear, or an age beside a date of birth,
    betrays the offset and so all the others. Columns with other ``days`` are moved by an offset of their own.

    Use it for dates of care, of purchases or of visits, where durations matter and the calendar does not: seasons, days
    of the week and ages are blurred. Long histories can be recognized by their intervals alone.
    """

    name: ClassVar[str] = "shift-dates"
    reversible: ClassVar[str] = say("with the key and the original persons")
    leaks: ClassVar[str] = say(
        "the intervals between the dates of a person, times of day, and the period to within the days"
    )

    days: int = Field(default=365, ge=1, le=36500, description="the furthest that dates are moved")
    person: str | None = Field(
        default=None, description="the column that tells people apart; that of the project without one"
    )
    key: str | None = Field(default=None, description="the name of the key; the default key if there is none")

    @property
    def key_name(self) -> str | None:
        """The key it needs."""
        return self.key or DEFAULT

    @property
    def goes_by_value(self) -> bool:
        """Whether equal values become equal: no, it depends on whose the date is."""
        return False

    def describe(self) -> str:
        """Such as: moved by up to 365 days, person by person."""
        return say("moved by up to {days} days, person by person", days=self.days)

    def needs(self, subject_person: str | None = None) -> tuple[str, ...]:
        """The column that tells people apart."""
        person = self.person or subject_person
        return () if person is None else (person,)

    def weaknesses(self, facts: ColumnFacts) -> tuple[str, ...]:
        """Few offsets can all be tried."""
        if self.days >= 30:
            return ()
        return (
            say(
                "there are only {offsets} offsets: who knows one date of a person roughly knows the others",
                offsets=2 * self.days,
            ),
        )

    @property
    def looks_at_facts(self) -> bool:
        """Whether weaknesses depend on the values of the column: they do not."""
        return self.days < 30

    def start(self, subject: OperationSubject) -> Mask:
        """Move the dates of a batch."""
        person = self.person or subject.person
        if person is None:
            raise ProjectError(
                say("shift-dates does not know whose dates they are"),
                where=say("column {column!r}", column=subject.column),
                remedy=say("name the column that tells people apart: person"),
            )
        offsets = PerDistinct(per_distinct_value(self.offsets_with(subject)), location=subject.where)

        def apply(values: pl.Series, rows: pl.DataFrame) -> pl.Series:
            days = offsets(rows.get_column(person)).alias("days")
            if unknown := int((days.is_null() & values.is_not_null()).sum()):
                raise TableError(
                    say(
                        "{count} rows have a date in column {name!r} and nobody in column {person!r}",
                        count=unknown,
                        name=values.name,
                        person=person,
                    ),
                    where=subject.where,
                    remedy=say("drop or fill those rows first"),
                )
            return shift(values, days, location=subject.where)

        return apply

    def offsets_with(self, subject: OperationSubject) -> "DateOffsets":
        """The function from texts of people to their offsets."""
        return DateOffsets(subject.keys.current(self.key).derive(f"shift-dates {self.days}", 32), self.days)

    def broken(self, values: pl.Series) -> int:
        """Texts that are no dates."""
        return int((~values.str.contains(ISO)).sum()) if values.dtype == pl.String else 0


class DateOffsets:
    """From texts of people to days: not 0, every other equally likely."""

    def __init__(self, key: bytes, days: int) -> None:
        self._digest, self._days = hmac_of(key), days

    def __call__(self, people: pl.Series) -> pl.Series:
        """The offsets of people."""
        days = self._days
        # Of 256 bits, the remainder is as good as evenly spread.
        drawn = [int.from_bytes(self._digest(text)) % (2 * days) for text in people.cast(pl.Binary).to_list()]
        return pl.Series(
            [number - days if number < days else number - days + 1 for number in drawn], dtype=pl.Int32
        )


def shift(values: pl.Series, days: pl.Series, *, location: str = "") -> pl.Series:
    """Dates, dates with times or ISO texts of either, each moved by its days; texts keep their time as it is written.

    >>> shift(pl.Series(["2024-02-28 10:30", None]), pl.Series([2, 5])).to_list()
    ['2024-03-01 10:30', None]
    """
    if values.dtype == pl.Null:
        values = values.cast(pl.Date)
    frame = pl.DataFrame({"value": values.alias("value"), "days": days.alias("days")})
    value, by = pl.col("value"), pl.duration(days=pl.col("days"))
    if values.dtype == pl.Date:
        moved = (value.to_physical() + pl.col("days")).cast(pl.Date)
        shifted = frame.select(moved).to_series()
        dates = shifted
    elif isinstance(values.dtype, pl.Datetime):
        shifted = frame.select((value + by).cast(values.dtype)).to_series()
        dates = shifted.dt.date()
    elif values.dtype == pl.String:
        begun = value.str.head(10).str.to_date("%Y-%m-%d", strict=False)
        read = frame.select(pl.when(value.str.contains(ISO)).then(begun)).to_series()
        if wrong := int((read.is_null() & values.is_not_null()).sum()):
            problem = say(
                "column {name!r} holds {count} values that are no dates", name=values.name, count=wrong
            )
            raise _no_dates(problem, location)
        dates = (read.to_physical() + days).cast(pl.Date)
        shifted = dates.dt.to_string("%Y-%m-%d") + values.str.slice(10)
    else:
        problem = say(
            "column {name!r} holds {count} values of type {type}, which are no dates",
            name=values.name,
            count=max(1, len(values)),
            type=values.dtype,
        )
        raise _no_dates(problem, location)
    if outside := int((~dates.dt.year().is_between(1, 9999)).sum()):
        problem = say(
            "column {name!r} holds {count} values that would leave the calendar, before year 1 or after 9999",
            name=values.name,
            count=outside,
        )
        raise _no_dates(problem, location)
    return shifted.alias(values.name)


def _no_dates(problem: str, location: str) -> TableError:
    remedy = say("write dates as 2024-05-01, declare what means a missing value, or clean the column first")
    return TableError(problem, where=location, remedy=remedy)
