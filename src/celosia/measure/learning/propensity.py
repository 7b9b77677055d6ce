"""The propensity score: how well a model tells rows of the release from rows of the original."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
import numpy.typing as npt

from celosia.measure.learning.features import FeatureKind, Preparation
from celosia.measure.learning.model import check_installed
from celosia.measure.learning.people import MOST_ROWS, read_people
from celosia.measure.learning.problem import column_matrix, features_of
from celosia.measure.release_measure import (
    MeasureCost,
    MeasuredValue,
    MeasureFamily,
    NotMeasurableError,
    ReleaseMeasure,
)
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES", "Propensity", "propensity", "propensity_of"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Propensity:
    """``pmse``: the mean squared difference of the scores from the share of released rows; 0 if nobody can tell.

    ``expected`` is what a table drawn at random from the original would have, and ``deviation`` its standard deviation;
    ``parameters`` are those of the model beside the intercept, ``share`` is that of released rows.
    """

    pmse: float
    expected: float
    deviation: float
    parameters: int
    share: float

    @property
    def ratio(self) -> float:
        """How many times as large as expected."""
        return self.pmse / self.expected


def propensity(subject: MeasureSubject) -> Propensity:
    """The propensity score of a release, by logistic regression.

    On columns as models see them, without the widths of intervals (every generalized row would be told by its width),
    with the squares and products of numbers. Expectation and deviation hold for this model, fitted by maximum
    likelihood, and for rows drawn from the original's distribution: a release whose rows are those of the original
    themselves lies below. (Of two tables that are independent of each other, it would be twice as much.)

    M.-J. Woo, J. Reiter, A. Oganian, A. Karr: Global measures of data utility for microdata masked for disclosure
    limitation. Journal of Privacy and Confidentiality 1(1), 2009. J. Snoke, G. Raab, B. Nowok, C. Dibben, A. Slavkovic:
    General and specific utility measures for synthetic data. Journal of the Royal Statistical Society A 181(3), 2018.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [31, 32, 47, 50] * 5})
    >>> propensity(MeasureSubject.of(people, people)).pmse < 1e-9
    True
    """
    return subject.once("propensity", lambda: _propensity(subject))


def propensity_of(features: Floats, is_released: npt.NDArray[np.bool_], rows: Floats) -> Propensity:
    """The propensity score of ``features[combination, feature]`` without unknown values."""
    from sklearn.linear_model import LogisticRegression

    total = rows.sum()
    share = float(rows[is_released].sum() / total)
    centered = (features - rows @ features / total) * np.sqrt(rows / total)[:, None]
    # Shares of categories add up to 1, so that some columns say nothing new: parameters are as many as the rank.
    spread = np.linalg.eigvalsh(centered.T @ centered)
    parameters = int(np.sum(spread > 1e-9 * max(float(spread.max(initial=0.0)), 1e-12)))
    if not parameters:
        raise NotMeasurableError(say("all rows of both tables are the same"))
    # A penalty that no row feels keeps weights finite where a value is in one table only.
    model = LogisticRegression(C=1e4, max_iter=2_000, tol=1e-3)
    scores = model.fit(features, is_released, sample_weight=rows).predict_proba(features)[:, 1]
    pmse = float(rows @ (scores - share) ** 2 / total)
    unit = (1 - share) ** 2 * share / total
    return Propensity(pmse, parameters * unit, sqrt(2 * parameters) * unit, parameters, share)


def _propensity(subject: MeasureSubject) -> Propensity:
    check_installed()
    columns = subject.shared_columns
    if not columns:
        raise NotMeasurableError(say("release and original have no column in common"))
    counted = (subject.original_counts(*columns), subject.counts(*columns))
    if not all(counts.rows for counts in counted):
        raise NotMeasurableError(say("a table without rows cannot be told from another"))
    features = [features_of(subject, name) for name in columns]
    kinds = np.array([kind for column in features for kind in column.kinds])
    parts, rows = [], []
    for is_released, counts in enumerate(counted):
        people = read_people(counts, seed=subject.seed)
        times = np.bincount(people.combinations, minlength=len(counts))
        matrix = [column_matrix(people, column, released=bool(is_released)) for column in features]
        parts.append(np.column_stack(matrix)[times > 0])
        rows.append(times[times > 0].astype(np.float64))
    both = np.concatenate(parts)[:, kinds != FeatureKind.WIDTH]
    often: Floats = np.concatenate(rows)
    kept = tuple(FeatureKind(kind) for kind in kinds[kinds != FeatureKind.WIDTH])
    prepared = Preparation.of(both, often, kept, scale=True).apply(both)
    numbers = prepared[:, [kind is FeatureKind.NUMBER for kind in kept]]
    lefts, rights = np.triu_indices(numbers.shape[1])
    products = numbers[:, lefts] * numbers[:, rights]
    squared = (FeatureKind.NUMBER,) * products.shape[1]
    products = Preparation.of(products, often, squared, scale=True).apply(products)
    is_released_row = np.repeat([False, True], [len(part) for part in parts])
    return propensity_of(np.column_stack((prepared, products)), is_released_row, often)


def _score(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    result = propensity(subject)
    details = {
        "expected": result.expected,
        "deviation": result.deviation,
        "ratio": result.ratio,
        "standardized": (result.pmse - result.expected) / result.deviation,
        "parameters": result.parameters,
        "most_rows": MOST_ROWS,
    }
    yield MeasuredValue(result.pmse, details=details)


def _ratio(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    result = propensity(subject)
    yield MeasuredValue(result.ratio, details={"pmse": result.pmse, "expected": result.expected})


MEASURES = (
    ReleaseMeasure(
        name="propensity",
        family=MeasureFamily.UTILITY,
        meaning=say("pMSE: how well a model tells released rows from original ones; 0 if it cannot"),
        reference="Woo et al., Global measures of data utility, Journal of Privacy and Confidentiality 1(1), 2009",
        better="lower",
        high=0.25,
        cost=MeasureCost.MODELS,
        compute=_score,
    ),
    ReleaseMeasure(
        name="propensity-ratio",
        family=MeasureFamily.UTILITY,
        meaning=say("pMSE over what a table drawn at random from the original would have"),
        reference="Snoke et al., General and specific utility measures for synthetic data, JRSS A 181(3), 2018",
        better="lower",
        high=inf,
        cost=MeasureCost.MODELS,
        compute=_ratio,
    ),
)
