"""From a request for a release to the project that says the same."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.api.requests import ReleaseRequest
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import Role, TableLike, nearest

if TYPE_CHECKING:
    from celosia.project import Project


__all__ = ["build_project", "table_name"]


def build_project(request: ReleaseRequest) -> "Project":
    """The project that a request describes.

    A column without a role is common, unless it would tell people apart: then somebody must say what it is.

    >>> build_project(ReleaseRequest.of("people.csv", quasi_identifiers=["age"], k=5, suppression=0.05)).suppression
    0.05
    >>> request = ReleaseRequest.of("people.csv", quasi_identifiers=["age"], technique="mondrian", represent="mode")
    >>> build_project(request).technique.name
    'mondrian'
    """
    from celosia.project import make_project
    from celosia.recode.techniques import make_technique
    from celosia.tables.sql.address import OUT_PASSWORD, PASSWORD, is_address, parse_address

    source, destination, technique = request.source, request.destination, request.technique
    for place, variable in ((source.place, PASSWORD), (destination.path, OUT_PASSWORD)):
        if is_address(place):
            parse_address(str(place), variable=variable)  # one with a password never gets into a project
    if technique.name == "chain":
        raise ProjectError(
            say("a chain of techniques is written in a project"),
            where="technique",
            remedy=say("write its steps under technique, and run it with celosia run"),
        )
    columns = _columns(request)
    return make_project(
        technique=make_technique(technique.name, **technique.parameters),
        models=list(request.models),
        tables={
            table_name(source.place, source.tables): {
                "source": _source(request),
                "destination": _destination(request),
                "columns": columns,
                "person": request.roles.person,
                "unlisted": "common",
                "population": {"source": request.population.path, "fraction": request.population.fraction},
            }
        },
        **_spark(source.spark),
        **request.goals.told,
    )


def _source(request: ReleaseRequest) -> dict[str, object]:
    source = request.source
    return {
        "path": source.path,
        "table": source.tables,
        "where": source.where,
        "separator": source.separator,
        "encoding": source.encoding,
        "header": source.header,
        "missing": source.missing,
        "decimal": source.decimal,
        "thousands": source.thousands,
        "date_format": source.date_format,
        "quote": source.quote,
        "format": source.format,
        "engine": source.engine,
    }


def _destination(request: ReleaseRequest) -> dict[str, Any]:
    destination = request.destination
    written = {
        "path": None if destination.path is None else str(destination.path),
        "table": destination.table,
        "record": None if destination.record is None else str(destination.record),
    }
    told = {"format": destination.format, "formulas": destination.formulas}
    return written | {name: value for name, value in told.items() if value is not None}


def _spark(settings: Mapping[str, str] | None) -> dict[str, object]:
    if not settings:
        return {}
    config = {name: value for name, value in settings.items() if name != "spark.master"}
    return {"spark": {"master": settings.get("spark.master"), "config": config}}


def _bound(
    columns: Mapping[str, dict[str, object]], request: ReleaseRequest, roles: Mapping[str, Role]
) -> None:
    """Say of columns at which levels they may be released."""
    for bound, levels in (("finest", request.finest), ("coarsest", request.coarsest)):
        for name, level in levels.items():
            if roles.get(name) is not Role.QUASI_IDENTIFIER:
                raise ProjectError(
                    say("a level is given for {name!r}, which is not a quasi-identifier", name=name),
                    where=bound,
                    remedy=say("name quasi-identifiers only: other columns are released as they are"),
                )
            columns[name][bound] = level


def _columns(request: ReleaseRequest) -> dict[str, dict[str, object]]:
    """What is said of every column, gathered from the parts of the request that say it."""
    from celosia.mask.parsing import parse_operations
    from celosia.project import assign_roles

    column_roles = request.roles
    roles = assign_roles(
        identifiers=column_roles.identifiers,
        quasi_identifiers=column_roles.quasi_identifiers,
        sensitive=column_roles.sensitive,
        common=column_roles.common,
    )
    columns: dict[str, dict[str, object]] = {name: {"role": role} for name, role in roles.items()}
    for name, kind in request.source.type_names.items():
        columns.setdefault(name, {})["type"] = kind
    for name, accepted in column_roles.accepted.items():
        columns.setdefault(name, {})["accepted"] = accepted
        columns[name].setdefault("role", Role.COMMON)
    for name, operations in request.masks.items():
        columns.setdefault(name, {})["operation"] = (
            parse_operations(operations) if isinstance(operations, str) else operations
        )
    for name, weight in request.weights.items():
        if roles.get(name) is not Role.QUASI_IDENTIFIER:
            raise ProjectError(
                say("a weight is given for {name!r}, which is not a quasi-identifier", name=name),
                where="weights",
                remedy=say("weigh quasi-identifiers only"),
            )
        columns[name]["weight"] = weight
    _bound(columns, request, roles)
    for name, keeps in request.keep_type.items():
        if roles.get(name) is not Role.QUASI_IDENTIFIER:
            raise ProjectError(
                say("{name!r} is to keep its type or not, but it is not a quasi-identifier", name=name),
                where="keep_type",
                remedy=say("name quasi-identifiers only: other columns are released as they are"),
            )
        columns[name]["keep_type"] = keeps
    for name, hierarchy in request.hierarchies.items():
        if name not in roles:
            raise ProjectError(
                say("a hierarchy is given for {name!r}, which has no role", name=name),
                where="hierarchies",
                remedy=nearest(name, tuple(columns)),
            )
        if isinstance(hierarchy, str | Path):
            columns[name]["hierarchy"] = str(hierarchy)
    return columns


def table_name(place: TableLike | None, tables: tuple[str, ...] = ()) -> str:
    """What a project calls the table at a place: as its file, or as the database does.

    >>> table_name("clinic/people.csv"), table_name("sqlite:///clinic.db", ("visits",)), table_name("hive:a.people")
    ('people', 'visits', 'people')
    """
    from celosia.tables.file_list import plain_name
    from celosia.tables.place import is_remote
    from celosia.tables.spark.address import is_place, name_of_place

    if tables:
        return tables[0]
    if isinstance(place, str) and is_place(place):
        return name_of_place(place)
    is_file = isinstance(place, str | Path) and ("://" not in str(place) or is_remote(str(place)))
    return plain_name(str(place)) if is_file else "table"
