"""The operations that exist, by name."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.mask.operation import Operation
from celosia.registered import discover, first_mistake
from celosia.types import nearest

__all__ = ["make_operation", "operations"]


@cache
def operations() -> Mapping[str, type[Operation]]:
    """Every operation defined in a module of ``operations/``, by name: adding the file is adding the operation.

    >>> "round" in operations()
    True
    """
    return discover("celosia.mask.operations", Path(__file__).parent / "operations", Operation)


def make_operation(name: str, **parameters: Any) -> Operation:
    """An operation by its name, with its parameters.

    >>> make_operation("round", to=10).describe()
    'rounded to 10'
    >>> make_operation("rund")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: operation: there is no operation 'rund'; did you mean 'round'?
    """
    known = operations()
    if name not in known:
        remedy = nearest(name, tuple(known), "the operations")
        raise ProjectError(f"there is no operation {name!r}", where="operation", remedy=remedy)
    fields = known[name].model_fields
    for parameter in parameters:
        if parameter not in fields:
            raise ProjectError(
                f"it has no parameter {parameter!r}",
                where=f"operation {name}",
                remedy=nearest(parameter, tuple(fields), "its parameters"),
            )
    try:
        return known[name](**parameters)
    except ValidationError as error:
        field, what, _ = first_mistake(error)
        raise ProjectError(
            what, where=f"operation {name}" + (f", {field}" if field else ""), remedy="correct the parameter"
        ) from None
