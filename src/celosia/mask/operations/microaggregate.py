"""The mean of its class in the place of every number."""

from typing import ClassVar

from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.say import say

__all__ = ["Microaggregate"]


class Microaggregate(ColumnOperation):
    """Show every row the mean of its class: costs of 900, 1100 and 1300 in one class become 1100 three times.

    Classes are the rows that share all quasi-identifiers as they are released, so that this is done last, together with
    the recoding, and takes a privacy model. Whoever knows somebody's number finds a class and no row. Totals and means
    over classes stay, up to rounding; what differs within a class is lost, so that small classes, as Mondrian makes
    them, keep the most. Rows that miss a number show the mean of the others.

    Use it for an exact amount that is described or related to the quasi-identifiers, and would tell people apart.
    """

    name: ClassVar[str] = "microaggregate"
    within_classes: ClassVar[bool] = True
    leaks: ClassVar[str] = say(
        "the mean of every class: who knows all numbers of one but the last learns that, too"
    )

    @property
    def goes_by_value(self) -> bool:
        """The same number shows different means in different classes."""
        return False

    def describe(self) -> str:
        """Such as: the mean of its class."""
        return say("the mean of its class")

    def start(self, subject: OperationSubject) -> Mask:
        """Give a batch back: means come with the recoding."""
        return lambda values, _: values
