"""Where keys lie: the environment, the system's keyring, files that only their owner may read."""

import os
import stat
from pathlib import Path
from types import ModuleType

from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["read_environment", "read_file", "read_keyring", "write_file", "write_keyring"]

SERVICE = "celosia"
"""How the keyring knows us."""
LONGEST = 4096
"""Bytes of the file of a key, at most."""


def read_environment(name: str) -> str:
    """The text in an environment variable."""
    if not os.environ.get(name):
        raise ProjectError(
            say("it is not set, and the key should be there"),
            where=say("the environment variable {name}", name=name),
            remedy=say(
                'set it to the key, or to a new one: export {name}="$(celosia key new --show)"', name=name
            ),
        )
    return os.environ[name]


def read_keyring(entry: str) -> str:
    """The text in an entry of the keyring."""
    key = _ask_keyring(entry)
    if not key:
        raise ProjectError(
            say("there is no such entry"),
            where=_entry(entry),
            remedy=say(
                "check its name, or make a new key with: celosia key new --keyring {entry}", entry=entry
            ),
        )
    return key


def write_keyring(entry: str, text: str) -> None:
    """Put a text into a new entry of the keyring."""
    # Whatever an old key encrypted would be lost with it.
    if _ask_keyring(entry) is not None:
        raise ProjectError(say("it exists already"), where=_entry(entry), remedy=say("choose another name"))
    try:
        _keyring(entry).set_password(SERVICE, entry, text)
    except Exception as error:  # each kind of keyring has errors of its own
        raise _silent(entry, error) from None


def read_file(path: Path) -> str:
    """The text in a file, unless others may read it too."""
    location = say("the file {file}", file=path)
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if os.name == "posix" and stat.S_ISREG(mode) and mode & 0o077:
                raise ProjectError(
                    say("others may read this key"),
                    where=location,
                    remedy=say("keep it to yourself: chmod 600 {path}", path=path),
                )
            return file.read(LONGEST).decode("ascii")
    except FileNotFoundError:
        raise ProjectError(
            say("this file does not exist"),
            where=location,
            remedy=say("check the path, or make a new key with: celosia key new --file {path}", path=path),
        ) from None
    except UnicodeDecodeError:
        raise ProjectError(
            say("this is no key: it is no text"), where=location, remedy=say("check the path")
        ) from None
    except OSError as error:
        raise ProjectError(
            say("the key cannot be read ({reason})", reason=error.strerror or error),
            where=location,
            remedy=say("check the permissions"),
        ) from None


def write_file(path: Path, text: str) -> None:
    """Put a text into a new file that only its owner may read."""
    location = say("the file {file}", file=path)
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise ProjectError(
            say("it exists already"),
            where=location,
            remedy=say("choose another name: an old key may still be needed"),
        ) from None
    except OSError as error:
        raise ProjectError(
            say("the key cannot be written ({reason})", reason=error.strerror or error),
            where=location,
            remedy=say("check the folder and the permissions"),
        ) from None


def _ask_keyring(entry: str) -> str | None:
    try:
        password: str | None = _keyring(entry).get_password(SERVICE, entry)
    except ProjectError:
        raise
    except Exception as error:  # each kind of keyring has errors of its own
        raise _silent(entry, error) from None
    return password


def _keyring(entry: str) -> ModuleType:
    try:
        import keyring
    except ImportError:
        raise ProjectError(
            say("the package for keyrings is not installed"),
            where=_entry(entry),
            remedy=say('install it: pip install "celosia[keyring]"'),
        ) from None
    module: ModuleType = keyring
    return module


def _silent(entry: str, error: Exception) -> ProjectError:
    return ProjectError(
        say("the keyring does not answer ({reason})", reason=type(error).__name__),
        where=_entry(entry),
        remedy=say("unlock it, or keep the key in a file or in the environment"),
    )


def _entry(name: str) -> str:
    return say("the entry {entry} of the keyring", entry=name)
