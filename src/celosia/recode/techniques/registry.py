"""The techniques that exist, by name."""

import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.recode.techniques.technique import Technique
from celosia.types import nearest

__all__ = ["TECHNIQUES", "make_technique"]


def _discover() -> Mapping[str, type[Technique]]:
    """Every technique defined in a module of this room, by name: adding the file is adding the technique."""
    found: dict[str, type[Technique]] = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)], prefix="celosia.recode.techniques."):
        if module.name == __name__:
            continue
        for entry in vars(importlib.import_module(module.name)).values():
            if isinstance(entry, type) and issubclass(entry, Technique) and "name" in vars(entry):
                found[entry.name] = entry
    return MappingProxyType(dict(sorted(found.items())))


TECHNIQUES: Mapping[str, type[Technique]] = _discover()
"""Techniques by name."""


def make_technique(name: str, /, **parameters: Any) -> Technique:
    """A technique by its name, with its parameters; one that it does not have is a mistake.

    >>> make_technique("mondrian", split="median").split.value
    'median'
    >>> make_technique("mondrian", node=(0, 1))
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: method mondrian: it has no parameter 'node'; leave it out, or use method full-domain
    """
    if name not in TECHNIQUES:
        raise ProjectError(
            f"there is no method {name!r}",
            where="method",
            remedy=nearest(name, tuple(TECHNIQUES)).replace("the columns are", "the methods are"),
        )
    known = TECHNIQUES[name].model_fields
    for parameter in parameters:
        if parameter not in known:
            owners = [other for other, kind in TECHNIQUES.items() if parameter in kind.model_fields]
            remedy = "leave it out" + (f", or use method {' or '.join(owners)}" if owners else "")
            raise ProjectError(f"it has no parameter {parameter!r}", where=f"method {name}", remedy=remedy)
    try:
        return TECHNIQUES[name](**parameters)
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        field = ".".join(str(part) for part in first["loc"])
        raise ProjectError(
            message[0].lower() + message[1:],
            where=f"method {name}" + (f", {field}" if field else ""),
            remedy=f"got {first.get('input')!r}" if field else "choose one of the two",
        ) from None
