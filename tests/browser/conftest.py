"""Sites, a browser, and people who use it."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "services"))

from programs import ProgramsMissingError, find_program, leave_out
from servers import Server, running
from sites import FLAGS, Site, serving, shared_serving
from visitors import Visitor

HERE = Path(__file__).resolve().parent
SCREENSHOTS = HERE.parents[1] / "build" / "screenshots"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The application as one person starts it for herself; tests have projects of their own in it."""
    with serving(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="session")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The application for several people, Ana and Luz, who sign in."""
    with shared_serving(tmp_path_factory.mktemp("shared")) as site:
        yield site


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[Site]:
    """The application for one test alone, which may kill it."""
    with serving(tmp_path) as site:
        yield site


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running browser."""
    from playwright.sync_api import sync_playwright

    program = find_program("chromium")
    if program is None:
        leave_out(ProgramsMissingError("Chromium is not installed: tests/services/install"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Visitor]]:
    """Makes people who look at a site, each with a browser window of her own; what they ran into fails the test."""
    there: list[Visitor] = []

    def begin(site: Site, *, language: str = "en", is_signed_in: bool = True, **options: Any) -> Visitor:
        folder = SCREENSHOTS / request.node.name.translate(UNFIT)
        visitor = Visitor(chromium, site, folder, language=language, **options)
        there.append(visitor)
        if is_signed_in:
            visitor.page.goto(site.link())
        return visitor

    yield begin
    for visitor in there:
        visitor.shot("end")
        visitor.leave()
    for visitor in there:
        assert not visitor.mistakes, "\n".join([*visitor.mistakes, visitor.site.told()[-3000:]])


UNFIT = {ord(letter): "_" for letter in '[]/\\:"<>|?* '}


@pytest.fixture
def visitor(visit: Callable[..., Visitor], site: Site) -> Visitor:
    """Somebody who came in by the link, in English."""
    return visit(site)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server of our own."""
    try:
        with running("postgresql") as server:
            yield server
    except ProgramsMissingError as missing:
        leave_out(missing)
