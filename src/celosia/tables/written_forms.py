"""Values of a release as the file that it comes from writes them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from celosia.tables.format import Options
from celosia.tables.joined_reader import read_files
from celosia.types import MISSING_MARKERS, NUMBERS, ColumnType, Schema
from celosia.values.forms import DateForm, NumberForm, ValueForm, parse_form, write_texts
from celosia.values.text import column_type, texts_of

__all__ = [
    "WrittenForms",
    "forms_of",
    "markers_of",
    "opening_arguments",
    "read_with_forms",
    "written_forms",
]


def forms_of(table: Any) -> dict[str, ValueForm]:
    """How the columns of a table that comes from a text file write their values; none where they are plain."""
    return dict(getattr(getattr(table, "options", None), "forms", None) or ())


def markers_of(table: Any) -> tuple[str, ...]:
    """The texts that mean a missing value in a table: those given, and those that a look at its text file found.

    >>> from celosia.tables import open_table
    >>> markers_of(open_table(pl.DataFrame({"dose": ["1.10", "-"]}), missing=("-",)))
    ('-',)
    """
    options = getattr(table, "options", None) or getattr(getattr(table, "reader", None), "options", None)
    return MISSING_MARKERS if options is None else tuple(options.missing)


def opening_arguments(options: Options) -> dict[str, Any]:
    """What :func:`celosia.tables.open_table` needs to read a release again as it was written, as JSON wants it.

    >>> opening_arguments(Options(separator=";", forms=(("age", NumberForm(",")),)))
    {'separator': ';', 'forms': {'age': '1234,5'}}
    """
    told = {"separator": options.separator, "encoding": options.encoding, "header": options.header}
    forms = {name: form.text for name, form in options.forms or ()}
    return {name: value for name, value in told.items() if value is not None} | (
        {"forms": forms} if forms else {}
    )


def read_with_forms(table: Any, forms: Mapping[str, ValueForm]) -> Any:
    """A release in a text file, its labels read in the forms of the table that it was made of.

    What its own columns show is taken first: somebody may have had them written in another way.
    """
    format = getattr(table, "format", None)
    known = {name: form for name, form in forms.items() if name in table.columns()}
    if format is None or not format.keeps_markers or not known:
        return table
    options = replace(table.options, forms=tuple({**known, **forms_of(table)}.items()))
    return replace(table, reader=read_files(table.files, format, options))


def written_forms(options: Options, schema: Callable[[], Schema]) -> tuple[tuple[str, ValueForm], ...]:
    """The forms of all columns of a new file: those given, and those of numbers and dates that have none of their own.

    >>> from celosia.types import Column
    >>> ages = Schema((Column("age", ColumnType.INTEGER), Column("sex", ColumnType.TEXT)))
    >>> [(name, form.text) for name, form in written_forms(Options(decimal=","), lambda: ages)]
    [('age', '1234,5')]
    """
    forms, default = dict(options.forms or ()), WrittenForms(options)
    if default.has_defaults:
        for column in schema():
            form = default.form_of_type(column.type)
            if column.name not in forms and form is not None:
                forms[column.name] = form
    return tuple(forms.items())


class WrittenForms:
    """How the columns of a new file write their values: in the forms given, else by the marks and dates of the file.

    >>> written = WrittenForms(Options(decimal=",", forms=(("age", NumberForm(",")),)))
    >>> ages = pl.Series("age", ["[20.5-37.5]", "41.0"], dtype=pl.Enum(["[20.5-37.5]", "41.0"]))
    >>> written.write(pl.DataFrame({"age": ages, "paid": [2.5, None], "word": ["1.5", "x"]})).rows()
    [('[20,5-37,5]', '2,5', '1.5'), ('41,0', None, 'x')]
    """

    def __init__(self, options: Options) -> None:
        self._forms = dict(options.forms or ())
        decimal, thousands = options.decimal or ".", options.thousands or ""
        self._number = None if decimal == "." else NumberForm(decimal, thousands)
        is_format = options.date_format is not None and "%" in options.date_format
        self._date = parse_form(options.date_format or "") if is_format else None

    def write(self, part: pl.DataFrame) -> pl.DataFrame:
        """Rows with the texts that the file is to hold, where they are not plain."""
        if not self._forms and not self.has_defaults:
            return part
        return pl.DataFrame([self._written(column) for column in part.iter_columns()])

    def _written(self, column: pl.Series) -> pl.Series:
        form = self._forms.get(column.name) or self.form_of_type(column_type(column.dtype))
        if form is None:
            return column
        if isinstance(column.dtype, pl.Enum):
            numbers = column.alias("").to_physical()
            return write_texts(form, column.dtype.categories).gather(numbers).alias(column.name)
        return write_texts(form, texts_of(column.alias(""), column=column.name)).alias(column.name)

    @property
    def has_defaults(self) -> bool:
        """Whether numbers or dates without a form of their own are not plain."""
        return self._number is not None or self._date is not None

    def form_of_type(self, type: ColumnType) -> ValueForm | None:
        """The form of values that come with a type: a number or a date that the file did not have before."""
        if type in NUMBERS:
            return self._number
        if type is ColumnType.DATE:
            return self._date
        if type is ColumnType.DATETIME and isinstance(self._date, DateForm) and not self._date.has_time:
            return DateForm(f"{self._date.format} %H:%M")
        return self._date if type is ColumnType.DATETIME else None
