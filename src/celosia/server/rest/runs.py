"""Runs: everything that takes time is a job. What each kind finds has a name of its own."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from celosia.errors import ProjectError
from celosia.say import say
from celosia.server.job import Job, JobState
from celosia.server.rest.answers import Asking, Serving, Speaking, mistakes
from celosia.server.rest.projects import ProjectId, RequestBody
from celosia.words import Words

__all__ = ["router"]

router = APIRouter(tags=["runs"], responses=mistakes)
RunId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="the id of a run")]
Kind = Literal[
    "tables",
    "profile",
    "hierarchy",
    "candidates",
    "balance",
    "release",
    "evidence",
    "look",
    "comparison",
    "study",
]


class NewRun(RequestBody):
    """What is to be done, and with which parameters; the project says the rest."""

    kind: Kind
    parameters: dict[str, Any] = Field(default_factory=dict)


class Run(BaseModel):
    """A job and how far it is: ``share`` of ``stage``, from 0 to 1."""

    id: str
    project_id: str
    number: int
    kind: Kind
    version: int
    parameters: dict[str, Any]
    state: JobState
    stage: str
    share: float
    summary: dict[str, Any] | None
    error: dict[str, str] | None
    by: str
    created: str
    started: str | None
    ended: str | None


@router.get("/projects/{project}/runs", operation_id="list_runs")
def list_runs(
    service: Serving, user: Asking, words: Speaking, project: ProjectId, kind: Kind | None = None
) -> list[Run]:
    """The runs of a project, the latest first."""
    return [_run(job, words) for job in service.queue.list(user, project, kind)]


@router.post("/projects/{project}/runs", operation_id="start_run", status_code=202)
def post_run(service: Serving, user: Asking, words: Speaking, project: ProjectId, body: NewRun) -> Run:
    """Queue a job that works on the project as it is now."""
    job = service.queue.submit(user, project, body.kind, body.parameters, language=words.language)
    return _run(job, words)


@router.get("/runs/{run}", operation_id="read_run")
def get_run(service: Serving, user: Asking, words: Speaking, run: RunId) -> Run:
    """How far a run is."""
    return _run(service.queue.find(user, run), words)


@router.post("/runs/{run}/cancel", operation_id="cancel_run")
def cancel_run(service: Serving, user: Asking, words: Speaking, run: RunId) -> Run:
    """Stop it; nothing of it is left."""
    return _run(service.queue.cancel(user, run), words)


@router.post("/runs/{run}/resume", operation_id="resume_run")
def resume_run(service: Serving, user: Asking, words: Speaking, run: RunId) -> Run:
    """Queue a run again that failed or was cancelled."""
    return _run(service.queue.resume(user, run), words)


@router.get("/runs/{run}/result", operation_id="read_result")
def get_result(service: Serving, user: Asking, run: RunId) -> dict[str, Any]:
    """All that a run found."""
    return service.queue.result(user, run)


def _latest(kind: str, name: str) -> Any:
    """A handler that answers with the latest result of a kind of job."""

    def get(
        service: Serving,
        user: Asking,
        project: ProjectId,
        run: Annotated[
            str | None, Query(pattern=r"^[0-9a-f]{16}$", description="another than the latest")
        ] = None,
    ) -> dict[str, Any]:
        done = [job for job in service.queue.list(user, project, kind) if job["state"] == "done"]
        chosen = [job for job in done if run in (None, job["id"])]
        if not chosen:
            raise ProjectError(
                say("there are no {name} yet", name=name),
                where=project,
                remedy=say("start a run of the kind {kind}", kind=kind),
            )
        return {"run": chosen[0]["id"], **service.queue.result(user, chosen[0]["id"])}

    get.__doc__ = f"The {name} that the latest run of the kind {kind} found, or another."
    return get


for _kind, _name in (
    ("profile", "profiles"),
    ("hierarchy", "proposals"),
    ("candidates", "candidates"),
    ("balance", "balances"),
    ("evidence", "evidence"),
    ("comparison", "comparisons"),
    ("study", "studies"),
):
    router.get(f"/projects/{{project}}/{_name}", operation_id=f"read_{_name}", tags=[_name])(
        _latest(_kind, _name)
    )


def _run(job: Job, words: Words) -> Run:
    run, error = Run.model_validate(job), job["error"]
    if error is not None:
        run.error = {
            "what": words.render(error["what"]),
            "where": words.render(error["where"]),
            "remedy": words.render(error["remedy"]),
        }
    run.stage = words.render(job["stage"])
    return run
