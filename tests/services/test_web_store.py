"""The service keeps its own data in PostgreSQL as it does in SQLite, and takes tables from databases and back."""

import os
import time

import pytest

from celosia.server import accounts, erasing, projects, sources
from celosia.server.queue import OPEN
from celosia.server.service import Service
from celosia.server.settings import Settings

ROWS = ", ".join(f"({20 + n % 12}, '{'fm'[n % 2]}')" for n in range(60))


def wait(service, user, job):
    while job["state"] in OPEN:
        time.sleep(0.05)
        job = service.queue.find(user, job["id"])
    return job


@pytest.fixture
def service(postgresql, tmp_path, monkeypatch):
    monkeypatch.setenv("CELOSIA_SERVER_PASSWORD", postgresql.password)
    address = postgresql.new_database()
    made = Service(Settings(tmp_path / "workspace", database=address, has_users=True, runners=1))
    yield made
    made.close()
    postgresql.drop_database(address.rpartition("/")[2])


@pytest.mark.parametrize("database", ["postgresql", "mariadb"], indirect=True)
def test_a_table_of_a_database_is_released_back_to_it_and_no_password_is_kept_in_the_clear(service, database):
    database.run("CREATE TABLE people (age integer, sex varchar(1))")
    database.run(f"INSERT INTO people VALUES {ROWS}")
    with service.store.begin() as data:
        ana = accounts.add_user(data, "ana", "a rather long secret")
    held = projects.create_project(service, ana, "Clinic")
    password = os.environ["CELOSIA_PASSWORD"]  # which jobs do not see
    source = sources.add_connection(service, ana, held.id, "clinic", database.address, password)
    document = {
        "models": [{"model": "k-anonymity", "k": 3}],
        "connections": {"clinic": source["address"]},
        "tables": {
            "people": {
                "source": {"connection": "clinic", "table": "people"},
                "columns": {"age": "quasi-identifier", "sex": "quasi-identifier"},
            }
        },
    }
    projects.update_project(service, ana, held.id, document)
    service.queue.start()
    listed = wait(service, ana, service.queue.submit(ana, held.id, "tables", {"address": source["address"]}))
    assert any("people" in name for name in service.queue.result(ana, listed["id"])["tables"])
    job = service.queue.submit(
        ana, held.id, "release", {"connection": source["address"], "out_table": "people_safe"}
    )
    done = wait(service, ana, job)
    assert done["state"] == "done", done["error"]
    smallest = "SELECT min(n) FROM (SELECT count(*) AS n FROM people_safe GROUP BY age, sex) AS classes"
    assert database.query(smallest)[0][0] >= 3
    kept = str(service.queue.list(ana, held.id)) + str(sources.list_sources(service, ana, held.id))
    assert password not in kept
    assert erasing.erase_project(service, ana, held.id).left[-1].startswith("tables in connected databases")


def test_a_wrong_password_is_a_sentence_without_it(service, postgresql):
    with service.store.begin() as data:
        ana = accounts.add_user(data, "ana", "a rather long secret")
    held = projects.create_project(service, ana, "Clinic")
    address = postgresql.address("postgres")
    sources.add_connection(service, ana, held.id, "clinic", address, "wr0ng-w0rd")
    service.queue.start()
    done = wait(service, ana, service.queue.submit(ana, held.id, "tables", {"address": address}))
    assert done["state"] == "failed"
    assert "password" in str(done["error"])
    assert "wr0ng-w0rd" not in str(done)
