"""Random small tables with hierarchies, and a brute force that shares nothing with the product."""

import itertools
import math
import operator
from collections import Counter, defaultdict
from datetime import date
from typing import NamedTuple

import numpy as np
import polars as pl
from hypothesis import strategies as st

from celosia.hierarchies import Hierarchy
from celosia.tables.table import Counts

# --- random tables
# ----------------------------------------------------------------------------------------------


class SmallTable(NamedTuple):
    """Quasi-identifiers by name, and rows with one cell for each of them and a last one for the sensitive ``s``.

    ``paths[name]`` holds one path per value, the value first and the root last; for ``s`` too. ``population`` are rows
    of the same form: those of the table, and some of other people.
    """

    names: list[str]
    paths: dict[str, list[tuple[str, ...]]]
    rows: list[tuple[str | None, ...]]
    population: list[tuple[str | None, ...]]


@st.composite
def paths_of(draw, column, values):
    """A random hierarchy of the values with one root; a single value may be its own root."""
    if len(values) == 1 and draw(st.booleans()):
        return [(values[0],)]
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
def tables(draw):
    """Up to 30 rows over 1 to 3 quasi-identifiers of 1 to 6 texts, numbers or days, some of them missing."""
    names = ["a", "b", "c"][: draw(st.integers(1, 3))]
    forms = {name: draw(st.sampled_from([f"{name}{{}}", "{}", "2024-05-{:02d}"])) for name in names}
    values = {name: [forms[name].format(8 + i) for i in range(draw(st.integers(1, 6)))] for name in names}
    values["s"] = ["1", "2", "3", "10"]  # 10 is after 2 as a number and before it as a text
    paths = {name: draw(paths_of(name, values[name])) for name in values}
    cells = [[*values[name], None] for name in names] + [[*values["s"], *values["s"], None]]
    # One number per row, written in the mixed base of the columns: many times faster to draw than its cells.
    size = draw(st.integers(1, 30))
    codes = st.integers(0, math.prod(map(len, cells)) - 1)
    rows = [_row(code, cells) for code in draw(st.lists(codes, min_size=size, max_size=size))]
    others = [_row(code, cells) for code in draw(st.lists(codes, max_size=30))]
    return SmallTable(names, paths, rows, rows + others)


def _row(code, cells):
    row = []
    for column in cells:
        code, digit = divmod(code, len(column))
        row.append(column[digit])
    return tuple(row)


def counts_of(table):
    """What a table's count_by would give."""
    return _counted(table.rows, [*table.names, "s"])


def population_of(table):
    """What count_by would give of the quasi-identifiers of the population."""
    return _counted([row[:-1] for row in table.population], table.names)


def _counted(rows, names):
    """Values have the type that their texts have, and its order; a missing one is the last."""
    counted = Counter(rows)
    values, codes = [], []
    for place in range(len(names)):
        texts = sorted({row[place] for row in counted} - {None})
        typed = _typed(texts)
        order = typed.arg_sort().to_list()
        distinct = [texts[i] for i in order] + [None] * any(row[place] is None for row in counted)
        values.append(typed.gather(order).extend_constant(None, len(distinct) - len(texts)))
        codes.append(np.array([distinct.index(row[place]) for row in counted], np.int32))
    return Counts(tuple(names), tuple(values), tuple(codes), np.array(list(counted.values()), np.int64))


def _typed(texts):
    if texts and all(text.isdigit() for text in texts):
        return pl.Series(list(map(int, texts)), dtype=pl.Int64)
    if texts and all(text.startswith("2024-") for text in texts):
        return pl.Series(list(map(date.fromisoformat, texts)), dtype=pl.Date)
    return pl.Series(texts, dtype=pl.String)


def hierarchy_objects(table):
    return {name: Hierarchy.from_rows(name, paths) for name, paths in table.paths.items()}


# --- releases
# ---------------------------------------------------------------------------------------------------


class Release(NamedTuple):
    """A table recoded to a node: class label -> its original rows, for classes kept and classes suppressed."""

    table: SmallTable
    node: tuple[int, ...]
    kept: dict[tuple[str | None, ...], list[tuple[str | None, ...]]]
    gone: dict[tuple[str | None, ...], list[tuple[str | None, ...]]]

    @property
    def suppressed(self):
        return sum(map(len, self.gone.values()))


def generalized(value, paths, level):
    """The label of a value at a level; a missing one joins the rest only at a root above the values."""
    top = len(paths[0]) - 1
    if value is None:
        return "*" if level == top > 0 else None
    return next(path[level] for path in paths if path[0] == value)


def all_nodes(table):
    return list(itertools.product(*(range(len(table.paths[name][0])) for name in table.names)))


def label_of(row, node, table):
    places = enumerate(zip(table.names, node, strict=True))
    return tuple(generalized(row[i], table.paths[name], level) for i, (name, level) in places)


