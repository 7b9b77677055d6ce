"""REST and the door before it, asked as programs and browsers ask."""

import pytest
from fastapi.testclient import TestClient

from celosia.server.app import make_app
from celosia.server.guard import COOKIE

HERE = "http://127.0.0.1:8080"


@pytest.fixture
def client(service, ana, luz):
    """Nobody yet; jobs wait for ever."""
    service.queue.start = lambda: None
    with TestClient(make_app(service), base_url=HERE, follow_redirects=False) as made:
        yield made


def sign_in(client, name="ana"):
    answer = client.post(
        "/api/v1/session", json={"name": name, "password": f"a rather long secret of {name}"}
    )
    assert answer.status_code == 200, answer.text
    client.headers["X-CSRF-Token"] = answer.json()["csrf"]
    return answer.json()


@pytest.fixture
def signed_in(client):
    sign_in(client)
    return client


def new_project(client, name="Clinic"):
    return client.post("/api/v1/projects", json={"name": name}).json()["id"]


def every_operation(app):
    for path, methods in app.openapi()["paths"].items():
        for method in methods:
            yield (
                method.upper(),
                path.replace("{project}", "0" * 16)
                .replace("{run}", "0" * 16)
                .replace("{release}", "0" * 16)
                .replace("{number}", "1")
                .replace("{name}", "x.csv")
                .replace("{source}", "x"),
            )


def test_nobody_gets_anywhere_without_a_session(client, service):
    open_ones = {"/api/v1/session", "/api/v1/health"}
    asked = [(method, path) for method, path in every_operation(client.app) if path not in open_ones]
    assert len(asked) > 25
    assert {client.request(method, path).status_code for method, path in asked} == {401}


def test_what_is_the_same_for_everybody_is_read_only(client):
    assert client.post("/_nicegui/client/x/upload/1", content=b"x").status_code == 401


def test_a_person_without_a_session_is_led_to_the_sign_in(client):
    answer = client.get("/projects/x/data")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=/projects/x/data")


def test_the_cookie_is_read_by_no_script_and_sent_from_no_other_site(client):
    answer = client.post("/api/v1/session", json={"name": "ana", "password": "a rather long secret of ana"})
    cookie = answer.headers["set-cookie"].lower()
    assert COOKIE in cookie
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_whoever_changes_something_by_cookie_knows_the_word_of_her_page(signed_in):
    for word in ("", "wrong"):
        answer = signed_in.post("/api/v1/projects", json={"name": "x"}, headers={"X-CSRF-Token": word})
        assert answer.status_code == 403
    assert signed_in.post("/api/v1/projects", json={"name": "x"}).status_code == 201


def test_a_program_with_the_secret_needs_no_such_word(client):
    bearer = sign_in(client)["bearer"]
    client.cookies.clear()
    del client.headers["X-CSRF-Token"]
    client.headers["Authorization"] = f"Bearer {bearer}"
    assert client.post("/api/v1/projects", json={"name": "x"}).status_code == 201


def test_pages_of_other_origins_change_nothing(signed_in):
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9"):
        answer = signed_in.post("/api/v1/projects", json={"name": "x"}, headers={"Origin": origin})
        assert answer.status_code == 403
    assert signed_in.post("/api/v1/projects", json={"name": "x"}, headers={"Origin": HERE}).status_code == 201


def test_a_name_of_somebody_else_that_leads_here_is_not_answered(signed_in):
    assert signed_in.get("/api/v1/projects", headers={"Host": "evil.example"}).status_code == 421


def test_browsers_are_told_what_not_to_do_whatever_the_answer(signed_in):
    for path in ("/api/v1/projects", "/api/v1/projects/0", "/nothing", "/api/v1/health"):
        headers = signed_in.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_too_much_is_refused_before_it_is_read(signed_in, service):
    large = b"x" * (service.settings.body_limit + 1)
    assert signed_in.post("/api/v1/projects", content=large).status_code == 413
    project = new_project(signed_in)
    answer = signed_in.put(f"/api/v1/projects/{project}/files/a.csv", content=b"x" * (2 << 20))
    assert answer.status_code == 422
    assert "larger than 1 MB" in answer.json()["error"]["what"]


def test_a_file_goes_up_and_its_table_is_listed(signed_in):
    project = new_project(signed_in)
    answer = signed_in.put(f"/api/v1/projects/{project}/files/people.csv", content=b"age\n31\n")
    assert (answer.status_code, answer.json()["address"], answer.json()["bytes"]) == (
        201,
        "data/people.csv",
        7,
    )
    document = {"tables": {"people": {"source": "data/people.csv"}}}
    changed = signed_in.put(
        f"/api/v1/projects/{project}", json={"document": document}, headers={"If-Match": "1"}
    )
    assert changed.json()["version"] == 2
    assert signed_in.get(f"/api/v1/projects/{project}/tables").json()[0]["name"] == "people"
    stale = signed_in.put(f"/api/v1/projects/{project}", json={"document": {}}, headers={"If-Match": "1"})
    assert stale.status_code == 409


