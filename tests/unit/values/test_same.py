"""When two values are the same: by canonical form for the sharpest reader, folded for the bluntest."""

import math
import re
import unicodedata
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from celosia.types import ColumnType
from celosia.values.parse import ValueParser, parser_of
from celosia.values.same import as_values, canonical, find_like, fold, fold_keys, fold_people, people_keys

few = settings(max_examples=60, deadline=None)


GROUPED = re.compile(r"\d[.,]\d{3}(?!\d)")


def keys(*values, dtype=None):
    return fold_keys(pl.Series(list(values), dtype=dtype, strict=False)).to_list()


def are_one(*values, dtype=None):
    return len(set(keys(*values, dtype=dtype))) == 1


def are_apart(*values, dtype=None):
    return len(set(keys(*values, dtype=dtype))) == len(values)


# --- numbers, to the bluntest reader
# ---------------------------------------------------------------------------------------

numbers = st.builds(
    lambda digits, scale: Decimal(digits).scaleb(-scale), st.integers(-(10**9), 10**9), st.integers(0, 6)
)


def grouped(number, *, thousands, decimal):
    """A number with its thousands apart, as banks print it."""
    return f"{number:,f}".replace(",", "T").replace(".", decimal).replace("T", thousands)


def spellings(number):
    """Ways to write one number, all of them in use somewhere."""
    plain = f"{number:f}"
    found = [plain, f" {plain}\t", f"{number:e}".upper(), f"{number:e}", f"\u200b{plain}\ufeff"]
    found += [
        plain.translate({ord(str(digit)): chr(0xFF10 + digit) for digit in range(10)})
    ]  # full-width digits
    found += [f"+{plain}", f"00{plain}"] if not plain.startswith("-") else [f"-00{plain[1:]}"]
    if "." in plain:
        found += [plain.replace(".", ","), f"{plain}0", f"{plain.replace('.', ',')}00"]
        found += [grouped(number, thousands=",", decimal="."), grouped(number, thousands=".", decimal=",")]
    else:
        found += [f"{plain}.0", f"{plain}.", f"{plain},00"]
        if abs(number) >= 10**6:  # a single point or comma might part the decimals
            found += [
                grouped(number, thousands=",", decimal="."),
                grouped(number, thousands=".", decimal=","),
            ]
    if plain.lstrip("-").startswith("0."):
        found.append(plain.replace("0.", ".", 1))
    return found


@few
@given(number=numbers)
@example(number=Decimal("1.10"))
@example(number=Decimal("-0.00"))
@example(number=Decimal("1234567.89"))
def test_a_number_is_one_value_in_all_its_spellings(number):
    assert are_one(*spellings(number))


@few
@given(chosen=st.lists(st.tuples(numbers, st.integers(0, 99)), min_size=2, max_size=8), data=st.data())
def test_spellings_are_the_same_value_exactly_if_they_are_the_same_number(chosen, data):
    texts = [data.draw(st.sampled_from(spellings(number))) for number, _ in chosen]
    codes = fold(pl.Series(texts)).codes
    for i, (one, _) in enumerate(chosen):
        for j, (other, _) in enumerate(chosen):
            # A point before three digits is that of thousands to some readers: such a text is two numbers.
            if one == other or not (GROUPED.search(texts[i]) or GROUPED.search(texts[j])):
                assert (codes[i] == codes[j]) == (one == other), (texts[i], texts[j])


@pytest.mark.parametrize(
    "texts",
    [
        ("1.10", "1,1", "1.100", "+1.1", "01.1", "1.1e0", "11E-1", " 1.1 "),
        ("1234.5", "1,234.5", "1.234,5", "1.234,50", "1,234.50"),
        ("1234567", "1,234,567", "1.234.567", "1234567.0", "1,234,567.00", "1.234.567,00"),
        ("0", "-0", "0.0", "-0.00", "+0", "0,0", ".0", "0e5"),
        ("0.5", ".5", "0,5", ",5", "5e-1"),
        ("inf", "Infinity", "+inf", "INF", "1e999"),
    ],
)
def test_usual_spellings_of_a_number(texts):
    assert are_one(*texts)


