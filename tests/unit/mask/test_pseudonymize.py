"""Pseudonyms: published answers of HMAC, stability, domains, forms and lengths."""

import base64
import hmac

import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.mask import ColumnFacts, OperationSubject, make_operation
from celosia.mask.digests import DigestForm, bits_of, hmac_of, show_digests
from celosia.mask.keys import Keys, SecretKey

SECRET = bytes.fromhex("00112233445566778899aabbccddeefffedcba98765432100f1e2d3c4b5a6978")
NONE = pl.DataFrame()
# RFC 4231, test cases 1 to 7: key, data, HMAC-SHA-256, start of HMAC-SHA-512; case 5 is cut off to 128 bits.
RFC_4231 = [
    (
        "0b" * 20,
        b"Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        "87aa7cdea5ef619d",
    ),
    (
        b"Jefe".hex(),
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        "164b7a7bfcf819e2",
    ),
    (
        "aa" * 20,
        b"\xdd" * 50,
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
        "fa73b0089d56a284",
    ),
    (
        bytes(range(1, 26)).hex(),
        b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
        "b0ba465637458c69",
    ),
    ("0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b", "415fad6271580a53"),
    (
        "aa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        "80b24263c7c1a3eb",
    ),
    (
        "aa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
        "e37b6a775dc87dba",
    ),
]


@pytest.fixture
def pseudonyms(monkeypatch):
    monkeypatch.setenv("CELOSIA_KEY", SECRET.hex())

    def make(values, **parameters):
        series = values if isinstance(values, pl.Series) else pl.Series("id", values)
        subject = OperationSubject("id", series.dtype, Keys({}), seed=1)
        return make_operation("pseudonymize", **parameters).start(subject)(series, NONE)

    return make


@pytest.mark.parametrize(("key", "data", "sha256", "sha512"), RFC_4231)
def test_hmac_gives_the_answers_of_rfc_4231(key, data, sha256, sha512):
    assert hmac_of(bytes.fromhex(key))(data).hex().startswith(sha256)
    assert hmac_of(bytes.fromhex(key), "sha512")(data).hex().startswith(sha512)


def test_a_pseudonym_is_the_start_of_the_hmac_of_the_text(pseudonyms):
    texts = ["12345678Z", "José", "x" * 300]
    key = SecretKey(SECRET).derive("pseudonymize: clinic", 32)
    digests = [hmac.digest(key, text.encode(), "sha256") for text in texts]
    expected = [base64.b32encode(digest).decode() for digest in digests]
    assert pseudonyms(texts, domain="clinic").to_list() == [text[:16] for text in expected]
    assert pseudonyms(texts, domain="clinic", length=25).to_list() == [text[:25] for text in expected]
    hexadecimal = pseudonyms(texts, domain="clinic", form="hex", length=32).to_list()
    assert hexadecimal == [digest.hex()[:32] for digest in digests]
    for length in (4, 12, 16, 17, 38):
        digits = pseudonyms(texts, domain="clinic", form="digits", length=length).to_list()
        assert digits == [f"{int.from_bytes(digest, 'big') % 10**length:0{length}d}" for digest in digests]


def test_missing_values_stay_missing_and_equal_ones_equal(pseudonyms):
    found = pseudonyms(["a", None, "b", "a"]).to_list()
    assert found[1] is None
    assert found[0] == found[3] != found[2]


def test_integers_and_their_texts_are_one_across_tables_and_runs(pseudonyms):
    assert pseudonyms(pl.Series("id", [7, 8])).to_list() == pseudonyms(["7", "8"]).to_list()


def test_a_column_with_more_values_than_are_remembered_is_the_same(pseudonyms):
    many = pl.Series("id", [str(number % 90_000) for number in range(150_000)])
    found = pseudonyms(many)
    assert found.n_unique() == 90_000
    assert found[70_000:70_003].to_list() == pseudonyms(["70000", "70001", "70002"]).to_list()
    assert found[100_000] == found[10_000]


def test_domains_and_keys_that_differ_give_other_pseudonyms(pseudonyms, monkeypatch):
    first = pseudonyms(["a"])[0]
    assert first != pseudonyms(["a"], domain="research")[0]
    monkeypatch.setenv("CELOSIA_KEY", bytes(range(100, 132)).hex())
    assert first != pseudonyms(["a"])[0]


def test_no_values_are_no_pseudonyms_of_the_same_type(pseudonyms):
    assert pseudonyms(pl.Series("id", [], dtype=pl.Int64)).dtype == pl.String


@pytest.mark.parametrize("form", list(DigestForm))
def test_released_values_of_another_form_are_counted(pseudonyms, form):
    operation = make_operation("pseudonymize", form=form, length=10)
    found = pseudonyms(["a", "b"], form=form, length=10)
    assert operation.broken(found) == 0
    assert operation.broken(pl.Series([*found, "12345678Z", found[0] + "0"])) == 2


def test_pseudonyms_too_short_for_the_values_are_told_with_the_length_that_is_not():
    (reason,) = make_operation("pseudonymize", length=8).weaknesses(
        ColumnFacts(rows=10**6, distinct=10**6, largest=1)
    )
    assert "share a pseudonym of 8 characters has a probability of 0.45" in reason
    needed = int(reason.split("length of ")[1].split()[0])
    enough = make_operation("pseudonymize", length=needed)
    assert enough.weaknesses(ColumnFacts(rows=10**6, distinct=10**6, largest=1)) == ()
    less = make_operation("pseudonymize", length=needed - 1)
    assert less.weaknesses(ColumnFacts(rows=10**6, distinct=10**6, largest=1))
    assert bits_of(DigestForm.BASE32, 16) == 80
    certain = make_operation("pseudonymize", form="digits", length=4)
    assert "is certain" in certain.weaknesses(ColumnFacts(rows=10**6, distinct=10**6, largest=1))[0]


def test_a_value_that_is_far_more_common_than_others_is_told():
    (reason,) = make_operation("pseudonymize").weaknesses(ColumnFacts(rows=1000, distinct=10, largest=900))
    assert "900 in 1,000 rows" in reason


@pytest.mark.parametrize(
    ("parameters", "what"), [({"length": 3}, "greater"), ({"length": 26}, "25 characters at most")]
)
def test_lengths_that_make_no_sense_are_refused(parameters, what):
    with pytest.raises(ProjectError, match=what):
        make_operation("pseudonymize", **parameters)


def test_base32_of_no_digests_is_no_text():
    assert show_digests([], DigestForm.BASE32, 16).to_list() == []
