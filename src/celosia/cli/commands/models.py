"""``celosia models``: the privacy models, explained by themselves."""

from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.registries import ask_forms, privacy_models
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.language import tr
from celosia.cli.options import OutputOptions
from celosia.cli.show import docstring, explanation, first_line, print_columns, print_json, print_line
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import PrivacyModel

__all__ = ["add_to"]

KIND = "privacy model"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(models)


def models(
    *,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", autocompletion=completion.models, help="Explain this one in full."),
    ] = None,
    output: OutputOptions,
) -> None:
    """List the privacy models and how to ask for them, or explain one."""
    known = privacy_models()
    if name is not None and name not in known:
        raise ProjectError(
            say("there is no privacy model {name!r}", name=name),
            where="models",
            remedy=say("choose {names}", names=", ".join(known)),
        )
    chosen = [known[name]] if name is not None else list(known.values())
    if output.as_json:
        print_json([_document(model) for model in chosen])
    elif name is not None:
        print_line(name, bold=True)
        print_line(tr("ask for it with {options}", options=", ".join(ask_forms(chosen[0]))))
        print_line()
        print_line(explanation(chosen[0], KIND))
    else:
        rows = [(model.name, ", ".join(ask_forms(model)), first_line(model, KIND)) for model in chosen]
        print_columns(rows, [tr("model"), tr("option"), tr("meaning")])


def _document(model: "type[PrivacyModel]") -> dict[str, object]:
    return {
        "name": model.name,
        "options": ask_forms(model),
        "meaning": docstring(model),
        "parameters": {
            field: info.description for field, info in model.model_fields.items() if field != "column"
        },
    }