def test_mistakes_come_in_the_language_of_whoever_asks(signed_in):
    answer = signed_in.get("/api/v1/projects/" + "0" * 16, headers={"Accept-Language": "es"})
    assert answer.status_code == 404
    assert answer.json()["error"]["what"] == "no existe ese proyecto"


def test_a_password_of_a_database_never_comes_back(signed_in):
    project = new_project(signed_in)
    given = {"name": "db", "address": "postgresql://ana@host/clinic", "password": "s3cret-w0rd"}
    made = signed_in.post(f"/api/v1/projects/{project}/connections", json=given)
    assert made.status_code == 201
    texts = [
        signed_in.get(path.replace("{project}", project)).text
        for path, methods in signed_in.app.openapi()["paths"].items()
        if "get" in methods and path.count("{") <= 1 and ("{project}" in path or "{" not in path)
    ]
    assert "s3cret-w0rd" not in made.text + "".join(texts)


def test_what_one_person_has_another_does_not_find(signed_in, client):
    project = new_project(signed_in)
    client.post(f"/api/v1/projects/{project}/runs", json={"kind": "profile"})
    run = client.get(f"/api/v1/projects/{project}/runs").json()[0]["id"]
    client.cookies.clear()
    sign_in(client, "luz")
    for method, path in every_operation(client.app):
        mine = path.replace("/projects/" + "0" * 16, f"/projects/{project}").replace("0" * 16, run)
        if mine == path:
            continue
        body = {"document": {}, "name": "x", "kind": "profile", "role": "viewer", "rows": [["a"]]}
        answer = client.request(method, mine, json=body)
        assert answer.status_code in (404, 422), (method, mine, answer.text)
        assert answer.status_code == 404 or "error" in answer.json()
    assert client.get("/api/v1/projects").json() == []


def test_runs_are_queued_listed_and_cancelled(signed_in):
    project = new_project(signed_in)
    made = signed_in.post(f"/api/v1/projects/{project}/runs", json={"kind": "profile"})
    assert (made.status_code, made.json()["state"]) == (202, "queued")
    run = made.json()["id"]
    assert [each["id"] for each in signed_in.get(f"/api/v1/projects/{project}/runs").json()] == [run]
    assert signed_in.get(f"/api/v1/runs/{run}/result").status_code == 422
    assert signed_in.post(f"/api/v1/runs/{run}/cancel").json()["state"] == "cancelled"
    assert signed_in.post(f"/api/v1/runs/{run}/resume").json()["state"] == "queued"


def test_a_hierarchy_is_kept_read_and_erased_with_what_is_wrong_with_it(signed_in):
    project = new_project(signed_in)
    there = f"/api/v1/projects/{project}/hierarchies/city"
    made = signed_in.put(there, json={"rows": [["Ávila", "León"], ["Soria", "Castilla"]]}).json()
    assert made["problems"][0]["remedy"] == "add a last level '*'"
    assert signed_in.get(there).json() == made
    assert signed_in.delete(there).status_code == 204
    assert signed_in.get(there).status_code == 404


def test_a_project_is_erased_with_a_statement(signed_in):
    project = new_project(signed_in)
    signed_in.put(f"/api/v1/projects/{project}/files/people.csv", content=b"age\n31\n")
    erased = signed_in.delete(f"/api/v1/projects/{project}").json()
    assert erased["files"] == ["data/people.csv"]
    assert erased["left"]
    assert signed_in.get(f"/api/v1/projects/{project}").status_code == 404


def test_signing_out_ends_the_session(signed_in):
    assert signed_in.delete("/api/v1/session").status_code == 204
    assert signed_in.get("/api/v1/projects").status_code == 401


def test_nobody_without_a_session_sends_more_than_a_little(client, service):
    large = str(service.settings.body_limit + 1)
    for path in ("/api/v1/session", "/sign-in"):
        assert client.post(path, headers={"Content-Length": large}, content=b"").status_code == 413


def test_only_the_path_of_files_takes_large_bodies(signed_in, service):
    project = new_project(signed_in)
    headers = {"Content-Length": str(service.settings.body_limit + 1)}
    path = f"/api/v1/projects/{project}/hierarchies/files/file"
    assert signed_in.put(path, headers=headers, content=b"").status_code == 413


def test_reading_a_hierarchy_is_noted_with_who_read_it(signed_in):
    project = new_project(signed_in)
    signed_in.put(f"/api/v1/projects/{project}/hierarchies/age", json={"rows": [["1", "*"]]})
    signed_in.get(f"/api/v1/projects/{project}/hierarchies/age")
    deeds = signed_in.get(f"/api/v1/projects/{project}/audit").json()
    assert ("ana", "see hierarchy file") in {(each["who"], each["action"]) for each in deeds}
