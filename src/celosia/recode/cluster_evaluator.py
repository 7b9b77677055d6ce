"""Nodes of a table whose combinations are too many to bring here: looked at where they are.

What a search needs of a node is small: how many classes there are, how many rows are suppressed, what that costs. Every
machine works that out for its share of the classes, by the same code as anywhere. A node at which there are few enough
classes is brought here once, and all that are more general are rolled up from it.
"""

import pickle
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from math import prod
from typing import Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError
from celosia.hierarchies import Hierarchy
from celosia.measure.utility import CellMeasure, ClassMeasure, Measure, NodeTally
from celosia.privacy import Classes, PrivacyModel
from celosia.recode.domain import Codes, Domain
from celosia.recode.evaluate import Evaluator, NodeEvaluation
from celosia.recode.frequency import FrequencySet, FrequencySets
from celosia.recode.lattice import Node
from celosia.say import say

__all__ = ["ClusterCombinations", "ClusterEvaluator", "SeenClasses", "change_to"]

Keys = npt.NDArray[np.uint64]
Levels = tuple[int | None, ...]
Change = Callable[[pl.DataFrame], pl.DataFrame]


class ClusterCombinations(Protocol):
    """The combinations of a table, kept on a cluster: see :mod:`celosia.tables.spark.combinations`."""

    size: int

    def collect(self, change: Change) -> pl.DataFrame:
        """As a change leaves them, brought here."""
        ...

    def shares(self, change: Change, work: Callable[[pl.DataFrame], bytes]) -> list[bytes]:
        """What a piece of work finds in every share of them."""
        ...


@dataclass(frozen=True)
class SeenClasses:
    """What was seen of some classes of a node."""

    tally: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    """Rows suppressed and doomed, classes, sum of their squares, classes kept, sum of their squares."""
    smallest: int | None = None
    costs: Mapping[str, float] = field(default_factory=dict)
    keys: Keys = field(default_factory=lambda: np.zeros((0, 1), np.uint64))

    def plus(self, other: "SeenClasses") -> "SeenClasses":
        """What was seen of both."""
        sizes = [one.smallest for one in (self, other) if one.smallest is not None]
        names = {**self.costs, **other.costs}
        return SeenClasses(
            tuple(a + b for a, b in zip(self.tally, other.tally, strict=True)),
            min(sizes, default=None),
            {name: self.costs.get(name, 0.0) + other.costs.get(name, 0.0) for name in names},
            np.concatenate([self.keys, other.keys]) if len(self.keys) else other.keys,
        )


