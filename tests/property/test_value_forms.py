"""Forms of numbers and dates against plain Python: what is read is the value, and is written again as it was."""

from datetime import date, datetime
from decimal import Decimal

import polars as pl
from hypothesis import example, given
from hypothesis import strategies as st

from celosia.values.forms import DateForm, NumberForm, parse_form, read_exactly, write_texts

DECIMALS = st.decimals(min_value=-(10**9), max_value=10**9, places=3)
MARKS = st.sampled_from([(",", ""), (",", "."), (".", ","), (",", " "), (".", "'"), (",", "\u202f")])
UNITS = st.sampled_from([("", ""), ("", " €"), ("$", ""), ("", "%"), ("EUR ", "")])
FORMATS = st.sampled_from(["%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d.%m.%Y", "%-d/%-m/%Y", "%d-%m-%y"])
DAYS = st.dates(date(1930, 1, 1), date(2029, 12, 31))


def spelt(value: Decimal, form: NumberForm) -> str:
    """A number as Python groups it, with other marks."""
    text = f"{abs(value):,}" if form.thousands else str(abs(value))
    marks = str.maketrans({",": form.thousands, ".": form.decimal})
    return f"{'-' if value < 0 else ''}{form.prefix}{text.translate(marks)}{form.suffix}"


@given(st.lists(DECIMALS, min_size=1), MARKS, UNITS)
def test_numbers_are_read_to_their_value_and_written_as_they_were(values, marks, units):
    form = NumberForm(*marks, *units)
    texts = pl.Series([spelt(value, form) for value in values])
    plain = read_exactly(form, texts)
    assert [Decimal(text) for text in plain] == values
    assert write_texts(form, plain).to_list() == texts.to_list()
    known = texts.to_frame("x").select(form.read_known(pl.col("x"), ())).to_series()
    assert known.to_list() == plain.to_list()


@given(st.lists(DAYS, min_size=1), FORMATS)
def test_dates_are_read_to_their_day_and_written_as_they_were(days, format):
    form = DateForm(format)
    texts = pl.Series([day.strftime(format) for day in days])
    plain = read_exactly(form, texts)
    assert plain.to_list() == [day.isoformat() for day in days]
    assert write_texts(form, plain).to_list() == texts.to_list()


@given(st.datetimes(datetime(1950, 1, 1), datetime(2020, 1, 1)))
def test_times_follow_their_dates(moment):
    form = DateForm("%d/%m/%Y %H:%M")
    text = moment.strftime("%d/%m/%Y %H:%M:%S")
    assert read_exactly(form, pl.Series([text])).to_list() == [moment.strftime("%Y-%m-%dT%H:%M:%S")]
    assert write_texts(form, pl.Series([moment.strftime("%Y-%m-%dT%H:%M:%S")])).to_list() == [text]


@given(DECIMALS, DECIMALS, MARKS)
def test_ranges_of_numbers_are_read_again(low, high, marks):
    form = NumberForm(*marks)
    for label in (f"[{low} - {high}]", f"[{low}, {high}[", f"{{{low}, {high}}}", f">= {low}", "*"):
        assert form.read_label(form.write_label(label)) == label


@given(DAYS, DAYS, FORMATS)
def test_ranges_of_dates_are_read_again(low, high, format):
    form = DateForm(format)
    for label in (f"[{low} - {high}]", f"{low:%Y-%m}", f"{low:%Y}", f"{low:%Y}-Q1", "1970s", "*"):
        assert form.read_label(form.write_label(label)) == label


@given(st.lists(st.text("0123459.,-/[] €", max_size=11)), MARKS, FORMATS)
@example(["1,5", "1.5"], (",", ""), "%d/%m/%Y")
@example(["1972-05-15", "15/05/1972", "[05/1972]", "[1972-05]"], (",", "."), "%d/%m/%Y")
def test_no_two_texts_become_one(texts, marks, format):
    distinct = pl.Series(texts, dtype=pl.String).unique()
    for form in (NumberForm(*marks), DateForm(format)):
        assert read_exactly(form, distinct).n_unique() == len(distinct)


@given(MARKS, UNITS, FORMATS)
def test_a_form_is_made_again_of_its_text(marks, units, format):
    for form in (NumberForm(*marks, *units), DateForm(format)):
        assert parse_form(form.text) == form
