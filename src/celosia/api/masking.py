"""Secret keys, and what they undo: columns of a release decrypted, or encrypted anew with another key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.arguments import with_progress
from celosia.api.opening import opened_table
from celosia.api.requests import TableSource

if TYPE_CHECKING:
    from celosia.api.results import Ask, Keys, KeySource, Progress, Reversible, SecretKey

__all__ = [
    "DEFAULT_KEY",
    "KEY_VARIABLE",
    "RewriteRequest",
    "key_source",
    "keys_of",
    "make_reversible",
    "new_key",
    "parse_key",
    "rewrite_columns",
    "store_key",
]

DEFAULT_KEY = "default"
"""The name of the key that operations take unless they name another."""
KEY_VARIABLE = "CELOSIA_KEY"
"""The environment variable of the key unless another place is named."""


def key_source(
    *,
    file: Path | None = None,
    environment: str | None = None,
    keyring: str | None = None,
    previous: "Sequence[KeySource]" = (),
) -> "KeySource":
    """Where a key is, and those in use before it: one place, the usual variable if none is named.

    >>> str(key_source(environment="CLINIC_KEY"))
    'the environment variable CLINIC_KEY'
    """
    from celosia.mask.keys import KeySource

    places = {"file": file, "environment": environment, "keyring": keyring}
    named = {name: place for name, place in places.items() if place is not None}
    return KeySource.model_validate({**(named or {"environment": KEY_VARIABLE}), "previous": tuple(previous)})


def keys_of(source: "KeySource") -> "Keys":
    """The keys at a place, under the default name."""
    from celosia.mask.keys import Keys

    return Keys({DEFAULT_KEY: source})


def new_key() -> str:
    """A new random key, as text."""
    from celosia.mask import keys

    return keys.new_key()


def parse_key(text: str, *, location: str) -> "SecretKey":
    """The key of a text; one that could be guessed is refused."""
    from celosia.mask import keys

    return keys.parse_key(text, location=location)


def store_key(text: str, *, file: Path | None = None, keyring: str | None = None) -> None:
    """Put a key into a new file that only its owner may read, or into a new entry of the keyring."""
    from celosia.mask import key_places

    if file is not None:
        key_places.write_file(file, text)
    if keyring is not None:
        key_places.write_keyring(keyring, text)


def make_reversible(name: str, parameters: Mapping[str, str]) -> "Reversible":
    """The operation that encrypted values, with its parameters as it was used."""
    from celosia.mask import reverse

    return reverse.make_reversible(name, **parameters)


@dataclass(frozen=True)
class RewriteRequest:
    """Columns of a release that are decrypted, or encrypted anew (``rotates``), and the file that the rows go to."""

    source: TableSource
    columns: Sequence[str]
    operation: "Reversible"
    keys: "Keys"
    out: Path
    rotates: bool = False
    overwrite: bool = False


def rewrite_columns(
    request: RewriteRequest, *, progress: "Progress | None" = None, ask: "Ask | None" = None
) -> int:
    """Write the rows, in their order, to a file that only its owner may read; returns how many there are."""
    from celosia.mask import mask_table
    from celosia.mask.reverse import Reverse
    from celosia.tables import FileTable
    from celosia.tables.copy import copy_to_file
    from celosia.tables.formats import find_format

    # Before the table is opened: without the key there is nothing to read it for.
    request.keys.all(request.operation.key)
    with opened_table(request.source, ask=ask) as table:
        undo = Reverse(operation=request.operation, rotates=request.rotates)
        chain = [undo, request.operation] if request.rotates else [undo]
        seen = mask_table(table, dict.fromkeys(request.columns, chain), keys=request.keys)
        is_text = isinstance(table, FileTable) and table.format.keeps_markers
        options = (
            table.reader.options
            if isinstance(table, FileTable) and is_text and find_format(request.out).keeps_markers
            else None
        )
        return copy_to_file(
            seen,
            request.out,
            like=options,
            overwrite=request.overwrite,
            **with_progress(progress),
        )
