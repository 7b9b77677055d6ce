"""Operations as a person types them: ``round:to=500``, ``code:top=90+truncate:first=2``, ``drop``."""

from celosia.errors import ProjectError
from celosia.mask.operation import ColumnOperation
from celosia.mask.registry import make_operation, operations
from celosia.registered import split_outside
from celosia.say import say

__all__ = ["DROP", "parse_operations"]

DROP = "drop"
"""Takes the column out: ``suppress`` without a rule."""


def parse_operations(text: str, *, location: str = "--mask") -> tuple[ColumnOperation, ...]:
    """The operations that a text says, one after the other.

    Between them is a plus sign; behind a colon come parameters, with commas between them. Brackets and quotes hold
    together what has commas or plus signs of its own.

    >>> [operation.describe() for operation in parse_operations("round:to=500+code:top=16000")]
    ['rounded to 500', 'coded as 16000 from 16000 upwards']
    >>> parse_operations("bin:cuts=[18, 65]")[0].describe()
    'in intervals cut at 18, 65'
    >>> parse_operations("drop")[0].removes_column
    True
    """
    return tuple(_parse(part.strip(), location) for part in split_outside(text, "+"))


def _parse(text: str, location: str) -> ColumnOperation:
    name, _, inside = text.partition(":")
    if name == DROP and not inside:
        name = "suppress"
    parameters = dict(_parameter(part, location) for part in split_outside(inside, ",") if part.strip())
    operation = make_operation(name.strip(), **parameters)
    if not isinstance(operation, ColumnOperation):
        columns = [known for known, kind in operations().items() if issubclass(kind, ColumnOperation)]
        raise ProjectError(
            say("{name!r} is done to rows, not to a column", name=name),
            where=location,
            remedy=say("choose {names}", names=", ".join([*columns, DROP])),
        )
    return operation


def _parameter(text: str, location: str) -> tuple[str, object]:
    import yaml

    key, is_said, value = text.partition("=")
    try:
        parsed = yaml.safe_load(value) if is_said else None
    except yaml.YAMLError:
        parsed = None
    if parsed is None:
        raise ProjectError(
            say("{text!r} is no parameter", text=text.strip()),
            where=location,
            remedy=say("write it as in round:to=500 or bin:cuts=[18,65]"),
        )
    return key.strip(), parsed
