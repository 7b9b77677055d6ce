"""Distance-based record linkage: of each person the nearest released row, by standardized numbers.

The classic test of perturbed numbers: noise, swapping, microaggregation. It takes to know which row is whose.

The attacker tries two ways, and the better one counts: numbers on the scale that the original has, which finds rows
that were left alone; and each table on its own scale, as the classic test has it, which sees through columns that were
shifted or stretched as a whole.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from celosia.measure.attacks.confidence import wilson
from celosia.measure.attacks.release_boxes import known_columns
from celosia.measure.attacks.true_matches import RELEASED, paired_texts
from celosia.measure.distribution.marginal import NUMERIC_TYPES, read_numbers
from celosia.measure.release_measure import (
    MeasureCost,
    MeasuredValue,
    MeasureFamily,
    NotMeasurableError,
    ReleaseMeasure,
)
from celosia.say import say

if TYPE_CHECKING:
    from celosia.measure.subject import MeasureSubject

__all__ = ["MEASURES", "match_numbers"]

Floats = npt.NDArray[np.float64]
NEAR = 1e-9
"""Distances that differ by this part are equal: they are sums of rounded squares."""


def match_numbers(people: Floats, own: Floats, released: Floats) -> Floats:
    """The chance of each person, ``people[person, column]``, that the nearest of ``released`` rows is her ``own``.

    Equally near rows share it. Columns are taken as they are; a NaN in ``own`` says that her row was not released.

    J. Domingo-Ferrer, V. Torra: Disclosure risk assessment in statistical microdata protection via advanced record
    linkage. Statistics and Computing 13, 2003.

    >>> rows = np.array([[1.0], [2.0], [9.0]])
    >>> match_numbers(np.array([[1.1], [8.0], [1.5]]), np.array([[1.0], [2.0], [1.0]]), rows).tolist()
    [1.0, 0.0, 0.5]
    """
    from scipy.spatial import cKDTree

    distinct, rows = np.unique(released, axis=0, return_counts=True)
    tree = cKDTree(distinct)
    nearest, _ = tree.query(people)
    reach = nearest * (1 + NEAR) + 1e-12
    own_distance = np.sqrt(((people - own) ** 2).sum(axis=1))
    matches = np.zeros(len(people))
    for person in np.flatnonzero(own_distance <= reach).tolist():
        tied = tree.query_ball_point(people[person], reach[person])
        matches[person] = 1.0 / rows[tied].sum()
    return matches


def _distance_linkage(subject: "MeasureSubject") -> Iterator[MeasuredValue]:
    if subject.key is None and not subject.same_order:
        raise NotMeasurableError(
            say("nothing tells which released row is whose: neither a key nor the order of the original")
        )
    names = [name for name in known_columns(subject) if subject.kinds[name] in NUMERIC_TYPES]
    if not names:
        raise NotMeasurableError(say("the attacker knows no numbers"))
    before, after = paired_texts(subject, names)
    original, released = (
        np.column_stack([read_numbers(frame[name].alias(""), subject.kinds[name]) for name in names])
        for frame in (before, after)
    )
    shown = np.column_stack([after[name].alias("").is_not_null().to_numpy() for name in names])
    if (np.isnan(released) & shown).any():
        raise NotMeasurableError(say("the release shows other things than numbers: see linkage"))
    is_released = after[RELEASED].to_numpy() & shown.all(axis=1)
    whole = ~np.isnan(original).any(axis=1)
    if not whole.any() or not is_released.any():
        raise NotMeasurableError(say("nobody has all numbers that the attacker knows"))
    scale, own_scale = _scale(original[whole]), _scale(released[is_released])
    rng, places = np.random.default_rng(subject.seed), np.flatnonzero(whole)
    size = min(subject.attacker.people, len(places))
    chosen = np.sort(rng.choice(places, size, replace=False, shuffle=False))
    people, matches, used = _on_scale(original[chosen], scale), np.zeros(size), "the original's"
    for called, way in (("the original's", scale), ("its own", own_scale)):
        rows = _on_scale(released, way)
        tried = match_numbers(people, rows[chosen], rows[is_released])
        if tried.sum() > matches.sum():
            matches, used = tried, called
    said = {
        "columns": names,
        "people": size,
        "scale": used,
        "found for certain": float((matches == 1).mean()),
    }
    yield MeasuredValue(float(matches.mean()), wilson(float(matches.sum()), size), details=said)


Scale = tuple[Floats, Floats]


def _scale(numbers: Floats) -> Scale:
    """The mean and the deviation of every column; a column of one value is not stretched."""
    spreads = numbers.std(axis=0)
    return numbers.mean(axis=0), np.where(spreads > 0, spreads, 1.0)


def _on_scale(numbers: Floats, scale: Scale) -> Floats:
    """Numbers with such means and deviations as 0 and 1."""
    means, spreads = scale
    return (numbers - means) / spreads


MEASURES = (
    ReleaseMeasure(
        name="distance-linkage",
        family=MeasureFamily.ATTACK,
        meaning=say("share of people whose released row is the nearest to their standardized numbers"),
        reference="Domingo-Ferrer and Torra, Disclosure risk assessment, Statistics and Computing 13, 2003",
        better="lower",
        cost=MeasureCost.ROWS,
        compute=_distance_linkage,
    ),
)
