"""The risk that the sizes of the classes tell: how easily a person is singled out by her quasi-identifiers.

Whoever knows the quasi-identifiers of a person who is in the table points at her row with the chance 1 / size
of her class (the prosecutor's risk). Measured on the table and on the release it is the risk before and
after.
"""

from dataclasses import dataclass
from math import inf

import numpy as np
import numpy.typing as npt

from celosia.errors import ProjectError
from celosia.measure.measured import Family, Measured, ReleaseMeasure
from celosia.tables.table import Counts

__all__ = ["MEASURES", "ClassRisk", "class_risk"]


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
            f"a class cannot be smaller than {threshold} rows", remedy="give a threshold of 1 or more"
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


MEASURES = (
    ReleaseMeasure(
        name="uniques",
        family=Family.RISK,
        meaning="rows that are alone in their class",
        reference="Dalenius, Finding a needle in a haystack, Journal of Official Statistics 2(3), 1986",
        better="lower",
        high=inf,
        compute=lambda subject: [Measured(class_risk(subject.classes.counts).uniques)],
    ),
)
