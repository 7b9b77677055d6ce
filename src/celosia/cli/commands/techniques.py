"""``celosia techniques``: the techniques, explained by themselves."""

from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api import registries
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.language import tr
from celosia.cli.options import OutputOptions
from celosia.cli.show import docstring, explanation, first_line, print_columns, print_json, print_line
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Technique

__all__ = ["add_to"]

KIND = "technique"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(techniques)


def techniques(
    *,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", autocompletion=completion.techniques, help="Explain this one in full."
        ),
    ] = None,
    output: OutputOptions,
) -> None:
    """List the techniques that make a table safe, or explain one with its parameters."""
    known = registries.techniques()
    if name is not None and name not in known:
        raise ProjectError(
            say("there is no technique {name!r}", name=name),
            where="techniques",
            remedy=say("choose {names}", names=", ".join(known)),
        )
    chosen = [known[name]] if name is not None else list(known.values())
    if output.as_json:
        print_json([_document(technique) for technique in chosen])
    elif name is not None:
        print_line(name, bold=True)
        print_line()
        print_line(explanation(chosen[0], KIND))
        print_line()
        parameters = [(option, tr(meaning)) for option, meaning in _parameters(chosen[0]).items()]
        print_columns(parameters, [tr("parameter"), tr("meaning")])
    else:
        print_columns(
            [(technique.name, first_line(technique, KIND)) for technique in chosen],
            [tr("technique"), tr("meaning")],
        )


def _document(technique: "type[Technique]") -> dict[str, object]:
    return {
        "name": technique.name,
        "meaning": docstring(technique),
        "parameters": _parameters(technique),
    }


def _parameters(technique: "type[Technique]") -> dict[str, str]:
    return {
        f"--{field.replace('_', '-')}": info.description or ""
        for field, info in technique.model_fields.items()
    }
