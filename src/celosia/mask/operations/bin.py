"""Numbers in intervals."""

from decimal import Decimal
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from celosia.errors import TableError
from celosia.mask.distinct import PerDistinct
from celosia.mask.intervals import CutIntervals, EqualIntervals, Intervals, first_number
from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.mask.values import each_number
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["Bin"]


class Bin(ColumnOperation):
    """Put numbers into intervals: with width 10, 23 becomes [20-29]; with cuts 18 and 65, 70 becomes ≥ 65.

    Intervals of whole numbers show both ends, [20-29]; those of other numbers are half open, [20.0, 30.0[. One begins
    at ``origin`` and they go on in both directions; with ``cuts`` the two at the ends are open, < 18 and ≥ 65.
    Instead of a label, ``label`` can ask for the lower bound or the midpoint, and the column stays a number; with
    ``cuts`` this is refused for numbers beyond the outermost.

    Use it where a range of values says enough. Unlike a recoding with a privacy model it does not look at how many
    people are in an interval: few may be in those at the ends.
    """

    name: ClassVar[str] = "bin"
    leaks: ClassVar[str] = say("the interval of every value, and who is alone in one")

    width: Decimal | None = Field(default=None, gt=0, max_digits=15, description="how wide intervals are")
    origin: Decimal = Field(default=Decimal(0), max_digits=15, description="where one of them begins")
    cuts: tuple[Decimal, ...] | None = Field(
        default=None, min_length=1, description="where intervals begin, instead of a width: [18, 65]"
    )
    label: Literal["interval", "lower", "midpoint"] = Field(
        default="interval", description="what a number becomes: interval, lower (bound) or midpoint"
    )

    @model_validator(mode="after")
    def _one_kind(self) -> "Bin":
        if (self.width is None) == (self.cuts is None):
            raise ValueError(say("give either width or cuts"))
        if self.cuts is not None and any(low >= high for low, high in pairwise(self.cuts)):
            raise ValueError(say("cuts must rise"))
        if self.cuts is not None and self.label != "interval" and len(self.cuts) < 2:
            raise ValueError(say("numbers instead of labels take two cuts at least"))
        return self

    def describe(self) -> str:
        """Such as: in intervals of 10."""
        if self.cuts is None:
            return self._describe_width()
        cuts = ", ".join(f"{cut:f}" for cut in self.cuts)
        match self.label:
            case "lower":
                return say("in intervals cut at {cuts}, by their lower bound", cuts=cuts)
            case "midpoint":
                return say("in intervals cut at {cuts}, by their midpoint", cuts=cuts)
            case "interval":
                return say("in intervals cut at {cuts}", cuts=cuts)

    def _describe_width(self) -> str:
        match self.label:
            case "lower":
                return say("in intervals of {width:f}, by their lower bound", width=self.width)
            case "midpoint":
                return say("in intervals of {width:f}, by their midpoint", width=self.width)
            case "interval":
                return say("in intervals of {width:f}", width=self.width)

    def intervals(self) -> Intervals:
        """The intervals: equally wide, or between cuts."""
        if self.cuts is not None:
            return CutIntervals(self.cuts)
        return EqualIntervals(self.width or Decimal(1), self.origin)

    def start(self, subject: OperationSubject) -> Mask:
        """Put a batch into intervals."""
        intervals = self.intervals()
        # Asked here and not when a batch comes: finding it out may take a pass over the table, and that is not for a
        # thread which another pass is waiting for.
        texts_are_whole = subject.dtype == pl.String and subject.type is ColumnType.INTEGER

        def are_whole(values: pl.Series) -> bool:
            return values.dtype.is_integer() or (values.dtype == pl.String and texts_are_whole)

        def put(values: pl.Series) -> pl.Series:
            places = each_number(
                values, intervals.places_of_integers, intervals.places_of_reals, location=subject.where
            )
            if places.null_count() > values.null_count():
                raise TableError(
                    say(
                        "column {name!r} holds numbers that are in no interval: infinite or too large",
                        name=values.name,
                    ),
                    where=subject.where,
                    remedy=say("code or suppress them first, or choose wider intervals"),
                )
            return self._show(places, intervals, are_whole(values), subject.where).alias(values.name)

        by_text = PerDistinct(put, location=subject.where)
        return lambda values, _: by_text(values) if values.dtype == pl.String else put(values)

    def _show(self, places: pl.Series, intervals: Intervals, whole: bool, location: str) -> pl.Series:
        if self.label == "interval":
            return intervals.labels(places, whole=whole)
        if intervals.are_open(places):
            raise TableError(
                say(
                    "column {name!r} holds numbers beyond the cuts, which have no lower bound",
                    name=places.name,
                )
                if self.label == "lower"
                else say(
                    "column {name!r} holds numbers beyond the cuts, which have no midpoint", name=places.name
                ),
                where=location,
                remedy=say("add a cut below and above all of them, or ask for intervals"),
            )
        return intervals.lowers(places) if self.label == "lower" else intervals.midpoints(places, whole=whole)

    def broken(self, values: pl.Series) -> int:
        """Labels or numbers that are those of no interval."""
        counted = values.alias("value").cast(pl.String).value_counts()
        fits = [self._is_shown(text) for text in counted["value"].to_list()]
        return int(counted["count"].filter(~np.array(fits, dtype=bool)).sum())

    def _is_shown(self, text: str) -> bool:
        """Whether the interval that a text speaks of would be shown as this text, found from its first number."""
        intervals = self.intervals()
        number = first_number(text)
        if number is None:
            return False
        numbers = pl.Series([float(number)])
        places = intervals.places_of_reals(numbers)
        if places.null_count():
            return False
        if self.label != "interval":
            shown = [self._show(places, intervals, whole, "").cast(pl.String)[0] for whole in (True, False)]
            return float(text) in [float(number) for number in shown]
        return text in [intervals.labels(places, whole=whole)[0] for whole in (True, False)]