class ClusterEvaluator(Evaluator):
    """An evaluator whose ``domain`` has level tables and rows of every label, and no combinations.

    ``most`` combinations may be brought here at once. ``whole[name]`` are the rows of each value of a sensitive column.
    """

    def __init__(
        self,
        domain: Domain,
        models: Sequence[PrivacyModel],
        *,
        combinations: ClusterCombinations,
        whole: Mapping[str, Codes],
        most: int,
        measures: Sequence[Measure],
        limit: float = 0.0,
        weights: Mapping[str, float] | None = None,
        sensitive_hierarchies: Mapping[str, Hierarchy] | None = None,
    ) -> None:
        super().__init__(
            domain,
            models,
            measures=measures,
            limit=limit,
            weights=weights,
            sensitive_hierarchies=sensitive_hierarchies,
        )
        if self.allowed and self._relative:
            raise ProjectError(
                say(
                    "with suppression, {model} is asked of what is released, again and again, and the "
                    "combinations are too many to bring here",
                    model=self._relative[0].name,
                ),
                where="suppression",
                remedy=say("allow none, or generalize columns of many values first"),
            )
        for model in models:
            if model.of_whole or model.needs_population or model.needs_losses or model.needs_labels:
                raise ProjectError(
                    say(
                        "{model} looks at more than one class by itself, and the combinations are too many to "
                        "bring here",
                        model=model.name,
                    ),
                    where="models",
                    remedy=say("generalize columns of many values first, or use other models"),
                )
        self.combinations, self.most = combinations, most
        self._whole = FrequencySet(
            np.zeros((1, self.sets.words), np.uint64),
            np.array([domain.rows]),
            tuple(
                (np.zeros(len(rows), np.int64), np.arange(len(rows)), rows)
                for rows in (whole[name] for name in domain.sensitive)
            ),
        )
        self._anchors: dict[Levels, FrequencySet] = {}
        self._known: dict[Levels, SeenClasses] = {}

    def light(self) -> "ClusterEvaluator":
        """What goes to other machines: nothing that was brought here."""
        other = copy(self)
        other.__dict__.update(combinations=None, _anchors={}, _known={})
        return other

    def sizes(self) -> tuple[Codes, Codes]:
        """Sizes of the classes of the original, counted on the cluster."""
        found = self.combinations.shares(change_to(self.sets, self.lattice.bottom), _Sizes(self.sets.words))
        counted = pl.concat(
            [pl.DataFrame(schema={"n": pl.Int64, "times": pl.Int64}), *map(pickle.loads, found)]
        )
        sizes = counted.group_by("n").agg(pl.col("times").sum()).sort("n")
        return sizes.get_column("n").to_numpy(), sizes.get_column("times").to_numpy()

    def check(self, node: Node) -> NodeEvaluation:
        """Evaluate a node; an invalid one is not priced."""
        self.checks += 1
        seen = self.see(node)
        tally = NodeTally(self.domain.rows, *seen.tally)
        is_priced = seen.tally[0] <= self.allowed
        penalties = {
            measure.name: seen.costs.get(measure.name, 0.0) if is_priced else np.inf
            for measure in self._cells
        }
        values = {
            measure.name: float(measure.value(tally))
            if isinstance(measure, ClassMeasure)
            else self.base_at(measure, node) + penalties[measure.name]
            for measure in self.measures
        }
        return NodeEvaluation(node, bool(self.is_allowed(tally)), tally, values, penalties)

    def look(self, node: Node) -> tuple[bool, int]:
        """Whether a node is valid, and the rows of the smallest class that it releases."""
        self.checks += 1
        seen = self.see(node)
        is_valid = seen.smallest is not None and seen.tally[0] <= self.allowed
        return is_valid, seen.smallest or 0

    def satisfies(self, node: Levels) -> bool:
        """Whether a node is valid, in which None leaves a column out of the subset looked at."""
        self.checks += 1
        seen = self.see(node)
        return seen.smallest is not None and seen.tally[0] <= self.allowed

    def suppressed_keys(self, node: Node) -> Keys:
        """The keys of the classes that violate a model at a node."""
        if not self.see(node).tally[0]:
            return np.zeros((0, self.sets.words), np.uint64)
        found = self._brought(node)
        if found is not None:
            return found.keys[self.failing(found, self._whole)]
        return self._ask(node, wants_keys=True).keys

    def see(self, node: Levels) -> SeenClasses:
        """What there is to see of a node, here or on the cluster."""
        if node not in self._known:
            found = self._brought(node)
            self._known[node] = self._ask(node) if found is None else self.seen_in(node, found)
        return self._known[node]

    def seen_in(self, node: Levels, found: FrequencySet, *, wants_keys: bool = False) -> SeenClasses:
        """What there is to see of some whole classes of a node."""
        if not len(found):
            return SeenClasses()
        counts, bad = found.counts, self.failing(found, self._whole)
        self.checks -= 1  # a share of a node, not a node
        gone, kept = counts[bad], counts[~bad]
        suppressed = int(gone.sum())
        doomed = suppressed if self._all_class_monotone else self._doomed(Classes(counts))
        squares = int((counts.astype(np.float64) ** 2).sum())
        kept_squares = int((kept.astype(np.float64) ** 2).sum())
        levels = tuple(0 if level is None else level for level in node)
        return SeenClasses(
            (suppressed, doomed, len(counts), squares, len(kept), kept_squares),
            int(kept.min()) if len(kept) else None,
            self.suppressed_costs(levels, found.keys[bad], gone),
            found.keys[bad] if wants_keys else np.zeros((0, found.keys.shape[1]), np.uint64),
        )

    def with_measures(self, measures: Sequence[Measure]) -> "ClusterEvaluator":
        """The same evaluation with other measures."""
        other = copy(self)
        other.measures = tuple(measures)
        other._cells = [measure for measure in measures if isinstance(measure, CellMeasure)]
        other._known = {}  # what classes cost is another thing now
        other._prices(self._weights)
        return other

    def _ask(self, node: Levels, *, wants_keys: bool = False) -> SeenClasses:
        """Have every machine look at its share of the classes."""
        total = SeenClasses()
        work = _ClassShare(self.light(), node, wants_keys)
        for found in self.combinations.shares(change_to(self.sets, node), work):
            total = total.plus(pickle.loads(found))
        return total

    def _brought(self, node: Levels) -> FrequencySet | None:
        """The classes of a node, rolled up from some that are here, or brought here if they are few enough."""
        for anchor, found in self._anchors.items():
            if all(_is_below(low, high) for low, high in zip(anchor, node, strict=True)):
                return self._roll_up(found, anchor, node)
        if self._bound(node) > self.most:
            return None
        anchor = self._lowest(node)
        frame = self.combinations.collect(change_to(self.sets, anchor))
        self._anchors[anchor] = gather(self.sets, frame)
        return self._roll_up(self._anchors[anchor], anchor, node)

    def _roll_up(self, found: FrequencySet, anchor: Levels, node: Levels) -> FrequencySet:
        pairs = enumerate(zip(anchor, node, strict=True))
        changes = [(column, low, high) for column, (low, high) in pairs if low is not None and low != high]
        return self.sets.roll_up(found, changes) if changes else found

    def _bound(self, node: Levels) -> int:
        """No more combinations than this are there at a node."""
        labels = [
            1 if level is None else len(column.labels[level])
            for column, level in zip(self.domain.columns, node, strict=True)
        ]
        others = [len(values) for _, values in self.domain.sensitive.values()]
        return min(prod(labels) * prod(others), self.combinations.size)

    def _lowest(self, node: Levels) -> Levels:
        """A node from which this one and many others can be rolled up: as far down as few enough combinations allow."""
        lowest = list(node)
        while True:
            lower = []
            for column, level in enumerate(lowest):
                if level is not None and level > 0:
                    below = (*lowest[:column], level - 1, *lowest[column + 1 :])
                    lower.append((self._bound(below), column))
            if not lower or min(lower)[0] > self.most:
                return tuple(lowest)
            column = min(lower)[1]
            level = lowest[column]
            assert level is not None
            lowest[column] = level - 1


