"""What a specialization tells about the sensitive values: information gain, from joint counts of one column with them.

R. J. Quinlan: Induction of decision trees. 1986. B. C. M. Fung, K. Wang, P. S. Yu: Top-down specialization for
information and privacy preservation. ICDE 2005.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

__all__ = ["JointCounts", "conditional_entropy", "level_gains", "rounded", "tuple_codes"]

Codes = npt.NDArray[np.int64]

DIGITS = 12
"""Significant digits of a score: the rest is rounding, which must not decide between two columns."""


@dataclass(frozen=True)
class JointCounts:
    """Rows by the value of one column and that of the target, entry by entry; a pair may have several entries.

    ``values[entry]`` is a code of the column at level 0, ``targets[entry]`` a code of the target, ``rows[entry]`` how
    many rows have both.
    """

    values: Codes
    targets: Codes
    rows: Codes

    def merged(self) -> "JointCounts":
        """The same with one entry per pair."""
        size = int(self.targets.max(initial=0)) + 1
        pairs, place = np.unique(self.values * size + self.targets, return_inverse=True)
        return JointCounts(pairs // size, pairs % size, _sums(place, self.rows, len(pairs)))


def conditional_entropy(groups: Codes, joint: JointCounts) -> float:
    """Bits that it takes on average to name the target of a row whose group is known: H(target | group).

    ``groups[value]`` is the group of each value of the column.

    >>> both = JointCounts(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([2, 2, 4, 0]))
    >>> conditional_entropy(np.array([0, 1]), both), round(conditional_entropy(np.array([0, 0]), both), 4)
    (0.5, 0.8113)
    """
    total = int(joint.rows.sum())
    if total == 0:
        return 0.0
    found = JointCounts(groups[joint.values], joint.targets, joint.rows).merged()
    per_group = _sums(found.values, found.rows, int(found.values.max()) + 1)
    return max(0.0, float(_n_log_n(per_group).sum() - _n_log_n(found.rows).sum()) / total)


def level_gains(levels: Sequence[Codes], joint: JointCounts) -> list[float]:
    """``gains[level]``: bits that a column tells more about the target one level below; 0 at level 0.

    ``levels[level][value]`` are the codes of a hierarchy. A step takes the whole column down: every label p of the
    level is replaced by its children. Its gain is that of all of them, each counted as often as there are rows under
    it: the sum of ``|R_p| / |R| * IG(p)``, which is H(target | level) - H(target | level below). A label with a single
    child adds nothing to it.

    >>> joint = JointCounts(np.array([0, 1, 2, 3]), np.array([0, 0, 0, 1]), np.array([1, 1, 1, 1]))
    >>> levels = [np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1]), np.array([0, 0, 0, 0])]
    >>> [round(gain, 4) for gain in level_gains(levels, joint)]
    [0.0, 0.5, 0.3113]
    """
    merged = joint.merged()
    entropies = [conditional_entropy(np.asarray(codes), merged) for codes in levels]
    steps = [above - below for below, above in pairwise(entropies)]
    # Of no gain at all, rounding may leave a trace.
    return [0.0, *(step if step > 1e-12 else 0.0 for step in steps)]


def tuple_codes(columns: Iterable[tuple[Codes, int]], size: int) -> Codes:
    """``tuples[row]``: one code for the codes that each of ``size`` rows has in some columns of so many values each.

    >>> tuple_codes([(np.array([0, 1, 0]), 2), (np.array([1, 1, 1]), 2)], 3).tolist()
    [0, 1, 0]
    """
    tuples = np.zeros(size, np.int64)
    for codes, values in columns:
        # Renumbered each time: the product of many columns would not fit into 64 bits.
        tuples = np.unique(tuples * values + codes, return_inverse=True)[1].astype(np.int64)
    return tuples


def rounded(number: float) -> float:
    """A number without the digits that rounding decides.

    >>> rounded(0.1 + 0.2) == rounded(0.3)
    True
    """
    return float(f"{number:.{DIGITS}g}")


def _n_log_n(counts: Codes) -> npt.NDArray[np.float64]:
    positive = np.maximum(counts, 1)
    return positive * np.log2(positive)


def _sums(groups: Codes, rows: Codes, size: int) -> Codes:
    return np.bincount(groups, weights=rows, minlength=size).astype(np.int64)
