"""The session of Spark that a command works in: it starts with the command and stops with it."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from celosia.api.clusters import (
    MASTER,
    check_spark_setting,
    project_places,
    project_session,
    showing_spark_jobs,
    started_spark,
    with_spark,
)
from celosia.api.opening import place_kind
from celosia.cli.language import tr
from celosia.cli.options import ClusterOptions, SparkOptions
from celosia.cli.progress import progress_bar
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Progress, Project

__all__ = [
    "is_read_by_spark",
    "parse_settings",
    "progress_on_spark",
    "project_progress",
    "with_session_options",
]


def is_read_by_spark(table: str, options: ClusterOptions) -> bool:
    """Whether a table is read on a cluster: because a person says so, or because nothing else can read it.

    >>> is_read_by_spark("people.csv", ClusterOptions(engine="spark"))
    True
    >>> is_read_by_spark("hive:people", ClusterOptions())
    True
    """
    if options.engine not in (None, "spark"):
        raise ProjectError(
            say("there is no engine {engine!r}", engine=options.engine),
            where="--engine",
            remedy=say("the only one to name is spark; without it the table is read here"),
        )
    kind = place_kind(table)
    return options.engine is not None or (kind is not None and kind.is_on_cluster)


def parse_settings(options: SparkOptions, *, has_spark: bool) -> dict[str, str]:
    """What the options say of a session, as settings of Spark; an error where there is none.

    >>> parse_settings(SparkOptions("local[2]", ["spark.executor.memory=2g"]), has_spark=True)
    {'spark.executor.memory': '2g', 'spark.master': 'local[2]'}
    """
    said = [
        *(["--master"] if options.master is not None else []),
        *(["--spark-config"] if options.settings else []),
    ]
    if said and not has_spark:
        remedy = say(
            "leave it out; or have Spark read the table: with --engine spark, or with engine in a project"
        )
        raise ProjectError(
            say("{option} is for tables that Spark reads", option=said[0]), where=said[0], remedy=remedy
        )
    settings: dict[str, str] = {}
    for text in options.settings:
        name, equals, value = text.partition("=")
        if not equals or not name.startswith("spark."):
            raise ProjectError(
                say("{name!r} is not a setting of Spark", name=name),
                where="--spark-config",
                remedy=say("write it as in --spark-config spark.executor.memory=2g"),
            )
        check_spark_setting(name)
        settings[name] = value
    return settings if options.master is None else {**settings, MASTER: options.master}


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
        progress(say("starting Spark"), 0.0)
        is_done = False
        try:
            with ExitStack() as stack:
                stack.enter_context(started_spark(settings, places))
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
    return stack.enter_context(showing_spark_jobs(progress))


@contextmanager
def project_progress(project: "Project") -> "Iterator[Progress]":
    """A progress bar, and Spark if a table of the project needs it, while a project is worked on."""
    with progress_on_spark(project_session(project), project_places(project)) as progress:
        yield progress


def with_session_options(project: "Project", options: SparkOptions) -> "Project":
    """The project with what the options say of the session in place of what it says itself.

    >>> from celosia.api.projects import make_project
    >>> project = make_project(tables={"people": {"source": "hive:people"}}, spark={"master": "yarn"})
    >>> with_session_options(project, SparkOptions(master="local[2]")).spark.master
    'local[2]'
    """
    return with_spark(project, parse_settings(options, has_spark=project_session(project) is not None))
