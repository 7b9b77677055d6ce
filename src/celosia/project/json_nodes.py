"""JSON with the line of every field, which the standard parser does not tell."""

import json
import math
import re
from typing import Any, NoReturn

from celosia.errors import InvalidValueError, ProjectError
from celosia.project.nodes import HALF, FileLine, Node, NodeBuilder
from celosia.say import say

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
    builder = NodeBuilder(file)
    line, seen = 1, 0
    for match in TOKEN.finditer(text):
        token = match.group()
        line += text.count("\n", seen, match.start())
        seen = match.start()
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
            say("this is not JSON: {problem}", problem=error.msg[:1].lower() + error.msg[1:]),
            where=str(FileLine(file, error.lineno)),
            remedy=say("look at the commas, quotes and brackets there"),
        ) from None
    except RecursionError:
        raise ProjectError(
            say("its brackets are too deep in each other"), where=file, remedy=say("is a bracket not closed?")
        ) from None
    except InvalidValueError as error:
        raise ProjectError(error.what, where=file, remedy=say("write it as a text, in quotes")) from None
    except ValueError as error:
        raise ProjectError(
            str(error).partition(":")[0].lower(), where=file, remedy=say("write it as a text, in quotes")
        ) from None


def _refuse(constant: str) -> NoReturn:
    raise InvalidValueError(say("{constant} is no number of JSON", constant=constant.lower()))


def _scalar(token: str, file: str, line: int) -> Any:
    # Most texts need no second look: parsing each by itself takes most of the time.
    if token[0] == '"' and "\\" not in token:
        return token[1:-1]
    value = json.loads(token)
    if isinstance(value, float) and not math.isfinite(value):
        raise ProjectError(
            say("this number is too large"),
            where=str(FileLine(file, line)),
            remedy=say("write a smaller one"),
        )
    if isinstance(value, str) and HALF.search(value):
        raise ProjectError(
            say("a text holds half a character"),
            where=str(FileLine(file, line)),
            remedy=say("write the character itself, not as \\u and a number"),
        )
    return value
