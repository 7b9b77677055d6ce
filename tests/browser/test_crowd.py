"""Ten people at once, while two runs execute: everybody is answered. How fast is for a benchmark to say."""

from crowd import browse
from sites import PEOPLE, project_pages

SLOW = {"target": "ill", "techniques": ["mdav(k=3)", "cpda-noise"], "repeats": 20}


def test_no_request_is_lost_while_two_runs_execute(site):
    client = site.signed_in()
    project = client.project("Crowded", PEOPLE)
    for kind in ("profile", "candidates", "release"):
        assert client.wait(client.run(project, kind))["state"] == "done"
    slow = [client.run(project, "comparison", **SLOW) for _ in range(2)]
    for run in slow:
        client.wait(run, until=["running"])
    people = [site.signed_in() for _ in range(10)]
    seen = browse(site, people, project_pages(project), seconds=4, stay=0.5)
    for run in slow:
        client.post(f"/runs/{run}/cancel")
    assert seen.lost == []
    assert set(seen.seconds) == {*project_pages(project), "line of a page"}
    assert "Traceback" not in site.told()
