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

__all__ = ["TECHNIQUES", "find_technique", "make_technique"]


TECHNIQUES: Mapping[str, type[Technique]] = discover(
    "celosia.recode.techniques", Path(__file__).parent, Technique
)
"""Techniques by name."""


def find_technique(name: str, *, where: str = "technique") -> type[Technique]:
    """The technique of this name; ``where`` is the field or option that names it.

    >>> find_technique("mondrain")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: technique: there is no technique 'mondrain'; did you mean 'mondrian'?
    """
    if name not in TECHNIQUES:
        raise ProjectError(
            say("there is no technique {name!r}", name=name),
            where=where,
            remedy=nearest(name, tuple(TECHNIQUES), say("the techniques")),
        )
    return TECHNIQUES[name]


def make_technique(name: str, /, **parameters: Any) -> Technique:
    """A technique by its name, with its parameters; one that it does not have is a mistake.

    >>> make_technique("mondrian", split="median").split.value
    'median'
    >>> make_technique("local", node=(0, 1))
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: technique local: it has no parameter 'node'; leave it out, or use technique full-domain
    """
    kind = find_technique(name)
    known = kind.model_fields
    for parameter in parameters:
        if parameter not in known:
            owners = [other for other, its in TECHNIQUES.items() if parameter in its.model_fields]
            use = (
                say("leave it out, or use technique {techniques}", techniques=either(owners))
                if owners
                else ""
            )
            raise ProjectError(
                say("it has no parameter {parameter!r}", parameter=parameter),
                where=say("technique {name}", name=name),
                remedy=use or say("leave it out"),
            )
    try:
        return kind(**parameters)
    except ValidationError as error:
        field, what, got = first_mistake(error)
        place = say("technique {name}", name=name)
        raise ProjectError(
            what,
            where=say("{place}, {field}", place=place, field=field) if field else place,
            remedy=say("got {got!r}", got=got) if field else say("choose one of the two"),
        ) from None
