"""The operations that exist, by name."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.mask.operation import Operation
from celosia.types import nearest

__all__ = ["make_operation", "operations"]


@cache
def operations() -> Mapping[str, type[Operation]]:
    """Every operation defined in a module of ``operations/``, by name: adding the file is adding the operation.

    >>> "round" in operations()
    True
    """
    found: dict[str, type[Operation]] = {}
    folder = Path(__file__).parent / "operations"
    for module in pkgutil.iter_modules([str(folder)], prefix="celosia.mask.operations."):
        for entry in vars(importlib.import_module(module.name)).values():
            if isinstance(entry, type) and issubclass(entry, Operation) and "name" in vars(entry):
                found[entry.name] = entry
    return MappingProxyType(dict(sorted(found.items())))


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
        remedy = nearest(name, tuple(known)).replace("the columns are", "the operations are")
        raise ProjectError(f"there is no operation {name!r}", where="operation", remedy=remedy)
    fields = known[name].model_fields
    for parameter in parameters:
        if parameter not in fields:
            raise ProjectError(
                f"it has no parameter {parameter!r}",
                where=f"operation {name}",
                remedy=nearest(parameter, tuple(fields)).replace("the columns are", "its parameters are"),
            )
    try:
        return known[name](**parameters)
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        field = ".".join(str(part) for part in first["loc"])
        raise ProjectError(
            message[0].lower() + message[1:],
            where=f"operation {name}" + (f", {field}" if field else ""),
            remedy="correct the parameter",
        ) from None
