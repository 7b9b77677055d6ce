"""Dates moved person by person, fakes, columns in another order, and samples of rows."""

import sys
from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mask_subjects import masked, staying, subject_of

from celosia.errors import ProjectError, TableError
from celosia.mask.digests import hmac_of
from celosia.mask.fake_kinds import SHAPED, FakeKind, guess_kind, guess_locale
from celosia.mask.fakes import Fakes, pool
from celosia.mask.operation import ColumnFacts
from celosia.mask.operations import shuffle as shuffling
from celosia.mask.operations.fake import Fake
from celosia.mask.operations.shift_dates import DateOffsets
from celosia.mask.registry import make_operation

# Dates


def shifted(dates, people, **parameters):
    values = pl.Series("seen", dates)
    return masked(
        "shift-dates", values, pl.DataFrame([values, pl.Series("who", people)]), person="who", **parameters
    )


NEW_YEAR = date(2024, 1, 1)
DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))
PEOPLE = st.sampled_from(["Ana", "Eva", "Íñigo", ""])


@settings(deadline=None, max_examples=60)
@given(rows=st.lists(st.tuples(DAYS, PEOPLE), min_size=1, max_size=12), days=st.integers(1, 400))
def test_intervals_of_a_person_stay_and_nobody_keeps_a_date(rows, days):
    moved = shifted([day for day, _ in rows], [who for _, who in rows], days=days).to_list()
    offsets = {}
    for (day, who), after in zip(rows, moved, strict=True):
        offset = (after - day).days
        assert 1 <= abs(offset) <= days
        assert offsets.setdefault(who, offset) == offset


def test_every_form_of_a_date_is_moved_by_the_same_days():
    moved = shifted([date(2024, 2, 28), None], ["Ana", "Ana"])
    offset = moved[0] - date(2024, 2, 28)
    when = datetime(2024, 2, 28, 23, 59, 59, 123456)
    assert shifted([when], ["Ana"]).to_list() == [when + offset]
    there = pl.Series("seen", [when]).dt.replace_time_zone("Europe/Madrid")
    found = masked("shift-dates", there, pl.DataFrame({"who": ["Ana"]}), person="who")
    assert (found - there).to_list() == [offset]
    assert found.dtype == there.dtype
    texts = ["2024-02-28", "2024-02-28T10:30", "2024-02-28 10:30:59.5", "2024-02-28T10:30:00+02:00", None]
    day = str(moved[0])
    expected = [day, f"{day}T10:30", f"{day} 10:30:59.5", f"{day}T10:30:00+02:00", None]
    assert shifted(texts, ["Ana"] * 5).to_list() == expected


def test_a_person_is_known_by_their_text_in_every_table():
    days = [date(2024, 2, 28)] * 2
    assert shifted(days, [7, 8]).to_list() == shifted(days, ["7", "8"]).to_list()


def test_the_person_of_the_project_is_taken_unless_another_is_named():
    values = pl.Series("seen", [date(2024, 2, 28)])
    rows = pl.DataFrame({"patient": ["Ana"]})
    found = masked("shift-dates", values, rows, subject={"person": "patient"})
    assert found.to_list() == shifted(values.to_list(), ["Ana"]).to_list()
    assert make_operation("shift-dates").needs("patient") == ("patient",)
    assert make_operation("shift-dates", person="who").needs("patient") == ("who",)
    with pytest.raises(ProjectError, match="does not know whose dates they are"):
        masked("shift-dates", values, rows)


def test_offsets_are_even_and_never_nothing():
    drawn = DateOffsets(b"a key", 3)(pl.Series([str(number) for number in range(6000)]))
    counts = dict(drawn.value_counts().iter_rows())
    assert set(counts) == {-3, -2, -1, 1, 2, 3}
    assert all(850 < count < 1150 for count in counts.values())


