"""What was expected of a field, and what was found: the findings of Pydantic in plain words."""

import re
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from celosia.project.nodes import FieldPath
from celosia.say import say
from celosia.types import nearest
from celosia.validation import in_plain_words, say_mistake, split_mistake

__all__ = ["NOTHING", "fields_at", "say_expected", "say_found"]

WANTED = {
    "string_type": say("a text"),
    "int_type": say("a whole number"),
    "int_parsing": say("a whole number"),
    "int_from_float": say("a whole number"),
    "float_type": say("a number"),
    "float_parsing": say("a number"),
    "bool_type": say("true or false"),
    "bool_parsing": say("true or false"),
    "list_type": say("a list"),
    "tuple_type": say("a list"),
    "dict_type": say("a mapping of fields"),
    "mapping_type": say("a mapping of fields"),
    "model_type": say("a mapping of fields"),
    "model_attributes_type": say("a mapping of fields"),
    "none_required": say("null"),
    "finite_number": say("a finite number"),
}
"""What a field should be, in the words of a document, by Pydantic's kinds of mistake."""
NOTHING = say("nothing")
# Fields whose values may be a person's, or a secret in the wrong place: messages do not repeat them.
PRIVATE = frozenset(("pairs", "connections", "keys", "key", "hierarchies", "hierarchy", "where", "path"))
LONGEST_SHOWN = 40
UNSHOWN = frozenset(("extra_forbidden", "missing", "value_error"))
"""Kinds of mistake that are not about what was found in place of something."""


def say_expected(error: dict[str, Any], model: type[BaseModel] | None) -> tuple[str, str]:
    """What is wrong, and what to do about it if that is known; ``model`` tells which fields there are."""
    kind, last = error["type"], error["loc"][-1] if error["loc"] else ""
    if kind == "extra_forbidden":
        known = fields_at(model, error["loc"][:-1]) if model is not None else ()
        remedy = nearest(str(last), known, say("the fields")) if known else ""
        return say("there is no field {field!r} here", field=str(last)), remedy or say("leave it out")
    if kind == "missing":
        return say("this field is missing"), say("add {field}", field=last)
    if kind in WANTED:
        return say("it should be {wanted}", wanted=WANTED[kind]), ""
    if kind in ("enum", "literal_error"):
        names = tuple(re.findall(r"'([^']*)'", str(error["ctx"]["expected"])))
        return in_plain_words(say_mistake(error)), _meant(error.get("input"), names)
    own = split_mistake(error)
    return own if own is not None else (in_plain_words(say_mistake(error)), "")


def _meant(got: Any, names: tuple[str, ...]) -> str:
    """Which of some words may have been meant: one that is close, or the only one that begins so."""
    if not isinstance(got, str):
        return say("choose one of them")
    near = nearest(got, names)
    begun = [name for name in names if got and name.startswith(got.lower())]
    if near.startswith("did you mean"):
        return near
    return say("did you mean {name!r}?", name=begun[0]) if len(begun) == 1 else say("choose one of them")


def say_found(error: dict[str, Any], path: FieldPath) -> str:
    """What was found instead, unless it may be a person's or a secret."""
    got = error.get("input")
    if error["type"] in UNSHOWN:
        return ""
    if isinstance(got, Mapping):
        return say("a mapping")
    if isinstance(got, list | tuple):
        return say("a list")
    if got is None or isinstance(got, bool):
        return NOTHING if got is None else str(got).lower()
    is_private = any(part in PRIVATE for part in path) or "://" in str(got)
    is_short = isinstance(got, str | int | float) and len(str(got)) <= LONGEST_SHOWN
    return repr(got) if is_short and not is_private else ""


def fields_at(model: type[BaseModel], location: tuple[str | int, ...]) -> tuple[str, ...]:
    """The names of the fields that may stand there, by the location that Pydantic tells.

    >>> class Column(BaseModel):
    ...     role: str = ""
    >>> class Table(BaseModel):
    ...     columns: dict[str, Column] = {}
    >>> fields_at(Table, ("columns", "age"))
    ('role',)
    """
    here: list[Any] = [model]
    for part in location:
        below = [inner for kind in here for inner in _inside(kind, part)]
        # A location also names the forms that were tried, which lead nowhere.
        here = below or here
    names = [name for kind in here for form in _forms(kind) if _is_model(form) for name in form.model_fields]
    return tuple(dict.fromkeys(names))


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _forms(kind: Any) -> Iterator[Any]:
    """The forms that an annotation allows."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _forms(get_args(kind)[0])
    elif origin in (Union, UnionType):
        for form in get_args(kind):
            yield from _forms(form)
    else:
        yield kind


def _inside(kind: Any, part: str | int) -> Iterator[Any]:
    """What stands at a key or place of something of this kind."""
    for form in _forms(kind):
        arguments = get_args(form)
        origin = get_origin(form)
        if _is_model(form):
            if part in form.model_fields:
                yield form.model_fields[part].annotation
        elif isinstance(origin, type) and issubclass(origin, Mapping) and len(arguments) == 2:
            yield arguments[1]
        elif origin in (list, tuple) and arguments and isinstance(part, int):
            yield arguments[0]
