"""Keyed and plain digests of many texts, and the forms in which they are shown."""

import hashlib
from collections.abc import Callable, Iterable
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.mask.ff1 import NARROW, remainders

__all__ = ["ALPHABETS", "DigestForm", "ascii_texts", "bits_of", "hmac_of", "plain_digest_of", "show_digests"]

Digest = Callable[[bytes], bytes]


class DigestForm(StrEnum):
    """The characters that show a digest."""

    BASE32 = "base32"
    HEX = "hex"
    DIGITS = "digits"


ALPHABETS = {
    DigestForm.BASE32: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",  # RFC 4648
    DigestForm.HEX: "0123456789abcdef",
    DigestForm.DIGITS: "0123456789",
}


def hmac_of(key: bytes, algorithm: str = "sha256") -> Digest:
    """The function from bytes to their HMAC (RFC 2104) with a key.

    >>> hmac_of(b"Jefe")(b"what do ya want for nothing?").hex()[:16]  # RFC 4231, test case 2
    '5bdcc146bf60754e'
    """
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.hmac import HMAC

    algorithms = {"sha256": hashes.SHA256(), "sha512": hashes.SHA512()}
    begun = HMAC(key, algorithms[algorithm])

    # Measured: going on from a copy takes 0.9 microseconds, hmac.digest 2.8, for it looks up the algorithm every time.
    def digest(data: bytes) -> bytes:
        mac = begun.copy()
        mac.update(data)
        return mac.finalize()

    return digest


def plain_digest_of(algorithm: str, key: bytes = b"") -> Digest:
    """The function from bytes to their digest; only BLAKE2 takes a key as it is."""
    if algorithm == "blake2b":
        return lambda data: hashlib.blake2b(data, key=key, digest_size=32).digest()
    begun = hashlib.new(algorithm, key)

    def digest(data: bytes) -> bytes:
        state = begun.copy()
        state.update(data)
        return state.digest()

    return digest


def bits_of(form: DigestForm, length: int) -> float:
    """How many bits so many characters hold.

    >>> bits_of(DigestForm.BASE32, 16)
    80.0
    """
    return length * float(np.log2(len(ALPHABETS[form])))


def show_digests(digests: Iterable[bytes], form: DigestForm, length: int) -> pl.Series:
    """Digests of 32 bytes as so many characters: by their first bits, or as digits of a remainder.

    >>> show_digests([bytes.fromhex("00443214c7") + bytes(27)], DigestForm.BASE32, 8).to_list()
    ['ABCDEFGH']
    >>> show_digests([bytes(31) + bytes([123])], DigestForm.DIGITS, 5).to_list()
    ['00123']
    """
    listed = list(digests)
    if form is DigestForm.HEX:
        return pl.Series(listed, dtype=pl.Binary).bin.encode("hex").str.head(length)
    if form is DigestForm.BASE32:
        return _base32(b"".join(listed), len(listed), length)
    # The remainder of 256 bits by at most 128 is as good as evenly spread.
    most = 10**length
    if most <= 1 << NARROW:
        raw = np.frombuffer(b"".join(listed), np.uint8).reshape(len(listed), 32)
        return pl.Series(remainders(raw, most, is_narrow=True)).cast(pl.String).str.zfill(length)
    return pl.Series([f"{int.from_bytes(digest) % most:0{length}d}" for digest in listed], dtype=pl.String)


def _base32(data: bytes, count: int, length: int) -> pl.Series:
    """Rows of bytes in base32, eight characters of every five bytes."""
    fives = -(-length // 8)
    raw = np.frombuffer(data, np.uint8).reshape(count, 32)[:, : 5 * fives].reshape(count, fives, 5)
    numbers = raw @ (np.uint64(1) << np.arange(32, -1, -8, dtype=np.uint64))
    digits = (numbers[:, :, None] >> np.arange(35, -1, -5, dtype=np.uint64)) & np.uint64(31)
    letters = np.frombuffer(ALPHABETS[DigestForm.BASE32].encode(), np.uint8)
    return ascii_texts(letters[digits.reshape(count, 8 * fives)[:, :length]])


def ascii_texts(characters: npt.NDArray[np.uint8]) -> pl.Series:
    """Rows of ASCII characters as texts, without a Python object for each.

    >>> ascii_texts(np.array([[65, 66], [67, 68]], np.uint8)).to_list()
    ['AB', 'CD']
    """
    import pyarrow as pa

    count, width = characters.shape
    offsets = np.arange(count + 1, dtype=np.int64) * width
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(characters))]
    return pl.Series(values=pa.Array.from_buffers(pa.large_string(), count, buffers), dtype=pl.String)
