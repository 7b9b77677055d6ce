"""Finer classes under promises about groups: what somebody sees who knows only some columns spans many classes.

To split a class takes its rows out of groups in which other classes are, and puts them into new ones. So splits are
made for all classes at once, and those undone that leave a group which fails, until none does. What is held was valid
before, and no group changes but by a split: undoing always leads back to something valid.
"""

import numpy as np
import numpy.typing as npt

from celosia.privacy import Classes, KnownColumns
from celosia.privacy.known_columns import group_classes
from celosia.recode.domain import Codes
from celosia.recode.repeated_partition import SAME, RepeatedPartition, label_numbers

__all__ = ["specialize_groups"]

Mask = npt.NDArray[np.bool_]
PATIENT = 6
"""How often only the smallest split is undone that a group needs back; from then on, all of them."""


def specialize_groups(partition: RepeatedPartition) -> None:
    """Split classes by one column at a time, each by the one that saves most, while every group stays good."""
    columns = len(partition.values)
    numbers = [label_numbers(column)[0] for column in partition.evaluator.domain.columns]
    refused = np.zeros(
        (len(partition.nodes), columns), bool
    )  # a split of a class that a group does not allow
    while True:
        chosen, splits = _choose(partition, refused)
        if not (chosen >= 0).any():
            return
        move, levels, first = np.full(len(partition.owner), -1), partition.nodes[partition.owner], 0
        starts = {}
        for column, (members, part, _, leaves) in splits.items():
            moved = leaves[part]
            move[members[moved]] = first + part[moved]
            levels[members[moved], column] -= 1
            starts[column], first = first, first + len(leaves)
        allowed = _allowed(partition, numbers, levels, move, first)
        for column, (members, part, parent, leaves) in splits.items():
            kept = allowed[starts[column] : starts[column] + len(leaves)]
            refused[parent[leaves & ~kept], column] = True
            nodes = partition.nodes[parent]
            nodes[:, column] -= 1
            partition.move(members, part, leaves & kept, nodes)
            refused = np.concatenate([refused, refused[parent[leaves & kept]]])


Split = tuple[Codes, Codes, Codes, Mask]


def _choose(partition: RepeatedPartition, refused: Mask) -> tuple[Codes, dict[int, Split]]:
    """``chosen[class]``: the column by which to split it, -1 for none; and by column what is split off."""
    saved, chosen = np.zeros(len(refused)), np.full(len(refused), -1)
    splits = {}
    for column in range(len(partition.values)):
        floor = partition.evaluator.lattice.bottom[column]
        is_open = (partition.nodes[:, column] > floor) & ~refused[:, column]
        members = np.flatnonzero(is_open[partition.owner])
        part, parent, leaves, saves = partition.split(column, members)
        total = np.bincount(parent[leaves], saves[leaves], len(refused))
        # What saves nothing by itself may open the way to a level that does.
        better = (np.bincount(parent[leaves], minlength=len(refused)) > 0) & (
            (total > saved * SAME) | (chosen < 0)
        )
        saved[better], chosen[better] = total[better], column
        splits[column] = members, part, parent, leaves
    for column, (members, part, parent, leaves) in splits.items():
        splits[column] = members, part, parent, leaves & (chosen[parent] == column)
    return chosen, splits


def _allowed(
    partition: RepeatedPartition, numbers: list[Codes], levels: Codes, move: Codes, moves: int
) -> Mask:
    """``allowed[move]``: moves of units to other ``levels`` that together leave every group good."""
    evaluator, units = partition.evaluator, partition.units
    old = partition.nodes[partition.owner]
    labels = {
        name: np.concatenate([table[old[:, place], values], table[levels[:, place], values]])
        for place, (name, table, values) in enumerate(
            zip(evaluator.domain.names, numbers, partition.values, strict=True)
        )
    }
    classes = Classes(units.counts, evaluator.histograms(units))
    order = _smallest_first(partition, move, moves)
    allowed = np.ones(moves, bool)
    known = [model for model in evaluator.models if isinstance(model, KnownColumns)]
    views = [(model, columns) for model in known for columns in model.views(tuple(labels))]
    patience, is_good = PATIENT, False
    while not is_good:
        is_good = True
        for model, columns in views:
            group = group_classes(labels, columns, 2 * len(move))
            undone = _undo(model, group, classes, move, allowed, order if patience > 0 else None)
            is_good &= not undone.any()
            allowed[undone] = False
        patience -= 1
    return allowed


def _smallest_first(partition: RepeatedPartition, move: Codes, moves: int) -> Codes:
    """``place[move]`` by rows; of equal ones by the keys of their units, whatever order the units have here."""
    is_moved = move >= 0
    rows = np.bincount(move[is_moved], partition.units.counts[is_moved], moves)
    rank = np.empty(len(move), np.int64)
    rank[np.lexsort(partition.units.keys.T)] = np.arange(len(move))
    first = np.full(moves, len(move))
    np.minimum.at(first, move[is_moved], rank[is_moved])
    return np.argsort(np.lexsort((first, rows)))


def _undo(
    model: KnownColumns,
    group: Codes,
    classes: Classes,
    move: Codes,
    allowed: Mask,
    order: Codes | None,
) -> Mask:
    """Moves to undo because of groups that fail: those into them, and of those out of them the smallest, or all."""
    units = len(move)
    old, new = group[:units], group[units:]
    is_moved = (move >= 0) & allowed[move]
    current = np.where(is_moved, new, old)
    failing = model.failing_groups(current, classes, int(group.max()) + 1)
    undone = np.zeros(len(allowed), bool)
    undone[move[is_moved & failing[new]]] = True
    drained = np.flatnonzero(is_moved & failing[old] & ~undone[move])
    # Those that come back with the moves undone above may be enough.
    drained = drained[~np.isin(old[drained], old[is_moved & undone[move]])]
    if order is None:
        undone[move[drained]] = True
    elif len(drained):
        by_group = drained[np.lexsort((order[move[drained]], old[drained]))]
        undone[move[by_group[np.unique(old[by_group], return_index=True)[1]]]] = True
    return undone
