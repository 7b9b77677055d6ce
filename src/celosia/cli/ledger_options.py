"""Options about the ledger: where releases are recorded, for whom they are, and what they may reveal together."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.ledgers import open_ledger
from celosia.api.masking import KEY_VARIABLE
from celosia.api.projects import LedgerChanges, with_ledger
from celosia.cli import completion
from celosia.cli.key_options import KeyOptions
from celosia.cli.options import PERSON, option

if TYPE_CHECKING:
    from celosia.api.results import Ledger, Project, SecretKey

__all__ = ["LedgerArgument", "LedgerOptions", "find_key", "opened_ledger"]

PANEL = "Ledger"

LedgerArgument = Annotated[
    Path, typer.Argument(metavar="LEDGER", help="The ledger, a file.", autocompletion=completion.files)
]


@dataclass(frozen=True)
class LedgerOptions:
    """Where a release is recorded and checked against those before it."""

    ledger: Annotated[
        Path | None,
        option(
            "--ledger",
            "FILE",
            "Check the release against those in this ledger, and record it there; begun if there is none.",
            panel=PANEL,
            autocompletion=completion.files,
        ),
    ] = None
    recipient: Annotated[
        str | None, option("--for", "NAME", "For whom the release is; everybody by default.", panel=PANEL)
    ] = None
    person: Annotated[
        str | None,
        option(
            "--person",
            "COLUMN",
            PERSON,
            panel="Roles",
            autocompletion=completion.columns,
        ),
    ] = None
    together: Annotated[
        list[str],
        option(
            "--together",
            "NAMES",
            "Recipients who may share what they get: all (the default), same, or names besides.",
            panel=PANEL,
        ),
    ] = field(default_factory=list)
    broken: Annotated[
        str | None,
        option(
            "--broken",
            "WHAT",
            "If earlier releases break the promise of this one: stop (the default), suppress rows, or record it.",
            panel=PANEL,
        ),
    ] = None

    def apply(self, project: "Project") -> "Project":
        """The project with what was typed."""
        changes = LedgerChanges(
            file=None if self.ledger is None else str(self.ledger),
            recipient=self.recipient,
            person=self.person,
            together=_together(self.together),
            broken=self.broken,
        )
        return with_ledger(project, changes)


def _together(texts: list[str]) -> str | tuple[str, ...] | None:
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    if len(names) == 1 and names[0] in ("all", "same"):
        return names[0]
    return tuple(names) or None


def opened_ledger(path: Path, place: KeyOptions, *, begin: bool = False, needs_key: bool = False) -> "Ledger":
    """A ledger with the key that options name, or the one of the environment if there is one."""
    return open_ledger(path, key=find_key(place, needed=needs_key), begin=begin)


def find_key(place: KeyOptions, *, needed: bool = False) -> "SecretKey | None":
    """The key that options name; None if nobody names one and there is none by default."""
    import os

    is_named = place.key_file or place.key_env or place.key_keyring or os.environ.get(KEY_VARIABLE)
    return place.keys().current() if is_named or needed else None
