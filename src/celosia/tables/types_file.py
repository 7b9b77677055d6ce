"""Types of columns in a file of their own, to be edited by hand and used again."""

import csv
from collections.abc import Mapping
from pathlib import Path

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.records import decode_text
from celosia.types import Column, ColumnType, Schema, nearest

__all__ = ["as_columns", "read_types", "write_types"]

_HEADER = ["name", "type", "length"]


def write_types(schema: Schema, path: Path | str) -> None:
    """Write a CSV file with name, type and length of every column.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = Path(folder.name, "types.csv")
    >>> write_types(Schema((Column("zip", ColumnType.TEXT, 5),)), file)
    >>> read_types(file)["zip"]
    Column(name='zip', type=<ColumnType.TEXT: 'text'>, length=5)
    >>> folder.cleanup()
    """
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(_HEADER)
            for column in schema:
                rows.writerow(
                    [column.name, column.type.value, "" if column.length is None else column.length]
                )
    except OSError as error:
        raise TableError(
            say("types cannot be written here ({cause})", cause=error.strerror), where=str(path)
        ) from error


def read_types(path: Path | str) -> Schema:
    """Read what :func:`write_types` writes; the length may be left out, and types may be words of SQL.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "types.csv").write_text("name,type\\nzip,char(5)\\npaid,decimal(10,2)\\n")
    ...     [(column.type.value, column.length) for column in read_types(Path(folder, "types.csv"))]
    [('text', 5), ('decimal', None)]
    """
    where = str(path)
    try:
        lines = decode_text(Path(path), "utf-8").splitlines()
    except OSError as error:
        raise TableError(
            say("the types cannot be read ({cause})", cause=error.strerror),
            where=where,
            remedy=say("check the path"),
        ) from error
    try:
        rows = [(number, row) for number, row in enumerate(csv.reader(lines), start=1) if row]
    except csv.Error as error:
        raise TableError(say("this is not a types file ({cause})", cause=error), where=where) from error
    if not rows or [name.strip().lower() for name in rows[0][1][:2]] != _HEADER[:2]:
        raise TableError(
            say("this is not a types file"), where=where, remedy=say("its first line is: name,type,length")
        )
    return Schema(tuple(_column(row, number, where=where) for number, row in rows[1:]))


def _column(row: list[str], number: int, *, where: str) -> Column:
    if len(row) > 2 and row[1].count("(") > row[1].count(")"):  # decimal(10,2) without quotes
        row = [row[0], ",".join(row[1:3]), *row[3:]]
    name, kind, length = [*(field.strip() if i else field for i, field in enumerate(row)), "", ""][:3]
    if length and not length.isdecimal():
        raise TableError(
            say("{length!r} in line {number} is not a length", length=length, number=number),
            where=where,
            remedy=say("write a whole number"),
        )
    type = _type(kind, name, where=where)
    if not length and type is ColumnType.TEXT:
        length = kind.partition("(")[2].partition(")")[0].strip()
    return Column(name, type, int(length) if length.isdecimal() else None)


def _type(kind: str, name: str, *, where: str) -> ColumnType:
    try:
        return ColumnType(kind.lower())
    except ValueError as error:
        known = ", ".join(type.value for type in ColumnType)
        raise TableError(
            say("column {name!r} cannot have the type {type!r}", name=name, type=kind),
            where=where,
            remedy=say("choose one of: {names}", names=known),
        ) from error


def as_columns(
    types: Mapping[str, str] | Schema | None, names: tuple[str, ...], *, where: str
) -> dict[str, Column]:
    """The types somebody declared, by name of column, if there are such columns and types.

    >>> as_columns({"zip": "text"}, ("zip", "age"), where="people.csv")
    {'zip': Column(name='zip', type=<ColumnType.TEXT: 'text'>, length=None)}
    """
    if types is None:
        return {}
    if isinstance(types, Schema):
        columns = list(types)
    else:
        columns = [Column(name, _type(str(kind), name, where=where)) for name, kind in types.items()]
    for column in columns:
        if column.name not in names:
            raise TableError(
                say("column {name!r} does not exist", name=column.name),
                where=where,
                remedy=nearest(column.name, names),
            )
    return {column.name: column for column in columns}
