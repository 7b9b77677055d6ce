"""Values as they are."""

from typing import ClassVar

from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.say import say

__all__ = ["Keep"]


class Keep(ColumnOperation):
    """Release the values as they are: 31 stays 31.

    It does nothing, and says so: a column with ``keep`` was thought about, one without an operation perhaps not. It can
    also carry a policy for missing values. Use it for columns that tell nothing about who somebody is.
    """

    name: ClassVar[str] = "keep"
    reversible: ClassVar[str] = say("there is nothing to undo")
    leaks: ClassVar[str] = say("everything")

    def describe(self) -> str:
        """Such as: released as it is."""
        return say("released as it is")

    def start(self, subject: OperationSubject) -> Mask:
        """Give a batch back."""
        return lambda values, _: values
