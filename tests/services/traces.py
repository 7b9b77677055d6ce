"""What a run leaves in a database, and on its way there."""

import time
from typing import Any

TEMPORARY = {
    "postgresql": "SELECT relname FROM pg_class WHERE relname LIKE 'celosia%' "
    "UNION ALL SELECT nspname FROM pg_namespace WHERE nspname LIKE 'celosia%' "
    "UNION ALL SELECT locktype FROM pg_locks WHERE pid <> pg_backend_pid() AND relation >= 16384",
    "mariadb": "SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'celosia%' "
    "UNION ALL SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'celosia%'",
    "sqlite": "SELECT name FROM sqlite_master WHERE name LIKE 'celosia%'",
    "duckdb": "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'celosia%'",
}
CONNECTIONS = {
    "postgresql": "SELECT pid FROM pg_stat_activity WHERE application_name = 'celosia'",
    "mariadb": "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
}


def leftovers_in(database: Any) -> list[str]:
    """What is called ours, and locks that somebody holds."""
    return [name for (name,) in database.query(TEMPORARY[database.scheme])]


def release_of(database: Any, table: str = "people_safe") -> tuple[int, int] | None:
    """What is at the destination: None, or its rows and the size of its smallest class."""
    tables = {
        "sqlite": "SELECT 1 FROM sqlite_master WHERE name = '{}'",
        "mariadb": "SELECT 1 FROM information_schema.tables WHERE table_name = '{}' AND table_schema = DATABASE()",
    }
    usual = "SELECT 1 FROM information_schema.tables WHERE table_name = '{}'"
    if not database.query(tables.get(database.scheme, usual).format(table)):
        return None
    sizes = [n for (n,) in database.query(f"SELECT COUNT(*) FROM {table} GROUP BY age, zip")]
    return sum(sizes), min(sizes)


def wait_until_the_server_let_go(database: Any) -> None:
    """A server notices that a process is dead when it next speaks to it."""
    deadline = time.monotonic() + 20
    while database.scheme in CONNECTIONS and database.query(CONNECTIONS[database.scheme]):
        assert time.monotonic() < deadline
        time.sleep(0.005)
