"""A table in PostgreSQL: connected, looked at, and its release written back beside it."""

from sites import DOCUMENT, PEOPLE


def test_a_table_of_a_database_is_released_into_it(site, visit, postgresql):
    address = postgresql.new_database()
    database = address.rpartition("/")[2]
    rows = [line.split(",") for line in PEOPLE.split()[1:]]
    postgresql.run("CREATE TABLE people (age INTEGER, sex TEXT, ill TEXT)", database)
    values = ", ".join(f"({age}, '{sex}', '{ill}')" for age, sex, ill in rows)
    postgresql.run(f"INSERT INTO people VALUES {values}", database)
    visitor = visit(site)
    project = visitor.project("A database")
    connect(visitor, postgresql, database)
    visitor.button("Accept the proposals").wait_for()
    visitor.shot("profiled")
    client = site.signed_in()
    document = client.get(f"/projects/{project}").json()["document"]
    document["models"] = DOCUMENT["models"]
    document["tables"]["people"]["columns"] = DOCUMENT["tables"]["people"]["columns"]
    client.made(client.put(f"/projects/{project}", json={"document": document}))
    first = client.run(project, "release")
    assert client.wait(first)["state"] == "done", client.wait(first)
    visitor.go(project, "result")
    visitor.button("Write to a database").click()
    visitor.field("New table").fill("people_safe")
    visitor.shot("writing")
    visitor.button("Write").click()
    visitor.page.wait_for_url(lambda url: "run=" in url and first not in url)
    visitor.page.get_by_text("people_safe").first.wait_for()
    visitor.shot("written")
    counted = "SELECT COUNT(*) FROM people_safe GROUP BY age, sex"
    assert min(count for (count,) in postgresql.query(counted, database)) >= 3
    kept = (site.workspace / "celosia.db").read_bytes() + (site.workspace / "celosia.db-wal").read_bytes()
    assert postgresql.password.encode() not in kept
    assert postgresql.password not in visitor.page.content()


def connect(visitor, server, database):
    """Connect a database on the page of data, and choose its only table."""
    visitor.page.get_by_text(visitor.say("Connect a database")).click()
    for label, value in (
        ("Host", server.host),
        ("Port", str(server.port)),
        ("Database", database),
        ("User", server.user),
        ("Password", "something else"),
    ):
        visitor.field(label).fill(value)
    visitor.button("Show its tables").click()
    visitor.page.get_by_role("alert").wait_for()
    visitor.shot("wrong-password")
    visitor.field("Password").fill(server.password)
    visitor.button("Show its tables").first.click()
    visitor.button("Use this table").click()
