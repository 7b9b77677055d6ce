"""``celosia key``, ``decrypt`` and ``rotate``, as a person at a terminal uses them."""

import stat
from pathlib import Path

import keyring as library
import polars as pl
import pytest
from keyring.backend import KeyringBackend

from celosia.mask import make_operation, mask_table
from celosia.mask.keys import Keys, KeySource, parse_key
from celosia.tables import open_table
from celosia.tables.copy import copy_to_file

PLAIN = [("12345678Z", "4111-1111-1111-1111", "1"), ("", "", "2"), ("12345678Z", "5500 0000 0000 0004", "3")]
CARD = ("--operation", "preserve-format", "--parameter", "checksum=luhn")


class InMemory(KeyringBackend):
    priority = 1

    def __init__(self):
        super().__init__()
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password


@pytest.fixture
def keyring():
    before = library.get_keyring()
    library.set_keyring(InMemory())
    yield library
    library.set_keyring(before)


@pytest.fixture
def release(tmp_path, monkeypatch, celosia):
    """A release with encrypted ids and cards, as CSV and Parquet, and the key that did it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CELOSIA_KEY", raising=False)
    assert celosia("key", "new", "--file", "a.key").status == 0
    assert celosia("key", "new", "--file", "b.key").status == 0
    Path("plain.csv").write_text("id;card;n\n" + "".join(";".join(row) + "\n" for row in PLAIN))
    chains = {
        "id": [make_operation("encrypt", domain="clinic")],
        "card": [make_operation("preserve-format", checksum="luhn")],
    }
    keys = Keys({"default": KeySource(file="a.key")})
    masked = mask_table(open_table("plain.csv"), chains, keys=keys)
    copy_to_file(masked, Path("safe.csv"), separator=";")
    copy_to_file(masked, Path("safe.parquet"))
    return Path("safe.csv")


def rows_of(path: str) -> list[tuple[str, ...]]:
    return [tuple(line.split(";")) for line in Path(path).read_text().splitlines()[1:]]


# Keys


def test_a_new_key_lies_in_a_file_that_only_its_owner_may_read(celosia, tmp_path):
    answer = celosia("key", "new", "--file", tmp_path / "clinic.key")
    assert answer.status == 0, answer.err
    text = (tmp_path / "clinic.key").read_text()
    assert stat.S_IMODE((tmp_path / "clinic.key").stat().st_mode) == 0o600
    assert parse_key(text, location="file").id.hex() in answer.out
    assert text.strip() not in answer.out + answer.err
    assert "keep a copy in a safe place" in answer.out


def test_a_key_is_never_replaced(celosia, tmp_path, keyring):
    path = tmp_path / "clinic.key"
    celosia("key", "new", "--file", path)
    before = path.read_text()
    answer = celosia("key", "new", "--file", path)
    assert answer.status == 2
    assert "it exists already; choose another name" in answer.err
    assert path.read_text() == before
    celosia("key", "new", "--keyring", "clinic")
    kept = keyring.get_password("celosia", "clinic")
    answer = celosia("key", "new", "--keyring", "clinic")
    assert answer.status == 2
    assert "it exists already" in answer.err
    assert keyring.get_password("celosia", "clinic") == kept


def test_a_key_is_shown_only_if_asked(celosia):
    answer = celosia("key", "new", "--show")
    assert answer.status == 0
    parse_key(answer.out, location="screen")
    assert set(celosia("key", "new", "--show", "--json").document) == {"key"}


@pytest.mark.parametrize("options", [(), ("--file", "a.key", "--show")])
def test_the_one_place_of_a_new_key_must_be_said(celosia, options):
    answer = celosia("key", "new", *options)
    assert answer.status == 2
    assert "give one of --file, --keyring and --show" in answer.err


def test_a_key_for_a_folder_that_is_not_there_is_told(celosia, tmp_path):
    answer = celosia("key", "new", "--file", tmp_path / "nowhere" / "a.key")
    assert answer.status == 2
    assert "the key cannot be written" in answer.err


def test_json_tells_the_id_and_the_place(celosia, keyring):
    answer = celosia("key", "new", "--keyring", "clinic", "--json")
    kept = parse_key(keyring.get_password("celosia", "clinic"), location="keyring")
    assert answer.document == {"id": kept.id.hex(), "file": None, "keyring": "clinic"}


# Decrypting


@pytest.mark.parametrize("source", ["safe.csv", "safe.parquet"])
def test_columns_come_back_as_they_were(celosia, release, source):
    with_key = ("--key-file", "a.key")
    answer = celosia(
        "decrypt", source, "--column", "id", "--parameter", "domain=clinic", *with_key, "-o", "1.csv"
    )
    assert answer.status == 0, answer.err
    assert "holds what was encrypted, in clear" in answer.err
    assert stat.S_IMODE(Path("1.csv").stat().st_mode) == 0o600
    answer = celosia("decrypt", "1.csv", "--column", "card", *CARD, *with_key, "-o", "2.csv", "--json")
    assert answer.document == {"file": "2.csv", "rows": 3, "decrypted": ["card"]}
    expected = Path("plain.csv").read_text()
    assert Path("2.csv").read_text() == (expected if source == "safe.csv" else expected.replace(";", ","))


def test_the_key_may_be_in_the_environment_or_a_keyring(celosia, release, monkeypatch, keyring):
    text = Path("a.key").read_text()
    monkeypatch.setenv("CELOSIA_KEY", text)
    monkeypatch.setenv("CLINIC_KEY", text)
    keyring.set_password("celosia", "clinic", text)
    for number, place in enumerate([(), ("--key-env", "CLINIC_KEY"), ("--key-keyring", "clinic")]):
        out = f"{number}.csv"
        answer = celosia("decrypt", release, "--column", "card", *CARD, *place, "--out", out)
        assert answer.status == 0, answer.err
        assert [row[1] for row in rows_of(out)] == [row[1] for row in PLAIN]


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("--column", "id", "--key-file", "b.key"), "of a key that is not among those given"),
        (("--column", "id", "--key-file", "a.key"), "encrypted for another domain"),
        (("--column", "n", "--key-file", "a.key"), "are no ciphertexts"),
        (("--column", "idd", "--key-file", "a.key"), "did you mean 'id'?"),
        (("--column", "id"), "CELOSIA_KEY: it is not set"),
        (("--column", "id", "--key-file", "c.key"), "this file does not exist"),
        (("--column", "id", "--key-file", "a.key", "--key-env", "A"), "a key is in one place"),
        (("--column", "id", "--key-file", "a.key", "--operation", "hash"), "nobody can undo it"),
        (("--column", "id", "--key-file", "a.key", "--operation", "encript"), "did you mean 'encrypt'?"),
        (("--column", "id", "--key-file", "a.key", "--parameter", "domain"), "write it as in --parameter"),
        (("--column", "id", "--key-file", "a.key", "--parameter", "salt=a"), "it has no parameter 'salt'"),
    ],
)
def test_a_mistake_is_told_in_a_sentence_and_nothing_is_written(celosia, release, arguments, what):
    answer = celosia("decrypt", release, *arguments, "--out", "clear.csv")
    assert answer.status == 2
    assert what in answer.err
    assert len(answer.err.splitlines()) == 1
    assert not Path("clear.csv").exists()
    assert not list(Path().glob(".celosia-*"))


def test_a_file_is_replaced_only_if_allowed(celosia, release):
    Path("clear.csv").write_text("mine")
    asked = ("decrypt", release, "--column", "card", *CARD, "--key-file", "a.key", "--out", "clear.csv")
    assert celosia(*asked).status == 2
    assert Path("clear.csv").read_text() == "mine"
    assert celosia(*asked, "--overwrite").status == 0
    assert rows_of("clear.csv")[0][1] == PLAIN[0][1]


# Rotating


def test_a_release_is_taken_to_a_new_key_without_passing_through_a_file_in_clear(celosia, release):
    both = ("--key-file", "b.key", "--previous-key-file", "a.key")
    domain = ("--parameter", "domain=clinic")
    answer = celosia("rotate", release, "--column", "id", *domain, *both, "-o", "1.csv")
    assert answer.status == 0, answer.err
    assert parse_key(Path("b.key").read_text(), location="b.key").id.hex() in answer.out
    assert "12345678Z" not in Path("1.csv").read_text()
    assert celosia("rotate", "1.csv", "--column", "card", *CARD, *both, "-o", "2.csv").status == 0
    with_new = ("--key-file", "b.key")
    assert celosia("decrypt", "2.csv", "--column", "id", *domain, *with_new, "-o", "3.csv").status == 0
    assert celosia("decrypt", "3.csv", "--column", "card", *CARD, *with_new, "-o", "4.csv").status == 0
    assert rows_of("4.csv") == PLAIN
    assert rows_of("2.csv")[0][0] == rows_of("2.csv")[2][0]


def test_rotation_needs_the_key_that_is_in_use(celosia, release):
    asked = ("rotate", release, "--column", "id", "--parameter", "domain=clinic", "--key-file", "b.key")
    answer = celosia(*asked, "--out", "new.csv")
    assert answer.status == 2
    assert "of a key that is not among those given" in answer.err
    assert not Path("new.csv").exists()


def test_a_large_release_streams(celosia, release):
    tokens = pl.read_parquet("safe.parquet").get_column("id").drop_nulls()
    pl.DataFrame({"id": tokens.new_from_index(0, 600_000), "n": range(600_000)}).write_parquet(
        "large.parquet"
    )
    asked = ("--column", "id", "--parameter", "domain=clinic", "--key-file", "a.key")
    answer = celosia("decrypt", "large.parquet", *asked, "--out", "clear.parquet")
    assert answer.status == 0, answer.err
    clear = pl.read_parquet("clear.parquet")
    assert clear.get_column("id").unique().to_list() == ["12345678Z"]
    assert clear.get_column("n").to_list() == list(range(600_000))
