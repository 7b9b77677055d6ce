"""The session of Spark that a command works in: it starts with the command and stops with it."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from celosia.cli.language import tr
from celosia.cli.options import ClusterOptions, SparkOptions
from celosia.cli.progress import progress_bar
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.project import Project
    from celosia.tables.table import Progress

__all__ = [
    "changed_on_cluster",
    "is_hive",
    "is_read_by_spark",
    "parse_settings",
    "progress_on_spark",
    "project_progress",
    "with_session_options",
]

MASTER = "spark.master"


def is_read_by_spark(table: str, given: ClusterOptions) -> bool:
    """Whether a table is read on a cluster: because a person says so, or because nothing else can read it.

    >>> is_read_by_spark("people.csv", ClusterOptions(engine="spark"))
    True
    >>> is_read_by_spark("hive:people", ClusterOptions())
    True
    """
    from celosia.tables.spark.address import is_place

    if given.engine not in (None, "spark"):
        raise ProjectError(
            say("there is no engine {engine!r}", engine=given.engine),
            where="--engine",
            remedy=say("the only one to name is spark; without it the table is read here"),
        )
    return given.engine is not None or is_place(table)


def is_hive(place: object) -> bool:
    """Whether a place is a table of Hive."""
    from celosia.tables.spark.address import HIVE

    return isinstance(place, str) and place.startswith(HIVE)


def parse_settings(given: SparkOptions, *, has_spark: bool) -> dict[str, str]:
    """What the options say of a session, as settings of Spark; an error where there is none.

    >>> parse_settings(SparkOptions("local[2]", ["spark.executor.memory=2g"]), has_spark=True)
    {'spark.executor.memory': '2g', 'spark.master': 'local[2]'}
    """
    from celosia.project.parts import holds_secret

    said = [
        *(["--master"] if given.master is not None else []),
        *(["--spark-config"] if given.settings else []),
    ]
    if said and not has_spark:
        remedy = say(
            "leave it out; or have Spark read the table: with --engine spark, or with engine in a project"
        )
        raise ProjectError(
            say("{option} is for tables that Spark reads", option=said[0]), where=said[0], remedy=remedy
        )
    settings: dict[str, str] = {}
    for text in given.settings:
        name, equals, value = text.partition("=")
        if not equals or not name.startswith("spark."):
            raise ProjectError(
                say("{name!r} is not a setting of Spark", name=name),
                where="--spark-config",
                remedy=say("write it as in --spark-config spark.executor.memory=2g"),
            )
        if holds_secret(name):
            raise ProjectError(
                say("{name} would hold a secret", name=name),
                where="--spark-config",
                remedy=say("set it where Spark is set up: others can read what is typed here"),
            )
        settings[name] = value
    return settings if given.master is None else {**settings, MASTER: given.master}


@contextmanager
def progress_on_spark(
    settings: Mapping[str, str] | None = None, places: Iterable[str | None] = ()
) -> "Iterator[Progress]":
    """A progress bar; where Spark has work to do, with ``settings``, in a session whose jobs the bar shows.

    >>> with progress_on_spark() as progress:
    ...     progress("counting", 0.5)
    """
    with progress_bar() as progress:
        if settings is None:
            yield progress
            return
        from celosia.tables.spark.session import opened_session

        progress(say("starting Spark"), 0.0)
        is_done = False
        try:
            with ExitStack() as stack:
                stack.enter_context(opened_session(config=settings, hive=any(map(is_hive, places))))
                yield _shown(progress, stack)
                is_done = True
        except KeyboardInterrupt as stop:
            if is_done:
                stop.add_note(tr("all was done before, and only Spark was still running"))
            raise


def _shown(progress: "Progress", stack: ExitStack) -> "Progress":
    """How far jobs are, for whoever looks."""
    if not sys.stderr.isatty():
        return progress
    from celosia.tables.spark.progress import jobs_shown

    return stack.enter_context(jobs_shown(progress))


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


@contextmanager
def project_progress(project: "Project") -> "Iterator[Progress]":
    """The same for all tables of a project."""
    plans = [project.plan(name) for name in project.tables]
    has_spark = any(plan.source.is_on_cluster for plan in plans)
    places = [place.path for plan in plans for place in (plan.source, plan.destination)]
    with progress_on_spark(project.spark.settings if has_spark else None, places) as progress:
        yield progress


def with_session_options(project: "Project", given: SparkOptions) -> "Project":
    """The project with what the options say of the session in place of what it says itself.

    >>> from celosia.project import make_project
    >>> project = make_project(tables={"people": {"source": "hive:people"}}, spark={"master": "yarn"})
    >>> with_session_options(project, SparkOptions(master="local[2]")).spark.master
    'local[2]'
    """
    has_spark = any(project.plan(name).source.is_on_cluster for name in project.tables)
    settings = parse_settings(given, has_spark=has_spark)
    if not settings:
        return project
    master = settings.pop(MASTER, None) or project.spark.master
    update = {"master": master, "config": {**project.spark.config, **settings}}
    return project.model_copy(update={"spark": project.spark.model_copy(update=update)})
