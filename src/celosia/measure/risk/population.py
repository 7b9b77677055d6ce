"""How many people of the population each released class may stand for: counted in a table of it, or estimated.

A table of the population is matched class by class. Sampling weights add up to an estimate; so does the size of a class
over the sampling fraction.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from celosia.measure.distribution.marginal import read_numbers
from celosia.measure.grouping import number_groups
from celosia.measure.release_measure import SIDES, NotMeasurableError
from celosia.measure.risk.classes import released_risk
from celosia.measure.risk.matching import match_classes
from celosia.measure.subject import MeasureSubject
from celosia.say import say
from celosia.tables.table import Counts
from celosia.types import ColumnType

__all__ = ["PopulationClasses", "population_of"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PopulationClasses:
    """The classes of a release: ``sizes[class]`` rows that stand for ``people[class]`` of the population.

    There are ``total`` people; ``is_counted`` says that they were counted, not estimated. ``lacking`` classes have more
    rows than people were found for. Whoever is released belongs to the population: such a class has its rows.
    """

    sizes: npt.NDArray[np.int64]
    people: Floats
    total: float
    is_counted: bool
    lacking: int

    @property
    def fraction(self) -> float:
        """The share of the population that the release holds."""
        return min(1.0, float(self.sizes.sum()) / self.total)


def population_of(subject: MeasureSubject) -> PopulationClasses:
    """The people of the population in every class of the release, in the order of ``subject.class_counts``.

    >>> import polars as pl
    >>> from celosia.measure.subject import Population
    >>> release = pl.DataFrame({"age": ["3*", "3*", "4*"], "weight": [10.0, 20.0, 15.0]})
    >>> subject = MeasureSubject.of(None, release, quasi_identifiers=["age"], population=Population(weight="weight"))
    >>> population_of(subject).people.tolist()
    [30.0, 15.0]
    """
    return subject.once("population", lambda: _find(subject))


def _find(subject: MeasureSubject) -> PopulationClasses:
    released_risk(subject)
    known = subject.population
    sizes = subject.class_counts.counts
    if known.table is not None:
        columns = _needed(subject, known.table.columns(), say("table of the population"))
        counts = subject.population_counts(*columns)
        if not counts.rows:
            raise NotMeasurableError(say("the table of the population has no rows"))
        return _made(sizes, _matched(subject, counts, counts.counts), counts.rows, is_counted=True)
    if known.weight is not None:
        return _weighted(subject, known.weight)
    if known.fraction is not None:
        if not 0 < known.fraction <= 1:
            raise NotMeasurableError(
                say("a release cannot hold {fraction:g} of the population", fraction=known.fraction)
            )
        people = sizes / known.fraction
        return _made(sizes, people, float(people.sum()), is_counted=False)
    raise NotMeasurableError(
        say(
            "nothing is known about the population: neither a table of it, nor weights, nor a "
            "sampling fraction"
        )
    )


def _made(
    sizes: npt.NDArray[np.int64], people: Floats, total: float, *, is_counted: bool
) -> PopulationClasses:
    lacking = int(np.count_nonzero(people < sizes))
    people = np.maximum(people, sizes)
    return PopulationClasses(sizes, people, max(float(total), float(sizes.sum())), is_counted, lacking)


def _needed(subject: MeasureSubject, columns: tuple[str, ...], place: str) -> tuple[str, ...]:
    """The released quasi-identifiers, all of which must be there."""
    lacking = [name for name in subject.released_quasi_identifiers if name not in columns]
    if lacking:
        raise NotMeasurableError(say("the {table} has no column {column!r}", table=place, column=lacking[0]))
    return subject.released_quasi_identifiers


def _matched(subject: MeasureSubject, counts: Counts, weights: npt.NDArray[np.number]) -> Floats:
    """``people[class]``: the weights of all combinations that the class allows."""
    matched = np.zeros(len(subject.class_counts))
    for combinations, classes in match_classes(subject, counts):
        matched += np.bincount(classes, weights[combinations], len(matched))
    return matched


def _weighted(subject: MeasureSubject, column: str) -> PopulationClasses:
    """The sums of the weights in every class: of its own rows where they show them, else of those that it allows."""
    sizes = subject.class_counts.counts
    if column in subject.release.columns():
        counts = subject.counts(*subject.released_quasi_identifiers, column)
        weights = _weights(counts, column)
        # Labels are numbered alike in both counts, and classes in the order of their labels.
        owner = number_groups(counts.codes[:-1])
        people = np.bincount(owner, weights, len(sizes)).astype(np.float64)
        assert np.array_equal(np.bincount(owner, counts.counts, len(sizes)), sizes)
    else:
        columns = _needed(subject, subject.source.columns(), SIDES["original"])
        counts = subject.original_counts(*columns, column)
        weights = _weights(counts, column)
        people = _matched(subject, counts, weights)
    return _made(sizes, people, float(weights.sum()), is_counted=False)


def _weights(counts: Counts, column: str) -> Floats:
    """``weights[combination]``: those of all its rows together."""
    numbers = read_numbers(counts.values[-1], ColumnType.REAL)
    if not np.all(np.isfinite(numbers)) or np.any(numbers <= 0):
        raise NotMeasurableError(say("the weights in {column!r} are not all numbers above 0", column=column))
    weights: Floats = numbers[counts.codes[-1]] * counts.counts
    return weights
