"""Special uniques: rows that few columns already tell from all others (SUDA2), and how sure a match with them is.

A minimal sample unique of a row is a set of columns by whose values the row is alone in the table, while no part of
the set makes it so. The fewer columns it takes, and the more such sets a row has, the more special it is: it is
probably alone in the population as well. A missing value is a value like any other here, as in all counts of this
house.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, factorial, inf

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError
from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.subject import MeasureSubject
from celosia.say import say
from celosia.tables.table import Counts

__all__ = ["MEASURES", "Suda", "dis_scores", "suda"]

Floats = npt.NDArray[np.float64]

MOST_SETS = 1 << 22
"""More sets of columns than this are not looked at: all sizes of 22 columns, or sizes up to 4 of 62."""

MEASURED_SETS = 1 << 14
"""The measures look at sets of columns of every size while these are no more; of more columns, at the smaller ones."""

MOST_COLUMNS = 62
"""A set of columns is a whole number with a bit for each."""


@dataclass(frozen=True)
class Suda:
    """What minimal sample uniques were found, by combination of the columns.

    ``uniques`` are the combinations that one row has: only these can have any. ``alone_scores[unique]`` and
    ``parts[unique, column]`` are the score and how much of it is owed to sets with the column, ``found[unique, size]``
    the number of minimal uniques by their size. ``pairs`` is the number of combinations that exactly two rows have.
    """

    columns: tuple[str, ...]
    largest: int
    combinations: int
    rows: int
    uniques: npt.NDArray[np.int64]
    pairs: int
    alone_scores: Floats
    parts: Floats
    found: npt.NDArray[np.int32]

    @property
    def scores(self) -> Floats:
        """The score of every combination, in the order in which they were counted; 0 for most."""
        return self.spread(self.alone_scores)

    @property
    def special(self) -> int:
        """Rows that have a minimal sample unique."""
        return int((self.alone_scores > 0).sum())

    @property
    def shares(self) -> Floats:
        """Per combination and column, the share of the score owed to sets with the column; they add up to more than 1.

        A set of three columns counts for each of the three.
        """
        divided = self.parts / np.maximum(self.alone_scores, 1e-300)[:, None]
        shares = np.zeros((self.combinations, len(self.columns)))
        shares[self.uniques] = divided
        return shares

    @property
    def contributions(self) -> Floats:
        """Per column, the share of all scores owed to sets with the column."""
        total = self.alone_scores.sum()
        return self.parts.sum(axis=0) / total if total else np.zeros(len(self.columns))

    def spread(self, values: Floats) -> Floats:
        """Values of the unique combinations as values of all combinations, 0 for the others."""
        spread = np.zeros(self.combinations)
        spread[self.uniques] = values
        return spread


def suda(counts: Counts, *, largest: int | None = None) -> Suda:
    """The minimal sample uniques of all columns counted, of at most ``largest`` columns each, and the scores they give.

    The score of a row is the sum over its minimal sample uniques of (columns - size of the unique)!. That is as many
    orders as there are of adding the other columns, one after the other. A ``largest`` leaves out the terms of larger
    uniques; it does not change the others.

    M. J. Elliot, A. M. Manning, R. W. Ford: A computational algorithm for handling the special uniques problem.
    International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002. A. M. Manning, D. J.
    Haglin, J. A. Keane: A recursive search algorithm for statistical disclosure assessment. Data Mining and Knowledge
    Discovery 16, 2008. The search here is another: see :mod:`celosia.kernels.uniques`.

    >>> from celosia.tables import open_table
    >>> import polars as pl
    >>> people = pl.DataFrame({"sex": ["f", "f", "m", "m", "m"], "town": ["A", "B", "A", "B", "B"]})
    >>> found = suda(open_table(people).count_by(["sex", "town"]))
    >>> found.scores.tolist(), found.found[:, 1:].tolist()
    ([1.0, 1.0, 1.0, 0.0], [[0, 1], [0, 1], [0, 1]])
    """
    from celosia.kernels.uniques import find_uniques

    width = len(counts.columns)
    deepest = width if largest is None else min(largest, width)
    _check_sets(width, deepest)
    # The columns with most values first in every set: their groups are small, and most sets begin with them.
    order = sorted(range(width), key=lambda place: len(counts.values[place]))
    codes = np.stack([counts.codes[place] for place in order]).astype(np.int32, copy=False)
    worth = np.array([float(factorial(width - size)) for size in range(width + 1)])
    rows = np.ascontiguousarray(counts.counts, np.int64)
    scores, parts, uniques = find_uniques(codes, rows, worth, largest=deepest)
    return Suda(
        columns=counts.columns,
        largest=deepest,
        combinations=len(counts),
        rows=counts.rows,
        uniques=np.flatnonzero(rows == 1),
        pairs=int((rows == 2).sum()),
        alone_scores=scores,
        parts=parts[:, np.argsort(order)],
        found=uniques,
    )


def dis_scores(result: Suda, *, fraction: float) -> Floats:
    """Per combination, the chance that a match with a row is a true one, for a sample of this ``fraction`` of people.

    The data intrusion simulation of Skinner and Elliot estimates it for a unique row of the table as uniques x
    fraction / (uniques x fraction + rows in pairs x (1 - fraction)); the SUDA scores, to the power of 1 + (8 - columns)
    / 20, then spread it: special rows get more of it. The power is that of the program everybody uses, sdcMicro; it has
    no other source. With 28 columns it would turn the order of the rows round, so we stop there.

    C. J. Skinner, M. J. Elliot: A measure of disclosure risk for microdata. Journal of the Royal Statistical Society B
    64(4), 2002. M. J. Elliot, A. Manning, K. Mayes, J. Gurd, M. Bane: SUDA: a program for detecting special uniques,
    2005.

    >>> from celosia.tables import open_table
    >>> import polars as pl
    >>> people = pl.DataFrame({"sex": ["f", "f", "m", "m", "m"], "town": ["A", "B", "A", "B", "B"]})
    >>> found = suda(open_table(people).count_by(["sex", "town"]))
    >>> dis_scores(found, fraction=0.1).round(3).tolist()
    [0.143, 0.143, 0.143, 0.0]
    """
    if not 0 < fraction <= 1:
        raise ProjectError(
            say("a sample cannot hold the fraction {fraction:g} of its population", fraction=fraction),
            remedy=say("give one above 0, at most 1"),
        )
    if len(result.columns) >= 28:
        raise NotMeasurableError(say("DIS-SUDA scores are made for fewer than 28 columns"))
    special = result.alone_scores > 0
    powers = np.where(special, result.alone_scores, 1.0) ** (1 + (8 - len(result.columns)) / 20)
    # uniques / DIS - uniques, with the uniques cancelled out
    doubt = 2 * result.pairs * (1 - fraction) / fraction
    spread = powers * (special / powers).sum()
    return result.spread(np.where(special, spread / (spread + doubt), 0.0))


def _check_sets(width: int, largest: int) -> None:
    if largest < 1:
        raise ProjectError(
            say("no set has {largest} columns", largest=largest),
            remedy=say("give a largest size of 1 or more"),
        )
    if width > MOST_COLUMNS or sets_of(width, largest) > MOST_SETS:
        raise ProjectError(
            say("{width} columns have too many sets of up to {largest}", width=width, largest=largest),
            remedy=say(
                "look at fewer columns (at most {most}), or give a smaller largest size",
                most=MOST_COLUMNS,
            ),
        )


def sets_of(width: int, largest: int) -> int:
    """How many sets of at most ``largest`` of ``width`` columns there are.

    >>> sets_of(3, 2), sets_of(7, 7)
    (6, 127)
    """
    return sum(comb(width, size) for size in range(1, largest + 1))


# The measures


def suda_of(subject: MeasureSubject) -> Suda:
    """The minimal sample uniques of the release by its quasi-identifiers, searched once."""
    columns = subject.released_quasi_identifiers
    if not columns:
        raise NotMeasurableError(say("the release shows no quasi-identifier"))
    width = len(columns)
    if width > MOST_COLUMNS:
        raise NotMeasurableError(say("there are more than {most} quasi-identifiers", most=MOST_COLUMNS))
    largest = max(size for size in range(1, width + 1) if size == 1 or sets_of(width, size) <= MEASURED_SETS)
    counts = subject.counts(*columns)
    if not counts.rows:
        raise NotMeasurableError(say("the release has no rows"))
    return subject.once("suda", lambda: suda(counts, largest=largest))


def _fraction(subject: MeasureSubject) -> float:
    """The fraction of the population that the release holds, as declared."""
    population = subject.population
    if population.fraction is not None:
        return population.fraction
    rows, table = suda_of(subject).rows, population.table
    if table is not None:
        people = float(subject.once("population rows", lambda: table.count_by(table.columns()[:1]).rows))
    elif population.weight is not None:
        weights = subject.original_counts(population.weight)
        numbers = weights.values[0].cast(pl.Float64, strict=False).fill_null(0.0).to_numpy()
        people = float(numbers @ weights.rows_of(0))
    else:
        raise NotMeasurableError(say("it is not declared which fraction of the population the table holds"))
    if not 0 < rows <= people:
        raise NotMeasurableError(say("the population declared is smaller than the release"))
    return rows / people


def _dis(subject: MeasureSubject) -> Floats:
    result, fraction = suda_of(subject), _fraction(subject)
    return subject.once("dis-suda", lambda: dis_scores(result, fraction=fraction))


def _special(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    result = suda_of(subject)
    sizes = range(1, result.largest + 1)
    has = result.found > 0
    smallest = np.where(has.any(axis=1), has.argmax(axis=1), 0)
    yield MeasuredValue(
        result.special / result.rows,
        details={
            "rows": result.special,
            "columns": list(result.columns),
            "largest size looked at": result.largest,
            "by size": [
                {
                    "size": size,
                    "uniques": int(result.found[:, size].sum()),
                    "rows with one of this size": int(has[:, size].sum()),
                    "rows whose smallest it is": int((smallest == size).sum()),
                }
                for size in sizes
            ],
        },
    )


def _contributions(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    result = suda_of(subject)
    if not result.special:
        raise NotMeasurableError(say("no row has a minimal sample unique"))
    for name, share in zip(result.columns, result.contributions.tolist(), strict=True):
        yield MeasuredValue(share, about=name)


_ELLIOT = "Elliot, Manning, Ford, A computational algorithm for handling the special uniques problem, 2002"
_DIS = "Skinner, Elliot, A measure of disclosure risk for microdata, JRSS B 64(4), 2002"

MEASURES = (
    ReleaseMeasure(
        name="suda-uniques",
        family=MeasureFamily.RISK,
        meaning=say(
            "share of rows that some of the quasi-identifiers tell from all others (minimal sample uniques)"
        ),
        reference="Manning, Haglin, Keane, A recursive search algorithm for statistical disclosure assessment, 2008",
        better="lower",
        compute=_special,
    ),
    ReleaseMeasure(
        name="suda-score",
        family=MeasureFamily.RISK,
        meaning=say("SUDA score of a row on average: higher where few columns already make it unique"),
        reference=_ELLIOT,
        better="lower",
        high=inf,
        compute=lambda subject: [
            MeasuredValue(float(suda_of(subject).alone_scores.sum()) / suda_of(subject).rows)
        ],
    ),
    ReleaseMeasure(
        name="suda-score-highest",
        family=MeasureFamily.RISK,
        meaning=say("SUDA score of the most special row"),
        reference=_ELLIOT,
        better="lower",
        high=inf,
        compute=lambda subject: [MeasuredValue(float(suda_of(subject).alone_scores.max(initial=0.0)))],
    ),
    ReleaseMeasure(
        name="dis-suda",
        family=MeasureFamily.RISK,
        meaning=say(
            "chance that a match with a row is true, by its SUDA score (DIS), on average over all rows"
        ),
        reference=_DIS,
        better="lower",
        compute=lambda subject: [MeasuredValue(float(_dis(subject).sum()) / suda_of(subject).rows)],
    ),
    ReleaseMeasure(
        name="dis-suda-highest",
        family=MeasureFamily.RISK,
        meaning=say("chance that a match with the most special row is true (DIS)"),
        reference=_DIS,
        better="lower",
        compute=lambda subject: [MeasuredValue(float(_dis(subject).max(initial=0.0)))],
    ),
    ReleaseMeasure(
        name="suda-contribution",
        family=MeasureFamily.RISK,
        meaning=say("share of the SUDA scores owed to sets of columns that this one is in"),
        reference=_ELLIOT,
        better="lower",
        compute=_contributions,
    ),
)
