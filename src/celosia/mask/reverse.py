"""Operations undone by whoever has the key, and taken from one key to the next."""

from collections.abc import Sequence
from typing import ClassVar

import polars as pl

from celosia.errors import ProjectError
from celosia.mask.keys import SecretKey
from celosia.mask.operation import ColumnOperation, Mask, OperationSubject
from celosia.mask.operations.encrypt import Encrypt
from celosia.mask.operations.preserve_format import PreserveFormat
from celosia.mask.registry import make_operation
from celosia.say import say

__all__ = ["Reverse", "make_reversible"]

Reversible = Encrypt | PreserveFormat


class Reverse(ColumnOperation):
    """Undo an operation; it is no operation of a project.

    With ``rotates`` what comes next encrypts anew: so the values must be of the mode that was said, and those that do
    not tell their key are taken for values of the latest previous one.
    """

    name: ClassVar[str] = "reverse"
    leaks: ClassVar[str] = say("everything: the values are those of before")

    operation: Reversible
    rotates: bool = False

    def describe(self) -> str:
        """Such as: decrypted."""
        return say("decrypted")

    def start(self, subject: OperationSubject) -> Mask:
        """Begin a pass; the function that it returns undoes the values of a batch."""
        keys = self._keys(subject.keys.all(self.operation.key))
        undo = self.operation.reverse(
            keys, column=subject.column, location=subject.where, strict=self.rotates
        )

        def apply(values: pl.Series, _: pl.DataFrame) -> pl.Series:
            return undo(values)

        return apply

    def _keys(self, keys: Sequence[SecretKey]) -> Sequence[SecretKey]:
        if not self.rotates or isinstance(self.operation, Encrypt):
            return keys
        if len(keys) == 1:
            raise ProjectError(
                say("there is no previous key to decrypt the values with"),
                where=say("operation {name}", name=self.operation.name),
                remedy=say("name the key they were encrypted with as the previous one"),
            )
        return keys[1:]


def make_reversible(name: str, **parameters: str) -> Reversible:
    """An operation that can be undone, by its name, with its parameters.

    >>> make_reversible("preserve-format", checksum="luhn").describe()
    'encrypted in their format'
    >>> make_reversible("pseudonymize")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: operation pseudonymize: nobody can undo it; choose encrypt or preserve-format
    """
    operation = make_operation(name, **parameters)
    if isinstance(operation, Encrypt | PreserveFormat):
        return operation
    raise ProjectError(
        say("nobody can undo it"),
        where=say("operation {name}", name=name),
        remedy=say("choose encrypt or preserve-format"),
    )
