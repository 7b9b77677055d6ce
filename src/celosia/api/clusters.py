"""The session of Spark in which tables of a cluster are read and written."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from celosia.api.opening import PlaceKind, place_kind
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Progress, Project

__all__ = [
    "changed_on_cluster",
    "check_spark_setting",
    "project_places",
    "project_session",
    "showing_spark_jobs",
    "started_spark",
    "with_spark",
]

MASTER = "spark.master"


@contextmanager
def started_spark(settings: Mapping[str, str], places: Iterable[str | None] = ()) -> Iterator[None]:
    """A session of Spark, that of Hive too if one of the places is a table of it; it stops in the end."""
    from celosia.tables.spark.session import opened_session

    has_hive = any(place_kind(place) is PlaceKind.HIVE for place in places)
    with opened_session(config=settings, hive=has_hive):
        yield


@contextmanager
def showing_spark_jobs(progress: "Progress") -> "Iterator[Progress]":
    """Progress that also tells how far the jobs of the session are."""
    from celosia.tables.spark.progress import jobs_shown

    with jobs_shown(progress) as shown:
        yield shown


def changed_on_cluster(path: str) -> float | None:
    """When something at a place was changed, None where there is nothing, or nobody who could tell."""
    from celosia.tables.spark.session import find_session, run_in_thread

    session = find_session()
    if session is None:
        return None
    from celosia.tables.spark.files import Files

    with suppress(Exception):
        # From another thread: an interrupt may have cut off this one's way to Spark in the middle of a word.
        return run_in_thread(lambda: Files(session, path).changed(path))
    return None


def check_spark_setting(name: str) -> None:
    """Raise if the name of a setting says that it holds a secret.

    >>> check_spark_setting("spark.executor.memory")
    """
    from celosia.project.parts import holds_secret

    if holds_secret(name):
        raise ProjectError(
            say("{name} would hold a secret", name=name),
            where="--spark-config",
            remedy=say("set it where Spark is set up: others can read what is typed here"),
        )


def project_session(project: "Project") -> dict[str, str] | None:
    """The settings of the session that the tables of a project need; None if Spark reads none of them.

    >>> from celosia.api.projects import make_project
    >>> project_session(make_project(tables={"people": {"source": "hive:people"}}, spark={"master": "yarn"}))
    {'spark.master': 'yarn'}
    """
    if not any(project.plan(name).source.is_on_cluster for name in project.tables):
        return None
    return dict(project.spark.settings)


def project_places(project: "Project") -> list[str | None]:
    """Where the tables of a project come from and go to."""
    plans = [project.plan(name) for name in project.tables]
    return [place.path for plan in plans for place in (plan.source, plan.destination)]


def with_spark(project: "Project", settings: Mapping[str, str]) -> "Project":
    """The project with other settings of Spark in place of what it says itself.

    >>> from celosia.api.projects import make_project
    >>> project = make_project(tables={"people": {"source": "hive:people"}}, spark={"master": "yarn"})
    >>> with_spark(project, {"spark.master": "local[2]"}).spark.master
    'local[2]'
    """
    if not settings:
        return project
    config = {name: value for name, value in settings.items() if name != MASTER}
    update = {
        "master": settings.get(MASTER) or project.spark.master,
        "config": {**project.spark.config, **config},
    }
    return project.model_copy(update={"spark": project.spark.model_copy(update=update)})
