"""The documents of SparkTPTDS as its own classes took them: every key there, and each what it should be."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from celosia.errors import ProjectError
from celosia.project.converting.sparktptds import NUMBERS
from celosia.project.document import Document, parse_document, read_document
from celosia.say import say
from celosia.types import nearest

__all__ = ["check_keys", "check_trees", "take_document"]


@dataclass(frozen=True)
class JobKey:
    """What a key must hold, in words and as a test; ``required`` ones may not be left out."""

    expected: str
    holds: Callable[[object], bool]
    required: bool = True


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(element, str) and element for element in value)


NAMES = JobKey(say('a list of names, as in ["age", "sex"]'), _is_list)
FLAG = JobKey(say("true or false"), lambda value: isinstance(value, bool))
TEXT = JobKey(say("a text that is not empty"), lambda value: isinstance(value, str) and bool(value.strip()))
COUNT = JobKey(
    say("a whole number from 1 on"), lambda value: type(value) is int and value >= 1, required=False
)
KEYS: Mapping[str, JobKey] = {
    "attributes_to_remove": NAMES,
    "sensitive_attributes": NAMES,
    "categorical_attributes": NAMES,
    NUMBERS[0]: NAMES,
    "dataset_missing_values": FLAG,
    "save_anonymization_result": FLAG,
    "result_file_name": TEXT,
    "partitions": COUNT,
    "file_path": TEXT,
    "format": JobKey(say("the name of a format, as parquet"), TEXT.holds, required=False),
}


def take_document(job: object, name: str) -> Document:
    """A document that is handed over as a mapping, as a text of JSON, or as the path of a file of it.

    >>> take_document('{"partitions": 3}', "data_information").data
    {'partitions': 3}
    """
    if isinstance(job, Path) or (isinstance(job, str) and not job.lstrip().startswith(("{", "["))):
        return read_document(job)
    if isinstance(job, str):
        return parse_document(job, name, "json")
    if not isinstance(job, Mapping):
        raise ProjectError(
            say("this is no document"),
            where=name,
            remedy=say("give a dict, a text of JSON, or the path of its file"),
        )
    try:
        text = json.dumps(job)
    except (TypeError, ValueError, RecursionError):
        raise ProjectError(
            say("it holds itself, or what JSON does not know"),
            where=name,
            remedy=say("make it of dicts, lists, texts, numbers, True and False"),
        ) from None
    return parse_document(text, name, "json")


def check_keys(document: Document) -> dict[str, Any]:
    """The ``data_information``, its numeric attributes under the key of the original; or the first thing wrong in it.

    >>> check_keys(take_document({"file_path": 5}, "data_information"))
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: data_information, attributes_to_remove: the key is missing; add it: a list of names,
    as in ["age", "sex"]
    """
    fields = dict(document.data)
    if NUMBERS[1] in fields:
        if NUMBERS[0] in fields:
            raise _error(
                document, NUMBERS[1], say("the key is there in both spellings"), say("leave one out")
            )
        fields[NUMBERS[0]] = fields.pop(NUMBERS[1])
    for name in fields:
        if name not in KEYS:
            raise _error(document, name, say("this key is not known"), nearest(name, tuple(KEYS)))
    for name, key in KEYS.items():
        if name not in fields and key.required:
            raise _error(
                document, name, say("the key is missing"), say("add it: {expected}", expected=key.expected)
            )
        if name in fields and not key.holds(fields[name]):
            raise _error(
                document,
                name,
                say("this is not what the key should hold"),
                say("write {expected}", expected=key.expected),
            )
    if not fields["categorical_attributes"] and not fields[NUMBERS[0]]:
        raise _error(
            document,
            "categorical_attributes",
            say("no attribute is to be generalized"),
            say("name some here"),
        )
    return fields


def check_trees(document: Document, categorical: list[str]) -> None:
    """Raise unless every categorical attribute has a tree."""
    for name in categorical:
        if document.data.get(name) is None:
            raise _error(
                document,
                name,
                say("the categorical attribute has no tree"),
                say('write {{"value": label, "children": [...]}}'),
            )


def _error(document: Document, name: str, problem: str, remedy: str) -> ProjectError:
    # What is handed over by a program has no lines that anybody could look up.
    place = str(document.place((name,))) if Path(document.where).suffix else document.where
    return ProjectError(problem, where=say("{place}, {field}", place=place, field=name), remedy=remedy)
