"""How sure an attack's success is: rates with Wilson's interval, and the risk over a control group."""

from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist

from celosia.measure.release_measure import Interval, MeasuredValue
from celosia.say import say

__all__ = ["Rate", "answer", "risk_over", "wilson"]


def wilson(successes: float, attempts: int, *, confidence: float = 0.95) -> Interval:
    """Where the chance of a success lies, by Wilson's score interval; from 0 to 1 where nothing was tried.

    ``successes`` may be a sum of chances: what lies between 0 and 1 varies no more than what is either, so the
    interval is then rather too wide.

    E. B. Wilson: Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22, 1927.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    if attempts <= 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, size = successes / attempts, z * z / attempts
    centre = (share + size / 2) / (1 + size)
    apart = z * sqrt(share * (1 - share) / attempts + size / (4 * attempts)) / (1 + size)
    return max(0.0, centre - apart) if successes else 0.0, min(1.0, centre + apart) if share < 1 else 1.0


@dataclass(frozen=True)
class Rate:
    """How often an attack succeeded.

    >>> Rate(5, 20).value
    0.25
    """

    successes: float
    attempts: int

    @property
    def value(self) -> float:
        """The share of attempts that succeeded; 0 without any."""
        return min(1.0, self.successes / self.attempts) if self.attempts else 0.0

    @property
    def interval(self) -> Interval:
        """Where the chance of a success lies."""
        return self.within(0.95)

    def within(self, confidence: float) -> Interval:
        """The interval in which the rate lies with that confidence."""
        return wilson(self.value * self.attempts, self.attempts, confidence=confidence)

    def details(self) -> dict[str, object]:
        """The rate as JSON takes it."""
        return {"rate": self.value, "interval": list(self.interval), "attempts": self.attempts}


def risk_over(attack: Rate, control: Rate, *, confidence: float = 0.95) -> tuple[float, Interval]:
    """What is learnt because of the release: (attack - control) / (1 - control), from 0 to 1, and its interval.

    It is the share of what the control group leaves to be learnt; 0 where it leaves nothing. With q = 1 - rate it is
    1 - q(attack) / q(control), and the interval of that ratio comes from the two of Wilson.

    M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnádi: A unified framework for quantifying privacy risk in synthetic
    data. PoPETs 2023(2). A. Donner, G. Y. Zou: Closed-form confidence intervals for functions of the normal mean and
    standard deviation. Statistical Methods in Medical Research 21(4), 2012.

    >>> value, (low, high) = risk_over(Rate(60, 100), Rate(20, 100))
    >>> round(value, 2), round(low, 2), round(high, 2)
    (0.5, 0.36, 0.62)
    >>> risk_over(Rate(20, 100), Rate(20, 100))[0]
    0.0
    """
    kept, kept_control = 1 - attack.value, 1 - control.value
    if kept_control <= 0:
        return 0.0, (0.0, 1.0)
    (low_one, high_one), (low_other, high_other) = (
        (1 - high, 1 - low) for low, high in (rate.within(confidence) for rate in (attack, control))
    )
    low = _ratio_end(kept, kept_control, low_one, high_other, -1)
    high = _ratio_end(kept, kept_control, high_one, low_other, 1)
    return _cut(1 - kept / kept_control), (_cut(1 - high), _cut(1 - low))


def _ratio_end(numerator: float, denominator: float, end_one: float, end_other: float, sign: int) -> float:
    """One end of the interval of a ratio, from the ends of both (MOVER)."""
    below = end_other * (2 * denominator - end_other)
    if below <= 0:
        return inf if sign > 0 else 0.0
    product = numerator * denominator
    inner = product * product - end_one * (2 * numerator - end_one) * below
    return (product + sign * sqrt(max(0.0, inner))) / below


def _cut(number: float) -> float:
    return min(1.0, max(0.0, number))


def answer(
    attack: Rate,
    naive: Rate,
    control: Rate | None,
    *,
    about: str | None = None,
    ways: int = 1,
    **details: object,
) -> MeasuredValue:
    """The risk of an attack: over its control group or, where there is none, over naive guesses.

    Of several ``ways`` one will be chosen for its success; the interval allows for that (Bonferroni).

    >>> found = answer(Rate(60, 100), Rate(10, 100), Rate(20, 100))
    >>> round(found.value, 2), found.details["over"]
    (0.5, 'control')
    """
    over = naive if control is None else control
    value, interval = risk_over(attack, over, confidence=1 - 0.05 / ways)
    said = {
        "over": "naive" if control is None else "control",
        "attack": attack.details(),
        "naive": naive.details(),
        "control": None if control is None else control.details(),
    }
    if control is None:
        said["note"] = say("no control group was given: what is learnt about everybody counts as risk too")
    elif attack.value < naive.value - 1e-9:
        said["note"] = say("the attack is no better than naive guesses, so it tells little about the risk")
    return MeasuredValue(value, interval, about, details={**said, **details})
