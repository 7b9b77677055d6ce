"""Check digits of whole columns of numbers: which would be right, and how far those given are from it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

__all__ = ["CHECKS", "DIGITS", "UPPER", "CheckDigits", "Checksum", "Values"]

DIGITS = "0123456789"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DNI = "TRWAGMYFPDXBNJZSQVHLCKE"

Values = npt.NDArray[np.int32]
"""``values[number, place]``: the character there, as its place in an alphabet."""
Right = Callable[[Values, int], npt.NDArray[np.int64]]
"""From the characters before the check digits, and how many characters there are, to the checks that would be right."""


class Checksum(StrEnum):
    """Kinds of check digits."""

    NONE = "none"
    LUHN = "luhn"
    VERHOEFF = "verhoeff"
    MOD11_10 = "mod11-10"
    MOD97 = "mod97"
    DNI = "dni"
    NIT = "nit"


@dataclass(frozen=True)
class CheckDigits:
    """A kind of check digits: ``width`` characters at the end, which make one of ``size`` numbers.

    ``before`` are the characters that may stand before them and ``symbols`` those that may be one of them; empty means
    the alphabet of the column. Two check digits are the number plus ``first``.
    """

    right: Right
    size: int = 0
    width: int = 1
    before: str = DIGITS
    symbols: str = DIGITS
    first: int = 0


def _luhn(values: Values, radix: int) -> npt.NDArray[np.int64]:
    twice = 2 * np.arange(radix)
    folded = twice // radix + twice % radix
    total = np.zeros(len(values), np.int64)
    for place, column in enumerate(values.T[::-1]):
        total += folded[column] if place % 2 == 0 else column
    return -total % radix


def _dihedral() -> npt.NDArray[np.int64]:
    """How the symmetries of a pentagon follow one another: the multiplication of Verhoeff's scheme."""
    left, other = np.meshgrid(np.arange(10), np.arange(10), indexing="ij")
    turned = np.where(left < 5, left + other, left - other) % 5
    return np.asarray(turned + 5 * ((left < 5) != (other < 5)))


_PRODUCT = _dihedral()
_INVERSE = _PRODUCT.argmin(axis=1)
_PERMUTED = [np.arange(10)]
for _ in range(7):
    _PERMUTED.append(np.array([1, 5, 7, 6, 2, 8, 3, 0, 9, 4])[_PERMUTED[-1]])


def _verhoeff(values: Values, _: int) -> npt.NDArray[np.int64]:
    check = np.zeros(len(values), np.int64)
    for place, column in enumerate(values.T[::-1], start=1):
        check = _PRODUCT[check, _PERMUTED[place % 8][column]]
    return np.asarray(_INVERSE[check])


def _mod11_10(values: Values, _: int) -> npt.NDArray[np.int64]:
    """ISO 7064, MOD 11,10."""
    check = np.full(len(values), 5)
    for column in values.T:
        check = (np.where(check == 0, 10, check) * 2 % 11 + column) % 10
    return np.asarray((1 - np.where(check == 0, 10, check) * 2 % 11) % 10)


def _mod97(values: Values, _: int) -> npt.NDArray[np.int64]:
    """ISO 7064, MOD 97-10; a letter stands for two digits, from 10 to 35. The right ones are 02 to 98."""
    rest = np.zeros(len(values), np.int64)
    for column in values.T:
        rest = (rest * np.where(column > 9, 100, 10) + column) % 97
    return 96 - rest * 100 % 97


def _dni(values: Values, _: int) -> npt.NDArray[np.int64]:
    rest = np.zeros(len(values), np.int64)
    for column in values.T:
        rest = (rest * 10 + column) % 23
    return rest


def _nit(values: Values, _: int) -> npt.NDArray[np.int64]:
    weights = np.array([3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71])
    reach = min(values.shape[1], len(weights))
    rest = (values[:, ::-1][:, :reach] * weights[:reach]).sum(axis=1) % 11
    return np.asarray(np.where(rest < 2, rest, 11 - rest))


CHECKS: dict[Checksum | None, CheckDigits] = {
    Checksum.LUHN: CheckDigits(_luhn, before="", symbols=""),
    Checksum.VERHOEFF: CheckDigits(_verhoeff, size=10),
    Checksum.MOD11_10: CheckDigits(_mod11_10, size=10),
    Checksum.MOD97: CheckDigits(_mod97, size=97, width=2, before=DIGITS + UPPER, first=2),
    Checksum.DNI: CheckDigits(_dni, size=23, symbols=DNI),
    Checksum.NIT: CheckDigits(_nit, size=10),
}
