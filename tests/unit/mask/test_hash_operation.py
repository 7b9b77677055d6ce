"""Hashes with and without a salt, and when they warn."""

import hashlib
import hmac

import polars as pl
import pytest

from celosia.mask import ColumnFacts, OperationSubject, make_operation
from celosia.mask.keys import Keys, SecretKey

SECRET = bytes.fromhex("00112233445566778899aabbccddeefffedcba98765432100f1e2d3c4b5a6978")
NONE = pl.DataFrame()
UNIQUE = ColumnFacts(rows=1000, distinct=1000, largest=1)


@pytest.fixture
def hashed(monkeypatch):
    monkeypatch.setenv("CELOSIA_KEY", SECRET.hex())

    def make(values, **parameters):
        series = pl.Series("id", values)
        subject = OperationSubject("id", series.dtype, Keys({}), seed=1)
        return make_operation("hash", **parameters).start(subject)(series, NONE).to_list()

    return make


@pytest.mark.parametrize(
    ("algorithm", "expected"),
    [
        ("sha256", hashlib.sha256(b"abc").hexdigest()),
        ("sha512", hashlib.sha512(b"abc").hexdigest()),
        ("blake2b", hashlib.blake2b(b"abc", digest_size=32).hexdigest()),
    ],
)
def test_without_a_salt_it_is_the_plain_hash(hashed, algorithm, expected):
    assert hashed(["abc", None, "abc"], algorithm=algorithm) == [expected, None, expected]


def test_the_published_answer_of_sha_256(hashed):
    published = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, B.1
    assert hashed(["abc"]) == [published]


def test_with_a_salt_it_is_keyed(hashed):
    def key(algorithm):
        return SecretKey(SECRET).derive(f"hash: {algorithm}", 32)

    assert hashed(["abc"], salt="default") == [hmac.digest(key("sha256"), b"abc", "sha256").hex()]
    assert hashed(["abc"], salt="default", algorithm="sha512") == [
        hmac.digest(key("sha512"), b"abc", "sha512").hex()
    ]
    keyed = hashlib.blake2b(b"abc", key=key("blake2b"), digest_size=32).hexdigest()
    assert hashed(["abc"], salt="default", algorithm="blake2b") == [keyed]


def test_integers_and_their_texts_are_one(hashed):
    assert hashed([7]) == hashed(["7"])


def test_without_a_salt_it_warns_and_says_how_few_values_there_are():
    plain, salted = make_operation("hash"), make_operation("hash", salt="default")
    (reason,) = plain.weaknesses(ColumnFacts(rows=1000, distinct=52, largest=20))
    assert "whoever hashes all values that are possible" in reason
    assert "but 52 of them" in reason
    assert "name a salt" in reason
    assert "can be listed" in plain.weaknesses(UNIQUE)[0]
    assert salted.weaknesses(UNIQUE) == ()
    assert salted.weaknesses(ColumnFacts(rows=1000, distinct=10, largest=900))


def test_the_salt_is_the_key_it_needs():
    assert make_operation("hash").key_name is None
    assert make_operation("hash", salt="clinic").key_name == "clinic"


def test_released_values_that_are_no_hashes_are_counted(hashed):
    for algorithm in ("sha256", "sha512", "blake2b"):
        found = hashed(["a", "b"], algorithm=algorithm)
        assert (
            make_operation("hash", algorithm=algorithm).broken(pl.Series([*found, "Ana", found[0][:-1]])) == 2
        )
