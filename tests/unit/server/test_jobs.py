"""Jobs run in processes of their own, tell how far they are, stop when told to, and begin again after a restart."""

import json
import time

import pytest

from celosia.errors import ProjectError
from celosia.server import erasing, projects
from celosia.server.access import DeniedError, MemberRole
from celosia.server.workspace import job_folder, project_folder

SLOW = {"target": "ill", "techniques": ["mdav(k=3)", "cpda-noise"], "repeats": 20}
"""A comparison that takes long enough to be stopped."""


def until(is_so, seconds=90):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def service(working):
    return working


def test_a_table_is_profiled_released_and_measured(service, ana, clinic, wait):
    profile = wait(ana, service.queue.submit(ana, clinic.id, "profile"))
    found = service.queue.result(ana, profile["id"])
    assert (profile["state"], found["rows"], found["first"]["columns"]) == (
        "done",
        120,
        ["age", "sex", "ill"],
    )
    release = wait(ana, service.queue.submit(ana, clinic.id, "release", {"format": "parquet"}))
    made = service.queue.result(ana, release["id"])
    assert made["files"] == ["people.parquet", "people.record.json"]
    assert release["summary"]["people"]["risk"]["after"]["k"] >= 3
    evidence = wait(
        ana, service.queue.submit(ana, clinic.id, "evidence", {"release": release["id"], "measures": ["k"]})
    )
    assert evidence["state"] == "done", evidence["error"]


def test_every_candidate_comes_with_risk_and_loss(service, ana, clinic, wait):
    job = wait(ana, service.queue.submit(ana, clinic.id, "candidates"))
    found = service.queue.result(ana, job["id"])
    assert found["nodes"] == len(found["candidates"])
    best = found["candidates"][0]
    assert best["valid"]
    assert best["optimal"]
    assert 0 < best["risk"] <= 1 / 3
    chosen = wait(ana, service.queue.submit(ana, clinic.id, "release", {"node": best["node"]}))
    assert chosen["state"] == "done", chosen["error"]


def test_a_hierarchy_is_proposed_from_the_values_with_its_reason(service, ana, clinic, wait):
    job = wait(ana, service.queue.submit(ana, clinic.id, "hierarchy", {"column": "age"}))
    found = service.queue.result(ana, job["id"])
    assert found["values"]["20"] == 10
    assert found["proposed"]["reason"]
    assert found["given"] is None


def test_without_a_column_all_quasi_identifiers_get_their_hierarchies(service, ana, clinic, wait):
    job = wait(ana, service.queue.submit(ana, clinic.id, "hierarchy"))
    found = service.queue.result(ana, job["id"])
    assert job["summary"] == {"columns": len(found["columns"])}
    assert found["columns"]["age"]["proposed"]["rows"]
    assert "ill" not in found["columns"]


def test_a_curve_of_k_is_found(service, ana, clinic, wait):
    job = wait(ana, service.queue.submit(ana, clinic.id, "balance", {"last": 4}))
    assert [point["k"] for point in service.queue.result(ana, job["id"])["points"]] == [2, 3, 4]


def test_a_mistake_of_the_user_is_told_without_a_path_of_the_machine(service, ana, clinic, wait):
    projects.update_project(
        service, ana, clinic.id, {**clinic.document, "models": [{"model": "k-anonymity", "k": 500}]}
    )
    job = wait(ana, service.queue.submit(ana, clinic.id, "release"))
    assert job["state"] == "failed"
    assert job["error"]["what"]
    assert str(service.settings.workspace) not in json.dumps(job)
    assert not job_folder(service.settings.workspace, clinic.id, job["id"]).exists()
    projects.update_project(service, ana, clinic.id, clinic.document)
    with pytest.raises(ProjectError, match="wait until it is done"):
        service.queue.result(ana, job["id"])


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("nothing", {}),
        ("release", {"format": "exe"}),
        ("release", {"colour": 1}),
        ("tables", {}),
        ("hierarchy", {"column": 5}),
    ],
)
def test_odd_jobs_are_refused_at_once(service, ana, clinic, kind, parameters):
    with pytest.raises(ProjectError):
        service.queue.submit(ana, clinic.id, kind, parameters)


