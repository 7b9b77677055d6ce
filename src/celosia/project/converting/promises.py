"""What a foreign project promises, so that a run can keep it: which tables, which models, which technique.

The other system neither counts people who stand in several tables nor refuses what cannot be promised. What it asks
for is carried over as far as a run accepts it; whatever is done otherwise is noted.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from celosia.project.converting.foreign import ConversionNotes
from celosia.say import Text, say
from celosia.types import all_of

__all__ = ["ASSUMED_K", "complete_goals", "merge_repeated_groups"]

ASSUMED_K = 5
"""The k of k-anonymity where a document names no principle."""
FIELDS = ("role", "operation", "hierarchy", "type")
PUBLISHED = "distribution-mondrian"
FOR_ALL = {"name": "mondrian", "split": "distribution", "represent": "mode", "width": "deviation"}
"""The same cuts and the same representatives as those published for numbers, for columns of every type."""
FOR_PEOPLE = "full-domain"

Place = tuple[str, str]
Group = list[Place]
Tables = dict[str, Any]


def merge_repeated_groups(tables: Tables, groups: list[Group], notes: ConversionNotes) -> list[Group]:
    """The groups of repeated attributes that are one attribute: none contradicts itself, no column stands in two.

    Every column of a group then says all that is said of the attribute anywhere.
    """
    kept = []
    for group in _merged(groups):
        said = {
            field: [column[field] for column in _columns(tables, group) if field in column]
            for field in FIELDS
        }
        odd = next((field for field in FIELDS if any(a != b for a, b in pairwise(said[field]))), None)
        if said["operation"] and said["hierarchy"]:
            odd = "operation"  # what one column has done to it, the hierarchy of another no longer knows
        if odd is not None:
            notes.add(_say_different(odd, _spell(group)))
            continue
        for column in _columns(tables, group):
            column |= {field: values[0] for field, values in said.items() if values}
        kept.append(group)
    return kept


def _say_different(field: str, columns: str) -> Text:
    """In what the columns of a group contradict each other."""
    match field:
        case "role":
            return say(
                "repeated_attributes: {columns} have different roles: they are not treated as one attribute",
                columns=columns,
            )
        case "operation":
            return say(
                "repeated_attributes: {columns} have different operations: they are not treated as one attribute",
                columns=columns,
            )
        case "hierarchy":
            return say(
                "repeated_attributes: {columns} have different hierarchies: they are not treated as one attribute",
                columns=columns,
            )
    return say(
        "repeated_attributes: {columns} have different types: they are not treated as one attribute",
        columns=columns,
    )


def _merged(groups: list[Group]) -> list[Group]:
    """Groups that share a column are one."""
    merged: list[Group] = []
    for group in groups:
        touching = [other for other in merged if set(other) & set(group)]
        merged = [other for other in merged if other not in touching]
        merged.append(list(dict.fromkeys(place for places in [*touching, group] for place in places)))
    return merged


def complete_goals(
    project: dict[str, object],
    tables: Tables,
    groups: list[Group],
    models: list[dict[str, object]],
    *,
    numbers: set[Place],
    notes: ConversionNotes,
) -> list[Group]:
    """Say in a complete project what it promises of which table, and how; the groups that are left.

    A table without quasi-identifiers is light, unless it tells of the same people as one that has some. ``numbers`` are
    the columns that are said to hold such.
    """
    for shown, column in _each(tables):
        _leave_out_if_known(column, shown, notes)
    people = _people(tables, groups, notes)
    groups = [group for group in groups if not _is_torn(tables, group, people, notes)]
    _part_domains(tables, groups)
    complete: Tables = {}
    for name, table in tables.items():
        if "person" in table or _quasi_identifiers(table):
            complete[name] = table
        else:
            table["kind"] = "light"
            for column in table["columns"].values():
                column.pop("keep_type", None)
            notes.add(
                say(
                    "table {table}: it has no quasi-identifier, so that nothing can be promised of it: it is light",
                    table=name,
                )
            )
    if not complete:
        for table in tables.values():
            del table["kind"]
        project["kind"] = "light"
        return groups
    _choose_techniques(project, complete, numbers, notes)
    _choose_models(project, complete, models, notes)
    return groups


def _leave_out_if_known(column: dict[str, Any], shown: str, notes: ConversionNotes) -> None:
    """An identifier leaves a complete release only where nothing of it tells who somebody is."""
    done = column.get("operation", {}).get("name")
    if column.get("role") == "identifier" and done in ("substitute", "generalize"):
        del column["operation"]
        notes.add(
            say(
                "{column}: an identifier may still tell who somebody is after {operation}, so that it does not "
                "leave; pseudonymize it if rows must be told apart",
                column=shown,
                operation=done,
            )
        )


def _people(tables: Tables, groups: list[Group], notes: ConversionNotes) -> list[set[str]]:
    """Tables that tell of the same people, whose persons are named: identifiers that leave and can be joined."""
    people: list[set[str]] = []
    for group in groups:
        names = dict.fromkeys(table for table, _ in group)
        leaves = _columns(tables, group)[0].get("role") == "identifier" and _leaves(
            _columns(tables, group)[0]
        )
        if not leaves or len(names) < 2 or not any(_quasi_identifiers(tables[name]) for name in names):
            continue
        if any("person" in tables[name] for name in names):
            continue
        for name in names:
            tables[name]["person"] = next(column for table, column in group if table == name)
        people.append(set(names))
        notes.add(
            say(
                "repeated_attributes: {columns} tell people apart, so that promises are about people on the join "
                "of their tables; full-domain generalization keeps them",
                columns=_spell(group),
            )
        )
    return people


def _is_torn(tables: Tables, group: Group, people: list[set[str]], notes: ConversionNotes) -> bool:
    """Whether an attribute cannot be kept the same in several tables: each is generalized, or promised, by itself."""
    names, column = {table for table, _ in group}, _columns(tables, group)[0]
    role, leaves = column.get("role"), _leaves(column)
    if len(names) < 2 or any(names <= star for star in people) or not leaves:
        return False
    if not any("person" in tables[name] or _quasi_identifiers(tables[name]) for name in names):
        return False  # light tables, all of them
    if role == "quasi-identifier":
        notes.add(
            say(
                "repeated_attributes: {columns} are generalized in each table by itself and no longer join",
                columns=_spell(group),
            )
        )
        return True
    if role == "identifier":
        notes.add(
            say(
                "repeated_attributes: {columns} would join tables of which each promises something by itself; "
                "they are encrypted so that they no longer do",
                columns=_spell(group),
            )
        )
        return True
    return False


def _part_domains(tables: Tables, groups: list[Group]) -> None:
    """Encrypt identifiers of several tables so that only those of one group can be joined."""
    if len(tables) == 1:
        return
    first = {place: group[0] for group in groups for place in group}
    for name, table in tables.items():
        for column, plan in table["columns"].items():
            if plan.get("role") == "identifier" and plan.get("operation", {}).get("name") == "encrypt":
                domain = ".".join(first.get((name, column), (name, column)))
                plan["operation"] = {**plan["operation"], "domain": domain}


def _choose_techniques(
    project: dict[str, object], complete: Tables, numbers: set[Place], notes: ConversionNotes
) -> None:
    chosen: dict[str, object] = {}
    for name, table in complete.items():
        categories = [
            column
            for column in _quasi_identifiers(table)
            if (name, column) not in numbers or "operation" in table["columns"][column]
        ]
        chosen[name] = FOR_PEOPLE if "person" in table else FOR_ALL if categories else PUBLISHED
        if chosen[name] == FOR_ALL:
            notes.add(
                say(
                    "table {table}: {published} is for numbers, and {column!r} is not said to be one: mondrian "
                    "cuts in the same way and takes every column",
                    table=name,
                    published=PUBLISHED,
                    column=categories[0],
                )
            )
        for shown, column in table["columns"].items() if chosen[name] == FOR_PEOPLE else ():
            if column.pop("keep_type", None) is not None:
                notes.add(
                    say(
                        "{table}.{column}: {technique} shows labels; keep_data_type was not carried over",
                        table=name,
                        column=shown,
                        technique=FOR_PEOPLE,
                    )
                )
    if all(technique == chosen[next(iter(chosen))] for technique in chosen.values()):
        project["technique"] = chosen[next(iter(chosen))]
        return
    for name, technique in chosen.items():
        complete[name]["technique"] = technique


def _choose_models(
    project: dict[str, object], complete: Tables, models: list[dict[str, object]], notes: ConversionNotes
) -> None:
    """The models of all tables or, where they are about sensitive columns, those of each."""
    every = [model for model in models if model["model"] == "k-anonymity"]
    about = [model for model in models if model["model"] != "k-anonymity"]
    own: dict[str, list[dict[str, object]]] = {}
    for name, table in complete.items():
        sensitive = [
            column
            for column, plan in table["columns"].items()
            if plan.get("role") == "sensitive" and _leaves(plan)
        ]
        own[name] = [*every, *({**model, "column": column} for model in about for column in sensitive)]
        if about and not sensitive:
            notes.add(
                say(
                    "principles: no column of table {table} is sensitive; only k-anonymity is promised of it",
                    table=name,
                )
            )
        if not own[name]:
            own[name] = [{"model": "k-anonymity", "k": ASSUMED_K}]
            notes.add(
                say(
                    "principles: no other is named for table {table}; k-anonymity with k = {k} is assumed",
                    table=name,
                    k=ASSUMED_K,
                )
            )
    if len(own) == 1 or not about:
        project["models"] = next(iter(own.values()))
        return
    for name, chosen in own.items():
        complete[name]["models"] = chosen


def _quasi_identifiers(table: dict[str, Any]) -> list[str]:
    """Columns that are generalized."""
    return [
        name
        for name, plan in table["columns"].items()
        if plan.get("role") == "quasi-identifier" and _leaves(plan)
    ]


def _leaves(plan: dict[str, Any]) -> bool:
    """Whether a column is in the release: an identifier only if something is done to it."""
    done = plan.get("operation", {}).get("name")
    return done != "suppress" and (done is not None or plan.get("role") != "identifier")


def _columns(tables: Tables, group: Group) -> list[dict[str, Any]]:
    return [tables[table]["columns"][column] for table, column in group]


def _each(tables: Tables) -> Iterator[tuple[str, dict[str, object]]]:
    for name, table in tables.items():
        for column, plan in table["columns"].items():
            yield f"{name}.{column}", plan


def _spell(group: Group) -> str:
    return all_of(".".join(place) for place in group)
