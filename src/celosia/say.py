"""Texts that people read: English at once, and any language later, because they remember how they were made.

A text is said where something is known and shown where a language is known. What travels between the two is a ``str``
in English that keeps its template and its values, so that the edge can say the same in another language.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from numbers import Real
from pathlib import PurePath
from typing import Any, Self

__all__ = ["Text", "join_texts", "keep_texts", "replace_part", "restore_texts", "say", "say_count"]


class Text(str):
    """An English text that remembers its template, the plural of it, and the values in their places.

    Without a template, its values are texts in a row with ``separator`` between them.
    """

    template: str
    plural: str
    number: int | None
    values: Mapping[str, Any]
    separator: str

    def __new__(
        cls,
        template: str,
        values: Mapping[str, Any],
        *,
        plural: str = "",
        count: int | None = None,
        separator: str = "",
    ) -> Self:
        """The text in English."""
        if template:
            english = fill(plural if plural and count != 1 else template, values)
        else:
            english = separator.join(str(value) for value in values.values())
        made = super().__new__(cls, english)
        made.template, made.plural, made.number = template, plural, count
        made.values, made.separator = dict(values), separator
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Between processes it keeps what it remembers."""
        return _again, (self.template, self.values, self.plural, self.number, self.separator)


def say(template: str, /, **values: object) -> Text:
    """A text with values in its places; a value may be a text itself.

    >>> text = say("column {name!r} does not exist", name="agee")
    >>> text, text.template
    ("column 'agee' does not exist", 'column {name!r} does not exist')
    """
    return Text(template, values)


def say_count(one: str, many: str, count: int, /, **values: object) -> Text:
    """A text about so many things, which stand in it as ``count``.

    >>> say_count("{count:,} row is left", "{count:,} rows are left", 1200)
    '1,200 rows are left'
    """
    return Text(one, {"count": count, **values}, plural=many, count=count)


def join_texts(separator: str, texts: Iterable[str]) -> Text:
    """Texts in a row, each of which is shown in the language of its reader.

    >>> join_texts("; ", [say("it is empty"), "x"])
    'it is empty; x'
    """
    return Text("", {str(place): text for place, text in enumerate(texts)}, separator=separator)


def replace_part(text: str, part: str, other: str) -> str:
    """A text with something else for a part of what it tells; what it was said with is kept as far as it can be.

    >>> told = say("{path} exists already", path="/data/people.csv")
    >>> replace_part(told, "/data/", ""), replace_part(told, "/data/", "").template
    ('people.csv exists already', '{path} exists already')
    """
    if part == other or part not in text:
        return text
    if text == part:
        return other
    if not isinstance(text, Text) or part in text.template or part in text.plural:
        return text.replace(part, other)
    values = {
        name: replace_part(str(value) if isinstance(value, PurePath) else value, part, other)
        if isinstance(value, str | PurePath)
        else value
        for name, value in text.values.items()
    }
    return Text(text.template, values, plural=text.plural, count=text.number, separator=text.separator)


def fill(template: str, values: Mapping[str, Any]) -> str:
    """A template with its values in English; braces in a value mean nothing."""
    return template.format(**values)


def _again(template: str, values: Mapping[str, Any], plural: str, count: int | None, separator: str) -> Text:
    return Text(template, values, plural=plural, count=count, separator=separator)


# Through JSON a text is plain English again; beside the whole goes what it remembers, by the place where it stands.

KEY = "texts"
DECIMAL = "decimal"
Steps = tuple[str, ...]


def keep_texts(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document for JSON with what its texts remember, under ``texts``; unchanged where it holds none.

    >>> kept = keep_texts({"left": [say("{count} rows", count=3)]})
    >>> kept["texts"]
    {'/left/0': {'template': '{count} rows', 'values': {'count': 3}}}
    """
    found = {_pointer(place): _remembered(text) for place, text in _texts_in(document, ()) if text}
    return {**document, KEY: found} if found else dict(document)


def restore_texts(document: Any) -> Any:
    """A document that was read from JSON, with the texts that :func:`keep_texts` kept.

    >>> restore_texts(keep_texts({"left": [say("{count} rows", count=3)]}))["left"][0].template
    '{count} rows'
    >>> restore_texts(keep_texts({"done": say("rounded to {to:f}", to=Decimal("0.50"))}))["done"]
    'rounded to 0.50'
    """
    if not isinstance(document, dict) or not isinstance(document.get(KEY), dict):
        return document
    known = document[KEY]
    return {name: _put_back(value, (name,), known) for name, value in document.items() if name != KEY}


def _pointer(place: Steps) -> str:
    """A place in a document as a JSON pointer (RFC 6901) names it."""
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in place)


def _texts_in(value: Any, place: Steps) -> Iterator[tuple[Steps, Text]]:
    if isinstance(value, Text):
        yield place, value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _texts_in(each, (*place, str(name)))
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _texts_in(each, (*place, str(number)))


def _remembered(text: Text) -> dict[str, Any]:
    values = {
        name: {KEY: _remembered(value)} if isinstance(value, Text) else _plain(value)
        for name, value in text.values.items()
    }
    more = {"plural": text.plural, "number": text.number, "separator": text.separator}
    return {"template": text.template, "values": values} | {
        k: v for k, v in more.items() if v not in ("", None)
    }


def _plain(value: Any) -> Any:
    """A value as JSON can hold it: numbers stay such, for they are written in the way of the reader."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Decimal):  # JSON would make it a text, or a number with other digits
        return {DECIMAL: str(value)}
    return float(value) if isinstance(value, Real) else str(value)


def _recalled(text: Mapping[str, Any]) -> Text:
    values = {name: _recalled_value(value) for name, value in text["values"].items()}
    return _again(
        text["template"], values, text.get("plural", ""), text.get("number"), text.get("separator", "")
    )


def _recalled_value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return Decimal(value[DECIMAL]) if DECIMAL in value else _recalled(value[KEY])


def _put_back(value: Any, place: Steps, known: Mapping[str, Any]) -> Any:
    if isinstance(value, str):
        found = known.get(_pointer(place))
        return value if found is None else _recalled(found)
    if isinstance(value, dict):
        return {name: _put_back(each, (*place, name), known) for name, each in value.items()}
    if isinstance(value, list):
        return [_put_back(each, (*place, str(number)), known) for number, each in enumerate(value)]
    return value
