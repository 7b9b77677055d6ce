"""A release that is being made on a cluster: nobody sees it before it is verified and gets its name."""

import secrets
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from pyspark.sql import DataFrame, DataFrameWriter, SparkSession

from celosia.errors import ReleaseError
from celosia.say import say
from celosia.tables.format import Options
from celosia.tables.location import Location
from celosia.tables.spark.address import ClusterAddress, record_beside
from celosia.tables.spark.checkpoints import forget_checkpoint, reliable_checkpoint
from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.files import Files
from celosia.tables.spark.open import read_place
from celosia.tables.spark.session import run_in_thread
from celosia.tables.spark.spark_table import SparkTable

__all__ = ["NewFolder", "NewFrame", "NewHiveTable", "new_table"]

HIDDEN = ".celosia-"
FORGOTTEN = 86400.0
"""A hidden folder that nobody changed for so many seconds belongs to a run that was killed."""


def new_table(spark: SparkSession, place: ClusterAddress | None, options: Options, *, overwrite: bool) -> Any:
    """Where a release goes: a path, a table of Hive, or a frame of the caller's session."""
    if place is None:
        return NewFrame(spark, options)
    if place.table is not None:
        return NewHiveTable(spark, place, options, overwrite=overwrite)
    return NewFolder(spark, place, options, overwrite=overwrite)


@dataclass
class NewFrame:
    """A frame of rows that were computed once, so that what is handed over is what was verified."""

    location: ClassVar[Location] = Location.CLUSTER
    spark: SparkSession
    options: Options
    frame: DataFrame | None = None
    keeps_text: bool = False

    def take(self, frame: DataFrame, source: SparkTable) -> int:
        """Keep the rows; returns how many there are."""
        self.frame = reliable_checkpoint(frame)
        return int(self.frame.count())

    def open(self) -> SparkTable:
        """What was kept, as a table."""
        assert self.frame is not None
        return SparkTable(self.spark, self.frame, say("the release"), Options(missing=()))

    def withdraw(self) -> None:
        """Let go of it."""
        if self.frame is not None:
            kept = self.frame
            with suppress(Exception):
                run_in_thread(lambda: forget_checkpoint(kept))


@dataclass
class NewFolder:
    """A folder of files under a name of ours; ``publish`` gives it its own, and puts its record beside it."""

    location: ClassVar[Location] = Location.CLUSTER
    spark: SparkSession
    place: ClusterAddress
    options: Options
    overwrite: bool = False
    is_published: bool = False
    took_a_place: bool = False
    """Whether it was published in the place of an older one."""
    _token: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def keeps_text(self) -> bool:
        """Whether text can be written as it is, without a type."""
        return self.place.format == "csv"

    def __post_init__(self) -> None:
        self.files = Files(self.spark, str(self.place.path))
        path = self.files.path.rstrip("/")
        self.path, (self.parent, _, self.name) = path, path.rpartition("/")
        self.hidden = f"{self.parent}/{HIDDEN}{self.name}-{self._token}"

    @property
    def record(self) -> str:
        """Where its record lies."""
        return record_beside(self.path)

    def ensure_free(self) -> None:
        """Raise unless the release can go there."""
        if not self.files.is_folder(self.parent):
            raise ReleaseError(
                say("the folder {folder} does not exist", folder=self.parent), remedy=say("create it first")
            )
        for path in (self.path, self.record):
            if self.files.exists(path) and not self.overwrite:
                raise ReleaseError(
                    say("{path} exists already", path=path),
                    remedy=say("choose another name, or allow it with --overwrite"),
                )
        self._sweep()

    def _sweep(self) -> None:
        """Remove what runs left that were killed on the way to this very place."""
        for name in self.files.names(self.parent):
            path = f"{self.parent}/{name}"
            if name.startswith(f"{HIDDEN}{self.name}-") and self.files.age(path) > FORGOTTEN:
                self.files.remove(path)

    @property
    def _rows(self) -> str:
        return f"{self.hidden}/rows"

    def take(self, frame: DataFrame, source: SparkTable) -> int:
        """Write the rows where nobody else may look; returns how many are there."""
        self.files.make_private(self.hidden)
        with spark_errors_explained(str(self.place)):
            _writer(frame, self.place.format, self.options).save(self._rows)
        return self.open().count()

    def open(self) -> SparkTable:
        """What was written, as a table; no text means a missing value there."""
        place = ClusterAddress(path=self._rows, format=self.place.format)
        return read_place(self.spark, place, replace(self.options, missing=()), has_lines=True)

    def publish(self, record: str) -> None:
        """Move record and rows into place, the record first: where a release lies, its evidence does."""
        files, old = self.files, f"{self.hidden}/old"
        files.write(f"{self.hidden}/record", record)
        replaced: list[tuple[str, str]] = []
        for path in (self.record, self.path):
            if files.exists(path) and self.overwrite:
                files.move(path, f"{old}-{len(replaced)}")
                replaced.append((f"{old}-{len(replaced)}", path))
        placed: list[str] = []
        try:
            for source, target in ((f"{self.hidden}/record", self.record), (self._rows, self.path)):
                if not files.move(source, target):
                    raise ReleaseError(
                        say("{place} could not be given its name", place=target),
                        remedy=say("look whether another run was faster"),
                    )
                placed.append(target)
        except BaseException:
            for target in placed:
                with suppress(Exception):
                    files.remove(target)
            for source, target in replaced:
                with suppress(Exception):
                    files.move(source, target)
            raise
        self.is_published, self.took_a_place = True, bool(replaced)
        files.remove(self.hidden)

    def withdraw(self) -> None:
        """Remove what was written; what has got its name too, if all of several tables cannot have theirs.

        What took the place of an older release stays: the older one is gone.
        """
        gone = [
            self.hidden,
            *([self.path, self.record] if self.is_published and not self.took_a_place else []),
        ]
        for path in gone:
            with suppress(Exception):
                run_in_thread(lambda path=path: self.files.remove(path))  # type: ignore[misc]


