"""Tokens: what an encrypted value looks like, and the way there and back.

A token is base64url without padding of one byte for the mode, the four of the key's id, and the ciphertext. The text
inside is filled up first, so that its length tells little: with 0x80 and as many zeros as it takes.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any

import polars as pl

from celosia.errors import ProjectError, TableError
from celosia.mask.keys import SecretKey
from celosia.say import say

__all__ = ["HEADER", "EncryptionMode", "TokenSealer", "decode_tokens", "open_tokens"]


class EncryptionMode(StrEnum):
    """How values are encrypted."""

    SIV = "siv"
    GCM = "gcm"


VERSIONS = {EncryptionMode.SIV: b"\x01", EncryptionMode.GCM: b"\x02"}
HEADER = 5
"""Bytes before the ciphertext."""
TAG = 16
NONCE = 12


class TokenSealer:
    """From texts to tokens, with a key that is derived for a mode and a domain."""

    def __init__(self, key: SecretKey, mode: EncryptionMode, *, domain: str, pad: int) -> None:
        self._header = VERSIONS[mode] + key.id
        self._cipher = _cipher(key, mode, domain)
        self._fillers = [b"\x80" + bytes((-length - 1) % pad) for length in range(pad)]
        self._seal = self._seal_siv if mode is EncryptionMode.SIV else self._seal_gcm

    def __call__(self, texts: pl.Series) -> pl.Series:
        """The tokens of texts, none of them missing."""
        fillers, pad = self._fillers, len(self._fillers)
        filled = (text + fillers[len(text) % pad] for text in texts.cast(pl.Binary).to_list())
        sealed = pl.Series(list(self._seal(filled)), dtype=pl.Binary)
        plain = sealed.bin.encode("base64").str.strip_chars_end("=")
        return plain.str.replace_all("+", "-", literal=True).str.replace_all("/", "_", literal=True)

    def _seal_siv(self, filled: Iterable[bytes]) -> Iterable[bytes]:
        encrypt, header = self._cipher.encrypt, self._header
        return [header + encrypt(text, None) for text in filled]

    def _seal_gcm(self, filled: Iterable[bytes]) -> Iterable[bytes]:
        import os

        encrypt, header, listed = self._cipher.encrypt, self._header, list(filled)
        drawn = os.urandom(NONCE * len(listed))
        nonces = (drawn[start : start + NONCE] for start in range(0, len(drawn), NONCE))
        return [
            header + nonce + encrypt(nonce, text, None) for nonce, text in zip(nonces, listed, strict=True)
        ]


def _cipher(key: SecretKey, mode: EncryptionMode, domain: str) -> Any:
    """AES-SIV (RFC 5297) or AES-GCM with 256 bits.

    Mode and domain choose the key, so that a token with another header, or of another domain, does not open; the
    same as associated data would cost a microsecond per value.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV

    purpose = f"encrypt {mode}: {domain}"
    return AESSIV(key.derive(purpose, 64)) if mode is EncryptionMode.SIV else AESGCM(key.derive(purpose, 32))


def decode_tokens(texts: pl.Series) -> pl.Series:
    """The bytes of tokens; null for a text that cannot be one."""
    short = texts.str.len_bytes() % 4
    ends = pl.select(
        pl.when(short == 2).then(pl.lit("==")).when(short == 3).then(pl.lit("=")).otherwise(pl.lit(""))
    )
    standard = texts.str.replace_all("[+/=]", "\n").str.replace_all("-", "+", literal=True)
    standard = standard.str.replace_all("_", "/", literal=True) + ends.to_series()
    raw = standard.str.decode("base64", strict=False)
    blocks = raw.bin.size() >= HEADER + TAG + 1
    known = pl.Series([False]).new_from_index(0, len(raw))
    for version in VERSIONS.values():
        known |= raw.bin.starts_with(version).fill_null(False)
    return raw.set(~(known & blocks.fill_null(False)), None)


def open_tokens(
    texts: pl.Series,
    keys: Sequence[SecretKey],
    *,
    domain: str = "",
    mode: EncryptionMode | None = None,
    location: str = "",
) -> pl.Series:
    """The texts in tokens, none of them missing, with whichever of the keys made each.

    ``mode`` refuses tokens of another one. A message counts what is wrong and shows no value.
    """
    openers = _openers(keys, domain)
    opened: list[bytes | None] = []
    wrong = dict.fromkeys(("malformed", "foreign", "other", "altered"), 0)
    for raw in decode_tokens(texts).to_list():
        text = None
        if raw is None:
            wrong["malformed"] += 1
        elif mode is not None and raw[:1] != VERSIONS[mode]:
            wrong["other"] += 1
        elif raw[:HEADER] not in openers:
            wrong["foreign"] += 1
        else:
            text = next((text for opener in openers[raw[:HEADER]] if (text := opener(raw)) is not None), None)
            wrong["altered"] += text is None
        opened.append(text)
    if any(wrong.values()):
        raise _trouble(wrong, texts.name, mode, location)
    return pl.Series(texts.name, opened, dtype=pl.Binary).cast(pl.String)


def _openers(keys: Sequence[SecretKey], domain: str) -> dict[bytes, list[Callable[[bytes], bytes | None]]]:
    """By header, what opens such tokens: two keys may have the same id."""
    from cryptography.exceptions import InvalidTag

    def opener(cipher: Any, start: int) -> Callable[[bytes], bytes | None]:
        def open_one(raw: bytes) -> bytes | None:
            try:
                filled: bytes = (
                    cipher.decrypt(raw[HEADER:start], raw[start:], None)
                    if start > HEADER
                    else cipher.decrypt(raw[start:], None)
                )
            except (InvalidTag, ValueError):  # a nonce without a ciphertext is none
                return None
            return filled.rstrip(b"\0")[:-1]

        return open_one

    starts = {EncryptionMode.SIV: HEADER, EncryptionMode.GCM: HEADER + NONCE}
    openers: dict[bytes, list[Callable[[bytes], bytes | None]]] = {}
    for key in keys:
        for mode, version in VERSIONS.items():
            open_token = opener(_cipher(key, mode, domain), starts[mode])
            openers.setdefault(version + key.id, []).append(open_token)
    return openers


def _trouble(
    wrong: dict[str, int], column: str, mode: EncryptionMode | None, location: str
) -> ProjectError | TableError:
    """The first of the troubles, in the order in which a person mends them."""
    kind = next(kind for kind, count in wrong.items() if count)
    problem, remedy = {
        "malformed": (
            say(
                "column {column!r} holds values that are no ciphertexts, or incomplete ones "
                "(different ones: {count:,})",
                column=column,
                count=wrong[kind],
            ),
            say("check that it is the column that was encrypted, and that no text was cut off"),
        ),
        "foreign": (
            say(
                "column {column!r} holds ciphertexts of a key that is not among those given "
                "(different ones: {count:,})",
                column=column,
                count=wrong[kind],
            ),
            say("give the key they were encrypted with, as the current or as a previous one"),
        ),
        "other": (
            say(
                "column {column!r} holds ciphertexts of another mode than {mode} (different ones: {count:,})",
                column=column,
                mode=mode,
                count=wrong[kind],
            ),
            say("say the mode they were encrypted with, as in mode=gcm"),
        ),
        "altered": (
            say(
                "column {column!r} holds ciphertexts that were altered, or encrypted for another domain "
                "(different ones: {count:,})",
                column=column,
                count=wrong[kind],
            ),
            say("take the release as it was written, and give the domain that was used"),
        ),
    }[kind]
    error = ProjectError if kind in ("foreign", "other") else TableError
    return error(problem, where=location, remedy=remedy)
