"""All commands, one module each in :mod:`celosia.cli.commands`."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated

import typer

from celosia.cli import commands
from celosia.cli.command import help_if_alone
from celosia.cli.help_texts import TranslatedGroup
from celosia.cli.options import LanguageOption

__all__ = ["app"]

app = typer.Typer(
    name="celosia",
    cls=TranslatedGroup,
    help="Anonymize tables about people, and prove what the result is worth.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"celosia {version('celosia')}")
        raise typer.Exit()


@app.callback(invoke_without_command=True)
def _celosia(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
    language: LanguageOption = None,
) -> None:
    help_if_alone(context)


# In the order of the work, not of the alphabet; a module that is not named here comes last.
ORDER = (
    "serve",
    "users",
    "profile",
    "new",
    "check",
    "run",
    "anonymize",
    "extend",
    "explore",
    "balance",
    "verify",
    "ledger",
    "processing",
    "measure",
    "report",
    "study",
    "compare",
    "schema",
    "diff",
    "convert",
    "tables",
    "import_",
    "export",
    "erase",
    "proof",
    "key",
    "decrypt",
    "rotate",
    "sample",
    "techniques",
    "models",
    "operations",
    "measures",
)
_found = [module.name for module in iter_modules(commands.__path__)]
for _name in sorted(_found, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name)):
    import_module(f"{commands.__name__}.{_name}").add_to(app)