@dataclass
class NewHiveTable:
    """A table of Hive under a name of ours; ``publish`` gives it its own."""

    location: ClassVar[Location] = Location.CLUSTER
    spark: SparkSession
    place: ClusterAddress
    options: Options
    overwrite: bool = False
    is_published: bool = False
    is_lost: bool = False
    keeps_text: bool = False
    took_a_place: bool = False
    """Whether it was published in the place of an older one."""
    _token: str = field(default_factory=lambda: secrets.token_hex(8))

    def __post_init__(self) -> None:
        parts = str(self.place.table).split(".")
        self.name, self.database = parts[-1], parts[:-1]
        self.hidden = self._named(f"celosia_{self._token}")

    def _named(self, name: str) -> str:
        return ".".join(f"`{part}`" for part in [*self.database, name])

    @property
    def shown(self) -> str:
        """How messages call it."""
        return str(self.place)

    @property
    def folder(self) -> Path:
        """Where nothing lies on its way: all of it is on the cluster."""
        return Path(tempfile.gettempdir())

    def exists(self) -> bool:
        """Whether there is a table of that name."""
        with spark_errors_explained(str(self.place)):
            return bool(self.spark.catalog.tableExists(self._named(self.name)))

    def ensure_free(self) -> None:
        """Raise unless the release can go there."""
        if self.exists() and not self.overwrite:
            raise ReleaseError(
                say("the table {table} exists already", table=self.shown),
                remedy=say("choose another name, or allow it with --overwrite"),
            )

    def take(self, frame: DataFrame, source: SparkTable) -> int:
        """Make the table; returns how many rows are there."""
        with spark_errors_explained(str(self.place)):
            frame.write.saveAsTable(self.hidden)
        return self.open().count()

    def open(self) -> SparkTable:
        """What was written, as a table."""
        with spark_errors_explained(str(self.place)):
            return SparkTable(self.spark, self.spark.table(self.hidden), str(self.place), Options(missing=()))

    def publish(self) -> None:
        """Give the table its name; one that had it before is gone only then."""
        own, aside = self._named(self.name), self._named(f"celosia_{self._token}_old")
        with spark_errors_explained(str(self.place)):
            replaces = self.overwrite and self.exists()
            if replaces:
                self.spark.sql(f"ALTER TABLE {own} RENAME TO {aside}")
            try:
                self.spark.sql(f"ALTER TABLE {self.hidden} RENAME TO {own}")
            except BaseException:
                if replaces:
                    self.spark.sql(f"ALTER TABLE {aside} RENAME TO {own}")
                raise
            self.is_published, self.took_a_place = True, replaces
            if replaces:
                self.spark.sql(f"DROP TABLE {aside}")

    def withdraw(self) -> None:
        """Drop the table, under whichever name it has; what took the place of an older one stays."""
        if self.is_published and self.took_a_place:
            return
        name = self._named(self.name) if self.is_published else self.hidden
        with suppress(Exception):
            run_in_thread(lambda: self.spark.sql(f"DROP TABLE IF EXISTS {name}"))


def _writer(frame: DataFrame, format: str, options: Options) -> DataFrameWriter:
    writer = frame.write.format(format)
    if format == "csv":
        writer = writer.options(
            header=options.has_names,
            sep=options.separator or ",",
            encoding=options.codec,
            quote='"',
            escape='"',
            nullValue=options.missing[0] if options.missing else "",
            emptyValue='""',
            # Unless told, Spark takes away what is around a value.
            ignoreLeadingWhiteSpace=False,
            ignoreTrailingWhiteSpace=False,
        )
    return writer.option("ignoreNullFields", False) if format == "json" else writer
