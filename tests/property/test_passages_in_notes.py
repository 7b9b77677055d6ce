"""Passages found in generated notes, whose places are known; redacted notes, looked at by other code."""

import re

import phonenumbers
import polars as pl
import pytest
from clinical_notes import make_notes, score_notes
from hypothesis import given
from hypothesis import strategies as st
from mask_subjects import masked

from celosia.mask.registry import make_operation
from celosia.profile.passages import find_passages, replace_passages
from celosia.profile.passages.kinds import PassageKind
from celosia.profile.passages.numbers import COUNTRIES, kind_of_number

NUMBERS = ("email", "device", "phone", "identity", "account", "date", "record")


@pytest.mark.parametrize("language", ["es", "en"])
def test_numbers_and_addresses_are_found_wherever_they_stand(language):
    scores = score_notes(make_notes(1500, language=language))
    assert {
        kind: scores[PassageKind(kind)].recall for kind in NUMBERS if scores[PassageKind(kind)].recall < 0.995
    } == {}
    assert {
        kind: scores[PassageKind(kind)].precision
        for kind in NUMBERS
        if scores[PassageKind(kind)].precision < 0.99
    } == {}


@pytest.mark.parametrize("language", ["es", "en"])
def test_most_names_are_found_though_half_of_the_surnames_exist_nowhere(language):
    scores = score_notes(make_notes(1500, language=language, seed=11))
    people, places = scores[PassageKind.PERSON], scores[PassageKind.PLACE]
    assert people.recall > 0.75
    assert people.precision > 0.97
    assert places.recall > 0.95


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_redacted_note_holds_no_number_that_was_put_into_it(language):
    notes = make_notes(600, language=language, seed=3)
    redacted = masked("redact", pl.Series("notes", [note.text for note in notes]), batches=(100, 350))
    for note, text in zip(notes, redacted, strict=True):
        for low, high, kind in note.passages:
            if kind.value in NUMBERS:
                assert note.text[low:high] not in text
    assert make_operation("redact").broken(redacted) == 0


@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(0, 99_999), min_size=1, max_size=6),
            st.sampled_from([" ", "-", ".", "/", " - ", ", "]),
            st.sampled_from(["", "tel ", "+", "(", "x"]),
            st.sampled_from(["", ".", " mg", "A", " y más"]),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_the_verification_agrees_with_what_was_redacted_of_any_numbers(drawn):
    texts = [before + sign.join(map(str, numbers)) + after for numbers, sign, before, after in drawn]
    redacted = masked("redact", pl.Series("notes", texts))
    assert make_operation("redact").broken(redacted) == 0


@given(st.lists(st.text(max_size=60), min_size=1, max_size=10))
def test_any_text_comes_back_but_for_its_passages(texts):
    values = pl.Series("notes", texts, dtype=pl.String)
    found = find_passages(values)
    for row, start, end, _, text in found.frame.iter_rows():
        assert texts[row][start:end] == text
    assert replace_passages(values, found, lambda _: "").str.len_chars().to_list() == [
        len(text) - sum(end - start for row, start, end, *_ in found.frame.iter_rows() if row == place)
        for place, text in enumerate(texts)
    ]


@pytest.mark.parametrize("country", COUNTRIES)
def test_telephones_of_every_country_are_known_without_asking_phonenumbers(country):
    for kind in (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE):
        number = phonenumbers.example_number_for_type(country, kind)
        for form in (phonenumbers.PhoneNumberFormat.INTERNATIONAL, phonenumbers.PhoneNumberFormat.NATIONAL):
            text = phonenumbers.format_number(number, form)
            assert kind_of_number(text, (country,)) in (PassageKind.PHONE, PassageKind.IDENTITY), text


@given(st.integers(100_000_000, 999_999_999), st.sampled_from(["ES", "PT", "CL"]))
def test_a_national_number_is_a_telephone_where_phonenumbers_says_so(number, country):
    is_valid = phonenumbers.is_valid_number(phonenumbers.parse(str(number), country))
    kind = kind_of_number(str(number), (country,))
    if is_valid:
        assert kind in (PassageKind.PHONE, PassageKind.IDENTITY)
    else:
        assert kind in (PassageKind.RECORD, PassageKind.IDENTITY)
    assert re.fullmatch("[a-z]+", kind.value)
