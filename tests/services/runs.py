"""Runs of the command line as processes of their own that begin at once, and end when a test wants them to.

A nursery has everything imported and forks a child for each run: a new interpreter would take a second.
"""

import importlib
import json
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SLOW = {
    "postgresql": "SELECT pg_sleep(60)",
    "mariadb": "SELECT BENCHMARK(100000000000, MD5('a'))",
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000000000) SELECT COUNT(*) FROM n",
    "duckdb": "SELECT SUM(sqrt(a.range * b.range)) FROM range(10000000) a, range(10000000) b",
}
"""A statement of a minute or more."""

POINTS = {
    "asked": "celosia.tables.sql.address:parse_address",
    "opened": "celosia.tables.sql.open:open_database",
    "counted": "celosia.tables.sql.sql_table:SqlTable.count_by",
    "planned": "celosia.run:plan_tables",
    "written": "celosia.tables.sql.sql_table:SqlTable.write",
    "verified": "celosia.release.finish:verify",
    "masked": "celosia.release.finish:verify_masked",
    "record": "celosia.release.publish_table:move",
    "renamed": "celosia.tables.sql.postgresql:PostgreSQL.rename",
    "moved": "celosia.tables.sql.mariadb:MariaDB.move",
    "committed": "celosia.tables.sql.database:Database.commit",
    "published": "celosia.tables.sql.new_table:NewTable.publish",
}
"""What is just done at a moment of a run, in order."""

PATIENCE = 90
"""Seconds after which a run hangs, which none takes: less than a test may take."""


ROWS = 400
QUASI_IDENTIFIERS = ["age", "zip"]
RELEASE = [
    "--table",
    "people",
    "--out-table",
    "people_safe",
    "--identifier",
    "id",
    "--qi",
    "age,zip",
    "--common",
    "note",
    "-k",
    "5",
    "--technique",
    "full-domain",
]
"""What a run is told beside the address: a technique that leaves all rows in the database."""


def make_people(run: Callable[[str], None], *, width: int = 10, table: str = "people") -> None:
    """A table of people; ``width`` is that of a column that tells nothing."""
    chance = random.Random(3)
    run(f"CREATE TABLE {table} (id INTEGER, age INTEGER, zip VARCHAR(5), note TEXT)")
    rows = [
        f"({i}, {chance.randint(20, 60)}, '{28000 + chance.randint(0, 20)}', '{chance.randbytes(width // 2).hex()}')"
        for i in range(ROWS)
    ]
    run(f"INSERT INTO {table} VALUES {', '.join(rows)}")


@dataclass
class Run:
    """A run under way."""

    nursery: "Nursery"
    process: int
    folder: Path
    output: Path

    def signal(self, number: int) -> None:
        os.kill(self.process, number)

    def wait(self) -> int:
        """Its exit status, negative for a signal; one that does not end is killed, and fails the test."""
        deadline = time.monotonic() + PATIENCE
        while (status := self.nursery.ask(poll=self.process)) is None:
            if time.monotonic() > deadline:
                self.signal(signal.SIGKILL)
                raise AssertionError(f"the run does not end: {self.shown}")
            time.sleep(0.005)
        return int(status)

    def wait_until_it_stands(self) -> None:
        """Until a run that was told to stop somewhere is there."""
        mark = Path(f"{self.output}.reached")
        deadline = time.monotonic() + PATIENCE
        while not mark.exists():
            if time.monotonic() > deadline or self.nursery.ask(poll=self.process) is not None:
                raise AssertionError(f"the run did not get there: {self.shown}")
            time.sleep(0.005)

    @property
    def shown(self) -> str:
        """What it printed."""
        return self.output.read_text()


