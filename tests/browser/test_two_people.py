"""Two people at one site: neither learns anything of the other's, whatever she guesses."""

from sites import PEOPLE, SECRETS

BODIES = {
    "update_project": {"document": {"name": "taken over"}},
    "copy_project": {"name": "copied"},
    "share_project": {"role": "viewer"},
    "connect_database": {"name": "x", "address": "postgresql://luz@127.0.0.1/x"},
    "name_place": {"name": "x", "address": "hdfs:///x"},
    "write_hierarchy": {"rows": [["1", "*"]]},
    "start_run": {"kind": "profile"},
    "create_project": {"name": "mine"},
    "sign_in": {"name": "luz", "password": SECRETS["luz"]},
}
OPEN = ("sign_in", "who_am_i", "sign_out", "health", "project_schema", "list_projects", "create_project")
"""What is about nobody's project."""


def test_nobody_sees_the_projects_of_others(shared_site, visit):
    ana, luz = (shared_site.signed_in(name, SECRETS[name]) for name in ("ana", "luz"))
    project = ana.project("The secret of Ana", PEOPLE)
    release = ana.run(project, "release")
    assert ana.wait(release)["state"] == "done"
    before = ana.get(f"/projects/{project}").json()
    operations = ana.get("/openapi.json").json()["paths"]
    tried = 0
    for path, methods in operations.items():
        for method, operation in methods.items():
            if operation["operationId"] in OPEN:
                continue
            address = filled(path.removeprefix("/api/v1"), project, release)
            body = BODIES.get(operation["operationId"])
            answer = (
                luz.request(method, address, json=body)
                if body
                else luz.request(method, address, content=b"x")
            )
            assert answer.status_code == 404, (method, path, answer.status_code, answer.text)
            assert "secret of Ana" not in answer.text
            tried += 1
    assert tried > 25
    assert luz.get("/projects").json() == []
    assert ana.get(f"/projects/{project}").json() == before
    assert ana.get(f"/releases/{release}").status_code == 200
    look(visit, shared_site, project)


def look(visit, site, project):
    """Luz looks at the pages of a project of Ana's."""
    visitor = visit(site, is_signed_in=False)
    sign_in(visitor, "luz")
    for step in ("data", "hierarchies", "goals", "solutions", "result", "compare", "manage"):
        visitor.go(project, step)
        visitor.page.get_by_role("heading", level=1).wait_for()
        content = visitor.page.content()
        assert "secret of Ana" not in content
        assert "quasi-identifier" not in content
        visitor.heading("Not found").wait_for()
    visitor.shot("not-found")


def test_a_viewer_sees_the_release_and_never_the_table(shared_site, visit):
    ana, luz = (shared_site.signed_in(name, SECRETS[name]) for name in ("ana", "luz"))
    project = ana.project("Shared with Luz", PEOPLE)
    assert ana.wait(ana.run(project, "profile"))["state"] == "done"
    release = ana.run(project, "release")
    assert ana.wait(release)["state"] == "done"
    assert ana.put(f"/projects/{project}/members/luz", json={"role": "viewer"}).status_code == 204
    assert luz.get(f"/projects/{project}/releases").json()[0]["id"] == release
    assert luz.get(f"/projects/{project}/profiles").status_code == 403
    assert luz.post(f"/projects/{project}/runs", json={"kind": "profile"}).status_code == 403
    assert luz.put(f"/projects/{project}", json={"document": {}}).status_code == 403
    assert luz.delete(f"/projects/{project}").status_code == 403
    assert luz.get(f"/projects/{project}/audit").status_code == 403
    visitor = visit(shared_site, is_signed_in=False)
    sign_in(visitor, "luz")
    visitor.page.get_by_text("Shared with Luz").wait_for()
    visitor.go(project, "data")
    visitor.page.get_by_text("for analysts of the project only").wait_for()
    visitor.shot("viewer")


def filled(path: str, project: str, run: str) -> str:
    """The path of an operation with somebody's ids in it."""
    real = {
        "project": project,
        "run": run,
        "release": run,
        "name": "people.csv",
        "number": "1",
        "source": "x",
    }
    for name, value in real.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, path
    return path


def sign_in(visitor, name):
    visitor.page.goto("/")
    visitor.field("Name").fill(name)
    visitor.field("Password").fill(SECRETS[name])
    visitor.button("Sign in").click()
    visitor.button("New project").wait_for()
