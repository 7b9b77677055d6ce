"""A table whose combinations stay on the cluster: encoded there, its level tables and the rows of every label here."""

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from celosia.hierarchies import Hierarchy
from celosia.measure.utility import Measure
from celosia.recode.cluster_evaluator import ClusterEvaluator
from celosia.recode.domain import Codes, Domain, check_people, encode_column, with_rows
from celosia.recode.frequency import FrequencySets
from celosia.recode.gains import JointCounts, tuple_codes
from celosia.recode.packed import JointCounter, KeyPacking, Marginals, PackedLayout, PartAssignment, PartWork
from celosia.recode.scores import Benefits, gain_benefits, get_score, loss_benefits
from celosia.recode.search_location import SearchLocation
from celosia.recode.subject import SpecializationGoal
from celosia.recode.task import RecodingTask
from celosia.recode.two_phase import PartNode
from celosia.say import say
from celosia.tables.table import Progress
from celosia.values.same import SensitiveValues, people_values, sensitive_values

__all__ = ["EncodedTable", "LargeSubject", "encode", "large_evaluator"]


@dataclass(frozen=True)
class EncodedTable:
    """The ``combinations`` on the cluster as packed keys and codes of ``others``, and the ``domain`` without them.

    ``whole[name]`` are the rows of every value of one of the others.
    """

    domain: Domain
    combinations: Any
    whole: Mapping[str, Codes]
    road: SearchLocation


def large_evaluator(
    task: RecodingTask, hierarchies: Mapping[str, Hierarchy], *, measures: Sequence[Measure]
) -> ClusterEvaluator:
    """For searches of the lattice on the cluster."""
    assert task.road is not None
    encoded = encode(task, hierarchies, task.modelled, task.road)
    return evaluator_of(task, encoded, hierarchies, measures=measures)


def evaluator_of(
    task: RecodingTask,
    encoded: EncodedTable,
    hierarchies: Mapping[str, Hierarchy],
    *,
    measures: Sequence[Measure],
) -> ClusterEvaluator:
    """For looks at nodes of an encoded table; models look at the first of its other columns."""
    domain = encoded.domain
    sensitive = {name: entry for name, entry in domain.sensitive.items() if name in task.modelled}
    return ClusterEvaluator(
        replace(domain, sensitive=sensitive),
        task.models,
        combinations=encoded.combinations,
        whole=encoded.whole,
        most=encoded.road.most,
        measures=measures,
        limit=task.suppression,
        weights=task.weights,
        sensitive_hierarchies=hierarchies,
    )


def encode(
    task: RecodingTask, hierarchies: Mapping[str, Hierarchy], others: Sequence[str], road: SearchLocation
) -> EncodedTable:
    """Count the table on the cluster, and keep its combinations there as small numbers."""
    from celosia.tables.spark.combinations import SparkCombinations

    task.progress(say("counting rows"), 0.0)
    table: Any = task.table
    task.check_rows(table.count())
    columns, translations = [], []
    for name in task.quasi_identifiers:
        alone = table.count_by((name,))
        column, codes = encode_column(alone, 0, hierarchies[name], task.missing, task.unknown)
        columns.append(column)
        translations.append((alone.values[0], codes))
    told: dict[str, tuple[Codes, SensitiveValues]] = {}
    for name in others:
        alone = table.count_by((name,))
        values = alone.values[0]
        translations.append((values, np.arange(len(values))))
        if name == task.person:
            check_people(values, alone.rows_of(0), name, table.name)
        told[name] = (
            np.empty(0, np.int64),
            (people_values if name == task.person else sensitive_values)(values),
        )
    nothing = tuple(np.empty(0, np.int64) for _ in columns)
    bare = Domain(tuple(columns), nothing, np.empty(0, np.int64), told, 0, 0)
    sets = FrequencySets(bare)
    names = (*task.quasi_identifiers, *others)
    keys = tuple(f"w{number}" for number in range(sets.words))
    further = tuple(f"s{number}" for number in range(len(others)))
    packing = KeyPacking(
        names,
        tuple(translations),
        sets.fields,
        sets.words,
        table.options.missing,
        tuple(table.parsers_of(names).get(name) for name in names),
    )
    combinations = SparkCombinations(table, names, packing, keys, further, size=road.combinations)
    found = combinations.fold(
        Marginals(PackedLayout(sets.fields, sets.words, len(others))), ("column", "code")
    )
    rows_of = {key[0]: group for key, group in found.partition_by("column", as_dict=True).items()}
    counted = [_rows(rows_of.get(place), len(values)) for place, (values, _) in enumerate(translations)]
    kept = int(counted[0].sum()) if counted else 0
    filled = [
        with_rows(column, np.arange(len(column.values)), rows[: len(column.values)])
        for column, rows in zip(columns, counted, strict=False)
    ]
    task.progress(say("counting rows"), 1.0)
    domain = replace(bare, columns=tuple(filled), rows=kept, excluded=table.count() - kept)
    rows_of_others = zip(others, counted[len(columns) :], strict=True)
    whole = {name: rows[: len(told[name][1])] for name, rows in rows_of_others}
    return EncodedTable(domain, combinations, whole, road)


