"""Numbers rounded."""

from decimal import Decimal
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.errors import TableError
from celosia.mask.distinct import PerDistinct
from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.mask.values import bounds_of, each_number
from celosia.say import say

__all__ = ["Round"]

LARGEST = 2**63 - 1
"""Of 64 bits with a sign, which integers become unless their own type holds more."""


class Round(ColumnOperation):
    """Round numbers to a multiple of a step: with step 10, 23 becomes 20 and 25 becomes 30.

    Halves go away from zero: -25 becomes -30. The type stays, so sums and means can still be taken; integers stay
    integers when the step is one, decimals stay exact. Use it where the exact figure would tell somebody apart but its
    size does not.
    """

    name: ClassVar[str] = "round"
    leaks: ClassVar[str] = say("the size of every value: extremes can still be recognized")

    to: Decimal = Field(gt=0, max_digits=15, description="the step: 10, 0.5, 1000")

    def describe(self) -> str:
        """Such as: rounded to 10."""
        return say("rounded to {to:f}", to=self.to)

    def start(self, subject: OperationSubject) -> Mask:
        """Begin a pass; the function that it returns rounds the values of a batch."""
        by_text = PerDistinct(
            lambda texts: self.rounded(texts, location=subject.where), location=subject.where
        )

        def apply(values: pl.Series, _: pl.DataFrame) -> pl.Series:
            return (
                by_text(values) if values.dtype == pl.String else self.rounded(values, location=subject.where)
            )

        return apply

    def rounded(self, values: pl.Series, *, location: str = "") -> pl.Series:
        """Numbers as multiples of the step.

        >>> Round(to=10).rounded(pl.Series([23, 25, -25, None])).to_list()
        [20, 30, -30, None]
        >>> Round(to=Decimal("0.1")).rounded(pl.Series(["0.15", "2"])).to_list()
        [0.2, 2.0]
        """
        if values.dtype.is_decimal():
            return self._round_decimals(values)
        is_text = values.dtype == pl.String

        def real(numbers: pl.Series) -> pl.Series:
            rounded = self._round_reals(numbers)
            return _to_integers(rounded, location) if is_text and self._is_whole else rounded

        def whole(numbers: pl.Series) -> pl.Series:
            if not self._is_whole:
                return self._round_reals(numbers.cast(pl.Float64))
            return _round_integers(numbers, int(self.to), location)

        return each_number(values, whole, real, location=location)

    @property
    def _is_whole(self) -> bool:
        return self.to == self.to.to_integral_value()

    def _round_reals(self, numbers: pl.Series) -> pl.Series:
        """Reals, taken for the decimals that they are written as: 0.15 is half-way between 0.1 and 0.2."""
        over, under = (float(part) for part in self.to.as_integer_ratio())
        reals = numbers.cast(pl.Float64).to_numpy()
        sizes = np.abs(reals)
        with np.errstate(invalid="ignore", over="ignore"):
            steps = np.floor(sizes * (under / over))
            # The half-way point as the nearest real there is: comparing quotients would miss it by a rounding.
            steps += sizes >= (2 * steps + 1) * over / (2 * under)
            rounded = np.copysign(steps * over / under, reals) + 0.0
        return pl.Series(numbers.name, rounded, nan_to_null=True).cast(
            numbers.dtype if numbers.dtype.is_float() else pl.Float64
        )

    def _round_decimals(self, values: pl.Series) -> pl.Series:
        exponent = self.to.as_tuple().exponent
        scale = max(_scale_of(values.dtype), -exponent if isinstance(exponent, int) else 0)
        step = int(self.to.scaleb(scale))
        units = _round_units(values.cast(pl.Decimal(38, scale)).to_physical(), step)
        # Written with their scale, numbers of units are exact, whatever the precision of decimals is set to.
        exact = PerDistinct(lambda texts: _decimals(texts, scale))
        return exact(units.alias(values.name))

    def broken(self, values: pl.Series) -> int:
        """Numbers that are no multiples of the step, and texts that are no numbers."""
        if values.dtype.is_integer() and self._is_whole:
            return int((values % int(self.to) != 0).sum())
        numbers = values.cast(pl.Float64, strict=False)
        steps = numbers / float(self.to)
        # As much as the roundings of two divisions can make.
        tolerated = 1e-15 * (steps.abs() + 1)
        return int(((steps - steps.round()).abs() > tolerated).sum()) + numbers.null_count()


def _round_integers(numbers: pl.Series, step: int, location: str) -> pl.Series:
    """Integers of 64 bits, unless their own type holds more: the smaller ones may have no room for the result."""
    _, most = bounds_of(numbers.dtype)
    if most <= LARGEST:
        numbers, most = numbers.cast(pl.Int64), LARGEST
    if _largest(numbers) > most - step:
        raise TableError(
            say(
                "column {name!r} holds numbers too large to be rounded to {step}",
                name=numbers.name,
                step=step,
            ),
            where=location,
            remedy=say("suppress them first, or choose a smaller step"),
        )
    return _round_units(numbers, step).cast(numbers.dtype)


def _round_units(numbers: pl.Series, step: int) -> pl.Series:
    if _largest(numbers) <= LARGEST - step:
        value = pl.nth(0)
        rounded = (value.abs() + step // 2) // step * step * value.sign()
        whole = numbers.cast(pl.Int64).alias("").to_frame()
        return whole.select(rounded).to_series().alias(numbers.name)
    # So large that no version of the engine can be relied on.
    units = [
        None if number is None else (1 if number > 0 else -1) * ((abs(number) + step // 2) // step * step)
        for number in numbers.to_list()
    ]
    return pl.Series(numbers.name, units, dtype=numbers.dtype)


def _largest(numbers: pl.Series) -> int:
    ends = [end for end in (numbers.min(), numbers.max()) if isinstance(end, int)]
    return max((abs(end) for end in ends), default=0)


def _decimals(units: pl.Series, scale: int) -> pl.Series:
    return pl.Series([Decimal(f"{unit}E-{scale}") for unit in units.to_list()], dtype=pl.Decimal(38, scale))


def _to_integers(reals: pl.Series, location: str) -> pl.Series:
    """Reals that are whole as integers; texts give the same type whatever is in their batch."""
    integers = reals.cast(pl.Int64, strict=False)
    if integers.null_count() > reals.null_count():
        raise TableError(
            say("column {name!r} holds numbers too large to be rounded to whole ones", name=reals.name),
            where=location,
            remedy=say("suppress them first"),
        )
    return integers


def _scale_of(dtype: pl.DataType) -> int:
    return dtype.scale if isinstance(dtype, pl.Decimal) else 0
