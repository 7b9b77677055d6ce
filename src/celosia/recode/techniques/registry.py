"""The techniques that exist, by name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.recode.techniques.technique import Technique
from celosia.registered import discover, first_mistake
from celosia.say import say
from celosia.types import either, nearest

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
            say("there is no method {name!r}", name=name),
            where="method",
            remedy=nearest(name, tuple(TECHNIQUES), say("the methods")),
        )
    known = TECHNIQUES[name].model_fields
    for parameter in parameters:
        if parameter not in known:
            owners = [other for other, kind in TECHNIQUES.items() if parameter in kind.model_fields]
            use = say("leave it out, or use method {methods}", methods=either(owners)) if owners else ""
            raise ProjectError(
                say("it has no parameter {parameter!r}", parameter=parameter),
                where=say("method {name}", name=name),
                remedy=use or say("leave it out"),
            )
    try:
        return TECHNIQUES[name](**parameters)
    except ValidationError as error:
        field, what, got = first_mistake(error)
        place = say("method {name}", name=name)
        raise ProjectError(
            what,
            where=say("{place}, {field}", place=place, field=field) if field else place,
            remedy=say("got {got!r}", got=got) if field else say("choose one of the two"),
        ) from None