def test_a_job_is_cancelled_at_once_and_leaves_nothing(service, ana, clinic, wait):
    job = service.queue.submit(ana, clinic.id, "comparison", SLOW)
    until(lambda: service.queue.find(ana, job["id"])["stage"])
    began = time.monotonic()
    service.queue.cancel(ana, job["id"])
    over = wait(ana, job)
    assert over["state"] == "cancelled"
    assert time.monotonic() - began < 60  # a busy machine; the comparison would take minutes
    assert not job_folder(service.settings.workspace, clinic.id, job["id"]).exists()


def test_a_killed_process_is_a_failed_job(service, ana, clinic, wait):
    job = service.queue.submit(ana, clinic.id, "comparison", SLOW)
    until(lambda: service.queue.find(ana, job["id"])["stage"])
    service.queue._running[job["id"]]._kill()
    over = wait(ana, job)
    assert (over["state"], over["error"]["what"]) == ("failed", "the job was stopped from outside")


def test_erasing_a_project_stops_its_jobs_and_leaves_neither_files_nor_rows(service, ana, clinic, wait):
    wait(ana, service.queue.submit(ana, clinic.id, "release"))
    job = service.queue.submit(ana, clinic.id, "comparison", SLOW)
    until(lambda: service.queue.find(ana, job["id"])["stage"])
    erased = erasing.erase_project(service, ana, clinic.id)
    assert "data/people.csv" in erased.files
    assert erased.rows["projects"] == 1
    assert erased.left
    assert not project_folder(service.settings.workspace, clinic.id).exists()
    with pytest.raises(DeniedError):
        service.queue.find(ana, job["id"])
    with pytest.raises(DeniedError):
        projects.read_project(service, ana, clinic.id)


def test_a_viewer_does_not_learn_the_seed_of_the_order_of_rows(service, ana, luz, clinic, wait):
    projects.update_project(service, ana, clinic.id, {**clinic.document, "seed": 4711})
    release = wait(ana, service.queue.submit(ana, clinic.id, "release"))
    projects.set_member(service, ana, clinic.id, "luz", MemberRole.VIEWER)
    seen = [projects.read_project(service, luz, clinic.id).document, service.queue.result(luz, release["id"])]
    seen.append(projects.read_version(service, luz, clinic.id, 3))
    assert "4711" not in str(seen)
    assert "4711" in str(service.queue.result(ana, release["id"]))


def test_whoever_started_a_job_is_told_once_that_it_ended(service, ana, luz, clinic, wait):
    release = wait(ana, service.queue.submit(ana, clinic.id, "release"))
    told = [job for job in service.queue.unseen(ana, ("release",)) if job["id"] == release["id"]]
    assert [(job["state"], job["project"]) for job in told] == [("done", "Clinic")]
    assert service.queue.unseen(luz, ("release",)) == []
    service.queue.see(ana, release["id"])
    assert all(job["id"] != release["id"] for job in service.queue.unseen(ana, ("release",)))


def test_only_the_owner_erases(service, ana, luz, clinic):
    projects.set_member(service, ana, clinic.id, "luz", MemberRole.ANALYST)
    with pytest.raises(DeniedError, match="part of owner"):
        erasing.erase_project(service, luz, clinic.id)


def test_a_viewer_sees_releases_but_neither_rows_nor_buttons(service, ana, luz, clinic, wait):
    profile = wait(ana, service.queue.submit(ana, clinic.id, "profile"))
    release = wait(ana, service.queue.submit(ana, clinic.id, "release"))
    projects.set_member(service, ana, clinic.id, "luz", MemberRole.VIEWER)
    assert projects.read_project(service, luz, clinic.id).part is MemberRole.VIEWER
    assert service.queue.result(luz, release["id"])["records"]
    with pytest.raises(DeniedError, match="takes the part of analyst"):
        service.queue.result(luz, profile["id"])  # it shows rows of the table
    with pytest.raises(DeniedError, match="takes the part of"):
        projects.update_project(service, luz, clinic.id, {})
    with pytest.raises(DeniedError, match="takes the part of"):
        service.queue.submit(luz, clinic.id, "profile")
    projects.set_member(service, ana, clinic.id, "luz", None)
    with pytest.raises(DeniedError, match="no such project"):
        service.queue.find(luz, release["id"])
