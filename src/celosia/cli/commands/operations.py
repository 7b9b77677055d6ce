"""``celosia operations``: the operations on columns and rows, explained by themselves."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.api import registries
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.language import tr
from celosia.cli.options import OutputOptions
from celosia.cli.show import (
    docstring,
    explanation,
    first_line,
    print_columns,
    print_json,
    print_line,
    print_wrapped,
)
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import nearest

if TYPE_CHECKING:
    from celosia.api.results import Operation

__all__ = ["add_to"]

KIND = "operation"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(operations)


def operations(
    *,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", autocompletion=completion.operations, help="Explain this one in full."
        ),
    ] = None,
    output: OutputOptions,
) -> None:
    """List the operations of projects, what they leak and whether they can be undone, or explain one."""
    known = registries.operations()
    if name is not None and name not in known:
        remedy = nearest(name, tuple(known), say("the operations"))
        raise ProjectError(
            say("there is no operation {name!r}", name=name), where="operations", remedy=remedy
        )
    chosen = [known[name]] if name is not None else list(known.values())
    if output.as_json:
        print_json([_document(operation) for operation in chosen])
    elif name is not None:
        _explain(chosen[0])
    else:
        rows = [row for operation in chosen for row in _lines(operation)]
        print_columns(rows, [tr("operation"), tr("meaning")])


def _lines(operation: "type[Operation]") -> list[tuple[str, str]]:
    """What it does, and what that is worth."""
    worth = tr(
        "reversible: {reversible}; still tells: {leaks}",
        reversible=tr(operation.reversible),
        leaks=tr(operation.leaks),
    )
    missing = _missing(operation)
    if missing:
        worth += "; " + tr("missing values: {missing}", missing=tr(missing))
    return [(operation.name, first_line(operation, KIND)), ("", worth)]


def _explain(operation: "type[Operation]") -> None:
    print_line(operation.name, bold=True)
    print_line()
    print_line(explanation(operation, KIND))
    print_line()
    facts = [(tr("reversible"), tr(operation.reversible)), (tr("still tells"), tr(operation.leaks))]
    print_columns([*facts, (tr("missing values"), tr(_missing(operation)))])
    print_line()
    print_columns(_parameters(operation), [tr("parameter"), tr("by default"), tr("meaning")])
    print_line()
    example = _example(operation)
    if registries.is_row_operation(operation):
        print_wrapped(tr("In a project, under rows of a table: {example}", example=example))
    else:
        print_wrapped(tr("In a project, under operation of a column: {example}", example=example))


def _missing(operation: "type[Operation]") -> str:
    """What becomes of a missing value unless something else is said."""
    field = operation.model_fields.get("missing")
    return "" if field is None else str(field.default)


def _parameters(operation: "type[Operation]") -> list[tuple[str, str, str]]:
    """Its own parameters, then those that all operations have."""
    fields = operation.model_fields
    own = [name for name in fields if name in operation.__annotations__]
    names = [*own, *(name for name in fields if name not in own)]
    return [(name, _default(fields[name]), _meaning(fields[name])) for name in names]


def _meaning(field: Any) -> str:
    return tr(field.description) if field.description else ""


def _default(field: Any) -> str:
    if field.is_required():
        return tr("(needed)")
    default = field.get_default(call_default_factory=True)
    return "" if default is None or default == () else str(default)


def _example(operation: "type[Operation]") -> str:
    needed = [name for name, field in operation.model_fields.items() if field.is_required()]
    parameters = "".join(f", {name}: ..." for name in needed)
    return f"{{name: {operation.name}{parameters}}}"


def _document(operation: "type[Operation]") -> dict[str, object]:
    return {
        "name": operation.name,
        "meaning": docstring(operation),
        "on": "rows" if registries.is_row_operation(operation) else "column",
        "reversible": operation.reversible,
        "leaks": operation.leaks,
        "missing": _missing(operation) or None,
        "parameters": {
            name: {"needed": field.is_required(), "meaning": field.description or ""}
            for name, field in operation.model_fields.items()
        },
    }
