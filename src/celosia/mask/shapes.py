"""Texts encrypted in their own shape: the same length, separators in place, letters for letters, check digits right.

Texts of one length are a matrix of code points; those with letters and digits in the same places are worked on as one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.mask.checksums import CHECKS, DIGITS, UPPER, CheckDigits, Checksum, Values
from celosia.mask.digests import ascii_texts
from celosia.mask.ff1 import FF1, shortest

__all__ = ["ALPHABETS", "LONGEST", "TextShape", "shape_texts"]

ALPHABETS = {"digits": DIGITS, "letters": UPPER, "alphanumeric": DIGITS + UPPER}
"""Alphabets by name; of ``letters``, small ones stay small."""

LONGEST = 10_000
"""Characters of a text that is no id any more: the time to encrypt it grows with the square of its length."""

Points = npt.NDArray[Any]
"""``points[text, place]``: Unicode code points, in one byte where all are ASCII and in four otherwise."""


@dataclass(frozen=True)
class TextShape:
    """What is encrypted of a text: the letters and digits in it, but for those kept at both ends and check digits."""

    alphabet: str
    keep_first: int = 0
    keep_last: int = 0
    checksum: Checksum = Checksum.NONE

    @property
    def characters(self) -> str:
        """The characters of the alphabet."""
        return ALPHABETS.get(self.alphabet, self.alphabet)

    @property
    def keeps_case(self) -> bool:
        """Whether small letters are letters of the alphabet too, and stay small."""
        return self.alphabet == "letters"

    @cached_property
    def check(self) -> CheckDigits | None:
        """The kind of check digits."""
        return CHECKS.get(self.checksum)

    @property
    def check_width(self) -> int:
        """How many check digits there are."""
        return 0 if self.check is None else self.check.width

    @property
    def check_size(self) -> int:
        """How many different checks there are."""
        return (0 if self.check is None else self.check.size) or len(self.characters)

    @property
    def fewest(self) -> int:
        """Letters and digits that a text must have."""
        return shortest(len(self.characters)) + self.keep_first + self.keep_last + self.check_width

    def values_of(self, points: Points, alphabet: str, *, both_cases: bool = False) -> Values:
        """The places of characters in an alphabet, -1 for those that are not in it."""
        letters = alphabet + alphabet.lower() if both_cases else alphabet
        codes = np.array([ord(letter) for letter in letters])
        table = np.full(max(128, int(codes.max()) + 1) + 1, -1, np.int32)
        table[codes] = np.arange(len(codes)) % len(alphabet)
        # Code points of one byte are ASCII, for which the table is long enough.
        return np.asarray(table[points if points.dtype == np.uint8 else np.minimum(points, len(table) - 1)])


def shape_texts(texts: pl.Series, shape: TextShape, cipher: FF1, *, decrypt: bool = False) -> pl.Series:
    """Texts, none of them missing, encrypted or decrypted in their shape; null for those that cannot be.

    >>> cipher = FF1(bytes(32), radix=10)
    >>> sealed = shape_texts(pl.Series(["1234-5678", "12-34"]), TextShape("digits"), cipher)
    >>> sealed[0][4], sealed[1]
    ('-', None)
    >>> shape_texts(sealed[:1], TextShape("digits"), cipher, decrypt=True).to_list()
    ['1234-5678']
    """
    lengths = texts.str.len_chars().to_numpy()
    parts, places, done = [pl.Series([], dtype=pl.String)], np.full(len(texts), -1), 0
    for length in np.unique(lengths).tolist():
        if not shape.fewest <= length <= LONGEST:
            continue
        rows = np.flatnonzero(lengths == length)
        points = _points(texts.gather(rows), length, narrow=shape.characters.isascii())
        for some, letters in _patterns(points):
            changed, fits = _changed(points[some], letters, shape, cipher, decrypt=decrypt)
            parts.append(_texts(changed))
            places[rows[some][fits]] = np.arange(done, done + len(changed))
            done += len(changed)
    numbers = pl.Series(places)
    return pl.concat(parts).gather(numbers.set(numbers < 0, None)).alias(texts.name)


def _points(texts: pl.Series, length: int, *, narrow: bool) -> Points:
    joined = "".join(texts.to_list())
    if narrow and joined.isascii():
        return np.frombuffer(joined.encode(), np.uint8).reshape(-1, length)
    return np.frombuffer(joined.encode("utf-32-le"), np.uint32).reshape(-1, length)


def _texts(points: Points) -> pl.Series:
    if points.dtype == np.uint8:
        return ascii_texts(points)
    joined, width = points.tobytes().decode("utf-32-le"), points.shape[1]
    return pl.Series(
        [joined[start : start + width] for start in range(0, len(joined), width)], dtype=pl.String
    )


def _patterns(points: Points) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """Rows that have letters and digits in the same places, and these places."""
    is_letter = np.asarray(_ASCII[points if points.dtype == np.uint8 else np.minimum(points, 127)])
    for code in np.unique(points[points > 126]).tolist():
        is_letter |= (points == code) if chr(code).isalnum() else False
    if (is_letter == is_letter[0]).all():
        yield np.arange(len(points)), np.flatnonzero(is_letter[0])
        return
    packed = np.packbits(is_letter, axis=1)
    _, firsts, numbers = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    for number, first in enumerate(firsts):
        yield np.flatnonzero(numbers.ravel() == number), np.flatnonzero(is_letter[first])


_ASCII = np.array([chr(code).isalnum() for code in range(127)] + [False])
"""Whether a character is a letter or a digit; the last stands for all that are not ASCII."""


def _changed(
    points: Points, letters: npt.NDArray[np.intp], shape: TextShape, cipher: FF1, *, decrypt: bool
) -> tuple[Points, npt.NDArray[np.bool_]]:
    """Those texts of one pattern that could be changed, and which they are."""
    fits = np.zeros(len(points), np.bool_)
    if len(letters) < shape.fewest:
        return points[fits], fits
    end = len(letters) - shape.check_width
    body = letters[shape.keep_first : end - shape.keep_last]
    digits = shape.values_of(points[:, body], shape.characters, both_cases=shape.keeps_case)
    fits = np.asarray((digits >= 0).all(axis=1))
    offset = np.zeros(len(points), np.int64)
    if shape.check is not None:
        right = _right_check(points[:, letters[:end]], shape)
        check = _read_check(points[:, letters[end:]], shape)
        fits &= (right >= 0) & (check >= 0)
        offset = (check - right) % shape.check_size
    if fits.all():
        points = points.copy()
    else:
        points, digits, offset = points[fits], digits[fits], offset[fits]
    work = cipher.decrypt if decrypt else cipher.encrypt
    codes = np.array([ord(letter) for letter in shape.characters], points.dtype)[work(digits)]
    if shape.keeps_case:
        codes += points.dtype.type(32) * (points[:, body] >= ord("a"))
    points[:, body] = codes
    if shape.check is not None:
        # The same distance from what would be right: a right one stays right, a wrong one wrong.
        right = _right_check(points[:, letters[:end]], shape)
        points[:, letters[end:]] = _written_check((right + offset) % shape.check_size, shape)
    return points, fits


def _right_check(points: Points, shape: TextShape) -> npt.NDArray[np.int64]:
    """The checks that would be right; -1 where a character cannot be in such a number."""
    assert shape.check is not None
    alphabet = shape.check.before or shape.characters
    values = shape.values_of(points, alphabet, both_cases=alphabet.isalpha() and shape.keeps_case)
    fits = (values >= 0).all(axis=1)
    check = np.full(len(points), -1, np.int64)
    check[fits] = shape.check.right(values[fits], len(alphabet))
    return check


def _read_check(points: Points, shape: TextShape) -> npt.NDArray[np.int64]:
    """The checks that are given; -1 for characters that are none."""
    check = shape.check
    assert check is not None
    values = shape.values_of(points, check.symbols or shape.characters)
    fits = (values >= 0).all(axis=1)
    numbers = values[:, 0] if check.width == 1 else values[:, 0] * 10 + values[:, 1]
    numbers = numbers - check.first
    return np.where(fits & (numbers >= 0) & (numbers < shape.check_size), numbers, -1)


def _written_check(numbers: npt.NDArray[np.int64], shape: TextShape) -> Points:
    check = shape.check
    assert check is not None
    codes = np.array([ord(letter) for letter in check.symbols or shape.characters], np.uint32)
    if check.width == 1:
        return np.asarray(codes[numbers])[:, None]
    shown = numbers + check.first
    return np.stack([codes[shown // 10], codes[shown % 10]], axis=1)
