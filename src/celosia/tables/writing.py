"""From a table to a new file: recode every row, put the rows in random order, write them where nobody else can look."""

import gc
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Protocol

import polars as pl

from celosia.errors import ReleaseError, TableError
from celosia.tables.format import Format, Layout, Options, Reader, Sink, check_names
from celosia.tables.formats import find_format
from celosia.tables.infer import Cast, cast_text
from celosia.tables.private import erase_file
from celosia.tables.recoder import Recoder, check_columns
from celosia.tables.shuffle import InOrder, Shuffle, memory_budget
from celosia.tables.table import Progress, Recoding, Written, no_progress
from celosia.tables.text import column_type, missing_to_null
from celosia.types import Column, Schema

__all__ = [
    "Destination",
    "Source",
    "Target",
    "as_destination",
    "same_kind",
    "write_frame",
    "write_rows",
    "written_options",
]


LABELS_TAKE = 6
"""Times as much as their values."""


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


class Target(Protocol):
    """Where rows go: a new file, or a new table of a database.

    What is said of values is said as of a :class:`Format`; rows on their way may lie in ``folder``.
    """

    @property
    def keeps_text(self) -> bool:
        """Whether text can be written as it is, without a type."""
        ...

    @property
    def keeps_markers(self) -> bool:
        """Whether a missing value is a text of the user's choice."""
        ...

    @property
    def folder(self) -> Path:
        """Where rows may lie on their way."""
        ...

    def options(self, source: Source) -> Options:
        """How values are written."""
        ...

    def opened(self) -> AbstractContextManager[Callable[[Layout], Sink]]:
        """A function that begins to write; what was written is gone if the context is left by an error."""
        ...


@dataclass(frozen=True)
class _File:
    """A new file as a target."""

    destination: Destination

    @property
    def format(self) -> Format:
        return find_format(self.destination.path, self.destination.format)

    @property
    def keeps_text(self) -> bool:
        return self.format.keeps_text

    @property
    def keeps_markers(self) -> bool:
        return self.format.keeps_markers

    @property
    def folder(self) -> Path:
        return self.destination.path.absolute().parent

    def options(self, source: Source) -> Options:
        alike = same_kind(source.format, self.format)
        return written_options(source.reader.options, self.destination, same_kind=alike)

    @contextmanager
    def opened(self) -> Iterator[Callable[[Layout], Sink]]:
        _check_free(self.destination.path)
        format = self.format
        with _private_file(self.destination.path) as file:
            yield lambda layout: format.create(file, layout)


def write_rows(
    source: Source,
    recoding: Recoding,
    destination: Any,
    *,
    seed: int | None = None,
    progress: Progress = no_progress,
) -> Written:
    """Write the recoded rows of ``source`` in random order: to a file that only its owner may read, or a new table."""
    target: Target = destination if hasattr(destination, "opened") else _File(as_destination(destination))
    if recoding.keeps_order and recoding.parts is None and isinstance(target, _File):
        return _write_in_order(source, recoding, target, progress=progress)
    with (
        target.opened() as create,
        _batches(source, recoding, target.folder, progress) as batches,
        _shuffle(source, recoding, target.folder, seed) as shuffle,
    ):
        plan = _Plan(source, recoding, target)
        read, excluded, suppressed = _recode_batches(plan, batches, shuffle, progress=progress)
        if recoding.parts is not None:
            gc.collect()  # what was made of the last part refers to itself in circles
        sink = create(plan.layout)
        try:
            sink.append(plan.empty)
            written = _write_shuffled(shuffle, sink, read - excluded - suppressed, progress=progress)
            sink.close()
        except BaseException:
            sink.abandon()
            raise
    return Written(source=read, written=written, excluded=excluded, suppressed=suppressed)


