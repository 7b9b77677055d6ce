"""People, their passwords and their sessions; the link of the start; and patience with those who guess."""

import hashlib
import hmac
import secrets
import threading
import time
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select, update

from celosia.errors import CelosiaError, ProjectError
from celosia.say import say
from celosia.server.access import User
from celosia.server.audit import note
from celosia.server.store import now, record, sessions, users

__all__ = [
    "LOCAL",
    "SignInError",
    "SignInThrottle",
    "UserSession",
    "add_user",
    "change_password",
    "check_password",
    "close_session",
    "find_session",
    "find_user",
    "list_users",
    "local_user",
    "open_session",
    "remove_user",
]

LOCAL = "local"
"""The person who has the link, where nobody signs in."""
CONSOLE = "(console)"
"""Whoever has the terminal of the service; nobody signs in by this name."""
SHORTEST = 10
_TRIES, _FIRST_WAIT, _LONGEST_WAIT = 5, 2.0, 900.0


class SignInError(CelosiaError):
    """A name and a password that do not belong together, or too many of them."""


@dataclass(frozen=True)
class UserSession:
    """A person who is signed in, and the word that her own pages know."""

    user: User
    csrf: str


def add_user(data: Connection, name: str, password: str, *, mail: str = "") -> User:
    """A new person.

    >>> from celosia.server.store import Store
    >>> with Store("sqlite://").begin() as data:
    ...     add_user(data, "ana", "correct horse battery").name
    'ana'
    """
    name = name.strip()
    if not name or len(name) > 100 or any(not letter.isprintable() for letter in name):
        raise ProjectError(say("this is no name"), where="name", remedy=say("give one of 1 to 100 letters"))
    if data.scalar(select(users.c.id).where(users.c.name == name)) is not None:
        raise ProjectError(
            say("{name} exists already", name=name), where="name", remedy=say("choose another name")
        )
    user = User(secrets.token_hex(8), name)
    data.execute(
        users.insert().values(id=user.id, name=name, mail=mail, password=_hash(password), created=now())
    )
    note(data, CONSOLE, "add user", detail=name)
    return user


def local_user(data: Connection) -> User:
    """The person who has the link; nobody can sign in as her with a password."""
    row = data.execute(select(users.c.id, users.c.name).where(users.c.name == LOCAL)).first()
    if row is not None:
        return User(*row)
    user = User(secrets.token_hex(8), LOCAL)
    data.execute(users.insert().values(id=user.id, name=LOCAL, mail="", password="", created=now()))
    return user


def change_password(data: Connection, name: str, password: str) -> None:
    """Another password; whoever is signed in with the old one no longer is."""
    user = find_user(data, name)
    data.execute(update(users).where(users.c.id == user.id).values(password=_hash(password)))
    data.execute(delete(sessions).where(sessions.c.user_id == user.id))
    note(data, CONSOLE, "change password", detail=name)


def remove_user(data: Connection, name: str) -> None:
    """Take a person away, with her sessions; one who still owns projects stays."""
    from celosia.server.store import projects

    user = find_user(data, name)
    owned = data.execute(select(projects.c.id).where(projects.c.user_id == user.id)).all()
    if owned:
        raise ProjectError(
            say("{name} owns {count} projects", name=name, count=len(owned)),
            where="name",
            remedy=say("erase them first, or leave the account"),
        )
    data.execute(delete(users).where(users.c.id == user.id))
    note(data, CONSOLE, "remove user", detail=name)


def find_user(data: Connection, name: str) -> User:
    """The person of a name."""
    row = data.execute(select(users.c.id, users.c.name).where(users.c.name == name)).first()
    if row is None:
        raise ProjectError(
            say("there is no user {name!r}", name=name), where="name", remedy=say("see `celosia users list`")
        )
    return User(*row)


def list_users(data: Connection) -> list[dict[str, str]]:
    """Everybody, without passwords."""
    query = select(users.c.name, users.c.mail, users.c.created).order_by(users.c.name)
    return [record(row) for row in data.execute(query)]


def check_password(data: Connection, name: str, password: str) -> User:
    """The person whose name and password these are; it takes as long for a name that does not exist."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error, InvalidHashError

    row = data.execute(select(users).where(users.c.name == name)).first()
    kept = row.password if row is not None and row.password else _decoy()
    try:
        PasswordHasher().verify(kept, password)
        is_right = row is not None and bool(row.password)
    except (Argon2Error, InvalidHashError):
        is_right = False
    if not is_right or row is None:
        raise SignInError(
            say("name and password do not belong together"), remedy=say("check both and try again")
        )
    return User(row.id, row.name)


def open_session(data: Connection, user: User, hours: float) -> tuple[str, UserSession]:
    """A new session: the secret of its cookie, of which only a digest is kept, and the session."""
    secret, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
    data.execute(delete(sessions).where(sessions.c.expires < time.time()))
    data.execute(
        sessions.insert().values(
            digest=_digest(secret), user_id=user.id, csrf=csrf, expires=time.time() + hours * 3600
        )
    )
    return secret, UserSession(user, csrf)


def find_session(data: Connection, secret: str) -> UserSession | None:
    """The session of a cookie, while it lasts."""
    row = data.execute(
        select(users.c.id, users.c.name, sessions.c.csrf)
        .join_from(sessions, users)
        .where(sessions.c.digest == _digest(secret), sessions.c.expires > time.time())
    ).first()
    return None if row is None else UserSession(User(row.id, row.name), row.csrf)


def close_session(data: Connection, secret: str) -> None:
    """Sign out."""
    data.execute(delete(sessions).where(sessions.c.digest == _digest(secret)))


class SignInThrottle:
    """Lets nobody guess quickly: after a few failures one waits, twice as long each time.

    >>> patience = SignInThrottle()
    >>> for _ in range(5): patience.failed("ana")
    >>> patience.wait("ana") > 0, patience.wait("luz")
    (True, 0.0)
    """

    def __init__(self) -> None:
        self._failures: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def wait(self, who: str) -> float:
        """Seconds until somebody may try again."""
        _, until = self._failures.get(who, (0, 0.0))
        return max(0.0, until - time.monotonic())

    def failed(self, who: str) -> None:
        """Somebody guessed wrong."""
        with self._lock:
            if len(self._failures) > 10_000:  # whoever tries ever new names must not fill the memory
                self._failures.clear()
            count, until = self._failures.get(who, (0, 0.0))
            # Mistakes of long ago are forgiven: many people may come from one address.
            count = 1 if time.monotonic() - until > _LONGEST_WAIT else count + 1
            wait = min(_FIRST_WAIT * 2 ** (count - _TRIES), _LONGEST_WAIT) if count >= _TRIES else 0.0
            self._failures[who] = count, time.monotonic() + wait

    def succeeded(self, who: str) -> None:
        """Somebody knew it."""
        with self._lock:
            self._failures.pop(who, None)


def same(first: str, second: str) -> bool:
    """Whether two secrets are the same, in a time that tells nothing."""
    return hmac.compare_digest(first.encode(), second.encode())


def _hash(password: str) -> str:
    from argon2 import PasswordHasher

    if len(password) < SHORTEST:
        raise ProjectError(
            say("the password has fewer than {least} characters", least=SHORTEST),
            where="password",
            remedy=say("choose a longer one: a few words are easy to remember"),
        )
    return str(PasswordHasher().hash(password))


_decoys: list[str] = []


def _decoy() -> str:
    """A hash that no password has."""
    if not _decoys:
        _decoys.append(_hash(secrets.token_urlsafe(24)))
    return _decoys[0]


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
