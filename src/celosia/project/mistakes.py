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
from celosia.project.expected import NOTHING, say_expected, say_found
from celosia.project.nodes import FieldPath, spell
from celosia.say import Text, join_texts, say, say_count
from celosia.types import either
from celosia.validation import in_plain_words

__all__ = ["explain", "explain_fields", "list_mistakes", "with_location"]

SHOULD_BE = "it should be {wanted}"
Validator = TypeVar("Validator", bound=Callable[..., Any])


@dataclass(frozen=True)
class _Finding:
    """One mistake; ``is_branch`` if it is about one of several forms that a field may have."""

    path: FieldPath
    what: str
    remedy: str
    got: str = ""
    is_branch: bool = False
    is_shape: bool = False


def with_location(validator: Validator) -> Validator:
    """A validator whose mistakes keep their place: Pydantic tells the field of a ValueError, but lets others through.

    >>> @with_location
    ... def refuse(value):
    ...     raise ProjectError("there is no technique 'x'", where="technique")
    >>> refuse(1)
    Traceback (most recent call last):
    ...
    ValueError: technique: there is no technique 'x'
    """

    @wraps(validator)
    def run(*values: object, **named: object) -> object:
        try:
            return validator(*values, **named)
        except CelosiaError as error:
            raise ValueError(error.text) from error

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
    return _first(list_mistakes(error, document, model=model))


def explain_fields(
    error: ValidationError, fields: Mapping[str, object], *, model: type[BaseModel] | None = None
) -> ProjectError:
    """What is wrong with fields that stand in no document, by their names alone."""
    findings = _without_other_forms(list(_findings(error, fields, (), model)))
    return _first([_error(finding, spell(finding.path)) for finding in findings])


def _first(errors: list[ProjectError]) -> ProjectError:
    first, more = errors[0], len(errors) - 1
    if more == 0:
        return first
    remedy = say_count(
        "{remedy} (and {count} more mistake)",
        "{remedy} (and {count} more mistakes)",
        more,
        remedy=first.remedy,
    )
    return ProjectError(first.what, where=first.where, remedy=remedy)


def list_mistakes(
    error: ValidationError, document: Document, *, model: type[BaseModel] | None = None
) -> list[ProjectError]:
    """Every mistake, in the order of the document."""
    findings = _without_other_forms(list(_findings(error, document.data, (), model)))
    findings.sort(key=lambda finding: _order(document, finding.path))
    return [_error(finding, _where(finding.path, document)) for finding in findings]


def _where(path: FieldPath, document: Document) -> str:
    field, place = spell(path), str(document.place(path))
    return say("{place}, {field}", place=place, field=field) if field else place


def _error(finding: _Finding, location: str) -> ProjectError:
    remedy = finding.remedy or say("correct the project")
    problem = finding.what
    if finding.got is NOTHING:
        problem = say("{what}, not nothing", what=problem)
    elif finding.got:
        problem = say("{what}, not {found}", what=problem, found=finding.got)
    return ProjectError(problem, where=location, remedy=remedy)


def _order(document: Document, path: FieldPath) -> tuple[bool, int]:
    place = document.place(path)
    return place.file != document.where, place.line


def _without_other_forms(findings: list[_Finding]) -> list[_Finding]:
    """One finding per field; where one of several forms was meant, only what is wrong with that one."""
    kept: dict[FieldPath, _Finding] = {}
    around = {finding.path[:depth] for finding in findings for depth in range(len(finding.path))}
    for finding in findings:
        if finding.is_branch and finding.is_shape and finding.path in around:
            continue
        before = kept.get(finding.path)
        if before is None:
            kept[finding.path] = finding
        elif finding.is_branch and before.is_branch and finding.what != before.what:
            kept[finding.path] = replace(before, what=_either(before.what, finding.what))
    return list(kept.values())


def _either(first: str, other: str) -> Text:
    """What one form should be, or the other."""
    texts = [text for text in (first, other) if isinstance(text, Text) and text.template == SHOULD_BE]
    wanted = [text.values["wanted"] for text in texts]
    if len(wanted) == 2:
        return say("it should be {wanted}", wanted=either(wanted))
    return either([first, other])


def _findings(
    error: ValidationError, data: object, start: FieldPath, model: type[BaseModel] | None
) -> Iterator[_Finding]:
    for detail in error.errors(include_url=False):
        path, skipped = _follow(data, start, detail["loc"], is_missing=detail["type"] == "missing")
        cause = detail.get("ctx", {}).get("error")
        origin = cause.__cause__ if isinstance(cause, Exception) and cause.__cause__ is not None else cause
        if isinstance(origin, ValidationError):
            yield from _findings(origin, data, path, None)
        elif isinstance(origin, CelosiaError):
            yield _from_celosia(origin, data, path)
        else:
            problem, remedy = say_expected(dict(detail), model)
            got = say_found(dict(detail), path)
            yield _Finding(path, problem, remedy, got, skipped, detail["type"].endswith("_type"))


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
    """What stands at a path; nothing if the document does not say it so."""
    for part in path:
        try:
            data = data[part]
        except (LookupError, TypeError):
            return None
    return data


def _from_celosia(error: CelosiaError, data: object, path: FieldPath) -> _Finding:
    """A mistake that another room found in what stands at a path; it may name a field in there."""
    named = re.findall(r"[\w-]+", error.where) + re.findall(r"'([^']*)'", error.what)
    named.reverse()  # the last is the closest
    here = _at(data, path)
    while isinstance(here, list | Mapping):
        part: str | int | None
        if isinstance(here, list):
            fits = [len(_texts(form) & set(named)) for form in here]
            part = fits.index(max(fits)) if any(fits) else None
        else:
            part = next((name for name in named if name in here), None)
        if part is None:
            break
        path, here = (*path, part), here[part]
    # One word only repeats what the path says.
    is_told = not error.where or (path and " " not in error.where)
    problem = in_plain_words(error.what)
    told = problem if is_told else join_texts(": ", [error.where, problem])
    return _Finding(path, told, error.remedy)


def _texts(value: object) -> set[str]:
    """What tells an entry of a list from others: itself, or its fields and the texts in them."""
    told = [*value, *value.values()] if isinstance(value, Mapping) else [value]
    return {text for text in told if isinstance(text, str)}
