"""People with several rows, in one table or in several: one class per person, and one node for all tables.

Whoever knows a person may know all her rows. So people are compared by all their rows together: two of them are in one
class if, in every table, the same combinations of released quasi-identifiers occur in their rows (and as often, where
rows are counted). Generalizing further never takes two people of one class apart, so that the search can rule out every
node below one that fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import NoSolutionError, ProjectError
from celosia.measure.utility import CellMeasure, get_measure
from celosia.privacy import Classes, Histogram, PrivacyModel, rank_values
from celosia.recode.domain import Domain, build_domain
from celosia.recode.evaluate import Evaluator
from celosia.recode.task import Task

__all__ = ["Branch", "Found", "Star"]

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.uint64]
Node = tuple[int, ...]
MOST_NODES = 2_000_000


@dataclass(frozen=True)
class Branch:
    """One table of the star: what a technique is given for it, and the column that tells people apart."""

    name: str
    task: Task
    person: str
    is_counted: bool = False

    @cached_property
    def domain(self) -> Domain:
        """Its combinations, each with the person they belong to."""
        task = self.task
        counts = task.count((self.person,))
        hierarchies = {name: one for name, one in task.hierarchies.items() if name in task.quasi_identifiers}
        found = build_domain(
            counts,
            hierarchies,
            quasi_identifiers=task.quasi_identifiers,
            missing=task.missing,
            unknown=task.unknown,
        )
        codes, values = found.sensitive[self.person]
        lacking = int(found.counts[np.array([values[code] is None for code in codes], bool)].sum())
        if lacking:
            raise ProjectError(
                f"{lacking} rows do not say whose they are: {self.person!r} is missing",
                where=task.table.name,
                remedy=f"fill it, or leave them out with an operation drop-rows where {self.person} is null",
            )
        return found

    @property
    def people(self) -> pl.Series:
        """The texts that tell people apart, as the combinations point to them."""
        return pl.Series(self.domain.sensitive[self.person][1], dtype=pl.String)


@dataclass(frozen=True)
class Found:
    """What a node does to people: the class of each, the classes that are suppressed, and what it costs."""

    node: Node
    classes: Integers
    sizes: Integers
    bad: npt.NDArray[np.bool_]

    @property
    def suppressed(self) -> npt.NDArray[np.bool_]:
        """Per person, whether she is left out."""
        return self.bad[self.classes]


class Star:
    """Tables that tell of the same people, searched together.

    ``shared`` are groups of (branch, column) that hold the same quasi-identifier: they have one level together.
    """

    def __init__(
        self,
        branches: Sequence[Branch],
        models: Sequence[PrivacyModel],
        *,
        shared: Sequence[Sequence[tuple[str, str]]] = (),
        suppression: float = 0.0,
        measure: str = "loss",
    ) -> None:
        self.branches, self.models, self.checks = tuple(branches), tuple(models), 0
        self._measure = get_measure(measure)
        if not isinstance(self._measure, CellMeasure):
            raise ProjectError(
                f"with several rows per person the best {measure} cannot be searched for",
                where="measure",
                remedy="choose loss, precision or another measure of cells",
            )
        self._attributes = _attributes(self.branches, shared)
        # People all of whose rows are excluded are in no release.
        present = [
            branch.people.gather(np.unique(branch.domain.sensitive[branch.person][0])) for branch in branches
        ]
        self.people = pl.concat(present).unique().sort()
        numbers = pl.DataFrame({"text": self.people, "person": np.arange(len(self.people))})
        self._owners = [
            branch.people.to_frame("text").join(numbers, on="text", how="left", maintain_order="left")
            for branch in branches
        ]
        self.allowed = int(np.floor(suppression * len(self.people) + 1e-9))

    @property
    def attributes(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """What a node has a level for: (table, column), several where tables share one."""
        return self._attributes

    @property
    def heights(self) -> Node:
        """The highest level of every attribute."""
        places = {
            (branch.name, column.name): column.height
            for branch in self.branches
            for column in branch.domain.columns
        }
        return tuple(min(places[place] for place in group) for group in self._attributes)

    def levels(self, branch: Branch, node: Node) -> Node:
        """The levels of one table's columns at a node."""
        level = {place: node[i] for i, group in enumerate(self._attributes) for place in group}
        return tuple(level[branch.name, name] for name in branch.domain.names)

    def look(self, node: Node) -> Found:
        """The classes of people at a node, and which of them violate a model."""
        self.checks += 1
        classes, sizes = self._classes(node)
        bad = self._violations(classes, sizes, np.ones(len(classes), bool))
        relative = any(model.is_relative for model in self.models)
        # What compares classes with the whole is held to what is released, which suppression changes.
        while relative and self.allowed and bad.any() and not bad.all():
            again = bad | self._violations(classes, sizes, ~bad[classes])
            if (again == bad).all():
                break
            bad = again
        return Found(node, classes, sizes, bad)

    def best(self, picked: Node | None = None) -> Found:
        """The node that costs least of those under which few enough people are left out, or the one picked."""
        if picked is not None:
            found = self.look(picked)
            if not self._is_valid(found):
                raise self._nothing(found)
            return found
        nodes = _grid(self.heights)
        costs = self._costs(nodes)
        # Of nodes that cost the same the one that generalizes less comes first.
        order = np.lexsort((nodes.sum(axis=1), costs))
        is_open = np.ones(len(nodes), bool)
        for place in order:
            if not is_open[place]:
                continue
            found = self.look(tuple(int(level) for level in nodes[place]))
            if self._is_valid(found):
                return found
            is_open &= ~(nodes <= nodes[place]).all(axis=1)
        raise self._nothing(self.look(self.heights))

    def cost(self, node: Node) -> float:
        """The mean cost of a cell at a node, over all tables."""
        return float(self._costs(np.array([node]))[0])

    def _is_valid(self, found: Found) -> bool:
        lost = int(found.sizes[found.bad].sum())
        return lost <= self.allowed and lost < len(self.people)

    def _nothing(self, found: Found) -> NoSolutionError:
        lost = int(found.sizes[found.bad].sum())
        return NoSolutionError(
            f"at node {','.join(map(str, found.node))} {lost:,} of {len(self.people):,} people would be left out, "
            f"and {self.allowed:,} may be",
            where="person",
            remedy="allow more suppression, ask for less, or do not count how many rows a person has",
        )

    def _costs(self, nodes: Integers) -> npt.NDArray[np.float64]:
        total, columns = np.zeros(len(nodes)), 0
        for branch in self.branches:
            evaluator = Evaluator(branch.domain, (), measures=[self._measure], weights=branch.task.weights)
            place = {name: i for i, name in enumerate(branch.domain.names)}
            levels = np.zeros((len(nodes), len(place)), np.int64)
            for i, group in enumerate(self._attributes):
                for owner, column in group:
                    if owner == branch.name:
                        levels[:, place[column]] = nodes[:, i]
            distinct, back = np.unique(levels, axis=0, return_inverse=True)
            measure = self._measure
            assert isinstance(measure, CellMeasure)
            values = np.array([evaluator.base_at(measure, tuple(one)) for one in distinct.tolist()])
            total += values[back.ravel()] * len(place)
            columns += len(place)
        return total / max(1, columns)

    def _classes(self, node: Node) -> tuple[Integers, Integers]:
        """The class of every person, and how many people are in each."""
        signatures = {}
        for number, branch in enumerate(self.branches):
            labels, people = _labels(branch.domain, self.levels(branch, node)), self._people_of(number)
            for half in range(2):
                signatures[f"s{number}.{half}"] = _signatures(
                    people, labels, branch.domain.counts, len(self.people), branch.is_counted, (number, half)
                )
        frame = pl.DataFrame({name: pl.Series(column) for name, column in signatures.items()})
        numbered = frame.with_columns(place=pl.int_range(pl.len())).group_by(list(signatures)).agg("place")
        sizes = numbered.get_column("place").list.len().cast(pl.Int64).to_numpy()
        places = numbered.get_column("place").explode(empty_as_null=False).to_numpy()
        classes = np.empty(len(self.people), np.int64)
        classes[places] = np.repeat(np.arange(len(sizes)), sizes)
        return classes, sizes

    def _people_of(self, number: int) -> Integers:
        """For every combination of a table, the person whose it is."""
        branch = self.branches[number]
        people: Integers = self._owners[number].get_column("person").fill_null(-1).to_numpy()
        return people[branch.domain.sensitive[branch.person][0]]

    def rows_of(self, number: int, people: npt.NDArray[np.bool_]) -> int:
        """How many rows of a table are some people's."""
        return int(self.branches[number].domain.counts[people[self._people_of(number)]].sum())

    def _violations(
        self, classes: Integers, sizes: Integers, kept: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.bool_]:
        """Classes that fail a model when only some people are released."""
        inside = np.bincount(classes[kept], minlength=len(sizes))
        places = np.flatnonzero(inside)
        renumbered = np.full(len(sizes), -1, np.int64)
        renumbered[places] = np.arange(len(places))
        histograms = {
            model.column: self._histogram(model.column, renumbered, classes, kept)
            for model in self.models
            if model.column is not None
        }
        looked_at = Classes(inside[places].astype(np.int64), histograms)
        bad = np.zeros(len(sizes), bool)
        for model in self.models:
            bad[places] |= model.violations(looked_at)
        return bad

    def _histogram(
        self, column: str, renumbered: Integers, classes: Integers, kept: npt.NDArray[np.bool_]
    ) -> Histogram:
        """People by class and value: one who has a value in several rows counts once for it."""
        number = next(i for i, branch in enumerate(self.branches) if column in branch.task.modelled)
        branch = self.branches[number]
        codes, values = branch.domain.sensitive[column]
        people = self._people_of(number)
        pairs = pl.DataFrame({"person": people, "code": codes}).unique()
        pairs = pairs.filter(pl.Series(kept[pairs.get_column("person").to_numpy()]))
        found = (
            pl.DataFrame(
                {
                    "class": renumbered[classes[pairs.get_column("person").to_numpy()]],
                    "code": pairs.get_column("code"),
                }
            )
            .group_by("class", "code")
            .len()
            .sort("class", "code")
        )
        return Histogram(
            classes=found.get_column("class").to_numpy().astype(np.int64),
            codes=found.get_column("code").to_numpy().astype(np.int64),
            counts=found.get_column("len").to_numpy().astype(np.int64),
            values=values,
            rank=rank_values(values),
            hierarchy=branch.task.hierarchies.get(column),
        )


