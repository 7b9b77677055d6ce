"""``celosia users``: who may sign in to the web application."""

import sys
from typing import Annotated

import typer

from celosia.cli.command import command, help_if_alone
from celosia.cli.commands.serve import Serving
from celosia.cli.options import Output, option
from celosia.cli.show import print_columns, print_json, print_line
from celosia.errors import ProjectError

__all__ = ["add_to"]

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(help="Say who may sign in to the web application.")
    group.callback(invoke_without_command=True)(help_if_alone)
    command(group, "list")(list_all)
    command(group)(add)
    command(group)(password)
    command(group)(remove)
    command(group)(audit)
    app.add_typer(group, name="users")


def list_all(*, serving: Serving, output: Output) -> None:
    """List them."""
    from celosia.server.accounts import list_users
    from celosia.server.service import Service

    with Service(serving.read()).store.begin() as data:
        found = list_users(data)
    if output.as_json:
        print_json(found)
        return
    print_columns([(one["name"], one["mail"], one["created"]) for one in found], ["name", "mail", "since"])


def add(
    *,
    name: Name,
    mail: Annotated[str, option("--mail", "ADDRESS", "Where to tell that a job is done.")] = "",
    serving: Serving,
) -> None:
    """Add somebody; the password is asked for, or read from the first line of the input."""
    from celosia.server.accounts import add_user
    from celosia.server.service import Service

    secret = _password()
    with Service(serving.read()).store.begin() as data:
        add_user(data, name, secret, mail=mail)
    print_line(f"{name} may sign in")


def password(*, name: Name, serving: Serving) -> None:
    """Give somebody another password; whoever is signed in with the old one is signed out."""
    from celosia.server.accounts import change_password
    from celosia.server.service import Service

    secret = _password()
    with Service(serving.read()).store.begin() as data:
        change_password(data, name, secret)
    print_line(f"{name} has another password")


def remove(*, name: Name, serving: Serving) -> None:
    """Take somebody away."""
    from celosia.server.accounts import remove_user
    from celosia.server.service import Service

    with Service(serving.read()).store.begin() as data:
        remove_user(data, name)
    print_line(f"{name} may no longer sign in")


def audit(
    *,
    last: Annotated[int, option("--last", "NUMBER", "How many deeds, the latest first.")] = 200,
    serving: Serving,
    output: Output,
) -> None:
    """Show who saw and did what: sign-ins, and all projects, those that were erased too."""
    from celosia.server.audit import read_audit
    from celosia.server.service import Service

    with Service(serving.read()).store.begin() as data:
        found = read_audit(data, None, last=last)
    if output.as_json:
        print_json(found)
        return
    rows = [(each["at"], each["who"], each["action"], each["project"], each["detail"]) for each in found]
    print_columns(rows, ["when", "who", "what", "project", "detail"])


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    secret: str = typer.prompt("Password", hide_input=True, err=True)
    if typer.prompt("Again", hide_input=True, err=True) != secret:
        raise ProjectError("the two passwords differ", where="password", remedy="type it again")
    return secret
