"""Local recoding by repeated search: the rows that a node would suppress are searched again, until each has a class.

Nodes are tried from the cheapest on. At each of them the classes that satisfy the privacy models are released and the
search goes on with the other rows; what is left after the last node shows the root. Then every class is split into
finer ones, column by column, for as long as the parts satisfy the models.
"""

import heapq
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import polars as pl

from celosia.errors import ProjectError
from celosia.measure.utility import CellMeasure, ClassMeasure, Measure, NodeTally, utility_measures
from celosia.recode.domain import Codes, Domain
from celosia.recode.evaluate import Evaluator
from celosia.recode.frequency import FrequencySet
from celosia.recode.known_splits import specialize_groups
from celosia.recode.lattice import Node
from celosia.recode.optimal import LARGEST_LATTICE, optimal_search
from celosia.recode.repeated_partition import (
    SAME,
    Floats,
    RepeatedPartition,
    group,
    label_numbers,
    pack,
    part_of,
)
from celosia.say import say
from celosia.tables.table import Assignment, Counts, Progress, no_progress
from celosia.types import either

__all__ = ["LocalResult", "ReleasedAtNode", "assign_classes", "check_measure", "repeated_search"]

# Fewer lose more, all of them take longer for hardly less loss; `benchmarks/mondrian.py` prints what this gives.
NODES = 2_500
WORK = 40_000_000
"""Keys that are grouped for a single node in a lattice too large to be searched to the end."""


@dataclass(frozen=True)
class ReleasedAtNode:
    """The rows that are released at one node, and how many classes have such rows."""

    node: Node
    rows: int
    classes: int


@dataclass(frozen=True)
class LocalResult:
    """A local recoding: ``steps`` from the cheapest node on, and where every combination of the domain is.

    ``step_of[combination]`` and ``class_of[combination]`` are -1 where it is suppressed; what shows the same labels is
    in the same class. ``measures`` are those that say something about a recoding in which classes have nodes of their
    own. ``checks`` tells how many times classes were held against the models.
    """

    steps: tuple[ReleasedAtNode, ...]
    step_of: Codes
    class_of: Codes
    measures: Mapping[str, float]
    suppressed: int
    checks: int
    seconds: float
    note: str

    @property
    def classes(self) -> int:
        """How many classes are released."""
        return int(self.class_of.max(initial=-1)) + 1


def check_measure(measure: CellMeasure) -> None:
    """Raise if a measure cannot lead a search in which classes have nodes of their own."""
    if not _is_by_label(measure):
        raise ProjectError(
            say(
                "{measure} says nothing about a recoding in which classes have nodes of their own",
                measure=measure.name,
            ),
            where="measure",
            remedy=say(
                "use {measures}",
                measures=either(one.name for one in utility_measures().values() if _is_by_label(one)),
            ),
        )


def repeated_search(
    evaluator: Evaluator,
    measure: CellMeasure,
    *,
    nodes: int = NODES,
    seed: int = 0,
    progress: Progress = no_progress,
) -> LocalResult:
    """A local recoding of low cost by ``measure``, found by trying the ``nodes`` cheapest nodes one after the other.

    It costs no more than the best single node. Rows are suppressed only where generalizing cannot satisfy the models
    or costs more, and no more of them than the evaluator allows; if that is not enough, ``NoSolutionError``.

    >>> from celosia.hierarchies import Hierarchy
    >>> from celosia.measure.utility import get_measure
    >>> from celosia.privacy import KAnonymity
    >>> from celosia.recode.domain import build_domain
    >>> counted = Counts(("zip",), (pl.Series(["11", "12", "21"]),), (np.arange(3),), np.array([4, 2, 1]))
    >>> zips = Hierarchy.from_rows("zip", [("11", "1*", "**"), ("12", "1*", "**"), ("21", "2*", "**")])
    >>> domain = build_domain(counted, {"zip": zips}, quasi_identifiers=["zip"])
    >>> loss = get_measure("loss")
    >>> result = repeated_search(Evaluator(domain, [KAnonymity(k=3)], measures=[loss]), loss)
    >>> result.steps
    (ReleasedAtNode(node=(0,), rows=4, classes=1), ReleasedAtNode(node=(2,), rows=3, classes=1))
    >>> assign_classes(domain, result).released["zip"].to_list()
    ['11', '**']
    """
    check_measure(measure)
    started = time.perf_counter()
    evaluator = evaluator.with_measures([measure])
    before = evaluator.checks
    units, unit_of = _units(evaluator)
    evaluator.sets.expect(nodes * len(units))
    found, members = _search(evaluator, measure, units, nodes=nodes, seed=seed, progress=progress)
    place = np.full(len(units), -1)
    place[members] = np.arange(len(members))
    steps, step_of, class_of = _described(found, place[unit_of])
    progress(say("searching"), 1.0)
    return LocalResult(
        steps=steps,
        step_of=step_of,
        class_of=class_of,
        measures=_measured(found, class_of),
        suppressed=evaluator.domain.rows - int(found.units.counts.sum()),
        checks=evaluator.checks - before,
        seconds=time.perf_counter() - started,
        note=say("cheapest nodes first, then finer classes: a better local recoding may exist"),
    )


