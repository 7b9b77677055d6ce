"""Explore: every node of the lattice with its validity, its suppressed rows and every measure, in one walk."""

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from celosia.measure.utility import CellMeasure, NodeTally
from celosia.recode.evaluate import Evaluator
from celosia.recode.lattice import Lattice, Node, require_small
from celosia.say import say
from celosia.tables.table import Progress, no_progress

__all__ = ["Exploration", "explore"]


@dataclass(frozen=True)
class Exploration:
    """Arrays of the lattice's shape: ``is_valid``, ``suppressed`` rows, ``classes`` released, and each measure."""

    lattice: Lattice
    is_valid: npt.NDArray[np.bool_]
    suppressed: npt.NDArray[np.int64]
    classes: npt.NDArray[np.int64]
    measures: dict[str, npt.NDArray[np.float64]]
    seconds: float

    def valid_nodes(self) -> list[Node]:
        """All valid nodes in lexicographic order."""
        return [tuple(int(level) for level in node) for node in np.argwhere(self.is_valid)]

    def minimal_nodes(self) -> list[Node]:
        """Valid nodes with no valid node below them."""
        below = np.zeros(self.is_valid.shape, bool)
        for axis in range(self.is_valid.ndim):
            cut = [slice(None)] * self.is_valid.ndim
            cut[axis] = slice(1, None)
            source = [slice(None)] * self.is_valid.ndim
            source[axis] = slice(0, -1)
            below[tuple(cut)] |= self.is_valid[tuple(source)]
        # Without monotonicity a valid node may lie further down, behind an invalid one.
        reach = below.copy()
        for axis in range(reach.ndim):
            np.logical_or.accumulate(reach, axis=axis, out=reach)
        return [tuple(int(level) for level in node) for node in np.argwhere(self.is_valid & ~reach)]

    def best_nodes(self, measure: str) -> list[Node]:
        """All valid nodes with the lowest value of a measure."""
        values = np.where(self.is_valid, self.measures[measure], np.inf)
        lowest = values.min()
        if not np.isfinite(lowest):
            return []
        return [
            tuple(int(level) for level in node)
            for node in np.argwhere(values <= lowest + 1e-12 * abs(lowest))
        ]


def explore(evaluator: Evaluator, *, progress: Progress = no_progress) -> Exploration:
    """Evaluate every node of the lattice."""
    lattice = evaluator.lattice
    require_small(lattice, "explore")
    started = time.perf_counter()
    evaluator.sets.expect(lattice.size * len(evaluator.sets.base) // 20)
    suppressed = np.zeros(lattice.shape, np.int64)
    counted = {name: np.zeros(lattice.shape, np.int64) for name in COUNTED}
    cells = [measure for measure in evaluator.measures if isinstance(measure, CellMeasure)]
    measures = {measure.name: evaluator.base(measure) for measure in cells}
    for number, (node, found) in enumerate(evaluator.sets.walk()):
        tally, penalties = evaluator.count(node, found)
        suppressed[node] = tally.suppressed
        for name, array in counted.items():
            array[node] = getattr(tally, name)
        for name, penalty in penalties.items():
            measures[name][node] += penalty
        if number % 256 == 0:
            progress(say("exploring"), number / lattice.size)
    progress(say("exploring"), 1.0)
    whole = NodeTally(rows=evaluator.domain.rows, suppressed=suppressed, doomed=suppressed, **counted)
    for measure in evaluator.measures:
        if not isinstance(measure, CellMeasure):
            measures[measure.name] = np.asarray(measure.value(whole), np.float64)
    return Exploration(
        lattice,
        evaluator.is_allowed(whole),
        suppressed,
        counted["kept_classes"],
        measures,
        time.perf_counter() - started,
    )


COUNTED = ("classes", "squares", "kept_classes", "kept_squares")
