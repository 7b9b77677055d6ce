"""How a column of a text file writes its values: 1.234,50 €, 31/12/1999, sí.

Within the house a value has one plain text: a point before decimals, no thousands, dates as ISO writes them, true and
false. A form turns the texts of a file into plain ones when they are read, and plain ones, also those that a recoding
made, into the file's own when they are written. :meth:`ValueForm.write` undoes :meth:`ValueForm.read`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from celosia.types import ColumnType

__all__ = ["TruthForm", "ValueForm"]


class ValueForm:
    """How a column writes its values."""

    type: ClassVar[ColumnType]

    @property
    def text(self) -> str:
        """The form as a text, from which :func:`parse_form` makes it again."""
        raise NotImplementedError

    def read(self, text: pl.Expr) -> pl.Expr:
        """Texts of the file as plain ones; what is not of this form stays as it is."""
        raise NotImplementedError

    def read_known(self, text: pl.Expr, others: Collection[str]) -> pl.Expr:
        """The same, quicker, where all texts but for ``others``, which stay as they are, are of this form."""
        marks = [mark for mark in others if self._is_changed(mark)]
        read = self._read_all(text)
        return pl.when(text.is_in(marks)).then(text).otherwise(read) if marks else read

    def _read_all(self, text: pl.Expr) -> pl.Expr:
        return self.read(text)

    def _is_changed(self, mark: str) -> bool:
        return bool(pl.DataFrame({"mark": [mark]}).select(self._read_all(pl.col("mark"))).item() != mark)

    def write(self, plain: pl.Expr) -> pl.Expr:
        """Plain texts as the file writes them; what is no plain text of a value stays as it is."""
        raise NotImplementedError

    def matches(self, text: pl.Expr) -> pl.Expr:
        """Whether texts of a file are of this form."""
        raise NotImplementedError

    def is_plain(self, text: pl.Expr) -> pl.Expr:
        """Whether texts are plain ones of values."""
        raise NotImplementedError

    def read_label(self, label: str) -> str:
        """The label of several values, such as a range, with plain values in it."""
        return label

    def write_label(self, label: str) -> str:
        """The label of several values with the values in it as the file writes them."""
        return label


@dataclass(frozen=True)
class TruthForm(ValueForm):
    """True and false in words of the file.

    >>> smokes = TruthForm("sí", "no")
    >>> pl.DataFrame({"smokes": ["sí", "no", "?"]}).select(smokes.read(pl.nth(0))).to_series().to_list()
    ['true', 'false', '?']
    """

    type: ClassVar[ColumnType] = ColumnType.BOOLEAN
    true: str
    false: str

    @property
    def text(self) -> str:
        """Both words."""
        return f"{self.true}/{self.false}"

    def matches(self, text: pl.Expr) -> pl.Expr:
        """Whether texts are one of the words."""
        return text.is_in([self.true, self.false])

    def read(self, text: pl.Expr) -> pl.Expr:
        """True and false."""
        return text.replace({self.true: "true", self.false: "false"})

    def write(self, plain: pl.Expr) -> pl.Expr:
        """The words."""
        return plain.replace({"true": self.true, "false": self.false})

    def is_plain(self, text: pl.Expr) -> pl.Expr:
        """Whether texts are true or false."""
        return text.is_in(["true", "false"])