def assign_classes(domain: Domain, result: LocalResult) -> Assignment:
    """The class of every combination of quasi-identifier values, and the labels that each class shows.

    The combinations are those that remain when missing values are filled in and rows left out as the domain says.
    """
    numbered = pl.DataFrame({str(place): codes for place, codes in enumerate(domain.codes)})
    distinct = (
        numbered.with_columns(rows=domain.counts, first=np.arange(len(domain.counts)))
        .group_by(numbered.columns, maintain_order=True)
        .agg(pl.col("first").first(), pl.col("rows").sum())
        .sort(numbered.columns)  # as combinations are always counted
    )
    first, rows = distinct["first"].to_numpy(), distinct["rows"].to_numpy()
    combinations = Counts(
        domain.names,
        tuple(column.values for column in domain.columns),
        tuple(codes[first].astype(np.int32) for codes in domain.codes),
        rows,
    )
    shown = np.unique(result.class_of, return_index=True)[1][-result.classes :]  # a combination of each class
    nodes = np.array([step.node for step in result.steps])[result.step_of[shown]]
    released = {}
    for column, codes, levels in zip(domain.columns, domain.codes, nodes.T, strict=True):
        numbers, texts = label_numbers(column)
        released[column.name] = pl.Series(texts, dtype=pl.String).gather(numbers[levels, codes[shown]])
    return Assignment(
        combinations, np.arange(len(first)), result.class_of[first], rows, pl.DataFrame(released)
    )


def _is_by_label(measure: Measure) -> bool:
    """Whether a cell pays for its label alone, in however many rows the label stands."""
    return (
        isinstance(measure, CellMeasure)
        and measure.is_share
        and measure.full is not None
        and measure.full(1) == measure.full(2)
    )


def _units(evaluator: Evaluator) -> tuple[FrequencySet, Codes]:
    """The rows that share all quasi-identifier values, as units that never part, and the unit of each combination."""
    domain, sets = evaluator.domain, evaluator.sets
    keys = pack(sets, domain.codes)
    every = np.arange(len(keys))
    entries = tuple((every, codes, domain.counts) for codes, _ in domain.sensitive.values())
    return group(sets, FrequencySet(keys, domain.counts, entries))


def _search(
    evaluator: Evaluator,
    measure: CellMeasure,
    units: FrequencySet,
    *,
    nodes: int,
    seed: int,
    progress: Progress,
) -> tuple[RepeatedPartition, Codes]:
    """A partition of some units, and which these are; the others are suppressed."""
    top, costs = evaluator.lattice.top, _costs(evaluator, measure)[0]
    every = np.arange(len(units))
    found = RepeatedPartition(evaluator, units, node=top, costs=costs)
    if found.is_valid:
        # Classes released early use up the rarer sensitive values; often it is better to split the root alone.
        has_sensitive = any(model.column is not None for model in evaluator.models)
        options = [
            _from_root(evaluator, units, costs, nodes=tried, progress=progress)
            for tried in ((0, nodes) if has_sensitive else (nodes,))
        ]
        found = min(options, key=lambda one: one.price(costs))
        if evaluator.lattice.size > LARGEST_LATTICE:  # its best node is not known
            return found, every
    if evaluator.needs_labels:
        return _by_groups(evaluator, measure, units, found, seed=seed)
    work = WORK if evaluator.lattice.size > LARGEST_LATTICE else None
    single = optimal_search(evaluator, measure, work=work, seed=seed).best
    if found.is_valid and found.price(costs) <= single.measures[measure.name] * SAME:
        return found, every
    classes, class_of = RepeatedPartition(evaluator, units, node=top, costs=costs).at(single.node)
    members = np.flatnonzero(~evaluator.violations(classes, single.node)[class_of])
    found = RepeatedPartition(evaluator, part_of(units, members), node=single.node, costs=costs)
    found.specialize()
    return found, members


def _by_groups(
    evaluator: Evaluator, measure: CellMeasure, units: FrequencySet, found: RepeatedPartition, *, seed: int
) -> tuple[RepeatedPartition, Codes]:
    """The cheapest of three that groups allow to split on: classes good by themselves, the best node, and the root."""
    costs, suppressed = _costs(evaluator, measure)
    every = np.arange(len(units))
    options = []
    if found.is_valid:
        found.by_groups = True
        specialize_groups(found)
        options.append((found, every))
    single = optimal_search(evaluator, measure, seed=seed).best
    for node in dict.fromkeys([single.node, evaluator.lattice.top]):
        classes, class_of = RepeatedPartition(evaluator, units, node=node, costs=costs).at(node)
        members = np.flatnonzero(~evaluator.violations(classes, node)[class_of])
        if node != single.node and len(members) < len(units):
            continue
        split = RepeatedPartition(evaluator, part_of(units, members), node=node, costs=costs, by_groups=True)
        specialize_groups(split)
        options.append((split, members))

    def price(option: tuple[RepeatedPartition, Codes]) -> float:
        gone = evaluator.domain.rows - int(option[0].units.counts.sum())
        return option[0].price(costs) + gone * suppressed

    return min(options, key=price)


