"""Two released tables and nothing else: joined on what they share, as an attacker does who has only them.

Rows belong together if their labels allow a common value in every quasi-identifier that both show, and if they show the
same in every other column that both have. Of two classes whose labels meet, the rows that have such a partner in the
other are the *joined class*: it shows the narrower label of both. Its size is what this attack reaches; whoever knows
more can reach less, so it is no promise: that takes the key of the people, or the table that the releases were made of.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.ledger.join_by_values import PublishedTable
from celosia.measure.decode import DecodedColumn, LabelMeaning, decode_column
from celosia.measure.grouping import number_groups
from celosia.tables.table import Counts
from celosia.types import ColumnType

__all__ = ["JoinedClass", "TablesJoined", "join_tables", "label_overlap"]

GENERAL = re.compile(r"\*|^[\[({].*[\])}]$|^[<>≤≥]|^-?\d+(\.\d+)?\s*(-|–|\.\.|to)\s*-?\d+(\.\d+)?$")
"""What a label looks like that stands for several values: characters hidden, sets, intervals."""
NUMBERS = r"^\*$|^[\[(]?-?\d+(\.\d+)?(\s*(-|–|\.\.|to|,)\s*-?\d+(\.\d+)?)?[\])]?$"
"""Numbers and intervals of them: a column that shows nothing else held numbers."""
CHUNK = 1 << 22
"""Pairs of classes that are looked at together."""


@dataclass(frozen=True)
class JoinedClass:
    """Rows of two releases that belong together: what they show, and how many there are in each."""

    labels: Mapping[str, str | None]
    first: int
    second: int

    @property
    def rows(self) -> int:
        """The fewer of both."""
        return min(self.first, self.second)


@dataclass(frozen=True)
class TablesJoined:
    """What joining two tables finds, the smallest joined classes first; ``on`` are the columns they share."""

    k: int
    classes: tuple[JoinedClass, ...]
    on: tuple[str, ...]
    linked_by: tuple[str, ...]


def join_tables(first: PublishedTable, second: PublishedTable) -> TablesJoined:
    """Join two releases on all columns that they share.

    >>> from celosia.tables import open_table
    >>> one = pl.DataFrame({"zip": ["0213*", "0213*", "02141", "02141"], "problem": ["flu", "gout", "flu", "rash"]})
    >>> two = pl.DataFrame({"zip": ["02138", "02139", "02141", "02141"], "problem": ["flu", "gout", "flu", "rash"]})
    >>> found = join_tables(PublishedTable(open_table(one), ("zip",)), PublishedTable(open_table(two), ("zip",)))
    >>> found.k, [dict(one.labels) for one in found.classes if one.rows == 1]
    (1, [{'zip': '02138'}, {'zip': '02139'}])
    """
    on = tuple(name for name in first.quasi_identifiers if name in second.quasi_identifiers)
    told = {*first.quasi_identifiers, *second.quasi_identifiers}
    shared = set(second.table.columns())
    by = tuple(name for name in first.table.columns() if name in shared and name not in told)
    sides = [_Side(table, by) for table in (first, second)]
    meet = {
        name: label_overlap(
            name, *(side.values(name) for side in sides), hierarchy=_hierarchy(first, second, name), kind=kind
        )
        for name, kind in _kinds(first, second, on).items()
    }
    classes = sorted(_joined(sides, meet), key=lambda joined: (joined.rows, repr(joined.labels)))
    return TablesJoined(classes[0].rows if classes else 0, tuple(classes), on, by)


class _Side:
    """One release: its classes, and what links their rows with those of the other."""

    def __init__(self, release: PublishedTable, by: Sequence[str]) -> None:
        table = release.table
        self.columns = tuple(name for name in release.quasi_identifiers if name in table.columns())
        self.counts: Counts = table.count_by([*self.columns, *by])
        codes = self.counts.codes[: len(self.columns)]
        self.number = number_groups(codes) if codes else np.zeros(len(self.counts), np.int64)
        self.size = int(self.number.max(initial=-1)) + 1
        self.first = np.zeros(self.size, np.int64)
        self.first[self.number] = np.arange(len(self.number))
        self.links = pl.DataFrame(
            {
                str(place): self.counts.texts[len(self.columns) + place].gather(
                    self.counts.codes[len(self.columns) + place]
                )
                for place in range(len(by))
            }
        )

    def values(self, name: str) -> pl.Series:
        return self.counts.texts[self.columns.index(name)].cast(pl.String)

    def codes(self, name: str) -> npt.NDArray[np.int32]:
        """The label of every class."""
        return self.counts.codes[self.columns.index(name)][self.first]


def _kinds(first: PublishedTable, second: PublishedTable, on: Sequence[str]) -> dict[str, ColumnType]:
    """What columns were before: as said, else a number or a date if one of the tables holds such."""
    kinds = {}
    for name in on:
        held = [table.types.get(name) or table.table.schema()[name].type for table in (first, second)]
        kinds[name] = next((kind for kind in held if kind is not ColumnType.TEXT), ColumnType.TEXT)
    return kinds


def _hierarchy(first: PublishedTable, second: PublishedTable, name: str) -> Hierarchy | None:
    return first.hierarchies.get(name) or second.hierarchies.get(name)


@dataclass(frozen=True)
class LabelOverlap:
    """Which labels of two releases allow a common value, and which of two that do is the narrower."""

    allowed: npt.NDArray[np.bool_]
    widths: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def label_overlap(
    name: str,
    some: pl.Series,
    others: pl.Series,
    *,
    hierarchy: Hierarchy | None = None,
    kind: ColumnType = ColumnType.TEXT,
) -> LabelOverlap:
    """``allowed[a, b]``: whether label ``a`` of one release and ``b`` of the other allow a common value.

    >>> label_overlap("zip", pl.Series(["0213*", "02141"]), pl.Series(["02138", "*"])).allowed.tolist()
    [[True, True], [False, True]]
    """
    labels = pl.concat([some, others]).cast(pl.String)
    if kind is ColumnType.TEXT and hierarchy is None and labels.drop_nulls().str.contains(NUMBERS).all():
        kind = ColumnType.REAL
    universe = _atoms(labels, hierarchy)
    sides = [decode_column(name, kind, universe, labels, hierarchy=hierarchy) for labels in (some, others)]
    places = np.arange(len(universe))
    inside = [(side.table(places) == 0).astype(np.float32) for side in sides]
    allowed = inside[0].T @ inside[1] > 0
    # The same label stands for the same; one that nobody understands rules nothing out.
    allowed |= some.to_numpy()[:, None] == others.to_numpy()
    unknown = [side.meanings == LabelMeaning.UNKNOWN for side in sides]
    allowed |= unknown[0][:, None] | unknown[1]
    if sides[0].is_number:
        with np.errstate(invalid="ignore"):
            allowed |= (sides[0].low[:, None] <= sides[1].high) & (sides[1].low <= sides[0].high[:, None])
    widths = [_width(side, bits) for side, bits in zip(sides, inside, strict=True)]
    return LabelOverlap(allowed, (widths[0], widths[1]))


def _atoms(labels: pl.Series, hierarchy: Hierarchy | None) -> pl.Series:
    """Values that labels may stand for: those shown as they are, the leaves of a hierarchy, members of sets.

    Of a label that hides characters one value that it allows, so that it meets another that hides more.
    """
    atoms: list[str | None] = [] if hierarchy is None else list(hierarchy.values)
    above = set() if hierarchy is None else {label for level in hierarchy.labels[1:] for label in level}
    for label in labels.unique(maintain_order=True).to_list():
        if label is None or (label not in above and not GENERAL.search(label)):
            atoms.append(label)
        elif label.startswith("{") and label.endswith("}"):
            atoms += [part.strip() for part in label[1:-1].split(",")]
        elif "*" in label and label.strip("*"):
            atoms.append(label.replace("*", "0"))
    return pl.Series(atoms, dtype=pl.String).unique(maintain_order=True)


def _width(side: DecodedColumn, inside: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """How much a label allows: an interval by its length, all others by their values."""
    width: npt.NDArray[np.float64] = inside.sum(axis=0).astype(np.float64)
    if side.is_number:
        width = np.where(np.isnan(side.low), width + side.scale, side.high - side.low)
    return width


def _joined(sides: Sequence[_Side], meet: Mapping[str, LabelOverlap]) -> Iterator[JoinedClass]:
    """Pairs of classes that meet and have rows with partners."""
    first, second = sides
    link = number_groups(_shared_codes(first.links, second.links)) if first.links.width else None
    if link is None:
        link = np.zeros(len(first.counts) + len(second.counts), np.int64)
    left = _by_class(first.number, link[: len(first.counts)], first.counts.counts)
    right = _by_class(second.number, link[len(first.counts) :], second.counts.counts)
    pairs = left.join(right, on="link", suffix="_other")
    own, other = (pairs.get_column(name).to_numpy() for name in ("class", "class_other"))
    fits = np.ones(len(pairs), np.bool_)
    for start in range(0, len(pairs), CHUNK):
        part = slice(start, start + CHUNK)
        for name, overlap in meet.items():
            fits[part] &= overlap.allowed[first.codes(name)[own[part]], second.codes(name)[other[part]]]
    matches = (
        pairs.filter(pl.Series(fits))
        .group_by("class", "class_other")
        .agg(pl.col("rows").sum(), pl.col("rows_other").sum())
    )
    for a, b, rows, others in matches.iter_rows():
        yield JoinedClass(_narrower(sides, meet, a, b), rows, others)


def _shared_codes(some: pl.DataFrame, others: pl.DataFrame) -> list[npt.NDArray[np.int64]]:
    """The values that link rows, as numbers for both tables, those of the first table first."""
    both = [
        pl.concat([some.get_column(name).cast(pl.String), others.get_column(name).cast(pl.String)])
        for name in some.columns
    ]
    return [
        codes.rank("dense").cast(pl.Int64).fill_null(0).to_numpy()  # what is missing is 0
        for codes in both
    ]


def _by_class(
    number: npt.NDArray[np.int64], link: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]
) -> pl.DataFrame:
    table = pl.DataFrame({"class": number, "link": link, "rows": rows})
    return table.group_by("class", "link").agg(pl.col("rows").sum())


def _narrower(
    sides: Sequence[_Side], meet: Mapping[str, LabelOverlap], own: int, other: int
) -> dict[str, str | None]:
    """What is known of a joined class: of every column the label that says more."""
    labels: dict[str, Any] = {}
    for side, number in zip(sides, (own, other), strict=True):
        for name in side.columns:
            labels.setdefault(name, side.values(name)[int(side.codes(name)[number])])
    for name, overlap in meet.items():
        codes = [int(side.codes(name)[number]) for side, number in zip(sides, (own, other), strict=True)]
        widths = [overlap.widths[place][code] for place, code in enumerate(codes)]
        place = int(widths[1] < widths[0])
        labels[name] = sides[place].values(name)[codes[place]]
    return labels
