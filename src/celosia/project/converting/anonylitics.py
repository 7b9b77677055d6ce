"""Projects in the language of Anonylitics, JSON with Spanish words, into ours.

A. P. Ortiz Pulido, J. S. Corredor Merchán: Sistema de anonimización de datos estructurados. Pontificia Universidad
Javeriana, Bogotá, 2017; figures 17 to 19. Words count with and without accents, and pairs of a substitution in both
spellings that are printed there.
"""

from typing import Any

from celosia.project.converting.connections import read_connection, table_name
from celosia.project.converting.foreign import ConversionNotes, ForeignFields, free_name
from celosia.project.converting.operations import KEY, Columns
from celosia.project.converting.principles import read_principles
from celosia.project.converting.promises import complete_goals, merge_repeated_groups
from celosia.project.document import Document
from celosia.say import say

__all__ = ["from_anonylitics", "is_anonylitics"]

KINDS = {
    "completa": "complete",
    "ligera": "light",
    "complete": "complete",
    "light": "light",
}
CONNECTION = "source"


def is_anonylitics(data: dict[str, object]) -> bool:
    """Whether a document is one of theirs.

    >>> is_anonylitics({"project_name": "p", "tables": []}), is_anonylitics({"version": 2, "tables": {}})
    (True, False)
    """
    return "project_name" in data or "anonymization_type" in data or isinstance(data.get("tables"), list)


def from_anonylitics(document: Document) -> tuple[dict[str, object], ConversionNotes]:
    """The project, and what could not be carried over.

    >>> from celosia.project.document import parse_document
    >>> found, notes = from_anonylitics(parse_document('{"project_name": "p", "anonymization_type": "Ligera"}', "p"))
    >>> found
    {'version': 2, 'name': 'p', 'kind': 'light'}
    """
    notes = ConversionNotes()
    foreign = ForeignFields(document)
    kind = foreign.choice(("anonymization_type",), KINDS) or "complete"
    project: dict[str, object] = {"version": 2}
    project |= {"name": foreign.text("project_name"), "owner": foreign.text("user"), "kind": kind}
    address = read_connection(foreign.part("connection"), notes)
    columns = Columns(notes, is_light=kind == "light", is_file=address is None)
    tables: dict[str, object] = {}
    names: dict[tuple[str, str], str] = {}
    listed_tables: dict[str, ForeignFields] = {}
    for table in foreign.items("tables"):
        schema, name = table.text("table_schema"), table.text("table_name")
        if not name:
            raise table.error(say("the table has no name"), say("add table_name"))
        if (schema, name) in names:
            raise table.error(
                say("the table {name!r} is described twice", name=name), say("leave one out"), "table_name"
            )
        key = names[schema, name] = free_name(name, tables)
        tables[key] = _table(table, key, columns, notes, has_address=address is not None)
        listed_tables[key] = table
    _place_releases(listed_tables, tables, notes, has_address=address is not None)
    models = read_principles(foreign, notes, is_light=kind == "light")
    listed = _repeated(foreign, tables, names, notes)
    columns.say_bare(tables, listed)
    groups = merge_repeated_groups(tables, listed, notes)
    goals: dict[str, object] = {}
    if kind == "complete" and tables:
        groups = complete_goals(goals, tables, groups, models, numbers=columns.numbers, notes=notes)
    project |= {
        "kind": goals.pop("kind", kind),
        "connections": {CONNECTION: address} if address else {},
        "keys": {KEY: {"environment": "CELOSIA_KEY"}} if _encrypts(tables) else {},
        "hierarchies": columns.hierarchies,
        "tables": tables,
        "models": goals.pop("models", []),
        "repeated_attributes": [[".".join(place) for place in group] for group in groups],
        **goals,
    }
    foreign.say_unread(notes)
    return {field: value for field, value in project.items() if value not in ("", {}, [])}, notes


def _table(
    foreign: ForeignFields, key: str, columns: Columns, notes: ConversionNotes, *, has_address: bool
) -> dict[str, Any]:
    name, schema = foreign.text("table_name"), foreign.text("table_schema")
    table: dict[str, Any] = {"source": {"connection": CONNECTION, "table": table_name(schema, name)}}
    if not has_address:
        table["source"] = f"{_spell_file(key)}.csv"
        notes.add(
            say(
                "table {table}: where it is was not said; {file} is assumed, correct it if it is elsewhere",
                table=key,
                file=table["source"],
            )
        )
    table["columns"] = columns.read(foreign, key)
    return table


def _place_releases(
    listed: dict[str, ForeignFields], tables: dict[str, Any], notes: ConversionNotes, *, has_address: bool
) -> None:
    """Give every release a place of its own, where no table of the project is."""
    taken = {(table.text("table_schema"), table.text("table_name")) for table in listed.values()}
    files = {table["source"] for table in tables.values()} if not has_address else set()
    for key, foreign in listed.items():
        name, safe = foreign.text("table_name"), foreign.text("anonymized_table_name")
        schema = foreign.text("anonymized_table_schema") or foreign.text("table_schema")
        wanted = safe or f"{name}_safe"
        place: Any = f"{_spell_file(wanted)}.csv"
        while place in files or (has_address and (schema, wanted) in taken):
            wanted += "_safe"
            place = f"{_spell_file(wanted)}.csv"
        files.add(place)
        taken.add((schema, wanted))
        if has_address:
            place = {"connection": CONNECTION, "table": table_name(schema, wanted)}
        tables[key] = {"source": tables[key].pop("source"), "destination": place, **tables[key]}
        if not safe:
            notes.add(
                say("table {table}: no anonymized_table_name; {name} is assumed", table=key, name=wanted)
            )
        elif wanted != safe:
            notes.add(
                say(
                    "table {table}: the release would take the place of a table, so that it is called {name}",
                    table=key,
                    name=wanted,
                )
            )
        foreign.say_unread(notes)


def _spell_file(name: str) -> str:
    """A name as a file may have it."""
    return "".join(letter if letter.isalnum() or letter in "-_. " else "_" for letter in name)


def _encrypts(tables: dict[str, Any]) -> bool:
    """Whether any column needs the key."""
    columns = (column for table in tables.values() for column in table["columns"].values())
    return any(column.get("operation", {}).get("name") == "encrypt" for column in columns)


def _repeated(
    foreign: ForeignFields, tables: dict[str, Any], names: dict[tuple[str, str], str], notes: ConversionNotes
) -> list[list[tuple[str, str]]]:
    """Groups of the same attribute in several tables, those of them that the project has."""
    listed = foreign.get("repeated_attributes") or []
    if not isinstance(listed, list) or not all(isinstance(group, list) for group in listed):
        raise foreign.error(
            say("it should be a list of lists"), say("write [[ ... ]] there"), "repeated_attributes"
        )
    groups: list[list[tuple[str, str]]] = []
    for group in listed:
        places: list[tuple[str, str]] = []
        for entry in group:
            if not isinstance(entry, dict) or not entry:
                continue
            column, table = str(entry.get("column_name", "")), str(entry.get("table_name", ""))
            keys = [key for (schema, name), key in names.items() if name == table]
            holding = [key for key in keys if column in tables[key]["columns"]]
            if not holding:
                notes.add(
                    say(
                        "repeated_attributes: there is no column {column!r} in a table {table!r}",
                        column=column,
                        table=table,
                    )
                )
            places += [(key, column) for key in holding]
        places = list(dict.fromkeys(places))
        if len(places) > 1:
            groups.append(places)
        elif places:
            notes.add(
                say(
                    "repeated_attributes: {column} stands alone in its group and was not carried over",
                    column=".".join(places[0]),
                )
            )
    return groups
