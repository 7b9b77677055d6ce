"""Passwords of databases while they are kept: sealed with a key that only the service can read."""

import os
from pathlib import Path

__all__ = ["Seal"]

KEY = "server.key"


class Seal:
    """Seals texts and opens them again.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     seal = Seal(Path(folder))
    ...     shut = seal.shut("1234", about="clinic")
    ...     b"1234" in shut, seal.open(shut, about="clinic")
    (False, '1234')
    """

    def __init__(self, workspace: Path) -> None:
        self._path = workspace / KEY

    def shut(self, secret: str, *, about: str) -> bytes:
        """A secret sealed; it opens only for what it is about."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(12)
        return nonce + AESGCM(self._key()).encrypt(nonce, secret.encode(), about.encode())

    def open(self, sealed: bytes, *, about: str) -> str:
        """What was sealed."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(self._key()).decrypt(sealed[:12], sealed[12:], about.encode()).decode()

    def _key(self) -> bytes:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            key = os.urandom(32)
            with os.fdopen(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(key)
            return key
