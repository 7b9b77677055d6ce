"""Looks at one node: which classes violate the privacy models, how many rows that costs, what the measures say."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from celosia.hierarchies import Hierarchy
from celosia.measure.utility import CellMeasure, ClassMeasure, Measure, NodeTally
from celosia.privacy import Classes, Histogram, PrivacyModel, SensitiveColumn
from celosia.recode.domain import Domain
from celosia.recode.frequency import FrequencySet, FrequencySets
from celosia.recode.lattice import Lattice, Node
from celosia.recode.population import PopulationCounts
from celosia.recode.prices import label_losses, price, row_costs
from celosia.say import say
from celosia.types import all_of

__all__ = ["Evaluator", "NodeEvaluation"]

Floats = npt.NDArray[np.float64]
KEYS_OF_A_CHECK = 10_000
"""Looking at the smallest node takes as long as grouping this many keys."""


@dataclass(frozen=True)
class NodeEvaluation:
    """A node, whether it is valid, what was counted there, and the value of every measure asked for.

    ``penalties[measure]`` is the part of a cell measure's value that suppression adds.
    """

    node: Node
    is_valid: bool
    tally: NodeTally
    values: Mapping[str, float]
    penalties: Mapping[str, float]


class Evaluator:
    """Evaluates nodes of a domain under privacy models, a suppression limit and weighted utility measures.

    ``limit`` is the share of rows that may be suppressed. ``population`` is for models that look at one. ``floors`` are
    the lowest levels that may be released, by column. ``checks`` counts the nodes looked at.
    """

    def __init__(
        self,
        domain: Domain,
        models: Sequence[PrivacyModel],
        *,
        measures: Sequence[Measure],
        limit: float = 0.0,
        weights: Mapping[str, float] | None = None,
        sensitive_hierarchies: Mapping[str, Hierarchy] | None = None,
        population: PopulationCounts | None = None,
        floors: Mapping[str, int] | None = None,
    ) -> None:
        self.domain = domain
        self.measures = tuple(measures)
        self.lattice = Lattice(domain.heights, _floors(domain, floors or {}))
        self.sets = FrequencySets(domain)
        self.allowed = int(np.floor(limit * domain.rows + 1e-9))
        self.checks = 0
        self._set_models(models)
        self._population = population if any(model.needs_population for model in models) else None
        self._label_losses = label_losses(domain) if any(model.needs_losses for model in models) else None
        self.needs_labels = any(model.needs_labels for model in models)
        self._hierarchies = sensitive_hierarchies or {}
        self._told = {
            name: SensitiveColumn.of(values, self._hierarchies.get(name))
            for name, (_, values) in domain.sensitive.items()
        }
        self._cells = [measure for measure in measures if isinstance(measure, CellMeasure)]
        self._weights = dict(weights or {})
        self._prices(self._weights)

    def _set_models(self, models: Sequence[PrivacyModel]) -> None:
        self.models = tuple(models)
        self._relative = [model for model in models if model.is_relative and not model.of_whole]
        self._of_whole = [model for model in models if model.of_whole]
        self._all_class_monotone = all(model.class_monotone for model in models)

    def with_measures(self, measures: Sequence[Measure]) -> "Evaluator":
        """The same evaluation with other measures; the frequency sets are shared."""
        other = copy(self)
        other.measures = tuple(measures)
        other._cells = [measure for measure in measures if isinstance(measure, CellMeasure)]
        other._prices(self._weights)
        return other

    def with_limit(self, limit: float) -> "Evaluator":
        """The same evaluation with another share of rows that may be suppressed; the frequency sets are shared."""
        other = copy(self)
        other.allowed = int(np.floor(limit * self.domain.rows + 1e-9))
        return other

    def with_models(self, models: Sequence[PrivacyModel]) -> "Evaluator":
        """The same evaluation with other models of the same columns; the frequency sets are shared."""
        other = copy(self)
        other._set_models(models)
        return other

    @property
    def work(self) -> int:
        """What was done so far, in keys grouped: unlike seconds it is the same on every machine."""
        return self.sets.keys_grouped + KEYS_OF_A_CHECK * self.checks

    @property
    def has_equal_weights(self) -> bool:
        """Whether no quasi-identifier weighs more than another."""
        return len({self._weights.get(name, 1.0) for name in self.domain.names}) <= 1

    @property
    def is_monotone(self) -> bool:
        """Whether every generalization of a valid node is valid too.

        Without suppression it mostly is. With it, a class that satisfies, say, entropy l-diversity may fail after
        merging with one that was suppressed.
        """
        return not self.not_monotone

    @property
    def not_monotone(self) -> str:
        """Why a generalization of a valid node may not be valid; nothing where it always is."""
        never = [model.name for model in self.models if not model.union_monotone]
        if never:
            return say(
                "{models} may fail at a node more general than one where it holds", models=all_of(never)
            )
        if self.allowed and not self._all_class_monotone:
            return say("with suppression these models are not monotone on the lattice")
        return ""

    def base(self, measure: CellMeasure) -> Floats:
        """Per node of the lattice, the value of a cell measure if nothing were suppressed."""
        total = np.zeros(self.lattice.shape)
        for column, levels in enumerate(self._column_base[measure.name]):
            shape = [1] * len(self.lattice.shape)
            shape[column] = -1
            total = total + np.array(levels).reshape(shape)
        return total

    def base_at(self, measure: CellMeasure, node: Node) -> float:
        """The value of a cell measure at one node if nothing were suppressed."""
        columns = self._column_base[measure.name]
        return sum([levels[level] for levels, level in zip(columns, node, strict=True)])

    def check(self, node: Node) -> NodeEvaluation:
        """Evaluate a node; an invalid one is not priced, its penalties are infinite."""
        found = self.sets.at(node)
        tally, penalties = self.count(node, found, price_invalid=False)
        values = {}
        for measure in self.measures:
            if isinstance(measure, ClassMeasure):
                values[measure.name] = float(measure.value(tally))
            else:
                values[measure.name] = self.base_at(measure, node) + penalties[measure.name]
        return NodeEvaluation(node, self.is_allowed(tally), tally, values, penalties)

    def try_out(self) -> None:
        """Raise if a model or a measure cannot be evaluated; this look at the most general node is not counted."""
        copy(self).check(self.lattice.top)

    def satisfies(self, node: tuple[int | None, ...]) -> bool:
        """Whether a node is valid, in which None leaves a column out of the subset looked at."""
        self.checks += 1
        found = self.sets.at(node)
        bad = self.violations(found, node)
        return int(found.counts[bad].sum()) <= self.allowed and not bad.all()

    def look(self, node: Node) -> tuple[bool, int]:
        """Whether a node is valid, and the rows of the smallest class that it releases."""
        self.checks += 1
        found = self.sets.at(node)
        bad = self.violations(found, node)
        if bad.all():
            return False, 0
        return int(found.counts[bad].sum()) <= self.allowed, int(found.counts[~bad].min())

    def suppressed_keys(self, node: Node) -> npt.NDArray[np.uint64]:
        """The keys of the classes that violate a model at a node."""
        found = self.sets.at(node)
        return found.keys[self.violations(found, node)]

    def sizes(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Sizes of the classes of the original, and how many there are of each."""
        counts = self.sets.base.counts
        return counts, np.ones(len(counts), np.int64)

    def suppressed_costs(
        self, node: Node, keys: npt.NDArray[np.uint64], counts: npt.NDArray[np.int64]
    ) -> dict[str, float]:
        """What it adds to every cell measure that some classes of a node are suppressed."""
        rows = int(counts.sum())
        costs = {
            name: rows * sum([levels[level] for levels, level in zip(columns, node, strict=True)])
            for name, columns in self._flat_extra.items()
        }
        sums = np.zeros(len(self._varied))
        for column, (word, shift, mask) in enumerate(self.sets.fields):
            places = self._starts[column, node[column]] + ((keys[:, word] >> shift) & mask)
            sums += counts @ self._extra[places.astype(np.int64)]
        return costs | {measure.name: float(one) for measure, one in zip(self._varied, sums, strict=True)}

    def is_allowed(self, tally: NodeTally) -> Any:
        """Whether few enough rows are suppressed and any are released; of one tally or of arrays of them."""
        return (tally.suppressed <= self.allowed) & (tally.kept_classes > 0)

    def count(
        self, node: Node, found: FrequencySet, *, price_invalid: bool = True
    ) -> tuple[NodeTally, dict[str, float]]:
        """What was counted at a node and, per cell measure, what suppression adds to its value."""
        self.checks += 1
        counts = found.counts
        classes = self.classes(found, node)
        bad = self._violating(classes, found)
        is_priced = price_invalid or int(counts[bad].sum()) <= self.allowed
        starts = self._starts[self._every_column, node]
        (suppressed, kept, squares, kept_squares), sums, over_bad = self.sets.engine.tally(
            found.keys,
            counts,
            bad,
            fields=self.sets.fields,
            starts=starts,
            costs=self._extra if is_priced else self._extra[:, :0],
        )
        doomed = suppressed if self._all_class_monotone else self._doomed(classes)
        tally = NodeTally(self.domain.rows, suppressed, doomed, len(counts), squares, kept, kept_squares)
        if not is_priced:
            return tally, {measure.name: np.inf for measure in self._cells}
        # Where all labels of a level cost the same, the number of rows says it all.
        penalties = {
            name: suppressed * sum([levels[level] for levels, level in zip(columns, node, strict=True)])
            for name, columns in self._flat_extra.items()
        }
        for measure, over_some in zip(self._varied, sums.tolist(), strict=True):
            rest = 0.0 if over_bad else self._empty[measure.name] - self.base_at(measure, node)
            penalties[measure.name] = abs(rest - over_some) if suppressed else 0.0
        return tally, penalties

    def _doomed(self, classes: Classes) -> int:
        """Rows that violate a model of class sizes alone: no less general node can save them."""
        plain = [model for model in self.models if model.class_monotone and model.column is None]
        bad = np.zeros(len(classes.counts), bool)
        for model in plain:
            bad |= model.violations(classes)
        return int(classes.counts[bad].sum())

    def classes(self, found: FrequencySet, node: tuple[int | None, ...]) -> Classes:
        """The classes of a node as models look at them."""
        histograms = self._histograms(found, None) if found.histograms else {}
        people, absent, losses = None, 0, None
        if self._population is not None:
            people, absent = self._population.of(found.keys, self.sets.fields, node)
        if self._label_losses is not None:
            losses = self._losses(found, node, self._label_losses)
        labels = self._labels(found, node) if self.needs_labels else None
        return Classes(found.counts, histograms, people, absent, losses, labels)

    def violations(self, found: FrequencySet, node: tuple[int | None, ...]) -> npt.NDArray[np.bool_]:
        """Classes of a node to suppress.

        A model that compares a class with the whole table (t-closeness) is held to what is released: once classes
        are suppressed the whole has changed, so it is asked again until nothing more is to be suppressed. One that
        judges all classes together is asked of what the others leave, and names the fewest rows that have to leave
        of that; several of them are asked one after the other.
        """
        return self._violating(self.classes(found, node), found)

    def _violating(self, classes: Classes, found: FrequencySet) -> npt.NDArray[np.bool_]:
        bad = np.zeros(len(found), bool)
        for model in self.models:
            if not model.of_whole:
                bad |= model.violations(classes)
        # Of classes of one size a model of the whole takes the first. The order in which they stand here depends on
        # the way to the node; that of their keys, which is the order of labels in the hierarchies, does not.
        order = np.lexsort(found.keys.T) if self._of_whole else np.arange(len(bad))
        before = -1
        while before < (now := int(bad.sum())) < len(bad):
            before = now
            self._exclude_relative(bad, classes, found)
            for model in self._of_whole:
                kept = order[~bad[order]]
                if len(kept):
                    bad[kept] |= model.violations(self._at(kept, classes, found))
            if not (
                self._of_whole and self.allowed
            ):  # nothing more to ask, or one that has to leave is too many
                break
        return bad

    def _exclude_relative(self, bad: npt.NDArray[np.bool_], classes: Classes, found: FrequencySet) -> None:
        """Mark classes that fail when compared with those that are left, until none does."""
        before = 0
        while self._relative and self.allowed and before < (now := int(bad.sum())) < len(bad):
            before = now
            kept = np.flatnonzero(~bad)
            rest = self._at(kept, classes, found)
            for model in self._relative:
                bad[kept] |= model.violations(rest)

    def _at(self, places: npt.NDArray[np.int64], classes: Classes, found: FrequencySet) -> Classes:
        """Some classes of a node, in this order, as if all others were suppressed."""
        people, absent = classes.population, classes.absent
        if people is not None:
            absent += int(people.sum() - people[places].sum())
            people = people[places]
        return Classes(
            classes.counts[places],
            self._histograms(found, places) if found.histograms else {},
            people,
            absent,
            None if classes.losses is None else classes.losses[places],
            None if classes.labels is None else {name: at[places] for name, at in classes.labels.items()},
        )

    def _labels(self, found: FrequencySet, node: tuple[int | None, ...]) -> dict[str, npt.NDArray[np.int64]]:
        """What every class shows in the columns that are looked at."""
        return {
            name: ((found.keys[:, word] >> shift) & mask).astype(np.int64)
            for name, (word, shift, mask), level in zip(
                self.domain.names, self.sets.fields, node, strict=True
            )
            if level is not None
        }

    def _losses(
        self, found: FrequencySet, node: tuple[int | None, ...], by_label: tuple[list[list[Floats]], float]
    ) -> Floats:
        """What the labels of every class take away, of all that there is to take."""
        lost = np.zeros(len(found))
        for (word, shift, mask), levels, level in zip(self.sets.fields, by_label[0], node, strict=True):
            codes = ((found.keys[:, word] >> shift) & mask).astype(np.int64)
            lost += levels[-1][0] if level is None else levels[level][codes]
        return lost / by_label[1]

    def failing(
        self, found: FrequencySet, whole: FrequencySet, *, by_groups: bool = False
    ) -> npt.NDArray[np.bool_]:
        """Classes that violate a model when all of ``whole`` is released, of which ``found`` is a part.

        Each class is judged by itself, also under promises about groups of classes unless ``by_groups``.
        """
        bad = np.zeros(len(found), bool)
        if not len(found):
            return bad
        self.checks += 1
        classes = Classes(found.counts, self._histograms(found, None, whole) if found.histograms else {})
        for model in self.models:
            if not (by_groups and model.needs_labels):
                bad |= model.violations(classes)
        return bad

    def histograms(self, found: FrequencySet) -> dict[str, Histogram]:
        """The values of the sensitive columns in some classes, which are all that is released."""
        return self._histograms(found, None) if found.histograms else {}

    def _histograms(
        self, found: FrequencySet, places: npt.NDArray[np.int64] | None, whole: FrequencySet | None = None
    ) -> dict[str, Histogram]:
        """The values of the classes, or of those in some places."""
        result = {}
        if places is not None:
            number = np.full(len(found), -1)
            number[places] = np.arange(len(places))
        for place, (name, column) in enumerate(self._told.items()):
            classes, codes, rows = found.histograms[place]
            entries = (classes, codes, rows)
            if places is not None:
                stays = number[classes] >= 0
                entries = (number[classes[stays]], codes[stays], rows[stays])
            everything = None
            if whole is not None:
                _, every_code, every_row = whole.histograms[place]
                everything = np.bincount(every_code, every_row, len(column.values)).astype(np.int64)
            result[name] = column.histogram(entries, everything)
        return result

    def _prices(self, weights: Mapping[str, float]) -> None:
        """What the cell measures say before any class is looked at.

        ``_column_base[measure][column][level]`` is its value if nothing is suppressed, ``_empty[measure]`` that of the
        empty table. What suppressing one row adds lies in ``_flat_extra[measure][column][level]`` where all labels of
        a level cost the same, else in ``_extra[starts[column, level] + code, measure]`` as the compiled loop reads it.
        """
        sizes = [[len(labels) for labels in column.labels] for column in self.domain.columns]
        places = iter(np.cumsum([0, *(size for levels in sizes for size in levels)]).tolist())
        self._every_column = np.arange(len(sizes))
        self._starts = np.zeros((len(sizes), max(map(len, sizes), default=0)), np.uint64)
        for column, levels in enumerate(sizes):
            self._starts[column, : len(levels)] = [next(places) for _ in levels]
        self._column_base: dict[str, list[list[float]]] = {}
        self._empty: dict[str, float] = {}
        self._flat_extra: dict[str, list[list[float]]] = {}
        self._varied: list[CellMeasure] = []
        varied = [np.zeros((sum(map(sum, sizes)), 0))]
        for measure in self._cells:
            base, extra, self._empty[measure.name] = price(self.domain, measure, weights)
            self._column_base[measure.name] = [levels.tolist() for levels in base]
            if all(np.ptp(cost) == 0 for levels in extra for cost in levels if len(cost)):
                self._flat_extra[measure.name] = [
                    [float(cost[0]) if len(cost) else 0.0 for cost in levels] for levels in extra
                ]
            else:
                self._varied.append(measure)
                varied.append(np.concatenate([cost for levels in extra for cost in levels]).reshape(-1, 1))
        self._extra = np.ascontiguousarray(np.concatenate(varied, axis=1))

    def row_costs(self, measure: CellMeasure) -> tuple[list[list[Floats]], float]:
        """What one row adds to the value of a cell measure: ``costs[column][level][code]``, or if it is suppressed."""
        return row_costs(self.domain, measure, self._weights)


def _floors(domain: Domain, floors: Mapping[str, int]) -> Node:
    """The lowest level of every column; a hierarchy that ends before is released as it ends."""
    if not floors:
        return ()
    return tuple(min(floors.get(column.name, 0), column.height) for column in domain.columns)
