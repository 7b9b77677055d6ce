"""From a table to a new file: recode every row, put the rows in random order, write them where nobody else can look."""

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Protocol

import polars as pl

from celosia.errors import ReleaseError, TableError
from celosia.tables.format import Format, Layout, Options, Reader, Sink, check_names
from celosia.tables.formats import find_format
from celosia.tables.infer import Cast, cast_text
from celosia.tables.recoder import Recoder
from celosia.tables.shuffle import Shuffle, memory_budget
from celosia.tables.table import Progress, Recoding, Written, no_progress
from celosia.tables.text import column_type, missing_to_null
from celosia.types import Column, ColumnType, Schema

__all__ = ["Destination", "Source", "as_destination", "write_frame", "write_rows", "written_options"]


@dataclass(frozen=True)
class Destination:
    """Where to write and how, when the path alone does not say; what is None is as in the source.

    >>> Destination(Path("safe.txt"), separator="|").format is None
    True
    """

    path: Path
    format: str | None = None
    separator: str | None = None
    encoding: str | None = None
    header: bool | None = None


class Source(Protocol):
    """What writing has to know of a table: its rows, the format they come from (None: a frame), its types."""

    @property
    def name(self) -> str:
        """How messages call the table."""
        ...

    @property
    def format(self) -> Format | None:
        """The format of its file."""
        ...

    @property
    def reader(self) -> Reader:
        """Its rows."""
        ...

    @property
    def memory(self) -> int | None:
        """Bytes that rows may take before they go to disk."""
        ...

    def schema(self) -> Schema:
        """Its columns."""
        ...

    def casts(self) -> Mapping[str, Cast]:
        """For columns of text, the casts that lose nothing."""
        ...


def write_rows(
    source: Source,
    recoding: Recoding,
    destination: Any,
    *,
    seed: int | None = None,
    progress: Progress = no_progress,
) -> Written:
    """Write the recoded rows of ``source`` to a file that only its owner may read, in random order."""
    target = as_destination(destination)
    _check_free(target.path)
    format = find_format(target.path, target.format)
    plan = _Plan(source, recoding, format, target)
    with (
        _private_file(target.path) as file,
        Shuffle(
            target.path.absolute().parent,
            size=source.reader.size()[1],
            memory=memory_budget() if source.memory is None else source.memory,
            seed=seed,
        ) as shuffle,
    ):
        sink = format.create(file, plan.layout)
        try:
            return _write_parts(plan, shuffle, sink, progress=progress)
        except BaseException:
            sink.abandon()
            raise


def _write_parts(plan: "_Plan", shuffle: Shuffle, sink: Sink, *, progress: Progress) -> Written:
    expected = max(1, plan.reader.size()[0])
    read = excluded = suppressed = 0
    empty = pl.DataFrame()
    for batch in plan.reader.batches(plan.recoder.kept_names):
        recoded = plan.recoder.apply(batch)
        frame = plan.prepare(recoded.frame)
        shuffle.add(frame, recoded.kept)
        empty = frame.clear()
        read, excluded = read + batch.height, excluded + recoded.excluded
        suppressed += recoded.suppressed
        progress("recoding rows", min(1.0, read / expected))
    sink.append(empty)
    stay, written = read - excluded - suppressed, 0
    # While one part is written the next is put into order: they take about as long, and neither holds the interpreter.
    with ThreadPoolExecutor(max_workers=1) as pool:
        pending: Future[None] | None = None
        for part in shuffle.parts():
            if pending is not None:
                pending.result()
            pending = pool.submit(sink.append, part)
            written += part.height
            progress("writing rows", written / stay)
        if pending is not None:
            pending.result()
    sink.close()
    return Written(source=read, written=written, excluded=excluded, suppressed=suppressed)


