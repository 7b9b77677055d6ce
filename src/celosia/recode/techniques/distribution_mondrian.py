"""Distribution-based Mondrian, as it was published: numbers stay numbers and keep their distribution."""

from typing import ClassVar

from pydantic import Field, field_validator

from celosia.errors import ProjectError
from celosia.recode.mondrian import Split, Width
from celosia.recode.represent import Represent
from celosia.recode.task import RecodingTask
from celosia.recode.techniques.mondrian import Mondrian
from celosia.say import say
from celosia.types import NUMBERS

__all__ = ["DistributionMondrian"]


class DistributionMondrian(Mondrian):
    """Distribution-based Mondrian: rare values join their neighbours, frequent ones stay as they are.

    In the column that is widest in standard deviations of the part, the cut is at the smallest value that leaves k
    rows on both sides; if it cannot be cut, in the next widest. A class shows its most frequent value or, if there is
    no single one, the median, of whole numbers rounded down. Only for numbers.

    A. P. Ortiz Pulido, J. S. Corredor Merchán: Sistema de anonimización de datos estructurados. Pontificia
    Universidad Javeriana, Bogotá, 2017. The text leaves the normalization and the median open; with these its
    published numbers come out.
    """

    name: ClassVar[str] = "distribution-mondrian"

    split: Split = Field(
        default=Split.DISTRIBUTION, description="distribution, or up-to-median to compare with"
    )
    represent: Represent = Field(default=Represent.MODE, description="mode, else the median rounded down")
    width: Width = Field(default=Width.DEVIATION, description="the range in deviations of the part")

    @field_validator("split")
    @classmethod
    def _is_published(cls, split: Split) -> Split:
        if split not in (Split.DISTRIBUTION, Split.MEDIAN, Split.UP_TO_MEDIAN):
            raise ValueError(
                say(
                    "it was published with the splits distribution and up-to-median, not {split}", split=split
                )
            )
        # At the median up to it goes left, as it was published; other cuts there are more even.
        return Split.UP_TO_MEDIAN if split is Split.MEDIAN else split

    def check(self, task: RecodingTask) -> None:
        """Only numbers."""
        for name in task.quasi_identifiers:
            if task.types[name] not in NUMBERS:
                raise ProjectError(
                    say(
                        "column {name!r} is {type}, and {technique} is for numbers",
                        name=name,
                        type=task.types[name],
                        technique=self.name,
                    ),
                    where="quasi-identifiers",
                    remedy=say("use technique mondrian with --split distribution, which takes every column"),
                )
        super().check(task)
