"""Free text redacted: labels, languages, tags, words of lists and of other columns."""

import polars as pl
import pytest
from mask_subjects import OneKey, masked

from celosia.errors import ProjectError
from celosia.mask.operation import ColumnFacts
from celosia.mask.registry import make_operation

NOTES = pl.Series(
    "notes", ["Llamar a Ana Gil al 612 34 56 78", None, "sin cambios", "Ana Gil y Luis Rey; ana gil@x"]
)


def test_passages_become_their_kind_and_the_rest_stays():
    assert masked("redact", NOTES).to_list()[:3] == ["Llamar a [person] al [phone]", None, "sin cambios"]


def test_labels_are_written_in_the_language_of_the_document():
    assert masked("redact", NOTES, language="es")[0] == "Llamar a [persona] al [teléfono]"


def test_only_the_kinds_that_are_named_are_replaced():
    assert masked("redact", NOTES, kinds=["phone"])[0] == "Llamar a Ana Gil al [phone]"


def test_telephones_are_those_of_the_countries_named():
    text = pl.Series("notes", ["call 55 1234 5678"])
    assert masked("redact", text, countries=["MX"])[0] == "call [phone]"
    assert masked("redact", text, countries=["ES"])[0] == "call 55 1234 5678"
    with pytest.raises(ProjectError, match="is no country"):
        make_operation("redact", countries=["Spain"])


def test_tags_within_a_row_begin_anew_in_every_row():
    text = pl.Series("notes", ["Ana Gil con Luis Rey y otra vez ANA GIL", "Luis Rey llama"])
    assert masked("redact", text, tags="row").to_list() == [
        "[person 1] con [person 2] y otra vez [person 1]",
        "[person 1] llama",
    ]


def test_tags_of_a_table_are_the_same_in_every_batch_and_follow_from_the_key():
    text = pl.Series("notes", ["paciente Ana Gil", "Luis Rey llama", "vuelve Ana Gil"])
    together = masked("redact", text, tags="table")
    apart = masked("redact", text, tags="table", batches=(1, 2))
    assert together.to_list() == apart.to_list()
    tags = together.str.extract(r"\[person ([A-Z2-7]{8})\]")
    assert tags[0] == tags[2] != tags[1]
    other = masked("redact", text, tags="table", subject={"keys": OneKey(9)})
    assert other[0] != together[0]
    assert make_operation("redact", tags="table").key_name == "default"
    assert make_operation("redact").key_name is None


def test_listed_words_go_as_words_of_their_own_in_capitals_or_not():
    text = pl.Series("notes", ["El Pelusa vino; la pelusa no, los pelusas tampoco"])
    assert (
        masked("redact", text, words=["pelusa"])[0]
        == "El [removed] vino; la [removed] no, los pelusas tampoco"
    )


def test_words_of_another_column_of_the_same_row_go_with_or_without_accents():
    rows = pl.DataFrame(
        {
            "notes": ["Vino otamendi, otamendi@x.org", "Otamendi no vino", "de la Ó, sola"],
            "name": ["Zuleika Otámendi", "Luis Rey", None],
        }
    )
    found = masked("redact", rows["notes"], rows, columns=["name"])
    assert found.to_list() == ["Vino [removed], [e-mail]", "Otamendi no vino", "de la Ó, sola"]
    assert make_operation("redact", columns=["name"]).needs() == ("name",)
    assert not make_operation("redact", columns=["name"]).goes_by_value


def test_words_have_no_tags_and_stand_beside_those_that_do():
    text = pl.Series("notes", ["Ana Gil, la pelusa, ana gil"])
    assert (
        masked("redact", text, tags="row", words=["pelusa", "ana gil"])[0]
        == "[person 1], la [removed], [removed]"
    )


def test_the_verification_finds_what_another_hand_left_in():
    left = pl.Series(
        [
            "call [phone]",
            "a@b.org",
            "see https://x.org/1",
            "no 12345678",
            "tel +34 612 34 56 78",
            "DNI 12.345.678-Z",
            "202-555-0173",
        ]
    )
    operation = make_operation("redact")
    assert operation.broken(left) == 6
    assert make_operation("redact", kinds=["person"]).broken(left) == 0


def test_it_says_that_finding_is_not_proof():
    facts = ColumnFacts(rows=10, distinct=10, largest=1)
    assert "not proof" in make_operation("redact").leaks
    assert any("not recognized" in reason for reason in make_operation("redact").weaknesses(facts))
    assert len(make_operation("redact", tags="table").weaknesses(facts)) == 2
