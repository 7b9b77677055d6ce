"""Releases: of one table, of all tables of a project, or light ones, without a privacy model."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.arguments import handed_over, with_progress
from celosia.api.building import build_project, table_name
from celosia.api.requests import (
    HierarchyLike,
    OperationLike,
    ReleaseRequest,
    TableDestination,
    TableSource,
    names_of,
)
from celosia.errors import CelosiaError, ProjectError
from celosia.say import say
from celosia.types import Role, TableLike

if TYPE_CHECKING:
    from celosia.api.results import Ask, Progress, Project, Release
    from celosia.release.before_after import RowsBeforeAfter
    from celosia.release.prepared_table import PreparedTable
    from celosia.tables.table import Recoding

__all__ = [
    "anonymize",
    "load_engines",
    "mask_columns",
    "record_place",
    "release_project",
    "run_project",
    "with_default_records",
    "with_destinations",
    "with_node",
]


def anonymize(
    source: TableLike,
    *,
    quasi_identifiers: Sequence[str],
    out: str | Path | None = None,
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    overwrite: bool = False,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    **options: object,
) -> "Release":
    """Release a table recoded so that it satisfies the privacy models; by default by the best full-domain node.

    ``source`` is a file, a Polars, pandas, Arrow or DuckDB table, or the address of a database, whose tables are named
    with ``table``. With ``out`` the release is written there; without it, ``release.table`` is a frame of the caller's
    kind. With ``out_table`` it becomes a table of the database at ``out``, or of the source's. ``ask`` asks a person
    for a password that is nowhere to be found. ``options`` are those of
    :meth:`celosia.api.requests.ReleaseRequest.of`.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [31, 32, 38, 39], "sex": ["f", "m", "f", "m"], "ill": ["a", "b", "a", "b"]})
    >>> release = anonymize(people, quasi_identifiers=["age", "sex"], sensitive=["ill"], k=2, seed=1)
    >>> release.risk_before.uniques, release.risk_after.k
    (4, 2)
    """
    request = ReleaseRequest.of(
        source, quasi_identifiers=quasi_identifiers, out=out, hierarchies=hierarchies, **options
    )
    return release_project(
        build_project(request), request=request, overwrite=overwrite, progress=progress, ask=ask
    )


def release_project(
    project: "Project",
    *,
    request: ReleaseRequest | None = None,
    overwrite: bool = False,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> "Release":
    """Release the only table of a project; ``request`` holds frames and hierarchies that the caller hands over."""
    from celosia import run

    return run.anonymize(
        project, overwrite=overwrite, ask=ask, **handed_over(request), **with_progress(progress)
    )


def mask_columns(
    source: TableLike,
    operations: Mapping[str, OperationLike],
    *,
    rows: OperationLike = (),
    identifiers: Sequence[str] = (),
    common: Sequence[str] = (),
    accept: Mapping[str, str | Mapping[str, object]] | None = None,
    out: str | Path | None = None,
    keys: Mapping[str, object] | None = None,
    person: str | None = None,
    seed: int | None = None,
    order: str = "random",
    overwrite: bool = False,
    progress: "Progress | None" = None,
) -> "Release":
    """Release a table after operations on its columns and rows: light anonymization, without a privacy model.

    ``operations`` are by column, each a name, or a mapping of its name and parameters, or several in order; ``rows``
    are operations that leave out rows. Identifiers that have no operation are left out; ``accept`` gives the reason by
    column why it leaves though it tells people apart. ``keys`` says where keys are,
    as in a project; ``person`` is the column that tells people apart.

    >>> import polars as pl
    >>> people = pl.DataFrame({"town": ["Lugo", "Vigo"], "paid": [1234, 987]})
    >>> release = mask_columns(people, {"paid": {"name": "round", "to": 100}}, common=["town"], seed=1)
    >>> sorted(release.table["paid"].to_list())
    [1000, 1200]
    """
    from celosia.project import make_project

    columns: dict[str, dict[str, object]] = {
        name: {"operation": operation} for name, operation in operations.items()
    }
    for names, role in ((identifiers, Role.IDENTIFIER), (common, Role.COMMON)):
        for name in names_of(names):
            columns.setdefault(name, {})["role"] = role
    for name, accepted in (accept or {}).items():
        columns.setdefault(name, {})["accepted"] = accepted
    table = {
        "source": str(source) if isinstance(source, str | Path) else {},
        "destination": {} if out is None else str(out),
        "columns": columns,
        "rows": rows if isinstance(rows, str | Mapping) else list(rows),
        "person": person,
        "order": order,
        "unlisted": "common",
    }
    project = make_project(kind="light", seed=seed, keys=dict(keys or {}), tables={table_name(source): table})
    request = ReleaseRequest(TableSource(source))
    return release_project(project, request=request, overwrite=overwrite, progress=progress)


def run_project(
    project: "Project | Mapping[str, object] | str | Path",
    *,
    sources: Mapping[str, TableLike] | None = None,
    overwrite: bool = False,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    rows_shown: "Callable[[str, RowsBeforeAfter], None] | None" = None,
    most_shown: int = 20,
) -> "dict[str, Release]":
    """Release all tables of a project, of the mapping of its fields, or of the document at a path, or none of them.

    ``sources`` are files, addresses or frames by table, that take the place of those in the project. ``rows_shown`` is
    called for every table with some of its rows, at most ``most_shown``, beside what becomes of them.

    >>> import polars as pl
    >>> from celosia.project import make_project
    >>> towns = {"operation": {"name": "truncate", "first": 1}}
    >>> project = make_project(kind="light", tables={"people": {"columns": {"town": towns}}})
    >>> run_project(project, sources={"people": pl.DataFrame({"town": ["Lugo"]})})["people"].table["town"].to_list()
    ['L']
    """
    from celosia import run
    from celosia.project import Project, load_project, make_project

    if isinstance(project, str | Path):
        loaded = load_project(project)
    elif isinstance(project, Mapping):
        loaded = make_project(**{str(name): value for name, value in project.items()})
    elif isinstance(project, Project):
        loaded = project
    else:
        raise ProjectError(
            say("this is no project"),
            where="run_project",
            remedy=say("give a Project, a mapping of its fields, or the path of its document"),
        )
    look = None if rows_shown is None else _look_at_rows(rows_shown, most_shown)
    return run.run_project(
        loaded, sources=sources, overwrite=overwrite, ask=ask, look=look, **with_progress(progress)
    )


def _look_at_rows(
    rows_shown: "Callable[[str, RowsBeforeAfter], None]", most: int
) -> "Callable[[PreparedTable, Recoding], None]":
    def look(job: "PreparedTable", recoding: "Recoding") -> None:
        from celosia.release.before_after import rows_before_after

        try:
            rows_shown(job.name, rows_before_after(job, recoding, most=most))
        except CelosiaError:  # what cannot be shown does not keep a release from being made
            return

    return look


def load_engines() -> None:
    """Load everything that most releases need, before there is one."""
    import celosia.check
    import celosia.run  # noqa: F401


def record_place(release: "Release") -> str | Path | None:
    """Where the record of a release lies; None where it has none but in memory.

    >>> import polars as pl
    >>> record_place(mask_columns(pl.DataFrame({"paid": [1234]}), {})) is None
    True
    """
    from celosia.release.publish import record_path
    from celosia.tables.spark.address import record_beside

    record: str | None = release.record["destination"].get("record")
    if isinstance(release.table, Path):
        return record_path(release.table)
    if record is None and isinstance(release.table, str):
        return record_beside(release.table)
    return record


def with_default_records(project: "Project", records: Mapping[str, Path]) -> "Project":
    """The project with a record for every table that is made in a database or in Hive, where it names none.

    ``records`` are by table.
    """
    from celosia.api.opening import PlaceKind, place_kind

    tables = dict(project.tables)
    for name, table in project.tables.items():
        place = table.destination
        is_table = place.table is not None or place_kind(place.path) is PlaceKind.HIVE
        if is_table and place.record is None:
            update = {"record": str(records[name])}
            tables[name] = table.model_copy(update={"destination": place.model_copy(update=update)})
    return project.model_copy(update={"tables": tables})


def with_destinations(project: "Project", destinations: Mapping[str, TableDestination]) -> "Project":
    """The project with other destinations of its tables."""
    from celosia.project import Destination

    tables = {}
    for name, table in project.tables.items():
        destination = destinations[name]
        said = {
            "path": destination.path,
            "table": destination.table,
            "format": destination.format,
            "record": destination.record,
        }
        told = {field: str(value) for field, value in said.items() if value is not None}
        tables[name] = table.model_copy(update={"destination": Destination.model_validate(told)})
    return project.model_copy(update={"tables": tables})


def with_node(project: "Project", node: tuple[int, ...], table: str | None = None) -> "Project":
    """The project with one generalization to apply, to all its tables or to the one that is named."""
    from celosia.api.projects import with_goals
    from celosia.recode.techniques import make_technique

    technique = make_technique("full-domain", node=node)
    if table is None:
        return with_goals(project, technique=technique)
    project.plan(table)  # says so if there is none of that name
    changed = project.tables[table].model_copy(update={"technique": technique})
    return project.model_copy(update={"tables": {**project.tables, table: changed}})
