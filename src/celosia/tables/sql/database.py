"""A connection to a database, and the one transaction in it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import polars as pl
import sqlalchemy as sa

from celosia.errors import CelosiaError, TableError
from celosia.tables.sql.address import Address
from celosia.tables.sql.columns import SqlColumn
from celosia.tables.sql.dialect import Dialect, InlineTable
from celosia.tables.sql.dialects import find_dialect

__all__ = ["Database", "open_database"]

Ask = Callable[[str], str]


def open_database(address: Address, *, writes: bool = False, ask: Ask | None = None) -> "Database":
    """Connect to a database; ``ask`` asks a person for the password if one is needed and nowhere to be found."""
    dialect = find_dialect(address)
    password = address.find_password()
    try:
        return Database(address, dialect, password, writes=writes)
    except WrongPasswordError as error:
        if password is not None or ask is None:
            raise TableError(error.what, where=error.where, remedy=error.remedy) from None
    return Database(address, dialect, address.ask_password(ask), writes=writes)


class WrongPasswordError(TableError):
    """The server did not let us in."""


class Database:
    """One connection: statements are rendered whole, rows come in frames, and ``fetched`` counts those that crossed.

    Everything happens in one transaction until ``commit`` or ``rollback``, so that all that is read belongs together
    where the database can do that, and nobody sees a table before it is verified.
    """

    def __init__(self, address: Address, dialect: Dialect, password: str | None, *, writes: bool) -> None:
        self.address, self.dialect, self.writes = address, dialect, writes
        self.fetched = 0
        self.users = 1
        """Tables of a run that share it: the last that lets go of it closes it."""
        self._names = 0
        self._streams = 0
        with self.explained():
            self._connection = dialect.connect(address, password, writes=writes)
        self.driver: Any = self._connection.driver
        """The connection of the driver itself; when it is lost, no other takes its place."""
        try:
            self.begin()
        except BaseException:
            self.close()
            raise

    def __str__(self) -> str:
        return str(self.address)

    def begin(self) -> None:
        """Begin the transaction in which everything happens."""
        with self.explained():
            self.dialect.begin(self)

    def render(self, statement: sa.ClauseElement) -> str:
        """The text of a statement, values and all, every one of them quoted."""
        compiled = statement.compile(dialect=self._connection.grammar, compile_kwargs={"literal_binds": True})
        is_doubled = getattr(compiled.preparer, "_double_percents", False)
        return str(compiled).replace("%%", "%") if is_doubled else str(compiled)

    def quote(self, *names: str | None) -> str:
        """A name, or a path of names, in quotes."""
        preparer = self._connection.grammar.identifier_preparer
        text = ".".join(preparer.quote_identifier(name) for name in names if name is not None)
        is_doubled = getattr(preparer, "_double_percents", False)
        return text.replace("%%", "%") if is_doubled else text

    def run(self, statement: sa.ClauseElement | str) -> int:
        """Carry out a statement; the rows it touched, -1 where the driver does not say."""
        text = statement if isinstance(statement, str) else self.render(statement)
        with self.explained():
            return self.dialect.carry_out(self, lambda: self._connection.run(text))

    def ask(self, statement: sa.ClauseElement | str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The few rows of a query about the database itself, or of counts; marks in a text stand for ``values``."""
        text = statement if isinstance(statement, str) else self.render(statement)
        with self.explained():
            rows = self.dialect.carry_out(self, lambda: self._connection.ask(text, values))
        self.fetched += len(rows)
        return rows

    def frames(self, statement: sa.Select[Any], columns: Sequence[SqlColumn]) -> Iterator[pl.DataFrame]:
        """The rows of a query, a bounded number at a time."""
        self._streams += 1
        is_left = False
        try:
            with self.explained():
                for frame in self.dialect.frames(self, statement, columns):
                    self.fetched += frame.height
                    yield frame
        except GeneratorExit:  # the reader has enough, but the server has more
            is_left = True
            raise
        finally:
            if not is_left:
                self._streams -= 1

    def check_one(self, statement: sa.ClauseElement) -> None:
        """Raise unless the database takes a query with somebody's condition in it for one query."""
        self.dialect.check_filter(self, self.render(statement))

    def make_temporary(self, small: InlineTable) -> sa.FromClause:
        """A table that ends with the connection."""
        target = self.quote(small.name)
        fields = ", ".join(f"{self.quote(name)} {kind}" for name, kind in small.columns.items())
        self.run(f"CREATE TEMPORARY TABLE {target} ({fields})")
        if small.rows:
            with self.explained():
                self.dialect.append(self, target, dict(small.columns), small.frame)
        return sa.table(small.name, *map(sa.column, small.columns))

    def new_name(self) -> str:
        """A name for something temporary, given once."""
        self._names += 1
        return f"celosia_m{self._names}"

    def reconnect(self) -> Any:
        """Another connection of the driver, for what this one can no longer do; whoever asks for it closes it."""
        return self._connection.open_another()

    def ask_anew(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query, by another connection."""
        connection = self.reconnect()
        try:
            cursor = connection.cursor()
            cursor.execute(query)
            return [tuple(row) for row in cursor.fetchall()]
        finally:
            connection.close()

    def commit(self) -> None:
        """Make what was done last."""
        with self.explained():
            self._connection.commit()

    def rollback(self) -> None:
        """Undo what was not committed; a connection that is lost has undone it already."""
        if self._streams:  # or the driver would first fetch all the rows that nobody wants any more
            self._streams = 0
            self.dialect.cancel(self)
        with suppress(Exception):
            self._connection.rollback()

    def close(self) -> None:
        """Undo what was not committed and let go of the database, unless others still use it."""
        self.users -= 1
        if self.users > 0:
            return
        self.rollback()
        with suppress(Exception):
            self._connection.close()
        self.dialect.end(self)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """What a driver raises, as one of ours: a sentence that quotes no value of the table."""
        try:
            yield
        except (CelosiaError, GeneratorExit):
            raise
        except KeyboardInterrupt:
            self.dialect.cancel(self)
            raise
        except Exception as error:
            trouble = self.dialect.explain(getattr(error, "orig", None) or error)
            if trouble is None:
                raise
            kind = WrongPasswordError if trouble.is_password else TableError
            raise kind(trouble.what, where=str(self), remedy=trouble.remedy) from None
