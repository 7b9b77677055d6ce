"""Keys instead of a mouse, and Spanish instead of English."""

import pytest
from playwright.sync_api import FileChooser
from sites import PEOPLE


def test_a_table_gets_in_without_a_mouse(site, visit, tmp_path):
    visitor = visit(site)
    page, keyboard = visitor.page, visitor.page.keyboard
    visitor.button("New project").wait_for()
    keyboard.press("Tab")
    assert focused(page) == visitor.say("Skip to the content")
    tab_to(visitor, visitor.say("New project"))
    assert is_marked(page)
    keyboard.press("Enter")
    visitor.field("Name").wait_for()
    page.wait_for_function("document.activeElement.tagName === 'INPUT'")
    visitor.shot("dialog")
    keyboard.press("Escape")
    visitor.field("Name").wait_for(state="hidden")
    tab_to(visitor, visitor.say("New project"))
    keyboard.press("Enter")
    page.wait_for_function("document.activeElement.tagName === 'INPUT'")
    keyboard.type("By hand")
    keyboard.press("Enter")
    page.wait_for_url("**/projects/*/data")
    page.locator("input[type=file]").wait_for(state="attached")
    page.wait_for_function("window.did_handshake")
    choosers: list[FileChooser] = []  # Playwright takes functions of Python only, so no method of a list
    page.on("filechooser", lambda chooser: choosers.append(chooser))  # noqa: PLW0108
    # A page that was just put together may take its parts anew, and the focus with them.
    for _ in range(5):
        tab_to_upload(page)
        visitor.shot("upload")
        keyboard.press("Enter")
        page.wait_for_timeout(1000)
        if choosers:
            break
    table = tmp_path / "people.csv"
    table.write_text(PEOPLE)
    choosers[0].set_files(table)
    visitor.button("Accept the proposals").wait_for()
    tab_to(visitor, visitor.say("Accept the proposals"), most=80)
    keyboard.press("Enter")
    visitor.button("Next: hierarchies").wait_for()


def tab_to_upload(page):
    for _ in range(60):
        if page.evaluate("document.activeElement.type") == "file":
            return
        page.keyboard.press("Tab")
    raise AssertionError("no key leads to the field for a file")


def test_the_language_is_switched_where_one_is(site, visit):
    visitor = visit(site)
    project = visitor.project("Idiomas")
    visitor.page.get_by_role("link", name="Español").click()
    visitor.page.wait_for_function("document.documentElement.lang === 'es'")
    assert f"/projects/{project}/data" in visitor.page.url
    visitor.page.get_by_role("heading", level=1, name="Datos").wait_for()
    visitor.page.goto("/")
    visitor.page.get_by_role("heading", level=1, name="Proyectos").wait_for()
    visitor.shot("spanish")
    visitor.page.get_by_role("link", name="English").click()
    visitor.page.wait_for_function("document.documentElement.lang.startsWith('en')")
    visitor.page.get_by_role("heading", level=1, name="Projects").wait_for()


@pytest.mark.parametrize(("language", "title"), [("en", "Projects"), ("es", "Proyectos")])
def test_a_browser_is_answered_in_its_own_language(site, visit, language, title):
    visitor = visit(site, language=language)
    visitor.page.get_by_role("heading", level=1, name=title).wait_for()


def tab_to(visitor, name, most=30):
    """Press Tab until something of a name has the focus."""
    for _ in range(most):
        if focused(visitor.page).endswith(name):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"{name} is not reached by Tab; the focus is on {focused(visitor.page)!r}")


def focused(page):
    return page.evaluate(
        "(document.activeElement.innerText || document.activeElement.ariaLabel || '').trim()"
    )


def is_marked(page):
    """Whether one sees where the focus is."""
    style = page.evaluate("getComputedStyle(document.activeElement)")
    return (style["outlineStyle"], style["boxShadow"]) != ("none", "none")
