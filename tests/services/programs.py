"""What servers need of this machine: programs, a port, a user, a certificate."""

import os
import pwd
import secrets
import shutil
import socket
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import pytest

HOST = "127.0.0.1"


class ProgramsMissingError(Exception):
    """A server is not installed on this machine."""


def leave_out(missing: Exception) -> NoReturn:
    """Skip a test that cannot be run here for want of a program or a public table."""
    # Where everything is to be tested, a test that was left out would pass unnoticed.
    if os.environ.get("CI") or os.environ.get("CELOSIA_SERVICES") == "required":
        pytest.fail(str(missing))
    pytest.skip(str(missing))


def postgresql_programs() -> Path:
    """The folder of the newest PostgreSQL."""
    # Debian keeps one folder per version and leaves them out of the path.
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    found = [folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()]
    in_path = find_program("initdb")
    if in_path is not None:
        found.append(in_path.resolve().parent)
    if not found:
        raise ProgramsMissingError("PostgreSQL is not installed: tests/services/install")
    return found[-1]


def mariadb_programs() -> tuple[Path, Path]:
    """What prepares a MariaDB, and what runs it."""
    install, server = find_program("mariadb-install-db"), find_program("mariadbd")
    if install is None or server is None:
        raise ProgramsMissingError("MariaDB is not installed: tests/services/install")
    return install, server


def find_program(name: str) -> Path | None:
    """Where a program is; servers are not in everybody's path."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin:/sbin")
    return Path(found) if found else None


def certificate_commands(folder: Path) -> list[list[str]]:
    """What makes a self-signed certificate for this machine; nothing where the program for it is missing."""
    program = find_program("openssl")
    if program is None:
        return []
    make = [
        str(program),
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    make += ["-days", "2", "-subj", "/CN=localhost", "-addext", f"subjectAltName=DNS:localhost,IP:{HOST}"]
    return [[*make, "-keyout", str(folder / "server.key"), "-out", str(folder / "server.crt")]]


def hand_over(folder: Path, name: str) -> None:
    """Gives the folder to the user that the server runs as."""
    if os.getuid() != 0:
        return
    try:
        owner = pwd.getpwnam(name)
    except KeyError:
        owner = pwd.getpwnam("nobody")
    for path in (folder, *folder.iterdir()):
        os.chown(path, owner.pw_uid, owner.pw_gid)


def free_port() -> int:
    """A port below those that the system gives to anybody who asks, so that it is still free when the server starts."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind((HOST, port))
            return port
