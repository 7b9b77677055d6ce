"""What a new person does: from the first page with a table of her own to a release that she downloads."""

import csv

import pytest

from celosia.sample import discharges

HOSTILE = "<img src=x onerror=alert(1)>"
"""A name that would do harm on a page that took it for more than a name."""

COLUMNS = ("patient_name", "national_id", "age", "sex", "postcode", "marital_status", "severity", "diagnosis")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table about people as a hospital has it."""
    path = tmp_path_factory.mktemp("table") / f"altas '&\" {HOSTILE}.csv"
    kept = discharges(400).select(*COLUMNS)
    kept.rename({"severity": HOSTILE}).write_csv(path)
    return path


@pytest.mark.parametrize("language", ["en", "es"])
def test_from_upload_to_download(site, visit, table, language, tmp_path):
    visitor = visit(site, language=language)
    page = visitor.page
    visitor.button("New project").wait_for()
    visitor.shot("first-page")
    project = visitor.project(f"Hospital {HOSTILE}")
    visitor.shot("data-empty")
    upload(visitor, table)
    visitor.shot("data-proposed")
    visitor.button("Accept the proposals").click()
    visitor.button("Next: hierarchies").wait_for()
    visitor.shot("data-accepted")
    visitor.button("Next: hierarchies").click()
    visitor.button("Next: privacy goals").wait_for()
    visitor.shot("hierarchies")
    visitor.button("Next: privacy goals").click()
    visitor.button("Continue").wait_for()
    visitor.shot("goals")
    visitor.button("Continue").click()
    page.wait_for_url("**/solutions*")
    visitor.button("Make the release").wait_for()
    visitor.shot("solutions")
    visitor.button("Make the release").click()
    page.wait_for_url("**/result*")
    download = page.get_by_role("link", name=visitor.say("Download"), exact=True)
    download.wait_for()
    visitor.shot("result")
    for tab in ("Distributions", "Risk, attacks and utility"):
        page.get_by_role("tab", name=visitor.say(tab)).click()
        visitor.shot(tab.split(",")[0].lower())
    with page.expect_download() as downloaded:
        download.click()
    downloaded.value.save_as(tmp_path / "release.csv")
    check_release(tmp_path / "release.csv", table)
    report = site.signed_in()
    release = report.get(f"/projects/{project}/releases").json()[0]["id"]
    text = report.get(f"/releases/{release}/report", headers={"Accept-Language": language}).text
    assert f'lang="{language}"' in text
    assert "http://" not in text.replace("http://www.w3.org", "")


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_tour_ends_with_a_release_that_protects_everybody(site, visit, language, tmp_path):
    visitor = visit(site, language=language)
    page = visitor.page
    page.goto("/")
    visitor.button("Take the tour").click()
    page.wait_for_url("**/projects/*/data*")
    page.get_by_role("note").get_by_text(
        visitor.say("Tour, station {number} of {all}", number=1, all=7)
    ).wait_for()
    project = page.url.split("/projects/")[1].split("/")[0]
    for button in ("Accept the proposals", "Next: hierarchies", "Next: privacy goals", "Continue"):
        visitor.button(button).click()
    page.wait_for_url("**/solutions*")
    visitor.button("Make the release").click()
    page.wait_for_url("**/result*")
    page.get_by_role("link", name=visitor.say("Download"), exact=True).wait_for()
    visitor.shot("tour-result")
    client = site.signed_in()
    (release,) = client.get(f"/projects/{project}/releases").json()
    (record,) = client.get(f"/releases/{release['id']}").json()["records"].values()
    assert record["verdict"]["kind"] == "protected"
    assert record["auto"]["value"] < min(other["value"] for other in record["auto"]["others"])
    (table,) = record["project"]["tables"].values()
    assert table["person"] == {"en": "national_id", "es": "dni"}[language]


def upload(visitor, table):
    """Choose a file, and wait for what is proposed of it."""
    visitor.page.locator("input[type=file]").first.set_input_files(table)
    visitor.button("Accept the proposals").wait_for()


def check_release(path, table):
    """Nobody is alone in the release, and no identifier is in it."""
    with table.open() as file:
        names = {row["patient_name"] for row in csv.DictReader(file)}
    text = path.read_text()
    assert not any(name in text for name in names)
    assert text.count("\n") > 100
