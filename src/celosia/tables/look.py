"""A look at all texts of a file: what every column holds and how it writes that, decided on all its rows."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

import polars as pl

from celosia.tables.form_candidates import (
    DATE_LIKE,
    NUMBER_LIKE,
    GivenForms,
    date_forms,
    number_forms,
    wider_forms,
)
from celosia.tables.infer import ColumnEvidence, weigh
from celosia.types import ColumnType
from celosia.values.forms import DateForm, ValueForm
from celosia.values.same import MISSING_MARKS

__all__ = ["SURE", "USUAL", "ColumnLook", "look_at"]

SURE_MARKS = ("n/a", "#n/a", "<na>", "nan", "null", "s/d", "n/d", "n.d.", "n.a.")
"""Marks of a missing value that are hardly ever a category."""
SHAPES = {ColumnType.REAL: NUMBER_LIKE, ColumnType.DATE: DATE_LIKE}
_FEW = 3
_LOOKED_AT = 64
_MOST = 0.8


def _spellings(marks: Iterable[str]) -> frozenset[str]:
    return frozenset(text for mark in marks for text in (mark, mark.upper(), mark.title(), mark.capitalize()))


USUAL, SURE = _spellings(MISSING_MARKS), _spellings(SURE_MARKS) | {"NaN"}
"""Texts that usually mark a missing value: in a column of numbers or dates, and in any."""


@dataclass
class ColumnLook:
    """What is known of a column after some of its rows.

    ``plain`` is the evidence on its texts as they are, ``forms`` that on them read in every form that all have had so
    far; None where forms are not looked at, because texts were plain so far. ``refused`` are the texts that a form of
    dates does not have, by its order; ``split`` is one that two forms read differently, ``words`` the first few texts.
    ``seems`` is what most texts look like, as ``example`` does, and ``odd`` one that does not.
    """

    plain: ColumnEvidence = field(default_factory=ColumnEvidence)
    forms: dict[ValueForm, ColumnEvidence] | None = None
    refused: dict[str, str] = field(default_factory=dict)
    marks: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    split: str | None = None
    shortest: int | None = None
    seems: ColumnType | None = None
    example: str | None = None
    odd: str | None = None
    is_late: bool = False

    def weigh(self, texts: pl.Series, given: GivenForms, *, is_eager: bool = False) -> None:
        """Narrow everything down by distinct texts, none of them a mark of a missing value."""
        if not len(texts):
            return
        if len(self.words) < _FEW:
            self.words.update(texts.head(_FEW).to_list())
        was_seen = self.plain.seen
        weigh(self.plain, texts)
        if self.forms is not None:
            self._narrow(texts, given)
        elif is_eager or not self.plain.kinds:
            if was_seen and not is_eager:
                self.is_late = True
                self.forms = {}
            else:
                self._begin(texts, given)

    def _begin(self, texts: pl.Series, given: GivenForms) -> None:
        forms: list[ValueForm] = []
        if self._looks_like(ColumnType.REAL, texts):
            forms += number_forms(str(texts[0]))
        if self._looks_like(ColumnType.DATE, texts):
            forms += date_forms(str(texts[0]))
        self.forms = {form: ColumnEvidence() for form in forms}
        self._narrow(texts, given)

    def _looks_like(self, type: ColumnType, texts: pl.Series) -> bool:
        """Whether all texts have the shape of numbers or dates; if only most of them do, that is noted."""
        shape = SHAPES[type]
        share = texts.head(_LOOKED_AT).str.contains(shape).mean() or 0.0
        if share < _MOST:  # type: ignore[operator]
            return False
        is_alike = texts.str.contains(shape)
        if is_alike.all():
            self.seems, self.example = type, str(texts.min())
            return True
        self.seems, self.example = type, str(texts.filter(is_alike).min())
        self.odd = str(texts.filter(~is_alike).min())
        return False

    def _narrow(self, texts: pl.Series, given: GivenForms) -> None:
        if not self.forms:
            return
        lengths = texts.str.len_bytes().min()
        self.shortest = min(int(lengths), self.shortest or 1 << 30)  # type: ignore[arg-type]
        frame = texts.alias("text").to_frame()
        kept: dict[ValueForm, ColumnEvidence] = {}
        read: list[pl.Series] = []
        for form, evidence in self.forms.items():
            fitting = _fit(form, frame, given)
            if fitting is None:
                continue
            plain = frame.select(fitting.read_known(pl.col("text"), ())).to_series()
            if isinstance(form, DateForm) and not self._are_days(form, plain, texts):
                continue
            weigh(evidence, plain)
            kept[fitting] = evidence
            read.append(plain)
        if not kept:
            self.odd = self._text_without(next(iter(self.forms)), frame)
        self.forms = kept
        for other in read[1:]:
            differ = texts.filter(other != read[0])
            if self.split is None and len(differ):
                self.split = str(differ.min())

    @staticmethod
    def _text_without(form: ValueForm, frame: pl.DataFrame) -> str | None:
        """The first text that is not of a form."""
        others = frame.filter(~form.matches(pl.col("text")))
        return None if others.is_empty() else str(others.get_column("text").min())

    def _are_days(self, form: DateForm, plain: pl.Series, texts: pl.Series) -> bool:
        is_none = plain.str.head(10).str.to_date("%Y-%m-%d", strict=False).is_null()
        if is_none.any():
            self.refused.setdefault(form.order, str(texts.filter(is_none).min()))
            return False
        return True


def _fit(form: ValueForm, frame: pl.DataFrame, given: GivenForms) -> ValueForm | None:
    """The form, or the first wider one, that all texts have."""
    for wider in wider_forms(form):
        if given.allows(wider) and frame.select(wider.matches(pl.col("text")).all()).item():
            return wider
    return None


def look_at(
    batches: Callable[[Collection[str] | None], Iterable[pl.DataFrame]],
    missing: Collection[str],
    given: GivenForms,
    *,
    usual: Collection[str] = USUAL,
    columns: Collection[str] | None = None,
    is_eager: bool = False,
) -> dict[str, ColumnLook]:
    """What the columns of a file hold, from all its rows; ``batches`` reads some columns, or all.

    A column whose first rows are plain and later ones are not is read again. ``usual`` are further texts that may mark
    a missing value: they say nothing of the others, and it is noted where they stand.

    >>> frame = pl.DataFrame({"paid": ["1.234,50", "7,00", "N/A"], "zip": ["007", "010", ""]})
    >>> looks = look_at(lambda names: [frame], ("",), GivenForms())
    >>> [form.text for form in looks["paid"].forms], looks["paid"].marks, looks["zip"].forms
    (['1.234,5'], {'N/A'}, None)
    """
    looks: dict[str, ColumnLook] = {}
    none = pl.Series(list(missing), dtype=pl.String).implode()
    marks = pl.Series(sorted(set(usual).difference(missing)), dtype=pl.String).implode()
    for batch in batches(columns):
        for column in batch.iter_columns():
            look = looks.setdefault(column.name, ColumnLook())
            # Without its name: Series would take one like '^a$' or '*' for a pattern.
            texts = column.alias("").unique().drop_nulls()
            texts = texts.filter(~texts.is_in(none))
            is_mark = texts.is_in(marks)
            if is_mark.any():
                look.marks.update(texts.filter(is_mark).to_list())
                texts = texts.filter(~is_mark)
            look.weigh(texts, given, is_eager=is_eager)
    late = [name for name, look in looks.items() if look.is_late]
    if late:
        looks |= look_at(batches, missing, given, usual=usual, columns=late, is_eager=True)
    return looks
