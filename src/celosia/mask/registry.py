"""The operations that exist, by name."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from celosia.mask.operation import Operation
from celosia.registered import discover, make_registered

__all__ = ["make_operation", "operations"]


@cache
def operations() -> Mapping[str, type[Operation]]:
    """Every operation defined in a module of ``operations/``, by name: adding the file is adding the operation.

    >>> "round" in operations()
    True
    """
    return discover("celosia.mask.operations", Path(__file__).parent / "operations", Operation)


def make_operation(name: str, **parameters: object) -> Operation:
    """An operation by its name, with its parameters.

    >>> make_operation("round", to=10).describe()
    'rounded to 10'
    >>> make_operation("rund")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: operation: there is no operation 'rund'; did you mean 'round'?
    """
    operation: Operation = make_registered(operations(), name, parameters, what="operation")
    return operation
