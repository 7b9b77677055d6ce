"""Which fields a model has at a place: what may have been meant by one that it has not."""

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

__all__ = ["fields_at"]


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
        for each in get_args(kind):
            yield from _forms(each)
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
