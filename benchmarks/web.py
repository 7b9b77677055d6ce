"""The web application under many people, and how long one person waits.

    .venv/bin/python benchmarks/web.py                   50 people for 30 seconds while two runs execute
    ... --people 10 --seconds 5                          fewer, shorter
    ... --write                                          and put what was printed into docs/*/benchmarks.md

A real server process, real Chromium for the first page and for the upload of Adult; everybody else is a client that
opens a page and the line that the page's script opens, stays for about five seconds, and goes on. Runs live in
processes of their own. Aimed at: 95 of 100 answers within half a second, none lost; the first page within one second,
Adult uploaded and profiled within two.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from measuring import ROOT, best, fill, public_table, show

sys.path.insert(0, str(ROOT / "tests" / "services"))
sys.path.insert(0, str(ROOT / "tests" / "browser"))

from crowd import Seen, browse
from programs import find_program
from sites import FLAGS, Client, Site, project_pages, serving

ADULT = "adult_arx/adult.csv"
QUASI_IDENTIFIERS = ("sex", "age", "race", "marital-status", "education", "workclass")
SLOW = {"target": "salary-class", "techniques": ["mdav(k=25)", "cpda-noise"], "repeats": 20}
STAY = 5.0
AIMS = {"first page": 1.0, "first page again": 1.0, "Adult uploaded and profiled": 2.0}


def one_person(site: Site) -> dict[str, float]:
    """Seconds that one person waits for what she does first."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_program("chromium"), args=FLAGS)
        page = browser.new_page(base_url=site.address, locale="en-GB")
        times = {"first page": until(page, lambda: page.goto(site.link()), "New project")}
        times["first page again"] = best(5, lambda: until(page, page.reload, "New project"))
        times["Adult uploaded and profiled"] = best(3, lambda: upload(page))
        browser.close()
    return times


def upload(page) -> float:
    page.goto("/")
    page.get_by_role("button", name="New project").click()
    page.get_by_label("Name").fill("Adult")
    page.get_by_role("button", name="Create").click()
    page.wait_for_url("**/projects/*/data")
    chosen = page.locator("input[type=file]").first
    chosen.wait_for(state="attached")
    time.sleep(3)  # the process that waits for the next job has loaded everything by then
    return until(page, lambda: chosen.set_input_files(public_table(ADULT)), "Accept the proposals")


def until(page, do, button: str) -> float:
    started = time.perf_counter()
    do()
    page.get_by_role("button", name=button).wait_for()
    return time.perf_counter() - started


def busy_project(client: Client) -> str:
    """A project with something to see on every page."""
    project = client.made(client.post("/projects", json={"name": "Adult"}))["id"]
    client.made(client.put(f"/projects/{project}/files/adult.csv", content=public_table(ADULT).read_bytes()))
    columns = dict.fromkeys(QUASI_IDENTIFIERS, "quasi-identifier")
    columns |= {"occupation": "sensitive", "salary-class": "common", "native-country": "common"}
    source = {"path": "data/adult.csv", "separator": ";"}
    document = {
        "models": [{"model": "k-anonymity", "k": 5}],
        "suppression": 0.02,
        "tables": {"adult": {"source": source, "columns": columns}},
    }
    client.made(client.put(f"/projects/{project}", json={"document": document}))
    for kind in ("profile", "hierarchy", "candidates", "release"):
        done = client.wait(client.run(project, kind))
        assert done["state"] == "done", done
    return project


def many_people(site: Site, people: int, seconds: float) -> Seen:
    """Everybody browses, two runs execute."""
    client = site.signed_in()
    project = busy_project(client)
    slow = [client.run(project, "comparison", **SLOW) for _ in range(2)]
    for run in slow:
        client.wait(run, until=["running"])
    seen = browse(
        site,
        [site.signed_in() for _ in range(people)],
        project_pages(project),
        seconds=seconds,
        stay=STAY,
    )
    states = [client.made(client.get(f"/runs/{run}"))["state"] for run in slow]
    assert states == ["running"] * 2, states
    for run in slow:
        client.post(f"/runs/{run}/cancel")
    return seen


def show_crowd(seen: Seen, people: int, seconds: float) -> None:
    rows: list[list[object]] = []
    for page in [None, *seen.seconds]:
        times = [1000 * seen.share(share, page) for share in (0.5, 0.95, 1)]
        count = sum(map(len, seen.seconds.values())) if page is None else len(seen.seconds[page])
        rows.append([page or "all", count, *(f"{time:.0f}" for time in times)])
    show(
        f"{people} people browse for {seconds:.0f} seconds while two runs execute",
        ["page", "answers", "median ms", "95 % within ms", "longest ms"],
        rows,
        f"Requests lost: {len(seen.lost)}.",
    )
    for lost in seen.lost[:20]:
        print(lost, file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=50, help="How many browse at once.")
    parser.add_argument("--seconds", type=float, default=30, help="For how long.")
    parser.add_argument("--write", action="store_true", help="Put what is printed into the pages.")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as site:
        waits = one_person(site)
        show(
            "What one person waits for",
            ["", "seconds", "aimed at"],
            [[name, waits[name], f"< {aim:.0f}"] for name, aim in AIMS.items()],
        )
        show_crowd(many_people(site, asked.people, asked.seconds), asked.people, asked.seconds)
    if asked.write:
        fill("web")


if __name__ == "__main__":
    main()
