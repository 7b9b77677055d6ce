"""Conditions on rows, as people write them in SQL."""

from datetime import date, datetime
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.errors import ProjectError, TableError
from celosia.mask.row_condition import RowCondition
from celosia.types import ColumnType

PEOPLE = pl.DataFrame(
    {
        "age": [31, 95, None, 7],
        "pay": [900.5, float("nan"), 1200.0, None],
        "city": ["Soria", "Lugo", "Ágreda", None],
        "born": [date(1993, 1, 2), date(1929, 5, 1), None, date(2017, 5, 1)],
        "seen": [datetime(2024, 1, 2, 10), None, datetime(2024, 3, 1), datetime(2023, 12, 31)],
        "paid": [True, False, None, True],
        "rate": [Decimal("1.10"), None, Decimal("0.90"), Decimal("2.00")],
        "my col": ["a", "b", "it's", None],
    }
)
TEXTS = PEOPLE.select(
    pl.col("age", "rate").cast(pl.String),
    pl.col("pay").fill_nan(None).cast(pl.String),
    pl.col("city", "my col"),
    pl.col("born").cast(pl.String),
    pl.col("seen").dt.to_string("%Y-%m-%dT%H:%M:%S"),
    pl.col("paid").cast(pl.String),
)


def picked(text, frame, **further):
    return RowCondition(text).compile(frame.schema, **further)(frame).to_list()


@pytest.mark.parametrize("frame", [PEOPLE, TEXTS], ids=["typed", "texts"])
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("age > 90", [1]),
        ("age > 30 and city in ('Soria', 'Vigo')", [0]),
        ("age not in (31, 7)", [1]),
        ("age between 7 and 31", [0, 3]),
        ("not age > 30", [3]),
        ("age <> 31 or city = 'Soria'", [0, 1, 3]),
        ("city is null", [3]),
        ("age is not null and pay is null", [1, 3]),
        ("pay > 1000", [2]),
        ("pay > 0.5", [0, 2]),
        ("age + 1 = 32", [0]),
        ("rate >= 1.1", [0, 3]),
        ("born < '1993-01-02'", [1]),
        ("born = '1993-01-02'", [0]),
        ("seen >= '2024-01-01'", [0, 2]),
        ("paid = true", [0, 3]),
        ("city like 'S%'", [0]),
        ("lower(city) = 'ágreda'", [2]),
        ("length(city) > 5", [2]),
        ("\"my col\" = 'it''s'", [2]),
        ("coalesce(city, 'none') = 'none'", [3]),
        ("age > 90 -- the very old", [1]),
    ],
)
def test_a_rule_picks_the_same_rows_of_typed_columns_and_of_texts(frame, text, rows):
    assert [row for row, is_picked in enumerate(picked(text, frame)) if is_picked] == rows


def test_a_rule_names_its_columns_once_and_in_order():
    assert RowCondition("b > 1 and \"my col\" = 'x' and a < b").columns == ("b", "my col", "a")


def test_a_text_that_is_no_number_counts_as_missing():
    assert picked("age > 5", pl.DataFrame({"age": ["9", "n/a", " 12 ", "10"]})) == [True, False, True, True]


def test_a_number_between_quotes_is_a_text_of_a_column_of_texts():
    assert picked("zip = '02139'", pl.DataFrame({"zip": ["02139", "2139"]})) == [True, False]


def test_two_columns_of_texts_are_compared_as_what_they_are():
    frame = pl.DataFrame({"a": ["9", "10"], "b": ["10", "9"]})
    assert picked("a > b", frame, type_of=lambda _: ColumnType.INTEGER) == [False, True]
    assert picked("a > b", frame, type_of=lambda _: ColumnType.TEXT) == [True, False]


def test_types_are_not_asked_for_where_the_rule_tells_them():
    def refuse(name):
        raise AssertionError(name)

    assert picked("age > 9 and city = 'x'", pl.DataFrame({"age": ["10"], "city": ["x"]}), type_of=refuse) == [
        True
    ]


def test_categories_are_compared_as_texts():
    frame = pl.DataFrame({"size": ["S", "L"]}, schema={"size": pl.Enum(["S", "L"])})
    assert picked("size < 'M'", frame) == [False, True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("age >", "rule 'age >': it cannot be read"),
        ("", "rule '': it cannot be read"),
        ("age > 1; drop table x", "character 8: ';' is not understood in a rule; a rule is one condition"),
        ("agee > 1", "column 'agee' does not exist; did you mean 'age'?"),
        ("age", "it is a value, not a condition"),
        ("age + 1", "it is a value, not a condition"),
        ("1 = 1", "it looks at no column"),
        ("age > avg(age)", "character 7: 'avg' is not understood in a rule; functions of one row are: abs"),
        ("count(*) > 1", "character 1: 'count' is not understood"),
        ("age > 1 and exists (select 1)", "character 13: 'exists' is not understood"),
        ("row_number() over (order by age) = 1", "'row_number' is not understood"),
        ("frobnicate(age) > 1", "character 1: 'frobnicate' is not understood"),
        ("born < date '1990-01-01'", "character 8: 'date' is not understood in a rule; write dates as texts"),
        ("born < current_date", "'current_date' is not understood"),
        ("age = 'old'", "it does not fit the types of its columns"),
    ],
)
def test_a_mistake_in_a_rule_is_one_sentence_with_its_place(text, message):
    with pytest.raises(ProjectError) as caught:
        RowCondition(text).compile(PEOPLE.schema)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_cast_that_fails_does_not_show_the_value():
    frame = pl.DataFrame({"age": ["31", "Ana"]})
    with pytest.raises(TableError, match="cannot be worked out for every row") as caught:
        picked("cast(age as integer) > 3", frame)
    assert "Ana" not in str(caught.value)


@settings(deadline=None, max_examples=60)
@given(
    rows=st.lists(
        st.tuples(st.none() | st.integers(-5, 5), st.none() | st.sampled_from(["", "a", "ñ", "a b"])),
        max_size=8,
    ),
    limit=st.integers(-5, 5),
    city=st.sampled_from(["", "a", "ñ"]),
)
def test_rules_agree_with_a_plain_loop(rows, limit, city):
    frame = pl.DataFrame(rows, schema={"n": pl.Int64, "city": pl.String}, orient="row")
    expected = [
        (number is not None and number >= limit) or (text is not None and text == city)
        for number, text in rows
    ]
    rule = f"n >= {limit} or city = '{city}'"
    assert picked(rule, frame) == expected
    assert picked(rule, frame.with_columns(pl.col("n").cast(pl.String))) == expected