class _Plan:
    """How values of one table become values of one file."""

    def __init__(self, source: Source, recoding: Recoding, format: Format, target: Destination) -> None:
        self.reader = source.reader
        given = self.reader.options
        self._missing = given.missing
        from_text = source.format is not None and source.format.holds_text
        # Between two text files nothing changes that is not recoded, not even how a missing value is written.
        verbatim = source.format is not None and source.format.keeps_markers and format.keeps_markers
        marker = (given.missing[0] or None) if verbatim and given.missing else None
        self.recoder = Recoder(
            recoding,
            self.reader.names,
            missing=given.missing,
            marker=marker,
            dtypes=dict(zip(self.reader.names, self.reader.dtypes, strict=True)),
            where=source.name,
        )
        self._to_null = from_text and not verbatim
        self._casts = source.casts() if from_text and not format.keeps_text else {}
        options = written_options(given, target, same_kind=source.format is format)
        self.layout = Layout(
            schema=self._schema(Schema(()) if verbatim else source.schema()),
            options=replace(options, missing=("",)) if verbatim else options,
            labels=self.recoder.labels,
        )

    def _schema(self, schema: Schema) -> Schema:
        """What the file will hold: recoded columns are text."""
        changed = self.recoder.changed
        kept = [name for name in self.recoder.kept_names if name in schema]
        return Schema(
            tuple(Column(name, ColumnType.TEXT) if name in changed else schema[name] for name in kept)
        )

    def prepare(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Unchanged columns of text with null for a missing value and, where nothing is lost, a type."""
        if not self._to_null:
            return frame
        changed = self.recoder.changed
        return frame.select(
            pl.nth(i) if name in changed else self._typed(missing_to_null(pl.nth(i), self._missing), name)
            for i, name in enumerate(frame.columns)
        )

    def _typed(self, texts: pl.Expr, name: str) -> pl.Expr:
        return (cast_text(texts, self._casts[name]) if name in self._casts else texts).alias(name)


def written_options(given: Options, target: Destination, *, same_kind: bool) -> Options:
    """The options of the source where the destination says nothing; a separator only within one format."""
    return Options(
        separator=target.separator or (given.separator if same_kind else None),
        encoding=target.encoding or (given.encoding if same_kind else "utf-8"),
        header=given.header if target.header is None else target.header,
        missing=given.missing,
    )


def as_destination(destination: Any) -> Destination:
    """A path, or a destination as it is."""
    if isinstance(destination, Destination):
        return replace(destination, path=Path(destination.path))
    if isinstance(destination, str | os.PathLike):
        return Destination(Path(destination))
    raise TableError(f"{destination!r} is not a place to write to", remedy="give the path of a file")


def _check_free(path: Path) -> None:
    """Raise if something is there already; an empty file may be somebody's reservation."""
    if path.is_dir():
        raise TableError("this is a folder", where=str(path), remedy="give the path of a file")
    if path.exists() and path.stat().st_size:
        raise TableError(
            "this file exists already", where=str(path), remedy="remove it or choose another name"
        )


@contextmanager
def _private_file(path: Path) -> Iterator[IO[bytes]]:
    """A new file that only its owner may read; it vanishes if writing fails."""
    where = str(path)
    try:
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
    except OSError as error:
        raise TableError(
            f"the file cannot be written ({error.strerror})", where=where, remedy="check the folder"
        ) from error
    try:
        with file:
            path.chmod(0o600)
            yield file
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise ReleaseError(
                f"the file could not be written ({error.strerror or error})",
                where=where,
                remedy="check the disk",
            ) from error
        raise


def write_frame(
    frame: pl.DataFrame,
    path: Path | str,
    *,
    separator: str | None = None,
    encoding: str = "utf-8",
    header: bool = True,
    missing: tuple[str, ...] = ("",),
    format: str | None = None,
) -> None:
    """Save a frame in the format that the path ends in, rows in their order; what was there is replaced.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_frame(pl.DataFrame({"age": [31, None]}), Path(folder, "people.csv"), missing=("?",))
    ...     Path(folder, "people.csv").read_text()
    'age\\n31\\n?\\n'
    """
    path = Path(path)
    check_names(frame.columns, where=str(path))
    columns = tuple(Column(name, column_type(dtype)) for name, dtype in frame.schema.items())
    options = Options(separator=separator, encoding=encoding, header=header, missing=missing)
    chosen = find_format(path, format)
    try:
        with path.open("wb") as file:
            sink = chosen.create(file, Layout(Schema(columns), options))
            sink.append(frame)
            sink.close()
    except OSError as error:
        raise TableError(
            f"the file cannot be written ({error.strerror})", where=str(path), remedy="check the folder"
        ) from error