def _write_in_order(source: Source, recoding: Recoding, target: Target, *, progress: Progress) -> Written:
    """Write rows as they come; while a batch is written the next one is read and recoded."""
    plan = _Plan(source, recoding, target)
    recoder = plan.recoder(recoding)
    expected = max(1, plan.reader.size()[0])
    read = written = excluded = suppressed = 0
    sink: Sink | None = None
    with target.opened() as create, ThreadPoolExecutor(max_workers=1) as pool:
        pending: Future[None] | None = None
        try:
            for batch in plan.reader.batches(plan.names):
                recoded = recoder.apply(batch)
                frame = plan.prepare(recoded.frame)
                frame = frame if recoded.kept is None else frame.filter(pl.Series(recoded.kept))
                if pending is not None:
                    pending.result()
                sink = create(plan.layout) if sink is None else sink
                pending = pool.submit(sink.append, frame)
                read, written = read + batch.height, written + frame.height
                excluded, suppressed = excluded + recoded.excluded, suppressed + recoded.suppressed
                progress("writing rows", min(1.0, read / expected))
            if pending is not None:
                pending.result()
            if sink is None:
                sink = create(plan.layout)
                sink.append(plan.nothing)
            sink.close()
        except BaseException:
            if sink is not None:
                sink.abandon()
            raise
    return Written(source=read, written=written, excluded=excluded, suppressed=suppressed)


def _shuffle(source: Source, recoding: Recoding, folder: Path, seed: int | None) -> Shuffle | InOrder:
    size = source.reader.size()[1]
    if recoding.parts is None:
        memory = memory_budget() if source.memory is None else source.memory
        if recoding.keeps_order:
            # A connection to a database does not take rows in while it hands others over.
            return InOrder(folder, memory=memory)
        return Shuffle(folder, size=size, memory=memory, seed=seed)
    # Labels of classes may take several times what their values did, and there is not much room for a bucket.
    return Shuffle(folder, size=LABELS_TAKE * size, memory=recoding.parts.spare, seed=seed)


@contextmanager
def _batches(
    source: Source, recoding: Recoding, folder: Path, progress: Progress
) -> Iterator[Iterator[tuple[Recoding, Iterator[pl.DataFrame]]]]:
    """The rows with the columns that stay, in batches: all of them for one recoding, or part by part for theirs."""
    reader = source.reader
    names = tuple(name for name in reader.names if name not in set(recoding.dropped))
    if recoding.parts is None:
        yield iter([(recoding, reader.batches(names))])
        return
    from celosia.tables.parted import parted_rows

    memory = recoding.parts.spare
    with parted_rows(
        reader, names, recoding.parts, folder=folder, memory=memory, where=source.name, progress=progress
    ) as parts:
        yield parts


def _recode_batches(
    plan: "_Plan",
    parts: Iterator[tuple[Recoding, Iterator[pl.DataFrame]]],
    shuffle: Shuffle | InOrder,
    *,
    progress: Progress,
) -> tuple[int, int, int]:
    """Throw recoded rows into the shuffle; returns how many were read, excluded and suppressed."""
    expected = max(1, plan.reader.size()[0])
    read = excluded = suppressed = 0
    for recoding, batches in parts:
        recoder = plan.recoder(recoding)
        for batch in batches:
            recoded = recoder.apply(batch)
            frame = plan.prepare(recoded.frame)
            shuffle.add(frame, recoded.kept)
            plan.empty = frame.clear()
            read, excluded = read + batch.height, excluded + recoded.excluded
            suppressed += recoded.suppressed
            progress("recoding rows", min(1.0, read / expected))
        del recoding, recoder  # a part may take all the memory there is
    return read, excluded, suppressed


def _write_shuffled(shuffle: Shuffle | InOrder, sink: Sink, rows: int, *, progress: Progress) -> int:
    written = 0
    # While one part is written the next is put into order: they take about as long, and neither holds the interpreter.
    with ThreadPoolExecutor(max_workers=1) as pool:
        pending: Future[None] | None = None
        for part in shuffle.parts():
            if pending is not None:
                pending.result()
            pending = pool.submit(sink.append, part)
            written += part.height
            progress("writing rows", written / rows)
        if pending is not None:
            pending.result()
    return written


