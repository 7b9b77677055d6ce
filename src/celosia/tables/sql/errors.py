"""What the errors of servers mean: sentences that quote no value of a table."""

from dataclasses import dataclass

from celosia.say import say

__all__ = ["DatabaseErrorMeaning", "explain_mariadb", "explain_postgresql"]


@dataclass(frozen=True)
class DatabaseErrorMeaning:
    """What an error of the driver means: a sentence without any value, and what to do."""

    what: str
    remedy: str
    is_password: bool = False


POSTGRESQL = {
    "28P01": DatabaseErrorMeaning(
        say("the password is wrong, or none was given"),
        say("set {variable}, or use a keyring", variable="CELOSIA_PASSWORD"),
        True,
    ),
    "28000": DatabaseErrorMeaning(
        say("the server does not let this user in"), say("check user, host and TLS options"), True
    ),
    "3D000": DatabaseErrorMeaning(
        say("there is no such database"), say("check the name at the end of the address")
    ),
    "42501": DatabaseErrorMeaning(
        say("this user may not do that"), say("ask for the grants that the page on databases lists")
    ),
    "42P01": DatabaseErrorMeaning(say("there is no such table"), say("`celosia tables ADDRESS` lists them")),
    "3F000": DatabaseErrorMeaning(say("there is no such schema"), say("create it, or name another")),
    "42P07": DatabaseErrorMeaning(
        say("a table of that name exists already"), say("choose another name, or allow it with --overwrite")
    ),
    "2BP01": DatabaseErrorMeaning(
        say("other things in the database depend on the table"),
        say("remove them first, or choose another name"),
    ),
    "57014": DatabaseErrorMeaning(
        say("the query was stopped by the server"), say("ask for more time, or use a smaller table")
    ),
    "53100": DatabaseErrorMeaning(say("the disk of the server is full"), say("make room there")),
}
MARIADB = {
    1045: DatabaseErrorMeaning(
        say("the password is wrong, or none was given"),
        say("set {variable}, or use a keyring", variable="CELOSIA_PASSWORD"),
        True,
    ),
    **dict.fromkeys(
        (1044, 1142, 1143, 1227, 1410),
        DatabaseErrorMeaning(
            say("this user may not do that"), say("ask for the grants that the page on databases lists")
        ),
    ),
    1049: DatabaseErrorMeaning(
        say("there is no such database"), say("check the name at the end of the address")
    ),
    1146: DatabaseErrorMeaning(say("there is no such table"), say("`celosia tables ADDRESS` lists them")),
    1050: DatabaseErrorMeaning(
        say("a table of that name exists already"), say("choose another name, or allow it with --overwrite")
    ),
    **dict.fromkeys(
        (1021, 1114), DatabaseErrorMeaning(say("the disk of the server is full"), say("make room there"))
    ),
    **dict.fromkeys(
        (1205, 1213),
        DatabaseErrorMeaning(say("somebody else holds the table"), say("try again when they are done")),
    ),
}
QUOTING = (1264, 1265, 1292, 1366, 1367, 1406, 1411, 1416)
"""Errors whose text quotes a value."""


def explain_postgresql(error: BaseException) -> DatabaseErrorMeaning | None:
    """By the state that the server gives; data errors may quote values, so their text is not shown."""
    import psycopg

    if not isinstance(error, psycopg.Error):
        return None
    first = (str(error).strip().splitlines() or [""])[0][:200].rstrip(". ")
    state = error.sqlstate or _state_of(first)
    if state in POSTGRESQL:
        return POSTGRESQL[state]
    if state[:2] in ("08", "57") or (isinstance(error, psycopg.OperationalError) and not state):
        lost = say("the server cannot be reached, or the connection was lost ({cause})", cause=first)
        return DatabaseErrorMeaning(lost, say("check host, port and network; nothing was written"))
    if state[:2] in ("22", "23"):
        return DatabaseErrorMeaning(
            say("the database refused a value (state {state})", state=state),
            say("check types and lengths of the columns"),
        )
    return DatabaseErrorMeaning(
        say("the database refused it ({cause})", cause=first), say("check the table and the filter")
    )


def _state_of(text: str) -> str:
    """The state that a connection which failed would have if the driver told it."""
    if "password" in text:
        return "28P01"
    if "permission denied" in text:
        return "42501"
    return "3D000" if text.endswith("does not exist") and 'database "' in text else ""


def explain_mariadb(error: BaseException) -> DatabaseErrorMeaning | None:
    """By the number that the server gives; data errors may quote values, so their text is not shown."""
    import pymysql

    if isinstance(error, OSError):  # a file of certificates that is none, say
        return DatabaseErrorMeaning(
            say("the connection cannot be secured as asked"), say("check the TLS options of the address")
        )
    if not isinstance(error, pymysql.MySQLError):
        return None
    number = error.args[0] if error.args and isinstance(error.args[0], int) else 0
    if number in MARIADB:
        return MARIADB[number]
    text = str(error.args[1] if len(error.args) > 1 else error)
    first = (text.strip().splitlines() or [""])[0][:200].rstrip(". ")
    if number in (0, 1053, 1927, 1969) or 2000 <= number < 3000:
        return _unreachable(text)
    if isinstance(error, pymysql.DataError | pymysql.IntegrityError) or number in QUOTING:
        return DatabaseErrorMeaning(
            say("the database refused a value (error {number})", number=number),
            say("check types and lengths of the columns"),
        )
    return DatabaseErrorMeaning(
        say("the database refused it ({cause})", cause=first), say("check the table and the filter")
    )


def _unreachable(text: str) -> DatabaseErrorMeaning:
    if "certificate" in text.lower():
        return DatabaseErrorMeaning(
            say("the certificate of the server is not the one expected"), say("check ssl_ca in the address")
        )
    lost = say("the server cannot be reached, or the connection was lost")
    return DatabaseErrorMeaning(lost, say("check host, port and network; nothing was written"))
