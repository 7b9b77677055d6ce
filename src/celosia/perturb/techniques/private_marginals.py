"""A synthetic table from noisy counts: differential privacy for everybody in the table."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field, field_validator

from celosia.errors import ProjectError
from celosia.perturb.marginals import MarginalCells, draw_tree, measure, span_tree
from celosia.perturb.perturbation import CATEGORIES, Perturbation
from celosia.perturb.private import SEEDED, noisy_counts
from celosia.say import say
from celosia.types import NUMBERS, ColumnType, nearest

__all__ = ["PrivateMarginals"]


class PrivateMarginals(Perturbation):
    """A synthetic table from private marginals: rows drawn from noisy counts of columns and pairs of columns.

    Every column is cut into the cells of a domain that is given, not looked up: categories by name, numbers by bins of
    equal width between bounds. All one-way and two-way counts get whole Laplace noise by OpenDP, enough that one row
    more or less changes the odds of any result by at most exp(epsilon); of d columns one row is in d (d + 1) / 2
    counts. From the noisy counts alone a tree of the pairs that tell most of each other is chosen, and rows are drawn
    along it. What is outside its domain counts as missing, every domain has a cell for that, and by the noise some of
    the rows drawn may be there. Columns without a domain are refused, unless others are named: then they are left out.

    R. McKenna, G. Miklau, D. Sheldon: Winning the NIST contest: a scalable and general approach to differentially
    private synthetic data. Journal of Privacy and Confidentiality 11(3), 2021, of which this is the plainest form.

    With a large budget the noise is nothing.

    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 50, "smokes": [True, False] * 50})
    >>> technique = PrivateMarginals(epsilon=500, domains={"sex": ("f", "m"), "smokes": ("true", "false")}, seed=1)
    >>> made = technique.perturb(frame, types={}, rng=np.random.default_rng(1))
    >>> sorted(made.unique().rows()), made.height
    ([('f', True), ('m', False)], 100)
    """

    name: ClassVar[str] = "private-marginals"
    keeps: ClassVar[str] = say(
        "the frequencies of every column and of the pairs of a tree, but for the noise"
    )
    missing: ClassVar[str] = say("missing is a cell of every domain, with noise like the others")
    caution: ClassVar[str] = SEEDED
    is_aligned: ClassVar[bool] = False
    makes_rows: ClassVar[bool] = True
    kinds: ClassVar[tuple[ColumnType, ...]] = (*NUMBERS, *CATEGORIES)

    epsilon: float = Field(gt=0, description="privacy budget of the whole table")
    domains: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict, description="for columns of categories, which there are; known without looking"
    )
    bounds: Mapping[str, tuple[float, float]] = Field(
        default_factory=dict,
        description="for columns of numbers, between what values they lie; known without looking",
    )
    bins: int = Field(default=10, ge=1, description="bins of equal width that numbers are cut into")
    rows: int | None = Field(
        default=None, ge=0, description="rows to make; as many as the noisy counts say unless given"
    )

    @field_validator("bounds")
    @classmethod
    def _in_order(cls, bounds: Mapping[str, tuple[float, float]]) -> Mapping[str, tuple[float, float]]:
        for name, (low, high) in bounds.items():
            if not low < high:
                raise ValueError(
                    say(
                        "the lower bound of {name} should be below the upper one, got {low} and {high}",
                        name=name,
                        low=low,
                        high=high,
                    )
                )
        return bounds

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
        if not domains:
            return frame.select([])
        counts, places = measure([domain.cells_of(frame[domain.name]) for domain in domains], domains)
        noisy = noisy_counts(
            counts, epsilon=self.epsilon, changes=len(places), rng=None if self.seed is None else rng
        )
        tables = {
            pair: np.maximum(noisy[start:end], 0).reshape(shape)
            for pair, (start, end, shape) in places.items()
        }
        singles = [tables[(place,)] for place in range(len(domains))]
        wanted = (
            round(float(np.mean([single.sum() for single in singles]))) if self.rows is None else self.rows
        )
        cells = draw_tree(tables, span_tree(tables, len(domains)), wanted, rng=rng)
        return pl.DataFrame(
            domain.values_of(cells[:, place], frame.schema[domain.name], rng)
            for place, domain in enumerate(domains)
        )

    def find_domains(self, frame: pl.DataFrame, types: Mapping[str, ColumnType]) -> list[MarginalCells]:
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
                domains.append(MarginalCells(name, labels=tuple(self.domains[name])))
                domains[-1].check(frame.schema[name], where=self.name)
            elif name in self.bounds:
                domains.append(
                    MarginalCells(name, edges=tuple(np.linspace(*self.bounds[name], self.bins + 1).tolist()))
                )
            else:
                raise ProjectError(
                    say("column {name!r} has neither a domain nor bounds", name=name),
                    where=self.name,
                    remedy=say("say which values it may have, without looking, or name other columns"),
                )
        return domains
