"""A table that is being made: nobody sees it before it is verified and gets its name."""

import secrets
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import polars as pl
import sqlalchemy as sa

from celosia.errors import CelosiaError, ReleaseError, TableError
from celosia.say import say
from celosia.tables.format import FileLayout, Options, Sink
from celosia.tables.location import Location
from celosia.tables.sql.database import Database
from celosia.tables.sql.dialect import DatabaseTable, TableMove
from celosia.values.named import named

__all__ = ["NewTable", "signals_deferred"]

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@dataclass
class NewTable:
    """A table under a name of ours; ``publish`` gives it its own.

    Those made ``together`` in one database last when the last of them gets its name, all or none. Where tables made in
    a transaction are seen by others, it lies in the database that is ours, and moves.
    """

    location: ClassVar[Location] = Location.DATABASE
    database: Database
    schema_name: str | None
    name: str
    overwrite: bool = False
    holds_text: bool = False
    keeps_text: bool = False
    keeps_markers: bool = False
    types: dict[str, str] = field(default_factory=dict)
    is_published: bool = False
    is_lost: bool = False
    """Whether nobody can say if it got its name."""
    together: "list[NewTable]" = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        limit = self.database.dialect.name_length
        if limit is not None and len(self.name.encode()) > limit:
            raise TableError(
                say("the name of the new table is longer than {most} bytes", most=limit),
                where=self.shown,
                remedy=say("shorten it"),
            )
        self._hidden = f"celosia_{secrets.token_hex(6)}"
        self._proof: str | None = None
        self._is_named = False

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
                say("the table {table} exists already", table=self.shown),
                where=str(self.database),
                remedy=say("choose another name, or allow it with --overwrite"),
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

    def create_as(self, statement: sa.Select[Any], types: Mapping[str, str]) -> int:
        """Make it from a query whose columns have these types; how many rows it has."""
        database = self.database
        rows = database.dialect.create_as(database, self._target, database.render(statement), types)
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
    def opened(self) -> Iterator[Callable[[FileLayout], Sink]]:
        """For rows that come from elsewhere: a function that makes the table and takes them in."""
        yield self.create

    def create(self, layout: FileLayout) -> "_Rows":
        """Make it empty, for rows that come from elsewhere."""
        dialect, known = self.database.dialect, layout.native
        self.types = {}
        for column in layout.schema:
            scheme, native = known.get(column.name, ("", ""))
            is_known = scheme == dialect.scheme and dialect.knows(self.database, native)
            self.types[column.name] = native if is_known else dialect.ddl_type(column)
        return _Rows(self.database, self._target, self.types, frozenset(known))

    def open(self, *, missing: tuple[str, ...] = ()) -> Any:
        """The table as it is now, to be verified."""
        from celosia.tables.sql.sql_table import SqlTable

        schema, name = self._place
        fields = tuple(self.database.dialect.columns(self.database, schema, name))
        return SqlTable(
            self.database, (DatabaseTable(schema, name),), fields, options=Options(missing=missing)
        )

    def publish(self) -> None:
        """Give it its name and make it last; ``is_published`` says so from then on."""
        database, dialect = self.database, self.database.dialect
        self.ensure_free()
        self._proof = dialect.proof(database, self._place, self.schema_name, self.name)
        if dialect.is_transactional:
            if self.overwrite:
                database.run(f"DROP TABLE IF EXISTS {database.quote(self.schema_name, self.name)}")
            dialect.rename(database, self._target, self.schema_name, self.name)
        self._is_named = True
        every = self.together or [self]
        if not all(one._is_named for one in every):
            return
        # Whoever is impatient in this moment would not know what became of the tables.
        with signals_deferred():
            try:
                self._make_last(every)
            except CelosiaError as error:
                self._look_whether_it_is_there(every, error)
            for one in every:
                one.is_published = True
            dialect.drop_work(database)
            with suppress(CelosiaError):
                database.begin()

    def _make_last(self, every: "Sequence[NewTable]") -> None:
        database, dialect = self.database, self.database.dialect
        if not dialect.is_transactional:
            moves = [TableMove(one._target, one.schema_name, one.name, one.overwrite) for one in every]
            dialect.move(database, moves)
        database.commit()

    def _look_whether_it_is_there(self, every: "Sequence[NewTable]", error: CelosiaError) -> None:
        """Raise unless it is: a connection may be lost just before the server said that all is done."""
        if self._proof is None:
            raise error
        try:
            is_there = self.database.ask_anew(self._proof)
        except Exception:
            for one in every:
                one.is_lost = True
            raise ReleaseError(
                say("the connection was lost while the table {table} got its name", table=self.shown),
                where=str(self.database),
                remedy=say("look whether it is there: if it is, it is complete and verified"),
            ) from None
        if not is_there:
            raise error

    def withdraw(self) -> None:
        """Leave nothing of it."""
        self.database.rollback()
        self.database.dialect.drop_work(self.database)


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Let signals that ask the process to stop wait until the block is done.

    >>> import os
    >>> try:
    ...     with signals_deferred():
    ...         os.kill(os.getpid(), signal.SIGINT)
    ...         print("done")
    ... except KeyboardInterrupt:
    ...     print("interrupted")
    done
    interrupted
    """
    came: list[int] = []
    before: dict[int, Any] = {}
    # Only the main thread hears signals, and may say what they do.
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number) for number in SIGNALS}
    heard = {number: handler for number, handler in before.items() if callable(handler)}
    for number in heard:
        signal.signal(number, lambda which, _frame: came.append(which))
    try:
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)


@dataclass
class _Rows:
    """A table that takes rows in; it is made when the first come, which tell how many decimals numbers have."""

    database: Database
    target: str
    types: dict[str, str]
    known: frozenset[str] = frozenset()
    is_made: bool = False

    def _make(self, part: pl.DataFrame) -> None:
        for name, dtype in part.schema.items():
            if isinstance(dtype, pl.Decimal) and name not in self.known:
                self.types[name] = self.database.dialect.decimal(dtype.scale)
        fields = ", ".join(f"{self.database.quote(name)} {kind}" for name, kind in self.types.items())
        self.database.run(f"CREATE TABLE {self.target} ({fields})")
        self.is_made = True

    def append(self, part: pl.DataFrame) -> None:
        """Insert rows."""
        if not self.is_made:
            self._make(part)
        if part.height:
            labels = [
                name for name, dtype in part.schema.items() if isinstance(dtype, pl.Enum | pl.Categorical)
            ]
            with self.database.explained():
                self.database.dialect.append(
                    self.database, self.target, self.types, part.with_columns(named(*labels).cast(pl.String))
                )

    def close(self) -> None:
        """Nothing is due."""

    def abandon(self) -> None:
        """Whoever made the table withdraws it."""
