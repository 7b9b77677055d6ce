"""What a file format is: how its files are read and how rows are appended to a new one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

import polars as pl

from celosia.errors import CelosiaError, TableError
from celosia.say import say
from celosia.types import MISSING_MARKERS, ColumnType, Schema
from celosia.values.forms import ValueForm

__all__ = [
    "ColumnNotes",
    "FileLayout",
    "Format",
    "FrameReader",
    "Options",
    "Reader",
    "Sink",
    "check_names",
    "first_batches",
    "reading",
]


@dataclass(frozen=True)
class Options:
    """How a file writes its values: what is given and, once it is open, what was found out; None is looked for.

    ``missing`` are the texts of a missing value, ``names`` those of the columns where there is no header, ``sheet`` the
    one to read of a workbook. Of a text: ``decimal`` stands before decimals, ``thousands`` between thousands,
    ``date_format`` is a format or one of day-first, month-first and year-first; ``forms`` are those of the columns that
    do not write plain values; ``quote`` is the mark around texts, ``quoted`` the columns that always stand in it, and
    ``has_quoted_names`` says it of the header; line ends and the byte order mark are as in the file. ``formulas`` says
    what becomes of cells that a spreadsheet would compute.

    >>> Options(separator=";").missing
    ('', '?', 'NA')
    """

    separator: str | None = None
    encoding: str | None = None
    header: bool | None = None
    missing: tuple[str, ...] = MISSING_MARKERS
    names: tuple[str, ...] | None = None
    sheet: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    date_format: str | None = None
    forms: tuple[tuple[str, ValueForm], ...] | None = None
    quote: str | None = None
    quoted: tuple[str, ...] = ()
    has_quoted_names: bool = False
    line_end: str = "\n"
    has_byte_order_mark: bool = False
    has_last_line_end: bool = True
    formulas: str = "keep"

    @property
    def codec(self) -> str:
        """The encoding; UTF-8 where nothing is said."""
        return self.encoding or "utf-8"

    @property
    def has_names(self) -> bool:
        """Whether the first row names the columns; it does where nothing is said."""
        return self.header is not False

    def number_columns(self, width: int) -> tuple[str, ...]:
        """Names for the columns of a file without a header."""
        if self.names is not None and len(self.names) == width:
            return self.names
        return tuple(f"column_{place}" for place in range(1, width + 1))


class Reader(Protocol):
    """A file that is open for reading: what is in it, all at once or in batches."""

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in file order."""
        ...

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Types of the columns; all String where the file holds text."""
        ...

    @property
    def options(self) -> Options:
        """The options with what was found out, such as the separator."""
        ...

    @property
    def declared(self) -> Mapping[str, ColumnType]:
        """Types that the file itself declares for some of its text columns."""
        ...

    def size(self) -> tuple[int, int]:
        """Rows and bytes in memory, both estimated where the file does not say."""
        ...

    def lazy(self) -> pl.LazyFrame | None:
        """The rows as a query, or None where the file can only be read in batches."""
        ...

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows in order, a bounded number at a time."""
        ...


