"""Things that are added by adding a file: found by name, and made from parameters that a person wrote."""

import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

__all__ = ["discover", "first_mistake"]


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
