"""What a program calls: the same jobs as the command line, on files or on the caller's own frames."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.errors import ProjectError
from celosia.types import MISSING_MARKERS, Role, Schema, nearest

if TYPE_CHECKING:
    from celosia.balancing import Balance
    from celosia.hierarchies import Hierarchy
    from celosia.privacy import PrivacyModel
    from celosia.profile import Profile
    from celosia.project import Project
    from celosia.recode.explore import Exploration
    from celosia.release.verify import Verification
    from celosia.run import Ask, Release
    from celosia.tables.table import Progress

__all__ = [
    "Imported",
    "anonymize",
    "balance",
    "build_project",
    "explore",
    "export_table",
    "import_table",
    "profile_table",
    "verify",
]

HierarchyLike = Any
"""A Hierarchy, the path of a file, or the rows of a level table (value first, root last)."""


def anonymize(
    source: Any,
    *,
    quasi_identifiers: Sequence[str],
    out: str | Path | None = None,
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    overwrite: bool = False,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    **options: Any,
) -> "Release":
    """Release a table recoded so that it satisfies the privacy models; by default by the best full-domain node.

    ``source`` is a file, a Polars, pandas, Arrow or DuckDB table, or the address of a database, whose tables are named
    with ``table``. With ``out`` the release is written there; without it, ``release.table`` is a frame of the caller's
    kind. With ``out_table`` it becomes a table of the database at ``out``, or of the source's. ``ask`` asks a person
    for a password that is nowhere to be found. ``options`` are those of ``build_project``.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [31, 32, 38, 39], "sex": ["f", "m", "f", "m"], "ill": ["a", "b", "a", "b"]})
    >>> release = anonymize(people, quasi_identifiers=["age", "sex"], sensitive=["ill"], k=2, seed=1)
    >>> release.risk_before.uniques, release.risk_after.k
    (4, 2)
    """
    from celosia import run

    project = build_project(
        source, quasi_identifiers=quasi_identifiers, out=out, hierarchies=hierarchies, **options
    )
    return run.anonymize(
        project,
        source=None if isinstance(source, str | Path) else source,
        hierarchies=_objects(hierarchies),
        overwrite=overwrite,
        ask=ask,
        **_with(progress),
    )


def explore(
    source: Any,
    *,
    quasi_identifiers: Sequence[str],
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    **options: Any,
) -> "Exploration":
    """Every node of the lattice: whether it is valid, the rows it suppresses, and every utility measure.

    >>> import polars as pl
    >>> people = pl.DataFrame({"sex": ["f", "m", "f"], "town": ["x", "x", "y"]})
    >>> explore(people, quasi_identifiers=["sex", "town"], k=3).valid_nodes()
    [(1, 1)]
    """
    from celosia import run

    project = build_project(source, quasi_identifiers=quasi_identifiers, hierarchies=hierarchies, **options)
    with run.prepared(
        project,
        source=None if isinstance(source, str | Path) else source,
        hierarchies=_objects(hierarchies),
        ask=ask,
        **_with(progress),
    ) as task:
        return run.explore_task(task)


def balance(
    source: Any,
    *,
    quasi_identifiers: Sequence[str],
    ks: Iterable[int] = range(2, 21),
    method: str | None = None,
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    tolerance: float = 0.05,
    threshold: float = 0.95,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    **options: Any,
) -> "Balance":
    """What a release keeps and risks at every k, and the largest k that keeps the distributions.

    ``method`` is distribution-mondrian where all quasi-identifiers are numbers and no parameter of a method is given,
    otherwise mondrian; numbers stay numbers unless ``represent`` says otherwise. ``options`` are those of
    ``build_project`` without k; other privacy models hold at every k.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": [20, 20, 20, 21, 40, 40, 40, 41], "paid": [1, 1, 1, 1, 3, 3, 3, 3]})
    >>> found = balance(people, quasi_identifiers=["age", "paid"], ks=range(2, 6))
    >>> {k: point.column("age").distance for k, point in found.points.items()}
    {2: 0.125, 3: 0.125, 4: 0.125, 5: 0.5}
    >>> found.best("published"), found.points[4].before.uniques, found.points[4].after.uniques
    (4, 2, 0)
    """
    from celosia import run
    from celosia.balancing import choose_technique, sweep
    from celosia.recode.techniques.mondrian import Mondrian

    if "k" in options:
        raise ProjectError("k is what is looked for", where="k", remedy="say which to try with ks")
    project = build_project(
        source,
        quasi_identifiers=quasi_identifiers,
        hierarchies=hierarchies,
        method=method or Mondrian.name,
        k=2,
        **options,
    )
    with run.prepared(
        project,
        source=None if isinstance(source, str | Path) else source,
        hierarchies=_objects(hierarchies),
        ask=ask,
        **_with(progress),
    ) as task:
        technique = choose_technique(task, project.technique, is_named=method is not None)
        return sweep(task, technique, ks, tolerance=tolerance, threshold=threshold)


def verify(
    source: Any,
    *,
    quasi_identifiers: Sequence[str],
    k: int | None = None,
    models: Iterable["PrivacyModel"] = (),
    identifiers: Sequence[str] = (),
    hierarchies: Mapping[str, HierarchyLike] | None = None,
    **reading: Any,
) -> "Verification":
    """Recompute privacy models on a table, with code that shares nothing with the searches.

    ``reading`` are options of ``celosia.tables.open_table``.

    >>> import polars as pl
    >>> verify(pl.DataFrame({"sex": ["f", "f", "m"]}), quasi_identifiers=["sex"], k=2).passed
    False
    """
    from celosia.project import make_project
    from celosia.release.verify import verify as check
    from celosia.tables import close_table, open_table

    asked = [*([{"model": "k-anonymity", "k": k}] if k is not None else []), *models]
    table = open_table(source, **reading)
    try:
        return check(
            table,
            quasi_identifiers=[quasi_identifiers]
            if isinstance(quasi_identifiers, str)
            else quasi_identifiers,
            models=make_project(models=asked).models,
            hierarchies=_all_objects(hierarchies),
            identifiers=identifiers,
        )
    finally:
        close_table(table)


def profile_table(source: Any, *, progress: "Progress | None" = None, **reading: Any) -> "Profile":
    """Types, distinct and missing values of every column, and the role it probably has, with the reason.

    >>> import polars as pl
    >>> [column.name for column in profile_table(pl.DataFrame({"age": [31, 32], "sex": ["f", "m"]})).columns]
    ['age', 'sex']
    """
    from celosia.profile import profile_table as look
    from celosia.tables import close_table, open_table

    table = open_table(source, **reading)
    try:
        return look(table, **_with(progress))
    finally:
        close_table(table)


@dataclass(frozen=True)
class Imported:
    """A file in a database: the name of its table, how many rows it has, and its columns."""

    table: str
    rows: int
    schema: Schema


def import_table(
    source: str | Path,
    *,
    out: str,
    out_table: str,
    types: Mapping[str, str] | Schema | None = None,
    overwrite: bool = False,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
    save: Callable[[Schema], None] | None = None,
    missing: Sequence[str] = ("",),
    **reading: Any,
) -> Imported:
    """Put a file into a new table of the database at ``out``, whole or not at all.

    ``types`` are types by column, or a schema, which has lengths too; what is not given is proposed from all values.
    ``save`` is called with the columns before rows are written; ``missing`` are the texts that become NULL, the empty
    one unless others are given; ``reading`` are further options of ``celosia.tables.open_table``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("zip,age\\n28001,31\\n28002,47\\n")
    ...     import_table(f"{folder}/people.csv", out=f"sqlite:///{folder}/people.db", out_table="people").rows
    2
    """
    from celosia.tables import FileTable, open_table
    from celosia.tables.copy import copy_to_table, propose_columns
    from celosia.tables.sql.address import parse_address
    from celosia.tables.types_file import as_columns

    parse_address(out, variable="CELOSIA_OUT_PASSWORD")
    table = open_table(source, missing=missing, **reading)
    assert isinstance(table, FileTable)
    schema = propose_columns(table, as_columns(types, table.columns(), where=table.name))
    if save is not None:
        save(schema)
    from celosia.tables.sql.open import new_table

    target = new_table(out, out_table, overwrite=overwrite, ask=ask)
    try:
        return Imported(target.shown, copy_to_table(table, schema, target, **_with(progress)), schema)
    finally:
        target.database.close()


def export_table(
    source: str,
    out: str | Path,
    *,
    table: str | Sequence[str],
    where: str | None = None,
    separator: str | None = None,
    encoding: str = "utf-8",
    overwrite: bool = False,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> int:
    """Write the rows of a table in a database to a file as they are, not anonymized; returns how many there are.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("zip,age\\n28001,31\\n28002,47\\n")
    ...     _ = import_table(f"{folder}/people.csv", out=f"sqlite:///{folder}/people.db", out_table="people")
    ...     export_table(f"sqlite:///{folder}/people.db", f"{folder}/old.csv", table="people", where="age > 40")
    1
    """
    from celosia.tables import close_table, open_table
    from celosia.tables.copy import copy_to_file

    opened = open_table(source, table=table, where=where, missing=(), ask=ask)
    try:
        return copy_to_file(
            opened,
            Path(out),
            separator=separator,
            encoding=encoding,
            overwrite=overwrite,
            **_with(progress),
        )
    finally:
        close_table(opened)


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
    **fields: Any,
) -> "Project":
    """The project that the arguments describe.

    A column without a role is common, unless it looks like an identifier: then it must be declared as one, or as
    ``common``.
    ``table`` and ``where`` choose rows of a database, ``out_table`` names the table to be made in one.
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
    columns: dict[str, dict[str, Any]] = {name: {"role": role} for name, role in roles.items()}
    for name, kind in (types or {}).items():
        columns.setdefault(name, {})["type"] = kind
    for name, weight in (weights or {}).items():
        if roles.get(name) is not Role.QUASI_IDENTIFIER:
            raise ProjectError(
                f"a weight is given for {name!r}, which is not a quasi-identifier",
                where="weights",
                remedy="weigh quasi-identifiers only",
            )
        columns[name]["weight"] = weight
    kept = keep_type if isinstance(keep_type, Mapping) else dict.fromkeys(keep_type, True)
    for name, keeps in kept.items():
        if roles.get(name) is not Role.QUASI_IDENTIFIER:
            raise ProjectError(
                f"{name!r} is to keep its type or not, but it is not a quasi-identifier",
                where="keep_type",
                remedy="name quasi-identifiers only: other columns are released as they are",
            )
        columns[name]["keep_type"] = keeps
    for name, hierarchy in (hierarchies or {}).items():
        if name not in roles:
            raise ProjectError(
                f"a hierarchy is given for {name!r}, which has no role",
                where="hierarchies",
                remedy=nearest(name, tuple(columns)),
            )
        if isinstance(hierarchy, str | Path):
            columns[name]["hierarchy"] = str(hierarchy)
    asked = [*([{"model": "k-anonymity", "k": k}] if k is not None else []), *models]
    goals = {name: fields.pop(name) for name in list(fields) if name in Goals.model_fields}
    read = {
        "path": str(source) if isinstance(source, str | Path) else None,
        "table": (table,) if isinstance(table, str) else tuple(table),
        "where": where,
        "separator": separator,
        "encoding": encoding,
        "header": header,
        "missing": tuple(markers),
    }
    written = {"path": None if out is None else str(out), "table": out_table, "record": record}
    return make_project(
        technique=make_technique(method, **fields),
        models=asked,
        tables={_table_name(source, table): {"source": read, "destination": written, "columns": columns}},
        **goals,
    )


def _table_name(source: Any, table: str | Sequence[str]) -> str:
    """What a project calls the table at a place: as its file, or as the database does."""
    if table:
        return table if isinstance(table, str) else table[0]
    return Path(source).stem if isinstance(source, str | Path) and "://" not in str(source) else "table"


def _objects(hierarchies: Mapping[str, HierarchyLike] | None) -> dict[str, "Hierarchy"]:
    """Hierarchies handed over as such or as rows; those named by their file are in the project."""
    from celosia.hierarchies import Hierarchy

    return {
        name: given if isinstance(given, Hierarchy) else Hierarchy.from_rows(name, given)
        for name, given in (hierarchies or {}).items()
        if not isinstance(given, str | Path)
    }


def _all_objects(hierarchies: Mapping[str, HierarchyLike] | None) -> dict[str, "Hierarchy"]:
    from celosia.hierarchies import read_hierarchy

    files = {
        name: read_hierarchy(Path(given), name)
        for name, given in (hierarchies or {}).items()
        if isinstance(given, str | Path)
    }
    return {**_objects(hierarchies), **files}


def _with(progress: "Progress | None") -> dict[str, Any]:
    return {} if progress is None else {"progress": progress}
