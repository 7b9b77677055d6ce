"""A connection to a database, as :class:`~celosia.tables.sql.database.Database` uses it, whatever driver is below."""

from collections.abc import Sequence
from typing import Any, Protocol

import sqlalchemy as sa

__all__ = ["DatabaseConnection", "SqlalchemyConnection"]


class DatabaseConnection(Protocol):
    """Carries out finished statements in one transaction, which the first statement begins.

    ``grammar`` says how SQLAlchemy writes statements for this database, and ``driver`` is the connection of the driver
    itself; when it is lost, no other takes its place.
    """

    @property
    def grammar(self) -> sa.Dialect:
        """How statements are written."""

    @property
    def driver(self) -> Any:
        """The driver's own connection."""

    def run(self, statement: str) -> int:
        """Carry out a statement; the rows it touched, -1 where the driver does not say."""

    def ask(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query; marks in its text stand for ``values``."""

    def commit(self) -> None:
        """Make what was done last."""

    def rollback(self) -> None:
        """Undo what was not committed."""

    def open_another(self) -> Any:
        """One more connection of the driver to the same database; whoever asks for it closes it."""

    def close(self) -> None:
        """Let go of the database."""


class SqlalchemyConnection:
    """A connection that an engine of SQLAlchemy opens, for the drivers that it knows."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._connection = engine.connect()
        self.driver: Any = self._connection.connection.driver_connection

    @property
    def grammar(self) -> sa.Dialect:
        """That of the engine."""
        return self._engine.dialect

    def run(self, statement: str) -> int:
        """Carry out a statement; the rows it touched, -1 where the driver does not say."""
        connection = self._connection.execution_options(no_parameters=True)
        return int(connection.exec_driver_sql(statement).rowcount)

    def ask(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query; marks in its text stand for ``values``."""
        connection = self._connection.execution_options(no_parameters=not values)
        return [tuple(row) for row in connection.exec_driver_sql(query, tuple(values) or None)]

    def commit(self) -> None:
        """Make what was done last."""
        self._connection.commit()

    def rollback(self) -> None:
        """Undo what was not committed."""
        self._connection.rollback()

    def open_another(self) -> Any:
        """One more connection of the driver, which nobody closes but who asked for it."""
        lent = self._engine.raw_connection()
        connection = lent.driver_connection
        lent.detach()  # or it would be closed when nobody holds what lent it
        return connection

    def close(self) -> None:
        """Let go of the database, and of the engine."""
        try:
            self._connection.close()
        finally:
            self._engine.dispose()
