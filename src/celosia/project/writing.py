"""Projects as YAML that people like to read, and that reads back as exactly the same data."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from celosia.say import say

__all__ = ["to_yaml"]

WIDTH = 100
"""A list or mapping that fits into a line of this width is written in one."""
MOST_IN_LINE = 12
"""Longer lists go down the page even if they fit: they are tables."""
LONGEST_KEY = 500
"""YAML readers look for the colon of a key no further than 1024 characters."""

PLAIN = re.compile(r"[^\W\d_](?:[\w ./@%+*=<>()-]*[\w./@%+*=<>()-])?")
# What some reader of YAML takes for something else than a text, ours or one by the rules of 1.1.
MISREAD = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity"))
# What readers refuse, or take for the end of a line.
UNWRITABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def to_yaml(data: Mapping[str, Any], *, schema: str | None = None) -> str:
    """A plain document as YAML; ``schema`` is where editors find the schema that they complete and check it by.

    >>> print(to_yaml({"name": "no", "models": [{"model": "k-anonymity", "k": 5}], "evaluate": ["risk"]}), end="")
    name: "no"
    models:
      - {model: k-anonymity, k: 5}
    evaluate: [risk]
    """
    first = f"# yaml-language-server: $schema={schema}\n" if schema else ""
    if not data:
        return first + "{}\n"
    return first + "\n".join(_mapping(data, 0)) + "\n"


def _mapping(data: Mapping[str, object], depth: int) -> list[str]:
    lines: list[str] = []
    for key, value in data.items():
        lines += _entry(key, value, depth)
    return lines


def _entry(key: str, value: Any, depth: int) -> list[str]:
    """The lines of one field, the first not indented further than ``depth``."""
    space, name = "  " * depth, _text(key)
    lead = f"{space}{name}:"
    if len(name) > LONGEST_KEY:
        lead = f"{space}? {name}\n{space}:"
    flow = _in_line(value, WIDTH - len(space) - len(name) - 2, nested=_nested(depth))
    if flow is not None:
        return [f"{lead} {flow}"]
    block = _mapping(value, depth + 1) if isinstance(value, Mapping) else _list(value, depth + 1)
    return [lead, *block]


def _list(items: Sequence[Any], depth: int) -> list[str]:
    lines: list[str] = []
    space = "  " * depth
    for item in items:
        flow = _in_line(item, WIDTH - len(space) - 2, nested=2)
        if flow is not None:
            lines.append(f"{space}- {flow}")
            continue
        block = _mapping(item, depth + 1) if isinstance(item, Mapping) else _list(item, depth + 1)
        lines.append(f"{space}- {block[0].lstrip(' ')}")
        lines += block[1:]
    return lines


def _nested(depth: int) -> int:
    """How many mappings may stand in each other in one line: none at the top, columns with their operations below."""
    return (0, 1, 1, 2)[min(depth, 3)]


def _in_line(value: Any, room: int, *, nested: int) -> str | None:
    """A value in one line; None where it does not fit or would not be readable."""
    if not _is_list(value) and not isinstance(value, Mapping):
        return _scalar(value)
    if not value:
        return "[]" if _is_list(value) else "{}"
    if len(value) > MOST_IN_LINE or (isinstance(value, Mapping) and nested == 0):
        return None
    items = value.values() if isinstance(value, Mapping) else value
    if _is_list(value) and any(isinstance(item, Mapping) for item in items):
        return None if nested < 2 else _bracketed(value, room, nested)
    return _bracketed(value, room, nested)


def _bracketed(value: Any, room: int, nested: int) -> str | None:
    if isinstance(value, Mapping):
        names = [f"{_text(key)}: " for key in value]
        items = [_in_line(item, room, nested=nested - 1) for item in value.values()]
    else:
        names = [""] * len(value)
        items = [_in_line(item, room, nested=nested) for item in value]
    text = ", ".join(f"{name}{item}" for name, item in zip(names, items, strict=True))
    if None in items or len(text) + 2 > room:
        return None
    return f"{{{text}}}" if isinstance(value, Mapping) else f"[{text}]"


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(say("{value} is no number of a document", value=value))
        text = repr(float(value))
        # Readers by the rules of 1.1 take 1e-05 for a text.
        return text if "." in text else text.replace("e", ".0e")
    if isinstance(value, str):
        return _text(value)
    raise TypeError(say("a document holds no {name}", name=type(value).__name__))


def _text(text: str) -> str:
    """A text, in quotes where it would be misread without."""
    import json

    if not isinstance(text, str):
        raise TypeError(say("the keys of a document are texts, not {name}", name=type(text).__name__))
    if PLAIN.fullmatch(text) and text.lower() not in MISREAD and text.isprintable():
        return str(text)
    quoted = json.dumps(str(text), ensure_ascii=False)
    return UNWRITABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)
