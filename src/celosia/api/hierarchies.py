"""The levels that columns are generalized by: found, proposed from values, built by rule, checked, written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.errors import HierarchyError
from celosia.say import say
from celosia.types import ColumnType, nearest

if TYPE_CHECKING:
    from celosia.api.requests import TableSource
    from celosia.api.results import Ask, Hierarchy, HierarchyProposal, Progress, Project, Table
    from celosia.release.prepared_table import PreparedTable
    from celosia.tables.table import Counts

__all__ = [
    "ColumnHierarchy",
    "HierarchyFault",
    "build_hierarchy",
    "check_files",
    "check_rows",
    "date_levels",
    "file_endings",
    "find_hierarchies",
    "hierarchy_of_rows",
    "project_hierarchies",
    "propose_for_column",
    "propose_hierarchies",
    "read_hierarchy",
    "spell_levels",
    "write_hierarchy",
]


def find_hierarchies(folder: Path, columns: Sequence[str]) -> dict[str, Path]:
    """The file of each column that has one in a folder: its name contains that of the column."""
    from celosia import hierarchies

    return dict(hierarchies.find_hierarchies(folder, columns))


def read_hierarchy(path: Path | str, column: str, *, encoding: str = "utf-8") -> "Hierarchy":
    """The hierarchy of a column from its file."""
    from celosia import hierarchies

    return hierarchies.read_hierarchy(path, column, encoding=encoding)


def write_hierarchy(hierarchy: "Hierarchy", path: Path) -> None:
    """Write a hierarchy to a file."""
    from celosia import hierarchies

    hierarchies.write_hierarchy(hierarchy, path)


def hierarchy_of_rows(column: str, rows: Iterable[Sequence[str]]) -> "Hierarchy":
    """The hierarchy whose rows these are: a value, then its label at every level.

    >>> hierarchy_of_rows("town", [("Lugo", "North", "*"), ("Vigo", "North", "*")]).height
    2
    """
    from celosia.hierarchies import Hierarchy

    return Hierarchy.from_rows(column, list(map(tuple, rows)))


def file_endings() -> tuple[str, ...]:
    """What the names of files of hierarchies end in."""
    from celosia.hierarchies.files import SUFFIXES

    return tuple(SUFFIXES)


def propose_for_column(
    table: "Table", column: str, *, kind: str, targets: Sequence[str] = (), language: str = "en"
) -> "HierarchyProposal":
    """What a release would propose for a column; with ``targets``, what top-down specialization would."""
    from celosia.hierarchies import propose

    others = [name for name in targets if name != column]
    counted = table.count_by([column, *others])
    return propose(
        column,
        counted.texts[0],
        type=ColumnType(kind),
        counts=counted.rows_of(0),
        numbers=(lambda: _telling(counted, others)) if others else None,
        language=language,
    )


def _telling(counted: "Counts", targets: list[str]) -> "HierarchyProposal":
    """Intervals of the first column that tell most about the tuple of the others."""
    import numpy as np

    from celosia.hierarchies import HierarchyProposal, gain_intervals
    from celosia.recode.gains import tuple_codes

    values = counted.texts[0].gather(counted.codes[0])
    told = zip(counted.codes[1:], counted.texts[1:], strict=True)
    tuples = tuple_codes([(codes.astype(np.int64), len(distinct)) for codes, distinct in told], len(counted))
    hierarchy = gain_intervals(counted.columns[0], values, tuples, counted.counts)
    reason = say("intervals that tell most about {columns}", columns=", ".join(targets))
    return HierarchyProposal(hierarchy, reason)


def propose_hierarchies(
    source: "TableSource",
    columns: Sequence[str] = (),
    *,
    targets: Sequence[str] = (),
    language: str = "en",
    ask: "Ask | None" = None,
) -> "dict[str, HierarchyProposal]":
    """A hierarchy for every column that is named, or for all, from their types, names and values.

    Labels of what the world knows are in ``language``.

    >>> import polars as pl
    >>> from celosia.api.requests import TableSource
    >>> found = propose_hierarchies(TableSource(pl.DataFrame({"zip": ["28001", "28002"]}), types={"zip": "text"}))
    >>> found["zip"].hierarchy.rows()[0]
    ('28001', '*')
    """
    from celosia.api.opening import opened_table

    kinds = source.type_names
    with opened_table(source, ask=ask) as table:
        return {
            name: propose_for_column(
                table, name, kind=kinds.get(name, "text"), targets=targets, language=language
            )
            for name in columns or table.columns()
        }


@dataclass(frozen=True)
class HierarchyFault:
    """Something that is wrong with a hierarchy, and what to do about it."""

    kind: str
    what: str
    remedy: str


def check_rows(rows: Iterable[Sequence[str]], values: Iterable[str] | None = None) -> list[HierarchyFault]:
    """What is wrong with the rows of a hierarchy, for a column with these values.

    >>> check_rows([["Ávila", "León"], ["Soria", "Castilla"]])[0].remedy
    "add a last level '*'"
    """
    from celosia.hierarchies import check

    return [HierarchyFault(fault.kind, fault.what, fault.remedy) for fault in check(rows, values)]


def check_files(
    source: "TableSource", files: Mapping[str, str], *, ask: "Ask | None" = None
) -> dict[str, list[HierarchyFault]]:
    """What is wrong with the hierarchies of a table's columns, each in its file.

    One that cannot even be read has the fault that stopped the reading.
    """
    from celosia.api.opening import opened_table

    with opened_table(source, ask=ask) as table:
        return {name: _file_faults(table, name, path) for name, path in files.items()}


def _file_faults(table: "Table", column: str, path: str) -> list[HierarchyFault]:
    values = table.count_by([column]).texts[0].to_list()
    try:
        rows = read_hierarchy(path, column).rows()
    except HierarchyError as error:
        return [HierarchyFault("unreadable", error.what, error.remedy)]
    return check_rows(rows, values)


@dataclass(frozen=True)
class ColumnHierarchy:
    """The values of a column with their rows, the hierarchy that it has, and the one that is proposed.

    ``values`` are empty, and nothing is proposed, where there are too many to look at.
    """

    column: str
    type: str
    missing: int
    count: int
    values: Mapping[str, int]
    proposed: "HierarchyProposal | None" = None
    given: Sequence[Sequence[str]] | None = None
    faults: Sequence[HierarchyFault] = ()


def project_hierarchies(
    project: "Project",
    table: str | None = None,
    column: str | None = None,
    *,
    most: int = 100_000,
    progress: "Progress | None" = None,
    ask: "Ask | None" = None,
) -> dict[str, ColumnHierarchy]:
    """The hierarchies of a column of a project's table, or of all its quasi-identifiers.

    A column with more values than ``most`` is not looked at.
    """
    from celosia.errors import ProjectError
    from celosia.release.open_source import opened_table as opened_in_project

    tell = progress or (lambda stage, share: None)
    with opened_in_project(project, table, ask=ask) as prepared:
        names = tuple(prepared.table.columns())
        if column is not None and column not in names:
            raise ProjectError(
                say("column {column!r} does not exist", column=column),
                where="column",
                remedy=nearest(column, names),
            )
        wanted = (
            [column] if column is not None else [n for n in prepared.plan.quasi_identifiers if n in names]
        )
        by_table = {}
        for done, name in enumerate(wanted):
            tell(say("counting"), done / len(wanted))
            by_table[name] = _column_hierarchy(prepared, name, most)
    return by_table


def _column_hierarchy(prepared: "PreparedTable", column: str, most: int) -> ColumnHierarchy:
    from celosia.hierarchies import propose
    from celosia.release.prepared_table import as_hierarchy

    counts = prepared.table.count_by([column])
    schema = prepared.table.schema()
    values, rows = counts.texts[0], counts.rows_of(0)
    plan = prepared.plan.columns.get(column)
    kind = ColumnType.TEXT if column not in schema.names else schema[column].type
    present = values.is_not_null()
    texts = values.filter(present).to_list()
    missing = int(rows[~present.to_numpy()].sum())
    if len(texts) > most:
        return ColumnHierarchy(column, kind.value, missing, len(texts), {})
    proposal = propose(
        column,
        values.filter(present),
        type=kind,
        counts=rows[present.to_numpy()],
        language=prepared.plan.language,
    )
    declared, faults = None, list[HierarchyFault]()
    if plan is not None and plan.hierarchy is not None:
        try:
            declared = as_hierarchy(plan.hierarchy, column).rows()
        except HierarchyError as error:  # one that is wrong is for people to look at, too
            faults = [HierarchyFault("parent", error.what, error.remedy)]
        else:
            faults = check_rows(declared, texts)
    counted = dict(zip(texts, rows[present.to_numpy()].tolist(), strict=True))
    return ColumnHierarchy(column, kind.value, missing, len(texts), counted, proposal, declared, faults)


def build_hierarchy(
    builder: str, column: str, counts: Mapping[str, int], parameters: Mapping[str, Any]
) -> "Hierarchy":
    """A hierarchy built by rule for the values of a column, with their rows of the table.

    The rules: ``intervals`` (kind, bins, merge), ``digits`` and ``prefixes`` (step), ``dates`` (levels), ``rare``
    (shares), ``taxonomy`` (groups), ``flat``, and every list of the world (language).

    >>> build_hierarchy("prefixes", "code", {"A1": 3, "A2": 1, "B1": 2}, {"step": 1}).rows()[0]
    ('A1', 'A*', '*')
    """
    from celosia import hierarchies

    if builder == "taxonomy":
        return hierarchies.taxonomy(column, parameters["groups"])
    return hierarchies.build_by_rule(
        column, list(counts), {"rule": builder, **parameters}, counts=list(counts.values())
    )


def date_levels() -> tuple[str, ...]:
    """The levels that dates can be generalized to, the finest first."""
    from celosia.hierarchies.dates import DATE_LEVELS

    return tuple(DATE_LEVELS)


def spell_levels(rows: Sequence[Sequence[str]]) -> str:
    """The text of a file of a hierarchy with these rows.

    >>> spell_levels([("Lugo", "North", "*")])
    'Lugo;North;*\\n'
    """
    from celosia.hierarchies import level_tables

    return level_tables.spell_levels(rows, ";")