def release_at(node, table, holds, leaves=None):
    """Classes that fail ``holds(members, all kept rows, paths of s)`` are suppressed until none fails.

    Those that ``leaves(classes kept, node, table)`` names are too, whenever none fails.
    """
    kept, gone = defaultdict(list), {}
    for row in table.rows:
        kept[label_of(row, node, table)].append(row)
    while True:
        whole = [row for members in kept.values() for row in members]
        failing = [label for label, members in kept.items() if not holds(members, whole, table.paths["s"])]
        if not failing and leaves is not None:
            failing = leaves(kept, node, table)
        if not failing:
            return Release(table, node, kept, gone)
        for label in failing:
            gone[label] = kept.pop(label)


def is_valid(release, limit):
    """Few enough rows are suppressed, and not all of them."""
    return release.suppressed <= limit * len(release.table.rows) + 1e-9 and bool(release.kept)


# --- utility measures, over the cells or over the rows
# ----------------------------------------------------------


def cells_of(release, place):
    """Of one column: (original value, label released, whether suppressed) -> in how many rows."""
    cells = Counter()
    for is_gone, classes in ((False, release.kept), (True, release.gone)):
        for label, members in classes.items():
            cells.update((row[place], label[place], is_gone) for row in members)
    return cells


def mean_over_cells(release, weights, cost):
    """Mean of ``cost(place, label)``, each cell weighted as its column; a suppressed cell costs 1."""
    paid = total = 0.0
    for place, name in enumerate(release.table.names):
        weight = weights.get(name, 1.0)
        for (_, label, is_gone), count in cells_of(release, place).items():
            paid += weight * count * (1.0 if is_gone else cost(place, label))
            total += weight * count
    return paid / total


def loss(release, weights):
    """The share of its column's values that a cell leaves possible, 0 if it is only one."""
    table = release.table

    def possible(place, label):
        paths = table.paths[table.names[place]]
        values = [path[0] for path in paths] + [None] * any(row[place] is None for row in table.rows)
        under = [value for value in values if generalized(value, paths, release.node[place]) == label]
        return len(under) / len(values) if len(under) > 1 else 0.0

    return mean_over_cells(release, weights, possible)


def precision(release, weights):
    """The level of a cell over the height of its hierarchy; at a hierarchy without height nothing is lost."""

    def climbed(place, label):
        height = len(release.table.paths[release.table.names[place]][0]) - 1
        return release.node[place] / height if height else 0.0

    return mean_over_cells(release, weights, climbed)


def sum_of_heights(release, weights):
    """Mean over the rows of what their cells climbed, a suppressed row having climbed all the way everywhere."""
    names = release.table.names
    tops = [len(release.table.paths[name][0]) - 1 for name in names]
    shares = [level / top if top else 0.0 for level, top in zip(release.node, tops, strict=True)]
    weighed = [weights.get(name, 1.0) for name in names]
    climbed = sum(weight * share for weight, share in zip(weighed, shares, strict=True))
    kept = len(release.table.rows) - release.suppressed
    return (kept * climbed + release.suppressed * sum(weighed)) / len(release.table.rows)


def height(release, weights):
    """The weighted sum of the levels."""
    return sum(
        weights.get(name, 1.0) * level for name, level in zip(release.table.names, release.node, strict=True)
    )


def bits_lost(release, weights):
    """Of the bits it takes to guess every original cell from an empty table, the share that it now takes.

    Among the N rows with a label, N' of which have the original value, guessing takes log2(N / N') bits.
    """
    rows = release.table.rows
    lost = there_were = 0.0
    for place, name in enumerate(release.table.names):
        weight = weights.get(name, 1.0)
        originals = Counter(row[place] for row in rows)
        cells = cells_of(release, place)
        labels = Counter()
        for (_, label, _), count in cells.items():
            labels[label] += count
        for (original, label, is_gone), count in cells.items():
            sharing = len(rows) if is_gone else labels[label]
            lost += weight * count * math.log2(sharing / originals[original])
            there_were += weight * count * math.log2(len(rows) / originals[original])
    return lost / there_were if there_were else 0.0


def discernibility(release, weights):
    """Each row pays the size of its class, a suppressed one the size of the table."""
    sizes = [len(members) for members in release.kept.values() for _ in members]
    return float(sum(sizes) + release.suppressed * len(release.table.rows))


def class_size(release, weights):
    """Rows per class, the suppressed ones being one class."""
    return len(release.table.rows) / (len(release.kept) + bool(release.gone))


MEASURES = {
    "loss": loss,
    "precision": precision,
    "height": height,
    "entropy": bits_lost,
    "discernibility": discernibility,
    "class-size": class_size,
    "sum-of-heights": sum_of_heights,
}


# --- privacy models, of the rows of a class and of all rows kept
# ------------------------------------------------


def shares_of(rows):
    return {value: count / len(rows) for value, count in Counter(row[-1] for row in rows).items()}


def distinct_values(members):
    return len({row[-1] for row in members})


def entropy(members):
    return -sum(share * math.log(share) for share in shares_of(members).values())


def is_recursive(members, c, l):  # noqa: E741
    counts = sorted(Counter(row[-1] for row in members).values(), reverse=True)
    return counts[0] < c * sum(counts[l - 1 :])


def equal_distance(members, whole):
    """Half of all differences between shares."""
    here, there = shares_of(members), shares_of(whole)
    return sum(abs(here.get(value, 0.0) - share) for value, share in there.items()) / 2