@pytest.mark.parametrize(
    "pair", [("1.1", "1.2"), ("1.234", "1234"), ("-1", "1"), ("1e1", "1e2"), ("1", "one")]
)
def test_other_numbers_differ(pair):
    assert are_apart(*pair)


@few
@given(value=st.integers(-(10**14), 10**14))
def test_a_number_is_the_same_in_every_type(value):
    text, real = str(value), float(value)
    one = keys(text)[0]
    assert keys(value) == keys(value, dtype=pl.Int128) == keys(real) == keys(f"{text}.00") == [one]
    assert fold_keys(pl.Series([Decimal(value)], dtype=pl.Decimal(38, 2))).to_list() == [one]


def test_more_digits_than_a_spreadsheet_keeps_part_no_numbers():
    assert are_one(10**16, 10**16 + 1)
    assert are_one("10000000000000000", "10000000000000001", "1e16")
    assert are_one(2**70, 2**70 + 1, dtype=pl.Int128)
    assert are_one("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345679")
    assert are_apart(10**14, 10**14 + 1)
    assert are_apart("0.123456789012345", "0.123456789012346")


@few
@given(value=st.floats(allow_nan=False, allow_infinity=False))
@example(value=1e300)
@example(value=5e-324)
def test_a_real_number_is_what_its_text_is(value):
    assert keys(value) == keys(repr(value))


def test_zeros_are_one_and_what_is_no_number_is_missing():
    assert are_one(0.0, -0.0)
    assert keys(float("nan"), None, 1.0)[:2] == [None, None]
    assert keys("NaN", "-nan", "1.0")[:2] == [None, None]


# --- texts, to the bluntest reader
# -----------------------------------------------------------------------------------------

# None of their words is a number, a date, or a mark of a missing value.
LETTERS = "abéüçøßkx"
words = st.lists(st.text(LETTERS, min_size=2, max_size=4), min_size=1, max_size=3).map(" ".join)
BLANKS = [" ", "\t", "\n", "\r\n", "\u00a0", "\u2009", "\u3000", "  "]
INVISIBLE = [
    *("\u200b", "\u200c", "\u200d", "\u200e", "\u202a", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u061c"),
    *("\u115f", "\u1160", "\u17b4", "\u180e", "\u3164", "\ufe0f", "\uffa0", "\x00", "\x7f"),
]


@st.composite
def disguised(draw, text):
    """The same to whoever looks at it: other cases, blanks and compositions, and characters that nobody sees."""
    if draw(st.booleans()):
        text = unicodedata.normalize("NFD", text)
    shown = []
    hidden = st.lists(st.sampled_from(INVISIBLE), max_size=2).map("".join)
    for letter in text:
        if letter == " ":
            shown += [
                draw(hidden),
                draw(st.sampled_from(BLANKS)),
                draw(hidden),
                draw(st.sampled_from(["", " "])),
            ]
        else:
            upper = letter.upper() if len(letter.upper()) == 1 else letter
            shown += [draw(hidden), draw(st.sampled_from([letter, upper]))]
    around = st.sampled_from(["", *BLANKS, *INVISIBLE])
    return draw(around) + "".join(shown) + draw(around)


@few
@given(data=st.data(), text=words)
def test_a_text_is_one_value_in_every_disguise(data, text):
    assert are_one(text, data.draw(disguised(text)), data.draw(disguised(text)))


@few
@given(data=st.data(), texts=st.lists(words, min_size=2, max_size=4, unique=True))
def test_other_texts_differ_in_any_disguise(data, texts):
    assert are_apart(*(data.draw(disguised(text)) for text in texts))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("José", "Jose\u0301"),
        ("ﬁn", "fin"),
        ("Å", "Å"),  # the unit and the letter
        ("HIV", "hiv"),
        ("flu", "flu\u200b"),
        ("flu", "\ufeffflu"),
        ("type 2", "type\u00a02"),
        ("type 2", "type \u200b 2"),
        ("type 2", " Type\t\n2"),
        ("é", "e\u200d\u0301"),
        ("é", "e\u034f\u0301"),
        ("葛", "葛\U000e0100"),
        ("a", "a\u180b"),
        ("TRUE", "true"),
        ("straße", "STRASSE"),
        ("ΟΔΟΣ", "οδος"),
    ],
)
def test_what_nobody_sees_parts_no_values(one, other):
    assert are_one(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("José", "Jose"), ("type2", "type 2"), ("flu", "flux"), ("a", "á")]
)
def test_what_anybody_sees_parts_values(one, other):
    assert are_apart(one, other)


