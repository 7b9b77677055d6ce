"""One table of a star: its combinations with the person each belongs to, and what its cells cost."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError
from celosia.measure.utility import CellMeasure, get_measure
from celosia.privacy import PrivacyModel
from celosia.recode.domain import Domain, build_domain, check_people
from celosia.recode.evaluate import Evaluator
from celosia.recode.task import RecodingTask
from celosia.say import say
from celosia.tables.table import Counts

__all__ = ["Branch", "CellCosts", "labels_at", "sign_people"]

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.uint64]
Node = tuple[int, ...]


@dataclass(frozen=True)
class Branch:
    """One table of the star: what a technique is given for it, and the column that tells people apart."""

    name: str
    task: RecodingTask
    person: str
    is_counted: bool = False

    @cached_property
    def counts(self) -> Counts:
        """Its combinations as they were counted, those that missing or unknown values leave out among them."""
        return self.task.count((self.person,))

    @cached_property
    def domain(self) -> Domain:
        """Its combinations, each with the person they belong to."""
        task = self.task
        hierarchies = {name: one for name, one in task.hierarchies.items() if name in task.quasi_identifiers}
        found = build_domain(
            self.counts,
            hierarchies,
            quasi_identifiers=task.quasi_identifiers,
            missing=task.missing,
            unknown=task.unknown,
            person=self.person,
        )
        codes, values = found.sensitive[self.person]
        rows = np.bincount(codes, found.counts, len(values)).astype(np.int64)
        check_people(pl.Series(values, dtype=pl.String), rows, self.person, task.table.name)
        return found

    @property
    def people(self) -> pl.Series:
        """The keys that tell people apart, as the combinations point to them."""
        return pl.Series(self.domain.sensitive[self.person][1], dtype=pl.String)

    @property
    def models(self) -> tuple[PrivacyModel, ...]:
        """Those that look at a sensitive column of this table."""
        return tuple(model for model in self.task.models if model.column is not None)

    @cached_property
    def costs(self) -> "CellCosts":
        """What its cells cost at every level, by the measure of the task."""
        return CellCosts.of(self)


@dataclass(frozen=True)
class CellCosts:
    """The price of cells: ``cells[column][level][code]`` for each row, ``full`` for a row that is left out.

    ``weight`` is how much the table counts beside others.
    """

    cells: list[list[npt.NDArray[np.float64]]]
    full: float | None
    weight: float

    @classmethod
    def of(cls, branch: Branch) -> "CellCosts":
        """The prices of a table, together 1 at most for a measure that is a share."""
        measure = get_measure(branch.task.measure)
        if not isinstance(measure, CellMeasure):
            raise ProjectError(
                say(
                    "with several rows per person the best {measure} cannot be searched for",
                    measure=measure.name,
                ),
                where="measure",
                remedy=say("choose loss, precision or another measure of cells"),
            )
        if not branch.domain.columns:  # nothing of such a table is generalized
            return cls([], None, 0.0)
        weights = branch.task.weights
        cells, full = Evaluator(branch.domain, (), measures=[measure], weights=weights).row_costs(measure)
        weight = sum(weights.get(name, 1.0) for name in branch.domain.names) if measure.is_share else 1.0
        return cls(cells, None if measure.full is None else full, weight)


def labels_at(domain: Domain, levels: Node) -> Integers:
    """A number for what every combination shows at some levels; equal numbers show the same."""
    if not levels:
        return np.zeros(len(domain.counts), np.int64)
    frame = pl.DataFrame(
        {
            name: column.levels[level][codes]
            for name, column, level, codes in zip(
                map(str, range(len(levels))), domain.columns, levels, domain.codes, strict=True
            )
        }
    )
    return frame.select(pl.struct(pl.all()).rank("dense").cast(pl.Int64)).to_series().to_numpy()


def sign_people(
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
