"""People against released rows: the nearest rows of each person, and who is inside a box.

``rows[person, column]`` is the person's row in the table of a column; these lie one after the other in ``flat``, each
from ``starts[column]`` on with ``widths[column]`` distances to a row, one per label. ``labels[box, column]`` are the
labels of a released combination and ``weights[box]`` its rows. Distances are added up column by column in 32 bits, so
that equal ones are equal to the last bit wherever they are added up so.
"""

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.arrays import Codes, Integers, Singles

__all__ = ["common", "inside", "nearest", "tally"]

Tables = tuple[Integers, Singles, Integers, Integers]
"""``rows``, ``flat``, ``starts`` and ``widths``."""


def nearest(
    tables: Tables, labels: Codes, weights: Integers
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """The smallest distance of each person to a box, and the rows that are so near."""
    best = np.empty(len(tables[0]), np.float32)
    rows_near = np.empty(len(tables[0]), np.int64)
    _nearest(*tables, labels, weights, best, rows_near)
    return best, rows_near


def tally(
    tables: Tables, labels: Codes, weights: Integers, best: Singles, groups: Codes, votes: Integers
) -> None:
    """Add the rows at distance ``best[person]`` to ``votes[person, groups[box]]``."""
    _tally(*tables, labels, weights, best, groups, votes)


def common(
    tables: Tables, labels: Codes, weights: Integers, split: int, bests: tuple[Singles, Singles]
) -> npt.NDArray[np.int64]:
    """Rows that are nearest to a person both by the columns before ``split`` and by those from there on."""
    row_counts = np.zeros(len(tables[0]), np.int64)
    _common(*tables, labels, weights, split, *bests, row_counts)
    return row_counts


def inside(tables: Tables, labels: Codes, weights: Integers, limit: int) -> npt.NDArray[np.int64]:
    """Rows at distance 0 from each person; counting stops above ``limit``."""
    row_counts = np.zeros(len(tables[0]), np.int64)
    _inside(*tables, labels, weights, limit, row_counts)
    return row_counts


@numba.njit(cache=True, nogil=True)
def _nearest(
    rows: Integers,
    flat: Singles,
    starts: Integers,
    widths: Integers,
    labels: Codes,
    weights: Integers,
    best: Singles,
    rows_near: Integers,
) -> None:
    columns = labels.shape[1]
    base = np.empty(columns, np.int64)
    for person in range(rows.shape[0]):
        for c in range(columns):
            base[c] = starts[c] + rows[person, c] * widths[c]
        least, count = np.float32(np.inf), 0
        for box in range(labels.shape[0]):
            total = np.float32(0.0)
            for c in range(columns):
                total += flat[base[c] + labels[box, c]]
                if total > least:
                    break
            if total < least:
                least, count = total, weights[box]
            elif total == least:
                count += weights[box]
        best[person], rows_near[person] = least, count


@numba.njit(cache=True, nogil=True)
def _tally(
    rows: Integers,
    flat: Singles,
    starts: Integers,
    widths: Integers,
    labels: Codes,
    weights: Integers,
    best: Singles,
    groups: Codes,
    votes: Integers,
) -> None:
    columns = labels.shape[1]
    base = np.empty(columns, np.int64)
    for person in range(rows.shape[0]):
        for c in range(columns):
            base[c] = starts[c] + rows[person, c] * widths[c]
        least = best[person]
        for box in range(labels.shape[0]):
            total = np.float32(0.0)
            for c in range(columns):
                total += flat[base[c] + labels[box, c]]
                if total > least:
                    break
            if total == least:
                votes[person, groups[box]] += weights[box]


@numba.njit(cache=True, nogil=True)
def _common(
    rows: Integers,
    flat: Singles,
    starts: Integers,
    widths: Integers,
    labels: Codes,
    weights: Integers,
    split: int,
    best_one: Singles,
    best_other: Singles,
    row_counts: Integers,
) -> None:
    columns = labels.shape[1]
    base = np.empty(columns, np.int64)
    for person in range(rows.shape[0]):
        for c in range(columns):
            base[c] = starts[c] + rows[person, c] * widths[c]
        for box in range(labels.shape[0]):
            total = np.float32(0.0)
            for c in range(split):
                total += flat[base[c] + labels[box, c]]
                if total > best_one[person]:
                    break
            if total != best_one[person]:
                continue
            total = np.float32(0.0)
            for c in range(split, columns):
                total += flat[base[c] + labels[box, c]]
                if total > best_other[person]:
                    break
            if total == best_other[person]:
                row_counts[person] += weights[box]


@numba.njit(cache=True, nogil=True)
def _inside(
    rows: Integers,
    flat: Singles,
    starts: Integers,
    widths: Integers,
    labels: Codes,
    weights: Integers,
    limit: int,
    row_counts: Integers,
) -> None:
    columns = labels.shape[1]
    base = np.empty(columns, np.int64)
    for person in range(rows.shape[0]):
        for c in range(columns):
            base[c] = starts[c] + rows[person, c] * widths[c]
        for box in range(labels.shape[0]):
            is_inside = True
            for c in range(columns):
                if flat[base[c] + labels[box, c]] > 0.0:
                    is_inside = False
                    break
            if is_inside:
                row_counts[person] += weights[box]
                if row_counts[person] > limit:
                    break
