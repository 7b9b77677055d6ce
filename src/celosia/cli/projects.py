"""What commands that carry out a project share: other sources, passwords, records, and what an interrupt leaves."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.cli.cluster import changed_on_cluster, is_hive
from celosia.cli.destination import spell_file
from celosia.cli.interrupt import report_if_written
from celosia.cli.options import SourceOptions
from celosia.cli.parse_options import Passwords, ensure_passwords
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import nearest

if TYPE_CHECKING:
    from celosia.project import Project, Source

__all__ = [
    "default_record",
    "ensure_project_passwords",
    "report_if_all_released",
    "report_if_released",
    "with_records",
    "with_sources",
]


def with_sources(project: "Project", given: SourceOptions) -> "Project":
    """The project with other files and tables in place of those it names.

    >>> from celosia.project import make_project
    >>> project = make_project(tables={"people": {"source": "people_2025.csv"}})
    >>> with_sources(project, SourceOptions(sources=["people_2026.csv"])).plan().source.path
    'people_2026.csv'
    """
    tables = dict(project.tables)
    for name, places in _by_table(given.sources, project, "--source", "people_2026.csv").items():
        if len(places) > 1:
            raise ProjectError(
                say("table {name!r} is given {count} sources", name=name, count=len(places)),
                where="--source",
                remedy=say("give it one"),
            )
        source = _elsewhere(project.plan(name).source, places[0])
        tables[name] = tables[name].model_copy(update={"source": source})
    for name, names in _by_table(given.tables, project, "--table", "clinic.visits_2026").items():
        source = tables[name].source.model_copy(update={"table": tuple(names)})
        tables[name] = tables[name].model_copy(update={"source": source})
    return project.model_copy(update={"tables": tables})


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
            given = text.partition("=")[0]
            raise ProjectError(
                say("{name!r} is no table of the project", name=given),
                where=option,
                remedy=say(
                    "{advice}; write it as in {option} {table}={example}",
                    advice=nearest(given, names, say("the tables")),
                    option=option,
                    table=names[0] if names else say("table"),
                    example=example,
                ),
            )
    return said


def _elsewhere(source: "Source", place: str) -> "Source":
    """A source at another place: what is said of rows and tables of a database holds for databases only."""
    from celosia.tables.sql.address import is_address, parse_address

    moved: dict[str, Any] = {"path": place, "connection": None}
    if is_address(place):
        parse_address(place)
        moved["engine"] = None
    if not (is_address(place) and is_address(source.path)):
        moved["table"] = ()
    after = source.model_copy(update=moved)
    if is_address(place) == is_address(source.path) and after.is_on_cluster == source.is_on_cluster:
        return after
    return after.model_copy(update={"where": None})


def with_records(project: "Project", folder: Path) -> "Project":
    """The project with a record for every table that is made in a database or in Hive.

    By default it goes to ``folder``, under the name of the table.
    """
    tables = dict(project.tables)
    for name, table in project.tables.items():
        place = table.destination
        if (place.table is not None or is_hive(place.path)) and place.record is None:
            record = {"record": str(folder / f"{spell_file(name)}.record.json")}
            tables[name] = table.model_copy(update={"destination": place.model_copy(update=record)})
    return project.model_copy(update={"tables": tables})


def default_record(table: str) -> Path:
    """Where the record of a table goes if nobody says: here, under its name.

    >>> default_record("public.visits_safe"), default_record("hive:safe")
    (PosixPath('visits_safe.record.json'), PosixPath('safe.record.json'))
    """
    from celosia.tables.spark.address import HIVE
    from celosia.tables.sql.address import split_name

    return Path(f"{spell_file(split_name(table.removeprefix(HIVE))[1])}.record.json")


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
            table = place.path if is_hive(place.path) else place.table
            stack.enter_context(report_if_released(place.path, table, record))
        yield


@contextmanager
def report_if_released(out: str | None, table: str | None, record: Path | None) -> Iterator[None]:
    """Note on an interrupt that came too late that the release is there; a table is where its record is."""
    from celosia.tables.spark.address import is_place

    if table is not None and record is not None:
        with report_if_written(record, table=table):
            yield
    elif is_place(out):
        with report_if_written(str(out), changed_on_cluster):
            yield
    else:
        with report_if_written(Path(out or "")):
            yield
