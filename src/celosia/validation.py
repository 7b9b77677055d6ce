"""What Pydantic finds wrong with a value, as texts: our own sentences as they were said, its own by our templates."""

from collections.abc import Callable, Mapping
from typing import Any

from celosia.errors import CelosiaError, InvalidValueError
from celosia.say import Text, join_texts, say, say_count
from celosia.types import either

__all__ = ["in_plain_words", "say_mistake", "say_wanted", "split_mistake"]

_Values = Mapping[str, Any]

WANTED: Mapping[str, Callable[[_Values], Text]] = {
    "greater_than": lambda ctx: say("greater than {bound}", bound=_number(ctx["gt"])),
    "greater_than_equal": lambda ctx: say("greater than or equal to {bound}", bound=_number(ctx["ge"])),
    "less_than": lambda ctx: say("less than {bound}", bound=_number(ctx["lt"])),
    "less_than_equal": lambda ctx: say("less than or equal to {bound}", bound=_number(ctx["le"])),
    "multiple_of": lambda ctx: say("a multiple of {step}", step=_number(ctx["multiple_of"])),
    "finite_number": lambda _: say("a finite number"),
    "int_type": lambda _: say("a valid integer"),
    "int_parsing": lambda _: say("a valid integer, unable to parse string as an integer"),
    "int_from_float": lambda _: say("a valid integer, got a number with a fractional part"),
    "float_type": lambda _: say("a valid number"),
    "float_parsing": lambda _: say("a valid number, unable to parse string as a number"),
    "bool_type": lambda _: say("a valid boolean"),
    "bool_parsing": lambda _: say("a valid boolean, unable to interpret input"),
    "decimal_parsing": lambda _: say("a valid decimal"),
    "date_type": lambda _: say("a valid date"),
    "datetime_type": lambda _: say("a valid datetime"),
    "string_type": lambda _: say("a valid string"),
    "list_type": lambda _: say("a valid list"),
    "tuple_type": lambda _: say("a valid tuple"),
    "set_type": lambda _: say("a valid set"),
    "dict_type": lambda _: say("a valid dictionary"),
    "none_required": lambda _: say("None"),
    "enum": lambda ctx: _one_of(ctx["expected"]),
    "literal_error": lambda ctx: _one_of(ctx["expected"]),
}
"""What a value should be, by the kind of mistake; one that is not here stays as Pydantic says it."""

_FIELD_TYPES = {
    "Tuple": say("tuple"),
    "List": say("list"),
    "Dictionary": say("dictionary"),
    "Set": say("set"),
    "Frozenset": say("frozenset"),
}


def say_mistake(error: Mapping[str, Any]) -> str:
    """One of Pydantic's ``errors()`` in a sentence with small letters.

    >>> say_mistake({"type": "greater_than_equal", "ctx": {"ge": 2.0}, "msg": ""})
    'input should be greater than or equal to 2'
    >>> say_mistake({"type": "odd", "msg": "Something else is wrong"})
    'something else is wrong'
    """
    own = split_mistake(error)
    if own is not None:
        return join_texts("; ", own) if own[1] else own[0]
    wanted = say_wanted(error)
    if wanted is not None:
        return say("input should be {wanted}", wanted=wanted)
    said = _say_others(error["type"], error.get("ctx", {}))
    if said is not None:
        return said
    message = str(error["msg"])
    return message[:1].lower() + message[1:]


def say_wanted(error: Mapping[str, Any]) -> Text | None:
    """What the value should be, without the words before it, where Pydantic's sentence has that form.

    >>> say_wanted({"type": "literal_error", "ctx": {"expected": "'a', 'b' or 'c'"}})
    "'a', 'b' or 'c'"
    """
    make = WANTED.get(error["type"])
    return None if make is None else make(error.get("ctx", {}))


def split_mistake(error: Mapping[str, Any]) -> tuple[str, str] | None:
    """What is wrong and what to do, where a validator of ours said it.

    >>> split_mistake({"type": "value_error", "ctx": {"error": InvalidValueError("it is odd", remedy="double it")}})
    ('it is odd', 'double it')
    """
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, InvalidValueError):
        return cause.what, cause.remedy
    if isinstance(cause, Exception) and isinstance(cause.__cause__, CelosiaError):
        return cause.__cause__.text, ""
    if isinstance(cause, Exception) and cause.args and isinstance(cause.args[0], str):
        return cause.args[0], ""
    return None


