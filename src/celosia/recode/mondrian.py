"""Multidimensional recoding: cut the people in two along one column, and each part again, while both sides are safe."""

import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from threading import Thread
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import NoSolutionError
from celosia.hierarchies import Hierarchy
from celosia.kernels.loops import LOADING, compile_loops, find_loops
from celosia.machine import usable_cores
from celosia.privacy import Classes, Histogram, KAnonymity, PrivacyModel, SensitiveColumn
from celosia.recode.space import Space
from celosia.recode.tree import BANNED, CHILD, END, ROWS, START, Tree
from celosia.say import say
from celosia.tables.table import Progress, no_progress

__all__ = [
    "CutRules",
    "Partition",
    "Split",
    "Width",
    "continue_mondrian",
    "judge_partition",
    "judge_whole",
    "load_loops",
    "mondrian",
]

Integers = npt.NDArray[np.int64]
PLAIN_SECONDS = {"loss": 60e-6, "gain": 60e-6, "median": 10e-6, "up-to-median": 10e-6, "distribution": 10e-6}
"""Seconds that loops take for a point and a column where they are not compiled."""
SMALL = 20_000
"""Points that one core cuts sooner than two could share them."""


class Split(StrEnum):
    """Where a part is cut.

    ``loss``: where what both sides will lose is lowest; all columns are looked at. ``median``: before or after the
    median of the widest column, whichever is more even. ``up-to-median``: after it, as it was published: a column of
    which the median is the last value is then not cut. ``distribution``: in the widest column, at the smallest value
    that leaves enough rows on both sides, so that rare values join their neighbours and frequent ones stay. ``gain``:
    where the two sides tell most about the target column.
    """

    LOSS = "loss"
    MEDIAN = "median"
    UP_TO_MEDIAN = "up-to-median"
    DISTRIBUTION = "distribution"
    GAIN = "gain"


class Width(StrEnum):
    """Which column is the widest: by its share of the whole range, or by its range in standard deviations."""

    SHARE = "share"
    DEVIATION = "deviation"