def _attributes(
    branches: Sequence[Branch], shared: Sequence[Sequence[tuple[str, str]]]
) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Every quasi-identifier of every table, those that tables share together."""
    places = [(branch.name, name) for branch in branches for name in branch.task.quasi_identifiers]
    groups = [tuple(place for place in group if place in places) for group in shared]
    together = {place: group for group in groups for place in group}
    return tuple(dict.fromkeys(together.get(place, (place,)) for place in places))


def _grid(heights: Node) -> Integers:
    size = int(np.prod([height + 1 for height in heights], dtype=np.float64))
    if size > MOST_NODES:
        raise ProjectError(
            f"the lattice has {size:,} nodes, too many to search with several rows per person",
            where="quasi-identifiers",
            remedy="take fewer of them, give hierarchies with fewer levels, or pick a node",
        )
    axes = [np.arange(height + 1) for height in heights]
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)


def _labels(domain: Domain, levels: Node) -> Integers:
    """A number for what every combination shows at some levels; equal numbers show the same."""
    frame = pl.DataFrame(
        {
            name: column.levels[level][codes]
            for name, column, level, codes in zip(
                map(str, range(len(levels))), domain.columns, levels, domain.codes, strict=True
            )
        }
    )
    return frame.select(pl.struct(pl.all()).rank("dense").cast(pl.Int64)).to_series().to_numpy()


def _signatures(
    people: Integers, labels: Integers, counts: Integers, size: int, is_counted: bool, salt: tuple[int, int]
) -> Numbers:
    """A number per person for the set of labels she has: sums of random numbers, equal by accident once in 2^64."""
    pairs = pl.DataFrame({"person": people, "label": labels, "n": counts})
    pairs = pairs.group_by("person", "label").agg(pl.col("n").sum()).sort("person")
    drawn = np.random.default_rng([20, *salt]).integers(0, 2**64, labels.max(initial=0) + 1, np.uint64)
    times = pairs.get_column("n").to_numpy().astype(np.uint64) if is_counted else np.uint64(1)
    parts = drawn[pairs.get_column("label").to_numpy()] * times
    who = pairs.get_column("person").to_numpy()
    found = np.zeros(size, np.uint64)
    if len(who):
        starts = np.flatnonzero(np.diff(who, prepend=-1))
        found[who[starts]] = np.add.reduceat(parts, starts)
    return found
