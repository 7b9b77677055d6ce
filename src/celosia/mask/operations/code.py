"""Extreme values coded together."""

from decimal import ROUND_CEILING, Decimal
from typing import ClassVar

import polars as pl
from pydantic import Field, model_validator

from celosia.mask.distinct import PerDistinct
from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.mask.values import bounds_of, each_number, texts_of
from celosia.say import say

__all__ = ["Code"]


class Code(ColumnOperation):
    """Top and bottom coding: numbers at or above ``top`` become one, and so do numbers below ``bottom``.

    With ``top: 90`` the ages 91 and 104 become 90; with ``top_label: "90+"`` they become 90+, as does 90 itself. With
    ``bottom: 18, bottom_label: "< 18"`` the ages 3 and 17 become < 18, and 18 stays. Without labels the limit takes the
    place of the value and the column stays a number. With both limits at 35 and two labels, only the side remains.

    Use it for the few who are very old, earn very much or have very many children: extremes are what people recognize.
    """

    name: ClassVar[str] = "code"
    leaks: ClassVar[str] = say("every value within the limits, and on which side of a limit the others are")

    top: Decimal | None = Field(
        default=None, max_digits=15, description="from here upwards all values are one"
    )
    top_label: str | None = Field(default=None, description="what they become; the limit itself without it")
    bottom: Decimal | None = Field(default=None, max_digits=15, description="below this all values are one")
    bottom_label: str | None = Field(
        default=None, description="what they become; the limit itself without it"
    )

    @model_validator(mode="after")
    def _fits(self) -> "Code":
        if self.top is None and self.bottom is None:
            raise ValueError(say("give top, bottom or both"))
        if (self.top is None and self.top_label is not None) or (
            self.bottom is None and self.bottom_label is not None
        ):
            raise ValueError(say("a label needs its limit"))
        if self.top is not None and self.bottom is not None and self.bottom > self.top:
            raise ValueError(say("bottom is above top"))
        return self

    def describe(self) -> str:
        """Such as: coded as '90+' from 90 upwards."""
        top, bottom = _shown(self.top, self.top_label), _shown(self.bottom, self.bottom_label)
        if self.bottom is None:
            return say("coded as {label} from {limit:f} upwards", label=top, limit=self.top)
        if self.top is None:
            return say("coded as {label} below {limit:f}", label=bottom, limit=self.bottom)
        return say(
            "coded as {top_label} from {top:f} upwards and coded as {bottom_label} below {bottom:f}",
            top_label=top,
            top=self.top,
            bottom_label=bottom,
            bottom=self.bottom,
        )

    @property
    def has_labels(self) -> bool:
        """Whether some values become texts."""
        return self.top_label is not None or self.bottom_label is not None

    @property
    def covers_all(self) -> bool:
        """Whether no value stays as it is, so that all that can come out is known."""
        return self.has_labels and self.top is not None and self.top == self.bottom

    def start(self, subject: OperationSubject) -> Mask:
        """Begin a pass; the function that it returns codes the values of a batch."""
        by_text = PerDistinct(lambda texts: self._label(texts, texts, subject.where), location=subject.where)

        def apply(values: pl.Series, _: pl.DataFrame) -> pl.Series:
            if values.dtype == pl.Null:
                values = values.cast(pl.Int64)
            if not self.has_labels and values.dtype != pl.String:
                return self._clip(values, subject.where)
            if values.dtype == pl.String or values.dtype.is_integer():
                return by_text(values)
            return self._label(values, texts_of(values, location=subject.where), subject.where)

        return apply

    def _label(self, values: pl.Series, texts: pl.Series, location: str) -> pl.Series:
        """Texts, with labels beyond the limits."""
        if self.covers_all:
            labels = [_text(self.bottom, self.bottom_label), _text(self.top, self.top_label)]
            sides = _reach(values, self.top or Decimal(), location).cast(pl.UInt8)
            return pl.Series(labels, dtype=pl.Enum([*dict.fromkeys(labels)])).gather(sides).alias(values.name)
        if self.top is not None:
            within = ~_reach(values, self.top, location)
            texts = texts.zip_with(within | values.is_null(), pl.Series([_text(self.top, self.top_label)]))
        if self.bottom is not None:
            within = _reach(values, self.bottom, location)
            texts = texts.zip_with(
                within | values.is_null(), pl.Series([_text(self.bottom, self.bottom_label)])
            )
        return texts

    def _clip(self, values: pl.Series, location: str) -> pl.Series:
        """Numbers, with the limits beyond them; of the type of the values if it holds the limits."""
        coded = values.cast(self._type_for(values.dtype)) if values.dtype.is_numeric() else values
        for limit in (self.top, self.bottom):
            if limit is None:
                continue
            reaches = _reach(values, limit, location)
            beyond = reaches if limit is self.top else ~reaches
            filler = pl.Series([limit], dtype=pl.Decimal(38, 15)).cast(coded.dtype)
            coded = coded.zip_with(~beyond | values.is_null(), filler)
        return coded

    def _type_for(self, dtype: pl.DataType) -> pl.DataType:
        limits = [limit for limit in (self.top, self.bottom) if limit is not None]
        if dtype.is_float():
            return dtype
        scale = max(_decimals(limit) for limit in limits)
        if isinstance(dtype, pl.Decimal):
            return pl.Decimal(38, max(dtype.scale, scale))
        if scale:
            return pl.Float64()
        lowest, highest = bounds_of(dtype)
        return dtype if all(lowest <= limit <= highest for limit in limits) else pl.Int64()

    def broken(self, values: pl.Series) -> int:
        """Values beyond a limit that were not coded."""
        labels = [label for label in (self.top_label, self.bottom_label) if label is not None]
        if self.covers_all and self.bottom_label is None:  # then the limit stands for what is below it
            labels.append(_text(self.bottom, None))
        texts = values.cast(pl.String)
        left = texts.filter(~texts.is_in(labels))
        numbers = left.cast(pl.Float64, strict=False)
        wrong = numbers.is_null()
        if self.top is not None:
            wrong |= numbers > float(self.top) if self.top_label is None else numbers >= float(self.top)
        if self.bottom is not None:
            wrong |= numbers < float(self.bottom)
        return int(wrong.fill_null(value=True).sum())


def _reach(values: pl.Series, limit: Decimal, location: str) -> pl.Series:
    """Whether numbers are at or above a limit; null for a missing one."""
    if values.dtype.is_decimal():
        return values >= limit

    def whole(numbers: pl.Series) -> pl.Series:
        least = int(limit.to_integral_value(rounding=ROUND_CEILING))
        lowest, highest = bounds_of(numbers.dtype)
        if least > highest:  # no such number fits the type
            return numbers.is_null().zip_with(numbers.is_not_null(), pl.Series([None], dtype=pl.Boolean))
        return numbers >= max(least, lowest)

    return each_number(values, whole, lambda numbers: numbers >= float(limit), location=location)


def _decimals(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _text(limit: Decimal | None, label: str | None) -> str:
    return label if label is not None else f"{limit:f}"


def _shown(limit: Decimal | None, label: str | None) -> str:
    return repr(label) if label is not None else "" if limit is None else f"{limit:f}"