def ordered_distance(members, whole):
    """Earth mover's distance over the values in numeric order, a missing one last."""
    here, there = shares_of(members), shares_of(whole)
    values = sorted(there, key=lambda value: math.inf if value is None else int(value))
    if len(values) < 2:
        return 0.0
    moved = carried = 0.0
    for value in values[:-1]:
        carried += here.get(value, 0.0) - there[value]
        moved += abs(carried)
    return moved / (len(values) - 1)


def hierarchical_distance(members, whole, paths):
    """Li, Li and Venkatasubramanian's sum over the inner nodes of a tree, from the leaves up.

    What the children of a node have too much and too little of is evened out as far as it goes, over
    (the node's level / height of the tree); the rest goes up. A missing value is a child of the root.
    """
    here, there = shares_of(members), shares_of(whole)
    top = len(paths[0]) - 1
    surplus = {path[0]: here.get(path[0], 0.0) - there.get(path[0], 0.0) for path in paths}
    moved = 0.0
    for level in range(1, top + 1):
        children = defaultdict(list)
        for label, extra in surplus.items():
            parent = next(path[level] for path in paths if path[level - 1] == label)
            children[parent].append(extra)
        if level == top:
            children["*"].append(here.get(None, 0.0) - there.get(None, 0.0))
        for extras in children.values():
            evened = min(sum(x for x in extras if x > 0), -sum(x for x in extras if x < 0))
            moved += max(0.0, evened) * level / top
        surplus = {parent: sum(extras) for parent, extras in children.items()}
    return moved


def largest_share(members):
    return max(shares_of(members).values())


def largest_gain(members, whole):
    """By how much, over its share of the whole, a value is likelier in a class; and what -ln of it would allow."""
    here, there = shares_of(members), shares_of(whole)
    return {
        value: ((share - there[value]) / there[value], -math.log(there[value]))
        for value, share in here.items()
    }


def largest_change(members, whole):
    """The farthest that the logarithm of a share is from that in the whole; a value that lacks is infinitely far."""
    here, there = shares_of(members), shares_of(whole)
    return max(
        abs(math.log(here[value] / share)) if value in here else math.inf for value, share in there.items()
    )


# --- privacy models of all classes together, of populations and of labels: which of the classes kept have to leave
# ------------------------------------------------------------------------------------------------------------------


def fewest(kept, node, table, fails):
    """The classes of the fewest rows without which the sizes of the others do not fail, of all sets of classes.

    Of equally few rows those of the smaller classes leave; of classes of one size the first, by their labels in the
    order of the hierarchies, the last column first.
    """
    times = Counter(map(len, kept.values()))
    sizes = sorted(times, reverse=True)
    chosen = [
        stay
        for stay in itertools.product(*(range(times[size] + 1) for size in sizes))
        if not any(stay) or not fails([size for size, n in zip(sizes, stay, strict=True) for _ in range(n)])
    ]
    best = max(chosen, key=lambda stay: (sum(map(operator.mul, sizes, stay)), stay))
    leaving = {size: times[size] - n for size, n in zip(sizes, best, strict=True)}
    found = []
    for label in sorted(kept, key=lambda label: _place(label, node, table)):
        if leaving[len(kept[label])]:
            leaving[len(kept[label])] -= 1
            found.append(label)
    return found


def _place(label, node, table):
    """Where the labels of a class stand in their hierarchies, the last column first; what is missing comes last."""
    hierarchies = hierarchy_objects(table)
    found = []
    for name, level, text in zip(table.names, node, label, strict=True):
        labels = hierarchies[name].labels[level]
        found.append(len(labels) if text is None else labels.index(text))
    return found[::-1]


def people_in(label, node, table):
    return sum(label_of(row, node, table) == label for row in table.population)


def too_present(kept, node, table, low, high):
    """Classes out of bounds; all of them if there is a lower bound and somebody fits none or one out of bounds."""
    bad = []
    for label, members in kept.items():
        share = len(members) / people_in(label, node, table)
        if share > high + 1e-9 or share < low - 1e-9:
            bad.append(label)
    nobodys = any(label_of(row, node, table) not in kept for row in table.population)
    return list(kept) if low > 0 and (bad or nobodys) else bad


def information_lost(label, node, table):
    """The logarithms of the values that labels stand for, over those of all values."""
    lost = most = 0.0
    for name, level, text in zip(table.names, node, label, strict=True):
        paths = table.paths[name]
        lost += math.log(max(1, sum(path[level] == text for path in paths)))
        most += math.log(len(paths))
    return lost / most if most else 0.0


def zayatz(sizes, fraction):
    """Zayatz's estimate of the share of the population that is unique, with binomial coefficients."""
    rows = sum(sizes)
    people = max(rows, round(rows / fraction))
    alone = sizes.count(1)
    if people == rows:
        return alone / people

    def once(size):
        return size * math.comb(people - size, rows - 1) / math.comb(people, rows)

    uniques = alone * alone * once(1) / sum(map(once, sizes)) * people / rows if alone else 0.0
    return uniques / people
