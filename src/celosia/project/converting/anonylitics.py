"""Projects in the language of Anonylitics, JSON with Spanish words, into ours.

A. P. Ortiz Pulido, J. S. Corredor Merchán: Sistema de anonimización de datos estructurados. Pontificia Universidad
Javeriana, Bogotá, 2017; figures 17 to 19. Words count with and without accents, and pairs of a substitution in both
spellings that are printed there.
"""

from typing import Any

from celosia.project.converting.connections import read_connection, table_name
from celosia.project.converting.foreign import Foreign, Notes, free_name
from celosia.project.converting.operations import KEY, Columns
from celosia.project.converting.principles import read_principles
from celosia.project.document import Document

__all__ = ["from_anonylitics", "is_anonylitics"]

KINDS = {
    "completa": "complete",
    "ligera": "light",
    "complete": "complete",
    "light": "light",
}
CONNECTION = "source"


def is_anonylitics(data: dict[str, Any]) -> bool:
    """Whether a document is one of theirs.

    >>> is_anonylitics({"project_name": "p", "tables": []}), is_anonylitics({"version": 2, "tables": {}})
    (True, False)
    """
    return "project_name" in data or "anonymization_type" in data or isinstance(data.get("tables"), list)


def from_anonylitics(document: Document) -> tuple[dict[str, Any], Notes]:
    """The project, and what could not be carried over.

    >>> from celosia.project.document import parse_document
    >>> found, notes = from_anonylitics(parse_document('{"project_name": "p", "anonymization_type": "Ligera"}', "p"))
    >>> found
    {'version': 2, 'name': 'p', 'kind': 'light'}
    """
    notes = Notes()
    foreign = Foreign(document)
    kind = foreign.choice(("anonymization_type",), KINDS) or "complete"
    project: dict[str, Any] = {"version": 2}
    project |= {"name": foreign.text("project_name"), "owner": foreign.text("user"), "kind": kind}
    address = read_connection(foreign.part("connection"), notes)
    columns = Columns(notes, is_light=kind == "light", is_file=address is None)
    tables: dict[str, Any] = {}
    names: dict[tuple[str, str], str] = {}
    for each in foreign.items("tables"):
        schema, name = each.text("table_schema"), each.text("table_name")
        if not name:
            raise each.error("the table has no name", "add table_name")
        if (schema, name) in names:
            raise each.error(f"the table {name!r} is described twice", "leave one out", "table_name")
        key = names[schema, name] = free_name(name, tables)
        tables[key] = _table(each, key, columns, notes, has_address=address is not None)
    models = read_principles(foreign, tables, notes, is_light=kind == "light")
    repeated = _repeated(foreign, tables, names, notes)
    columns.say_bare(tables, repeated)
    project |= {
        "connections": {CONNECTION: address} if address else {},
        "keys": {KEY: {"environment": "CELOSIA_KEY"}} if columns.needs_key else {},
        "hierarchies": columns.hierarchies,
        "tables": tables,
        "models": models,
        "repeated_attributes": repeated,
    }
    if kind == "complete" and tables:
        project["technique"] = "distribution-mondrian"
    foreign.say_unread(notes)
    return {field: value for field, value in project.items() if value not in ("", {}, [])}, notes


def _table(each: Foreign, key: str, columns: Columns, notes: Notes, *, has_address: bool) -> dict[str, Any]:
    name, schema = each.text("table_name"), each.text("table_schema")
    safe, safe_schema = each.text("anonymized_table_name"), each.text("anonymized_table_schema")
    table: dict[str, Any] = {}
    if has_address:
        table["source"] = {"connection": CONNECTION, "table": table_name(schema, name)}
        if (safe_schema or schema, safe) == (schema, name):
            notes.say(f"table {key}: the release would take the place of the table; choose a destination")
        elif safe:
            table["destination"] = {
                "connection": CONNECTION,
                "table": table_name(safe_schema or schema, safe),
            }
    else:
        table["source"] = f"{key}.csv"
        notes.say(
            f"table {key}: where it is was not said; {key}.csv is assumed, correct it if it is elsewhere"
        )
        if safe:
            table["destination"] = f"{safe if safe != name else safe + '_safe'}.csv"
    if not safe:
        notes.say(f"table {key}: no anonymized_table_name; add a destination")
    table["columns"] = columns.read(each, key)
    each.say_unread(notes)
    return table


def _repeated(
    foreign: Foreign, tables: dict[str, Any], names: dict[tuple[str, str], str], notes: Notes
) -> list[list[str]]:
    """Groups of the same attribute in several tables, those of them that the project has."""
    listed = foreign.get("repeated_attributes") or []
    if not isinstance(listed, list) or not all(isinstance(group, list) for group in listed):
        raise foreign.error("it should be a list of lists", "write [[ ... ]] there", "repeated_attributes")
    groups = []
    for group in listed:
        places = []
        for entry in group:
            if not isinstance(entry, dict) or not entry:
                continue
            column, table = str(entry.get("column_name", "")), str(entry.get("table_name", ""))
            keys = [key for (schema, name), key in names.items() if name == table]
            found = [key for key in keys if column in tables[key]["columns"]]
            if not found:
                notes.say(f"repeated_attributes: there is no column {column!r} in a table {table!r}")
            places += [f"{key}.{column}" for key in found]
        if len(places) > 1:
            groups.append(list(dict.fromkeys(places)))
        elif places:
            notes.say(f"repeated_attributes: {places[0]} stands alone in its group and was not carried over")
    return groups
