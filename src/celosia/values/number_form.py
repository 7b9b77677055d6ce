"""Numbers as a column of a text file writes them: 1.234,50 €."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import polars as pl

from celosia.types import ColumnType
from celosia.values.value_form import ValueForm

__all__ = ["NumberForm"]

_PLAIN = r"^[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?$"
_MOST_GROUPS = 12


@dataclass(frozen=True)
class NumberForm(ValueForm):
    """Numbers with a mark before the decimals, perhaps one between thousands, and a unit before or after.

    >>> paid = NumberForm(",", ".", suffix=" €")
    >>> pl.DataFrame({"paid": ["-1.234,50 €", "7 €"]}).select(paid.read(pl.nth(0))).to_series().to_list()
    ['-1234.50', '7']
    >>> pl.DataFrame({"paid": ["1234567.5", "-999", "*"]}).select(paid.write(pl.nth(0))).to_series().to_list()
    ['1.234.567,5 €', '-999 €', '*']
    >>> paid.write_label("[1000.0, 2500.5["), paid.read_label("[1.000,0; 2.500,5[")
    ('[1.000,0; 2.500,5[', '[1000.0, 2500.5[')
    """

    type: ClassVar[ColumnType] = ColumnType.REAL
    decimal: str = "."
    thousands: str = ""
    prefix: str = ""
    suffix: str = ""

    @property
    def text(self) -> str:
        """As it writes a number."""
        whole = f"1{self.thousands}234" if self.thousands else "1234"
        return f"{self.prefix}{whole}{self.decimal}5{self.suffix}"

    @cached_property
    def _pattern(self) -> str:
        group = f"[0-9]{{1,3}}(?:{re.escape(self.thousands)}[0-9]{{3}})+|" if self.thousands else ""
        number = rf"(?:{group}[0-9]+)(?:{re.escape(self.decimal)}[0-9]+)?(?:[eE][+-]?[0-9]+)?"
        return f"^[+-]?{_escaped(self.prefix)}[+-]?{number}{_escaped(self.suffix)}$"

    def matches(self, text: pl.Expr) -> pl.Expr:
        """Whether texts are numbers of this form."""
        return text.str.contains(self._pattern)

    def read(self, text: pl.Expr) -> pl.Expr:
        """Numbers with a point and nothing else."""
        return pl.when(self.matches(text)).then(self._read_all(text)).otherwise(text)

    def _read_all(self, text: pl.Expr) -> pl.Expr:
        bare = text
        if self.prefix:
            bare = bare.str.replace(self.prefix, "", literal=True)
        if self.suffix:
            bare = bare.str.strip_suffix(self.suffix)
        if self.thousands:
            bare = bare.str.replace_all(self.thousands, "", literal=True)
        if self.decimal != ".":
            bare = bare.str.replace(self.decimal, ".", literal=True)
        return bare

    def write(self, plain: pl.Expr) -> pl.Expr:
        """Numbers as the file has them."""
        number = plain
        if self.decimal != ".":
            number = number.str.replace(".", self.decimal, literal=True)
        for _ in range(_MOST_GROUPS if self.thousands else 0):
            number = number.str.replace(r"^([+-]?[0-9]+)([0-9]{3})", f"${{1}}{self.thousands}${{2}}")
        if self.prefix:
            number = number.str.replace("^([+-]?)", f"${{1}}{self.prefix.replace('$', '$$')}")
        if self.suffix:
            number = number + self.suffix
        return pl.when(self.is_plain(plain)).then(number).otherwise(plain)

    def is_plain(self, text: pl.Expr) -> pl.Expr:
        """Whether texts are numbers with a point."""
        return text.str.contains(_PLAIN)

    def write_label(self, label: str) -> str:
        """Numbers within a label, without their unit; a comma between two would look like one before decimals."""
        if self.decimal == ",":
            label = re.sub(r"(?<=[0-9]), (?=[+-]?[0-9])", "; ", label)
        return re.sub(r"(?<![\w.,*])([0-9]+)(\.[0-9]+)?(?![\w*]|[.,][0-9])", self._written, label)

    def _written(self, found: re.Match[str]) -> str:
        whole = f"{int(found[1]):,}".replace(",", self.thousands) if self._groups(found[1]) else found[1]
        return whole + (found[2] or "").replace(".", self.decimal)

    def _groups(self, digits: str) -> bool:
        return bool(self.thousands) and len(digits) > 3 and digits[0] != "0"

    def read_label(self, label: str) -> str:
        """Plain numbers within a label."""
        group = f"[0-9]{{1,3}}(?:{re.escape(self.thousands)}[0-9]{{3}})+|" if self.thousands else ""
        token = rf"(?<![\w.,*])({group}[0-9]+)(?:{re.escape(self.decimal)}([0-9]+))?(?![\w*]|[.,][0-9])"
        plain = re.sub(token, self._read_token, label)
        return re.sub(r"(?<=[0-9]); (?=[+-]?[0-9])", ", ", plain) if self.decimal == "," else plain

    def _read_token(self, found: re.Match[str]) -> str:
        whole = found[1].replace(self.thousands, "") if self.thousands else found[1]
        return whole if found[2] is None else f"{whole}.{found[2]}"


def _escaped(unit: str) -> str:
    return re.escape(unit).replace("\\ ", " ")