@dataclass(frozen=True)
class CutRules:
    """How parts are cut, and what each of them has to satisfy.

    ``wholes[column]`` are the rows of every value of a sensitive column in the whole release, where the space holds
    only a part of it. ``target`` names the sensitive column of the space that guides cuts by gain. Columns of more
    ``weights`` count as wider and are cut sooner. ``person`` is the column of the models that tells people apart.
    """

    models: tuple[PrivacyModel, ...]
    split: Split = Split.LOSS
    width: Width = Width.SHARE
    is_relaxed: bool = False
    target: str | None = None
    hierarchies: Mapping[str, Hierarchy] | None = None
    wholes: Mapping[str, Integers] | None = None
    weights: Mapping[str, float] | None = None
    person: str | None = None

    @property
    def least(self) -> int:
        """Rows without which no class can satisfy the models; classes that are cut one by one are groups themselves."""
        return max([1, *(model.group_size for model in self.models)])

    @property
    def others(self) -> tuple[PrivacyModel, ...]:
        """The models that ask for more than a number of rows."""
        return tuple(model for model in self.models if not isinstance(model, KAnonymity))

    def judge(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """Which classes satisfy every model."""
        good: npt.NDArray[np.bool_] = classes.counts >= self.least
        for model in self.others:
            good &= ~model.violations(classes)
        return good


@dataclass(frozen=True)
class Partition:
    """The classes found: ``classes[point]``, and per class the lowest and the highest code on every axis."""

    space: Space
    tree: Tree
    classes: Integers
    low: npt.NDArray[np.int32]
    high: npt.NDArray[np.int32]
    rows: Integers

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def starts(self) -> Integers:
        """Where each class begins in the order of the tree."""
        starts: Integers = self.tree.nodes[self.tree.leaves, START]
        return starts

    def shares(self, number: int) -> npt.NDArray[np.float64]:
        """What part of an axis each class covers: 0 for one value, 1 for all of them."""
        axis = self.space.axes[number]
        if not axis.is_set:
            return axis.shares(self.low[:, number].astype(np.int64), self.high[:, number].astype(np.int64))
        owners, codes = self.values(number)
        further = np.bincount(owners, minlength=len(self)) - 1
        is_mixed = np.zeros(len(self), bool)
        is_mixed[owners[codes == axis.missing]] = True
        return np.where(is_mixed & (further > 0), 1.0, further / max(1, axis.missing - 1))

    def label_shares(self, number: int, *, is_node: bool = False) -> npt.NDArray[np.float64]:
        """What part of the values of an axis the label of each class leaves possible; see :meth:`Axis.label_shares`."""
        axis = self.space.axes[number]
        if not axis.is_set:
            low, high = self.low[:, number].astype(np.int64), self.high[:, number].astype(np.int64)
            return axis.label_shares(low, high, is_node=is_node)
        shares = self.shares(number)
        further = shares * max(1, axis.missing - 1)
        return np.where((shares > 0) & (shares < 1), (further + 1) / max(len(axis), axis.size), shares)

    def values(self, number: int) -> tuple[Integers, Integers]:
        """The different codes of every class on an axis: the class and the code of each, by class."""
        size = max(1, len(self.space.axes[number]))
        keys = np.unique(self.classes * size + self.space.codes[:, number])
        return keys // size, keys % size


def load_loops(split: Split, *, cells: int | None) -> Thread | None:
    """Have the compiled loops loaded by another thread, while the engine counts the rows; None if they are already.

    Numba and what it brings along take half a second, and the very first time the loops are compiled, too. For as few
    ``cells``, points times columns, as plain loops go over in that time nothing is loaded.

    >>> thread = load_loops(Split.LOSS, cells=10_000_000)
    >>> thread is None or thread.join() is None
    True
    """
    name, seconds = _loops_of(split, 1 << 62 if cells is None else cells)
    if f"celosia.kernels.{name}" in sys.modules or seconds <= LOADING:
        return None

    def load() -> None:
        with suppress(Exception):  # whatever it is, it happens again where somebody hears of it
            if find_loops(name, plain_seconds=seconds).__name__ == f"celosia.kernels.{name}":
                compile_loops(name)

    thread = Thread(target=load)
    thread.start()
    return thread


def _loops_of(split: Split, cells: int) -> tuple[str, float]:
    """The module with the loops of a split, and the seconds that plain ones take for so many points times columns."""
    name = "peel" if split is Split.DISTRIBUTION else "mondrian"
    return name, cells * PLAIN_SECONDS[split]


def mondrian(space: Space, rules: CutRules, *, progress: Progress = no_progress) -> Partition:
    """Cut a space into classes that satisfy the models and that no cut tried could divide further.

    K. LeFevre, D. J. DeWitt, R. Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006; by information gain:
    Workload-aware anonymization. KDD 2006.

    >>> import polars as pl
    >>> from celosia.recode.space import build_space
    >>> from celosia.tables import open_table
    >>> from celosia.types import ColumnType
    >>> counted = open_table(pl.DataFrame({"age": [20, 21, 40, 41, 42]})).count_by(["age"])
    >>> space = build_space(
    ...     counted, quasi_identifiers=["age"], types={"age": ColumnType.INTEGER}, hierarchies={}
    ... )
    >>> mondrian(space, CutRules(models=(KAnonymity(k=2),))).rows.tolist()
    [2, 3]
    """
    if rules.is_relaxed:
        space = space.one_by_one()
    tree = _whole(space)
    if not judge_whole(space, rules):
        raise NoSolutionError(
            say("even one class of all rows does not satisfy the privacy models"),
            remedy=say("ask for less: a lower k or l, a higher t"),
        )
    return continue_mondrian(space, tree, rules, progress=progress)


def judge_partition(partition: Partition, rules: CutRules) -> npt.NDArray[np.bool_]:
    """Which classes satisfy every model."""
    nodes = partition.tree.nodes[partition.tree.leaves]
    return _is_good(partition.space, Tree(nodes, partition.tree.order), rules)


def judge_whole(space: Space, rules: CutRules) -> bool:
    """Whether one class of all rows satisfies the models; raise if one of them cannot be evaluated."""
    return bool(_is_good(space, _whole(space), rules).all())


def _whole(space: Space) -> Tree:
    """All points as one part that is not cut yet."""
    nodes = np.array([[0, len(space.weights), space.rows, -1, -1, 0]], np.int64)
    return Tree(nodes, np.arange(len(space.weights)))


def continue_mondrian(
    space: Space, tree: Tree, rules: CutRules, *, progress: Progress = no_progress
) -> Partition:
    """Cut the leaves of a tree on, whose nodes all satisfy the models.

    Cuts are made by the number of rows; those of which a side then fails another model are undone. Medians are tried
    instead, which are the likeliest to leave both sides as diverse as the whole, and then other columns.
    """
    # At their very first use the loops are compiled, which takes a while.
    progress(say("preparing the loops"), 0.0)
    while True:
        before = int((tree.nodes[:, ROWS][tree.nodes[:, CHILD] < 0] >= 2 * rules.least).sum())
        progress(say("cutting into classes"), 1 - before / max(1, len(tree.nodes)))
        tree = _grow(space, tree, rules)
        is_good = _is_good(space, tree, rules)
        if is_good.all():
            break
        tree = tree.keep_cuts(is_good, tries_medians=rules.split in (Split.LOSS, Split.GAIN))
    progress(say("cutting into classes"), 1.0)
    return _partition(space, tree)


def _partition(space: Space, tree: Tree) -> Partition:
    leaves = tree.nodes[tree.leaves]
    ordered = space.codes[tree.order]
    low, high = (end.reduceat(ordered, leaves[:, START], axis=0) for end in (np.minimum, np.maximum))
    return Partition(
        space=space,
        tree=tree,
        classes=tree.classes(),
        low=low,
        high=high,
        rows=leaves[:, ROWS].copy(),
    )


def _grow(space: Space, tree: Tree, rules: CutRules) -> Tree:
    if rules.split is Split.DISTRIBUTION:
        return _peel(space, tree, rules)
    kernel: Any = _find_kernel(space, rules)
    targets, classes = _targets(space, rules)
    order = tree.order.copy()
    # Copies in the order of the tree, column by column: the loops move rows, and nobody else may see that.
    codes, weights = np.stack([column[order] for column in space.codes.T]), space.weights[order]
    targets = targets[order] if rules.target is not None else targets[:0]
    how: dict[str, Any] = {
        "least": rules.least,
        "split": {
            Split.LOSS: kernel.LOSS,
            Split.MEDIAN: kernel.MEDIAN,
            Split.UP_TO_MEDIAN: kernel.UP_TO_MEDIAN,
            Split.GAIN: kernel.GAIN,
        }[rules.split],
        "width": kernel.DEVIATION if rules.width is Width.DEVIATION else kernel.SPAN,
        "is_relaxed": rules.is_relaxed,
        "axes": space.weigh(rules.weights or {}),
        "classes": classes,
    }
    nodes = tree.nodes
    cores = usable_cores()
    if cores > 1 and len(order) > SMALL and not kernel.__name__.startswith("celosia.kernels.plain"):
        # First as many parts as cores, so that all have something to do, then enough of them to be dealt out evenly.
        for further in (2 * (cores - 1), 16, None):

            def grow(part: Integers, further: int | None = further) -> Integers:
                limit = None if further is None else len(part) + further
                grown: Integers = kernel.grow(codes, weights, targets, order, part, limit=limit, **how)
                return grown

            nodes = _share_out(nodes, cores, grow)
    else:
        nodes = kernel.grow(codes, weights, targets, order, nodes, **how)
    return Tree(nodes, order)


def _find_kernel(space: Space, rules: CutRules) -> ModuleType:
    name, seconds = _loops_of(rules.split, space.codes.size)
    return find_loops(name, plain_seconds=seconds)


def _share_out(nodes: Integers, cores: int, grow: Any) -> Integers:
    """Let every core cut some of the leaves; what they return is put behind the nodes there are."""
    leaves = np.flatnonzero(nodes[:, CHILD] < 0)
    leaves = leaves[np.argsort(-nodes[leaves, ROWS], kind="stable")]
    # In turns there and back, so that the cores get about as many rows each.
    turn = np.concatenate([np.arange(cores), np.arange(cores)[::-1]])
    owner = np.resize(turn, len(leaves))
    mine = [leaves[owner == core] for core in range(cores)]
    with ThreadPoolExecutor(cores) as pool:
        grown = list(pool.map(grow, [nodes[some] for some in mine if len(some)]))
    parts, size = [nodes.copy()], len(nodes)
    for some, result in zip([some for some in mine if len(some)], grown, strict=True):
        shifted = result.copy()
        has_children = shifted[:, CHILD] >= 0
        shifted[has_children, CHILD] += size - len(some)
        parts[0][some] = shifted[: len(some)]
        parts.append(shifted[len(some) :])
        size += len(shifted) - len(some)
    return np.concatenate(parts)


def _peel(space: Space, tree: Tree, rules: CutRules) -> Tree:
    """Every leaf that is large enough, peeled."""
    kernel: Any = _find_kernel(space, rules)
    kind = kernel.DEVIATION if rules.width is Width.DEVIATION else kernel.SPAN
    spots, axes = _spots(space), space.weigh(rules.weights or {})
    order, parts, size = tree.order.copy(), [tree.nodes.copy()], len(tree.nodes)
    for leaf in np.flatnonzero((tree.nodes[:, CHILD] < 0) & (tree.nodes[:, ROWS] >= 2 * rules.least)):
        start, end, banned = tree.nodes[leaf, [START, END, BANNED]]
        points = order[start:end]
        grown, inside = kernel.peel(
            space.codes[points],
            space.weights[points],
            least=rules.least,
            width=kind,
            spots=spots,
            axes=axes,
            banned=int(banned),
        )
        order[start:end] = points[inside]
        grown[:, [START, END]] += start
        grown[grown[:, CHILD] >= 0, CHILD] += size - 1
        parts[0][leaf] = grown[0]
        parts.append(grown[1:])
        size += len(grown) - 1
    return Tree(np.concatenate(parts), order)


def _spots(space: Space) -> Integers:
    """Places as whole numbers, as exact as their squares can be added up over all rows."""
    bits = min(20, (62 - int(space.rows).bit_length()) // 2)
    spots = []
    for axis in space.axes:
        values = axis.values.to_physical() if axis.is_ordered else None
        if values is not None and values.dtype in (pl.Int64, pl.Int32) and not values.null_count():
            own = values.to_numpy()
            if len(own) and float(own[-1]) - float(own[0]) < 2.0**bits:
                spots.append((own - own[0]).astype(np.int64))
                continue
        spots.append(np.round((axis.places + 1) * 2.0 ** (bits - 2)).astype(np.int64))
    return np.concatenate(spots)


def _targets(space: Space, rules: CutRules) -> tuple[npt.NDArray[np.int32], int]:
    if rules.target is None:
        return np.zeros(len(space.weights), np.int32), 1
    codes, values = {**space.sensitive, **space.targets}[rules.target]
    return codes.astype(np.int32), len(values)


def _is_good(space: Space, tree: Tree, rules: CutRules) -> npt.NDArray[np.bool_]:
    """Which nodes satisfy every model."""
    nodes, histograms = tree.nodes, {}
    for name in dict.fromkeys(model.column for model in rules.others if model.column is not None):
        codes, values = space.sensitive[name]
        whole = (rules.wholes or {}).get(name)
        if whole is None:
            whole = np.bincount(codes, weights=space.weights, minlength=len(values)).astype(np.int64)
        entries = _count_values(nodes, codes[tree.order], space.weights[tree.order], len(values))
        if name == rules.person:  # people are only counted: their keys have no order that matters
            histograms[name] = Histogram(*entries, values, None)
            continue
        column = SensitiveColumn.of(values, (rules.hierarchies or {}).get(name))
        histograms[name] = column.histogram(entries, whole)
    return rules.judge(Classes(nodes[:, ROWS], histograms))


def _count_values(
    nodes: Integers, codes: Integers, weights: Integers, values: int
) -> tuple[Integers, Integers, Integers]:
    """(node, value, rows) of every node, the counts of parents being those of their children together."""
    leaves = np.flatnonzero(nodes[:, CHILD] < 0)
    leaves = leaves[np.argsort(nodes[leaves, START])]
    owner = np.repeat(leaves, nodes[leaves, END] - nodes[leaves, START])
    parent, depth = _climb(nodes)
    keys, rows = _add_up(owner * values + codes, weights)
    depths = depth[keys // values]
    found_keys, found_rows = [], []
    above = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for level in range(int(depth.max()), -1, -1):
        here = depths == level
        level_keys = np.concatenate([keys[here], above[0]])
        level_rows = np.concatenate([rows[here], above[1]])
        found_keys.append(level_keys)
        found_rows.append(level_rows)
        above = _add_up(parent[level_keys // values] * values + level_keys % values, level_rows)
    every = np.concatenate(found_keys)
    return every // values, every % values, np.concatenate(found_rows)


def _climb(nodes: Integers) -> tuple[Integers, Integers]:
    """Parent and depth of every node."""
    parent, depth = np.zeros(len(nodes), np.int64), np.zeros(len(nodes), np.int64)
    level, number = np.zeros(1, np.int64), 0
    while len(level):
        cut = level[nodes[level, CHILD] >= 0]
        level = np.concatenate([nodes[cut, CHILD], nodes[cut, CHILD] + 1])
        number += 1
        parent[level], depth[level] = np.tile(cut, 2), number
    return parent, depth


def _add_up(keys: Integers, rows: Integers) -> tuple[Integers, Integers]:
    distinct, place = np.unique(keys, return_inverse=True)
    return distinct, np.bincount(place, weights=rows, minlength=len(distinct)).astype(np.int64)
