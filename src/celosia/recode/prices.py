"""What labels cost by the measures of cells, and what they hide: all that is known before a node is looked at."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from celosia.measure.utility import CellMeasure, ColumnLevel
from celosia.recode.domain import Domain

__all__ = ["label_losses", "price", "row_costs"]

Floats = npt.NDArray[np.float64]


def price(
    domain: Domain, measure: CellMeasure, weights: Mapping[str, float]
) -> tuple[list[Floats], list[list[Floats]], float]:
    """The value of a cell measure before any class is looked at, and what suppression adds.

    ``base[column][level]`` if nothing is suppressed, ``extra[column][level][code]`` for a suppressed row, and the value
    of the empty table.
    """
    costs, full, offsets, scale = _scaled(domain, measure, weights)
    base = [
        (np.array([cost @ rows for cost, rows in zip(levels, column.rows, strict=True)]) - offset) / scale
        for levels, column, offset in zip(costs, domain.columns, offsets, strict=True)
    ]
    extra = [
        [(most - cost) / scale if measure.full is not None else np.zeros(len(cost)) for cost in levels]
        for most, levels in zip(full, costs, strict=True)
    ]
    empty = (sum(full) * max(1, domain.rows) - float(offsets.sum())) / scale
    return base, extra, empty


def row_costs(
    domain: Domain, measure: CellMeasure, weights: Mapping[str, float]
) -> tuple[list[list[Floats]], float]:
    """What one row adds to the value of a cell measure: ``costs[column][level][code]``, or if it is suppressed.

    Together with the weights of the columns, and for a share with its scale.
    """
    costs, full, offsets, scale = _scaled(domain, measure, weights)
    rows = max(1, domain.rows)
    per_row = [
        [(cost - offset / rows) / scale for cost in levels]
        for levels, offset in zip(costs, offsets, strict=True)
    ]
    return per_row, (sum(full) - float(offsets.sum()) / rows) / scale


def label_losses(domain: Domain) -> tuple[list[list[Floats]], float]:
    """``losses[column][level][code]``: the logarithm of the values that a label stands for; and the sum of the most.

    A missing value is none of them, so that the release alone tells what is lost.
    """
    losses, most = [], 0.0
    for column in domain.columns:
        size = max(1, column.size - column.has_missing)
        losses.append([np.log(np.minimum(leaves, size).astype(np.float64)) for leaves in column.leaves])
        most += float(np.log(size))
    return losses, most or 1.0


def _scaled(
    domain: Domain, measure: CellMeasure, weights: Mapping[str, float]
) -> tuple[list[list[Floats]], list[float], Floats, float]:
    """Weighted costs per column, level and code, and if suppressed; what to take off per column; the scale."""
    rows = max(1, domain.rows)
    costs: list[list[Floats]] = []
    for column in domain.columns:
        weight = weights.get(column.name, 1.0)
        levels = zip(column.leaves, column.rows, strict=True)
        costs.append(
            [
                weight * measure.cost(ColumnLevel(number, column.height, leaves, column.size, rows_per_code))
                for number, (leaves, rows_per_code) in enumerate(levels)
            ]
        )
    full = [0.0] * len(costs)
    if measure.full is not None:
        full = [weights.get(column.name, 1.0) * measure.full(rows) for column in domain.columns]
    if not measure.is_share:
        return costs, full, np.zeros(len(costs)), float(rows)
    offsets = np.array(
        [levels[0] @ column.rows[0] for levels, column in zip(costs, domain.columns, strict=True)]
    )
    return costs, full, offsets, float(sum(full)) * rows - float(offsets.sum()) or 1.0
