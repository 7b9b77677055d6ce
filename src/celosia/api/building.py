"""A project from the arguments of a call."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.api.arguments import HierarchyLike, names_of
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import MISSING_MARKERS, Role, nearest

if TYPE_CHECKING:
    from celosia.privacy import PrivacyModel
    from celosia.project import Project


__all__ = ["build_project", "table_name"]


def build_project(
    source: Any,
    *,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = (),
    identifiers: Sequence[str] = (),
    common: Sequence[str] = (),
    k: int | None = None,
    models: Iterable["PrivacyModel"] = (),
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    weights: Mapping[str, float] | None = None,
    population: Any = None,
    population_fraction: float | None = None,
    keep_type: Mapping[str, bool] | Sequence[str] = (),
    method: str = "full-domain",
    out: str | Path | None = None,
    out_table: str | None = None,
    table: str | Sequence[str] = (),
    where: str | None = None,
    separator: str | None = None,
    encoding: str = "utf-8",
    header: bool = True,
    markers: Sequence[str] = MISSING_MARKERS,
    types: Mapping[str, str] | None = None,
    record: str | None = None,
    format: str | None = None,
    out_format: str | None = None,
    engine: str | None = None,
    spark: Mapping[str, str] | None = None,
    **fields: Any,
) -> "Project":
    """The project that the arguments describe.

    A column without a role is common, unless it looks like an identifier: then it must be declared as one, or as
    ``common``.
    ``table`` and ``where`` choose rows of a database, ``out_table`` names the table to be made in one.
    ``engine`` spark reads any path on a cluster, whose settings are ``spark`` (``spark.master`` among them).
    ``population`` is the path of a table of the people of whom this one holds some, ``population_fraction`` the share
    of them that it holds: for models that look at it.
    ``k`` is short for the model ``KAnonymity``; ``markers`` are the texts that mean a missing value; ``types``
    overrides inferred column types; ``keep_type`` names quasi-identifiers that keep their type in a local recoding, or
    says it of each; ``fields`` are those of ``celosia.project.Goals`` (suppression, measure, missing, unknown, seed)
    and the parameters of ``method`` (full-domain: search, seconds, node; mondrian: split, represent, ...).

    >>> build_project("people.csv", quasi_identifiers=["age"], k=5, suppression=0.05).suppression
    0.05
    >>> build_project("people.csv", quasi_identifiers=["age"], method="mondrian", represent="mode").technique.name
    'mondrian'
    """
    from celosia.project import Goals, assign_roles, make_project
    from celosia.recode.techniques import make_technique
    from celosia.tables.sql.address import OUT_PASSWORD, PASSWORD, is_address, parse_address

    for place, variable in ((source, PASSWORD), (out, OUT_PASSWORD)):
        if is_address(place):
            parse_address(str(place), variable=variable)  # one with a password never gets into a project
    roles = assign_roles(
        identifiers=identifiers, quasi_identifiers=quasi_identifiers, sensitive=sensitive, common=common
    )
    columns = _columns(roles, types or {}, weights or {}, keep_type, hierarchies or {})
    asked = [*([{"model": "k-anonymity", "k": k}] if k is not None else []), *models]
    if method == "chain":
        raise ProjectError(
            say("a chain of techniques is written in a project"),
            where="method",
            remedy=say("write its steps under technique, and run it with celosia run"),
        )
    goals = {name: fields.pop(name) for name in list(fields) if name in Goals.model_fields}
    read = {
        "path": str(source) if isinstance(source, str | Path) else None,
        "table": names_of(table),
        "where": where,
        "separator": separator,
        "encoding": encoding,
        "header": header,
        "missing": names_of(markers),
        "format": format,
        "engine": engine,
    }
    written = {"path": None if out is None else str(out), "table": out_table, "record": record}
    if out_format is not None:
        written["format"] = out_format
    if spark:
        settings = dict(spark)
        goals["spark"] = {"master": settings.pop("spark.master", None), "config": settings}
    return make_project(
        technique=make_technique(method, **fields),
        models=asked,
        tables={
            table_name(source, table): {
                "source": read,
                "destination": written,
                "columns": columns,
                "unlisted": "common",
                "population": {
                    "source": str(population) if isinstance(population, str | Path) else None,
                    "fraction": population_fraction,
                },
            }
        },
        **goals,
    )


def _columns(
    roles: Mapping[str, Role],
    types: Mapping[str, str],
    weights: Mapping[str, float],
    keep_type: Mapping[str, bool] | Sequence[str],
    hierarchies: Mapping[str, HierarchyLike],
) -> dict[str, dict[str, Any]]:
    """What is said of every column, gathered from the arguments that say it."""
    columns: dict[str, dict[str, Any]] = {name: {"role": role} for name, role in roles.items()}
    for name, kind in types.items():
        columns.setdefault(name, {})["type"] = kind
    for name, weight in weights.items():
        if roles.get(name) is not Role.QUASI_IDENTIFIER:
            raise ProjectError(
                say("a weight is given for {name!r}, which is not a quasi-identifier", name=name),
                where="weights",
                remedy=say("weigh quasi-identifiers only"),
            )
        columns[name]["weight"] = weight
    kept = keep_type if isinstance(keep_type, Mapping) else dict.fromkeys(names_of(keep_type), True)
    for name, keeps in kept.items():
        if roles.get(name) is not Role.QUASI_IDENTIFIER:
            raise ProjectError(
                say("{name!r} is to keep its type or not, but it is not a quasi-identifier", name=name),
                where="keep_type",
                remedy=say("name quasi-identifiers only: other columns are released as they are"),
            )
        columns[name]["keep_type"] = keeps
    for name, hierarchy in hierarchies.items():
        if name not in roles:
            raise ProjectError(
                say("a hierarchy is given for {name!r}, which has no role", name=name),
                where="hierarchies",
                remedy=nearest(name, tuple(columns)),
            )
        if isinstance(hierarchy, str | Path):
            columns[name]["hierarchy"] = str(hierarchy)
    return columns


def table_name(source: Any, table: str | Sequence[str]) -> str:
    """What a project calls the table at a place: as its file, or as the database does."""
    from celosia.tables.spark.address import is_place, name_of_place

    if table:
        return table if isinstance(table, str) else table[0]
    if is_place(source):
        return name_of_place(source)
    return Path(source).stem if isinstance(source, str | Path) and "://" not in str(source) else "table"