def _from_root(
    evaluator: Evaluator, units: FrequencySet, costs: Sequence[Floats], *, nodes: int, progress: Progress
) -> RepeatedPartition:
    """Release what can be at one node after the other, until nothing more can be spared; then split."""
    found = RepeatedPartition(evaluator, units, node=evaluator.lattice.top, costs=costs)
    for number, node in enumerate(
        islice(_cheapest_nodes(evaluator.domain, costs, evaluator.lattice.bottom), nodes)
    ):
        progress(say("searching"), number / nodes)
        if not len(found.rest) or not found.release(node):
            break
    found.specialize()
    return found


def _costs(evaluator: Evaluator, measure: CellMeasure) -> tuple[list[Floats], float]:
    """What a row pays, ``costs[column][level, value]``, and what it pays if it is suppressed."""
    costs, suppressed = evaluator.row_costs(measure)
    by_value = [
        np.stack([paid[codes] for paid, codes in zip(levels, column.levels, strict=True)])
        for levels, column in zip(costs, evaluator.domain.columns, strict=True)
    ]
    return by_value, suppressed


def _cheapest_nodes(domain: Domain, costs: Sequence[Floats], bottom: Node) -> Iterator[Node]:
    """All nodes from the bottom on, by what the whole table would pay there.

    No more of the lattice is held than was asked for.

    Every node but the bottom comes from one other, which is one level lower in its last column above it.
    """
    columns = [
        (table @ column.rows[0][column.levels[0]]).tolist()
        for table, column in zip(costs, domain.columns, strict=True)
    ]
    start = sum(levels[floor] for levels, floor in zip(columns, bottom, strict=True))
    heap = [(start, bottom, 0)]
    while heap:
        cost, node, last = heapq.heappop(heap)
        yield node
        for place in range(last, len(columns)):
            level, levels = node[place], columns[place]
            if level + 1 < len(levels):
                higher = (*node[:place], level + 1, *node[place + 1 :])
                heapq.heappush(heap, (cost + levels[level + 1] - levels[level], higher, place))


def _described(found: RepeatedPartition, place: Codes) -> tuple[tuple[ReleasedAtNode, ...], Codes, Codes]:
    """The steps, and for each combination its step and its class; ``place`` is its unit, -1 if it is suppressed."""
    nodes = found.nodes[found.owner]
    at, step_of = group(found.sets, replace(found.units, keys=nodes.astype(np.uint64)))
    costs = sum(
        (table @ np.bincount(values, found.units.counts, table.shape[1]))[levels]
        for table, values, levels in zip(found.costs, found.values, at.keys.T, strict=True)
    )
    order = np.lexsort((*at.keys.T[::-1], costs))
    step_of = np.argsort(order)[step_of]
    labels = [
        label_numbers(column)[0][levels, values]
        for column, levels, values in zip(found.evaluator.domain.columns, nodes.T, found.values, strict=True)
    ]
    shown, class_of = group(found.sets, replace(found.units, keys=np.stack(labels, axis=1).astype(np.uint64)))
    classes = np.bincount(np.unique(step_of * len(shown) + class_of) // len(shown))
    steps = tuple(
        ReleasedAtNode(tuple(at.keys[one].tolist()), int(at.counts[one]), int(number))
        for one, number in zip(order, classes, strict=True)
    )
    is_kept = place >= 0
    result = np.full((2, len(place)), -1)
    result[0, is_kept] = step_of[place[is_kept]]
    _, first, number = np.unique(class_of[place[is_kept]], return_index=True, return_inverse=True)
    result[1, is_kept] = np.argsort(np.argsort(first))[number]  # in the order in which they first occur
    return steps, result[0], result[1]


def _measured(found: RepeatedPartition, class_of: Codes) -> dict[str, float]:
    """The measures that say something about a local recoding."""
    domain = found.evaluator.domain
    is_kept = class_of >= 0
    sizes = np.bincount(class_of[is_kept], domain.counts[is_kept]).astype(np.int64)
    gone = domain.rows - int(sizes.sum())
    squares = int(sizes @ sizes)
    tally = NodeTally(domain.rows, gone, gone, len(sizes), squares, len(sizes), squares)
    values = {}
    for name, measure in utility_measures().items():
        if isinstance(measure, ClassMeasure):
            values[name] = float(measure.value(tally))
        elif _is_by_label(measure):
            costs, suppressed = _costs(found.evaluator, measure)
            values[name] = found.price(costs) + gone * suppressed
    return values
