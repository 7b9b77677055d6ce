"""Helps of commands in the language of the process: what the code says of commands, options and panels, looked up.

A help is English where it is written, beside its option. Only a process that speaks another language looks it up.
"""

import inspect
from collections.abc import Iterator
from typing import Any

from typer.core import TyperCommand, TyperGroup

from celosia.cli.language import tr
from celosia.words import phrase

__all__ = ["TranslatedCommand", "TranslatedGroup", "help_texts", "translate_help", "walk_commands"]

RICH_TITLES = {
    "ARGUMENTS_PANEL_TITLE": phrase("Arguments"),
    "OPTIONS_PANEL_TITLE": phrase("Options"),
    "COMMANDS_PANEL_TITLE": phrase("Commands"),
    "REQUIRED_LONG_STRING": phrase("[required]"),
    "DEFAULT_STRING": phrase("[default: {}]"),
}
"""What Typer writes itself above and beside options, under the names it has there."""

COMMAND_TEXTS = ("help", "short_help", "epilog", "options_metavar", "subcommand_metavar")
PARAMETER_TEXTS = ("help", "metavar", "rich_help_panel")


class _Translated:
    """Says in the language of the process what Typer says of every command."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """The line that shows what can be typed."""
        pieces = " ".join(self.collect_usage_pieces(ctx))  # type: ignore[attr-defined]
        formatter.write_usage(ctx.command_path, pieces, prefix=tr("Usage: "))

    def get_help_option(self, ctx: Any) -> Any:
        """The option that asks for the help."""
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = tr("Show this message and exit.")
        return option

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help, which Typer draws with rich."""
        from typer import rich_utils

        for name, title in RICH_TITLES.items():
            setattr(rich_utils, name, tr(title))
        super().format_help(ctx, formatter)  # type: ignore[misc]


class TranslatedCommand(_Translated, TyperCommand):
    """A command whose help is in the language of the process."""


class TranslatedGroup(_Translated, TyperGroup):
    """A group of commands whose help is in the language of the process."""


def translate_help(command: Any) -> None:
    """Put the helps of a command and of all below it into the language of the process."""
    for thing, name, text in _texts(command):
        setattr(thing, name, tr(text))


def help_texts(command: Any) -> Iterator[str]:
    """Every text in the helps of a command and of all below it, as there is to translate.

    >>> from typer.main import get_command
    >>> from celosia.cli.app import app
    >>> "The ledger, a file." in help_texts(get_command(app))
    True
    """
    return (text for _, _, text in _texts(command))


def walk_commands(command: Any) -> Iterator[Any]:
    """A command and all below it."""
    yield command
    for inner in getattr(command, "commands", {}).values():
        yield from walk_commands(inner)


def _texts(command: Any) -> Iterator[tuple[Any, str, str]]:
    """What holds a text, under which name, and the text with every paragraph on one line."""
    for inner in walk_commands(command):
        places = [(inner, name) for name in COMMAND_TEXTS]
        places += [(parameter, name) for parameter in inner.params for name in PARAMETER_TEXTS]
        for thing, name in places:
            text = getattr(thing, name, None)
            if isinstance(text, str) and text.strip():
                yield thing, name, _on_lines(text)


def _on_lines(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n"))
