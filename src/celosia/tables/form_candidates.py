"""The forms that the texts of a column may have, told from some of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from celosia.values.forms import DATE_ORDERS, DateForm, NumberForm, ValueForm, parse_form

__all__ = ["DATE_LIKE", "NUMBER_LIKE", "GivenForms", "date_forms", "number_forms", "wider_forms"]

_BLANKS = "  \u202f"
_UNIT = "(?:[€$£¥%]|US[$]|EUR|USD|GBP|CHF|MXN|ARS|CLP|COP|PEN|BRL)"
_MARKS = (".", ",", " ", "\u00a0", "\u202f", "'", "’")
NUMBER_LIKE = (
    rf"^[+-]?(?:{_UNIT}[{_BLANKS}]?)?[+-]?[0-9](?:[0-9.,'’{_BLANKS}]*[0-9])?(?:[eE][+-]?[0-9]+)?"
    rf"(?:[{_BLANKS}]?{_UNIT})?$"
)
DATE_LIKE = (
    r"^[0-9]{1,4}([/.-])[0-9]{1,2}[/.-][0-9]{1,4}(?:[T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)?$"
)


@dataclass(frozen=True)
class GivenForms:
    """What is said of numbers and dates: the mark before decimals, that between thousands, the order of dates."""

    decimal: str | None = None
    thousands: str | None = None
    dates: str | None = None

    def allows(self, form: ValueForm) -> bool:
        """Whether a form is as said."""
        if isinstance(form, NumberForm):
            is_mark = self.decimal in (None, form.decimal)
            return is_mark and (self.thousands is None or form.thousands in ("", self.thousands))
        if isinstance(form, DateForm) and self.dates is not None:
            order = DATE_ORDERS.get(self.dates)
            return form.order == order if order is not None else self._has_format(form)
        return True

    def _has_format(self, form: DateForm) -> bool:
        given = parse_form(self.dates or "")
        assert isinstance(given, DateForm)
        day = form.format.partition(" ")[0].replace("%-", "%")
        return given.format.partition(" ")[0].replace("%-", "%") == day


def number_forms(text: str) -> Iterator[NumberForm]:
    """The forms in which a text may be a number, without a mark between thousands.

    >>> [form.text for form in number_forms("1.234,5 €")]
    ['1234,5 €', '1234.5 €']
    """
    prefix = re.match(rf"[+-]?({_UNIT}[{_BLANKS}]?)", text)
    suffix = re.search(rf"([{_BLANKS}]?{_UNIT})$", text)
    for decimal in (",", "."):
        yield NumberForm(decimal, "", prefix[1] if prefix else "", suffix[1] if suffix else "")


def date_forms(text: str) -> Iterator[DateForm]:
    """The forms in which a text may be a date, with zeros before single digits.

    >>> [form.format for form in date_forms("01/02/2020")]
    ['%d/%m/%Y', '%m/%d/%Y']
    """
    day, _, time = text.replace("T", " ").partition(" ")
    found = re.fullmatch(r"([0-9]+)([/.-])([0-9]+)\2([0-9]+)", day)
    if found is None:
        return
    first, mark, _, last = found.groups()
    if len(first) == 4:
        orders = ["Ymd"]
    elif len(last) == 4:
        orders = ["dmY", "mdY"]
    else:
        orders = ["dmy", "mdy", "ymd"] if len(first) <= 2 and len(last) <= 2 else []
    for order in orders:
        yield DateForm(mark.join(f"%{part}" for part in order) + (" %H:%M" if time else ""))


def wider_forms(form: ValueForm) -> Iterator[ValueForm]:
    """The form itself, and those with single digits for days, months and hours, or with a mark between thousands.

    What has the form is the same value in those.

    >>> [wider.text for wider in wider_forms(DateForm("%d/%m/%Y"))]
    ['%d/%m/%Y', '%-d/%-m/%Y']
    >>> [wider.text for wider in wider_forms(NumberForm(","))][:3]
    ['1234,5', '1.234,5', '1 234,5']
    """
    yield form
    if isinstance(form, NumberForm) and not form.thousands:
        yield from (replace(form, thousands=mark) for mark in _MARKS if mark != form.decimal)
    if isinstance(form, DateForm):
        short = form.format.replace("%d", "%-d").replace("%m", "%-m")
        if form.has_time:
            yield replace(form, format=form.format.replace("%H", "%-H"))
            yield replace(form, format=short)
        yield replace(form, format=short.replace("%H", "%-H"))
