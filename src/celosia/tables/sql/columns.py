"""The columns of a table in a database: what they are called there, and what they are here."""

from dataclasses import dataclass
from typing import Any

import polars as pl
import sqlalchemy as sa

from celosia.types import Column, ColumnType

__all__ = ["DTYPES", "Native", "SqlColumn"]

DTYPES: dict[ColumnType, pl.DataType] = {
    ColumnType.TEXT: pl.String(),
    ColumnType.INTEGER: pl.Int64(),
    ColumnType.REAL: pl.Float64(),
    ColumnType.BOOLEAN: pl.Boolean(),
    ColumnType.DATE: pl.Date(),
    ColumnType.DATETIME: pl.Datetime("us"),
    ColumnType.DECIMAL: pl.String(),
    ColumnType.OTHER: pl.String(),
}


@dataclass(frozen=True)
class SqlColumn:
    """One column: its name, its type here, and ``native``, the type as its database writes it.

    Values arrive as ``dtype``. ``is_plain`` says that values have a text and can be compared: others (documents,
    shapes, lists) only pass through.
    """

    name: str
    type: ColumnType
    native: str
    dtype: pl.DataType
    length: int | None = None
    is_plain: bool = True

    @property
    def column(self) -> Column:
        """The column as other rooms know it."""
        return Column(self.name, self.type, self.length)


class Native(sa.types.UserDefinedType[Any]):
    """A type by the name that the database itself has for it; values are given as text and cast."""

    cache_ok = True

    def __init__(self, spec: str) -> None:
        self.spec = spec

    def get_col_spec(self, **_: Any) -> str:
        """The name."""
        return self.spec

    def literal_processor(self, dialect: sa.Dialect) -> Any:
        """A value in the text of a statement: a quoted text, cast."""
        quote = sa.String().dialect_impl(dialect).literal_processor(dialect)
        assert quote is not None
        return lambda value: f"CAST({quote(str(value))} AS {self.spec})"