# --- missing values
# -------------------------------------------------------------------------------------------------------

PANDAS = [
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"),
    *("N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
]


def test_every_mark_that_pandas_reads_as_missing_is_missing():
    assert keys(*PANDAS) == [None] * len(PANDAS)


@pytest.mark.parametrize(
    "mark", ["?", "-", "--", ".", "..", "*", "n.a.", "N/D", "S/D", "nd", "nil", "NaT", "#NULL!", "\\N"]
)
@pytest.mark.parametrize("shown", ["{}", " {} ", "{}\u200b", "\ufeff{}", "\u00a0{}\t"])
def test_usual_marks_of_a_missing_value_are_missing(mark, shown):
    assert keys(shown.format(mark), shown.format(mark.upper()), shown.format(mark.lower())) == [None] * 3


@pytest.mark.parametrize("blank", ["", " ", "\t", "\u00a0", "\u200b", "\ufeff", "\u3000\u200b\n", "\x00"])
def test_a_text_in_which_there_is_nothing_to_see_is_missing(blank):
    assert keys(blank) == [None]


def test_all_missing_values_are_one_and_named_none():
    found = fold(pl.Series(["N/A", "flu", None, "?", " ", "-"]))
    assert found.codes.tolist() == [0, 1, 0, 0, 0, 0]
    assert found.values == (None, "flu")
    assert found.merged == 4


@pytest.mark.parametrize("text", ["no", "nadal", "0", "false", "nano", "none of these", "-1", "a.", "n", "x"])
def test_values_that_only_resemble_a_mark_are_values(text):
    assert keys(text) != [None]


# --- dates and times
# ------------------------------------------------------------------------------------------------------

moments = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(lambda at: at.replace(microsecond=0))


@few
@given(day=st.dates())
def test_a_day_is_its_midnight(day):
    midnight = datetime.combine(day, time())
    iso = day.isoformat()
    texts = [iso, f"{iso}T00:00", f"{iso} 00:00:00", f"{iso}T00:00:00.000", f" {iso}\u200b"]
    assert len({*keys(day), *keys(midnight), *keys(*texts)}) == 1
    assert are_apart(iso, f"{iso}T00:01")


@few
@given(at=moments, milliseconds=st.integers(0, 999), other=st.integers(0, 999))
def test_times_differ_by_the_millisecond(at, milliseconds, other):
    one = at.replace(microsecond=milliseconds * 1000)
    seen = one.replace(microsecond=milliseconds * 1000 + 999)
    assert are_one(one, seen)
    assert are_one(one.isoformat(), seen.isoformat(sep=" "), f"{at.isoformat()}.{milliseconds:03d}000999")
    assert keys(one) == keys(one.isoformat())
    later = at.replace(microsecond=other * 1000)
    assert are_one(one, later) == (milliseconds == other)


@few
@given(at=st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), hours=st.integers(-11, 11))
def test_a_moment_is_the_same_in_every_zone(at, hours):
    moment = at.replace(microsecond=0, tzinfo=UTC)
    there = moment.astimezone(timezone(timedelta(hours=hours))).isoformat()
    utc = moment.strftime("%Y-%m-%dT%H:%M:%S") if at.year >= 1000 else None
    assert are_one(moment.isoformat(), there, there.replace("T", " "), f"{utc}Z")
    assert keys(there) == fold_keys(pl.Series([moment])).to_list()
    assert are_apart(moment.isoformat(), (moment + timedelta(hours=1)).isoformat())


