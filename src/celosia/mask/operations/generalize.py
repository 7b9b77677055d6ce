"""Values replaced by what a hierarchy makes of them."""

from typing import ClassVar, Literal

import polars as pl
from pydantic import Field, PrivateAttr

from celosia.errors import HierarchyError, ProjectError
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.mask.distinct import PerDistinct
from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.say import say

__all__ = ["Generalize"]


class Generalize(ColumnOperation):
    """Replace every value by its label at one level of a hierarchy: at level 1, J45.1 becomes J45.

    Without a name, the hierarchy of the column's own name is taken. A value that the hierarchy does not know stops the
    run, or is left empty with ``unknown: suppress``.

    Use it where a coarser value says enough: a region for a town, a chapter for a diagnosis. No privacy model is
    checked: nobody counts how many people share a label. Techniques with a privacy model choose the level themselves.
    """

    name: ClassVar[str] = "generalize"
    leaks: ClassVar[str] = say("the label of every value, and who is alone with one")

    level: int = Field(ge=1, description="the level of the hierarchy; 0 would be the values themselves")
    hierarchy: str | None = Field(
        default=None, description="its name or file; that of the column without one"
    )
    unknown: Literal["refuse", "suppress"] = Field(
        default="refuse", description="what becomes of values that it does not know: refuse or suppress"
    )
    _labels: frozenset[str] | None = PrivateAttr(default=None)

    def describe(self) -> str:
        """Such as: generalized to level 2."""
        if self.hierarchy:
            return say(
                "generalized to level {level} of {hierarchy}", level=self.level, hierarchy=self.hierarchy
            )
        return say("generalized to level {level}", level=self.level)

    def start(self, subject: OperationSubject) -> Mask:
        """Replace the values of a batch."""
        hierarchy = self._found(subject)
        becomes = hierarchy.level(self.level)
        self._labels = frozenset(becomes.values())
        work = PerDistinct(
            lambda texts: self._labelled(texts, becomes, hierarchy, subject), location=subject.where
        )
        return lambda values, _: work(values)

    def _found(self, subject: OperationSubject) -> Hierarchy:
        name = self.hierarchy or subject.column
        try:
            if subject.hierarchies is not None:
                return subject.hierarchies(name)
        except HierarchyError as error:
            # The name of a column was not meant as that of a file: what lacks is a hierarchy.
            if self.hierarchy is not None or error.where != name:
                raise
        raise ProjectError(
            say(
                "column {column!r} is to be generalized, and there is no hierarchy {name!r}",
                column=subject.column,
                name=name,
            ),
            where=subject.where,
            remedy=say("write one under hierarchies, or name the file of one: hierarchy: towns.csv"),
        )

    def _labelled(
        self, texts: pl.Series, becomes: dict[str, str], hierarchy: Hierarchy, subject: OperationSubject
    ) -> pl.Series:
        dtype = pl.Enum(hierarchy.labels[self.level])
        labels = texts.replace_strict(list(becomes), list(becomes.values()), default=None, return_dtype=dtype)
        if self.unknown == "refuse" and (missing := labels.null_count()):
            raise HierarchyError(
                say(
                    "column {column!r} holds {missing} values that its hierarchy does not know",
                    column=subject.column,
                    missing=missing,
                ),
                where=subject.where,
                remedy=say("add them to the hierarchy, or say unknown: suppress"),
            )
        return labels

    def broken(self, values: pl.Series) -> int:
        """Values that are no labels of the level."""
        return 0 if self._labels is None else int((~values.cast(pl.String).is_in(list(self._labels))).sum())
