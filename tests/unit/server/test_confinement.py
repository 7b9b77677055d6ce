"""Nothing that a user writes opens a path outside of her project, or sends a password where it does not belong."""

import os
from contextlib import suppress

import pytest

from celosia.errors import CelosiaError, ProjectError
from celosia.server import projects, sources
from celosia.server.access import DeniedError
from celosia.server.confine import check_document
from celosia.server.workspace import file_in, plain_name, project_folder


def with_source(source):
    return {"tables": {"people": {"source": source}}}


OUTSIDE = [
    with_source("/etc/passwd"),
    with_source("../../celosia.db"),
    with_source("data/../../../server.key"),
    with_source({"path": "/etc/passwd", "format": "csv"}),
    with_source("sqlite:////etc/passwd"),
    with_source("duckdb:///x.db"),
    with_source("postgresql://ana@elsewhere/clinic"),
    with_source("hdfs:///people.parquet"),
    with_source("file:///etc/passwd"),
    with_source("hive:people"),
    {"connections": {"x": "mysql://root@localhost/mysql"}},
    {"extends": "/etc/passwd"},
    {"extends": "other.yaml"},
    {"spark": {"master": "spark://elsewhere:7077"}},
    {"spark": {"config": {"spark.jars": "http://elsewhere/x.jar"}}},
    {"hierarchies": {"age": "/etc/passwd.csv"}},
    {"tables": {"people": {"columns": {"age": {"hierarchy": "../../x.csv"}}}}},
    {"tables": {"people": {"destination": "/tmp/out.csv"}}},
    {"tables": {"people": {"destination": {"path": "out.csv", "record": "/tmp/r.json"}}}},
    {"tables": {"people": {"control": "/etc/passwd"}}},
    {"tables": {"people": {"population": "/etc/passwd"}}},
    {"tables": {"people": {"population": {"source": {"path": "/etc/passwd"}}}}},
    {"tables": {"people": {"attacker": {"source": "/etc/passwd"}}}},
    {"compare": {"others": {"x": "/etc/passwd"}}},
    {"keys": {"default": {"file": "/etc/passwd"}}},
    {"keys": {"default": {"environment": "HOME"}}},
    {"keys": {"default": {"keyring": "x"}}},
    {"tables": {"p": {"columns": {"a": {"operation": {"name": "substitute", "file": "/etc/passwd"}}}}}},
    {"version": 1, "source": "/etc/passwd"},
]


@pytest.mark.parametrize("document", OUTSIDE, ids=str)
def test_a_document_that_reaches_out_of_its_project_is_refused(service, ana, clinic, document):
    with pytest.raises(ProjectError):
        projects.update_project(service, ana, clinic.id, document)
    with pytest.raises(ProjectError):
        projects.create_project(service, ana, "Another", document)


def test_a_link_in_the_folder_does_not_lead_out_of_it(service, ana, clinic):
    folder = project_folder(service.settings.workspace, clinic.id)
    os.symlink("/etc", folder / "data" / "etc")
    with pytest.raises(ProjectError, match="outside of the project"):
        projects.update_project(service, ana, clinic.id, with_source("data/etc/passwd"))
    os.symlink("/etc/passwd", folder / "data" / "passwd")
    with pytest.raises(DeniedError):
        file_in(folder / "data", "passwd")


@pytest.mark.parametrize(
    "name", ["../x.csv", "/etc/passwd.csv", "..\\x.csv", "a/b.csv", "\x00.csv", ".csv", "..", "x.csv/"]
)
def test_an_uploaded_file_stays_where_files_are_whatever_its_name(service, ana, clinic, name):
    folder = project_folder(service.settings.workspace, clinic.id)
    with suppress(CelosiaError):
        sources.add_file(service, ana, clinic.id, name, [b"a\n1\n"])
    found = {
        path.relative_to(service.settings.workspace).parts[:3]
        for path in service.settings.workspace.rglob("*.csv")
    }
    assert found == {("projects", clinic.id, "data")}
    assert all(path.parent == folder / "data" for path in folder.rglob("*.csv"))


@pytest.mark.parametrize("name", ["x" * 500 + ".csv", "ñandú 2024.csv", "con<script>.csv"])
def test_odd_names_become_plain_ones(name):
    plain = plain_name(name)
    assert len(plain) <= 120
    assert plain.endswith(".csv")
    assert not set("<>/\\") & set(plain)


def test_a_file_that_is_too_large_or_empty_leaves_nothing(service, ana, clinic):
    folder = project_folder(service.settings.workspace, clinic.id) / "data"
    before = sorted(os.listdir(folder))
    for blocks in ([b"x" * (1 << 19)] * 3, [], [b""]):
        with pytest.raises(CelosiaError):
            sources.add_file(service, ana, clinic.id, "large.csv", blocks)
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ana:secret@host/db",
        "postgresql:///db",
        "postgresql://ana@/db?host=/var/run/postgresql",
        "postgresql://ana@host/db?sslkey=/etc/ssl/private/key.pem",
        "postgresql://ana@host/db?passfile=/root/.pgpass",
        "sqlite:///celosia.db",
        "oracle://x@y/z",
        "not an address",
        "",
    ],
)
def test_odd_addresses_of_databases_are_refused(service, ana, clinic, address):
    with pytest.raises(CelosiaError) as caught:
        sources.add_connection(service, ana, clinic.id, "db", address, "x")
    assert "secret" not in str(caught.value)


def test_a_password_is_sealed_and_never_shown(service, ana, clinic):
    made = sources.add_connection(
        service, ana, clinic.id, "db", "postgresql://ana@host/clinic", "s3cret-w0rd"
    )
    assert made["has_password"]
    assert "s3cret" not in str(made) + str(sources.list_sources(service, ana, clinic.id))
    held = b"".join(path.read_bytes() for path in service.settings.workspace.rglob("*") if path.is_file())
    assert b"s3cret-w0rd" not in held
    assert sources.passwords(service, clinic.id) == {"postgresql://ana@host/clinic": "s3cret-w0rd"}


def test_only_its_owner_may_enter_the_workspace(service, ana, clinic):
    assert service.settings.workspace.stat().st_mode & 0o077 == 0
    folder = project_folder(service.settings.workspace, clinic.id)
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "place",
    [
        "data/{a,../../../etc/passwd}.csv",
        "data/*/../../../x.csv",
        "s3://clinic/people.parquet",
        "https://169.254.169.254/latest.csv",
        "gs://clinic/*.csv",
    ],
)
def test_patterns_stores_and_the_web_are_no_way_out(tmp_path, place):
    document = {"tables": {"people": {"source": place}}}
    with pytest.raises(ProjectError, match=r"outside of the project|does not go to this place"):
        check_document(document, tmp_path, addresses=frozenset(), places=())
    inside = {"tables": {"people": {"source": "data/*.csv", "destination": "s3://clinic/safe/a.csv"}}}
    check_document(inside, tmp_path, addresses=frozenset(), places=("s3://clinic/safe/",))
