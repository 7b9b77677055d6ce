"""What makes a function a command: groups of options in its signature, and errors as sentences.

A parameter whose type is a frozen dataclass of :mod:`celosia.cli.options` stands for all options of that group; a
command takes the groups it needs and gets every option of them, now and later.
"""

import inspect
import json
import os
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

import typer

from celosia.cli.help_texts import TranslatedCommand, TranslatedGroup
from celosia.cli.interrupt import report_interrupt
from celosia.cli.language import current_words, tr
from celosia.cli.options import LanguageOption
from celosia.errors import CelosiaError

__all__ = ["command", "command_group", "help_if_alone", "report_error"]

Function = Callable[..., None]

BROKEN_PIPE = 141
"""The status of a process that SIGPIPE ends, as the shells report it."""


def command(app: typer.Typer, name: str | None = None) -> Callable[[Function], Function]:
    """Add a function to ``app`` as a command.

    >>> from celosia.cli.options import OutputOptions
    >>> app = typer.Typer()
    >>> @command(app)
    ... def greet(output: OutputOptions) -> None:
    ...     print("hello")
    >>> [parameter for parameter in inspect.signature(app.registered_commands[0].callback).parameters]
    ['as_json', 'language']
    """

    def register(function: Function) -> Function:
        groups = _groups(function)

        @wraps(function)
        def run(language: str | None = None, **arguments: Any) -> None:
            built = {
                name: group(**{field.name: arguments.pop(field.name) for field in fields(group)})
                for name, group in groups.items()
            }
            as_json = any(getattr(group, "as_json", False) for group in built.values())
            _guard(lambda: function(**arguments, **built), as_json=as_json)

        signature = _flatten(function, groups)
        run.__signature__ = signature  # type: ignore[attr-defined]
        run.__annotations__ = {
            parameter.name: parameter.annotation for parameter in signature.parameters.values()
        }
        app.command(name, cls=TranslatedCommand)(run)
        return function

    return register


def command_group(help: str) -> typer.Typer:
    """A group of commands, which shows its help to whoever names none of them."""
    group = typer.Typer(help=help, cls=TranslatedGroup)
    group.callback(invoke_without_command=True)(help_if_alone)
    return group


def _guard(work: Callable[[], None], *, as_json: bool) -> None:
    """Do the work; a mistake of the user becomes a sentence and status 2, an interrupt status 130."""
    try:
        work()
    except CelosiaError as error:
        report_error(error, as_json=as_json)
        raise typer.Exit(2) from None
    except KeyboardInterrupt as stop:
        raise typer.Exit(report_interrupt(stop)) from None
    except typer.Abort:  # Ctrl-C or Ctrl-D in answer to a question
        raise typer.Exit(report_interrupt(KeyboardInterrupt())) from None
    except BrokenPipeError:
        # Whoever read our output has enough (`celosia explore ... | head`); Python would complain at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(BROKEN_PIPE) from None


def help_if_alone(context: typer.Context, language: LanguageOption = None) -> None:
    """Show the help of a group of commands to whoever names none of them."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def report_error(error: CelosiaError, *, as_json: bool) -> None:
    """Show a mistake on the standard error stream: a sentence, or with ``as_json`` an object."""
    if as_json:
        parts = {
            "kind": type(error).__name__,
            "what": error.what,
            "where": error.where,
            "remedy": error.remedy,
        }
        print(json.dumps({"error": parts}, ensure_ascii=False), file=sys.stderr)
    else:
        sentence = " ".join(str(current_words().error(error)).split())
        typer.echo(typer.style(tr("error: "), fg="red", bold=True) + sentence, err=True)


def _groups(function: Function) -> dict[str, Any]:
    hints = get_type_hints(function)
    return {name: hint for name, hint in hints.items() if isinstance(hint, type) and is_dataclass(hint)}


def _flatten(function: Function, groups: dict[str, Any]) -> inspect.Signature:
    """The signature with every group replaced by its options."""
    hints = get_type_hints(function, include_extras=True)
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in groups:
            parameters.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        extras = get_type_hints(groups[name], include_extras=True)
        parameters += [_parameter(field, extras[field.name]) for field in fields(groups[name])]
    # It was looked for before anything was parsed; a command has it to show it, and to complete it.
    language = inspect.Parameter(
        "language", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=LanguageOption
    )
    return inspect.Signature([*parameters, language])


def _parameter(field: "Field[Any]", annotation: Any) -> inspect.Parameter:
    default: Any = inspect.Parameter.empty
    if field.default is not MISSING:
        default = field.default
    elif field.default_factory is not MISSING:
        default = field.default_factory()
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )
