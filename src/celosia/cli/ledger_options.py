"""Options about the ledger: where releases are recorded, for whom they are, and what they may reveal together."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli import complete
from celosia.cli.key_options import KeyOptions
from celosia.cli.options import option
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.ledger.chain import Anchor
    from celosia.ledger.ledger import Ledger
    from celosia.project import Project

__all__ = ["LedgerArgument", "LedgerOptions", "anchor_of", "find_key", "opened_ledger"]

PANEL = "Ledger"

LedgerArgument = Annotated[
    Path, typer.Argument(metavar="LEDGER", help="The ledger, a file.", autocompletion=complete.files)
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
            autocompletion=complete.files,
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
            "The column that tells who somebody is in every release; it need not leave.",
            panel=PANEL,
            autocompletion=complete.columns,
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
        given: dict[str, Any] = {
            "file": None if self.ledger is None else str(self.ledger),
            "recipient": self.recipient,
            "person": self.person,
            "together": _together(self.together),
            "broken": self.broken,
        }
        given = {name: value for name, value in given.items() if value is not None}
        if not given:
            return project
        from pydantic import ValidationError

        from celosia.project import LedgerPlan

        said = project.ledger.model_dump(exclude_unset=True)
        try:
            plan = LedgerPlan.model_validate({**said, **given})
        except ValidationError:
            raise ProjectError(
                say("{broken!r} is none of stop, suppress, record", broken=self.broken),
                where="--broken",
                remedy=say("name one of them"),
            ) from None
        if plan.file is None:
            raise ProjectError(
                say("there is no ledger"), where="--ledger", remedy=say("name it: --ledger clinic.ledger")
            )
        return project.model_copy(update={"ledger": plan})


def _together(texts: list[str]) -> str | tuple[str, ...] | None:
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    if len(names) == 1 and names[0] in ("all", "same"):
        return names[0]
    return tuple(names) or None


def opened_ledger(path: Path, place: KeyOptions, *, begin: bool = False, needs_key: bool = False) -> "Ledger":
    """A ledger with the key that options name, or the one of the environment if there is one."""
    from celosia.ledger.ledger import open_ledger

    return open_ledger(path, key=find_key(place, needed=needs_key), begin=begin)


def find_key(place: KeyOptions, *, needed: bool = False) -> Any:
    """The key that options name; None if nobody names one and there is none by default."""
    import os

    from celosia.mask.keys import VARIABLE

    is_named = place.key_file or place.key_env or place.key_keyring or os.environ.get(VARIABLE)
    return place.keys().current() if is_named or needed else None


def anchor_of(record: Path) -> "Anchor":
    """The entry of a ledger that the record of a release holds."""
    import json

    from celosia.ledger.chain import Anchor

    try:
        return Anchor.parse(json.loads(record.read_text(encoding="utf-8"))["ledger"]["anchor"])
    except (OSError, ValueError, LookupError, TypeError):
        raise ProjectError(
            say("this is no record of a release in a ledger"), where=str(record), remedy=say("check the path")
        ) from None
