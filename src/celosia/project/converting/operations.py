"""The columns of a foreign project with their operations, and the hierarchies that those bring along."""

from typing import Any

from celosia.errors import HierarchyError
from celosia.hierarchies import Hierarchy
from celosia.project.converting.foreign import ConversionNotes, ForeignFields, free_name
from celosia.say import say

__all__ = ["KEY", "Columns"]

KEY = "project"
ROLES = {
    "identificador": "identifier",
    "cuasiidentificador": "quasi-identifier",
    "quasiidentificador": "quasi-identifier",
    "pseudoidentificador": "quasi-identifier",
    "seudoidentificador": "quasi-identifier",
    "sensible": "sensitive",
    "comun": "common",
    "identifier": "identifier",
    "quasiidentifier": "quasi-identifier",
    "sensitive": "sensitive",
    "common": "common",
}
TYPES = {"numerico": "number", "categorico": "text", "numeric": "number", "categorical": "text"}
OPERATIONS = {
    "sustituir": "substitute",
    "suprimir": "suppress",
    "generalizar": "generalize",
    "cifrar": "encrypt",
    "na": "none",
    "ninguna": "none",
    "substitute": "substitute",
    "suppress": "suppress",
    "generalize": "generalize",
    "encrypt": "encrypt",
    "none": "none",
}
ROOT = "*"