@pytest.mark.parametrize(
    ("days", "message"),
    [
        (["28/02/2024"], "holds 1 values that are no dates"),
        (["2024-02-30", "2024-02-28"], "holds 1 values that are no dates"),
        ([31], "of type Int64, which are no dates"),
        ([date(9999, 12, 31), date(1, 1, 1)], "would leave the calendar"),
        (["9999-12-31", "0001-01-01"], "would leave the calendar"),
    ],
)
def test_what_cannot_be_moved_is_refused(days, message):
    with pytest.raises(TableError, match=message):
        shifted(days, ["Ana"] * len(days), days=36500)


def test_a_date_of_nobody_is_refused():
    with pytest.raises(TableError, match="1 rows have a date in column 'seen' and nobody in column 'who'"):
        shifted([date(2024, 2, 28), None], [None, None])


def test_columns_with_other_days_are_moved_by_offsets_of_their_own():
    people = [str(number) for number in range(50)]
    drawn = {}
    for days in (100, 200):
        offsets = [(day - NEW_YEAR).days for day in shifted([NEW_YEAR] * 50, people, days=days)]
        drawn[days] = [offset + days - (offset > 0) for offset in offsets]  # 0 is never drawn
    same = sum(wide % 200 == narrow for narrow, wide in zip(drawn[100], drawn[200], strict=True))
    assert same < 10


def test_few_offsets_are_a_weakness():
    facts = ColumnFacts(rows=10, distinct=10, largest=1)
    assert "only 14 offsets" in make_operation("shift-dates", days=7).weaknesses(facts)[0]
    assert make_operation("shift-dates").weaknesses(facts) == ()


# Fakes


@pytest.fixture(scope="module")
def fakes():
    return {kind: Fakes(kind, "es_ES", hmac_of(bytes(32))) for kind in FakeKind}


@pytest.mark.parametrize("kind", FakeKind)
def test_a_fake_is_stable_and_never_the_original(fakes, kind):
    fake = fakes[kind].fake("Ana 600")
    assert fake != "Ana 600"
    assert fake == Fakes(kind, "es_ES", hmac_of(bytes(32))).fake("Ana 600")
    if kind not in SHAPED:
        assert fakes[kind].fake(fake) != fake
        assert fakes[kind].fake("ana  600").casefold() == fake.casefold()


def test_fakes_keep_the_form_of_a_name(fakes):
    names = fakes[FakeKind.NAME]
    fake = names.fake("Ana Pérez")
    assert names.fake("ANA PÉREZ") == fake.upper()
    assert names.fake("ana pérez") == fake.lower()
    assert "," in names.fake("Pérez, Ana")
    assert "," not in fake


@pytest.mark.parametrize("kind", sorted(SHAPED))
@pytest.mark.parametrize(
    "original", ["+34 600 111 222", "(0034) 600-11-12-22", "28013", "007", "12345678-Z", "1" * 200]
)
def test_numbers_keep_their_pattern(fakes, kind, original):
    if kind is FakeKind.PHONE:
        original = original.replace("Z", "9")
    fake = fakes[kind].fake(original)
    assert len(fake) == len(original)
    assert fake != original
    for before, after in zip(original, fake, strict=True):
        assert before.isdigit() == after.isdigit()
        assert before.isalpha() == after.isalpha()
        assert before.isalnum() or before == after
    assert original[0] != "+" or fake[:3] == original[:3]
    assert original[0] != "0" or fake[0] == "0"


@pytest.mark.parametrize("kind", sorted(SHAPED))
@pytest.mark.parametrize(
    "original",
    ["call mother Maria", "Jose\u0301 ☎ ²", "0", "+34", "+", "---", "", "Ⅷ", "漢字 😀", "١٢٣", "x1"],
)
def test_what_is_no_number_does_not_leave(fakes, kind, original):
    fake = fakes[kind].fake(original)
    assert fake != original
    assert not set("callmotherMaria") & set(fake) or kind is not FakeKind.PHONE
    assert not any(word in fake for word in ("call", "mother", "Maria", "☎", "😀", "漢"))
    assert Fake(kind=kind).broken(pl.Series([fake])) == 0
    assert any(character.isascii() and character.isalnum() for character in fake)


