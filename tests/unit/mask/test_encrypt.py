"""Encryption: published answers, the way back, what is refused, and what stays joinable."""

import base64
import datetime

import polars as pl
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.cmac import CMAC
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.errors import ProjectError, TableError
from celosia.mask import ColumnFacts, OperationSubject, make_operation, mask_table
from celosia.mask.keys import Keys, KeySource, SecretKey, new_key
from celosia.mask.operations.encrypt import decrypt_values
from celosia.mask.reverse import Reverse
from celosia.tables import open_table

SECRET = bytes.fromhex("00112233445566778899aabbccddeefffedcba98765432100f1e2d3c4b5a6978")
KEY = SecretKey(SECRET)
NONE = pl.DataFrame()

# RFC 5297, A.1 and A.2: key, associated data (the last one is the nonce), plaintext, output.
RFC_5297 = [
    (
        "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        ["101112131415161718191a1b1c1d1e1f2021222324252627"],
        "112233445566778899aabbccddee",
        "85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c",
    ),
    (
        "7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f",
        [
            "00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100",
            "102030405060708090a0",
            "09f911029d74e35bd84156c5635688c0",
        ],
        "7468697320697320736f6d6520706c61696e7465787420746f20656e6372797074207573696e67205349562d414553",
        "7bdb6e3b432667eb06f4d14bff2fbd0fcb900f2fddbe404326601965c889bf17"
        "dba77ceb094fa663b7a3f748ba8af829ea64ad544a272e9c485b62a3fd5c0d",
    ),
]


