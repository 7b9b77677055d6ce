"""Jobs: they wait in the store, run in processes of their own, and begin again after a restart.

Each runner is a thread that looks after one process at a time. The next process waits already, with everything heavy
loaded, so that a small job begins at once. A process that loses its service stops by itself and leaves nothing behind.
"""

import json
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import Connection, func, select, update

from celosia.errors import CelosiaError, ProjectError
from celosia.say import keep_texts, restore_texts, say
from celosia.server.access import DeniedError, MemberRole, User, may, redact_for, require
from celosia.server.audit import note
from celosia.server.job import Job, JobError, JobOrder, StoredJob
from celosia.server.process import Process
from celosia.server.service import Service, new_id
from celosia.server.sources import passwords
from celosia.server.storable import check_storable
from celosia.server.store import jobs, now, projects, record, sources, versions
from celosia.server.work import KINDS
from celosia.server.workspace import job_folder, project_folder
from celosia.words import phrase

__all__ = ["OPEN", "Queue"]

OPEN = ("queued", "running")
SHOWN = (
    "id",
    "project_id",
    "number",
    "kind",
    "version",
    "parameters",
    "state",
    "stage",
    "share",
    "summary",
    "error",
    "by",
    "seen",
    "created",
    "started",
    "ended",
)
REMEMBER = 0.5
"""Seconds between two notes of how far a job is."""
STATES = {
    "queued": say("queued"),
    "running": say("running"),
    "done": say("done"),
    "failed": say("failed"),
    "cancelled": say("cancelled"),
}
HIDDEN: JobError = {
    "what": phrase("the job failed"),
    "where": "",
    "remedy": phrase("ask an analyst of the project"),
}
"""A mistake as those read it who may not see the table."""


