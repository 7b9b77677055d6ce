"""Classes of near units that are refined until little is gained, every change within what the privacy models ask."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from celosia.privacy import Classes, Histogram, SensitiveColumn
from celosia.recode.units import Units

__all__ = ["PartOfUnits", "refine_classes"]

Integers = npt.NDArray[np.int64]
ROUNDS = 12
"""How often a pass begins anew where models are asked about every change: a class changes once before it is judged."""
FEW_CHANGES = 0.002
"""A pass ends when fewer classes changed than this share."""


@dataclass(frozen=True)
class PartOfUnits:
    """Some of the units, as the loops take them: ``points[unit]``, what columns cost, and the values that count."""

    units: Units
    chosen: Integers
    points: npt.NDArray[np.int32]
    axes: Any

    @cached_property
    def weights(self) -> Integers:
        """Rows of every unit."""
        return self.units.weights[self.chosen]

    @cached_property
    def values(self) -> tuple[Integers, Integers]:
        """See :meth:`Units.values`."""
        return self.units.values(self.chosen)

    @cached_property
    def wanted(self) -> Integers:
        """Different values that the models ask for."""
        return np.array([model.l for model in self.units.diverse], np.int64)

    @cached_property
    def inside(self) -> tuple[Integers, Integers]:
        """The points of the space that are in these units, and the place of the unit of each."""
        place = np.full(len(self.units), -1, np.int64)
        place[self.chosen] = np.arange(len(self.chosen))
        places = place[self.units.unit]
        points = np.flatnonzero(places >= 0)
        return points, places[points]

    def judge(self, classes: Integers, count: int) -> npt.NDArray[np.bool_]:
        """Which of ``count`` classes satisfy the models that are asked themselves; units of class -1 are in none."""
        space, rules = self.units.space, self.units.rules
        points, places = self.inside
        owner = classes[places]
        points, owner = points[owner >= 0], owner[owner >= 0]
        rows = np.bincount(owner, weights=space.weights[points], minlength=count).astype(np.int64)
        histograms: dict[str, Histogram] = {}
        for name in dict.fromkeys(model.column for model in self.units.further if model.column is not None):
            codes, values = space.sensitive[name]
            pairs, entry = np.unique(owner * len(values) + codes[points], return_inverse=True)
            people = np.bincount(entry, weights=space.weights[points], minlength=len(pairs)).astype(np.int64)
            column = SensitiveColumn.of(values, (rules.hierarchies or {}).get(name))
            entries = pairs // len(values), pairs % len(values), people
            histograms[name] = column.histogram(entries, (rules.wholes or {})[name])
        good = np.ones(count, bool)
        found = Classes(rows, histograms)
        for model in self.units.further:
            good &= ~model.violations(found)
        return good


def refine_classes(
    part: PartOfUnits, classes: Integers, lists: npt.NDArray[np.int32], *, passes: int, worth: float
) -> tuple[Integers, float]:
    """Classes after so many passes or when one gains less than the share ``worth``, and what all rows lose then."""
    from celosia.kernels import class_state, refine

    size = len(part.points)
    is_careful = bool(part.units.further)
    state = class_state.make_state(part.points, classes, part.weights)
    log = refine.make_log(size, is_careful=is_careful)
    total = refine.begin(part.points, part.axes, state)
    tried, outlets = np.zeros(size, np.int64), np.zeros(size)
    least, common = part.units.rules.least, (part.points, part.weights, lists, part.axes)
    for _ in range(passes):
        before = total
        for _ in range(ROUNDS if is_careful else 1):
            total -= refine.pass_over_rows(
                *common, least, part.values, part.wanted, tried, outlets, log, state
            )
            total -= refine.pass_over_classes(*common, least, part.values, part.wanted, log, state)
            if is_careful and _settle(part, log, state) <= FEW_CHANGES * size / least:
                break
        if is_careful:
            total = refine.total(state)
            log[3][:] = False
        if before - total <= worth * before:
            break
    return np.unique(state[0], return_inverse=True)[1], total


def _settle(part: PartOfUnits, log: Any, state: Any) -> int:
    """Undo the changes that a model refuses; how many were not."""
    from celosia.kernels import refine

    entries, count, waits, _ = log
    changes = int(count[1])
    made = entries[: count[0]]
    if not changes:
        return 0
    touched = np.flatnonzero(waits & (state[6] > 0))  # a class that was dissolved has nothing to satisfy
    number = np.full(len(waits), -1, np.int64)
    number[touched] = np.arange(len(touched))
    good = np.ones(len(waits), bool)
    good[touched] = part.judge(number[state[0]], len(touched))
    is_bad = np.zeros(changes, bool)
    # Every class is part of one change at most, so that each change is judged by itself.
    for classes in (state[0][made[:, 1]], made[:, 2]):
        is_bad[made[~good[classes], 0]] = True
    refine.undo(is_bad, part.points, part.weights, part.axes, log, state)
    waits[:] = False
    count[:] = 0
    return changes - int(is_bad.sum())
