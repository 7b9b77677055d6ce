"""How an option is declared, and which words a person typed for a group of options."""

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from celosia.cli.completion import Completion

__all__ = ["option", "typed"]


def option(
    names: str,
    metavar: str | None,
    help: str,
    *,
    panel: str | None = None,
    min: int | None = None,
    max: int | None = None,
    autocompletion: "Completion | None" = None,
) -> Any:
    """Declare an option by its names, with a help that says the default where there is one."""
    return typer.Option(
        *names.split(),
        metavar=metavar,
        help=help,
        rich_help_panel=panel,
        show_default=False,
        min=min,
        max=max,
        autocompletion=autocompletion,
    )


def typed(group: "DataclassInstance") -> list[str]:
    """List the words that a person typed for a group of options; options left at their defaults have none.

    >>> from celosia.cli.options import RoleOptions
    >>> typed(RoleOptions(qi=["age,sex"]))
    ['--qi', 'age,sex']
    """
    words: list[str] = []
    hints = get_type_hints(type(group), include_extras=True)
    for field in fields(group):
        value = getattr(group, field.name)
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if value == default or field.name == "as_json":
            continue
        declared = hints[field.name].__metadata__[0]
        # Typer takes the first name for a default, and puts it right when it builds the command.
        name, _, opposite = str(declared.default).partition("/")
        if isinstance(value, bool):
            words.append(name if value else opposite)
        else:
            texts: Sequence[object] = value if isinstance(value, list) else [value]
            for text in texts:
                words += [name, str(text)]
    return words
