"""Releases of one table: complete, light, or only looked for."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.api.arguments import HierarchyLike, hierarchy_objects, names_of, with_progress
from celosia.api.building import build_project, table_name
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import Role

if TYPE_CHECKING:
    from celosia.balancing import Balance
    from celosia.project import Project
    from celosia.recode.explore import Exploration
    from celosia.run import Ask, Release
    from celosia.tables.table import Progress


__all__ = ["anonymize", "balance", "explore", "mask_columns", "run_project"]


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
        source=_handed_over(source),
        hierarchies=hierarchy_objects(hierarchies),
        population=_handed_over(options.get("population")),
        overwrite=overwrite,
        ask=ask,
        **with_progress(progress),
    )


def mask_columns(
    source: Any,
    operations: Mapping[str, Any],
    *,
    rows: Sequence[Any] | Mapping[str, Any] = (),
    identifiers: Sequence[str] = (),
    common: Sequence[str] = (),
    out: str | Path | None = None,
    keys: Mapping[str, Any] | None = None,
    person: str | None = None,
    seed: int | None = None,
    order: str = "random",
    overwrite: bool = False,
    progress: "Progress | None" = None,
) -> "Release":
    """Release a table after operations on its columns and rows: light anonymization, without a privacy model.

    ``operations`` are by column, each a name, or a mapping of its name and parameters, or several in order; ``rows``
    are operations that leave out rows. Identifiers that have no operation are left out. ``keys`` says where keys are,
    as in a project; ``person`` is the column that tells people apart.

    >>> import polars as pl
    >>> people = pl.DataFrame({"town": ["Lugo", "Vigo"], "paid": [1234, 987]})
    >>> release = mask_columns(people, {"paid": {"name": "round", "to": 100}}, seed=1)
    >>> sorted(release.table["paid"].to_list())
    [1000, 1200]
    """
    from celosia import run
    from celosia.project import make_project

    columns: dict[str, dict[str, Any]] = {name: {"operation": one} for name, one in operations.items()}
    for names, role in ((identifiers, Role.IDENTIFIER), (common, Role.COMMON)):
        for name in names_of(names):
            columns.setdefault(name, {})["role"] = role
    table = {
        "source": str(source) if isinstance(source, str | Path) else {},
        "destination": {} if out is None else str(out),
        "columns": columns,
        "rows": rows if isinstance(rows, str | Mapping) else list(rows),
        "person": person,
        "order": order,
        "unlisted": "common",
    }
    project = make_project(
        kind="light", seed=seed, keys=dict(keys or {}), tables={table_name(source, ()): table}
    )
    return run.anonymize(
        project,
        source=_handed_over(source),
        overwrite=overwrite,
        **with_progress(progress),
    )


def run_project(
    project: "Project | Mapping[str, Any] | str | Path",
    *,
    sources: Mapping[str, Any] | None = None,
    overwrite: bool = False,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> "dict[str, Release]":
    """Release all tables of a project, of the mapping of its fields, or of the document at a path, or none of them.

    ``sources`` are files, addresses or frames by table, that take the place of those in the project.

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
        found = load_project(project)
    elif isinstance(project, Mapping):
        found = make_project(**{str(name): value for name, value in project.items()})
    elif isinstance(project, Project):
        found = project
    else:
        raise ProjectError(
            say("this is no project"),
            where="run_project",
            remedy=say("give a Project, a mapping of its fields, or the path of its document"),
        )
    return run.run_project(found, sources=sources, overwrite=overwrite, ask=ask, **with_progress(progress))


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
        source=_handed_over(source),
        hierarchies=hierarchy_objects(hierarchies),
        population=_handed_over(options.get("population")),
        ask=ask,
        **with_progress(progress),
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
        raise ProjectError(say("k is what is looked for"), where="k", remedy=say("say which to try with ks"))
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
        source=_handed_over(source),
        hierarchies=hierarchy_objects(hierarchies),
        population=_handed_over(options.get("population")),
        ask=ask,
        **with_progress(progress),
    ) as task:
        technique = choose_technique(task, project.technique, is_named=method is not None)
        return sweep(task, technique, ks, tolerance=tolerance, threshold=threshold)


def _handed_over(table: Any) -> Any:
    """A table that the caller holds; None for one that a project can name."""
    return None if isinstance(table, str | Path) else table
