"""What every answer says to browsers, and what pages of others can do: nothing."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx

HEADERS = {
    "content-security-policy": "default-src 'self'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


def test_every_kind_of_answer_has_the_headers_that_protect_it(site):
    client = site.signed_in()
    cookies = {"celosia_session": client.bearer}
    paths = {
        "/": 200,
        "/no/such/page": 404,
        "/static/style.css": 200,
        "/static/none.css": 404,
        "/sign-in": 303,
        "/open?token=wrong": 401,
        "/language/es": 303,
        "/api/v1/projects": 200,
        "/api/v1/none": 404,
        "/api/v1/projects/0123456789abcdef": 404,
        "/api/v1/openapi.json": 200,
    }
    for path, status in paths.items():
        answer = httpx.get(site.address + path, cookies=cookies)
        assert answer.status_code == status, path
        for name, begin in HEADERS.items():
            assert answer.headers.get(name, "").startswith(begin), (path, name)
        assert "server" not in answer.headers
    refused = httpx.get(f"{site.address}/api/v1/projects")
    assert refused.status_code == 401
    assert refused.headers["x-frame-options"] == "DENY"


def test_the_cookie_is_read_by_no_script_and_sent_from_no_other_site(site):
    answer = httpx.get(site.link())
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_answers_about_people_are_kept_by_no_browser(site):
    client = site.signed_in()
    assert client.get("/projects").headers["cache-control"] == "no-store"
    page = httpx.get(f"{site.address}/", cookies={"celosia_session": client.bearer})
    assert "no-store" in page.headers["cache-control"]


def test_a_page_of_another_site_cannot_post(site, visit):
    visitor = visit(site)
    before = len(site.signed_in().get("/projects").json())
    with another_site(site.address) as address:
        visitor.is_lenient = True  # the browser says on its console what it refused
        visitor.page.goto(address)
        visitor.page.get_by_text("done").wait_for()
        assert visitor.page.evaluate("window.told") == "refused"
    after = site.signed_in().get("/projects").json()
    assert len(after) == before
    assert all(each["name"] != "from elsewhere" for each in after)


def test_a_post_by_cookie_needs_the_word_of_its_own_pages(site):
    client = site.signed_in()
    url, cookies = f"{site.address}/api/v1/projects", {"celosia_session": client.bearer}
    given = {"name": "from elsewhere"}
    assert httpx.post(url, json=given, cookies=cookies).status_code == 403
    other = {"Origin": "https://example.org"}
    assert (
        httpx.post(url, json=given, headers={**other, "Authorization": f"Bearer {client.bearer}"}).status_code
        == 403
    )
    csrf = httpx.get(f"{site.address}/api/v1/session", cookies=cookies).json()["csrf"]
    own = {"X-CSRF-Token": csrf, "Origin": site.address}
    made = httpx.post(url, json={"name": "from here"}, cookies=cookies, headers=own)
    assert made.status_code == 201


def test_a_name_of_somebody_else_that_leads_here_is_refused(site):
    client = site.signed_in()
    answer = httpx.get(
        f"{site.address}/api/v1/projects",
        headers={"Host": "evil.example.org", "Authorization": f"Bearer {client.bearer}"},
    )
    assert answer.status_code == 421


def test_the_channel_of_the_pages_is_shut_to_pages_of_others(site):
    client = site.signed_in()
    handshake = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    path = f"{site.address}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    elsewhere = {**handshake, "Origin": "https://example.org", "Cookie": f"celosia_session={client.bearer}"}
    assert httpx.get(path, headers=elsewhere).status_code == 403
    assert httpx.get(path, headers={**handshake, "Origin": site.address}).status_code == 403


def test_a_body_without_end_is_cut_off(site):
    client = site.signed_in()

    def endless():
        for _ in range(40):
            yield b" " * (1 << 20)

    try:
        answer = client.post("/projects", content=endless(), headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 413, 422)
    except httpx.TransportError:
        pass  # it hung up
    assert client.get("/health").status_code == 200


class another_site:  # noqa: N801
    """A page elsewhere that tries to use the session of whoever looks at it."""

    def __init__(self, target: str) -> None:
        page = f"""<!doctype html><title>other</title><p id=state>trying</p><script>
        async function attempt() {{
          const body = JSON.stringify({{name: "from elsewhere"}});
          for (const how of [{{mode: "no-cors"}}, {{mode: "cors"}}]) {{
            try {{
              const answer = await fetch("{target}/api/v1/projects",
                {{method: "POST", credentials: "include", headers: {{"Content-Type": "text/plain"}}, body, ...how}});
              window.told = answer.ok ? "accepted" : "refused";
            }} catch (error) {{ window.told = "refused"; }}
          }}
          document.getElementById("state").textContent = "done";
        }}
        attempt();
        </script>""".encode()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://localhost:{self._server.server_port}/"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