class Queue:
    """All jobs of a service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._wake = threading.Condition()
        self._running: dict[str, Process] = {}
        self._live: dict[str, tuple[str, float]] = {}
        self._cancelled: set[str] = set()
        self._is_stopped = False
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Begin, with the jobs that the last stop interrupted first."""
        with self._service.store.begin() as data:
            data.execute(update(jobs).where(jobs.c.state == "running").values(state="queued", share=0.0))
        for number in range(self._service.settings.runners):
            thread = threading.Thread(target=self._run, name=f"runner {number}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        """Interrupt what runs; it is queued again."""
        with self._wake:
            self._is_stopped = True
            self._wake.notify_all()
        for process in list(self._running.values()):
            process.interrupt()
        for thread in self._threads:
            thread.join(timeout=30)
        self._threads.clear()

    def submit(
        self,
        user: User,
        project: str,
        kind: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        language: str = "en",
    ) -> Job:
        """Put a job at the end of the queue; it works on the project as it is now."""
        if kind not in KINDS:
            raise ProjectError(
                say("there is no job {kind!r}", kind=kind),
                where="kind",
                remedy=say("choose {names}", names=", ".join(KINDS)),
            )
        check_storable(parameters or {})
        chosen = KINDS[kind].check(parameters or {})
        with self._service.store.begin() as data:
            require(data, user, project, KINDS[kind].part_for(chosen))
            self._check_addresses(data, project, kind, chosen)
            version = data.scalar(select(projects.c.version).where(projects.c.id == project))
            number = data.scalar(select(func.max(jobs.c.number)).where(jobs.c.project_id == project)) or 0
            job = new_id()
            data.execute(
                jobs.insert().values(
                    id=job,
                    project_id=project,
                    number=number + 1,
                    kind=kind,
                    version=version,
                    parameters=chosen,
                    state="queued",
                    by=user.name,
                    language=language,
                    created=now(),
                )
            )
            note(data, user.name, f"start {kind}", project=project, detail=f"job {number + 1}")
        with self._wake:
            self._wake.notify()
        return self.find(user, job)

    @staticmethod
    def _check_addresses(data: Connection, project: str, kind: str, chosen: Mapping[str, Any]) -> None:
        """Raise unless all databases that the parameters name are connected to the project."""
        named = [chosen[name] for name in KINDS[kind].addresses if chosen.get(name) is not None]
        if named:
            mine = select(sources.c.address).where(
                sources.c.project_id == project, sources.c.kind == "database"
            )
            if not set(named) <= set(data.scalars(mine)):
                raise ProjectError(
                    say("this database is not connected to the project"),
                    where=KINDS[kind].addresses[0],
                    remedy=say("connect it under data first"),
                )

    def find(self, user: User, job: str) -> Job:
        """A job as it is now."""
        with self._service.store.begin() as data:
            row = data.execute(select(jobs).where(jobs.c.id == job)).first()
            if row is None:
                raise DeniedError(
                    say("there is no such job"), where=job[:40], remedy=say("see the list of runs")
                )
            part = require(data, user, row.project_id, MemberRole.VIEWER)
        return self._shown(record(row), part)

    def list(self, user: User, project: str, kind: str | None = None, *, last: int = 100) -> list[Job]:
        """The jobs of a project, the latest first."""
        query = select(jobs).where(jobs.c.project_id == project)
        if kind is not None:
            query = query.where(jobs.c.kind == kind)
        with self._service.store.begin() as data:
            part = require(data, user, project, MemberRole.VIEWER)
            rows = data.execute(query.order_by(jobs.c.number.desc()).limit(last)).all()
        return [self._shown(record(row), part) for row in rows]

    def result(self, user: User, job: str, *, needed: MemberRole = MemberRole.VIEWER) -> dict[str, Any]:
        """What a job found, all of it."""
        current = self.find(user, job)
        part = max(needed, KINDS[current["kind"]].sees, key=list(MemberRole).index)
        with self._service.store.begin() as data:
            held = require(data, user, current["project_id"], part)
            if KINDS[current["kind"]].sees is not MemberRole.VIEWER:  # there are values of the table in it
                detail = f"job {current['number']}"
                note(data, user.name, f"see {current['kind']}", project=current["project_id"], detail=detail)
        if current["state"] != "done":
            raise ProjectError(
                say("job {number} is {state}", number=current["number"], state=STATES[current["state"]]),
                where=job,
                remedy=say("wait until it is done"),
            )
        folder = job_folder(self._service.settings.workspace, current["project_id"], job)
        try:
            result = restore_texts(json.loads((folder / "result.json").read_text(encoding="utf-8")))
            return dict(redact_for(result, held))
        except FileNotFoundError:
            raise DeniedError(say("its result was erased"), where=job, remedy=say("run it again")) from None

    def cancel(self, user: User, job: str) -> Job:
        """Stop a job; what it made so far is gone."""
        current = self.find(user, job)
        with self._service.store.begin() as data:
            require(data, user, current["project_id"], MemberRole.ANALYST)
            changed = data.execute(
                update(jobs)
                .where(jobs.c.id == job, jobs.c.state == "queued")
                .values(state="cancelled", ended=now())
            )
            note(data, user.name, "cancel", project=current["project_id"], detail=f"job {current['number']}")
        if not changed.rowcount:
            with self._wake:
                self._cancelled.add(job)
                process = self._running.get(job)
            if process is not None:
                process.interrupt()
        return self.find(user, job)

    def resume(self, user: User, job: str) -> Job:
        """Begin a job again that was cancelled or failed; what it has in its cache is not computed again."""
        current = self.find(user, job)
        if current["state"] in (*OPEN, "done"):
            raise ProjectError(
                say("job {number} is {state}", number=current["number"], state=STATES[current["state"]]),
                where=job,
                remedy=say("leave it alone"),
            )
        with self._service.store.begin() as data:
            require(data, user, current["project_id"], KINDS[current["kind"]].part_for(current["parameters"]))
            fresh = {
                "state": "queued",
                "share": 0.0,
                "stage": "",
                "error": None,
                "ended": None,
                "seen": False,
            }
            data.execute(update(jobs).where(jobs.c.id == job).values(**fresh))
            note(data, user.name, "resume", project=current["project_id"], detail=f"job {current['number']}")
        with self._wake:
            self._cancelled.discard(job)
            self._wake.notify()
        return self.find(user, job)

    def see(self, user: User, job: str) -> None:
        """Somebody was told that a job is done."""
        self.find(user, job)
        with self._service.store.begin() as data:
            data.execute(update(jobs).where(jobs.c.id == job).values(seen=True))

    def unseen(self, user: User, kinds: tuple[str, ...]) -> Sequence[Job]:
        """Jobs of a person that ended, and that she was not told of; each with the name of its project."""
        query = (
            select(jobs, projects.c.name.label("project"))
            .join_from(jobs, projects)
            .where(jobs.c.by == user.name, jobs.c.seen.is_(False), jobs.c.kind.in_(kinds))
            .where(jobs.c.state.in_(("done", "failed")))
            .limit(20)
        )
        with self._service.store.begin() as data:
            rows = [record(row) for row in data.execute(query)]
        unseen = [self._shown(row, MemberRole.VIEWER) for row in rows]
        for job, row in zip(unseen, rows, strict=True):
            job["project"] = row["project"]
        return unseen

    def stop_all(self, project: str) -> None:
        """Stop all jobs of a project, and wait for them."""
        with self._service.store.begin() as data:
            mine = (jobs.c.project_id == project) & (jobs.c.state == "queued")
            data.execute(update(jobs).where(mine).values(state="cancelled", ended=now()))
            running = data.scalars(
                select(jobs.c.id).where(jobs.c.project_id == project, jobs.c.state == "running")
            ).all()
        for job in running:
            self._cancelled.add(job)
            process = self._running.get(job)
            if process is not None:
                process.interrupt()
        while any(job in self._running for job in running):
            time.sleep(0.05)

    def _shown(self, row: Mapping[str, Any], part: MemberRole) -> Job:
        """A row of the store as whoever has this part in the project may see it."""
        shown = cast(Job, {key: row[key] for key in SHOWN})
        shown["error"], shown["summary"] = restore_texts(shown["error"]), restore_texts(shown["summary"])
        if shown["error"] and not may(part, MemberRole.ANALYST):  # a mistake may name a value of the table
            shown["error"] = HIDDEN
        if row["state"] == "running" and row["id"] in self._live:
            shown["stage"], shown["share"] = self._live[row["id"]]
        return shown

    # Runners

    def _run(self) -> None:
        memory = self._service.settings.memory_of_job
        process = Process(memory)
        while True:
            job = self._take()
            if job is None:
                process.dismiss()
                return
            self._carry_out(job, process)
            process = Process(memory)

    def _take(self) -> StoredJob | None:
        """The job that waits longest; None when the service stops."""
        with self._wake:
            while not self._is_stopped:
                with self._service.store.begin() as data:
                    first = (
                        select(jobs).where(jobs.c.state == "queued").order_by(jobs.c.created, jobs.c.number)
                    )
                    row = data.execute(first.limit(1).with_for_update(skip_locked=True)).first()
                    if row is not None:
                        data.execute(
                            update(jobs).where(jobs.c.id == row.id).values(state="running", started=now())
                        )
                        return cast(StoredJob, record(row))
                self._wake.wait(timeout=2.0)
        return None

    def _carry_out(self, job: StoredJob, process: Process) -> None:
        self._running[job["id"]] = process
        outcome: dict[str, Any]
        try:
            if job["id"] in self._cancelled:
                process.dismiss()
                outcome = {"state": "cancelled"}
            else:
                outcome = process.work(
                    self._order(job), lambda stage, share: self._progress(job, stage, share)
                )
        except CelosiaError as error:
            process.dismiss()
            outcome = {
                "state": "failed",
                "error": {"what": error.what, "where": error.where, "remedy": error.remedy},
            }
        finally:
            self._running.pop(job["id"], None)
            self._live.pop(job["id"], None)
        self._end(job, outcome)

    def _order(self, job: Job) -> JobOrder:
        """All that a process needs to know."""
        settings = self._service.settings
        with self._service.store.begin() as data:
            document = data.scalar(
                select(versions.c.document).where(
                    versions.c.project_id == job["project_id"], versions.c.number == job["version"]
                )
            )
        return {
            "kind": job["kind"],
            "parameters": job["parameters"],
            "document": cast(Mapping[str, Any], document),
            "folder": str(project_folder(settings.workspace, job["project_id"]).resolve()),
            "made": str(job_folder(settings.workspace, job["project_id"], job["id"]).resolve()),
            "passwords": passwords(self._service, job["project_id"]),
            "spark": settings.spark,
        }

    def _progress(self, job: Job, stage: str, share: float) -> None:
        self._live[job["id"]] = (stage, share)

    def _end(self, job: StoredJob, outcome: dict[str, Any]) -> None:
        state, is_cancelled = outcome["state"], job["id"] in self._cancelled
        # One that was stopped before it could say so, or that had to be killed, is lost.
        if state == "interrupted" or (state == "lost" and (is_cancelled or self._is_stopped)):
            state = "queued" if self._is_stopped and not is_cancelled else "cancelled"
            outcome = {}
        state = "failed" if state == "lost" else state
        self._cancelled.discard(job["id"])
        values = {
            "state": state,
            "summary": _kept(outcome.get("summary")),
            "error": _kept(outcome.get("error")),
        }
        if state != "queued":
            values |= {"ended": now(), "share": 1.0 if state == "done" else 0.0}
        with self._service.store.begin() as data:
            data.execute(update(jobs).where(jobs.c.id == job["id"]).values(**values))
            note(
                data,
                job["by"],
                f"{job['kind']} {state}",
                project=job["project_id"],
                detail=f"job {job['number']}",
            )
        if state in ("done", "failed"):
            from celosia.server.notify import notify_done

            notify_done(self._service, cast(StoredJob, {**job, **values}))


def _kept(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """What is kept of an outcome, in any language."""
    return None if result is None else keep_texts(result)