class _Plan:
    """How values of one table become values of another."""

    def __init__(self, source: Source, recoding: Recoding, target: Target) -> None:
        self.reader = source.reader
        self.empty = pl.DataFrame()
        self._source, self._has_parts = source, recoding.parts is not None
        given = self.reader.options
        self._missing = given.missing
        from_text = source.format is not None and source.format.holds_text
        # Between two text files nothing changes that is not recoded, not even how a missing value is written.
        self._verbatim = source.format is not None and source.format.keeps_markers and target.keeps_markers
        self._to_null = from_text and not self._verbatim
        self._casts = source.casts() if from_text and not target.keeps_text else {}
        self._options = target.options(source)
        dropped = set(recoding.dropped)
        self._names = tuple(name for name in self.reader.names if name not in dropped)
        check_columns(recoding.dropped, self.reader.names, where=source.name)
        self._changed: dict[str, pl.DataType] = {}
        self._labels: frozenset[str] = frozenset()

    def recoder(self, recoding: Recoding) -> Recoder:
        """What applies a recoding, or that of one part."""
        given = self.reader.options
        found = Recoder(
            replace(recoding, dropped=()),
            self._names,
            missing=given.missing,
            marker=(given.missing[0] or None) if self._verbatim and given.missing else None,
            dtypes=dict(zip(self.reader.names, self.reader.dtypes, strict=True)),
            where=self._source.name,
            is_part=self._has_parts,
        )
        self._changed, self._labels = found.changed, found.labels
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that leave."""
        return self._names

    @property
    def nothing(self) -> pl.DataFrame:
        """No rows, with the columns that leave."""
        kinds = dict(zip(self.reader.names, self.reader.dtypes, strict=True))
        return pl.DataFrame(schema={name: kinds[name] for name in self._names})

    @property
    def layout(self) -> Layout:
        """What will be written, once a recoding was asked for."""
        native = self._source.native_types() if hasattr(self._source, "native_types") else {}
        return Layout(
            schema=self._schema(Schema(()) if self._verbatim else self._source.schema()),
            options=replace(self._options, missing=("",)) if self._verbatim else self._options,
            labels=self._labels | self._enumerated,
            native={name: kind for name, kind in native.items() if name not in self._changed},
        )

    @property
    def _enumerated(self) -> frozenset[str]:
        """Columns that come as labels already."""
        kinds = zip(self.reader.names, self.reader.dtypes, strict=True)
        return frozenset(name for name, kind in kinds if isinstance(kind, pl.Enum) and name in self._names)

    def _schema(self, schema: Schema) -> Schema:
        """What the file will hold: recoded columns are text, or what their classes show."""
        changed = self._changed
        kept = [name for name in self._names if name in schema]
        return Schema(
            tuple(
                Column(name, column_type(changed[name])) if name in changed else schema[name] for name in kept
            )
        )

    def prepare(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Unchanged columns of text with null for a missing value and, where nothing is lost, a type."""
        if not self._to_null:
            return frame
        changed = self._changed
        return frame.select(
            pl.nth(i) if name in changed else self._typed(missing_to_null(pl.nth(i), self._missing), name)
            for i, name in enumerate(frame.columns)
        )

    def _typed(self, texts: pl.Expr, name: str) -> pl.Expr:
        return (cast_text(texts, self._casts[name]) if name in self._casts else texts).alias(name)


def same_kind(source: Format | None, target: Format) -> bool:
    """Whether separator and encoding of a source are those of the file to be written.

    A frame or a table of a database has none of its own, so what is said of them is said of a text file.
    """
    return source is target or (source is None and target.keeps_text)


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
        if path.exists():
            erase_file(path)
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
