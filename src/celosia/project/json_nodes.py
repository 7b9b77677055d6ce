"""JSON with the line of every field, which the standard parser does not tell."""

import json
import math
import re
from typing import Any, NoReturn

from celosia.errors import ProjectError
from celosia.project.nodes import HALF, Builder, Node

__all__ = ["parse_json"]

# Only applied to what the standard parser has accepted, so it need not be strict.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def parse_json(text: str, file: str) -> Node:
    """The nodes of a JSON text.

    >>> node = parse_json('{"k":\\n\\t[5]}', "p.json")
    >>> node.value["k"].value[0].place.line
    2
    """
    _check(text, file)
    builder = Builder(file)
    line, seen = 1, 0
    for found in TOKEN.finditer(text):
        token = found.group()
        line += text.count("\n", seen, found.start())
        seen = found.start()
        if token in "{[":
            builder.open({} if token == "{" else [], line)
        elif token in "}]":
            builder.close()
        elif token not in ",:":
            value = _scalar(token, file, line)
            if builder.wants_key:
                builder.key(value, line)
            else:
                builder.add(value, line)
    assert builder.root is not None
    return builder.root


def _check(text: str, file: str) -> None:
    try:
        json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise ProjectError(
            f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}",
            where=f"{file}, line {error.lineno}",
            remedy="look at the commas, quotes and brackets there",
        ) from None
    except RecursionError:
        raise ProjectError(
            "its brackets are too deep in each other", where=file, remedy="is a bracket not closed?"
        ) from None
    except ValueError as error:
        raise ProjectError(
            str(error).partition(":")[0].lower(), where=file, remedy="write it as a text, in quotes"
        ) from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _scalar(token: str, file: str, line: int) -> Any:
    # Most texts need no second look: parsing each by itself takes most of the time.
    if token[0] == '"' and "\\" not in token:
        return token[1:-1]
    value = json.loads(token)
    if isinstance(value, float) and not math.isfinite(value):
        raise ProjectError(
            "this number is too large", where=f"{file}, line {line}", remedy="write a smaller one"
        )
    if isinstance(value, str) and HALF.search(value):
        raise ProjectError(
            "a text holds half a character",
            where=f"{file}, line {line}",
            remedy="write the character itself, not as \\u and a number",
        )
    return value
