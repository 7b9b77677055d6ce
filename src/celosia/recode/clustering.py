"""Clustering: classes of near rows, which are then refined by letting rows move and change places.

Near lists say for every row which others are closest. From the densest place on, greedy classes take the free row that
raises their loss least, and what is left over joins where it is cheapest. Then, pass by pass, classes are divided or
dissolved, and rows move, change places or push another one on, whenever that lowers the loss and every class still
satisfies every privacy model. A class begins as one of Mondrian's where that is better than being greedy: so it never
loses more than Mondrian does.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Thread

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import NoSolutionError
from celosia.machine import usable_cores
from celosia.privacy import KAnonymity
from celosia.recode.mondrian import CutRules, Partition, judge_partition, mondrian
from celosia.recode.near_axes import join_axes, join_points, sort_orders
from celosia.recode.refining import PartOfUnits, Schedule, refine_classes
from celosia.recode.space import Axis, Space
from celosia.recode.tree import CHILD, END, ROWS, START, Tree
from celosia.recode.units import Units, make_units
from celosia.say import say
from celosia.tables.table import Progress, no_progress
from celosia.types import ColumnType

__all__ = ["ClusterRules", "Effort", "as_partition", "cluster", "load_cluster_loops"]

Integers = npt.NDArray[np.int64]
MOST_TOGETHER = 60_000
"""Units that are put into classes together: more are first cut by Mondrian, each part by itself. So the time grows with
the rows, several cores can work, and what a loop looks at stays near the processor."""
GROWTH = 1.5
"""By how much classes grow where sizes are all that may depend on sensitive values."""


class Effort(StrEnum):
    """How long it may look: in tenths of a second, seconds or tens of seconds for thirty thousand rows."""

    QUICK = "quick"
    NORMAL = "normal"
    THOROUGH = "thorough"


@dataclass(frozen=True)
class _Grade:
    """How many orders of the rows are looked at, how far in each, how long lists are, and how classes are refined."""

    orders: int
    window: int
    length: int
    refining: Schedule


GRADES = {
    Effort.QUICK: _Grade(orders=7, window=3, length=9, refining=Schedule(passes=2, worth=0.01)),
    Effort.NORMAL: _Grade(orders=16, window=4, length=16, refining=Schedule(passes=6, worth=0.001, hot=8)),
    Effort.THOROUGH: _Grade(
        orders=28, window=6, length=20, refining=Schedule(passes=20, worth=0.0001, hot=100, heat=1.0)
    ),
}


@dataclass(frozen=True)
class ClusterRules:
    """How hard to try, what chance begins with, and whether sensitive values may be looked at."""

    effort: Effort = Effort.NORMAL
    seed: int = 0
    is_blind: bool = False


def load_cluster_loops() -> Thread | None:
    """Have the compiled loops loaded by another thread, while the engine counts the rows; None if they are already.

    >>> thread = load_cluster_loops()
    >>> thread is None or thread.join() is None
    True
    """
    if "celosia.kernels.refine" in sys.modules:
        return None
    axis = Axis("", ColumnType.INTEGER, pl.Series([0, 1]), np.array([0.0, 1.0]))
    ones, codes = np.ones(2, np.int64), np.array([[0], [1]], np.int32)
    two = Space(axes=(axis,), codes=codes, weights=ones, owners=np.arange(2), excluded=0)

    def form() -> None:
        with suppress(Exception):  # whatever it is, it happens again where somebody hears of it
            cluster(two, CutRules(models=()), ClusterRules())

    thread = Thread(target=form)
    thread.start()
    return thread


def cluster(
    space: Space, rules: CutRules, how: ClusterRules = ClusterRules(), *, progress: Progress = no_progress
) -> Partition:
    """Put the rows of a space into classes that satisfy the models and lose little.

    J.-W. Byun, A. Kamra, E. Bertino, N. Li: Efficient k-anonymization using clustering techniques. DASFAA 2007.

    >>> import polars as pl
    >>> from celosia.recode.space import build_space
    >>> from celosia.tables import open_table
    >>> from celosia.types import ColumnType
    >>> counted = open_table(pl.DataFrame({"age": [20, 21, 40, 41, 60, 62]})).count_by(["age"])
    >>> space = build_space(
    ...     counted, quasi_identifiers=["age"], types={"age": ColumnType.INTEGER}, hierarchies={}
    ... )
    >>> cluster(space, CutRules(models=(KAnonymity(k=2),)), ClusterRules()).rows.tolist()
    [2, 2, 2]
    """
    wholes = dict(rules.wholes or {})
    for name, (codes, values) in space.sensitive.items():
        if name not in wholes:
            people = np.bincount(codes, weights=space.weights, minlength=len(values))
            wholes[name] = people.astype(np.int64)
    rules = replace(rules, wholes=wholes, is_relaxed=False)
    if how.is_blind and rules.others:
        return _cluster_blindly(space, rules, how, progress)
    return _cluster(space, rules, how, progress)


def _cluster_blindly(space: Space, rules: CutRules, how: ClusterRules, progress: Progress) -> Partition:
    """Classes by the quasi-identifiers alone, of more and more rows until all of them satisfy the models.

    So nothing but one number, the size, depends on the sensitive values.
    """
    # People are counted as they come: the column that tells them apart is no secret that classes betray.
    people = tuple(model for model in rules.others if model.column == rules.person is not None)
    least, effort = rules.least, Effort.QUICK  # until a size is likely to do
    space = _in_blind_order(space, rules, how.seed)
    secret = [name for name in space.sensitive if name != rules.person]
    blind = replace(
        space, sensitive={name: values for name, values in space.sensitive.items() if name not in secret}
    )
    while True:
        asked = replace(rules, models=(KAnonymity(k=least), *people))
        partition = _cluster(blind, asked, replace(how, effort=effort), progress)
        partition = as_partition(space, partition.classes)
        is_good = bool(judge_partition(partition, rules).all())
        if is_good and effort is how.effort:
            return partition
        if not is_good and len(partition) == 1:
            raise NoSolutionError(
                say("even one class of all rows does not satisfy the privacy models"),
                remedy=say("ask for less: a lower k or l, a higher t"),
            )
        if is_good:
            effort = how.effort
        else:
            least = min(space.rows, max(least + 1, int(least * GROWTH)))


def _in_blind_order(space: Space, rules: CutRules, seed: int) -> Space:
    """The points by their quasi-identifiers, so that nothing depends on the order in which values were counted.

    Rows that differ in sensitive values alone come as chance has it; where people are counted they stay together.
    """
    if rules.person is None:
        space = space.one_by_one()
    chance = np.random.default_rng(seed).permutation(len(space.weights))
    order = np.lexsort((chance, *space.codes.T))
    return replace(
        space,
        codes=space.codes[order],
        weights=space.weights[order],
        owners=space.owners[order],
        sensitive={name: (codes[order], values) for name, (codes, values) in space.sensitive.items()},
    )


def _cluster(space: Space, rules: CutRules, how: ClusterRules, progress: Progress) -> Partition:
    start = mondrian(space, rules, progress=progress)
    units = make_units(space, rules)
    part_of_point = _parts(start.tree, len(units) / max(1, len(space.weights)))
    part = part_of_point[units.origins]
    order = np.argsort(part, kind="stable")
    chosen = np.split(order, np.cumsum(np.bincount(part))[:-1])
    progress(say("forming classes of near rows"), 0.0)

    def form(some: Integers) -> Integers:
        return _form_part(units, some, start.classes[units.origins[some]], how)

    with ThreadPoolExecutor(usable_cores()) as pool:
        formed: list[Integers] = []
        for found in pool.map(form, chosen):
            formed.append(found)
            progress(say("forming classes of near rows"), len(formed) / len(chosen))
    classes = np.empty(len(units), np.int64)
    first = 0
    for some, found in zip(chosen, formed, strict=True):
        classes[some] = found + first
        first += int(found.max(initial=-1)) + 1
    return as_partition(units.space, classes[units.unit])


def _parts(tree: Tree, times: float) -> Integers:
    """The part of every point: the highest nodes of the tree with few enough units, ``times`` as many as points."""
    nodes = tree.nodes
    stretch = nodes[:, END] - nodes[:, START]
    is_small = (stretch * times <= MOST_TOGETHER) | (nodes[:, CHILD] < 0)
    found = np.zeros(len(tree.order), np.int64)
    level, number = np.zeros(1, np.int64), 0
    while len(level):
        for node in level[is_small[level]]:
            found[tree.order[nodes[node, START] : nodes[node, END]]] = number
            number += 1
        cut = level[~is_small[level]]
        level = np.concatenate([nodes[cut, CHILD], nodes[cut, CHILD] + 1])
    return found


def _form_part(units: Units, chosen: Integers, started: Integers, how: ClusterRules) -> Integers:
    """The class of every unit of a part; they were in ``started`` when they came."""
    from celosia.kernels.greedy_classes import form_classes, join_left_over
    from celosia.kernels.near import make_lists

    started = np.unique(started, return_inverse=True)[1]
    least, grade = units.rules.least, GRADES[how.effort]
    codes = units.codes[chosen]
    axes = join_axes(units.space, units.rules.weights or {})
    part = PartOfUnits(units, chosen, join_points(units.space, codes), axes)
    orders = sort_orders(codes, grade.orders, how.seed)
    length = max(1, min(grade.length, len(chosen) - 1))
    lists, distances = make_lists(part.points, orders, axes, window=grade.window, length=length)
    begun = [started]
    if not units.further:
        near = np.minimum(distances[:, : max(1, least - 1)], len(units.space.axes)).sum(axis=1)
        formed = form_classes(
            part.points,
            part.weights,
            lists,
            np.argsort(near, kind="stable"),
            axes,
            least=least,
            values=part.values,
            wanted=part.wanted,
        )
        begun.append(join_left_over(part.points, part.weights, lists, axes, formed))
    best = _best_start(part, begun)
    return refine_classes(part, best, lists, replace(grade.refining, seed=how.seed))


def _best_start(part: PartOfUnits, begun: Sequence[Integers]) -> Integers:
    from celosia.kernels import class_state, refine

    losses = [
        refine.begin(part.points, part.axes, class_state.make_state(part.points, classes, part.weights))
        for classes in begun
    ]
    return begun[int(np.argmin(losses))]


def as_partition(space: Space, classes: Integers) -> Partition:
    """Classes that no tree of cuts leads to, as a partition: their points one class after the other."""
    order = np.argsort(classes, kind="stable")
    sizes = np.bincount(classes)
    ends = np.cumsum(sizes)
    starts = ends - sizes
    rows = np.bincount(classes, weights=space.weights).astype(np.int64)
    nodes = np.full((len(sizes), 6), -1, np.int64)
    nodes[:, START], nodes[:, END], nodes[:, ROWS], nodes[:, 5] = starts, ends, rows, 0
    ordered = space.codes[order]
    low, high = np.minimum.reduceat(ordered, starts, axis=0), np.maximum.reduceat(ordered, starts, axis=0)
    return Partition(space=space, tree=Tree(nodes, order), classes=classes, low=low, high=high, rows=rows)
