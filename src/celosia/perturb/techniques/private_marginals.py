"""A synthetic table from noisy counts: differential privacy for everybody in the table."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field, field_validator

from celosia.errors import ProjectError
from celosia.perturb.adaptive import all_sets, fit_adaptively
from celosia.perturb.budget import PrivateCounts
from celosia.perturb.domains import ColumnDomain
from celosia.perturb.drawing import draw_rows
from celosia.perturb.junction import Columns
from celosia.perturb.perturbation import CATEGORIES, Perturbation
from celosia.perturb.private import SEEDED, bounds_in_order
from celosia.say import say
from celosia.types import NUMBERS, ColumnType, nearest
from celosia.values.text import column_type

__all__ = ["PrivateMarginals"]


class PrivateMarginals(Perturbation):
    """A synthetic table from private marginals: rows of a model that was fitted to noisy counts.

    Every column is cut into the cells of a domain that is given, not looked up: categories by name, numbers by bins of
    equal width between bounds. What is outside its domain counts as missing, and every domain has a cell for that.
    Every column is counted with noise, then, round by round, the pairs or triples that the model so far gets most
    wrong; which they are is chosen with noise, too. A junction tree of bounded size brings all counts together, and
    rows are drawn from it systematically. One row more or less changes the odds of any result by at most exp(epsilon),
    but for a chance of delta if there is one: a privacy filter of OpenDP keeps the budget. How many rows there are is
    not told either: as many are made as the noisy counts say. Columns without a domain are refused, unless others are
    named: then they are left out.

    R. McKenna, B. Mullins, D. Sheldon, G. Miklau: AIM: an adaptive and iterative mechanism for differentially private
    synthetic data. Proceedings of the VLDB Endowment 15(11), 2022.

    With a large budget the noise is nothing.

    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 50, "smokes": [True, False] * 50})
    >>> technique = PrivateMarginals(epsilon=500, domains={"sex": ("f", "m"), "smokes": ("true", "false")}, seed=1)
    >>> made = technique.perturb(frame, types={}, rng=np.random.default_rng(1))
    >>> sorted(made.unique().rows()), made.height
    ([('f', True), ('m', False)], 100)
    """

    name: ClassVar[str] = "private-marginals"
    keeps: ClassVar[str] = say(
        "the frequencies of every column, and of pairs or triples of columns as well as the budget allows"
    )
    missing: ClassVar[str] = say("missing is a cell of every domain, with noise like the others")
    caution: ClassVar[str] = SEEDED
    is_aligned: ClassVar[bool] = False
    makes_rows: ClassVar[bool] = True
    kinds: ClassVar[tuple[ColumnType, ...]] = (*NUMBERS, *CATEGORIES)

    epsilon: float = Field(gt=0, description="privacy budget of the whole table")
    delta: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        description="the chance that epsilon does not hold, far below one in the number of people; none unless given",
    )
    domains: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict, description="for columns of categories, which there are; known without looking"
    )
    bounds: Mapping[str, tuple[float, float]] = Field(
        default_factory=dict,
        description="for columns of numbers, between what values they lie; known without looking",
    )
    bins: int = Field(default=10, ge=1, description="bins of equal width that numbers are cut into")
    ways: int = Field(
        default=2, ge=1, le=3, description="how many columns go together in what should be kept"
    )
    workload: tuple[tuple[str, ...], ...] = Field(
        default=(),
        description="the sets of columns whose frequencies should be kept; all of so many unless given",
    )
    cells: int = Field(
        default=200_000,
        ge=1,
        description="the largest model, in cells: larger ones are finer and take longer",
    )
    rows: int | None = Field(
        default=None, ge=0, description="rows to make; as many as the noisy counts say unless given"
    )

    @field_validator("bounds")
    @classmethod
    def _in_order(cls, bounds: Mapping[str, tuple[float, float]]) -> Mapping[str, tuple[float, float]]:
        return bounds_in_order(bounds)

    @field_validator("domains")
    @classmethod
    def _told_apart(cls, domains: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
        for name, labels in domains.items():
            if not labels or len(set(labels)) < len(labels):
                raise ValueError(
                    say("the domain of {name} should have categories, each of them once", name=name)
                )
        return domains

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """A table of synthetic rows."""
        domains = self.find_domains(frame, types)
        workload = self.find_workload(tuple(domain.name for domain in domains))
        if not domains:
            return frame.select([])
        door = PrivateCounts(
            np.stack([domain.cells_of(frame[domain.name]) for domain in domains], axis=1),
            [domain.size for domain in domains],
            epsilon=self.epsilon,
            delta=self.delta,
            rng=None if self.seed is None else rng,
        )
        model = fit_adaptively(door, workload, limit=self.cells, rng=rng)
        cells = draw_rows(model, round(model.total) if self.rows is None else self.rows, rng=rng)
        return pl.DataFrame(
            domain.values_of(cells[:, place], frame.schema[domain.name], rng)
            for place, domain in enumerate(domains)
        )

    def find_workload(self, columns: tuple[str, ...]) -> list[Columns]:
        """The sets of columns whose frequencies should be kept, by place."""
        if not self.workload:
            return all_sets(len(columns), self.ways)
        for wanted in self.workload:
            for name in wanted:
                if name not in columns:
                    raise ProjectError(
                        say("the workload names column {name!r}, which takes no part", name=name),
                        where=self.name,
                        remedy=nearest(name, columns),
                    )
        return sorted({tuple(sorted({columns.index(name) for name in wanted})) for wanted in self.workload})

    def find_domains(self, frame: pl.DataFrame, types: Mapping[str, ColumnType]) -> list[ColumnDomain]:
        """The domain of every column that takes part."""
        named = self.columns or tuple(frame.columns)
        columns = self.model_copy(update={"columns": named}).choose(frame, types)
        for name in (*self.domains, *self.bounds):
            if name not in frame.columns:
                raise ProjectError(
                    say("column {name!r} does not exist", name=name),
                    where=self.name,
                    remedy=nearest(name, tuple(frame.columns)),
                )
        domains = []
        for name in columns:
            if name in self.domains:
                domains.append(ColumnDomain(name, labels=tuple(self.domains[name])))
                domains[-1].check(frame.schema[name], where=self.name)
            elif name in self.bounds:
                edges = tuple(np.linspace(*self.bounds[name], self.bins + 1).tolist())
                kind = types.get(name, column_type(frame.schema[name]))
                domains.append(ColumnDomain(name, edges=edges, is_whole=kind is ColumnType.INTEGER))
            else:
                raise ProjectError(
                    say("column {name!r} has neither a domain nor bounds", name=name),
                    where=self.name,
                    remedy=say("say which values it may have, without looking, or name other columns"),
                )
        return domains