def test_what_is_no_day_of_the_calendar_is_a_text():
    assert are_apart("2023-02-30", "2023-02-28", "2023-03-01", "2023-03-02")


# --- folded
# ---------------------------------------------------------------------------------------------------------------


@few
@given(
    values=st.lists(
        st.none() | st.sampled_from(["a", "A", "b", "1", "1.0", "?", "2024-05-01", " "]), max_size=8
    )
)
def test_folded_values_are_numbered_as_they_come_and_named_by_their_first(values):
    found = fold(pl.Series(values, dtype=pl.String))
    plain = {"A": "a", "1.0": "1", "?": None, " ": None}
    same = [plain.get(value, value) for value in values]
    order = list(dict.fromkeys(same))
    assert found.codes.tolist() == [order.index(value) for value in same]
    firsts = [None if value is None else values[same.index(value)] for value in order]
    assert list(found.values) == firsts
    assert found.merged == len(values) - len(order)


@pytest.mark.parametrize(
    ("values", "codes"),
    [
        (pl.Series([], dtype=pl.String), []),
        (pl.Series([None, None]), [0, 0]),
        (pl.Series([True, False, None]), [0, 1, 2]),
        (pl.Series([1.5, -0.0, 0.0, float("nan"), None]), [0, 1, 1, 2, 2]),
        (pl.Series(["a", "A"], dtype=pl.Categorical), [0, 0]),
        (pl.Series([Decimal("1.10"), Decimal("1.20")]), [0, 1]),
        (pl.Series([date(2024, 5, 1), None, date(2024, 5, 2)]), [0, 1, 2]),
        (pl.Series([time(10, 30), time(10, 31)]), [0, 1]),
        (pl.Series("^a$", ["x", "X"]), [0, 0]),  # a name that means something to the engine
        (pl.Series("*", [1, 2]), [0, 1]),
    ],
)
def test_values_of_every_type_are_folded(values, codes):
    assert fold(values).codes.tolist() == codes


# --- canonical, for the sharpest reader
# -----------------------------------------------------------------------------------


@few
@given(values=st.lists(st.none() | st.floats(width=64), max_size=10))
@example(values=[0.0, -0.0, float("nan"), None])
def test_real_numbers_have_one_zero_and_one_missing_value(values):
    series = pl.Series(values, dtype=pl.Float64)
    plain = [None if value is None or math.isnan(value) else value + 0.0 for value in values]
    found = as_values(series)
    assert [repr(value) for value in found.to_list()] == [repr(value) for value in plain]


@few
@given(
    texts=st.lists(
        st.text(max_size=5) | st.sampled_from(["a", "A", "a ", "a\u200b", "é", "e\u0301"]), max_size=8
    )
)
def test_texts_that_are_no_numbers_are_the_same_only_if_every_character_is(texts):
    assert as_values(pl.Series(texts, dtype=pl.String)).to_list() == texts
    assert as_values(pl.Series(texts, dtype=pl.String)).n_unique() == len(set(texts))


@few
@given(values=st.lists(st.integers(-(2**120), 2**120), min_size=1, max_size=8))
def test_integers_beyond_64_bits_stay_apart_in_counting(values):
    assert as_values(pl.Series(values, dtype=pl.Int128)).n_unique() == len(set(values))
    texts = pl.Series([str(value) for value in values])
    parser = parser_of(ColumnType.INTEGER, texts.unique())
    assert as_values(texts, parser=parser).to_list() == values


@few
@given(digits=st.lists(st.integers(0, 10**38 - 1), min_size=1, max_size=8), scale=st.integers(0, 38))
def test_decimals_of_38_digits_stay_apart_in_counting(digits, scale):
    texts = [f"{digit:0{scale + 1}d}" for digit in digits]
    texts = [f"{text[:-scale]}.{text[-scale:]}" if scale else text for text in texts]
    values = [Decimal(text) for text in texts]
    decimals = pl.Series(texts).cast(pl.Decimal(38, scale))
    assert as_values(decimals).to_list() == values
    whole = max(len(text.partition(".")[0]) for text in texts)
    if whole + scale <= 38:
        parser = parser_of(ColumnType.REAL, pl.Series(texts).unique())
        assert [Decimal(str(value)) for value in as_values(pl.Series(texts), parser=parser)] == values