@pytest.mark.parametrize(
    ("kind", "kept"),
    [("phone", "call Maria"), ("phone", "600 x 1"), ("number", "Ñ-12"), ("postcode", "²8013")],
)
def test_letters_that_no_fake_number_has_are_noticed(kind, kept):
    assert make_operation("fake", kind=kind).broken(pl.Series(["600 111 222", kept])) == 1
    operation = make_operation("fake")
    operation.start(subject_of(pl.Series("phone", ["600 111 222"])))
    assert operation.broken(pl.Series(["600 111 222", "call Maria"])) == 1


def test_one_number_with_other_separators_is_the_same_number(fakes):
    assert fakes[FakeKind.PHONE].fake("600-111-222").replace("-", "") == fakes[FakeKind.PHONE].fake(
        "600111222"
    )


def test_mail_to_a_fake_reaches_nobody():
    found = masked("fake", pl.Series("email", ["ana@clinic.es", None]))
    assert found[0].endswith(("@example.com", "@example.net", "@example.org"))


def test_unique_fakes_never_collide():
    values = pl.Series("city", [f"town {number}" for number in range(3000)])
    assert masked("fake", values).n_unique() < 3000
    assert masked("fake", values, unique=True).n_unique() == 3000
    assert masked("fake", pl.Series("email", ["a@b.es"]), unique=True)[0].count("@") == 1


@pytest.mark.parametrize(
    ("column", "kind", "locale"),
    [
        ("name", "name", "en_US"),
        ("PatientName", "name", "en_US"),
        ("first_name", "first name", "en_US"),
        ("apellido_1", "last name", "es_ES"),
        ("Nombre", "name", "es_ES"),
        ("telefono_movil", "phone", "es_ES"),
        ("e-mail", "email", "en_US"),
        ("domicilio", "address", "es_ES"),
        ("Ciudad", "city", "es_ES"),
        ("DNI", "number", "es_ES"),
        ("zip_code", "postcode", "en_US"),
        ("employer", "company", "en_US"),
        ("amount", None, "en_US"),
    ],
)
def test_the_name_of_a_column_tells_what_to_fake(column, kind, locale):
    assert guess_kind(column) == kind
    assert guess_locale(column) == locale


@pytest.mark.parametrize(
    ("column", "parameters", "message"),
    [
        ("amount", {}, "the name of column 'amount' does not tell what to fake; say it with kind: name"),
        ("name", {"locale": "xx_XX"}, "no fakes of kind 'first name' for the locale 'xx_XX'"),
        ("phone", {"unique": True}, "has no room for a tag"),
        ("phone", {"kind": "phone", "unique": True}, "has no room for a tag"),
        ("name", {"kind": "planet"}, "operation fake, kind"),
    ],
)
def test_what_cannot_be_faked_is_said(column, parameters, message):
    with pytest.raises(ProjectError, match=message):
        masked("fake", pl.Series(column, ["x"]), **parameters)


def test_kinds_can_be_written_with_hyphens():
    assert make_operation("fake", kind="first-name") == make_operation("fake", kind="first name")


# Shuffle


