"""Ids that keep their shape: separators, case, leading zeros, checksums, and the way back."""

import re
from types import ModuleType

import polars as pl
import pytest
import stdnum.luhn
import stdnum.verhoeff
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum.co import nit
from stdnum.es import dni
from stdnum.iso7064 import mod_11_10, mod_97_10

from celosia.errors import ProjectError, TableError
from celosia.mask import ColumnFacts, OperationSubject, make_operation, mask_table
from celosia.mask.ff1 import FF1
from celosia.mask.keys import Keys, KeySource, SecretKey, new_key
from celosia.mask.reverse import Reverse
from celosia.tables import open_table

SECRET = bytes.fromhex("00112233445566778899aabbccddeefffedcba98765432100f1e2d3c4b5a6978")
KEY = SecretKey(SECRET)
NONE = pl.DataFrame()


class FixedKeys(Keys):
    def current(self, name=None):
        return KEY


def apply(values, **parameters):
    series = values if isinstance(values, pl.Series) else pl.Series("id", values, dtype=pl.String)
    subject = OperationSubject("id", series.dtype, FixedKeys(), seed=1)
    return make_operation("preserve-format", **parameters).start(subject)(series, NONE)


def undo(values, **parameters):
    return make_operation("preserve-format", **parameters).reverse([KEY])(values)