def test_spellings_of_a_number_are_one_value_in_counting_where_the_column_is_of_numbers():
    texts = pl.Series(["1.10", "1.1", "1.100", "2", "2.0"])
    assert as_values(texts).n_unique() == 5
    assert as_values(texts, parser=parser_of(ColumnType.REAL, texts)).to_list() == [1.1, 1.1, 1.1, 2.0, 2.0]


@pytest.mark.parametrize(
    ("values", "mark", "expected"),
    [
        (pl.Series(["f", "?", "m"]), "?", ["f", None, "m"]),
        (pl.Series(["f", "?", "m"], dtype=pl.Categorical), "?", ["f", None, "m"]),
        (pl.Series([31, 99]), "99", [31, None]),
        (pl.Series([31.5, 99.0]), "99", [31.5, None]),
        (pl.Series([-9.0, 0.5]), "-9.0", [None, 0.5]),
        (pl.Series([Decimal("99.00"), Decimal("1.50")]), "99", [None, Decimal("1.50")]),
        (pl.Series([date(1900, 1, 1), date(2000, 1, 1)]), "1900-01-01", [None, date(2000, 1, 1)]),
        (
            pl.Series([datetime(1900, 1, 1), datetime(2000, 1, 1)]),
            "1900-01-01T00:00:00",
            [None, datetime(2000, 1, 1)],
        ),
        (pl.Series([True, False]), "false", [True, None]),
    ],
    ids=["text", "category", "integer", "real", "negative", "decimal", "date", "datetime", "boolean"],
)
def test_a_mark_of_a_missing_value_holds_for_columns_of_every_type(values, mark, expected):
    assert as_values(values, missing=("unknown", mark)).to_list() == expected
    assert as_values(values, missing=("unknown",)).to_list() == values.to_list()


def test_marks_are_looked_for_before_a_text_is_read():
    dose = ValueParser(ColumnType.REAL, pl.Float64())
    assert as_values(pl.Series(["1.10", "?", None]), missing=("?",), parser=dose).to_list() == [
        1.1,
        None,
        None,
    ]


def test_the_expression_for_canonical_values_leaves_other_types_as_they_are():
    frame = pl.DataFrame({"n": [1, None], "at": [datetime(2024, 5, 1), None], "b": [True, None]})
    found = frame.select(canonical(pl.col(name), dtype, ("x",)) for name, dtype in frame.schema.items())
    assert found.equals(frame)


# --- what other programs take a text for
# -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "texts",
    [
        ["1.234", "1234"],
        ["1,234", "1234"],
        ["1.234.567,5", "1234567.5"],
        ["1 234", "1234"],
        ["1'234", "1234"],
        ["50%", "0.5"],
        ["5 €", "5"],
        ["$5", "5"],
        ["−5", "-5"],
        ["2024/5/1", "2024-05-01"],
        ["01/05/2024", "2024-05-01"],
        ["05/01/2024", "2024-05-01"],
        ["10:30", "10:30:00"],
        ["T", "true"],
        ["yes", "TRUE", "y", "t"],
        ["no", "False", "N"],
        ["0x1F", "31", "31.0"],
        ["-0x1f", "-31"],
        ["0x1.8p0", "1.5"],
        ["0b101", "5"],
        ["0x" + "f" * 300, "inf"],
    ],
)
def test_what_some_program_reads_as_one_value_is_one(texts):
    assert len(fold(pl.Series(texts)).values) == 1


@pytest.mark.parametrize(
    "texts",
    [
        ("2020-01-01 00:00", "2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00"),  # DuckDB
        ("1:00", "01:00", "01:00:00", "1:00:00.0"),  # DuckDB, spreadsheets
        ("01/02/20", "01/02/2020"),  # spreadsheets
        ("31.12.99", "1999-12-31"),
        ("(5)", "-5"),
        ("1e-320", "0"),
        ("İzmir", "izmir", "ızmır"),  # spreadsheets in Turkey
        ("ΟΔΟΣ", "οδοσ", "οδος"),
    ],
)
def test_what_a_program_of_some_country_reads_as_one_value_is_one(texts):
    assert len(fold(pl.Series(texts)).values) == 1


