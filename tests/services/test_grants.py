"""The grants that the pages list are enough, and none of them is too many."""

import pytest
from runs import RELEASE, make_people

from celosia.tables.sql.open import new_table, open_sql_table
from celosia.tables.table import Recoding

ROLES = RELEASE[4:]
READING = {
    "postgresql": ("CONNECT ON DATABASE {db}", "USAGE ON SCHEMA clinic", "SELECT ON clinic.people"),
    "mariadb": ("SELECT ON {db}.people",),
}
WRITING = {
    "postgresql": ("CONNECT ON DATABASE {db}", "USAGE ON SCHEMA safe", "CREATE ON SCHEMA safe"),
    "mariadb": (
        "CREATE ON {db}_safe.*",
        "INSERT ON {db}_safe.*",
        *(rf"{right} ON `celosia\_%`.*" for right in ("SELECT", "INSERT", "CREATE", "ALTER", "DROP")),
    ),
}
ROLES_OF = {
    "reading": READING,
    "releasing": {kind: tuple(dict.fromkeys(READING[kind] + WRITING[kind])) for kind in READING},
}
CASES = [(kind, what, None) for kind in READING for what in ROLES_OF]
CASES += [(kind, what, lost) for kind, what, _ in CASES for lost in ROLES_OF[what][kind]]
SENTENCES = (
    "may not do that",
    "does not let this user in",
    "there is no table",
    "there is no such",
    "there is no schema",
)


@pytest.fixture
def clinic(request, monkeypatch):
    """A server of a kind with a table of people, a place for releases, and nothing that everybody may do."""
    kind = request.param
    server = request.getfixturevalue(kind)
    monkeypatch.setenv("CELOSIA_PASSWORD", "a password")
    monkeypatch.setenv("CELOSIA_OUT_PASSWORD", "a password")
    name = server.new_database().rpartition("/")[2]
    if kind == "postgresql":
        server.run(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")
        server.run("REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE SCHEMA clinic; CREATE SCHEMA safe", name)
        make_people(lambda sql: server.run(sql, name), table="clinic.people")
        yield server, name, "clinic.people", "safe.people_safe"
        server.run("DROP OWNED BY worker", name)
    else:
        server.run(f"CREATE DATABASE {name}_safe")
        make_people(lambda sql: server.run(sql, name))
        yield server, name, "people", f"{name}_safe.people_safe"
        server.drop_database(f"{name}_safe")
    server.drop_database(name)


def may(server, name, grants, user="worker"):
    server.new_user(user, "a password", *(grant.format(db=name) for grant in grants), database=name)
    return server.address(name, user)


def work(nursery, address, what, table, out, place, *more):
    destination = ["--out", "safe.csv"] if what == "reading" else ["--out-table", out]
    return nursery.run(["anonymize", address, "--table", table, *ROLES, *destination, *more], place)


@pytest.mark.parametrize(("clinic", "what", "lost"), CASES, indirect=["clinic"])
def test_each_of_the_grants_is_needed_and_all_of_them_are_enough(clinic, what, lost, nursery, folders):
    server, name, table, out = clinic
    address = may(server, name, [grant for grant in ROLES_OF[what][server.scheme] if grant != lost])
    status, shown = work(nursery, address, what, table, out, folders[0])
    if lost is None:
        assert status == 0, shown
        return
    assert status == 2, shown
    assert any(sentence in shown for sentence in SENTENCES), shown
    assert list(folders[0].iterdir()) == []
    if server.scheme == "mariadb":
        assert not server.query("SELECT 1 FROM information_schema.schemata WHERE schema_name LIKE 'celosia%'")


@pytest.mark.parametrize("clinic", list(READING), indirect=True)
def test_a_user_who_may_only_read_and_one_who_may_only_write_are_enough(
    clinic, nursery, folders, monkeypatch
):
    server, name, table, out = clinic
    source = may(server, name, READING[server.scheme])
    target = may(server, name, WRITING[server.scheme], user="writer")
    monkeypatch.setenv("CELOSIA_OUT_PASSWORD", "a password")
    if server.scheme == "mariadb":
        target = target.replace(f"/{name}", f"/{name}_safe")
    status, shown = work(nursery, source, "releasing", table, out, folders[0], "--out", target)
    assert status == 0, shown
    if server.scheme == "postgresql":
        server.run("DROP OWNED BY writer", name)


@pytest.mark.parametrize("clinic", list(READING), indirect=True)
def test_replacing_a_release_needs_what_its_owner_may(clinic, nursery, folders):
    server, name, table, out = clinic
    more = ("ALTER ON {db}_safe.*", "DROP ON {db}_safe.*") if server.scheme == "mariadb" else ()
    address = may(server, name, (*ROLES_OF["releasing"][server.scheme], *more))
    for _ in range(2):
        status, shown = work(nursery, address, "releasing", table, out, folders[0], "--overwrite")
        assert status == 0, shown


@pytest.mark.parametrize("clinic", ["postgresql"], indirect=True)
@pytest.mark.parametrize("more", [(), ("TEMPORARY ON DATABASE {db}",)])
def test_postgresql_needs_temporary_tables_for_many_values(clinic, more, nursery, folders):
    server, name, _, out = clinic
    server.run(
        "CREATE TABLE clinic.many AS SELECT i AS id, i / 2 AS age FROM generate_series(1, 4400) i", name
    )
    grants = [grant.replace("clinic.people", "clinic.many") for grant in ROLES_OF["releasing"]["postgresql"]]
    address = may(server, name, (*grants, *more))
    roles = ["--identifier", "id", "--qi", "age", "-k", "5", "--technique", "full-domain"]
    status, shown = nursery.run(
        ["anonymize", address, "--table", "clinic.many", *roles, "--out-table", out], folders[0]
    )
    assert status == (0 if more else 2), shown
    assert more or "may not do that" in shown


@pytest.mark.parametrize("clinic", ["postgresql"], indirect=True)
def test_postgresql_needs_no_temporary_table_for_a_column_without_values(clinic):
    server, name, *_ = clinic
    server.run("CREATE TABLE clinic.blank AS SELECT 1 AS id, NULL::text AS town", name)
    grants = [grant.replace("clinic.people", "clinic.blank") for grant in ROLES_OF["releasing"]["postgresql"]]
    source = open_sql_table(may(server, name, grants), "clinic.blank", writes=True)
    target = new_table(None, "safe.blank", source=source)
    source.write(Recoding(maps={"town": {None: "any"}}), target)
    target.publish()
    source.close()
    assert server.query("SELECT id, town FROM safe.blank", name) == [(1, "any")]
