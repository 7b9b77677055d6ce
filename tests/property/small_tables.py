"""Random small tables with hierarchies, and a brute force that shares nothing with the product."""

import itertools
import math
from collections import Counter, defaultdict

import numpy as np
import polars as pl
from hypothesis import strategies as st

from celosia.hierarchies import Hierarchy
from celosia.tables.table import Counts


@st.composite
def hierarchies(draw, column):
    """A random hierarchy of 2 to 6 values and up to 3 levels above them, with one root."""
    values = [f"{column}{i}" for i in range(draw(st.integers(2, 6)))]
    paths = {value: [value] for value in values}
    groups = {value: value for value in values}
    for level in range(1, draw(st.integers(0, 2)) + 1):
        merged = {
            group: f"{column}-L{level}-{draw(st.integers(0, 2))}" for group in sorted(set(groups.values()))
        }
        groups = {value: merged[group] for value, group in groups.items()}
        for value in values:
            paths[value].append(groups[value])
    return [(*paths[value], "*") for value in values]


@st.composite
def tables(draw, *, sensitive=True, missing=True):
    """Rows, level tables per quasi-identifier, and a sensitive column."""
    names = ["a", "b", "c"][: draw(st.integers(1, 3))]
    levels = {name: draw(hierarchies(name)) for name in names}
    cells = [
        st.sampled_from([path[0] for path in levels[name]] + ([None] if missing else [])) for name in names
    ]
    if sensitive:
        cells.append(st.sampled_from(["1", "2", "3", "10"]))
    rows = draw(st.lists(st.tuples(*cells), min_size=1, max_size=30))
    return names, levels, rows


def counts_of(rows, names):
    """What a table's count_by would give."""
    counted = Counter(rows)
    values, codes = [], []
    for place in range(len(names)):
        distinct = sorted({row[place] for row in counted}, key=lambda value: (value is None, value))
        values.append(pl.Series(names[place], distinct, dtype=pl.String))
        codes.append(np.array([distinct.index(row[place]) for row in counted], np.int32))
    return Counts(tuple(names), tuple(values), tuple(codes), np.array(list(counted.values()), np.int64))


def hierarchy_objects(levels):
    return {name: Hierarchy.from_rows(name, paths) for name, paths in levels.items()}


def generalized(value, paths, level):
    """The label of a value at a level; a missing one joins the rest only at the root."""
    top = len(paths[0]) - 1
    if value is None:
        return "*" if level == top else None
    return next(path[level] for path in paths if path[0] == value)


def all_nodes(names, levels):
    return list(itertools.product(*(range(len(levels[name][0])) for name in names)))


def classes_at(node, names, levels, rows):
    """Class label -> its rows."""
    found = defaultdict(list)
    for row in rows:
        label = tuple(
            generalized(row[i], levels[name], level)
            for i, (name, level) in enumerate(zip(names, node, strict=True))
        )
        found[label].append(row)
    return found


def suppressed_at(node, names, levels, rows, holds):
    """Labels of classes that fail ``holds(class rows, all released rows)``, repeated until none fails."""
    kept = dict(classes_at(node, names, levels, rows))
    gone = {}
    while True:
        whole = [row for members in kept.values() for row in members]
        failing = [label for label, members in kept.items() if not holds(members, whole)]
        if not failing:
            return gone, kept
        for label in failing:
            gone[label] = kept.pop(label)


def loss_of(node, names, levels, rows, gone, weights=None):
    """NCP over all cells, a suppressed cell 1; a missing value is one more value of its column."""
    weights = weights or {}
    total = paid = 0.0
    for i, (name, level) in enumerate(zip(names, node, strict=True)):
        paths, weight = levels[name], weights.get(name, 1.0)
        has_missing = any(row[i] is None for row in rows)
        size = len(paths) + has_missing
        top = len(paths[0]) - 1
        for label, members in classes_at(node, names, levels, rows).items():
            shown = label[i]
            if label in gone:
                cost = 1.0
            elif shown is None:
                cost = 0.0
            else:
                leaves = sum(path[level] == shown for path in paths) + (has_missing and level == top)
                cost = leaves / size if leaves > 1 else 0.0
            paid += weight * cost * len(members)
            total += weight * len(members)
    return paid / total


def entropy(members):
    counted = Counter(row[-1] for row in members)
    return -sum(n / len(members) * math.log(n / len(members)) for n in counted.values())


def ordered_distance(members, whole):
    """Earth mover's distance over the values in numeric order."""
    values = sorted({row[-1] for row in whole}, key=int)
    if len(values) < 2:
        return 0.0
    here, there = Counter(row[-1] for row in members), Counter(row[-1] for row in whole)
    moved = carried = 0.0
    for value in values[:-1]:
        carried += here[value] / len(members) - there[value] / len(whole)
        moved += abs(carried)
    return moved / (len(values) - 1)
