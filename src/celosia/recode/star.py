"""People with several rows, in one table or in several: one class per person, and one node for all tables.

Whoever knows a person may know all her rows. So people are compared by all their rows together: two of them are in one
class if, in every table, the same combinations of released quasi-identifiers occur in their rows (and as often, where
rows are counted). Generalizing further never takes two people of one class apart, so that the search can rule out every
node below one that fails, unless a class that satisfies a model may fail it together with one that was suppressed.
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
from celosia.recode.branch import Branch, labels_at, sign_people
from celosia.recode.full_domain import check_node
from celosia.recode.star_search import StarSearch
from celosia.say import say
from celosia.tables.table import Progress, no_progress
from celosia.values.same import people_keys

__all__ = ["Star", "StarNode"]

Integers = npt.NDArray[np.int64]
Node = tuple[int, ...]


@dataclass(frozen=True)
class StarNode:
    """What a node does to people: the class of each, the classes that are suppressed, and what it costs."""

    node: Node
    classes: Integers
    sizes: Integers
    bad: npt.NDArray[np.bool_]
    cost: float

    @property
    def suppressed(self) -> npt.NDArray[np.bool_]:
        """Per person, whether she is left out."""
        return self.bad[self.classes]


class Star:
    """Tables that tell of the same people, searched together.

    ``shared`` are groups of (branch, column) that hold the same quasi-identifier: they have one level together. Of
    ``models`` those about the sizes of classes are taken; those about a sensitive column are asked of every branch
    whose task has them.
    """

    def __init__(
        self,
        branches: Sequence[Branch],
        models: Sequence[PrivacyModel],
        *,
        shared: Sequence[Sequence[tuple[str, str]]] = (),
        suppression: float = 0.0,
    ) -> None:
        for model in models:
            if model.needs_population or model.needs_losses or model.needs_labels:
                raise ProjectError(
                    say(
                        "{model} is about rows, and people are compared here by all their rows together",
                        model=model.name,
                    ),
                    where="models",
                    remedy=say("use another model, or release one row per person"),
                )
        self.branches, self.checks = tuple(branches), 0
        self._of_sizes = tuple(model for model in models if model.column is None)
        self.models = (*self._of_sizes, *(model for branch in branches for model in branch.models))
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
        self.is_proven = False

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

    def look(self, node: Node) -> StarNode:
        """The classes of people at a node, and which of them violate a model."""
        self.checks += 1
        classes, sizes = self._classes(node)
        bad = self._violations(classes, sizes, np.ones(len(classes), bool))
        relative = any(model.is_relative and not model.of_whole for model in self.models)
        before = -1
        # What compares classes with the whole is held to what is released, which suppression changes; and what judges
        # all classes together is asked of what the others leave.
        while before < (now := int(bad.sum())) < len(bad):
            before = now
            if relative and self.allowed and now:
                bad |= self._violations(classes, sizes, ~bad[classes])
            if int(bad.sum()) == now:
                self._exclude_whole(bad, sizes)
            if not self.allowed:
                break
        return StarNode(node, classes, sizes, bad, self._cost(node, bad[classes]))

    @property
    def is_monotone(self) -> bool:
        """Whether every generalization of a valid node is valid too."""
        if self.allowed == 0:
            return all(model.union_monotone for model in self.models)
        return all(model.class_monotone for model in self.models)

    def best(
        self,
        picked: Node | None = None,
        *,
        seconds: float | None = None,
        progress: Progress = no_progress,
    ) -> StarNode:
        """The node that costs least of those under which few enough people are left out, or the one picked.

        With ``seconds`` it is the best that is found in this time; ``is_proven`` then tells whether none is better.
        """
        if picked is not None:
            self._check_picked(picked)
            found = self.look(picked)
            if not self.is_valid(found):
                raise self._nothing(found)
            return found
        search = StarSearch(self, seconds=seconds, progress=progress)
        best = search.run()
        if best is None:
            raise self._nothing(self.look(self.heights))
        self.is_proven = search.is_proven
        return best

    def try_out(self, picked: Node | None = None) -> None:
        """Raise whatever a search would, short of looking for a node: one look at the most general is taken."""
        self._check_picked(picked)
        if picked is None:
            StarSearch(self)
        self.look(self.heights)

    def _check_picked(self, picked: Node | None) -> None:
        if picked is not None:
            names = tuple(" = ".join(map(".".join, group)) for group in self.attributes)
            check_node(picked, names, self.heights)

    def is_valid(self, found: StarNode) -> bool:
        """Whether few enough people are left out, and somebody is released."""
        lost = int(found.sizes[found.bad].sum())
        return lost <= self.allowed and lost < len(self.people)

    def _nothing(self, found: StarNode) -> NoSolutionError:
        lost = int(found.sizes[found.bad].sum())
        return NoSolutionError(
            say(
                "at node {node} {left_out:,} of {people:,} people would be left out, and {allowed:,} may be",
                node=",".join(map(str, found.node)),
                left_out=lost,
                people=len(self.people),
                allowed=self.allowed,
            ),
            where="person",
            remedy=say("allow more suppression, ask for less, or do not count how many rows a person has"),
        )

    def steps(self) -> list[npt.NDArray[np.float64]]:
        """Per attribute, what its cells cost at each level if nobody is left out; a node costs their sum."""
        found = [np.zeros(height + 1) for height in self.heights]
        number = {place: i for i, group in enumerate(self._attributes) for place in group}
        for branch in self.branches:
            for column, prices in zip(branch.domain.columns, branch.costs.cells, strict=True):
                costs = found[number[branch.name, column.name]]
                levels = zip(prices, column.rows, strict=True)
                by_level = np.array([cost @ rows for cost, rows in levels]) * branch.costs.weight
                costs += by_level[: len(costs)] / self._scale
        return found

    @property
    def _scale(self) -> float:
        """A share is a mean over all quasi-identifiers of all tables, by their weights; other costs are added up."""
        measure = get_measure(self.branches[0].task.measure)
        is_share = isinstance(measure, CellMeasure) and measure.is_share
        return sum(branch.costs.weight for branch in self.branches) if is_share else 1.0

    def _cost(self, node: Node, suppressed: npt.NDArray[np.bool_]) -> float:
        """What a node costs, with the rows of those who are left out."""
        cost = float(sum(costs[level] for costs, level in zip(self._steps, node, strict=True)))
        for number, branch in enumerate(self.branches):
            prices, domain = branch.costs, branch.domain
            if prices.full is None or not suppressed.any():
                continue
            gone = suppressed[self._people_of(number)]
            saved = np.zeros(int(gone.sum()))
            for place, level in enumerate(self.levels(branch, node)):
                codes = domain.columns[place].levels[level][domain.codes[place][gone]]
                saved += prices.cells[place][level][codes]
            cost += float((prices.full - saved) @ domain.counts[gone]) * prices.weight / self._scale
        return cost

    def _classes(self, node: Node) -> tuple[Integers, Integers]:
        """The class of every person, and how many people are in each."""
        signatures = {}
        for number, branch in enumerate(self.branches):
            labels, people = labels_at(branch.domain, self.levels(branch, node)), self._people_of(number)
            for half in range(2):
                signatures[f"s{number}.{half}"] = sign_people(
                    people, labels, branch.domain.counts, len(self.people), branch.is_counted, (number, half)
                )
        frame = pl.DataFrame({name: pl.Series(column) for name, column in signatures.items()})
        # In the order of people, for a model of the whole takes the first of equal classes: the same at every look.
        grouped = frame.with_columns(place=pl.int_range(pl.len())).group_by(
            list(signatures), maintain_order=True
        )
        numbered = grouped.agg("place")
        sizes = numbered.get_column("place").list.len().cast(pl.Int64).to_numpy()
        places = numbered.get_column("place").explode(empty_as_null=False).to_numpy()
        classes = np.empty(len(self.people), np.int64)
        classes[places] = np.repeat(np.arange(len(sizes)), sizes)
        return classes, sizes

    def _people_of(self, number: int) -> Integers:
        """For every combination of a table, the person whose it is."""
        return self._people[number]

    @cached_property
    def _people(self) -> list[Integers]:
        return [
            owners.get_column("person").fill_null(-1).to_numpy()[branch.domain.sensitive[branch.person][0]]
            for branch, owners in zip(self.branches, self._owners, strict=True)
        ]

    @cached_property
    def _steps(self) -> list[npt.NDArray[np.float64]]:
        return self.steps()

    def rows_of(self, number: int, people: npt.NDArray[np.bool_]) -> tuple[int, int]:
        """How many rows of a table are some people's: all of them, and those that would be released."""
        branch = self.branches[number]
        place = branch.counts.columns.index(branch.person)
        keys = people_keys(branch.counts.values[place])
        are_theirs = keys.is_in(self.people.filter(people).implode(), nulls_equal=False)
        theirs = are_theirs.fill_null(value=False).to_numpy()[branch.counts.codes[place]]
        shown = int(branch.domain.counts[people[self._people_of(number)]].sum())
        return int(branch.counts.counts[theirs].sum()), shown

    def _violations(
        self, classes: Integers, sizes: Integers, kept: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.bool_]:
        """Classes that fail a model of single classes when only some people are released."""
        inside = np.bincount(classes[kept], minlength=len(sizes))
        bad = np.zeros(len(sizes), bool)
        places = np.flatnonzero(inside)
        for model in self._of_sizes:
            if not model.of_whole:
                bad[places] |= model.violations(Classes(inside[places].astype(np.int64)))
        for number, branch in enumerate(self.branches):
            for model in branch.models:
                pairs = self._pairs(number, str(model.column), kept)
                owners = classes[pairs.get_column("person").to_numpy()]
                # A class in which nobody has a row there has no value to betray.
                places = np.unique(owners)
                histogram = self._histogram(branch, str(model.column), pairs, np.searchsorted(places, owners))
                looked_at = Classes(inside[places].astype(np.int64), {str(model.column): histogram})
                bad[places] |= model.violations(looked_at)
        return bad

    def _exclude_whole(self, bad: npt.NDArray[np.bool_], sizes: Integers) -> None:
        """Mark the fewest people who have to leave of the classes that are left, model by model."""
        for model in self._of_sizes:
            if model.of_whole and not bad.all():
                places = np.flatnonzero(~bad)
                bad[places] |= model.violations(Classes(sizes[places]))

    def _pairs(self, number: int, column: str, kept: npt.NDArray[np.bool_]) -> pl.DataFrame:
        """People and their values: one who has a value in several rows counts once for it."""
        codes, values = self.branches[number].domain.sensitive[column]
        people = self._people_of(number)
        stays = kept[people]
        # Who has one value in two spellings has one.
        return pl.DataFrame({"person": people[stays], "code": values.folded.codes[codes[stays]]}).unique()

    def _histogram(self, branch: Branch, column: str, pairs: pl.DataFrame, owners: Integers) -> Histogram:
        """People by class and value."""
        values = branch.domain.sensitive[column][1].folded.values
        found = (
            pl.DataFrame({"class": owners, "code": pairs.get_column("code")})
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
