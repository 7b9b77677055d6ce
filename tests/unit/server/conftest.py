"""A service in a folder of its own, people, and a way to wait for jobs."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from celosia.errors import ProjectError
from celosia.server import accounts, projects, sources
from celosia.server.access import User
from celosia.server.projects import StoredProject
from celosia.server.queue import OPEN
from celosia.server.service import Service
from celosia.server.settings import Settings

PEOPLE = "age,sex,ill\n" + "".join(f"{20 + n % 12},{'fm'[n % 2]},{'abc'[n % 3]}\n" for n in range(120))
COLUMNS = {"age": "quasi-identifier", "sex": "quasi-identifier", "ill": "sensitive"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A service without anybody who carries out jobs, until its queue is started."""
    made = Service(Settings(tmp_path / "workspace", has_users=True, upload_limit=1 << 20, runners=1))
    yield made
    made.close()


@pytest.fixture(scope="module")
def working(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that carries out jobs, for many tests: each has a project of its own."""
    made = Service(Settings(tmp_path_factory.mktemp("working"), has_users=True, runners=1))
    made.queue.start()
    yield made
    made.close()


def person(service: Service, name: str) -> User:
    with service.store.begin() as data:
        try:
            return accounts.find_user(data, name)
        except ProjectError:
            return accounts.add_user(data, name, f"a rather long secret of {name}")


@pytest.fixture
def ana(service: Service) -> User:
    return person(service, "ana")


@pytest.fixture
def luz(service: Service) -> User:
    return person(service, "luz")


@pytest.fixture
def clinic(service: Service, ana: User) -> StoredProject:
    """A project of Ana's with a table and all it needs to be released."""
    held = projects.create_project(service, ana, "Clinic")
    made = sources.add_file(service, ana, held.id, "people.csv", [PEOPLE.encode()])
    document = {
        "models": [{"model": "k-anonymity", "k": 3}],
        "tables": {"people": {"source": made["address"], "unlisted": "drop", "columns": COLUMNS}},
    }
    return projects.update_project(service, ana, held.id, document)


@pytest.fixture
def wait(service: Service) -> Callable[..., dict]:
    """Wait until a job ends."""

    def until_over(user: User, job: dict, seconds: float = 60) -> dict:
        end = time.monotonic() + seconds
        while job["state"] in OPEN:
            assert time.monotonic() < end, job
            time.sleep(0.02)
            job = service.queue.find(user, job["id"])
        return job

    return until_over
