"""What a utility measure is: a cost, lower is better, over the cells or over the classes of a recoded table.

Both kinds also say what they cannot fall below above or below a node that was looked at; a search that is proven
optimal rests on these floors. All formulas work on numbers and on arrays of them alike.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["CellMeasure", "ClassMeasure", "ColumnLevel", "Measure", "NodeTally"]


@dataclass(frozen=True)
class ColumnLevel:
    """One level of one column: per code, how many of the column's ``size`` values and how many rows it stands for."""

    number: int
    height: int
    leaves: npt.NDArray[np.int64]
    size: int
    rows: npt.NDArray[np.int64]


@dataclass(frozen=True)
class NodeTally:
    """What was counted at a node.

    ``suppressed`` rows are in classes that violate a privacy model, ``doomed`` rows in classes that violate one which
    no less general node can satisfy there; ``classes`` and ``squares`` (sum of squared sizes) are over all classes,
    ``kept_classes`` and ``kept_squares`` over those released.
    """

    rows: Any
    suppressed: Any
    doomed: Any
    classes: Any
    squares: Any
    kept_classes: Any
    kept_squares: Any


@dataclass(frozen=True)
class CellMeasure:
    """A cost that every cell pays for its own label: never less at a higher level.

    ``cost`` gives what a cell pays, per code of a level; ``full`` what a cell of a suppressed row pays, by the number
    of rows, or None where suppression is free. ``is_share``: scaled so that 0 is the original and 1 the empty table.
    """

    name: str
    meaning: str
    reference: str
    cost: Callable[[ColumnLevel], npt.NDArray[np.float64]]
    full: Callable[[int], float] | None
    is_share: bool = True


@dataclass(frozen=True)
class ClassMeasure:
    """A cost of the sizes of the classes: its value, and its floors over more and less general nodes."""

    name: str
    meaning: str
    reference: str
    value: Callable[[NodeTally], Any]
    floor_above: Callable[[NodeTally], Any]
    floor_below: Callable[[NodeTally], Any]


Measure = CellMeasure | ClassMeasure