def test_readings_join_only_values_that_share_one():
    assert fold(pl.Series(["1.234", "1.235", "flu", "F", "2024-01-02", "12"])).merged == 0
    assert fold(pl.Series([1.234, 1234.0, 2.0])).codes.tolist() == [0, 0, 1]


@pytest.mark.parametrize("text", ["0x", "0xg", "0b", "0b12", "0o1", "0x1p", "x1", "0x 1"])
def test_texts_that_only_begin_like_a_number_of_another_base_are_texts(text):
    assert fold(pl.Series([text, "1", "0", "12", "5"])).merged == 0


@pytest.mark.parametrize(
    ("values", "value", "expected"),
    [
        (("01/02/2024", "flu", None), "2024-02-01", [True, False, False]),
        (("01/02/2024", "flu", None), "FLU ", [False, True, False]),
        (("flu", None), "n/a", [False, True]),
        ((1.5, 2.0, None), "1,50", [True, False, False]),
        ((date(2024, 2, 1), date(2024, 1, 2)), "2024-02-01", [True, False]),
        (("2024-02-01", "2024-01-02"), "01/02/2024", [True, True]),
        (("0x1", "2"), "1", [True, False]),
        (("flu",), "gout", [False]),
        ((), "gout", []),
    ],
)
def test_a_value_that_is_named_is_found_in_whatever_some_reader_takes_for_it(values, value, expected):
    assert find_like(values, value).tolist() == expected


def test_a_value_may_join_two_others():
    assert fold(pl.Series(["1.234", "1,234", "1234", "1235"])).codes.tolist() == [0, 0, 0, 1]


# --- people


@pytest.mark.parametrize(
    "spellings",
    [
        ["A1", "a1", "A1 ", " A1", "A1\u200b", "\uff211"],
        ["7", "007", " 7", "+7", "7.0", "7,", 7, 7.0],
        ["1.10", "1,1", 1.1],
        ["12345678901234567", 12345678901234567, Decimal(12345678901234567)],
        ["9007199254740993", "09007199254740993"],
        ["2024-5-1", date(2024, 5, 1), datetime(2024, 5, 1)],
    ],
)
def test_a_person_is_one_however_she_is_spelled(spellings):
    found = {people_keys(pl.Series([one])).item() for one in spellings}
    assert len(found) == 1
    assert None not in found


@pytest.mark.parametrize(
    "people",
    [
        ["12345678901234567", "12345678901234568"],
        [12345678901234567, 12345678901234568],
        ["1" * 40, "1" * 39 + "2"],
        ["12e4", "120000", "12e999", "13e999"],
        ["0.1234567890123456781", "0.1234567890123456782"],
        ["10", "100", "1", "0", "-1"],
        ["p1", "p01", "p10"],
    ],
)
def test_people_whom_every_reader_tells_apart_are_as_many(people):
    assert people_keys(pl.Series(people)).n_unique() == len(people)


@given(st.lists(st.text("aA1e0.,-+ T:Zß\u200b", max_size=8) | st.datetimes().map(str)))
@few
def test_the_key_of_a_key_is_itself(texts):
    found = people_keys(pl.Series(texts, dtype=pl.String))
    assert people_keys(found).to_list() == found.to_list()


def test_marks_of_missing_values_are_nobody():
    assert people_keys(pl.Series(["n/a", "-", "", None])).to_list() == [None] * 4
    assert people_keys(pl.Series([float("nan"), float("inf"), None])).to_list() == [None, "inf", None]


def test_people_are_numbered_by_their_keys():
    found = fold_people(pl.Series(["b", "A", None, "a", "B ", "?"]))
    assert found.codes.tolist() == [0, 1, 2, 1, 0, 2]
    assert found.values == ("b", "a", None)
    assert found.first.tolist() == [0, 1, 2]