@dataclass(frozen=True)
class _ClassShare:
    """A look at a share of the classes of a node, to be done elsewhere."""

    evaluator: ClusterEvaluator
    node: Levels
    wants_keys: bool

    def __call__(self, frame: pl.DataFrame) -> bytes:
        found = gather(self.evaluator.sets, frame)
        return pickle.dumps(self.evaluator.seen_in(self.node, found, wants_keys=self.wants_keys))


@dataclass(frozen=True)
class _Sizes:
    """How many classes there are of each size, in a share of them."""

    words: int

    def __call__(self, frame: pl.DataFrame) -> bytes:
        classes = frame.group_by(frame.columns[: self.words]).agg(pl.col("rows").sum().alias("n"))
        return pickle.dumps(classes.group_by("n").agg(pl.len().cast(pl.Int64).alias("times")))


def gather(sets: FrequencySets, frame: pl.DataFrame) -> FrequencySet:
    """Combinations as a cluster has them (words of keys, codes of sensitive columns, rows) as a frequency set."""
    words = [frame.to_series(place).to_numpy().view(np.uint64) for place in range(sets.words)]
    keys = (
        np.ascontiguousarray(np.stack(words, axis=1))
        if frame.height
        else np.zeros((0, sets.words), np.uint64)
    )
    others = [frame.to_series(place).to_numpy() for place in range(sets.words, frame.width - 1)]
    return sets.gather(
        keys, frame.get_column("rows").to_numpy().astype(np.int64), others[: len(sets.domain.sensitive)]
    )


def change_to(sets: FrequencySets, node: Levels) -> "ToNode":
    """What takes combinations to a node."""
    maps = []
    for column, level in enumerate(node):
        if level != 0:
            word, shift, mask = (int(one) for one in sets.fields[column])
            codes = sets.domain.columns[column].between(0, level).astype(np.uint64)
            maps.append((word, shift, mask, codes))
    return ToNode(tuple(maps), sets.words)


@dataclass(frozen=True)
class ToNode:
    """Takes combinations to a node, and puts those together that are then the same."""

    maps: tuple[tuple[int, int, int, Keys], ...]
    words: int

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        words = [frame.to_series(place).to_numpy().view(np.uint64).copy() for place in range(self.words)]
        for word, shift, mask, codes in self.maps:
            field_of, place = np.uint64(mask << shift), np.uint64(shift)
            old = (words[word] & field_of) >> place
            words[word] = (words[word] & ~field_of) | (codes[old.astype(np.int64)] << place)
        names = frame.columns
        changed = frame.with_columns(
            pl.Series(names[place], word.view(np.int64)) for place, word in enumerate(words)
        )
        return changed.group_by(names[:-1]).agg(pl.col(names[-1]).sum()) if self.maps else changed


def _is_below(low: int | None, high: int | None) -> bool:
    return high is None if low is None else high is None or low <= high
