"""What a class gives away about one sensitive value: how frequent it is there, and how much more than elsewhere."""

from math import inf

import numpy as np

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, ReleaseMeasure
from celosia.measure.risk.shares import by_column, shares_of
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES"]


def _alpha(subject: MeasureSubject, column: str) -> MeasuredValue:
    shares = shares_of(subject, column)
    worst = int(np.argmax(shares.here))
    return MeasuredValue(float(shares.here[worst]), details=shares.shown(worst))


def _beta(subject: MeasureSubject, column: str) -> MeasuredValue:
    """A value that a class lacks only became less likely there, which the definition allows."""
    shares = shares_of(subject, column)
    gains = shares.here / shares.whole - 1.0
    worst = int(np.argmax(gains))
    # Enhanced likeness asks besides that no gain exceeds -log of the share in the whole.
    is_enhanced = bool(np.all(gains <= -np.log(shares.whole) + 1e-9))
    return MeasuredValue(
        max(0.0, float(gains[worst])), details=shares.shown(worst) | {"is_enhanced": is_enhanced}
    )


def _delta(subject: MeasureSubject, column: str) -> MeasuredValue:
    """As published, a class that lacks a value has an infinite delta; told here is that of the values that it has."""
    shares = shares_of(subject, column)
    logarithms = np.abs(np.log(shares.here / shares.whole))
    worst = int(np.argmax(logarithms))
    lacking = int(np.count_nonzero(shares.distinct < shares.distinct_in_whole))
    return MeasuredValue(
        float(logarithms[worst]), details=shares.shown(worst) | {"classes_lacking_a_value": lacking}
    )


def _skewness(subject: MeasureSubject, column: str) -> MeasuredValue:
    shares = shares_of(subject, column)
    shifts = shares.here - shares.whole
    worst = int(np.argmax(shifts))
    return MeasuredValue(max(0.0, float(shifts[worst])), details=shares.shown(worst))


def _homogeneity(subject: MeasureSubject, column: str) -> MeasuredValue:
    shares = shares_of(subject, column)
    alike = shares.distinct == 1
    rows = int(shares.sizes[alike].sum())
    details = {"rows": rows, "classes": int(np.count_nonzero(alike))}
    return MeasuredValue(rows / int(shares.sizes.sum()), details=details)


MEASURES = (
    ReleaseMeasure(
        name="alpha",
        family=MeasureFamily.RISK,
        meaning=say("largest share of one sensitive value in a class"),
        reference="Wong et al., (alpha, k)-anonymity, KDD 2006",
        better="lower",
        compute=by_column(_alpha),
    ),
    ReleaseMeasure(
        name="beta-likeness",
        family=MeasureFamily.RISK,
        meaning=say(
            "largest relative gain of a sensitive value's share in a class over its share in the whole"
        ),
        reference="Cao and Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012",
        better="lower",
        high=inf,
        compute=by_column(_beta),
    ),
    ReleaseMeasure(
        name="delta-disclosure",
        family=MeasureFamily.RISK,
        meaning=say(
            "largest logarithm, up or down, of a value's share in a class over its share in the whole"
        ),
        reference="Brickell and Shmatikov, The cost of privacy, KDD 2008",
        better="lower",
        high=inf,
        compute=by_column(_delta),
    ),
    ReleaseMeasure(
        name="skewness",
        family=MeasureFamily.RISK,
        meaning=say("largest rise of a sensitive value's share from the whole release to a class"),
        reference="Li, Li and Venkatasubramanian, t-closeness, ICDE 2007, section 3",
        better="lower",
        compute=by_column(_skewness),
    ),
    ReleaseMeasure(
        name="homogeneity",
        family=MeasureFamily.RISK,
        meaning=say("share of the rows in classes where the sensitive column has one value"),
        reference="Machanavajjhala et al., l-diversity: privacy beyond k-anonymity, TKDD 1(1), 2007, section 2",
        better="lower",
        compute=by_column(_homogeneity),
    ),
)
