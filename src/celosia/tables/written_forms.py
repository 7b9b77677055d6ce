"""Values of a release as the file that it comes from writes them."""

import polars as pl

from celosia.tables.format import Options
from celosia.values.forms import DateForm, NumberForm, ValueForm, parse_form, write_texts
from celosia.values.text import texts_of

__all__ = ["WrittenForms"]


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
        if not self._forms and self._number is None and self._date is None:
            return part
        return pl.DataFrame([self._written(column) for column in part.iter_columns()])

    def _written(self, column: pl.Series) -> pl.Series:
        form = self._forms.get(column.name) or self._default(column.dtype)
        if form is None:
            return column
        if isinstance(column.dtype, pl.Enum):
            numbers = column.alias("").to_physical()
            return write_texts(form, column.dtype.categories).gather(numbers).alias(column.name)
        return write_texts(form, texts_of(column.alias(""), column=column.name)).alias(column.name)

    def _default(self, dtype: pl.DataType) -> ValueForm | None:
        """The form of values that come with a type: a number or a date that the file did not have before."""
        if dtype.is_numeric():
            return self._number
        is_moment = isinstance(dtype, pl.Datetime) and dtype.time_zone is None
        if not isinstance(self._date, DateForm) or not (dtype == pl.Date or is_moment):
            return None
        return self._date