def shape_of(text: str) -> str:
    return re.sub(r"[0-9]", "9", re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", text)))


def test_it_is_ff1_of_the_digits():
    cipher = FF1(KEY.derive("preserve-format", 32), radix=10, tweak=b"clinic")
    digits = cipher.encrypt(pl.Series([list(range(10))]).list.to_array(10).to_numpy())
    assert apply(["0123-456.789"], domain="clinic")[0].replace("-", "").replace(".", "") == "".join(
        map(str, digits[0])
    )


def test_separators_and_lengths_stay():
    values = ["4111-1111-1111-1111", "4111 1111 1111 1111", "000.000-1", "12345678", None, "00000000"]
    found = apply(values)
    assert [text and shape_of(text) for text in found] == [text and shape_of(text) for text in values]
    assert undo(found).to_list() == values
    assert not set(found.drop_nulls()) & set(values)


def test_the_same_digits_are_encrypted_alike_whatever_separates_them():
    first, second = apply(["4111-1111-1111-1111", "4111111111111111"])
    assert first.replace("-", "") == second


def test_letters_keep_their_case():
    values = ["McDonald", "de la Luna", "ABCDEF"]
    found = apply(values, alphabet="letters")
    assert [shape_of(text) for text in found] == [shape_of(text) for text in values]
    assert undo(found, alphabet="letters").to_list() == values


def test_a_domain_that_differs_gives_other_numbers():
    assert apply(["12345678"])[0] != apply(["12345678"], domain="research")[0]


def test_integers_become_text_and_are_one_with_their_text():
    found = apply(pl.Series("id", [12345678, None, 12345678]))
    assert found.dtype == pl.String
    assert found.to_list() == apply(["12345678", None, "12345678"]).to_list()


def test_what_is_kept_stays_in_clear_and_may_be_of_another_alphabet():
    found = apply(["ES12-3456-789012X"], keep_first=4, keep_last=1)[0]
    assert re.fullmatch(r"ES12-\d{4}-\d{6}X", found)
    assert found != "ES12-3456-789012X"
    assert undo(pl.Series([found]), keep_first=4, keep_last=1)[0] == "ES12-3456-789012X"


def test_a_text_is_an_alphabet_of_its_own():
    found = apply(["ñandú-añil"], alphabet="abcdefghijklmnñopqrstuvwxyzáéíóú")[0]
    assert len(found) == 10
    assert found[5] == "-"
    assert undo(pl.Series([found]), alphabet="abcdefghijklmnñopqrstuvwxyzáéíóú")[0] == "ñandú-añil"


alphabets = st.sampled_from(["digits", "letters", "alphanumeric", "01", "abcdefñ"])


@st.composite
def columns(draw: st.DrawFn) -> tuple[dict[str, object], list[str | None]]:
    alphabet = draw(alphabets)
    named = {
        "digits": "0123456789",
        "letters": "abcXYZ",
        "alphanumeric": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    }
    letters = draw(st.sampled_from(["", " ", "-./"])) + named.get(alphabet, alphabet)
    first, last = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    texts = draw(st.lists(st.none() | st.text(letters, max_size=45), max_size=8))
    return {"alphabet": alphabet, "keep_first": first, "keep_last": last, "unfit": "suppress"}, texts


@settings(max_examples=80, deadline=None)
@given(columns())
def test_whatever_can_be_encrypted_comes_back(column):
    parameters, texts = column
    found = apply(texts, **parameters)
    back = undo(found, **parameters)
    assert [text for text in back if text is not None] == [
        text for text, sealed in zip(texts, found, strict=True) if sealed is not None
    ]
    assert make_operation("preserve-format", **parameters).broken(found.drop_nulls()) == 0


# Checksums, with the algorithms of python-stdnum as judges

CHECKS: dict[str, ModuleType] = {
    "luhn": stdnum.luhn,
    "verhoeff": stdnum.verhoeff,
    "mod11-10": mod_11_10,
    "mod97": mod_97_10,
    "dni": dni,
    "nit": nit,
}


def check_of(kind: str, body: str) -> str:
    judge = CHECKS[kind]
    return judge.calc_check_digits(body) if kind == "mod97" else judge.calc_check_digit(body)


@pytest.mark.parametrize("kind", CHECKS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_valid_numbers_become_valid_and_invalid_ones_stay_invalid(kind, data):
    length = st.just(8) if kind == "dni" else st.integers(7, 15)
    sizes = data.draw(st.lists(length, min_size=1, max_size=4))
    bodies = [data.draw(st.text("0123456789", min_size=size, max_size=size)) for size in sizes]
    valid = [body + check_of(kind, body) for body in bodies]
    found = apply(valid, checksum=kind)
    assert all(CHECKS[kind].is_valid(text) for text in found)
    assert undo(found, checksum=kind).to_list() == valid
    end = 2 if kind == "mod97" else 1
    symbols = {"mod97": [f"{number:02d}" for number in range(2, 99)], "dni": list("TRWAGMYFPDXBNJZSQVHLCKE")}
    others = symbols.get(kind, list("0123456789"))
    wrong = [
        text[:-end] + data.draw(st.sampled_from([each for each in others if each != text[-end:]]))
        for text in valid
    ]
    sealed = apply(wrong, checksum=kind)
    assert not any(CHECKS[kind].is_valid(text) for text in [*wrong, *sealed])
    assert undo(sealed, checksum=kind).to_list() == wrong


def test_a_checksum_holds_over_separators_and_what_is_kept():
    found = apply(["4111-1111-1111-1111"], checksum="luhn", keep_first=6, keep_last=3)[0]
    assert re.fullmatch(r"4111-11\d\d-\d{4}-111\d", found)
    assert stdnum.luhn.is_valid(found.replace("-", ""))


def test_letters_count_in_mod_97():
    text = "A1B2C3D4E5"
    found = apply([text + mod_97_10.calc_check_digits(text)], alphabet="alphanumeric", checksum="mod97")[0]
    assert mod_97_10.is_valid(found)


def test_luhn_works_over_other_alphabets():
    symbols = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    text = "K2J9X" + stdnum.luhn.calc_check_digit("K2J9X", symbols)
    found = apply([text], alphabet="alphanumeric", checksum="luhn")[0]
    assert stdnum.luhn.is_valid(found, symbols)
    assert found != text


# What cannot be encrypted


@pytest.mark.parametrize(
    ("value", "parameters"),
    [
        ("12345", {}),
        ("1-2-3-4-5", {}),
        ("12345678Z", {}),
        ("١٢٣٤٥٦٧٨", {}),
        ("", {}),
        ("1" * 10_001, {}),
        ("123456", {"checksum": "luhn"}),
        ("1234567", {"keep_last": 2}),
        ("ab12cd", {"alphabet": "alphanumeric"}),
        ("12345678X", {"checksum": "luhn"}),
        ("1234567800", {"checksum": "mod97"}),
    ],
)
def test_values_that_do_not_fit_are_counted_and_not_shown_or_suppressed(value, parameters):
    with pytest.raises(TableError) as raised:
        apply(["87654321012", value, value], **parameters)
    assert "different values of column 'id' cannot be encrypted in their format" in str(raised.value)
    assert not value or value not in str(raised.value)
    assert apply([value], unfit="suppress", **parameters).to_list() == [None]


@pytest.mark.parametrize(
    ("parameters", "what"),
    [
        ({"alphabet": "0"}, "an alphabet is"),
        ({"alphabet": "0110"}, "an alphabet is"),
        ({"alphabet": "01-"}, "an alphabet is"),
        ({"alphabet": "letters", "checksum": "verhoeff"}, "not for numbers with that alphabet"),
        ({"keep_first": -1}, "greater"),
        ({"checksum": "crc"}, "luhn"),
    ],
)
def test_parameters_that_contradict_themselves_are_refused(parameters, what):
    with pytest.raises(ProjectError, match=what):
        make_operation("preserve-format", **parameters)


def test_released_values_that_have_another_format_are_counted():
    operation = make_operation("preserve-format", keep_first=2)
    assert operation.broken(pl.Series(["ES123-456", "ES12345", "ES123456Z"])) == 2


def test_a_release_is_taken_from_the_previous_key_to_the_current_one(monkeypatch):
    monkeypatch.setenv("OLD_KEY", SECRET.hex())
    monkeypatch.setenv("NEW_KEY", new_key())
    both = Keys({"default": KeySource(environment="NEW_KEY", previous=(KeySource(environment="OLD_KEY"),))})
    operation = make_operation("preserve-format", checksum="luhn")
    cards = ["4111-1111-1111-1111", None]
    table = open_table(pl.DataFrame({"id": apply(cards, checksum="luhn")}))
    rotated = mask_table(table, {"id": [Reverse(operation=operation, rotates=True), operation]}, keys=both)
    found = pl.concat(rotated.scan()).get_column("id")
    assert operation.reverse([both.current()])(found).to_list() == cards
    alone = Keys({"default": KeySource(environment="NEW_KEY")})
    with pytest.raises(ProjectError, match="no previous key"):
        list(mask_table(table, {"id": [Reverse(operation=operation, rotates=True)]}, keys=alone).scan())


def test_it_warns_where_a_value_can_be_told_by_how_common_it_is():
    assert make_operation("preserve-format").weaknesses(ColumnFacts(rows=1000, distinct=10, largest=900))
    assert (
        make_operation("preserve-format").weaknesses(ColumnFacts(rows=1000, distinct=1000, largest=1)) == ()
    )
