"""A service that stops, is killed or starts again: no job is lost, and no process outlives it."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from celosia.errors import ProjectError
from celosia.server.queue import Queue
from celosia.server.service import Service

SLOW = {"target": "ill", "techniques": ["mdav(k=3)", "cpda-noise"], "repeats": 20}
"""A comparison that takes long enough to be stopped."""


def until(is_so, seconds=90):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_job_that_waits_is_cancelled_before_it_begins(service, ana, clinic):
    job = service.queue.submit(ana, clinic.id, "profile")
    assert service.queue.cancel(ana, job["id"])["state"] == "cancelled"


def test_a_cancelled_job_can_be_resumed(service, ana, clinic, wait):
    job = service.queue.submit(ana, clinic.id, "profile")
    service.queue.cancel(ana, job["id"])
    service.queue.start()
    assert wait(ana, service.queue.resume(ana, job["id"]))["state"] == "done"
    with pytest.raises(ProjectError, match="is done"):
        service.queue.resume(ana, job["id"])


def test_after_a_restart_what_ran_begins_again_and_what_waited_still_waits(service, ana, clinic, wait):
    service = Service(replace(service.settings, runners=2))
    service.queue.start()
    long = service.queue.submit(ana, clinic.id, "comparison", SLOW)
    until(lambda: service.queue.find(ana, long["id"])["stage"])
    service.queue.stop()
    assert service.queue.find(ana, long["id"])["state"] == "queued"
    release = service.queue.submit(ana, clinic.id, "release")
    again = Service(service.settings)
    again.queue.start()
    try:
        until(lambda: again.queue.find(ana, long["id"])["state"] == "running")
        until(lambda: again.queue.find(ana, release["id"])["state"] == "done")
    finally:
        again.close()


def test_a_process_whose_service_dies_stops_by_itself(service, ana, clinic):
    service.queue.start()
    job = service.queue.submit(ana, clinic.id, "comparison", SLOW)
    until(lambda: service.queue.find(ana, job["id"])["stage"])
    process = service.queue._running[job["id"]]._child
    process.stdin.close()  # as it is when the service is killed
    until(lambda: process.poll() is not None)


def test_processes_do_not_inherit_secrets_of_the_service(service, ana, clinic, monkeypatch):
    from celosia.server.process import Process

    monkeypatch.setenv("CELOSIA_SERVER_PASSWORD", "s3cret")
    process = Process()
    try:
        environment = Path(f"/proc/{process._child.pid}/environ").read_bytes()
        assert b"s3cret" not in environment
    finally:
        process.end()


def test_queues_of_one_service_are_one(service):
    assert isinstance(service.queue, Queue)
    assert service.queue is service.queue
