"""Options that say where keys are, and which operation they undo."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from celosia.api.masking import key_source, keys_of, make_reversible
from celosia.api.projects import with_key
from celosia.cli import completion
from celosia.cli.options import option
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Keys, KeySource, Project, Reversible

__all__ = ["KeyOptions", "PreviousKeyOptions", "ReversalOutput", "ReversedOperation"]

PANEL = "Keys"


@dataclass(frozen=True)
class KeyOptions:
    """Where the key is."""

    key_file: Annotated[
        Path | None,
        option("--key-file", "FILE", "The file of the key.", panel=PANEL, autocompletion=completion.files),
    ] = None
    key_env: Annotated[
        str | None,
        option(
            "--key-env", "NAME", "The environment variable of the key; CELOSIA_KEY by default.", panel=PANEL
        ),
    ] = None
    key_keyring: Annotated[
        str | None, option("--key-keyring", "NAME", "The entry of the key in the keyring.", panel=PANEL)
    ] = None

    def apply(self, project: "Project") -> "Project":
        """The project with the key that was named, under the default name."""
        if not (self.key_file or self.key_env or self.key_keyring):
            return project
        return with_key(project, self.source())

    def source(self, previous: "PreviousKeyOptions | None" = None) -> "KeySource":
        """Where the key is, and those before it."""
        places = (self.key_file, self.key_env, self.key_keyring)
        if sum(place is not None for place in places) > 1:
            raise ProjectError(
                say("a key is in one place"),
                where="--key-file, --key-env, --key-keyring",
                remedy=say("give one of them"),
            )
        return key_source(
            file=self.key_file,
            environment=self.key_env,
            keyring=self.key_keyring,
            previous=() if previous is None else previous.sources(),
        )

    def keys(self, previous: "PreviousKeyOptions | None" = None) -> "Keys":
        """The key, under the default name, with those before it."""
        return keys_of(self.source(previous))


@dataclass(frozen=True)
class PreviousKeyOptions:
    """Where keys are that were in use before; the latest first."""

    previous_key_file: Annotated[
        list[Path],
        option(
            "--previous-key-file",
            "FILE",
            "The file of a key that was in use before; may be repeated.",
            panel=PANEL,
            autocompletion=completion.files,
        ),
    ] = field(default_factory=list)
    previous_key_env: Annotated[
        list[str],
        option(
            "--previous-key-env",
            "NAME",
            "The environment variable of a key that was in use before; may be repeated.",
            panel=PANEL,
        ),
    ] = field(default_factory=list)
    previous_key_keyring: Annotated[
        list[str],
        option(
            "--previous-key-keyring",
            "NAME",
            "The entry in the keyring of a key that was in use before; may be repeated.",
            panel=PANEL,
        ),
    ] = field(default_factory=list)

    def sources(self) -> "tuple[KeySource, ...]":
        """The places of the previous keys: files, variables of the environment, entries of the keyring."""
        files = [key_source(file=path) for path in self.previous_key_file]
        variables = [key_source(environment=name) for name in self.previous_key_env]
        return (*files, *variables, *(key_source(keyring=name) for name in self.previous_key_keyring))


@dataclass(frozen=True)
class ReversalOutput:
    """The columns that are decrypted or encrypted anew, and the file that they go to."""

    column: Annotated[
        list[str],
        option(
            "--column", "COLUMNS", "The encrypted columns, as in id,phone.", autocompletion=completion.columns
        ),
    ]
    out: Annotated[
        Path,
        option(
            "--out -o",
            "FILE",
            "Where the rows go; its name says the format.",
            autocompletion=completion.files,
        ),
    ]
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False


@dataclass(frozen=True)
class ReversedOperation:
    """The operation that made the values."""

    operation: Annotated[
        str,
        option("--operation", "NAME", "What encrypted the values: encrypt (the default) or preserve-format."),
    ] = "encrypt"
    parameter: Annotated[
        list[str],
        option(
            "--parameter",
            "NAME=VALUE",
            "A parameter of the operation as it was used, as in domain=clinic or checksum=luhn; may be repeated.",
        ),
    ] = field(default_factory=list)

    def make(self) -> "Reversible":
        """The operation that is undone, made from what was typed."""
        parameters = {}
        for text in self.parameter:
            name, equals, value = text.partition("=")
            if not name or not equals:
                raise ProjectError(
                    say("{text!r} is not understood", text=text),
                    where="--parameter",
                    remedy=say("write it as in --parameter domain=clinic"),
                )
            parameters[name] = value
        return make_reversible(self.operation, parameters)
