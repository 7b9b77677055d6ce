"""Things that are added by adding a file: found by name, and made from parameters that a person wrote."""

import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.say import Text, say
from celosia.types import nearest
from celosia.validation import say_mistake

__all__ = ["discover", "first_mistake", "make_registered", "split_outside"]

Kind = Literal["model", "operation", "perturbation"]


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
    field = ".".join(str(part) for part in first["loc"])
    return field, say_mistake(dict(first)), first.get("input")


def make_registered(
    known: Mapping[str, type[Any]], name: str, parameters: Mapping[str, Any], *, what: Kind, where: str = ""
) -> Any:
    """The thing of that name with its parameters; ``what`` it is called, and ``where`` a person asked for it.

    >>> from celosia.privacy import MODELS
    >>> make_registered(MODELS, "k-anonymity", {"kk": 5}, what="model")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: model k-anonymity: it has no parameter 'kk'; did you mean 'k'?
    """
    kind, kinds, unknown = _words_of(what, name)
    place = where or kind
    if name not in known:
        raise ProjectError(unknown, where=place, remedy=nearest(name, tuple(known), kinds))
    place = say("{kind} {name}", kind=place, name=name)
    fields = known[name].model_fields
    for parameter in parameters:
        if parameter not in fields:
            remedy = nearest(parameter, tuple(fields), say("the parameters"))
            raise ProjectError(
                say("it has no parameter {parameter!r}", parameter=parameter),
                where=place,
                remedy=remedy,
            )
    try:
        return known[name](**parameters)
    except ValidationError as error:
        field, mistake, _ = first_mistake(error)
        at = say("{place}, {field}", place=place, field=field) if field else place
        raise ProjectError(mistake, where=at, remedy=say("correct the parameter")) from None


def _words_of(what: Kind, name: str) -> tuple[Text, Text, Text]:
    """A kind of thing, all of that kind, and that there is none of this name."""
    match what:
        case "model":
            return say("model"), say("the models"), say("there is no model {name!r}", name=name)
        case "operation":
            return say("operation"), say("the operations"), say("there is no operation {name!r}", name=name)
        case "perturbation":
            unknown = say("there is no perturbation {name!r}", name=name)
            return say("perturbation"), say("the perturbations"), unknown


def split_outside(text: str, separators: str) -> list[str]:
    """The parts of a text between separators that are outside of brackets and quotes.

    >>> split_outside("mdav(columns=[a, b]), cpda-noise", ",")
    ['mdav(columns=[a, b])', ' cpda-noise']
    """
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        depth += not quote and character in "([{"
        depth -= not quote and character in ")]}"
        if character in separators and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += character
    return parts
