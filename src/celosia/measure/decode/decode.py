"""From the labels of a released column to what each allows among the values of the original."""

from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.measure.decode.bounds import read_ends
from celosia.measure.decode.decoded import DecodedColumn, LabelMeaning
from celosia.measure.decode.label_sets import find_ranges, node_values, split_sets
from celosia.measure.decode.patterns import match_patterns
from celosia.measure.decode.rewritten_columns import find_cut, find_points
from celosia.measure.distribution.marginal import NUMERIC_TYPES, read_numbers
from celosia.types import ColumnType

__all__ = ["decode_column"]

EVERYTHING = "*"
Places = npt.NDArray[np.int64]


def decode_column(
    column: str,
    kind: ColumnType,
    values: pl.Series,
    labels: pl.Series,
    *,
    hierarchy: Hierarchy | None = None,
    is_emptied: bool = False,
    grown: Collection[str] | None = None,
) -> DecodedColumn:
    """Read what each of ``labels`` allows among ``values``, the distinct texts of the original.

    In this order a label is: ``*``; what an operation wrote that rewrote the whole column (:mod:`.written`); a value; a
    label of the column's hierarchy; a number, an interval or a period of a column of numbers or dates; a set of
    labels, ``{a, b}`` or ``a,b``; a range of texts, ``[a - b]``; a text of which characters are hidden. An empty cell
    means a missing value; with ``is_emptied``, and where the original misses none, a value that was taken out.
    ``grown`` are labels that more rows show than had the value, where that is known: see :func:`.written.find_points`.

    >>> found = decode_column("age", ColumnType.INTEGER, pl.Series(["31", "38", "47", None]),
    ...                       pl.Series(["[30-39]", "47", "*", "39.5", None]))
    >>> found.leaves.tolist(), [LabelMeaning(one).name for one in found.meanings]
    ([2, 1, 4, 0, 1], ['SOME', 'VALUE', 'EVERYTHING', 'VALUE', 'MISSING'])
    >>> cities = Hierarchy.from_rows("city", [("Soria", "Castilla", "*"), ("León", "Castilla", "*"), ("Lugo", "*")])
    >>> found = decode_column("city", ColumnType.TEXT, pl.Series(["Soria", "Lugo", "León"]),
    ...                       pl.Series(["Castilla", "L*", "{Soria, Lugo}", "Vigo"]), hierarchy=cities)
    >>> [found.codes[a:b].tolist() for a, b in zip(found.starts, found.starts[1:])]
    [[0, 2], [1, 2], [0, 1], []]
    """
    values, labels = values.cast(pl.String), labels.cast(pl.String)
    reader = _LabelReader(kind, values, labels, hierarchy, grown)
    reader.read(is_emptied=is_emptied or not values.null_count())
    starts, codes = reader.listing()
    return DecodedColumn(
        column=column,
        is_number=reader.is_number,
        values=values,
        labels=labels,
        meanings=reader.meanings,
        starts=starts,
        codes=codes,
        numbers=reader.numbers,
        low=reader.low,
        high=reader.high,
    )