def siv(key: bytes, data: list[bytes], text: bytes) -> bytes:
    """RFC 5297, sections 2.4 and 2.6, written down."""

    def cmac(message: bytes) -> bytes:
        mac = CMAC(algorithms.AES(key[: len(key) // 2]))
        mac.update(message)
        return mac.finalize()

    def double(block: bytes) -> bytes:
        number = int.from_bytes(block, "big") << 1
        return ((number ^ 0x87) & (2**128 - 1) if number >> 128 else number).to_bytes(16, "big")

    def xor(one: bytes, other: bytes) -> bytes:
        return bytes(a ^ b for a, b in zip(one, other, strict=True))

    state = cmac(bytes(16))
    for each in data:
        state = xor(double(state), cmac(each))
    if len(text) >= 16:
        last = text[:-16] + xor(text[-16:], state)
    else:
        last = xor(double(state), (text + b"\x80").ljust(16, b"\0"))
    tag = cmac(last)
    counter = bytearray(tag)
    counter[8] &= 0x7F
    counter[12] &= 0x7F
    stream = Cipher(algorithms.AES(key[len(key) // 2 :]), modes.CTR(bytes(counter))).encryptor()
    return tag + stream.update(text)


@pytest.fixture
def keys(monkeypatch):
    monkeypatch.setenv("CELOSIA_KEY", SECRET.hex())
    return Keys({})


@pytest.fixture
def encrypted(keys):
    def encrypt(values, **parameters):
        series = values if isinstance(values, pl.Series) else pl.Series("id", values)
        mask = make_operation("encrypt", **parameters).start(
            OperationSubject("id", series.dtype, keys, seed=1)
        )
        return mask(series, NONE)

    return encrypt


@pytest.mark.parametrize(("key", "data", "text", "sealed"), RFC_5297, ids=["A.1", "A.2"])
def test_siv_gives_the_answers_of_rfc_5297(key, data, text, sealed):
    pieces = [bytes.fromhex(each) for each in data]
    assert siv(bytes.fromhex(key), pieces, bytes.fromhex(text)).hex() == sealed
    assert AESSIV(bytes.fromhex(key)).encrypt(bytes.fromhex(text), pieces).hex() == sealed


@pytest.mark.parametrize("text", ["", "a", "12345678Z", "exactly sixteen.", "José Núñez, calle de la Luna 7"])
def test_a_token_is_version_key_id_and_siv_of_the_filled_text(encrypted, text):
    filled = text.encode() + b"\x80"
    filled += bytes(-len(filled) % 16)
    raw = b"\1" + KEY.id + siv(KEY.derive("encrypt siv: ", 64), [], filled)
    assert encrypted([text])[0] == base64.urlsafe_b64encode(raw).decode().rstrip("=")


@pytest.mark.parametrize("mode", ["siv", "gcm"])
@settings(max_examples=50, deadline=None)
@given(texts=st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=70), max_size=12))
def test_texts_come_back(mode, texts):
    operation = make_operation("encrypt", mode=mode, pad=8)
    mask = operation.start(OperationSubject("id", pl.String(), _FixedKeys(), seed=1))
    series = pl.Series("id", texts, dtype=pl.String)
    tokens = mask(series, NONE)
    assert tokens.is_null().to_list() == [text is None for text in texts]
    assert operation.broken(tokens.drop_nulls()) == 0
    assert decrypt_values(tokens, [KEY]).to_list() == texts


class _FixedKeys(Keys):
    def current(self, name=None):
        return KEY


def test_equal_values_are_equal_tokens_with_siv_and_none_are_with_gcm(encrypted):
    assert encrypted(["a", "b", "a"]).n_unique() == 2
    assert encrypted(["a", "b", "a"], mode="gcm").n_unique() == 3


def test_the_integer_7_and_the_text_7_are_one(encrypted):
    assert encrypted(pl.Series("id", [7, None])).equals(encrypted(["7", None]))


def test_dates_come_back_as_their_text(encrypted):
    tokens = encrypted(pl.Series("id", [datetime.date(2024, 5, 1)]))
    assert decrypt_values(tokens, [KEY]).to_list() == ["2024-05-01"]


def test_an_attribute_that_repeats_joins_across_tables_and_runs(encrypted):
    people = pl.DataFrame({"id": encrypted(pl.Series("id", [7, 8, 9]))})
    visits = pl.DataFrame({"id": encrypted(["9", "7", "9"])})
    assert visits.join(people, on="id", how="semi").height == 3


def test_another_domain_cannot_be_linked_nor_opened(encrypted):
    tokens = encrypted(["a"], domain="research")
    assert tokens[0] != encrypted(["a"])[0]
    assert decrypt_values(tokens, [KEY], domain="research").to_list() == ["a"]
    with pytest.raises(TableError, match="altered, or encrypted for another domain"):
        decrypt_values(tokens, [KEY])


def test_texts_of_similar_length_are_tokens_of_one_length(encrypted):
    lengths = encrypted(["male", "female", "a", "fifteen letters"]).str.len_chars()
    assert lengths.n_unique() == 1
    assert encrypted(["male", "female"], pad=1).str.len_chars().n_unique() == 2


@pytest.mark.parametrize("mode", ["siv", "gcm"])
def test_every_changed_character_is_noticed(encrypted, mode):
    token = encrypted(["12345678Z"], mode=mode)[0]
    for place in range(len(token)):
        other = "A" if token[place] != "A" else "B"
        changed = pl.Series("id", [token[:place] + other + token[place + 1 :]])
        with pytest.raises((TableError, ProjectError)) as raised:
            decrypt_values(changed, [KEY])
        assert "column 'id' holds" in str(raised.value)
        assert token[10:20] not in str(raised.value)


@pytest.mark.parametrize("mode", ["siv", "gcm"])
def test_every_truncated_token_is_noticed(encrypted, mode):
    token = encrypted(["12345678Z"], mode=mode)[0]
    for length in range(1, len(token)):
        with pytest.raises(TableError, match=r"incomplete|altered"):
            decrypt_values(pl.Series("id", [token[:length]]), [KEY])


@pytest.mark.parametrize("text", ["", "Ana", "31", "=" * 50, "A" * 50 + "+/", "ñ" * 60])
def test_what_is_no_token_is_told_with_a_count(text, encrypted):
    with pytest.raises(TableError) as raised:
        decrypt_values(pl.Series("id", [*encrypted(["a"]), text, text + "?"]), [KEY], location="safe.csv")
    assert str(raised.value).startswith(
        "safe.csv: column 'id' holds values that are no ciphertexts, or incomplete ones (different ones: 2)"
    )


def test_the_wrong_key_is_told_in_one_sentence(encrypted):
    with pytest.raises(ProjectError, match=r"of a key that is not among those given .*; give the key"):
        decrypt_values(encrypted(["a"]), [SecretKey(bytes(range(32)))])


def test_values_of_previous_keys_open_beside_those_of_the_current_one(encrypted, monkeypatch):
    old = encrypted(["a", "b"])
    monkeypatch.setenv("NEW_KEY", new_key())
    both = Keys(
        {"default": KeySource(environment="NEW_KEY", previous=(KeySource(environment="CELOSIA_KEY"),))}
    )
    new = make_operation("encrypt").start(OperationSubject("id", pl.String(), both, seed=1))(
        pl.Series("id", ["c"]), NONE
    )
    assert decrypt_values(pl.concat([old, new]), both.all()).to_list() == ["a", "b", "c"]
    with pytest.raises(ProjectError, match="not among those given"):
        decrypt_values(old, [both.current()])


def test_two_keys_with_one_id_are_both_tried(encrypted):
    twin = SecretKey(bytes(range(32)))
    twin.__dict__["id"] = KEY.id
    assert decrypt_values(encrypted(["a"]), [twin, KEY]).to_list() == ["a"]


def test_rotation_keeps_the_mode_and_takes_values_to_the_current_key(keys, encrypted, monkeypatch):
    monkeypatch.setenv("NEW_KEY", new_key())
    both = Keys(
        {"default": KeySource(environment="NEW_KEY", previous=(KeySource(environment="CELOSIA_KEY"),))}
    )
    operation = make_operation("encrypt", mode="gcm")
    table = open_table(pl.DataFrame({"id": encrypted(["a", None, "a"], mode="gcm")}))
    rotated = mask_table(table, {"id": [Reverse(operation=operation, rotates=True), operation]}, keys=both)
    found = pl.concat(rotated.scan()).get_column("id")
    assert decrypt_values(found, [both.current()]).to_list() == ["a", None, "a"]
    wrong = Reverse(operation=make_operation("encrypt"), rotates=True)
    with pytest.raises(ProjectError, match=r"another mode than siv .* mode=gcm"):
        list(mask_table(table, {"id": [wrong]}, keys=both).scan())


def test_released_values_that_are_no_tokens_are_counted(encrypted):
    tokens = encrypted(["a", "b"])
    siv_mode, gcm_mode = make_operation("encrypt"), make_operation("encrypt", mode="gcm")
    assert siv_mode.broken(pl.Series([*tokens, "Ana", tokens[0][:-4]])) == 2
    assert gcm_mode.broken(tokens) == 2
    assert gcm_mode.broken(encrypted(["a"], mode="gcm")) == 0


def test_siv_on_a_column_of_few_values_says_why_and_proposes_gcm():
    small = ColumnFacts(rows=100, distinct=3, largest=40)
    (reason,) = make_operation("encrypt").weaknesses(small)
    assert "equal values stay equal" in reason
    assert "mode: gcm" in reason
    assert make_operation("encrypt", mode="gcm").weaknesses(small) == ()
    assert make_operation("encrypt").weaknesses(ColumnFacts(rows=100, distinct=100, largest=1)) == ()


def test_it_says_that_the_key_reverses_it_and_which_it_needs():
    operation = make_operation("encrypt")
    assert operation.reversible == "with the key"
    assert operation.key_name == "default"
    assert make_operation("encrypt", key="clinic").key_name == "clinic"
    assert make_operation("encrypt", mode="gcm").describe() == "encrypted with AES-GCM"
