"""Projects belong to somebody, have versions, and are seen by nobody else."""

import pytest

from celosia.errors import ProjectError
from celosia.server import hierarchies, projects, sources
from celosia.server.access import DeniedError, MemberRole
from celosia.server.audit import read_audit


def test_every_change_is_a_version_and_an_earlier_one_can_be_had_again(service, ana, clinic):
    again = projects.update_project(service, ana, clinic.id, {**clinic.document, "suppression": 0.1})
    assert (again.version, again.document["suppression"]) == (3, 0.1)
    restored = projects.restore_version(service, ana, clinic.id, 2)
    assert (restored.version, "suppression" in restored.document) == (4, False)
    assert [each["number"] for each in projects.list_versions(service, ana, clinic.id)] == [4, 3, 2, 1]


def test_two_who_change_the_same_version_do_not_overwrite_each_other(service, ana, clinic):
    projects.update_project(service, ana, clinic.id, clinic.document, expected=2)
    with pytest.raises(projects.ChangedError, match="version 3 by now"):
        projects.update_project(service, ana, clinic.id, clinic.document, expected=2)


def test_a_document_that_is_no_project_is_refused_with_the_field(service, ana, clinic):
    with pytest.raises(ProjectError, match="suppression"):
        projects.update_project(service, ana, clinic.id, {"suppression": 2})


EVERY_WAY = [
    projects.read_project,
    lambda s, u, p: projects.update_project(s, u, p, {}),
    lambda s, u, p: projects.copy_project(s, u, p, "mine"),
    projects.list_versions,
    lambda s, u, p: projects.read_version(s, u, p, 1),
    projects.list_members,
    lambda s, u, p: projects.set_member(s, u, p, "luz", MemberRole.ANALYST),
    sources.list_sources,
    lambda s, u, p: sources.add_file(s, u, p, "x.csv", [b"a\n1\n"]),
    lambda s, u, p: sources.add_connection(s, u, p, "x", "postgresql://a@h/d", "x"),
    hierarchies.list_hierarchies,
    lambda s, u, p: hierarchies.write_rows(s, u, p, "age", [["1", "*"]]),
    lambda s, u, p: s.queue.submit(u, p, "profile"),
    lambda s, u, p: s.queue.list(u, p),
]


@pytest.mark.parametrize("way", EVERY_WAY)
def test_whoever_has_no_part_in_a_project_does_not_learn_that_it_exists(service, ana, luz, clinic, way):
    with pytest.raises(DeniedError, match="there is no such project"):
        way(service, luz, clinic.id)
    with pytest.raises(DeniedError, match="there is no such project"):
        way(service, luz, "0123456789abcdef")
    assert projects.list_projects(service, luz) == []


def test_a_copy_has_the_files_but_no_password(service, ana, clinic):
    sources.add_connection(service, ana, clinic.id, "db", "postgresql://ana@db.example/clinic", "s3cret")
    copy = projects.copy_project(service, ana, clinic.id, "Second")
    assert copy.document["tables"] == clinic.document["tables"]
    held = {each["name"]: each["has_password"] for each in sources.list_sources(service, ana, copy.id)}
    assert held == {"db": False, "people.csv": False}
    assert sources.passwords(service, copy.id) == {}


def test_who_did_what_is_kept(service, ana, clinic):
    with service.store.begin() as data:
        deeds = [(each["who"], each["action"]) for each in read_audit(data, clinic.id)]
    assert deeds == [("ana", "change project"), ("ana", "add file"), ("ana", "create project")]


@pytest.mark.parametrize("name", ["", "   ", "x" * 121, "a\x00b"])
def test_odd_names_of_projects_are_refused(service, ana, name):
    with pytest.raises(ProjectError, match="no name for a project"):
        projects.create_project(service, ana, name)
