"""Format-preserving encryption FF1 of NIST SP 800-38G over AES: a number of some digits becomes another one of as many.

Ten rounds of a Feistel network. Many values of one length are encrypted at once: a round is one call of AES for all of
them, and one addition of whole columns. Section and step numbers in comments are those of the standard.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from celosia.errors import ProjectError, TableError
from celosia.say import say

__all__ = ["FF1", "NARROW", "SMALLEST", "remainders", "shortest"]

SMALLEST = 1_000_000
"""Values that a domain must have (revision 1 of the standard): of fewer, all can be tried."""
ROUNDS = 10
BLOCK = 16
NARROW = 56
"""Bits of numbers that are added and divided in 64."""

Digits = npt.NDArray[np.uint16]
Numbers = npt.NDArray[Any]
"""One number per value: uint64, or Python's own where they are larger."""


def shortest(radix: int) -> int:
    """The fewest digits that make a domain of a million values.

    >>> shortest(10), shortest(36), shortest(2)
    (6, 4, 20)
    """
    length = 2
    while radix**length < SMALLEST:
        length += 1
    return length


@dataclass(frozen=True)
class _Halves:
    """What follows from the length alone: Algorithm 7, steps 1 to 5."""

    radix: int
    length: int
    tweak: int

    @property
    def left(self) -> int:
        return self.length // 2

    @property
    def right(self) -> int:
        return self.length - self.left

    @property
    def number_bytes(self) -> int:
        most: int = self.radix**self.right - 1
        return -(-most.bit_length() // 8)

    @property
    def sum_bytes(self) -> int:
        return 4 * -(-self.number_bytes // 4) + 4

    @property
    def first_block(self) -> bytes:
        numbers = self.radix.to_bytes(3, "big") + bytes([ROUNDS, self.left % 256])
        return b"\1\2\1" + numbers + self.length.to_bytes(4, "big") + self.tweak.to_bytes(4, "big")

    @property
    def is_narrow(self) -> bool:
        """Whether numbers and their sums fit 64 bits, with a byte to spare for the remainder."""
        return bool(self.radix**self.right <= 1 << NARROW)


class FF1:
    """FF1 with a key of 128, 192 or 256 bits, a radix from 2 to 65,536 and a tweak.

    >>> cipher = FF1(bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3C"), radix=10)
    >>> cipher.encrypt(np.arange(10).reshape(1, 10)).tolist()  # sample 1 of the standard
    [[2, 4, 3, 3, 4, 7, 7, 4, 8, 4]]
    """

    def __init__(self, key: bytes, *, radix: int, tweak: bytes = b"") -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        if not 2 <= radix <= 1 << 16:
            raise ProjectError(
                say("an alphabet of {radix:,} characters", radix=radix),
                where="FF1",
                remedy=say("take one of 2 to 65,536"),
            )
        self._radix, self._tweak = radix, tweak
        # CBC-MAC and the stream of step 6 iii are both made of single blocks.
        self._aes: Callable[[bytes], bytes] = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update

    def encrypt(self, digits: npt.NDArray[Any]) -> Digits:
        """The digits of encrypted values, one row per value: Algorithm 7."""
        halves, left, right = self._parted(digits)
        for number in range(ROUNDS):
            size = halves.radix ** (halves.left if number % 2 == 0 else halves.right)
            left, right = right, _plus(left, self._round(halves, number, right, size), size)
        return _joined(halves, left, right)

    def decrypt(self, digits: npt.NDArray[Any]) -> Digits:
        """The digits of the values that were encrypted: Algorithm 8."""
        halves, left, right = self._parted(digits)
        for number in reversed(range(ROUNDS)):
            size = halves.radix ** (halves.left if number % 2 == 0 else halves.right)
            left, right = _minus(right, self._round(halves, number, left, size), size), left
        return _joined(halves, left, right)

    def _parted(self, digits: npt.NDArray[Any]) -> tuple[_Halves, Numbers, Numbers]:
        length = digits.shape[1]
        if length < shortest(self._radix) or length >= 1 << 32:
            raise TableError(
                say(
                    "values of {length:,} digits with an alphabet of {radix:,} characters cannot be "
                    "encrypted",
                    length=length,
                    radix=self._radix,
                ),
                where="FF1",
                remedy=say(
                    "they need {shortest} digits: of fewer, all values can be tried",
                    shortest=shortest(self._radix),
                ),
            )
        if digits.size and not (digits.min() >= 0 and digits.max() < self._radix):
            raise TableError(
                say("a digit is outside the alphabet"),
                where="FF1",
                remedy=say("check the values and the alphabet"),
            )
        halves = _Halves(self._radix, length, len(self._tweak))
        left, right = digits[:, : halves.left], digits[:, halves.left :]
        return halves, _numbers(left, halves), _numbers(right, halves)

    def _round(self, halves: _Halves, number: int, half: Numbers, size: int) -> Numbers:
        """The remainder of y, steps 6 i to 6 v: what one half adds to the other in a round."""
        width = halves.number_bytes
        gap = (-len(self._tweak) - width - 1) % BLOCK
        before = halves.first_block + self._tweak + bytes(gap) + bytes([number])
        # Blocks that are the same for all values are worked through once.
        same = len(before) // BLOCK * BLOCK
        state = bytes(BLOCK)
        for start in range(0, same, BLOCK):
            state = self._aes(_xor(state, before[start : start + BLOCK]))
        rest = np.zeros((len(half), len(before) - same + width), np.uint8)
        rest[:, : len(before) - same] = np.frombuffer(before[same:], np.uint8)
        rest[:, len(before) - same :] = _bytes(half, width)
        states = np.broadcast_to(np.frombuffer(state, np.uint8), (len(half), BLOCK))
        for start in range(0, rest.shape[1], BLOCK):
            states = self._blocks(states ^ rest[:, start : start + BLOCK])
        return remainders(self._stream(states, halves.sum_bytes), size, is_narrow=halves.is_narrow)

    def _stream(self, states: npt.NDArray[np.uint8], length: int) -> npt.NDArray[np.uint8]:
        """The first bytes of R and the blocks that follow from it."""
        parts = [states]
        for block in range(1, -(-length // BLOCK)):
            counter = np.frombuffer(block.to_bytes(BLOCK, "big"), np.uint8)
            parts.append(self._blocks(states ^ counter))
        return np.concatenate(parts, axis=1)[:, :length] if len(parts) > 1 else states[:, :length]

    def _blocks(self, blocks: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self._aes(blocks.tobytes()), np.uint8).reshape(-1, BLOCK)


def _xor(first: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(first, other, strict=True))


def _numbers(digits: npt.NDArray[Any], halves: _Halves) -> Numbers:
    """NUM_radix of every row."""
    if halves.is_narrow:
        numbers = np.zeros(len(digits), np.uint64)
        for column in digits.T:
            numbers = numbers * np.uint64(halves.radix) + column.astype(np.uint64)
        return numbers
    numbers = np.zeros(len(digits), object)
    for column in digits.T.astype(object):
        numbers = numbers * halves.radix + column
    return numbers


def _joined(halves: _Halves, left: Numbers, right: Numbers) -> Digits:
    """STR_radix of both halves, side by side."""
    digits = np.empty((len(left), halves.length), np.uint16)
    for numbers, start, end in ((left, 0, halves.left), (right, halves.left, halves.length)):
        rest = numbers
        for place in range(end - 1, start - 1, -1):
            shorter = rest // halves.radix
            digits[:, place] = rest - shorter * halves.radix
            rest = shorter
    return digits


def _bytes(numbers: Numbers, width: int) -> npt.NDArray[np.uint8]:
    """Every number in so many bytes, the highest first."""
    if numbers.dtype == object:
        joined = b"".join(number.to_bytes(width, "big") for number in numbers.tolist())
        return np.frombuffer(joined, np.uint8).reshape(-1, width)
    return numbers.astype(">u8").view(np.uint8).reshape(-1, 8)[:, 8 - width :]


def remainders(data: npt.NDArray[np.uint8], size: int, *, is_narrow: bool) -> Numbers:
    """Rows of bytes as numbers, and what is left of them when divided by ``size``; narrow means at most 56 bits.

    >>> remainders(np.array([[1, 0, 0, 7]], np.uint8), 1000, is_narrow=True).tolist()
    [223]
    """
    if not is_narrow:
        width, joined = data.shape[1], data.tobytes()
        starts = range(0, len(joined), width)
        result = np.empty(len(data), object)
        result[:] = [int.from_bytes(joined[start : start + width], "big") % size for start in starts]
        return result
    # As in division by hand, so many bytes at a time as fit beside a remainder.
    step = next(step for step in (4, 2, 1) if size <= 1 << (64 - 8 * step))
    words = np.ascontiguousarray(data).view(f">u{step}")
    rest = np.zeros(len(data), np.uint64)
    for column in words.T:
        rest = ((rest << np.uint64(8 * step)) + column) % np.uint64(size)
    return rest


def _plus(first: Numbers, other: Numbers, size: int) -> Numbers:
    return (first + other) % (size if first.dtype == object else np.uint64(size))


def _minus(first: Numbers, other: Numbers, size: int) -> Numbers:
    limit = size if first.dtype == object else np.uint64(size)
    return (first + (limit - other)) % limit
