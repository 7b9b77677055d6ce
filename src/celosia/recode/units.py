"""What clustering puts into classes: rows one by one or, where people are counted, whole combinations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from celosia.privacy import DistinctLDiversity, PrivacyModel
from celosia.recode.mondrian import CutRules
from celosia.recode.space import Space

__all__ = ["Units", "make_units"]

Integers = npt.NDArray[np.int64]
SPARE = 2
"""Of a combination that many people share, so many times the least rows of a class may go to other classes each for
itself; the others are a class of their own from the beginning and move as one."""


@dataclass(frozen=True)
class Units:
    """Units of ``weights[unit]`` rows that move as one, and the space of which they are made.

    ``unit[point]`` is the unit of every point of ``space``, and ``origins[unit]`` one of the points of the space that
    it was made of, which has the same values.
    """

    space: Space
    unit: Integers
    origins: Integers
    weights: Integers
    rules: CutRules

    def __len__(self) -> int:
        return len(self.weights)

    @cached_property
    def codes(self) -> npt.NDArray[np.int32]:
        """``codes[unit, axis]``."""
        codes = np.empty((len(self), len(self.space.axes)), np.int32)
        codes[self.unit] = self.space.codes
        return codes

    @cached_property
    def diverse(self) -> tuple[DistinctLDiversity, ...]:
        """The models that count different values: the loops can do that."""
        return tuple(model for model in self.rules.models if isinstance(model, DistinctLDiversity))

    @cached_property
    def further(self) -> tuple[PrivacyModel, ...]:
        """The models that are asked themselves about every change."""
        return tuple(model for model in self.rules.others if not isinstance(model, DistinctLDiversity))

    def values(self, chosen: Integers) -> tuple[Integers, Integers]:
        """The values of some units for the models that count them: where those of each begin, and their numbers.

        ``starts[model, place]`` belongs to ``chosen[place]``; no two models share a number.
        """
        starts = np.zeros((len(self.diverse), len(chosen) + 1), np.int64)
        found: list[Integers] = []
        place = np.full(len(self), -1, np.int64)
        place[chosen] = np.arange(len(chosen))
        first = size = 0
        for number, model in enumerate(self.diverse):
            codes, count = self._told_apart(model.column)
            inside = place[self.unit] >= 0
            pairs = np.unique(place[self.unit][inside] * count + codes[inside])
            each = np.bincount(pairs // count, minlength=len(chosen))
            starts[number] = size + np.concatenate(([0], np.cumsum(each)))
            found.append(pairs % count + first)
            first, size = first + count, size + len(pairs)
        return starts, np.concatenate([np.zeros(0, np.int64), *found])

    def _told_apart(self, column: str) -> tuple[Integers, int]:
        """The values of a column by point as the model counts them, and how many there are."""
        codes, values = self.space.sensitive[column]
        if column == self.rules.person or not values.folded.merged:
            return codes, len(values)
        return values.folded.codes[codes], len(values.folded.values)


def make_units(space: Space, rules: CutRules) -> Units:
    """The units of a space: rows that part from others with the same values where nobody has to be counted."""
    if rules.person is not None:
        return _whole_combinations(space, rules)
    spare = space.weights
    if not rules.others:
        spare = np.where(spare > (SPARE + 1) * rules.least, SPARE * rules.least, spare)
    block = space.weights - spare
    singles = np.repeat(np.arange(len(spare)), spare)
    blocks = np.flatnonzero(block)
    which = np.concatenate([blocks, singles])
    weights = np.concatenate([block[blocks], np.ones(len(singles), np.int64)])
    order = np.argsort(which, kind="stable")
    which, weights = which[order], weights[order]
    parted = replace(
        space,
        codes=space.codes[which],
        weights=weights,
        owners=space.owners[which],
        sensitive={name: (codes[which], values) for name, (codes, values) in space.sensitive.items()},
    )
    return Units(parted, np.arange(len(which)), which, weights, rules)


def _whole_combinations(space: Space, rules: CutRules) -> Units:
    """All rows with the same values in one unit, whoever they are about: rows are found again by their values."""
    columns: Sequence[Integers] = [
        *space.codes.T,
        *(codes for name, (codes, _) in space.sensitive.items() if name != rules.person),
    ]
    unit = np.zeros(len(space.weights), np.int64)
    for column in columns:
        size = int(column.max(initial=0)) + 1
        unit = np.unique(unit * size + column, return_inverse=True)[1]
    count = int(unit.max(initial=-1)) + 1
    origins = np.empty(count, np.int64)
    origins[unit] = np.arange(len(unit))
    weights = np.bincount(unit, weights=space.weights, minlength=count).astype(np.int64)
    return Units(space, unit, origins, weights, rules)
