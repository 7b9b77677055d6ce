"""Random small tables with columns of all kinds, their spaces, and the privacy models by their definitions."""

import math
from datetime import date, timedelta
from typing import NamedTuple

import polars as pl
from hypothesis import strategies as st
from small_tables import (
    distinct_values,
    entropy,
    equal_distance,
    hierarchical_distance,
    is_recursive,
    ordered_distance,
    paths_of,
)

from celosia.hierarchies import Hierarchy
from celosia.privacy import DistinctLDiversity, EntropyLDiversity, RecursiveCLDiversity, TCloseness
from celosia.recode.space import build_space
from celosia.tables import open_table

INFINITE = math.inf
CLOSE = 1e-9
CELLS = {
    "integer": [-3, -1, 0, 1, 2, 5, 40],
    "real": [-INFINITE, -0.5, 0.0, 0.25, 3.0, 7.5, INFINITE],
    "date": [date(2024, 2, 26) + timedelta(days=day) for day in (0, 1, 3, 4, 50)],
    "text": ["a", "b", "c", "d", "e"],
    "tree": ["p", "q", "r", "s", "t", "u"],
    "number tree": [1, 2, 5, 8],
}
DTYPES = {"integer": pl.Int64, "number tree": pl.Int64, "real": pl.Float64, "date": pl.Date}
SECRETS = ["1", "2", "3", "10"]


class Table(NamedTuple):
    """Columns by name, each of a kind of ``CELLS``; rows with a cell for each and a last one, the sensitive ``s``."""

    kinds: dict[str, str]
    rows: list[tuple[object, ...]]
    paths: dict[str, list[tuple[str, ...]]]

    @property
    def names(self):
        return list(self.kinds)

    @property
    def hierarchies(self):
        return {name: Hierarchy.from_rows(name, paths) for name, paths in self.paths.items()}


@st.composite
def tables(draw, kinds=tuple(CELLS), most=40, columns=4, with_missing=True):
    chosen = [draw(st.sampled_from(kinds)) for _ in range(draw(st.integers(1, columns)))]
    names = {f"{kind[0]}{place}": kind for place, kind in enumerate(chosen)}
    cells = [CELLS[kind][: draw(st.integers(1, 9))] + [None] * with_missing for kind in chosen] + [SECRETS]
    # One number per row, written in the mixed base of the columns: many times faster to draw than its cells.
    codes = st.lists(st.integers(0, math.prod(map(len, cells)) - 1), min_size=2, max_size=most)
    rows = [row_of(code, cells) for code in draw(codes)]
    paths = {
        name: draw(paths_of(name, [str(value) for value in CELLS[kind]]))
        for name, kind in names.items()
        if kind.endswith("tree")
    }
    return Table(names, rows, {**paths, "s": draw(paths_of("s", SECRETS))})


def row_of(code, cells):
    row, rest = [], code
    for values in cells:
        rest, digit = divmod(rest, len(values))
        row.append(values[digit])
    return tuple(row)


def frame_of(table):
    columns = {
        name: pl.Series([row[place] for row in table.rows], dtype=DTYPES.get(kind, pl.String))
        for place, (name, kind) in enumerate(table.kinds.items())
    }
    return pl.DataFrame({**columns, "s": [row[-1] for row in table.rows]})


def space_of(table, *, sensitive=False):
    opened = open_table(frame_of(table))
    counts = opened.count_by([*table.names, *(["s"] if sensitive else [])])
    space = build_space(
        counts,
        quasi_identifiers=table.names,
        types={column.name: column.type for column in opened.schema()},
        hierarchies={name: one for name, one in table.hierarchies.items() if name != "s"},
    )
    return space, counts


def members(partition):
    space = partition.space
    columns = [
        [axis.values[int(code)] for code in codes]
        for axis, codes in zip(space.axes, space.codes.T, strict=True)
    ]
    if "s" in space.sensitive:
        codes, values = space.sensitive["s"]
        columns.append([values[code] for code in codes])
    classes = [[] for _ in range(len(partition))]
    for row, weight, number in zip(zip(*columns, strict=True), space.weights, partition.classes, strict=True):
        classes[number] += [row] * int(weight)
    return classes


def range_of(cells, is_number):
    """As a range is written: one value as it is, a missing one beside others tells nothing."""
    present = [cell for cell in cells if cell is not None]
    if len(set(cells)) == 1:
        return None if not present else str(present[0])
    if len(present) < len(cells):
        return "*"
    return f"[{min(present)}{is_number}{max(present)}]"


def lowest_label(cells, paths):
    """The first label, going up, that all values have; a missing one agrees with others at the root only."""
    if set(cells) == {None}:
        return None
    ways_up = [next(path for path in paths if path[0] == str(cell)) for cell in cells if cell is not None]
    if None in cells:
        return "*"
    return next(labels[0] for labels in zip(*ways_up, strict=True) if len(set(labels)) == 1)


def is_real(cell):
    return isinstance(cell, float)


def share_of(cells, table, place, *, sets=False):
    """The part of its column that a class covers: of the range, or of the values under its label or in its set."""
    name, kind = list(table.kinds.items())[place]
    column = [row[place] for row in table.rows]
    if len(set(cells)) == 1:
        return 0.0
    if kind == "tree":
        label, paths = lowest_label(cells, table.paths[name]), table.paths[name]
        if label == "*":
            return 1.0
        return sum(label in path for path in paths) / (len(paths) + (None in column))
    if None in cells or INFINITE in map(abs, filter(is_real, cells)):
        return 1.0
    if kind == "text":
        ranks = sorted({cell for cell in column if cell is not None})
        ends = (0, len(set(cells)) - 1) if sets else (ranks.index(min(cells)), ranks.index(max(cells)))
        return (ends[1] - ends[0]) / (len(ranks) - 1)
    finite = [cell for cell in column if cell is not None and not (is_real(cell) and math.isinf(cell))]
    return (max(cells) - min(cells)) / (max(finite) - min(finite))


GOALS = {
    "distinct l": (DistinctLDiversity(column="s", l=2), lambda one, whole, paths: distinct_values(one) >= 2),
    "entropy l": (
        EntropyLDiversity(column="s", l=1.8),
        lambda one, whole, paths: entropy(one) >= math.log(1.8) - CLOSE,
    ),
    "recursive l": (
        RecursiveCLDiversity(column="s", c=2, l=2),
        lambda one, whole, paths: is_recursive(one, 2, 2),
    ),
    "equal t": (
        TCloseness(column="s", t=0.35),
        lambda one, whole, paths: equal_distance(one, whole) <= 0.35 + CLOSE,
    ),
    "ordered t": (
        TCloseness(column="s", t=0.2, distance="ordered"),
        lambda one, whole, paths: ordered_distance(one, whole) <= 0.2 + CLOSE,
    ),
    "hierarchical t": (
        TCloseness(column="s", t=0.25, distance="hierarchical"),
        lambda one, whole, paths: hierarchical_distance(one, whole, paths) <= 0.25 + CLOSE,
    ),
}