class _LabelReader:
    """Labels of one column, those not yet understood and what the others allow."""

    def __init__(
        self,
        kind: ColumnType,
        values: pl.Series,
        labels: pl.Series,
        hierarchy: Hierarchy | None,
        grown: Collection[str] | None = None,
    ) -> None:
        self.grown = grown
        self.kind, self.values, self.labels, self.hierarchy = kind, values, labels, hierarchy
        self.is_number = kind in NUMERIC_TYPES
        self.numbers = read_numbers(values, kind)
        self.order = np.argsort(self.numbers, kind="stable")  # NaN, which no interval holds, comes last
        self.sorted = self.numbers[self.order]
        self.present = len(values) - values.null_count()
        self.is_left = np.ones(len(labels), np.bool_)
        self.meanings = np.full(len(labels), LabelMeaning.UNKNOWN, np.int8)
        self.low, self.high = np.full(len(labels), np.nan), np.full(len(labels), np.nan)
        self._pairs: list[tuple[Places, Places]] = []

    def read(self, *, is_emptied: bool, has_sets: bool = True) -> None:
        """Understand all labels that can be."""
        is_null = self.labels.is_null().to_numpy()
        everything = (self.labels == EVERYTHING).fill_null(value=is_emptied).to_numpy()
        self._set_meaning(np.flatnonzero(everything), LabelMeaning.EVERYTHING)
        missing = np.flatnonzero(is_null & self.is_left)
        self._list(missing, np.full(len(missing), self._first_null()), LabelMeaning.MISSING)
        steps: list[Callable[[Places], None]] = [self._values, self._nodes, self._numbers]
        if has_sets:
            steps = [self._written, *steps, self._sets, self._ranges, self._patterns]
        for step in steps:
            left = np.flatnonzero(self.is_left)
            if len(left):
                step(left)
        self._widen()

    def listing(self) -> tuple[Places, npt.NDArray[np.int32]]:
        """Where the values of each label start, and all of them."""
        owners = np.concatenate([np.zeros(0, np.int64), *(owner for owner, _ in self._pairs)])
        codes = np.concatenate([np.zeros(0, np.int64), *(code for _, code in self._pairs)])
        size = max(1, len(self.values))
        keys = np.unique(owners * size + codes)
        keys = keys[self.meanings[keys // size] != LabelMeaning.EVERYTHING]
        starts = np.searchsorted(keys // size, np.arange(len(self.labels) + 1))
        return starts.astype(np.int64), (keys % size).astype(np.int32)

    def _first_null(self) -> int:
        nulls = self.values.is_null().arg_true()
        return int(nulls[0]) if len(nulls) else 0

    def _set_meaning(self, labels: Places, meaning: LabelMeaning) -> None:
        self.meanings[labels] = meaning
        self.is_left[labels] = False

    def _list(self, labels: Places, codes: Places, meaning: LabelMeaning) -> None:
        """Labels that allow the values beside them; a label may come several times."""
        self._pairs.append((labels.astype(np.int64), codes.astype(np.int64)))
        self._set_meaning(labels, meaning)

    def _bound(self, labels: Places, low: npt.NDArray[np.float64], high: npt.NDArray[np.float64]) -> None:
        """Labels that allow all numbers between two, or the one that both are."""
        self.low[labels], self.high[labels] = low, high
        self._set_meaning(labels[low != high], LabelMeaning.SOME)
        self._set_meaning(labels[low == high], LabelMeaning.VALUE)
        owners, codes = self._inside(low, high, low == high)
        self._pairs.append((labels[owners], codes))

    def _inside(
        self,
        low: npt.NDArray[np.float64],
        high: npt.NDArray[np.float64],
        which: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[Places, Places]:
        """For each of ``which`` intervals, by its place, all values in it."""
        first = np.searchsorted(self.sorted, low, "left")
        count = np.maximum(np.searchsorted(self.sorted, high, "right") - first, 0)
        count[np.isnan(low)] = 0
        if which is not None:
            count[~which] = 0
        owners = np.repeat(np.arange(len(low)), count)
        within = np.arange(len(owners)) - np.repeat(np.cumsum(count) - count, count)
        return owners, self.order[np.repeat(first, count) + within]

    def _written(self, left: Places) -> None:
        if self.hierarchy is not None:
            return
        labels, cut = self.labels.gather(left), None
        if self.kind in (ColumnType.TEXT, ColumnType.INTEGER):
            cut = find_cut(self.values.drop_nulls(), labels, whole=self.is_number)
        if cut is not None:
            self._join(left, cut.of(self.values), LabelMeaning.SOME)
        elif self.is_number:
            points = read_numbers(labels, self.kind)
            grown = None if self.grown is None else labels.is_in(list(self.grown)).to_numpy()
            places = find_points(self.numbers, points, self.kind, grown=grown)
            if places is not None:
                self._bound(left, *places)

    def _join(self, left: Places, looks: pl.Series, meaning: LabelMeaning) -> None:
        """Labels that allow all values that look like them."""
        mine = pl.DataFrame({"text": self.labels.gather(left), "label": left})
        theirs = pl.DataFrame({"text": looks, "code": np.arange(len(looks))})
        pairs = mine.join(theirs, on="text")
        self._list(pairs["label"].to_numpy(), pairs["code"].to_numpy(), meaning)

    def _values(self, left: Places) -> None:
        if self.hierarchy is not None and len(left) < len(self.values):
            # A value may also be what others become: ("Getafe", "Madrid") beside ("Madrid", "Madrid").
            nodes = node_values(self.hierarchy, self.values, least=2)
            taken = self.labels.gather(left).is_in(nodes["text"].implode())
            left = left[~taken.to_numpy()]
        before = self.is_left.copy()
        self._join(left, self.values, LabelMeaning.VALUE)
        new = np.flatnonzero(before & ~self.is_left)
        if self.is_number and len(new):
            numbers = read_numbers(self.labels.gather(new), self.kind)
            self.low[new], self.high[new] = numbers, numbers

    def _nodes(self, left: Places) -> None:
        if self.hierarchy is None:
            return
        nodes = node_values(self.hierarchy, self.values)
        mine = pl.DataFrame({"text": self.labels.gather(left), "label": left})
        pairs = mine.join(nodes, on="text")
        owners, codes = pairs["label"].to_numpy(), pairs["code"].to_numpy()
        self._list(owners, codes, LabelMeaning.SOME)
        leaves = pl.Series(self.hierarchy.values, dtype=pl.String).implode()
        is_leaf = mine["text"].is_in(leaves).to_numpy() & self.is_left[left]
        if not self.is_number:
            self._set_meaning(left[is_leaf], LabelMeaning.VALUE)  # a value that nobody of the original has
        if self.is_number and len(owners):
            self._agree(np.unique(owners), owners, codes)

    def _agree(self, labels: Places, owners: Places, codes: Places) -> None:
        """Nodes that are called by their interval: it tells what is allowed beyond the values of the hierarchy."""
        low, high = read_ends(self.labels.gather(labels), self.kind)
        count = np.bincount(owners, minlength=len(self.labels))[labels]
        numbers = self.numbers[codes]
        with np.errstate(invalid="ignore"):
            place = np.searchsorted(labels, owners)
            inside = np.bincount(place, (numbers >= low[place]) & (numbers <= high[place]), len(labels))
            between = np.searchsorted(self.sorted, high, "right") - np.searchsorted(self.sorted, low, "left")
        is_same = (inside == count) & (between == count)
        self.low[labels[is_same]], self.high[labels[is_same]] = low[is_same], high[is_same]

    def _numbers(self, left: Places) -> None:
        if not self.is_number:
            return
        labels = self.labels.gather(left)
        low, high = read_ends(labels, self.kind)
        # A hidden digit or, where no value is like that, any end: 28* may be 28013.
        is_hidden = labels.str.contains("*", literal=True).to_numpy()
        first, last = np.searchsorted(self.sorted, low, "left"), np.searchsorted(self.sorted, high, "right")
        is_read = ~np.isnan(low) & ~(is_hidden & (last <= first))
        self._bound(left[is_read], low[is_read], high[is_read])

    def _sets(self, left: Places) -> None:
        nodes = None if self.hierarchy is None else node_values(self.hierarchy, self.values)
        known = set(self.values.drop_nulls()) | (set() if nodes is None else set(nodes["text"]))
        owners, parts = split_sets(self.labels.gather(left).to_list(), known)
        if not len(parts):
            return
        distinct = pl.Series(parts, dtype=pl.String).unique(maintain_order=True)
        inner = _LabelReader(self.kind, self.values, distinct, self.hierarchy)
        inner.read(is_emptied=True, has_sets=False)
        bounds = inner._inside(inner.low, inner.high)
        inner._pairs.append(bounds)
        starts, codes = inner.listing()
        place = pl.Series(parts).replace_strict(distinct, np.arange(len(distinct)), return_dtype=pl.Int64)
        of_part, whose = place.to_numpy(), left[owners]
        is_bad = np.isin(inner.meanings[of_part], (LabelMeaning.UNKNOWN, LabelMeaning.EVERYTHING))
        bad = np.unique(whose[is_bad])
        kept = ~np.isin(whose, bad)
        of_part, whose = of_part[kept], whose[kept]
        count = np.diff(starts)[of_part]
        within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        members = codes[np.repeat(starts[of_part], count) + within]
        self._list(np.repeat(whose, count), members.astype(np.int64), LabelMeaning.SOME)

    def _ranges(self, left: Places) -> None:
        owners, codes = find_ranges(self.labels.gather(left).to_list(), self.values)
        self._list(left[owners], codes, LabelMeaning.SOME)

    def _patterns(self, left: Places) -> None:
        texts = self.labels.gather(left).to_list()
        matches = match_patterns(texts, self.values.to_list())
        for place, text in zip(left.tolist(), texts, strict=True):
            if text in matches:
                codes = matches[text]
                self._list(np.full(len(codes), place), codes, LabelMeaning.SOME)

    def _widen(self) -> None:
        """What allows all values there are allows any; a missing one too only if it is listed, or at the root."""
        if self.present < 2 or not self._pairs:
            return
        owners = np.concatenate([owner for owner, _ in self._pairs])
        codes = np.concatenate([code for _, code in self._pairs])
        keys = np.unique(owners * len(self.values) + codes)
        count = np.bincount(keys // len(self.values), minlength=len(self.labels))
        full = (self.meanings == LabelMeaning.SOME) & (count >= self.present) & np.isnan(self.low)
        if self.present < len(self.values):
            # A search lets missing values join the others at the root of a hierarchy; {a, b} lists what it allows.
            roots = [] if self.hierarchy is None else list(self.hierarchy.labels[-1])
            full &= (count == len(self.values)) | self.labels.is_in(roots).fill_null(value=False).to_numpy()
        self.meanings[full] = LabelMeaning.EVERYTHING
