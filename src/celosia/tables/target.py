"""Where rows go: a new file that only its owner may read, or whatever else takes them in."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Protocol

import polars as pl

from celosia.errors import ReleaseError, TableError
from celosia.say import say
from celosia.tables.format import FileLayout, Format, Options, Reader, Sink, check_names
from celosia.tables.formats import find_format, writer_of
from celosia.tables.infer import Cast
from celosia.tables.packing import packed_file
from celosia.tables.private import erase_file
from celosia.tables.table import Counts
from celosia.types import Column, Schema
from celosia.values.forms import DateForm, NumberForm, ValueForm
from celosia.values.parse import ValueParser
from celosia.values.text import column_type

__all__ = [
    "FileDestination",
    "FileTarget",
    "RowSource",
    "WriteTarget",
    "as_destination",
    "same_kind",
    "write_frame",
    "written_options",
]


@dataclass(frozen=True)
class FileDestination:
    """Where to write and how, when the path alone does not say; what is None is as in the source.

    >>> FileDestination(Path("safe.txt"), separator="|").format is None
    True
    """

    path: Path
    format: str | None = None
    separator: str | None = None
    encoding: str | None = None
    header: bool | None = None
    decimal: str | None = None
    thousands: str | None = None
    date_format: str | None = None
    formulas: str = "keep"


class RowSource(Protocol):
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

    def is_as_counted(self, counts: Counts) -> bool:
        """Whether its rows are surely those that were counted, in the same order."""
        ...

    def parsers_of(self, columns: Sequence[str]) -> Mapping[str, ValueParser]:
        """For columns of text, how they are read as values."""
        ...


class WriteTarget(Protocol):
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

    def options(self, source: RowSource) -> Options:
        """How values are written."""
        ...

    def opened(self) -> AbstractContextManager[Callable[[FileLayout], Sink]]:
        """A function that begins to write; what was written is gone if the context is left by an error."""
        ...


@dataclass(frozen=True)
class FileTarget:
    """A new file as a target."""

    destination: FileDestination

    @property
    def format(self) -> Format:
        """Of the file."""
        return find_format(self.destination.path, self.destination.format)

    @property
    def keeps_text(self) -> bool:
        """Whether text can be written as it is, without a type."""
        return self.format.keeps_text

    @property
    def keeps_markers(self) -> bool:
        """Whether a missing value is a text of the user's choice."""
        return self.format.keeps_markers

    @property
    def folder(self) -> Path:
        """Where rows may lie on their way: beside the file."""
        return self.destination.path.absolute().parent

    def options(self, source: RowSource) -> Options:
        """How values are written."""
        return written_options(
            source.reader.options,
            self.destination,
            same_kind=same_kind(source.format, self.format),
            keeps_separator=source.format in (None, self.format),
        )

    @contextmanager
    def opened(self) -> Iterator[Callable[[FileLayout], Sink]]:
        """The file, gone again if writing fails."""
        path = self.destination.path
        _check_free(path)
        create = writer_of(path, self.destination.format)
        with _private_file(path) as file, packed_file(file, path) as packed:
            yield lambda layout: create(packed, layout)


def same_kind(source: Format | None, target: Format) -> bool:
    """Whether the encoding and the ways of writing of a source are those of the file to be written.

    A frame or a table of a database has none of its own, so what is said of them is said of a text file.
    """
    if source is None:
        return target.keeps_text
    return source is target or (source.keeps_markers and target.keeps_markers)


def written_options(
    given: Options, target: FileDestination, *, same_kind: bool, keeps_separator: bool = True
) -> Options:
    """The options of the source where the destination says nothing; a separator only within one format."""
    source = given if same_kind else Options(header=given.header, missing=given.missing)
    changed = replace(
        source,
        separator=target.separator or (source.separator if keeps_separator else None),
        encoding=target.encoding or source.codec,
        header=source.has_names if target.header is None else target.header,
        has_byte_order_mark=source.has_byte_order_mark and target.encoding is None,
        formulas=target.formulas,
    )
    return _with_forms(changed, target)


def _with_forms(options: Options, target: FileDestination) -> Options:
    """The options with numbers and dates as a destination says."""
    forms = tuple((name, _changed_form(form, target)) for name, form in options.forms or ())
    thousands = options.thousands if target.thousands is None else target.thousands
    decimal = target.decimal or options.decimal
    return replace(
        options,
        decimal=decimal,
        thousands="" if thousands == decimal else thousands,
        date_format=target.date_format or options.date_format,
        forms=None if options.forms is None else forms,
    )


def _changed_form(form: ValueForm, target: FileDestination) -> ValueForm:
    if isinstance(form, NumberForm):
        decimal = target.decimal or form.decimal
        thousands = form.thousands if target.thousands is None else target.thousands
        return replace(form, decimal=decimal, thousands="" if thousands == decimal else thousands)
    if isinstance(form, DateForm) and target.date_format is not None:
        _, blank, time = form.format.partition(" ")
        return DateForm(target.date_format + blank + time)
    return form


def as_destination(destination: Any) -> FileDestination:
    """A path, or a destination as it is."""
    if isinstance(destination, FileDestination):
        return replace(destination, path=Path(destination.path))
    if isinstance(destination, str | os.PathLike):
        return FileDestination(Path(destination))
    raise TableError(
        say("{destination!r} is not a place to write to", destination=destination),
        remedy=say("give the path of a file"),
    )


def _check_free(path: Path) -> None:
    """Raise if something is there already; an empty file may be somebody's reservation."""
    if path.is_dir():
        raise TableError(say("this is a folder"), where=str(path), remedy=say("give the path of a file"))
    if path.exists() and path.stat().st_size:
        raise TableError(
            say("this file exists already"), where=str(path), remedy=say("remove it or choose another name")
        )


@contextmanager
def _private_file(path: Path) -> Iterator[IO[bytes]]:
    """A new file that only its owner may read; it vanishes if writing fails."""
    where = str(path)
    try:
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
    except OSError as error:
        raise TableError(
            say("the file cannot be written ({cause})", cause=error.strerror),
            where=where,
            remedy=say("check the folder"),
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
                say("the file could not be written ({cause})", cause=error.strerror or error),
                where=where,
                remedy=say("check the disk"),
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
    decimal: str | None = None,
    date_format: str | None = None,
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
    options = Options(
        separator=separator,
        encoding=encoding,
        header=header,
        missing=missing,
        decimal=decimal,
        date_format=date_format,
    )
    create = writer_of(path, format)
    try:
        with path.open("wb") as file, packed_file(file, path) as packed:
            sink = create(packed, FileLayout(Schema(columns), options))
            sink.append(frame)
            sink.close()
    except OSError as error:
        raise TableError(
            say("the file cannot be written ({cause})", cause=error.strerror),
            where=str(path),
            remedy=say("check the folder"),
        ) from error
