"""Things that are added by adding a file: found by name, and made from parameters that a person wrote."""

import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.types import nearest

__all__ = ["discover", "first_mistake", "make_registered"]


def discover(package: str, folder: Path, kind: type) -> Mapping[str, type[Any]]:
    """Every subclass of ``kind`` with a name of its own in a module of a package, by name.

    >>> from celosia.privacy.model import PrivacyModel
    >>> "k-anonymity" in discover("celosia.privacy", Path(__file__).parent / "privacy", PrivacyModel)
    True
    """
    found: dict[str, type[Any]] = {}
    for module in pkgutil.iter_modules([str(folder)], prefix=f"{package}."):
        if module.name.endswith(".registry"):  # whoever asks
            continue
        for entry in vars(importlib.import_module(module.name)).values():
            if isinstance(entry, type) and issubclass(entry, kind) and "name" in vars(entry):
                found[vars(entry)["name"]] = entry
    return MappingProxyType(dict(sorted(found.items())))


def first_mistake(error: ValidationError) -> tuple[str, str, object]:
    """What is wrong first with parameters: the field, a sentence in small letters, and the value got."""
    first = error.errors()[0]
    message = first["msg"].removeprefix("Value error, ")
    field = ".".join(str(part) for part in first["loc"])
    return field, message[0].lower() + message[1:], first.get("input")


def make_registered(
    known: Mapping[str, type[Any]], name: str, parameters: Mapping[str, Any], *, what: str, where: str = ""
) -> Any:
    """The thing of that name with its parameters; ``what`` it is called, and ``where`` a person asked for it.

    >>> from celosia.privacy import MODELS
    >>> make_registered(MODELS, "k-anonymity", {"kk": 5}, what="model")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: model k-anonymity: it has no parameter 'kk'; did you mean 'k'?
    """
    place = where or what
    if name not in known:
        remedy = nearest(name, tuple(known), f"the {what}s")
        raise ProjectError(f"there is no {what} {name!r}", where=place, remedy=remedy)
    fields = known[name].model_fields
    for parameter in parameters:
        if parameter not in fields:
            remedy = nearest(parameter, tuple(fields), "the parameters")
            raise ProjectError(f"it has no parameter {parameter!r}", where=f"{place} {name}", remedy=remedy)
    try:
        return known[name](**parameters)
    except ValidationError as error:
        field, mistake, _ = first_mistake(error)
        at = f"{place} {name}" + (f", {field}" if field else "")
        raise ProjectError(mistake, where=at, remedy="correct the parameter") from None
