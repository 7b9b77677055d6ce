"""Keys: where they come from, what is refused, and that nobody sees one."""

import base64
import hashlib
import hmac
import os
import pickle
import sys

import keyring as library
import pytest
from keyring.backend import KeyringBackend
from pydantic import ValidationError

from celosia.errors import ProjectError
from celosia.mask.keys import Keys, KeySource, SecretKey, new_key, parse_key

SECRET = bytes.fromhex("00112233445566778899aabbccddeefffedcba98765432100f1e2d3c4b5a6978")
HEX = SECRET.hex()
BASE64 = base64.b64encode(SECRET).decode()


class InMemory(KeyringBackend):
    priority = 1

    def __init__(self):
        super().__init__()
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        del self.kept[service, username]


@pytest.fixture
def keyring():
    before = library.get_keyring()
    library.set_keyring(InMemory())
    yield library
    library.set_keyring(before)


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "clinic.key"
    path.write_text(HEX + "\n")
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    "text",
    [HEX, HEX.upper(), BASE64, BASE64.rstrip("="), base64.urlsafe_b64encode(SECRET).decode(), f" {HEX}\n"],
)
def test_base64_and_hexadecimal_digits_are_the_same_key(text):
    assert parse_key(text, location="here") == SecretKey(SECRET)


def test_a_new_key_is_a_key_and_another_one_every_time():
    assert parse_key(new_key(), location="here") != parse_key(new_key(), location="here")


@pytest.mark.parametrize("text", ["", "secret", HEX[:62], BASE64[:40], "ñ" * 50, "*" * 64])
def test_what_is_no_key_is_refused(text):
    with pytest.raises(ProjectError, match=r"here: this is no key: .* celosia key new") as raised:
        parse_key(text, location="here")
    assert not text or text not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "00" * 32,
        "deadbeef" * 8,
        "zQ" * 22,
        "averylongpasswordmadeofwordsthatanyonecouldtype1234",
        base64.b64encode(b"correct horse battery staple, and some more").decode(),
    ],
)
def test_a_key_that_can_be_guessed_is_refused(text):
    with pytest.raises(ProjectError, match="can be guessed"):
        parse_key(text, location="here")


def test_random_keys_are_not_taken_for_guessable_ones():
    for seed in range(300):
        secret = hashlib.sha256(bytes([seed % 256, seed // 256])).digest()
        assert parse_key(base64.b64encode(secret).decode(), location="here") == SecretKey(secret)
        assert parse_key(secret.hex(), location="here") == SecretKey(secret)


def test_derived_keys_are_those_of_hkdf():
    """RFC 5869 written down: extract with no salt, then expand."""
    extracted = hmac.digest(bytes(32), SECRET, "sha256")
    info = b"celosia 1: encrypt siv: clinic"
    first = hmac.digest(extracted, info + b"\1", "sha256")
    second = hmac.digest(extracted, first + info + b"\2", "sha256")
    assert SecretKey(SECRET).derive("encrypt siv: clinic", 64) == first + second
    assert SecretKey(SECRET).id == hmac.digest(extracted, b"celosia 1: id\1", "sha256")[:4]


def test_a_key_shows_its_id_only(monkeypatch):
    monkeypatch.setenv("CLINIC_KEY", HEX)
    keys = Keys({"default": KeySource(environment="CLINIC_KEY")})
    shown = f"{keys.current()!r} {keys.current()} {keys!r} {keys.all()}"
    assert "Key(id=" in shown
    assert HEX[:8] not in shown
    assert str(SECRET)[2:10] not in shown
    with pytest.raises(TypeError, match="not written anywhere"):
        pickle.dumps(keys.current())


def test_the_default_key_is_in_the_environment_unless_it_is_declared(monkeypatch, key_file):
    monkeypatch.setenv("CELOSIA_KEY", new_key())
    assert Keys({}).current(None) != SecretKey(SECRET)
    assert Keys({"default": KeySource(file=key_file)}).current(None) == SecretKey(SECRET)


def test_a_variable_that_is_not_set_is_told(monkeypatch):
    monkeypatch.delenv("CELOSIA_KEY", raising=False)
    with pytest.raises(ProjectError) as raised:
        Keys({}).current()
    assert str(raised.value).startswith("the environment variable CELOSIA_KEY: it is not set")
    assert "celosia key new" in raised.value.remedy


def test_a_key_in_a_file_is_found_from_the_folder_of_the_project(key_file):
    keys = Keys({"a": KeySource(file=key_file.name)}, folder=key_file.parent)
    assert keys.current("a") == SecretKey(SECRET)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601])
def test_a_file_that_others_may_touch_is_refused(key_file, mode):
    key_file.chmod(mode)
    with pytest.raises(ProjectError, match="others may read this key") as raised:
        KeySource(file=key_file).load()
    assert raised.value.remedy == f"keep it to yourself: chmod 600 {key_file}"


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path):
    with pytest.raises(ProjectError, match=r"does not exist; .* celosia key new --file"):
        KeySource(file=tmp_path / "nothing.key").load()
    (tmp_path / "raw.key").write_bytes(bytes(range(128, 160)))
    (tmp_path / "raw.key").chmod(0o600)
    with pytest.raises(ProjectError, match="this is no key"):
        KeySource(file=tmp_path / "raw.key").load()
    with pytest.raises(ProjectError, match="cannot be read"):
        KeySource(file=tmp_path).load()


def test_a_keyring_may_hold_it(keyring):
    source = KeySource(keyring="clinic")
    with pytest.raises(ProjectError, match=r"there is no such entry; .* celosia key new --keyring clinic"):
        source.load()
    keyring.set_password("celosia", "clinic", HEX)
    assert source.load() == SecretKey(SECRET)


def test_a_keyring_that_does_not_answer_is_told(keyring, monkeypatch):
    def locked(*_):
        raise RuntimeError("locked")

    monkeypatch.setattr(InMemory, "get_password", locked)
    with pytest.raises(ProjectError, match=r"does not answer \(RuntimeError\); unlock it"):
        KeySource(keyring="clinic").load()


def test_without_the_package_for_keyrings_the_remedy_is_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ProjectError, match="not installed; install it"):
        KeySource(keyring="clinic").load()


def test_all_keys_are_the_current_one_and_those_before_it(monkeypatch, key_file):
    monkeypatch.setenv("NEW_KEY", new_key())
    keys = Keys({"a": KeySource(environment="NEW_KEY", previous=(KeySource(file=key_file),))})
    assert keys.all("a") == (keys.current("a"), SecretKey(SECRET))


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"environment": "A", "file": "b.key"},
        {"environment": "A", "password": "secret"},
        {"environment": ""},
        {"environment": "A", "previous": [{"file": "b.key", "previous": [{"file": "c.key"}]}]},
    ],
)
def test_a_key_lies_in_exactly_one_place(document):
    with pytest.raises(ValidationError):
        KeySource.model_validate(document)


def test_a_key_nobody_declared_is_told():
    with pytest.raises(ProjectError, match="there is no key 'clinic'; declare where it is"):
        Keys({}).current("clinic")
