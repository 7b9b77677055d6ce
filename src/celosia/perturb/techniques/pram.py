"""PRAM: categories change at random, with known chances."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field, field_validator

from celosia.errors import ProjectError
from celosia.perturb.perturbation import CATEGORIES, Perturbation
from celosia.perturb.values import Matrix, codes_of, draw_by
from celosia.say import say
from celosia.types import ColumnType
from celosia.values.text import text_of

__all__ = ["Pram", "invariant_matrix"]


class Pram(Perturbation):
    """Post-randomization (PRAM): each category becomes another with the chances of a transition matrix.

    Nobody can be sure of a category any more, and whoever knows the matrix can still estimate frequencies. The matrix
    is given, for all columns that are changed; or one is made for each column that leaves its frequencies as they are
    in expectation (invariant PRAM). ``diagonal`` and ``alpha`` are pd and alpha of sdcMicro's ``pram``: the first
    matrix keeps a category with a chance between ``diagonal`` and 1, and with 1 - alpha nothing changes. Whole numbers
    that are codes can be named too.

    J. M. Gouweleeuw, P. Kooiman, L. C. R. J. Willenborg, P.-P. de Wolf: Post randomisation for statistical disclosure
    control: theory and implementation. Journal of Official Statistics 14(4), 1998.

    A given matrix that turns every yes into a no:

    >>> frame = pl.DataFrame({"smokes": ["yes", "no", None]})
    >>> technique = Pram(matrix={"yes": {"no": 1}, "no": {"no": 1}})
    >>> technique.perturb(frame, types={}, rng=np.random.default_rng())["smokes"].to_list()
    ['no', 'no', None]
    """

    name: ClassVar[str] = "pram"
    keeps: ClassVar[str] = say("the frequencies of every column in expectation, unless the matrix is given")
    kinds: ClassVar[tuple[ColumnType, ...]] = (*CATEGORIES, ColumnType.INTEGER)
    unasked: ClassVar[tuple[ColumnType, ...] | None] = CATEGORIES

    diagonal: float = Field(
        default=0.8,
        ge=0,
        le=1,
        description="the least chance that a category stays, before the matrix is made invariant",
    )
    alpha: float = Field(
        default=0.5, ge=0, le=1, description="how much of that matrix is used; 0 changes nothing"
    )
    matrix: Mapping[str, Mapping[str, float]] | None = Field(
        default=None, description="for every category the chances of what it becomes; adding up to 1"
    )

    @field_validator("matrix")
    @classmethod
    def _adds_up(
        cls, matrix: Mapping[str, Mapping[str, float]] | None
    ) -> Mapping[str, Mapping[str, float]] | None:
        for value, chances in (matrix or {}).items():
            if any(chance < 0 for chance in chances.values()) or abs(sum(chances.values()) - 1) > 1e-9:
                raise ValueError(
                    say("the chances of {value!r} should be at least 0 and add up to 1", value=value)
                )
        return matrix

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with categories drawn anew."""
        changed = []
        for name in self.choose(frame, types):
            codes, values = codes_of(frame[name])
            if self.matrix is not None:
                steps, values = self.given(values, frame[name])
            else:
                steps = invariant_matrix(
                    np.bincount(codes[codes >= 0]), diagonal=self.diagonal, alpha=self.alpha, rng=rng
                )
            drawn = np.full(len(codes), -1)
            drawn[codes >= 0] = draw_by(steps, codes[codes >= 0], rng)
            fresh = values.gather(pl.Series(drawn).replace(-1, None).cast(pl.UInt32))
            changed.append(fresh.cast(frame.schema[name]).alias(name))
        return frame.with_columns(changed)

    def given(self, values: pl.Series, column: pl.Series) -> tuple[Matrix, pl.Series]:
        """``chances[code, target]`` of the matrix given, and the values that targets are."""
        matrix = self.matrix or {}
        texts = values.to_frame("v").select(text_of(pl.col("v"), values.dtype))["v"].to_list()
        targets = sorted({target for chances in matrix.values() for target in chances})
        steps = np.zeros((len(texts), len(targets)))
        for code, text in enumerate(texts):
            if text not in matrix:
                raise ProjectError(
                    say("the matrix says nothing about a value of column {name!r}", name=column.name),
                    where=self.name,
                    remedy=say("add what every value becomes; it knows {names}", names=", ".join(matrix)),
                )
            for target, chance in matrix[text].items():
                steps[code, targets.index(target)] = chance
        return steps, values_of(targets, column)


def values_of(texts: list[str], column: pl.Series) -> pl.Series:
    """Texts as values of the type of a column.

    >>> values_of(["true", "false"], pl.Series("smokes", [True])).to_list()
    [True, False]
    """
    shown = pl.Series(texts, dtype=pl.String)
    if column.dtype == pl.Boolean:
        values = shown.replace_strict({"true": True, "false": False}, default=None, return_dtype=pl.Boolean)
    else:
        values = shown.cast(column.dtype, strict=False)
    if values.null_count():
        raise ProjectError(
            say("the matrix has values that column {name!r} cannot hold", name=column.name),
            where="pram",
            remedy=say("write numbers for a column of numbers, true and false for one of truths"),
        )
    return values


def invariant_matrix(
    counts: np.ndarray[tuple[int], np.dtype[np.int64]],
    *,
    diagonal: float,
    alpha: float,
    rng: np.random.Generator,
) -> Matrix:
    """Chances under which counts stay as they are in expectation: ``chances[from, to]``.

    A random matrix P is followed by the way back by Bayes' rule: of counts t, a category k came from l with the chance
    P[l, k] t[l] / Σ P[m, k] t[m].

    >>> counts = np.array([70, 20, 10])
    >>> chances = invariant_matrix(counts, diagonal=0.5, alpha=1, rng=np.random.default_rng(1))
    >>> (counts @ chances).round(9).tolist(), chances.sum(axis=1).round(9).tolist()
    ([70.0, 20.0, 10.0], [1.0, 1.0, 1.0])
    """
    size = len(counts)
    if size < 2:
        return np.eye(size)
    steps = rng.random((size, size))
    np.fill_diagonal(steps, 0)
    stays = rng.uniform(diagonal, 1, size)
    steps *= ((1 - stays) / steps.sum(axis=1))[:, None]
    np.fill_diagonal(steps, stays)
    arrived = counts[:, None] * steps
    back = (arrived / arrived.sum(axis=0)).T
    return np.asarray(alpha * (steps @ back) + (1 - alpha) * np.eye(size))