@dataclass
class Nursery:
    """Starts runs, in a process that is started again if it is dead or stuck: what happens to one test stays there."""

    folder: Path
    count: int = field(default=0)
    pipe: "subprocess.Popen[str] | None" = None

    def ask(self, **request: Any) -> Any:
        try:
            return self._ask(json.dumps(request))
        except BaseException:
            self.stop()  # what it may still say would be taken for the answer to the next question
            raise

    def _ask(self, request: str) -> Any:
        if self.pipe is not None and self.pipe.poll() is not None:
            self.stop()
        if self.pipe is None:
            self.pipe = subprocess.Popen(
                [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        assert self.pipe.stdin is not None
        assert self.pipe.stdout is not None
        self.pipe.stdin.write(request + "\n")
        self.pipe.stdin.flush()
        is_there = select.select([self.pipe.stdout], [], [], PATIENCE)[0]
        answer = self.pipe.stdout.readline() if is_there else ""
        assert answer, "the nursery is dead or stuck"
        return json.loads(answer)

    def stop(self) -> None:
        """End it, and with it all runs."""
        pipe, self.pipe = self.pipe, None
        if pipe is not None:
            pipe.kill()
            with suppress(BrokenPipeError):  # a request that did not get through
                pipe.communicate()

    def start(
        self,
        arguments: Sequence[object],
        folder: Path,
        *,
        at: str | None = None,
        do: str = "",
        settings: Mapping[str, str] | None = None,
    ) -> Run:
        """A run in a folder; right after the moment ``at`` it does what ``do`` says: die, stand, or slow SQL."""
        self.count += 1
        output = self.folder / f"{self.count}.txt"
        process = self.ask(
            arguments=list(map(str, arguments)),
            folder=str(folder),
            output=str(output),
            at=at,
            do=do,
            settings=dict(os.environ) if settings is None else {**os.environ, **settings},
        )
        return Run(self, process, folder, output)

    def run(self, arguments: Sequence[object], folder: Path, **how: Any) -> tuple[int, str]:
        """A run to its end: exit status and what it printed."""
        one = self.start(arguments, folder, **how)
        return one.wait(), one.shown


@contextmanager
def nursery_running() -> Iterator[Nursery]:
    with tempfile.TemporaryDirectory() as folder:
        nursery = Nursery(Path(folder))
        try:
            yield nursery
        finally:
            nursery.stop()


def serve() -> None:
    """In the nursery: what is asked for, line by line."""
    sys.modules["runs"] = sys.modules["__main__"]
    for name in ("celosia.cli.app", "celosia.cli.release_view", "celosia.run", "celosia.tables.sql.open"):
        importlib.import_module(name)
    for name in ("duckdb", "keyring", "psycopg", "pyarrow.csv", "pymysql", "sqlalchemy"):
        importlib.import_module(name)
    ended: dict[int, int] = {}
    for line in sys.stdin:
        request = json.loads(line)
        answer: int | None
        if "arguments" in request:
            answer = os.fork()
            if not answer:
                live(**request)
        else:
            answer = look(ended, request["poll"])
        print(json.dumps(answer), flush=True)


def look(ended: dict[int, int], process: int) -> int | None:
    """The exit status of a child, None if it has none yet."""
    if process not in ended:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            ended[process] = os.waitstatus_to_exitcode(status)
    return ended.get(process)


def live(
    arguments: list[str], folder: str, output: str, at: str | None, do: str, settings: dict[str, str]
) -> None:
    """In the child: one run of the command line."""
    from celosia.cli.start import start

    status = 99
    try:
        die_with_the_nursery()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.environ.clear()
        os.environ.update(settings)
        tempfile.tempdir = None
        os.chdir(folder)
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(file, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        if at is not None:
            hook(at, do, Path(f"{output}.reached"))
        status = start(arguments)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def die_with_the_nursery() -> None:
    """Have the system end this process when its parent ends, for nobody else would."""
    import ctypes

    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def hook(at: str, do: str, mark: Path) -> None:
    """Do something the first time that a function has done its work."""
    module, _, path = POINTS[at].partition(":")
    owner: Any = importlib.import_module(module)
    *outer, name = path.split(".")
    for each in outer:
        owner = getattr(owner, each)
    original = getattr(owner, name)
    databases = remember_databases()

    def wrapped(*given: Any, **named: Any) -> Any:
        result = original(*given, **named)
        if not mark.exists():
            if do == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            mark.touch()
            if do == "stand":
                while mark.exists() and mark.read_text() != "go on":
                    time.sleep(0.01)
            elif do:
                databases[-1].ask(do)
        return result

    setattr(owner, name, wrapped)


def remember_databases() -> list[Any]:
    """The databases that a run opens from now on."""
    from celosia.tables.sql.database import Database

    opened: list[Any] = []
    begin = Database.begin

    def remembering(self: Any) -> None:
        if self not in opened:
            opened.append(self)
        begin(self)

    Database.begin = remembering  # type: ignore[method-assign]
    return opened


if __name__ == "__main__":
    serve()