def first_batches(reader: Reader, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
    """Batches with at least the first ``rows`` rows, for whoever only has a look.

    A database is not asked for more: its driver would fetch all the others before it does anything else.
    """
    limited = getattr(reader, "first", None)
    found: Iterator[pl.DataFrame] = reader.batches(columns) if limited is None else limited(columns, rows)
    return found


class Sink(Protocol):
    """A file that is being written."""

    def append(self, part: pl.DataFrame) -> None:
        """Add rows; every part has the columns of the first."""
        ...

    def close(self) -> None:
        """Write what is due at the end."""
        ...

    def abandon(self) -> None:
        """Let go of the file, which will be removed."""
        ...


@dataclass(frozen=True)
class ColumnNotes:
    """What the file of a statistics program says of a column beside its values.

    ``label`` is what it is about, ``values`` what values mean, ``missing`` are ranges of numbers, or texts, that mean a
    missing value, ``format`` and ``measure`` how the program shows it. ``is_number`` tells numbers, dates and times,
    which are written here as text for the sake of missing values.
    """

    label: str | None = None
    values: Mapping[Any, str] = field(default_factory=dict)
    missing: tuple[tuple[Any, Any], ...] = ()
    format: str | None = None
    measure: str | None = None
    is_number: bool = False


@dataclass(frozen=True)
class FileLayout:
    """What a new file will hold: its columns, how values are written, and the columns that hold labels.

    Labels arrive as Enum, small and fast, and must read back as plain text. ``native`` tells of columns that come
    unchanged from a database what kind it is and the type as it writes it; ``notes`` what the file of a statistics
    program says of columns that come unchanged, ``is_coded`` that their missing values come with their codes.
    """

    schema: Schema
    options: Options = field(default_factory=Options)
    labels: frozenset[str] = frozenset()
    native: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    notes: Mapping[str, ColumnNotes] = field(default_factory=dict)
    is_coded: bool = False


@dataclass(frozen=True)
class Format:
    """A file format.

    ``holds_text``: values are read as the text that was written. ``keeps_text``: text can be written as it is, without
    a type. ``keeps_markers``: a missing value is a text of the user's choice, not a null of the format.
    ``has_sheets``: a file may hold several tables, each with a name. ``create`` None: files are read, and not written.
    ``codes``: missing values are of several kinds, as one family of programs writes them.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[Path, Options], Reader]
    create: Callable[[IO[bytes], FileLayout], Sink] | None
    holds_text: bool = False
    keeps_text: bool = False
    keeps_markers: bool = False
    has_sheets: bool = False
    codes: str | None = None


@dataclass(frozen=True)
class FrameReader:
    """Rows that are in memory already.

    >>> reader = FrameReader(pl.DataFrame({"age": [30, 40]}), Options())
    >>> reader.names, [len(batch) for batch in reader.batches()]
    (('age',), [2])
    """

    frame: pl.DataFrame
    options: Options
    declared: Mapping[str, ColumnType] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Column names."""
        return tuple(self.frame.columns)

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Types of the columns."""
        return tuple(self.frame.dtypes)

    def size(self) -> tuple[int, int]:
        """Rows and bytes."""
        return self.frame.height, int(self.frame.estimated_size())

    def lazy(self) -> pl.LazyFrame:
        """The frame as a query."""
        return self.frame.lazy()

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The frame in slices."""
        chosen = self.names if columns is None else columns
        frame = pl.DataFrame([self.frame.get_column(name) for name in chosen])
        return frame.iter_slices(1 << 18) if frame.height else iter(())


@contextmanager
def reading(where: str, kind: str) -> Iterator[None]:
    """Turn whatever an engine raises over a bad file into one sentence.

    >>> with reading("people.json", "a JSON file"):  # doctest: +ELLIPSIS
    ...     raise ValueError("expected value at line 1")
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: people.json: this is not a JSON file (expected value at line 1); ...
    """
    try:
        yield
    except (CelosiaError, MemoryError, KeyboardInterrupt, GeneratorExit, SystemExit):
        raise
    except FileNotFoundError as error:
        raise TableError(
            say("this file does not exist"), where=where, remedy=say("check the path")
        ) from error
    except PermissionError as error:
        raise TableError(
            say("this file may not be read"), where=where, remedy=say("ask its owner for permission")
        ) from error
    # An engine that panics over a bad file raises something that is not an Exception.
    except BaseException as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(". ")
        raise TableError(
            say("this is not {wanted} ({reason})", wanted=kind, reason=reason),
            where=where,
            remedy=say("check the file or name its format"),
        ) from error


def check_names(names: Sequence[str], *, where: str) -> tuple[str, ...]:
    """The names, once they are known to be neither empty nor repeated.

    >>> check_names(["age", "age"], where="people.csv")
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: people.csv: the column name 'age' stands twice (columns 1 and 2); rename one of them
    """
    seen: dict[str, int] = {}
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise TableError(
                say("column {number} has no name", number=place),
                where=where,
                remedy=say("name it in the first row, or say that the file has no header"),
            )
        if "\0" in name:
            raise TableError(
                say("the name of column {number} holds a zero byte", number=place),
                where=where,
                remedy=say("rename it"),
            )
        if name in seen:
            raise TableError(
                say(
                    "the column name {name!r} stands twice (columns {first} and {second})",
                    name=name,
                    first=seen[name],
                    second=place,
                ),
                where=where,
                remedy=say("rename one of them"),
            )
        seen[name] = place
    return tuple(names)
