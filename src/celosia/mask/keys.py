"""Secret keys: where they come from, and the keys derived from them. Nothing here shows a key.

A key is never written in a project: it is named there, and lies in the environment, in a keyring or in a file of its
own. From the one secret every purpose gets a key of its own, so that what one operation releases tells nothing about
another's.
"""

import base64
import binascii
import re
import secrets
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, Field, model_validator

from celosia.errors import ProjectError
from celosia.mask.key_places import read_environment, read_file, read_keyring
from celosia.say import say
from celosia.types import nearest

__all__ = ["DEFAULT", "VARIABLE", "KeySource", "Keys", "SecretKey", "new_key", "parse_key"]

DEFAULT = "default"
"""The name of the key of an operation that names none."""
VARIABLE = "CELOSIA_KEY"
"""The environment variable of that key, where the project does not say where it is."""
LENGTH = 32
"""Bytes of a key, at least."""
VARIETY = 16
"""Different bytes in a key, at least; of 32 random ones, one key in 10^13 has fewer."""
MAKE_ONE = say("make one with: celosia key new")


class SecretKey:
    """A secret of at least 32 bytes; its text shows only its public ``id``.

    >>> key = SecretKey(bytes(range(32)))
    >>> key
    SecretKey(id=af29a914)
    >>> key.derive("pseudonymize", 4) == key.derive("encrypt", 4)
    False
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) < LENGTH:
            raise ProjectError(
                say("a key of {count} bytes is too short", count=len(secret)), where="key", remedy=MAKE_ONE
            )
        self._secret = bytes(secret)

    @cached_property
    def id(self) -> bytes:
        """Four bytes that tell keys apart and tell nothing else: ciphertexts carry them."""
        return self.derive("id", 4)

    def derive(self, purpose: str, length: int) -> bytes:
        """A key for one purpose (HKDF-SHA256, RFC 5869, without salt; ``info`` is the purpose)."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        info = b"celosia 1: " + purpose.encode()
        return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(self._secret)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecretKey) and secrets.compare_digest(self._secret, other._secret)

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"SecretKey(id={self.id.hex()})"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError(say("a key is not written anywhere"))


class KeySource(BaseModel):
    """Where a key is, and where those are that were in use before it.

    >>> str(KeySource(environment="CLINIC_KEY"))
    'the environment variable CLINIC_KEY'
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    environment: str | None = Field(default=None, min_length=1, description="an environment variable")
    keyring: str | None = Field(
        default=None, min_length=1, description="an entry of the service celosia in the system's keyring"
    )
    file: Path | None = Field(default=None, description="a file that only its owner may read")
    previous: tuple["KeySource", ...] = Field(
        default=(), description="keys that are no longer in use, but needed to decrypt; the latest first"
    )

    @model_validator(mode="after")
    def _is_one(self) -> "KeySource":
        places = [self.environment, self.keyring, self.file]
        if sum(place is not None for place in places) != 1:
            raise ValueError(say("a key is in exactly one of environment, keyring and file"))
        if any(source.previous for source in self.previous):
            raise ValueError(
                say("a previous key has no previous ones; list all of them beside the current one")
            )
        return self

    def __str__(self) -> str:
        if self.environment is not None:
            return say("the environment variable {name}", name=self.environment)
        if self.keyring is not None:
            return say("the entry {entry} of the keyring", entry=self.keyring)
        return say("the file {file}", file=self.file)

    def load(self, folder: Path | None = None) -> SecretKey:
        """The key itself; ``folder`` is where a relative path begins."""
        if self.environment is not None:
            text = read_environment(self.environment)
        elif self.keyring is not None:
            text = read_keyring(self.keyring)
        else:
            text = read_file((folder or Path()) / (self.file or ""))
        return parse_key(text, location=str(self))


class Keys:
    """The keys of a project by name, each read when it is first needed.

    >>> import os
    >>> os.environ["CLINIC_KEY"] = "00112233445566778899aabbccddeeff" * 2
    >>> keys = Keys({"clinic": KeySource(environment="CLINIC_KEY")})
    >>> keys.current("clinic") == keys.all("clinic")[0]
    True
    >>> keys.current("klinic")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: keys: there is no key 'klinic'; did you mean 'clinic'?
    """

    def __init__(self, sources: Mapping[str, KeySource] | None = None, *, folder: Path | None = None) -> None:
        self._sources = MappingProxyType(dict(sources or {}))
        self._folder = folder
        self._known: dict[KeySource, SecretKey] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The keys that are declared."""
        return tuple(self._sources)

    def current(self, name: str | None = None) -> SecretKey:
        """The key that is in use under a name; None means the default one."""
        return self._load(self._source(name))

    def all(self, name: str | None = None) -> tuple[SecretKey, ...]:
        """The key that is in use under a name, then those that were before it."""
        source = self._source(name)
        return tuple(self._load(place) for place in (source, *source.previous))

    def _source(self, name: str | None) -> KeySource:
        name = DEFAULT if name is None else name
        if name in self._sources:
            return self._sources[name]
        if name == DEFAULT:
            return KeySource(environment=VARIABLE)
        remedy = nearest(name, tuple(self._sources), say("the keys"))
        raise ProjectError(
            say("there is no key {name!r}", name=name),
            where="keys",
            remedy=remedy if self._sources else say("declare where it is: environment, keyring or file"),
        )

    def _load(self, source: KeySource) -> SecretKey:
        if source not in self._known:
            self._known[source] = source.load(self._folder)
        return self._known[source]

    def __repr__(self) -> str:
        return f"Keys({', '.join(self._sources)})"


def new_key() -> str:
    """A new random key, as the text that goes into a file, a keyring or the environment.

    >>> len(new_key())
    43
    """
    return base64.urlsafe_b64encode(secrets.token_bytes(LENGTH)).decode().rstrip("=")


def parse_key(text: str, *, location: str) -> SecretKey:
    """The key that a text of base64 or hexadecimal digits is; one that can be guessed is refused.

    >>> parse_key("correct horse battery staple", location="the file clinic.key")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: the file clinic.key: this is no key: it must be at least 32 bytes in base64 or
    hexadecimal digits; make one with: celosia key new
    """
    plain = "".join(text.split())
    try:
        # Hexadecimal digits are base64 too, but not of a random key.
        if re.fullmatch(r"[0-9a-fA-F]*", plain):
            secret = bytes.fromhex(plain)
        else:
            wide = plain.replace("-", "+").replace("_", "/").rstrip("=")
            secret = base64.b64decode(wide + "=" * (-len(wide) % 4), validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if len(secret) < LENGTH:
        raise ProjectError(
            say(
                "this is no key: it must be at least {length} bytes in base64 or hexadecimal digits",
                length=LENGTH,
            ),
            where=location,
            remedy=MAKE_ONE,
        )
    if _can_be_guessed(secret, plain):
        raise ProjectError(
            say("this key can be guessed: it repeats itself or is made of words"),
            where=location,
            remedy=MAKE_ONE,
        )
    return SecretKey(secret)


def _can_be_guessed(secret: bytes, text: str) -> bool:
    """Whether bytes are too much alike, or a sentence, to be random; a random key is so once in 10^9 times."""
    # Words without spaces are base64 too, but in one case.
    is_one_case = not re.fullmatch(r"[0-9a-fA-F]+", text) and text in (text.lower(), text.upper())
    return len(set(secret)) < VARIETY or all(32 <= byte < 127 for byte in secret) or is_one_case
