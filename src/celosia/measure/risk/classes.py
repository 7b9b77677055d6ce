"""The risk that the sizes of the classes tell: how easily a person is singled out by her quasi-identifiers.

Whoever knows the quasi-identifiers of a person who is in the table points at her row with the chance 1 / size
of her class (the prosecutor's risk). Measured on the table and on the release it is the risk before and
after.
"""

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from celosia.errors import ProjectError
from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.say import say
from celosia.tables.table import Counts

if TYPE_CHECKING:
    from celosia.measure.subject import MeasureSubject

__all__ = ["MEASURES", "ClassRisk", "class_risk", "released_risk", "smallest_classes"]


@dataclass(frozen=True)
class ClassRisk:
    """What the sizes of the classes tell about the risk; all zeros when there are no rows.

    ``k`` is the size of the smallest class, ``highest`` the risk of the person most at risk, ``average`` the
    risk of a person on average, ``uniques`` the rows that are alone in their class, and ``at_risk`` the share
    of rows in classes smaller than ``threshold``.
    """

    rows: int
    classes: int
    k: int
    highest: float
    average: float
    uniques: int
    at_risk: float
    threshold: int


def class_risk(
    counts: Counts | npt.NDArray[np.int64],
    *,
    threshold: int = 5,
    times: npt.NDArray[np.int64] | None = None,
) -> ClassRisk:
    """The risk in classes of ``counts[class]`` rows; with ``times``, so many classes have each of these sizes.

    The average is the mean over the rows of 1 / size; each class adds size x 1 / size = 1, so it is classes /
    rows.

    K. El Emam, F. K. Dankar: Protecting privacy using k-anonymity. Journal of the American Medical
    Informatics Association 15(5), 2008.

    >>> risk = class_risk(np.array([1, 3, 6]), threshold=5)
    >>> risk.rows, risk.classes, risk.k, risk.highest, risk.average, risk.uniques, risk.at_risk
    (10, 3, 1, 1.0, 0.3, 1, 0.4)
    """
    if threshold < 1:
        raise ProjectError(
            say("a class cannot be smaller than {threshold} rows", threshold=threshold),
            remedy=say("give a threshold of 1 or more"),
        )
    sizes = np.asarray(counts.counts if isinstance(counts, Counts) else counts, dtype=np.int64)
    often = np.ones(len(sizes), np.int64) if times is None else times
    sizes, often = sizes[sizes > 0], often[sizes > 0]
    rows, classes = int(sizes @ often), int(often.sum())
    if rows == 0:
        return ClassRisk(0, 0, 0, 0.0, 0.0, 0, 0.0, threshold)
    smallest = int(sizes.min())
    return ClassRisk(
        rows=rows,
        classes=classes,
        k=smallest,
        highest=1 / smallest,
        average=classes / rows,
        uniques=int(often[sizes == 1].sum()),
        at_risk=int((sizes * often)[sizes < threshold].sum()) / rows,
        threshold=threshold,
    )


def released_risk(subject: "MeasureSubject") -> ClassRisk:
    """The risk of a release; a measure that needs rows says so where there are none.

    >>> import polars as pl
    >>> from celosia.measure.subject import MeasureSubject
    >>> release = pl.DataFrame({"age": ["3*", "3*", "4*"]})
    >>> released_risk(MeasureSubject.of(None, release, quasi_identifiers=["age"], threshold=2)).at_risk
    0.3333333333333333
    """
    risk = class_risk(subject.class_counts, threshold=subject.threshold)
    if not risk.rows:
        raise NotMeasurableError(say("the release has no rows"))
    return risk


def smallest_classes(counts: Counts, *, most: int = 10) -> list[dict[str, object]]:
    """The smallest classes, each with its rows and the labels that it shows.

    >>> import polars as pl
    >>> counted = Counts(("age",), (pl.Series(["3*", None]),), (np.array([0, 1], np.int32),), np.array([4, 1]))
    >>> smallest_classes(counted)
    [{'rows': 1, 'labels': {'age': None}}, {'rows': 4, 'labels': {'age': '3*'}}]
    """
    places = np.argsort(counts.counts, kind="stable")[:most]
    columns = [
        values.gather(codes[places]).to_list()
        for values, codes in zip(counts.texts, counts.codes, strict=True)
    ]
    return [
        {"rows": int(counts.counts[place]), "labels": dict(zip(counts.columns, labels, strict=True))}
        for place, *labels in zip(places, *columns, strict=True)
    ]


def _k(subject: "MeasureSubject") -> list[MeasuredValue]:
    risk = released_risk(subject)
    details = {"classes": risk.classes, "smallest": smallest_classes(subject.class_counts)}
    return [MeasuredValue(risk.k, details=details)]


def _uniques(subject: "MeasureSubject") -> list[MeasuredValue]:
    risk = released_risk(subject)
    return [MeasuredValue(risk.uniques, details={"share": risk.uniques / risk.rows})]


def _average(subject: "MeasureSubject") -> list[MeasuredValue]:
    risk = released_risk(subject)
    return [MeasuredValue(risk.rows / risk.classes)]


MEASURES = (
    ReleaseMeasure(
        name="k",
        family=MeasureFamily.RISK,
        meaning=say("rows of the smallest class: the k that is really reached"),
        reference="Samarati, Protecting respondents' identities in microdata release, TKDE 13(6), 2001",
        better="higher",
        low=1,
        high=inf,
        compute=_k,
    ),
    ReleaseMeasure(
        name="average-class",
        family=MeasureFamily.RISK,
        meaning=say("rows of a class on average"),
        reference="LeFevre et al., Mondrian multidimensional k-anonymity, ICDE 2006",
        better="higher",
        low=1,
        high=inf,
        compute=_average,
    ),
    ReleaseMeasure(
        name="uniques",
        family=MeasureFamily.RISK,
        meaning=say("rows that are alone in their class"),
        reference="Dalenius, Finding a needle in a haystack, Journal of Official Statistics 2(3), 1986",
        better="lower",
        high=inf,
        compute=_uniques,
    ),
)
