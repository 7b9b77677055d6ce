"""People, passwords, sessions: who gets in, and for how long."""

import pytest
from sqlalchemy import select

from celosia.errors import ProjectError
from celosia.server import accounts
from celosia.server.rest.session import sign_in, sign_in_by_token
from celosia.server.store import sessions, users


def test_a_password_is_kept_as_a_hash_of_argon2_and_nothing_else(service, ana):
    with service.store.begin() as data:
        kept = data.scalar(select(users.c.password).where(users.c.id == ana.id))
    assert kept.startswith("$argon2id$")
    assert "rather long" not in kept


def test_name_and_password_open_a_session_of_which_only_a_digest_is_kept(service, ana):
    secret, session = sign_in(service, "ana", "a rather long secret of ana", "here")
    with service.store.begin() as data:
        assert accounts.find_session(data, secret) == session
        assert secret not in str(data.execute(select(sessions)).all())
        accounts.close_session(data, secret)
        assert accounts.find_session(data, secret) is None


@pytest.mark.parametrize(
    ("name", "password"), [("ana", "wrong"), ("nobody", "a rather long secret of ana"), ("ana", "")]
)
def test_whoever_is_wrong_learns_nothing_of_what_was_wrong(service, ana, name, password):
    with pytest.raises(accounts.SignInError, match="name and password do not belong together"):
        sign_in(service, name, password, "here")


def test_who_guesses_waits_and_a_right_password_does_not_help_meanwhile(service, ana):
    for _ in range(5):
        with pytest.raises(accounts.SignInError, match="do not belong"):
            sign_in(service, "ana", "guess", "here")
    with pytest.raises(accounts.SignInError, match="too many"):
        sign_in(service, "ana", "a rather long secret of ana", "elsewhere")


def test_another_password_ends_the_sessions_of_the_old_one(service, ana):
    secret, _ = sign_in(service, "ana", "a rather long secret of ana", "here")
    with service.store.begin() as data:
        accounts.change_password(data, "ana", "quite another secret")
        assert accounts.find_session(data, secret) is None


def test_sessions_end(service, ana):
    with service.store.begin() as data:
        secret, _ = accounts.open_session(data, ana, hours=-1)
        assert accounts.find_session(data, secret) is None


@pytest.mark.parametrize("password", ["", "short"])
def test_short_passwords_are_refused(service, password):
    with service.store.begin() as data, pytest.raises(ProjectError, match="fewer than 10"):
        accounts.add_user(data, "eva", password)


def test_a_name_is_had_by_one_person(service, ana):
    with service.store.begin() as data, pytest.raises(ProjectError, match="exists already"):
        accounts.add_user(data, "ana", "a rather long secret of ana")


def test_nobody_signs_in_as_the_local_person_with_a_password(service):
    with service.store.begin() as data:
        accounts.local_user(data)
    with pytest.raises(accounts.SignInError):
        sign_in(service, accounts.LOCAL, "", "here")


def test_a_link_works_once_and_not_where_people_sign_in(tmp_path):
    from celosia.server.service import Service
    from celosia.server.settings import Settings

    alone = Service(Settings(tmp_path / "alone"))
    token = alone.new_token()
    assert sign_in_by_token(alone, token)[1].user.name == accounts.LOCAL
    with pytest.raises(accounts.SignInError, match="used already"):
        sign_in_by_token(alone, token)
    shared = Service(Settings(tmp_path / "shared", has_users=True))
    with pytest.raises(accounts.SignInError):
        sign_in_by_token(shared, shared.new_token())


def test_whoever_owns_projects_is_not_taken_away(service, clinic):
    with service.store.begin() as data, pytest.raises(ProjectError, match="owns 1 project"):
        accounts.remove_user(data, "ana")
