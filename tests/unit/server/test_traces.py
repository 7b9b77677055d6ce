"""What is noted of what people do, and what is left of what they erase."""

import sqlite3

import pytest

from celosia.errors import CelosiaError
from celosia.server import accounts, hierarchies, projects, sources
from celosia.server.access import MemberRole
from celosia.server.audit import read_audit
from celosia.server.erasing import erase_previews, erase_project
from celosia.server.rest.session import sign_in, sign_out
from celosia.server.store import jobs
from celosia.server.workspace import job_folder, project_folder


def noted(service, project=None):
    with service.store.begin() as data:
        return [(each["who"], each["action"], each["detail"]) for each in read_audit(data, project)]


def test_erasing_leaves_no_name_behind(service, ana, clinic):
    hierarchies.write_rows(service, ana, clinic.id, "secret-column", [["a", "*"]])
    document = {**clinic.document, "name": "Ward of rare diseases"}
    projects.update_project(service, ana, clinic.id, document, remark="role of secret-column")
    erase_project(service, ana, clinic.id)
    assert {detail for _, action, detail in noted(service, clinic.id) if action != "erase project"} == {""}
    workspace = service.settings.workspace
    left = b"".join(path.read_bytes() for path in workspace.rglob("*") if path.is_file())
    assert [word for word in (b"rare diseases", b"secret-column", b"people.csv") if word in left] == []


def test_a_file_that_is_replaced_is_gone(service, ana, clinic):
    sources.add_file(service, ana, clinic.id, "people.csv", [b"age,sex,ill\n1,f,a\n"], replace=True)
    folder = project_folder(service.settings.workspace, clinic.id) / "data"
    assert [path.name for path in folder.iterdir()] == ["people.csv"]
    assert (folder / "people.csv").read_bytes() == b"age,sex,ill\n1,f,a\n"


@pytest.mark.parametrize("kind", ["profile", "hierarchy", "look"])
def test_rows_that_jobs_kept_go_with_their_table(service, ana, clinic, kind):
    job = service.queue.submit(ana, clinic.id, kind, {"table": "people"})["id"]
    folder = job_folder(service.settings.workspace, clinic.id, job)
    folder.mkdir(parents=True)
    (folder / "result.json").write_text("{}")
    with service.store.begin() as data:
        data.execute(jobs.update().values(state="done"))
    assert erase_previews(service, ana, clinic.id, "people") == 1
    assert not folder.exists()


def test_signing_in_and_out_is_noted(service, ana):
    secret, _ = sign_in(service, "ana", "a rather long secret of ana", "here")
    sign_out(service, secret)
    sign_out(service, secret)
    assert [action for who, action, _ in noted(service) if who == "ana"] == ["sign out", "sign in"]


def test_who_may_sign_in_is_noted(service, ana):
    with service.store.begin() as data:
        accounts.change_password(data, "ana", "another rather long secret")
        accounts.remove_user(data, "ana")
    found = [(who, action) for who, action, detail in noted(service) if detail == "ana"]
    assert found == [(accounts.CONSOLE, text) for text in ("remove user", "change password", "add user")]


def test_a_copy_is_noted_where_it_was_taken(service, ana, luz, clinic):
    projects.set_member(service, ana, clinic.id, "luz", MemberRole.ANALYST)
    projects.copy_project(service, luz, clinic.id, "Mine")
    assert ("luz", "copy project", "") in noted(service, clinic.id)


def test_looking_at_a_hierarchy_is_noted(service, ana, clinic):
    hierarchies.write_rows(service, ana, clinic.id, "age", [["20", "*"]])
    hierarchies.read_rows(service, ana, clinic.id, "age")
    assert ("ana", "see hierarchy file", "age") in noted(service, clinic.id)


def test_mistakes_of_long_ago_are_forgiven(monkeypatch):
    patience, clock = accounts.SignInThrottle(), [1e6]
    monkeypatch.setattr(accounts.time, "monotonic", lambda: clock[0])
    for _ in range(9):
        patience.failed("from an office")
    assert patience.wait("from an office") > 10
    clock[0] += 3600
    patience.failed("from an office")
    assert patience.wait("from an office") == 0


def test_the_journal_of_the_database_is_empty_after_erasing(service, ana, clinic):
    erase_project(service, ana, clinic.id)
    assert not any(path.stat().st_size for path in service.settings.workspace.glob("*.db-wal"))
    with sqlite3.connect(service.settings.workspace / "celosia.db") as data:
        assert data.execute("select count(*) from projects").fetchone() == (0,)


def test_who_only_views_does_not_read_mistakes_that_may_name_values(service, ana, luz, clinic):
    projects.set_member(service, ana, clinic.id, "luz", MemberRole.VIEWER)
    job = service.queue.submit(ana, clinic.id, "profile", {"table": "people"})["id"]
    wrong = {"what": "'Ana Pérez' is no number", "where": "age", "remedy": ""}
    with service.store.begin() as data:
        data.execute(jobs.update().values(state="failed", error=wrong))
    assert service.queue.find(ana, job)["error"] == wrong
    assert "Pérez" not in str((service.queue.find(luz, job), service.queue.list(luz, clinic.id)))


def test_an_operation_that_needs_a_key_gets_one(service, ana, clinic):
    document = {**clinic.document}
    columns = document["tables"]["people"]["columns"]
    columns["ill"] = {"role": "identifier", "operation": {"name": "pseudonymize"}}
    held = projects.update_project(service, ana, clinic.id, document)
    assert held.document["keys"] == {"default": {"file": "keys/default.key"}}
    assert (project_folder(service.settings.workspace, clinic.id) / "keys" / "default.key").is_file()


def test_the_name_of_a_key_leads_nowhere_else(service, ana, clinic):
    document = {**clinic.document}
    operation = {"name": "pseudonymize", "key": "../../../stolen"}
    document["tables"]["people"]["columns"]["ill"] = {"role": "identifier", "operation": operation}
    with pytest.raises(CelosiaError):
        projects.update_project(service, ana, clinic.id, document)
