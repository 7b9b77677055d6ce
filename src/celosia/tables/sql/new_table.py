"""A table that is being made: nobody sees it before it is verified and gets its name."""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import sqlalchemy as sa

from celosia.errors import ReleaseError, TableError
from celosia.tables.format import Layout, Options, Sink
from celosia.tables.sql.database import Database
from celosia.tables.sql.dialect import Found

__all__ = ["NewTable"]


@dataclass
class NewTable:
    """A table under a name of ours; ``publish`` gives it its own.

    Where tables made in a transaction are seen by others, it lies in the database that is ours, and moves.
    """

    database: Database
    schema_name: str | None
    name: str
    overwrite: bool = False
    holds_text: bool = False
    keeps_text: bool = False
    keeps_markers: bool = False
    types: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        limit = self.database.dialect.name_length
        if limit is not None and len(self.name.encode()) > limit:
            raise TableError(
                f"the name of the new table is longer than {limit} bytes",
                where=self.shown,
                remedy="shorten it",
            )
        self._hidden = f"celosia_{secrets.token_hex(6)}"

    @property
    def shown(self) -> str:
        """How messages call it."""
        return f"{self.schema_name}.{self.name}" if self.schema_name else self.name

    def exists(self) -> bool:
        """Whether a table of that name is there."""
        return bool(self.database.dialect.columns(self.database, self.schema_name, self.name))

    def ensure_free(self) -> None:
        """Raise unless the name is free, or may be taken."""
        if not self.overwrite and self.exists():
            raise ReleaseError(
                f"the table {self.shown} exists already",
                where=str(self.database),
                remedy="choose another name, or allow it with --overwrite",
            )

    @property
    def _place(self) -> tuple[str | None, str]:
        """Schema and name while it is being made."""
        dialect = self.database.dialect
        work = None if dialect.is_transactional else dialect.make_work(self.database)
        return work or self.schema_name, self._hidden

    @property
    def _target(self) -> str:
        return self.database.quote(*self._place)

    def create_as(self, statement: sa.Select[Any]) -> int:
        """Make it from a query; how many rows it has."""
        rows = self.database.run(f"CREATE TABLE {self._target} AS {self.database.render(statement)}")
        return rows if rows >= 0 else int(self.database.ask(f"SELECT COUNT(*) FROM {self._target}")[0][0])

    @property
    def folder(self) -> Path:
        """Where rows may lie on their way."""
        import tempfile

        return Path(tempfile.gettempdir())

    def options(self, source: Any) -> Options:
        """Null for a missing value."""
        return Options(missing=source.reader.options.missing)

    @contextmanager
    def opened(self) -> Iterator[Callable[[Layout], Sink]]:
        """For rows that come from elsewhere: a function that makes the table and takes them in."""
        yield self.create

    def create(self, layout: Layout) -> "_Rows":
        """Make it empty, for rows that come from elsewhere."""
        dialect, known = self.database.dialect, layout.native
        self.types = {}
        for column in layout.schema:
            scheme, native = known.get(column.name, ("", ""))
            self.types[column.name] = native if scheme == dialect.scheme else dialect.ddl_type(column)
        fields = ", ".join(f"{self.database.quote(name)} {kind}" for name, kind in self.types.items())
        self.database.run(f"CREATE TABLE {self._target} ({fields})")
        return _Rows(self.database, self._target, self.types)

    def open(self, *, missing: tuple[str, ...] = ()) -> Any:
        """The table as it is now, to be verified."""
        from celosia.tables.sql.sql_table import SqlTable

        schema, name = self._place
        fields = tuple(self.database.dialect.columns(self.database, schema, name))
        return SqlTable(self.database, (Found(schema, name),), fields, options=Options(missing=missing))

    def publish(self) -> None:
        """Give it its name and make it last."""
        database, dialect = self.database, self.database.dialect
        if not self.overwrite:
            self.ensure_free()
        if dialect.is_transactional:
            if self.overwrite and self.exists():
                database.run(f"DROP TABLE {database.quote(self.schema_name, self.name)}")
            dialect.rename(database, self._target, self.schema_name, self.name)
        else:
            dialect.move(database, self._target, self.schema_name, self.name, overwrite=self.overwrite)
            dialect.drop_work(database)
        database.commit()

    def withdraw(self) -> None:
        """Leave nothing of it."""
        self.database.rollback()
        if not self.database.dialect.is_transactional:
            self.database.dialect.drop_work(self.database)


@dataclass
class _Rows:
    """A table that takes rows in."""

    database: Database
    target: str
    types: Mapping[str, str]

    def append(self, part: pl.DataFrame) -> None:
        """Insert rows."""
        if part.height:
            labels = [
                name for name, dtype in part.schema.items() if isinstance(dtype, pl.Enum | pl.Categorical)
            ]
            with self.database.explained():
                self.database.dialect.append(
                    self.database, self.target, self.types, part.with_columns(pl.col(labels).cast(pl.String))
                )

    def close(self) -> None:
        """Nothing is due."""

    def abandon(self) -> None:
        """Whoever made the table withdraws it."""
