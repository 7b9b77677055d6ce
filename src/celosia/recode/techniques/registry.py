"""The techniques that exist, by name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.recode.techniques.technique import Technique
from celosia.registered import discover, first_mistake
from celosia.types import nearest

__all__ = ["TECHNIQUES", "make_technique"]


TECHNIQUES: Mapping[str, type[Technique]] = discover(
    "celosia.recode.techniques", Path(__file__).parent, Technique
)
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
            remedy=nearest(name, tuple(TECHNIQUES), "the methods"),
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
        field, what, got = first_mistake(error)
        raise ProjectError(
            what,
            where=f"method {name}" + (f", {field}" if field else ""),
            remedy=f"got {got!r}" if field else "choose one of the two",
        ) from None
