"""What commands that carry out a project share: other sources, passwords, records, and what an interrupt leaves."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.clusters import changed_on_cluster
from celosia.api.opening import PlaceKind, place_kind, plain_table_name, stamp_in_store
from celosia.api.projects import with_other_sources
from celosia.api.releasing import with_default_records
from celosia.cli.destination import spell_file
from celosia.cli.interrupt import report_if_written
from celosia.cli.options import SourceOptions
from celosia.cli.passwords import Passwords, ensure_passwords
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import nearest

if TYPE_CHECKING:
    from celosia.api.results import Project

__all__ = [
    "default_record",
    "ensure_project_passwords",
    "report_if_all_released",
    "report_if_released",
    "with_records",
    "with_sources",
]


def with_sources(project: "Project", options: SourceOptions) -> "Project":
    """The project with other files and tables in place of those it names.

    >>> from celosia.api.projects import make_project
    >>> project = make_project(tables={"people": {"source": "people_2025.csv"}})
    >>> with_sources(project, SourceOptions(sources=["people_2026.csv"])).plan().source.path
    'people_2026.csv'
    """
    sources: dict[str, str] = {}
    for name, places in _by_table(options.sources, project, "--source", "people_2026.csv").items():
        if len(places) > 1:
            raise ProjectError(
                say("table {name!r} is given {count} sources", name=name, count=len(places)),
                where="--source",
                remedy=say("give it one"),
            )
        sources[name] = places[0]
    tables = _by_table(options.tables, project, "--source-table", "clinic.visits_2026")
    return with_other_sources(project, sources, tables)


def _by_table(texts: Sequence[str], project: "Project", option: str, example: str) -> dict[str, list[str]]:
    """What is said of tables; a project with one table need not have it named."""
    names = tuple(project.tables)
    said: dict[str, list[str]] = {}
    for text in texts:
        # The names of tables and files may hold the sign between them.
        fitting = [name for name in names if text.startswith(f"{name}=")]
        if fitting:
            name = max(fitting, key=len)
            said.setdefault(name, []).append(text[len(name) + 1 :])
        elif len(names) == 1:
            said.setdefault(names[0], []).append(text)
        else:
            table = text.partition("=")[0]
            raise ProjectError(
                say("{name!r} is no table of the project", name=table),
                where=option,
                remedy=say(
                    "{advice}; write it as in {option} {table}={example}",
                    advice=nearest(table, names, say("the tables")),
                    option=option,
                    table=names[0] if names else say("table"),
                    example=example,
                ),
            )
    return said


def with_records(project: "Project", folder: Path) -> "Project":
    """The project with a record for every table that is made in a database or in Hive.

    By default it goes to ``folder``, under the name of the table.
    """
    records = {name: folder / f"{spell_file(name)}.record.json" for name in project.tables}
    return with_default_records(project, records)


def default_record(table: str) -> Path:
    """Where the record of a table goes if nobody says: here, under its name.

    >>> default_record("public.visits_safe"), default_record("hive:safe")
    (PosixPath('visits_safe.record.json'), PosixPath('safe.record.json'))
    """
    return Path(f"{spell_file(plain_table_name(table))}.record.json")


def ensure_project_passwords(project: "Project", ask: Passwords) -> None:
    """Ask for all passwords of a project before a progress bar runs."""
    for name in project.tables:
        plan = project.plan(name)
        ensure_passwords(ask, plan.source.path, plan.destination.path)


@contextmanager
def report_if_all_released(project: "Project") -> Iterator[None]:
    """Note on an interrupt that came late which releases of a project are there."""
    with ExitStack() as stack:
        for name in project.tables:
            place = project.plan(name).destination
            record = None if place.record is None else Path(place.record)
            table = place.path if place_kind(place.path) is PlaceKind.HIVE else place.table
            stack.enter_context(report_if_released(place.path, table, record))
        yield


@contextmanager
def report_if_released(out: str | None, table: str | None, record: Path | None) -> Iterator[None]:
    """Note on an interrupt that came too late that the release is there; a table is where its record is."""
    kind = place_kind(out)
    if table is not None and record is not None:
        with report_if_written(record, table=table):
            yield
    elif kind is not None and kind.is_on_cluster:
        with report_if_written(str(out), changed_on_cluster):
            yield
    elif kind is PlaceKind.STORE:
        with report_if_written(str(out), stamp_in_store):
            yield
    else:
        with report_if_written(Path(out or "")):
            yield
