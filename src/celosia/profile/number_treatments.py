"""Treatments of numbers, tried on how many rows have each: extremes coded, rounded, put into intervals."""

from collections.abc import Iterator
from decimal import Decimal
from math import floor, log10

import numpy as np

from celosia.profile.cuts import round_cuts
from celosia.profile.treatment import Integers, Reals, Treatment, chance_alike
from celosia.say import Text, say
from celosia.tables.group_sizes import GroupSizes

__all__ = ["number_treatments", "round_steps"]

MOST_CODED = 0.05
"""The share of rows whose extreme values may become one."""
INTERVALS = (16, 8, 4)
"""As many intervals as are tried."""
MOST_FEW = 2
"""With fewer cuts a column says hardly anything."""
LARGEST = 1e15
"""Numbers beyond this have no digits left to round."""


def number_treatments(
    numbers: Reals, counts: Integers, *, missing: int, k: int, finest: float = 0.0
) -> Iterator[Treatment]:
    """Roundings of numbers that so many rows have each, from the ``finest`` step on, and then intervals."""
    if len(numbers) < 2 or not np.isfinite(numbers).all() or np.abs(numbers).max() > LARGEST:
        return
    left = np.array([missing] if missing else [], np.int64)
    if not finest:
        yield from _extremes(numbers, counts, left, k)
    for step in _steps(numbers, finest):
        places = _rounded(numbers, step)
        multiples, inverse = np.unique(places, return_inverse=True)
        groups = np.bincount(inverse, weights=counts).astype(np.int64)
        sizes = GroupSizes.of_counts(np.concatenate([groups, left]), k)
        described = say("rounded to {to:f}", to=step)
        yield Treatment(f"round:to={step:f}", described, sizes.alone, sizes.small, chance_alike(groups))
        coded = _coded(multiples, groups, k)
        if coded is not None:
            limits = [None if place is None else (step * place).normalize() for place in coded]
            # Those beyond the limits are few, so that the chance is as good as that of rounding.
            yield _round_and_code(step, (limits[0], limits[1]), left, k, chance_alike(groups))
    yield from _intervals(numbers, counts, left, k, finest)


def _extremes(numbers: Reals, counts: Integers, missing: Integers, k: int) -> Iterator[Treatment]:
    """Numbers as they are, but for the few at the ends."""
    order = np.argsort(numbers)
    groups = counts[order].astype(np.int64)
    limits = _coded(np.arange(len(groups), dtype=np.float64), groups, k)
    if limits is None:
        return
    texts = [None if place is None else _plain(float(numbers[order][place])) for place in limits]
    yield _round_and_code(None, (texts[0], texts[1]), missing, k, chance_alike(groups))


def _plain(number: float) -> Decimal:
    return Decimal(f"{Decimal(str(number)).normalize():f}")


def _intervals(
    numbers: Reals, counts: Integers, missing: Integers, k: int, finest: float
) -> Iterator[Treatment]:
    """As many intervals as hold k rows each, between round numbers that lie where the rows do."""
    for wanted in INTERVALS:
        cuts = round_cuts(numbers, counts, wanted=wanted, k=k, finest=finest)
        if len(cuts) < MOST_FEW:
            continue
        groups = np.bincount(
            np.searchsorted([float(cut) for cut in cuts], numbers, side="right"), counts
        ).astype(np.int64)
        sizes = GroupSizes.of_counts(np.concatenate([groups[groups > 0], missing]), k)
        text = ", ".join(f"{cut:f}" for cut in cuts)
        described = say("in intervals cut at {cuts}", cuts=text)
        yield Treatment(f"bin:cuts=[{text}]", described, sizes.alone, sizes.small, chance_alike(groups))


def _rounded(numbers: Reals, step: Decimal) -> Reals:
    """The multiples of the step that numbers become: halves go away from zero, and are halves as they are written."""
    over, under = (float(part) for part in step.as_integer_ratio())
    sizes = np.abs(numbers)
    places = np.floor(sizes * (under / over))
    places += sizes >= (2 * places + 1) * over / (2 * under)
    return np.sign(numbers) * places


def _round_and_code(
    step: Decimal | None,
    limits: tuple[Decimal | None, Decimal | None],
    missing: Integers,
    k: int,
    alike: float,
) -> Treatment:
    """Rounded where there is a step, and with what lies beyond the limits as one."""
    bottom, top = limits
    named = {"bottom": bottom, "top": top}
    parameters = ",".join(f"{name}={limit:f}" for name, limit in named.items() if limit is not None)
    coded = _describe_code(bottom, top)
    described = coded if step is None else say("rounded to {to:f} and {coded}", to=step, coded=coded)
    rounded = "" if step is None else f"round:to={step:f}+"
    left = GroupSizes.of_counts(missing, k)
    return Treatment(f"{rounded}code:{parameters}", described, left.alone, left.small, alike)


def _describe_code(bottom: Decimal | None, top: Decimal | None) -> Text:
    if bottom is None:
        return say("coded as {limit:f} from there upwards", limit=top or Decimal(0))
    if top is None:
        return say("coded as {limit:f} below that", limit=bottom)
    return say("coded as {bottom:f} below that and as {top:f} from there upwards", bottom=bottom, top=top)


def _steps(numbers: Reals, least: float = 0.0) -> Iterator[Decimal]:
    """From the finest difference that matters up to the range of the numbers."""
    width = float(numbers.max() - numbers.min())
    finest = max(width / 1e6, float(np.diff(np.unique(numbers)).min(initial=width)), least)
    return round_steps(width, finest)


def round_steps(width: float, finest: float) -> Iterator[Decimal]:
    """1, 2 and 5 times powers of ten, greater than the finest difference and up to the width.

    >>> [str(step) for step in round_steps(60, 3)]
    ['5', '10', '20', '50']
    """
    if not width or not finest:
        return
    for power in range(floor(log10(finest)), floor(log10(width)) + 1):
        for digit in (1, 2, 5):
            step = Decimal(digit).scaleb(power)
            if finest < step <= width:
                yield Decimal(f"{step:f}")


def _coded(multiples: Reals, groups: Integers, k: int) -> tuple[int | None, int | None] | None:
    """Limits, as multiples of the step, beyond which extremes become one so that all groups have k rows.

    None where groups between the limits are too small, or too many rows would be beyond them.
    """
    if (groups >= k).all():
        return None
    is_large = groups >= k
    middle = int(groups.argmax())
    if not is_large[middle]:
        return None
    below = np.flatnonzero(~is_large[:middle])
    above = np.flatnonzero(~is_large[middle:])
    low = int(below[-1]) + 1 if len(below) else 0
    high = middle + int(above[0]) - 1 if len(above) else len(groups) - 1
    beyond = int(groups[:low].sum() + groups[high + 1 :].sum())
    if beyond > MOST_CODED * int(groups.sum()) or low == high:
        return None
    return int(multiples[low]) if low else None, int(multiples[high]) if high < len(groups) - 1 else None