class Columns:
    """Reads the columns of one table after the other, and gathers what they have in common."""

    def __init__(self, notes: ConversionNotes, *, is_light: bool, is_file: bool) -> None:
        self.hierarchies: dict[str, object] = {}
        self.numbers: set[tuple[str, str]] = set()
        """Table and column of those that are said to hold numbers."""
        self._bare: list[str] = []
        self._notes, self._is_light, self._is_file = notes, is_light, is_file

    def read(self, table: ForeignFields, key: str) -> dict[str, object]:
        """The columns of a table by name."""
        columns: dict[str, object] = {}
        for column in table.items("columns"):
            name = column.text("column_name")
            if not name:
                raise column.error(say("the column has no name"), say("add column_name"))
            if name in columns:
                raise column.error(
                    say("the column {name!r} is described twice", name=name),
                    say("leave one out"),
                    "column_name",
                )
            columns[name] = self._column(column, name, key)
        return columns

    def say_bare(self, tables: dict[str, Any], listed: list[list[tuple[str, str]]]) -> None:
        """Note identifiers without an operation: they do not leave, unless one in their group has an operation."""
        groups = [[".".join(place) for place in group] for group in listed]
        masked = {
            f"{key}.{name}"
            for key, table in tables.items()
            for name, column in table["columns"].items()
            if "operation" in column
        }
        for shown in self._bare:
            group = next((group for group in groups if shown in group), [])
            other = next((place for place in group if place in masked), None)
            if other is not None:
                self._notes.add(
                    say(
                        "{column}: it holds the same attribute as {other} and gets its operation",
                        column=shown,
                        other=other,
                    )
                )
            else:
                self._notes.add(
                    say(
                        "{column}: an identifier without an operation does not leave; give it the role common if "
                        "it must be released, and know why",
                        column=shown,
                    )
                )

    def _column(self, foreign: ForeignFields, name: str, key: str) -> dict[str, object]:
        column: dict[str, object] = {}
        shown = f"{key}.{name}"
        kind = foreign.choice(("data_type",), TYPES)
        # A database knows its types. Of numbers the table itself tells whether they are whole.
        if kind == "text" and self._is_file:
            column["type"] = "text"
        if kind == "number":
            self.numbers.add((key, name))
        role = foreign.choice(("attribute_type",), ROLES)
        if role is not None:
            column["role"] = role
        keeps = foreign.flag("keep_data_type")
        if keeps is not None and kind == "number" and role == "quasi-identifier" and not self._is_light:
            column["keep_type"] = keeps
        operation = foreign.part("operation", short="name")
        done = self._operation(operation, column, name, shown) if operation is not None else None
        if done is not None:
            column["operation"] = done
        elif role == "identifier":
            self._bare.append(shown)
        foreign.say_unread(self._notes)
        return column

    def _operation(
        self, foreign: ForeignFields, column: dict[str, object], name: str, shown: str
    ) -> dict[str, object] | None:
        operation = foreign.choice(("name",), OPERATIONS)
        parameters = foreign.items("parametrization")
        foreign.say_unread(self._notes)
        if operation == "substitute":
            return {"name": "substitute", "pairs": self._pairs(parameters), "others": "keep"}
        if operation == "generalize":
            return self._generalize(parameters, column, name, shown)
        if operation == "encrypt":
            self._notes.add(say("keys: the original names none; it is taken from the variable CELOSIA_KEY"))
            return {"name": "encrypt", "key": KEY}
        return {"name": "suppress"} if operation == "suppress" else None

    def _pairs(self, parameters: list[ForeignFields]) -> dict[str, str]:
        pairs: dict[str, str] = {}
        for parameter in parameters:
            # The figures of the original spell it both ways.
            origin, target = parameter.text("origin_val", "initial_val"), parameter.text("target_val")
            if "origin_val" not in parameter and "initial_val" not in parameter:
                raise parameter.error(say("a pair has no origin"), say("add origin_val"))
            if pairs.setdefault(origin, target) != target:
                # The value may be a person's: the line has to do.
                raise parameter.error(
                    say("this value is substituted in two ways"), say("leave one of the pairs out")
                )
            parameter.say_unread(self._notes)
        return pairs

    def _generalize(
        self, parameters: list[ForeignFields], column: dict[str, object], name: str, shown: str
    ) -> dict[str, object] | None:
        """The hierarchy of a column; for a quasi-identifier the search finds the level, else it is the first."""
        is_searched = column.get("role") == "quasi-identifier" and not self._is_light
        if not any(True for parameter in parameters for _ in parameter):
            if not is_searched:
                self._notes.add(
                    say(
                        "{column}: it is to be generalized, but not to what; add a hierarchy and an operation",
                        column=shown,
                    )
                )
            return None
        rows = _rows(parameters)
        if len({row[-1] for row in rows}) > 1 or len(rows[0]) == 1:
            rows = [[*row, ROOT] for row in rows]
            self._notes.add(
                say(
                    "{column}: its hierarchy has no common root; {root} was put above it",
                    column=shown,
                    root=ROOT,
                )
            )
        try:
            Hierarchy.from_rows(name, rows)
        except HierarchyError:
            # What is wrong with it may name a value, and that may be a person's: the line has to do.
            raise parameters[0].error(
                say("the levels are no hierarchy: what is one label at a level must be one at the next"),
                say("correct the levels of these values"),
            ) from None
        hierarchy = self._named(name, rows)
        if is_searched:
            column["hierarchy"] = hierarchy
            return None
        self._notes.add(
            say("{column}: to which level it is generalized was not said; it is level 1", column=shown)
        )
        return {"name": "generalize", "hierarchy": hierarchy, "level": 1}

    def _named(self, name: str, rows: list[list[str]]) -> str:
        """The name of a hierarchy, one for all columns that have the same."""
        for known, other in self.hierarchies.items():
            if other == rows:
                return known
        free = free_name(name, self.hierarchies)
        self.hierarchies[free] = rows
        return free


def _rows(parameters: list[ForeignFields]) -> list[list[str]]:
    """One row per value, itself first; a level that a value does not have repeats the one below."""
    paths: dict[str, dict[int, str]] = {}
    for parameter in parameters:
        for value in parameter:
            levels = {_level(step): step.text("value") for step in parameter.items(value)}
            if paths.setdefault(value, levels) != levels:
                raise parameter.error(
                    say("this value is generalized in two ways"), say("leave one of them out")
                )
    numbers = sorted({number for levels in paths.values() for number in levels})
    rows = []
    for value, levels in paths.items():
        row = [value]
        for number in numbers:
            row.append(levels.get(number, row[-1]))
        rows.append(row)
    # Some count the value itself as level 0.
    if rows and len(rows[0]) > 1 and all(row[0] == row[1] for row in rows):
        rows = [row[1:] for row in rows]
    return rows


def _level(step: ForeignFields) -> int:
    text = step.text("level")
    if not text.isdecimal() or "value" not in step:
        raise step.error(
            say("a level should be a number with its value"), say('write {{"level": 1, "value": "..."}}')
        )
    return int(text)