def in_plain_words(text: str) -> str:
    """A sentence of :func:`say_mistake` without the words of a programmer; any other as it is.

    >>> found = {"type": "too_short", "ctx": {"field_type": "Tuple", "min_length": 1, "actual_length": 0}}
    >>> say_mistake(found), in_plain_words(say_mistake(found))
    ('tuple should have at least 1 item after validation, not 0', 'it should have at least 1 item')
    """
    make = _IN_PLAIN_WORDS.get(text.template) if isinstance(text, Text) else None
    return text if make is None or not isinstance(text, Text) else make(text.values)


def _say_others(kind: str, ctx: _Values) -> Text | None:
    """Sentences of other forms: how many there should be of something, and whether a field is there."""
    make = _OTHERS.get(kind)
    return None if make is None else make(ctx)


def _too_few_characters(ctx: _Values) -> Text:
    return say_count(
        "string should have at least {count} character",
        "string should have at least {count} characters",
        ctx["min_length"],
    )


def _too_many_characters(ctx: _Values) -> Text:
    return say_count(
        "string should have at most {count} character",
        "string should have at most {count} characters",
        ctx["max_length"],
    )


def _too_few_items(ctx: _Values) -> Text:
    return say_count(
        "{kind} should have at least {count} item after validation, not {found}",
        "{kind} should have at least {count} items after validation, not {found}",
        ctx["min_length"],
        **_found(ctx),
    )


def _too_many_items(ctx: _Values) -> Text:
    return say_count(
        "{kind} should have at most {count} item after validation, not {found}",
        "{kind} should have at most {count} items after validation, not {found}",
        ctx["max_length"],
        **_found(ctx),
    )


_OTHERS: Mapping[str, Callable[[_Values], Text]] = {
    "missing": lambda _: say("field required"),
    "extra_forbidden": lambda _: say("extra inputs are not permitted"),
    "string_pattern_mismatch": lambda ctx: say(
        "string should match pattern '{pattern}'", pattern=ctx["pattern"]
    ),
    "string_too_short": _too_few_characters,
    "string_too_long": _too_many_characters,
    "too_short": _too_few_items,
    "too_long": _too_many_items,
}


def _found(ctx: _Values) -> dict[str, object]:
    kind = str(ctx["field_type"])
    return {"kind": _FIELD_TYPES.get(kind, kind.lower()), "found": ctx["actual_length"]}


def _at_least_characters(values: _Values) -> Text:
    return say_count(
        "it should have at least {count} character",
        "it should have at least {count} characters",
        values["count"],
    )


def _at_most_characters(values: _Values) -> Text:
    return say_count(
        "it should have at most {count} character",
        "it should have at most {count} characters",
        values["count"],
    )


def _at_least_items(values: _Values) -> Text:
    return say_count(
        "it should have at least {count} item", "it should have at least {count} items", values["count"]
    )


def _at_most_items(values: _Values) -> Text:
    return say_count(
        "it should have at most {count} item", "it should have at most {count} items", values["count"]
    )


_IN_PLAIN_WORDS: Mapping[str, Callable[[_Values], Text]] = {
    "input should be {wanted}": lambda values: say("it should be {wanted}", wanted=values["wanted"]),
    "string should match pattern '{pattern}'": lambda values: say(
        "it should match pattern '{pattern}'", pattern=values["pattern"]
    ),
    "string should have at least {count} character": _at_least_characters,
    "string should have at most {count} character": _at_most_characters,
    "{kind} should have at least {count} item after validation, not {found}": _at_least_items,
    "{kind} should have at most {count} item after validation, not {found}": _at_most_items,
}


def _one_of(expected: object) -> Text:
    """The values that an enumeration has, of which Pydantic tells the last after an "or"."""
    before, joined, last = str(expected).rpartition(" or ")
    return either([before, last]) if joined else either([last])


def _number(bound: Any) -> Any:
    """A bound as people write it: whole if it is."""
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound
