"""Runs that people stop, and runs whose service falls over."""

import os
import time
from pathlib import Path

from sites import PEOPLE

SLOW = {"target": "ill", "techniques": ["mdav(k=3)", "cpda-noise"], "repeats": 20}
"""A comparison that takes long enough to be stopped."""
QUICKER = {**SLOW, "repeats": 1, "folds": 3}
"""One that ends soon, but not at once."""


def test_a_run_is_cancelled_on_its_page_and_leaves_nothing(site, visit):
    client, visitor = site.signed_in(), visit(site)
    project = client.project("Cancelled", PEOPLE)
    slow = [client.run(project, "comparison", **SLOW) for _ in range(2)]
    for run in slow:
        client.wait(run, until=["running"])
    visitor.go(project, "data")  # which looks at the table, as soon as somebody has time
    visitor.button("Cancel").wait_for()
    visitor.shot("waiting")
    visitor.button("Cancel").click()
    visitor.text("Cancelled. Nothing was kept.").wait_for()
    visitor.shot("cancelled")
    workers = children(site.pid)
    for run in slow:
        client.post(f"/runs/{run}/cancel")
    for run in slow:
        assert client.wait(run)["state"] == "cancelled"
        assert not list(site.workspace.glob(f"projects/{project}/jobs/{run}"))
    until(lambda: len(workers & children(site.pid)) == 0)


def test_a_run_survives_the_fall_of_its_service(own_site, visit):
    client = own_site.signed_in()
    visitor = visit(own_site)
    project = client.project("Falling", PEOPLE)
    run = client.run(project, "comparison", **QUICKER)
    until(lambda: client.get(f"/runs/{run}").json()["stage"])
    visitor.page.goto("/")
    workers = children(own_site.pid)
    assert workers
    visitor.is_lenient = True  # its line is cut
    own_site.kill()
    until(lambda: not any(is_alive(worker) for worker in workers))
    own_site.start()
    again = client.wait(run)
    assert again["state"] == "done"
    assert again["id"] == run
    visitor.page.reload()  # she is still signed in
    visitor.page.get_by_role("link", name="Falling").wait_for()


def children(pid: int) -> set[int]:
    """The processes that a process started."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return {int(each) for path in found for each in path.read_text().split()}


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


def until(is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
