"""A form for any operation, read off its own parameters; what a person filled in as a document says it."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from celosia.api.registries import column_operations, make_operation, operations
from celosia.api.results import ColumnOperation, Operation
from celosia.errors import ProjectError
from celosia.say import say
from celosia.words import phrase

__all__ = ["CHOICES", "TITLES", "FormField", "fields_of", "read_form", "show_value"]

TITLES: Mapping[str, str] = {
    "algorithm": phrase("Algorithm"),
    "alphabet": phrase("Alphabet"),
    "bottom": phrase("Lower limit"),
    "bottom_label": phrase("Label below it"),
    "character": phrase("Character"),
    "checksum": phrase("Checksum"),
    "columns": phrase("Columns whose words are replaced"),
    "countries": phrase("Countries"),
    "cuts": phrase("Bounds of intervals"),
    "days": phrase("Days"),
    "default": phrase("For all other values"),
    "domain": phrase("Domain"),
    "ellipsis": phrase("Mark of what is cut off"),
    "first": phrase("First characters"),
    "form": phrase("Form"),
    "hierarchy": phrase("Hierarchy"),
    "keep_first": phrase("Keep at the beginning"),
    "keep_last": phrase("Keep at the end"),
    "keep_separators": phrase("Keep separators"),
    "kind": phrase("Kind of value"),
    "kinds": phrase("What is replaced"),
    "label": phrase("Label"),
    "least": phrase("Rows that a value needs to stay"),
    "language": phrase("Language"),
    "last": phrase("Last characters"),
    "length": phrase("Length"),
    "level": phrase("Level"),
    "locale": phrase("Country and language"),
    "missing": phrase("Missing values"),
    "mode": phrase("Mode"),
    "origin": phrase("Origin"),
    "others": phrase("Other values"),
    "pad": phrase("Padding"),
    "pairs": phrase("Value = replacement, one per line"),
    "person": phrase("Column of the person"),
    "replacement": phrase("Replacement of missing values"),
    "salt": phrase("Salt"),
    "tags": phrase("Tags"),
    "to": phrase("Step"),
    "top": phrase("Upper limit"),
    "top_label": phrase("Label above it"),
    "unfit": phrase("Values that do not fit"),
    "unique": phrase("No value twice"),
    "unknown": phrase("Values the hierarchy does not know"),
    "where": phrase("Only where"),
    "width": phrase("Width of intervals"),
    "words": phrase("Further words"),
}
"""What parameters are called on a page; those that are added later are called by their name."""

CHOICES: Mapping[str, str] = {
    "keep": phrase("keep them"),
    "replace": phrase("replace them"),
    "drop": phrase("drop their rows"),
    "refuse": phrase("refuse the table"),
    "suppress": phrase("suppress them"),
    "interval": phrase("the interval"),
    "lower": phrase("its lower bound"),
    "midpoint": phrase("its middle"),
    "none": phrase("none"),
    "hex": phrase("hexadecimal digits"),
    "digits": phrase("digits"),
    "siv": phrase("equal values stay equal"),
    "gcm": phrase("no two values are equal"),
    "name": phrase("full name"),
    "first name": phrase("first name"),
    "last name": phrase("last name"),
    "address": phrase("address"),
    "street": phrase("street"),
    "city": phrase("city"),
    "country": phrase("country"),
    "company": phrase("company"),
    "job": phrase("job"),
    "email": phrase("e-mail address"),
    "user name": phrase("user name"),
    "phone": phrase("phone number"),
    "postcode": phrase("postcode"),
    "number": phrase("number"),
    "row": phrase("the same within a row"),
    "table": phrase("the same in the whole table"),
    "en": phrase("English"),
    "es": phrase("Spanish"),
}
"""What choices are called on a page; names of algorithms are the same everywhere."""

HIDDEN = ("key", "file")
"""The key is that of the project, and files are uploaded nowhere but as tables."""
Shape = Literal["text", "whole", "number", "switch", "choice", "numbers", "texts", "pairs"]


@dataclass(frozen=True)
class FormField:
    """One field of a form."""

    name: str
    title: str
    shape: Shape
    description: str
    is_required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()


def fields_of(operation: type[Operation]) -> tuple[FormField, ...]:
    """The fields of the form of an operation, its own first.

    >>> [(field.name, field.shape) for field in fields_of(operations()["round"])]
    [('to', 'number'), ('missing', 'choice'), ('replacement', 'text')]
    """
    shared = tuple(ColumnOperation.model_fields)
    fields = [_field(name, info) for name, info in operation.model_fields.items() if name not in HIDDEN]
    return tuple(sorted(fields, key=lambda field: field.name in shared))


def read_form(name: str, filled: Mapping[str, Any]) -> dict[str, Any]:
    """An operation as a document says it, from what a person filled in; empty fields are left out.

    >>> read_form("round", {"to": "10", "missing": "keep", "replacement": ""})
    {'name': 'round', 'to': 10}
    >>> read_form("substitute", {"pairs": "A = 1\\nB = 2"})["pairs"]
    {'A': '1', 'B': '2'}
    >>> read_form("round", {"to": "ten"})
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: to: 'ten' is no number; write it with digits
    """
    if name not in column_operations():
        make_operation(name)  # says so
    parameters: dict[str, Any] = {}
    for field in fields_of(operations()[name]):
        value = _value(field, filled.get(field.name))
        if value is not None and value != field.default:
            parameters[field.name] = value
    make_operation(name, **parameters)
    return {"name": name, **parameters}


def show_value(field: FormField, value: Any) -> Any:
    """A value of a document as a form shows it.

    >>> show_value(FormField("cuts", "", "numbers", ""), [10, 20])
    '10; 20'
    """
    if value is None:
        value = field.default
    if field.shape == "pairs":
        pairs = value.items() if isinstance(value, Mapping) else (value or ())
        return "\n".join(f"{old} = {new}" for old, new in pairs)
    if field.shape in ("numbers", "texts"):
        return "; ".join(str(item) for item in value or ())
    if field.shape == "switch":
        return bool(value)
    return "" if value is None else str(value)


def _field(name: str, info: FieldInfo) -> FormField:
    shape, choices = _shape(info.annotation)
    default = None if info.is_required() else info.get_default(call_default_factory=True)
    if isinstance(default, Enum):
        default = default.value
    if isinstance(default, Decimal):
        default = _plain(default)
    return FormField(
        name=name,
        title=TITLES.get(name, name.replace("_", " ").capitalize()),
        shape=shape,
        description=info.description or "",
        is_required=info.is_required(),
        default=default,
        choices=choices,
    )


def _shape(annotation: Any) -> tuple[Shape, tuple[str, ...]]:
    """What kind of field a parameter of some type is, and what there is to choose from."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        arguments = [argument for argument in get_args(annotation) if argument is not NoneType]
        return _shape(arguments[0]) if arguments else ("text", ())
    if get_origin(annotation) is Literal:
        return "choice", tuple(map(str, get_args(annotation)))
    if get_origin(annotation) is tuple:
        held = get_args(annotation)[0]
        if get_origin(held) is tuple:
            return "pairs", ()
        return ("texts" if issubclass(held, str) else "numbers"), ()
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "choice", tuple(str(choice.value) for choice in annotation)
    shapes: dict[Any, Shape] = {
        bool: "switch",
        int: "whole",
        Decimal: "number",
        float: "number",
        Path: "text",
    }
    return shapes.get(annotation, "text"), ()


def _value(field: FormField, answer: Any) -> Any:
    """What a person wrote into a field; None if nothing."""
    if field.shape == "switch":
        return bool(answer)
    text = "" if answer is None else str(answer)
    if not text.strip():
        return None
    if field.shape == "pairs":
        return dict(_pair(line, field.name) for line in text.splitlines() if line.strip())
    if field.shape == "texts":
        return [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()]
    if field.shape == "numbers":
        return [_number(part, field.name) for part in text.replace("\n", ";").split(";") if part.strip()]
    return _number(text, field.name) if field.shape in ("whole", "number") else text


def _pair(line: str, where: str) -> tuple[str, str]:
    old, mark, new = line.partition("=")
    if not mark:
        raise ProjectError(
            say("{strip!r} has no '='", strip=line.strip()),
            where=where,
            remedy=say("write it as in old = new"),
        )
    return old.strip(), new.strip()


def _number(text: str, where: str) -> int | float:
    try:
        return _plain(Decimal(text.strip().replace(",", ".")))
    except InvalidOperation:
        raise ProjectError(
            say("{strip!r} is no number", strip=text.strip()), where=where, remedy=say("write it with digits")
        ) from None


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)