def _rows(found: pl.DataFrame | None, size: int) -> Codes:
    rows = np.zeros(size + 1, np.int64)
    if found is not None:
        rows[found["code"].to_numpy()] = found["rows"].to_numpy()
    return rows


@dataclass(frozen=True)
class LargeSubject:
    """What top-down specialization works on where the combinations stay on the cluster."""

    task: RecodingTask
    encoded: EncodedTable
    targets: tuple[str, ...]
    hierarchies: Mapping[str, Hierarchy]

    def evaluator(self, aim: SpecializationGoal) -> ClusterEvaluator:
        """For looks at nodes, here where classes are few and there where they are many."""
        return evaluator_of(self.task, self.encoded, self.hierarchies, measures=[])

    def benefits(self, aim: SpecializationGoal) -> Benefits:
        """What every step brings, from the joint counts of every column with the target, made there."""
        columns = self.encoded.domain.columns
        if not get_score(aim.score).needs_target:
            return loss_benefits(columns, aim.measure, aim.weights)
        named = [f"t{number}" for number in range(len(self.targets))]
        found = self.encoded.combinations.fold(
            JointCounter(self._layout, tuple(self._places)), ("column", "code", *named)
        )
        joints = []
        for place in range(len(columns)):
            mine = found.filter(pl.col("column") == place)
            told = [
                (mine[name].to_numpy(), len(self.encoded.whole[target]))
                for name, target in zip(named, self.targets, strict=True)
            ]
            joints.append(
                JointCounts(mine["code"].to_numpy(), tuple_codes(told, mine.height), mine["rows"].to_numpy())
            )
        return gain_benefits(columns, joints, aim.weights)

    def first_phase(
        self, aim: SpecializationGoal, partitions: int, seed: int, progress: Progress
    ) -> list[PartNode]:
        """What every part finds by itself, all parts side by side on the cluster."""
        progress(say("specializing parts"), 0.0)
        domain = self.encoded.domain
        modelled = [list(domain.sensitive).index(name) for name in self.task.modelled]
        work = PartWork(self._layout, domain, aim, tuple(self._places), tuple(modelled))
        found = self.encoded.combinations.parts(PartAssignment(self._layout, partitions, seed), "part", work)
        nodes = dict(pickle.loads(one) for one in found)
        progress(say("specializing parts"), 1.0)
        empty = PartNode(0, domain.heights, 0, is_small=True)
        return [nodes.get(part, empty) for part in range(partitions)]

    @property
    def _layout(self) -> PackedLayout:
        sets = FrequencySets(self.encoded.domain)
        return PackedLayout(sets.fields, sets.words, len(self.encoded.domain.sensitive))

    @property
    def _places(self) -> list[int]:
        others = list(self.encoded.domain.sensitive)
        return [others.index(name) for name in self.targets]
