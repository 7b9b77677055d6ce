"""Rows of a fitted model, drawn so that chance has as little say as possible.

Rows that are drawn independently have the noise of a sample on top of that of the model. Here the rows are put into
order by what they have already, and the values of the next column are dealt out along that order, each as often in
every stretch as the model says.
"""

import numpy as np
import numpy.typing as npt

from celosia.kernels.apportion import apportion
from celosia.perturb.fitting import FittedModel
from celosia.perturb.junction import Columns, sum_to

__all__ = ["draw_rows"]

Cells = npt.NDArray[np.int64]


def draw_rows(model: FittedModel, rows: int, *, rng: np.random.Generator) -> Cells:
    """``cells[row, column]`` of so many rows, in an order that means nothing.

    >>> from celosia.perturb.fitting import NoisyMargin, fit
    >>> model = fit([NoisyMargin((0,), np.array([30.0, 10.0]), 1.0)], [2, 2], rounds=100)
    >>> draw_rows(model, 8, rng=np.random.default_rng(1)).sum(axis=0).tolist()
    [2, 4]
    """
    tree = model.tree
    cells = np.zeros((rows, len(tree.sizes)), np.int64)
    drawn: list[int] = []
    for place, clique in enumerate(tree.cliques):
        given = tree.separator(place)
        for column in sorted(set(clique) - set(given), key=lambda c: tree.sizes[c]):
            columns = tuple(sorted((*given, column)))
            joint = sum_to(model.shares[place], clique, columns)
            cells[:, column] = _deal(joint, columns, column, cells, drawn, tree.sizes, rng)
            given = columns
            drawn.append(column)
    return cells[rng.permutation(rows)]


def _deal(
    joint: npt.NDArray[np.float64],
    columns: Columns,
    column: int,
    cells: Cells,
    drawn: list[int],
    sizes: tuple[int, ...],
    rng: np.random.Generator,
) -> Cells:
    """The values of a column for all rows, by its shares given the other columns of a table."""
    given = [other for other in columns if other != column]
    shares = np.moveaxis(joint, columns.index(column), -1).reshape(-1, sizes[column])
    sums = shares.sum(axis=1, keepdims=True)
    shares = np.where(sums > 0, shares / np.where(sums > 0, sums, 1), 1 / sizes[column])
    groups = np.zeros(len(cells), np.int64)
    for other in given:
        groups = groups * sizes[other] + cells[:, other]
    order = _order(groups, len(shares), [c for c in drawn if c not in given], cells, sizes, rng)
    values = np.empty(len(cells), np.int64)
    values[order] = apportion(shares, groups[order], rng.random(sizes[column]) - 0.5)
    return values


def _order(
    groups: Cells,
    width: int,
    others: list[int],
    cells: Cells,
    sizes: tuple[int, ...],
    rng: np.random.Generator,
) -> Cells:
    """Rows by group, within it by as many other columns as a number holds, within these by chance."""
    keys, room = groups.copy(), 2**50 // max(width, 1)
    for other in rng.permutation(np.array(others, np.int64)):
        if sizes[other] > room:
            break
        keys = keys * sizes[other] + cells[:, other]
        room //= sizes[other]
    shuffled = rng.permutation(len(keys))
    return np.asarray(shuffled[np.argsort(keys[shuffled], kind="stable")])
