"""How columns of text files write their values: read as plain texts, and written again."""

import re
from collections.abc import Collection

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.values.date_form import DATE_ORDERS, DateForm
from celosia.values.number_form import NumberForm
from celosia.values.value_form import TruthForm, ValueForm

__all__ = [
    "DATE_ORDERS",
    "DateForm",
    "NumberForm",
    "TruthForm",
    "ValueForm",
    "parse_form",
    "read_exactly",
    "write_texts",
]


_AS_IT_IS = "\u2060"
"""An invisible mark that no file has at the end of its texts."""


def parse_form(text: str) -> ValueForm:
    """The form that a text describes: a number as it is written, a format of dates, or two words.

    >>> parse_form("1.234,5 €")
    NumberForm(decimal=',', thousands='.', prefix='', suffix=' €')
    >>> parse_form("%d/%m/%Y").order, parse_form("sí/no").true
    ('dmy', 'sí')
    """
    if re.match("%-?[dmYy]", text):
        form = DateForm(text)
        assert form.mark  # raises if it is no format
        return form
    number = re.fullmatch(r"(\D*)1(\D?)234(\D)5(\D*)", text)
    if number is not None:
        return NumberForm(number[3], number[2], number[1], number[4])
    true, mark, false = text.partition("/")
    if not (true and mark and false):
        raise TableError(
            say("{form!r} is not how values are written", form=text),
            remedy=say("write a number as in 1.234,5, a date as in %d/%m/%Y, or two words as in yes/no"),
        )
    return TruthForm(true, false)


def read_exactly(form: ValueForm, texts: pl.Series, *, kept: Collection[str] = ()) -> pl.Series:
    """Texts and labels as plain ones, where writing them again gives the same; others, and ``kept``, stay as they are.

    What a reader can tell apart in the file is still told apart: a text that is plain in a file that writes otherwise
    gets an invisible mark.

    >>> read_exactly(NumberForm(",", "."), pl.Series(["1.234,5", "1234,5", "[1.000-2.000]"])).to_list()
    ['1234.5', '1234,5', '[1000-2000]']
    """
    distinct = texts.alias("text").drop_nulls().unique().to_frame()
    if kept:
        distinct = distinct.filter(~pl.col("text").is_in(list(kept)))
    text = pl.col("text")
    read = distinct.with_columns(form.read(text).alias("plain"), form.matches(text).alias("is"))
    is_exact = pl.col("is") & (form.write(pl.col("plain")) == text)
    values = read.with_columns(is_exact.alias("is_exact"))
    known = values.filter("is_exact")
    others = values.filter(~pl.col("is_exact")).get_column("text")
    labels = _read_labels(form, others)
    old = pl.concat([known.get_column("text"), others])
    new = pl.concat([known.get_column("plain"), labels])
    return texts.replace(old, new) if len(old) else texts


def _read_labels(form: ValueForm, labels: pl.Series) -> pl.Series:
    """Labels with plain values; a text that would be written in another way must not look like one that was."""
    plain = pl.Series("plain", [form.read_label(label) for label in labels], dtype=pl.String)
    is_exact = write_texts(form, plain) == labels
    is_kept = write_texts(form, labels) == labels
    return plain.zip_with(is_exact, labels.zip_with(is_kept, labels + _AS_IT_IS)).alias("plain")


def write_texts(form: ValueForm, texts: pl.Series) -> pl.Series:
    """Plain texts of values and labels as a file writes them.

    >>> write_texts(DateForm("%d/%m/%Y"), pl.Series(["1972-05-15", "[1972-05-01 - 1972-05-31]", None])).to_list()
    ['15/05/1972', '[01/05/1972 - 31/05/1972]', None]
    """
    frame, text = texts.alias("text").to_frame(), pl.col("text")
    found = frame.select(form.write(text)).to_series()
    others = frame.filter(~form.is_plain(text)).get_column("text").unique()
    labels = {label: form.write_label(label) for label in others}
    changed = {label: written for label, written in labels.items() if written != label}
    return (found.replace(changed) if changed else found).alias(texts.name)
