"""Mondrian: cut the people in two along one column, and each part again, while both sides stay safe."""

from collections.abc import Callable, Mapping
from functools import partial
from threading import Thread
from typing import Any, ClassVar

from pydantic import Field, model_validator

from celosia.errors import ProjectError
from celosia.recode.mondrian import CutRules, Split, Width, load_loops, mondrian
from celosia.recode.parts_plan import Partitioner
from celosia.recode.space import Space
from celosia.recode.target import with_target
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.multidimensional import Multidimensional, most_cells
from celosia.say import say
from celosia.tables.recoder import check_columns
from celosia.tables.table import Counts
from celosia.types import ColumnType

__all__ = ["Mondrian"]


class Mondrian(Multidimensional):
    """Mondrian: classes are boxes, each as small as the privacy models allow.

    Numbers and dates need no hierarchy: they are cut where it is best, and released as the range that the class
    really holds or as one number of the same type, so that the release can be analysed like the original. Columns
    with a hierarchy show the lowest label that covers their class. It loses less than one level for all.
    """

    name: ClassVar[str] = "mondrian"

    split: Split = Field(
        default=Split.LOSS,
        description="where parts are cut: loss (the default), median, up-to-median, distribution, or gain towards "
        "--target",
    )
    width: Width = Field(
        default=Width.SHARE,
        description="which column is widest: share of its whole range (the default), or range in deviations",
    )
    relaxed: bool = Field(
        default=False, description="people with the same value may fall on both sides of a cut"
    )
    target: str | None = Field(default=None, description="the column that cuts by gain are to tell about")

    @model_validator(mode="after")
    def _fits_together(self) -> "Mondrian":
        if (self.split is Split.GAIN) != (self.target is not None):
            raise ValueError(say("a target and the split gain go together"))
        if self.relaxed and self.split is Split.DISTRIBUTION:
            raise ValueError(say("the split distribution keeps equal values together, relaxed does not"))
        return self

    def check(self, task: RecodingTask) -> None:
        """Raise if something is asked for that it does not do."""
        if self.relaxed and task.person is not None:
            raise ProjectError(
                say(
                    "people are counted where rows with the same values stay together, and relaxed parts them"
                ),
                where="relaxed",
                remedy=say("leave it out"),
            )
        super().check(task)
        if self.target is not None:
            check_columns((self.target,), task.table.columns(), where=task.table.name)
        if self.target in (*task.quasi_identifiers, *task.dropped):
            raise ProjectError(
                say("the target {target!r} is a quasi-identifier or an identifier", target=self.target),
                where="target",
                remedy=say("name a sensitive or common column, one that models are to predict"),
            )

    def count(self, task: RecodingTask) -> Counts:
        """The combinations of all columns that matter, the target's among them."""
        return task.count_rows(() if self.target is None else (self.target,))

    def preparation(self, task: RecodingTask) -> Callable[[Space], Space]:
        """A target of many numbers is put into ranges."""
        return partial(_prepare, first=super().preparation(task), target=self.target, types=dict(task.types))

    def partitioner(self, task: RecodingTask) -> Partitioner:
        """By cuts."""
        return mondrian

    @property
    def details(self) -> Mapping[str, Any]:
        """Where it cuts."""
        return {"split": str(self.split)}

    def load_loops(self, task: RecodingTask) -> Thread | None:
        """Those of its split."""
        return load_loops(self.split, cells=most_cells(task))

    def say_led(self, measure: str) -> str:
        """It is led by its split."""
        return say("{technique} is led by its split, not by {measure}", technique=self.name, measure=measure)

    def rules(self, task: RecodingTask) -> CutRules:
        """How parts are cut."""
        return CutRules(
            models=task.models,
            split=self.split,
            width=self.width,
            is_relaxed=self.relaxed,
            target=self.target,
            hierarchies=task.own_hierarchies,
            weights=task.weights,
            person=task.person,
        )


def _prepare(
    space: Space, *, first: Callable[[Space], Space], target: str | None, types: dict[str, ColumnType]
) -> Space:
    return with_target(first(space), target, types)
