"""Who gets in, and how: the link, the password, patience with those who guess, and the way out."""

import httpx
import pytest
from sites import SECRETS, shared_serving


def test_the_link_of_the_start_works_once(site, visit):
    link = site.link()
    first = visit(site, is_signed_in=False)
    first.page.goto(link)
    first.button("New project").wait_for()
    second = visit(site, is_signed_in=False)
    second.is_lenient = True
    second.page.goto(link)
    second.page.get_by_role("alert").wait_for()
    second.page.goto("/")
    assert "/sign-in" in second.page.url
    second.shot("used-link")


def test_whoever_is_not_signed_in_gets_nowhere(site):
    for path in ("/", "/projects/0123456789abcdef/data", "/help", "/sign-out"):
        answer = httpx.get(site.address + path)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/sign-in")
    for path in ("/api/v1/projects", "/api/v1/openapi.json", "/api/v1/runs/0123456789abcdef", "/metrics"):
        assert httpx.get(site.address + path).status_code in (303, 401)


def test_signing_in_and_out_with_a_password(shared_site, visit):
    ana = visit(shared_site, is_signed_in=False)
    ana.is_lenient = True  # a refusal is an error on the console
    ana.page.goto("/")
    ana.shot("sign-in")
    sign_in(ana, "ana", "something else entirely")
    ana.page.get_by_role("alert").wait_for()
    ana.shot("wrong-password")
    ana.is_lenient = False
    sign_in(ana, "ana", SECRETS["ana"])
    ana.button("New project").wait_for()
    ana.page.get_by_role("link", name="Sign out").click()
    ana.page.wait_for_url("**/sign-in")
    ana.page.goto("/")
    assert "/sign-in" in ana.page.url


@pytest.mark.parametrize("there", ["https://example.org/", "//example.org", "/\\example.org", "javascript:1"])
def test_the_sign_in_leads_to_no_other_site(site, there):
    secret = site.signed_in().bearer
    answer = httpx.get(f"{site.address}/sign-in", params={"next": there}, cookies={"celosia_session": secret})
    assert answer.headers["location"] == "/"


@pytest.fixture(scope="module")
def guessed_site(tmp_path_factory):
    """A site that loses its patience with this machine."""
    with shared_serving(tmp_path_factory.mktemp("guessed")) as site:
        yield site


def test_whoever_guesses_waits(guessed_site):
    answers = [guess(guessed_site, "nobody", f"guess number {n}") for n in range(8)]
    assert [answer.status_code for answer in answers[:4]] == [401] * 4
    assert answers[-1].status_code == 429
    wait = int(answers[-1].json()["error"]["remedy"].split()[-2])
    assert 0 < wait <= 20
    # Not even whoever knows it gets in from there, until the time is over.
    assert guess(guessed_site, "ana", SECRETS["ana"]).status_code == 429


def test_odd_names_and_passwords_are_wrong_and_nothing_else(guessed_site):
    for odd in ("\x00", "ana\x00", "%", "' OR 1=1 --", "ñ" * 150):
        assert guess(guessed_site, odd, odd).status_code in (401, 422, 429)
    answer = httpx.post(
        f"{guessed_site.address}/sign-in",
        content=b"name=%ED%A0%80%00&password=%FF",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code in (401, 422, 429)


def sign_in(visitor, name, password):
    visitor.field("Name").fill(name)
    visitor.field("Password").fill(password)
    visitor.button("Sign in").click()


def guess(site, name, password):
    return httpx.post(f"{site.address}/api/v1/session", json={"name": name, "password": password})
