"""Classes of near units that are refined until little is gained, every change within what the privacy models ask."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from celosia.privacy import Classes, Histogram, SensitiveColumn
from celosia.recode.units import Units

__all__ = ["PartOfUnits", "Schedule", "refine_classes"]

Integers = npt.NDArray[np.int64]
ROUNDS = 12
"""How often a pass begins anew where models are asked about every change: a class changes once before it is judged."""
FEW_CHANGES = 0.002
"""A pass ends when fewer classes changed than this share."""
COOLEST = 0.03
"""What the last hot pass may cost, as a share of what the first one may."""
SMALL = 10
"""Up to so many rows in a class, all hot passes are made."""
NOTHING = np.zeros(0)


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


@dataclass(frozen=True)
class Schedule:
    """How classes are refined: up to ``passes`` while one gains the share ``worth``; before that, ``hot`` passes.

    In a hot pass rows may also do what costs something, less and less from pass to pass: at first up to about ``heat``
    times what a class loses. S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi: Optimization by simulated annealing. Science
    220, 1983.
    """

    passes: int
    worth: float
    hot: int = 0
    heat: float = 0.3
    seed: int = 0


def refine_classes(
    part: PartOfUnits, classes: Integers, lists: npt.NDArray[np.int32], schedule: Schedule
) -> Integers:
    """Classes that together lose no more than those given, and mostly less."""
    refinement = _Refinement(part, classes, lists)
    refinement.cool(schedule.passes, schedule.worth)
    best, lost = refinement.classes, refinement.total
    if schedule.hot and not part.units.further:
        refinement.heat(schedule)
        refinement.cool(schedule.passes, schedule.worth)
        if refinement.total < lost:
            best = refinement.classes
    return np.unique(best, return_inverse=True)[1]


class _Refinement:
    """Classes on their way."""

    def __init__(self, part: PartOfUnits, classes: Integers, lists: npt.NDArray[np.int32]) -> None:
        from celosia.kernels import class_state, refine

        size = len(part.points)
        self.part, self.kernel = part, refine
        self.is_careful = bool(part.units.further)
        self.state = class_state.make_state(part.points, classes, part.weights)
        self.log = refine.make_log(size, is_careful=self.is_careful)
        self.total = refine.begin(part.points, part.axes, self.state)
        self.tried, self.outlets = np.zeros(size, np.int64), np.zeros(size)
        least = part.units.rules.least
        self.common = part.points, part.weights, lists, part.axes, least, part.values, part.wanted
        self.few_changes = FEW_CHANGES * size / least

    @property
    def classes(self) -> Integers:
        """The class of every unit as it is now."""
        return np.array(self.state[0])

    def cool(self, passes: int, worth: float) -> None:
        """Passes in which every change gains something."""
        for _ in range(passes):
            before = self.total
            for _ in range(ROUNDS if self.is_careful else 1):
                self._pass_over(NOTHING)
                if self.is_careful and _settle(self.part, self.log, self.state) <= self.few_changes:
                    break
            self.log[3][:] = False
            self.total = self.kernel.total(self.state)
            if before - self.total <= worth * before:
                break

    def heat(self, schedule: Schedule) -> None:
        """Passes in which changes may cost something, less and less."""
        random = np.random.default_rng(schedule.seed)
        most = schedule.heat * self.total / max(1, len(np.unique(self.state[0])))
        # A change of a large class takes as much longer as it has rows.
        passes = schedule.hot * SMALL // max(SMALL, self.part.units.rules.least)
        for share in np.geomspace(1.0, COOLEST, passes):
            self._pass_over(random.exponential(most * share, len(self.part.points)))
        self.total = self.kernel.total(self.state)

    def _pass_over(self, slacks: npt.NDArray[np.float64]) -> None:
        self.kernel.pass_over_rows(*self.common, self.tried, self.outlets, slacks, self.log, self.state)
        self.kernel.pass_over_classes(*self.common, self.log, self.state)


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
