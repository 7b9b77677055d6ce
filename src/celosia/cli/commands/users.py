"""``celosia users``: who may sign in to the web application."""

import sys
from typing import Annotated

import typer

from celosia.cli.command import command, command_group
from celosia.cli.commands.serve import ServiceOptions
from celosia.cli.language import tr
from celosia.cli.options import OutputOptions, option
from celosia.cli.show import print_columns, print_json, print_line
from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["add_to"]

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = command_group("Say who may sign in to the web application.")
    command(group, "list")(list_all)
    command(group)(add)
    command(group)(password)
    command(group)(remove)
    command(group)(audit)
    app.add_typer(group, name="users")


def list_all(*, serving: ServiceOptions, output: OutputOptions) -> None:
    """List everybody who may sign in."""
    from celosia.server.accounts import list_users
    from celosia.server.service import Service

    with Service(serving.read()).store.begin() as data:
        accounts = list_users(data)
    if output.as_json:
        print_json(accounts)
        return
    rows = [(account["name"], account["mail"], account["created"]) for account in accounts]
    print_columns(rows, [tr("name"), tr("mail"), tr("since")])


def add(
    *,
    name: Name,
    mail: Annotated[str, option("--mail", "ADDRESS", "Where to tell that a job is done.")] = "",
    serving: ServiceOptions,
) -> None:
    """Add somebody; the password is asked for, or read from the first line of the input."""
    from celosia.server.accounts import add_user
    from celosia.server.service import Service

    secret = _password()
    with Service(serving.read()).store.begin() as data:
        add_user(data, name, secret, mail=mail)
    print_line(tr("{name} may sign in", name=name))


def password(*, name: Name, serving: ServiceOptions) -> None:
    """Give somebody another password; whoever is signed in with the old one is signed out."""
    from celosia.server.accounts import change_password
    from celosia.server.service import Service

    secret = _password()
    with Service(serving.read()).store.begin() as data:
        change_password(data, name, secret)
    print_line(tr("{name} has another password", name=name))


def remove(*, name: Name, serving: ServiceOptions) -> None:
    """Remove somebody, who can no longer sign in."""
    from celosia.server.accounts import remove_user
    from celosia.server.service import Service

    with Service(serving.read()).store.begin() as data:
        remove_user(data, name)
    print_line(tr("{name} may no longer sign in", name=name))


def audit(
    *,
    last: Annotated[int, option("--last", "NUMBER", "How many deeds, the latest first.")] = 200,
    serving: ServiceOptions,
    output: OutputOptions,
) -> None:
    """Show who saw and did what: sign-ins, and all projects, those that were erased too."""
    from celosia.server.audit import read_audit
    from celosia.server.service import Service

    with Service(serving.read()).store.begin() as data:
        actions = read_audit(data, None, last=last)
    if output.as_json:
        print_json(actions)
        return
    rows = [
        (action["at"], action["who"], action["action"], action["project"], action["detail"])
        for action in actions
    ]
    print_columns(rows, [tr("when"), tr("who"), tr("what"), tr("project"), tr("detail")])


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    secret: str = typer.prompt(tr("Password"), hide_input=True, err=True)
    if typer.prompt(tr("Again"), hide_input=True, err=True) != secret:
        raise ProjectError(say("the two passwords differ"), where="password", remedy=say("type it again"))
    return secret
