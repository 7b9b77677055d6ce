"""What is wrong with a project, in sentences: the field as written, its file and line, what was expected.

The models of Pydantic find the mistakes; this turns their findings into words for a person.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from celosia.errors import CelosiaError, ProjectError
from celosia.project.document import Document
from celosia.project.expected import fields_at
from celosia.project.nodes import FieldPath, spell
from celosia.types import nearest

__all__ = ["complaints", "explain", "placed"]

Validator = TypeVar("Validator", bound=Callable[..., Any])

WORDS = {
    "string_type": "it should be a text",
    "int_type": "it should be a whole number",
    "int_parsing": "it should be a whole number",
    "int_from_float": "it should be a whole number",
    "float_type": "it should be a number",
    "float_parsing": "it should be a number",
    "bool_type": "it should be true or false",
    "bool_parsing": "it should be true or false",
    "list_type": "it should be a list",
    "tuple_type": "it should be a list",
    "dict_type": "it should be a mapping of fields",
    "mapping_type": "it should be a mapping of fields",
    "model_type": "it should be a mapping of fields",
    "model_attributes_type": "it should be a mapping of fields",
    "none_required": "it should be null",
    "missing": "this field is missing",
    "finite_number": "it should be a finite number",
}
# Fields whose values may be a person's, or a secret in the wrong place: messages do not repeat them.
PRIVATE = frozenset(("pairs", "connections", "keys", "key", "hierarchies", "hierarchy", "where", "path"))
LONGEST_SHOWN = 40
UNSHOWN = frozenset(("extra_forbidden", "missing", "value_error"))
"""Kinds of mistake that are not about what was found in place of something."""


@dataclass(frozen=True)
class _Finding:
    """One mistake; ``is_branch`` if it is about one of several forms that a field may have."""

    path: FieldPath
    what: str
    remedy: str
    got: str = ""
    is_branch: bool = False
    is_shape: bool = False


def placed(validator: Validator) -> Validator:
    """A validator whose mistakes keep their place: Pydantic tells the field of a ValueError, but lets others through.

    >>> @placed
    ... def refuse(value):
    ...     raise ProjectError("there is no method 'x'", where="method")
    >>> refuse(1)
    Traceback (most recent call last):
    ...
    ValueError: method: there is no method 'x'
    """

    @wraps(validator)
    def run(*given: Any, **named: Any) -> Any:
        try:
            return validator(*given, **named)
        except CelosiaError as error:
            raise ValueError(str(error)) from error

    return run  # type: ignore[return-value]


def explain(
    error: ValidationError, document: Document, *, model: type[BaseModel] | None = None
) -> ProjectError:
    """The first mistake in full, and how many more there are.

    ``model`` is what the document was checked against: fields that it has are proposed for those that it has not.

    >>> from pydantic import ConfigDict
    >>> from celosia.project.document import parse_document
    >>> class Goal(BaseModel):
    ...     model_config = ConfigDict(extra="forbid")
    ...     suppression: float = 0
    >>> document = parse_document("supression: 0.1", "p.yaml")
    >>> try:
    ...     Goal.model_validate(document.data)
    ... except ValidationError as error:
    ...     print(explain(error, document, model=Goal))
    p.yaml, line 1, supression: there is no field 'supression' here; did you mean 'suppression'?
    """
    found = complaints(error, document, model=model)
    first, more = found[0], len(found) - 1
    if more == 0:
        return first
    mistakes = "1 more mistake" if more == 1 else f"{more} more mistakes"
    return ProjectError(first.what, where=first.where, remedy=f"{first.remedy} (and {mistakes})".lstrip())


def complaints(
    error: ValidationError, document: Document, *, model: type[BaseModel] | None = None
) -> list[ProjectError]:
    """Every mistake, in the order of the document."""
    findings = _without_other_forms(list(_findings(error, document.data, (), model)))
    findings.sort(key=lambda each: _order(document, each.path))
    return [_error(each, document) for each in findings]


def _error(finding: _Finding, document: Document) -> ProjectError:
    field = spell(finding.path)
    place = str(document.place(finding.path))
    return ProjectError(
        finding.what + finding.got,
        where=f"{place}, {field}" if field else place,
        remedy=finding.remedy or "correct the project",
    )


def _order(document: Document, path: FieldPath) -> tuple[bool, int]:
    place = document.place(path)
    return place.file != document.where, place.line


def _without_other_forms(findings: list[_Finding]) -> list[_Finding]:
    """One finding per field; where one of several forms was meant, only what is wrong with that one."""
    kept: dict[FieldPath, _Finding] = {}
    around = {each.path[:depth] for each in findings for depth in range(len(each.path))}
    for each in findings:
        if each.is_branch and each.is_shape and each.path in around:
            continue
        before = kept.get(each.path)
        if before is None:
            kept[each.path] = each
        elif each.is_branch and before.is_branch and each.what != before.what:
            either = f"{before.what} or {each.what.removeprefix('it should be ')}"
            kept[each.path] = replace(before, what=either)
    return list(kept.values())


def _findings(
    error: ValidationError, data: Any, start: FieldPath, model: type[BaseModel] | None
) -> Iterator[_Finding]:
    for each in error.errors(include_url=False):
        path, skipped = _follow(data, start, each["loc"], is_missing=each["type"] == "missing")
        cause = each.get("ctx", {}).get("error")
        origin = cause.__cause__ if isinstance(cause, Exception) and cause.__cause__ is not None else cause
        if isinstance(origin, ValidationError):
            yield from _findings(origin, data, path, None)
        elif isinstance(origin, CelosiaError):
            yield _from_celosia(origin, data, path)
        else:
            what, remedy = _sentence(dict(each), model)
            got = "" if each["type"] in UNSHOWN else _shown(each.get("input"), path)
            yield _Finding(path, what, remedy, got, skipped, each["type"].endswith("_type"))


def _follow(
    data: Any, start: FieldPath, location: tuple[str | int, ...], *, is_missing: bool
) -> tuple[FieldPath, bool]:
    """The path in the document for a location of Pydantic, which also names the forms that it tried."""
    path, here, skipped = list(start), _at(data, start), False
    for number, part in enumerate(location):
        is_last = number == len(location) - 1
        inside = isinstance(here, Mapping) and part in here
        inside |= isinstance(here, list) and isinstance(part, int) and 0 <= part < len(here)
        if inside:
            path.append(part)
            here = here[part]
        elif is_last and is_missing and isinstance(here, Mapping):
            path.append(part)
        else:
            skipped = True
    if not path:
        # The document says it otherwise: an earlier version, or nothing at all.
        return tuple(location), False
    return tuple(path), skipped


def _at(data: Any, path: FieldPath) -> Any:
    for part in path:
        data = data[part]
    return data


def _from_celosia(error: CelosiaError, data: Any, path: FieldPath) -> _Finding:
    """A mistake that another room found in what stands at a path; it may name a field in there."""
    named = re.findall(r"[\w-]+", error.where) + re.findall(r"'([^']*)'", error.what)
    named.reverse()  # the last is the closest
    here = _at(data, path)
    while isinstance(here, list | Mapping):
        part: str | int | None
        if isinstance(here, list):
            part = next((place for place, one in enumerate(here) if _texts(one) & set(named)), None)
        else:
            part = next((name for name in named if name in here), None)
        if part is None:
            break
        path, here = (*path, part), here[part]
    what = f"{error.where}: {error.what}" if error.where else error.what
    return _Finding(path, what, error.remedy)


def _texts(one: Any) -> set[str]:
    """What tells an entry of a list from others: itself, or the texts in its fields."""
    return {text for text in (one.values() if isinstance(one, Mapping) else [one]) if isinstance(text, str)}


def _sentence(each: dict[str, Any], model: type[BaseModel] | None) -> tuple[str, str]:
    kind, last = each["type"], each["loc"][-1] if each["loc"] else ""
    if kind == "extra_forbidden":
        known = fields_at(model, each["loc"][:-1]) if model is not None else ()
        remedy = nearest(str(last), known).replace("the columns are", "the fields are") if known else ""
        return f"there is no field {str(last)!r} here", remedy or "leave it out"
    if kind == "missing":
        return WORDS[kind], f"add {last}"
    if kind in ("enum", "literal_error"):
        expected = str(each["ctx"]["expected"])
        names = tuple(re.findall(r"'([^']*)'", expected))
        got = each.get("input")
        near = nearest(got, names) if isinstance(got, str) and names else ""
        remedy = near if near.startswith("did you mean") else ""
        return f"it should be {expected}", remedy or "choose one of them"
    message = str(each["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, ")
    message = WORDS.get(kind) or message.replace("Input should", "it should")
    return f"{message[:1].lower()}{message[1:]}", ""


def _shown(got: Any, path: FieldPath) -> str:
    """What was found instead, unless it may be a person's or a secret."""
    if isinstance(got, Mapping):
        return ", not a mapping"
    if isinstance(got, list | tuple):
        return ", not a list"
    is_private = any(part in PRIVATE for part in path)
    if got is None or isinstance(got, bool):
        return f", not {'nothing' if got is None else str(got).lower()}"
    if (
        is_private
        or not isinstance(got, str | int | float)
        or len(str(got)) > LONGEST_SHOWN
        or "://" in str(got)
    ):
        return ""
    return f", not {got!r}"