@settings(deadline=None, max_examples=60)
@given(values=st.lists(st.none() | st.integers(0, 5), max_size=20), seed=st.integers(0, 3))
def test_all_values_stay_in_another_order(values, seed):
    found = masked(
        "shuffle", pl.Series("n", values, dtype=pl.Int64), batches=(len(values) // 2,), subject={"seed": seed}
    )
    assert sorted(found.drop_nulls()) == sorted(value for value in values if value is not None)
    assert found.is_null().to_list() == [value is None for value in values]


def test_the_order_depends_on_the_seed_and_on_the_column():
    values = list(range(50))
    orders = [
        masked("shuffle", pl.Series(column, values), subject={"seed": seed}).to_list()
        for column, seed in [("a", 1), ("a", 1), ("a", 2), ("b", 1)]
    ]
    assert orders[0] == orders[1]
    assert orders[0] != values
    assert orders[0] != orders[2]
    assert orders[0] != orders[3]


def test_every_order_of_three_is_as_likely():
    values = pl.Series("n", [1, 2, 3])
    orders = [tuple(masked("shuffle", values, subject={"seed": seed}).to_list()) for seed in range(600)]
    assert {order: orders.count(order) > 60 for order in set(orders)} == dict.fromkeys(set(orders), True)
    assert len(set(orders)) == 6


def test_columns_larger_than_memory_are_shuffled_too(monkeypatch, tmp_path):
    monkeypatch.setattr(shuffling, "FEW_BYTES", 1000)
    monkeypatch.setattr("celosia.tables.shuffle.memory_budget", lambda: 4000)
    values = pl.Series("n", range(2000))
    subject = {
        "values": lambda: (values.slice(start, 300) for start in range(0, 2000, 300)),
        "folder": tmp_path,
    }
    found = masked("shuffle", values, batches=(100, 1500), subject=subject)
    assert sorted(found) == list(range(2000))
    assert found.to_list() != values.to_list()
    assert list(tmp_path.iterdir()) == []


def test_a_column_that_shrank_or_was_changed_before_is_refused():
    values = pl.Series("n", [1, 2, 3])
    with pytest.raises(TableError, match="has fewer values than it had"):
        masked("shuffle", values, subject={"values": lambda: iter([values.head(2)])})
    with pytest.raises(TableError, match="was changed before it is shuffled"):
        masked("shuffle", values, subject={"values": lambda: iter([values.cast(pl.String)])})


# Samples and rows dropped


def test_a_sample_has_about_its_share_and_depends_on_the_seed():
    rows = pl.DataFrame({"n": range(20_000)})
    kept = [staying("sample", rows, share=0.1, seed=seed) for seed in (1, 1, 2)]
    assert kept[0] == kept[1] != kept[2]
    assert all(1800 < sum(one) < 2200 for one in kept)
    assert all(staying("sample", rows, share=1))


def test_rows_of_a_person_stay_together_in_every_table():
    people = [f"p{number % 400}" for number in range(4000)]
    kept = staying("sample", pl.DataFrame({"who": people}), share=0.3, by="who")
    chosen = {who for who, stays in zip(people, kept, strict=True) if stays}
    assert 80 < len(chosen) < 160
    assert all(stays == (who in chosen) for who, stays in zip(people, kept, strict=True))
    other = staying("sample", pl.DataFrame({"visitor": people[::-1]}), share=0.3, by="visitor")
    assert other == kept[::-1]


def test_numbers_and_their_texts_are_the_same_person():
    rows = pl.DataFrame({"who": range(500)})
    as_texts = rows.cast(pl.String)
    assert staying("sample", rows, share=0.5, by="who") == staying("sample", as_texts, share=0.5, by="who")


def test_rows_of_nobody_stay_or_go_by_themselves():
    rows = pl.DataFrame({"who": [None] * 1000}, schema={"who": pl.String})
    assert 400 < sum(staying("sample", rows, share=0.5, by="who")) < 600


def test_a_large_sample_is_a_weakness():
    facts = ColumnFacts(rows=10, distinct=10, largest=1)
    assert "90 %" in make_operation("sample", share=0.9).weaknesses(facts)[0]


def test_rows_that_match_a_rule_go_and_those_that_cannot_be_told_stay():
    rows = pl.DataFrame({"age": ["17", "18", None], "city": ["Soria", "Soria", "Lugo"]})
    assert staying("drop-rows", rows, where="age < 18") == [False, True, True]
    assert staying("drop-rows", rows, where="age < 18 or age is null") == [False, True, False]
    assert make_operation("drop-rows", where="age < 18 and city = 'Soria'").needs() == ("age", "city")


def test_fakes_without_faker_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "faker", None)
    pool.cache_clear()
    with pytest.raises(ProjectError) as caught:
        Fakes(FakeKind.CITY, "es_ES", hmac_of(b"a key"))
    assert str(caught.value) == 'operation fake: Faker is not installed; pip install "celosia[fakes]"'
    # What only changes digits and letters does without.
    assert Fakes(FakeKind.PHONE, "es_ES", hmac_of(b"a key")).fake("600 111 222") != "600 111 222"
