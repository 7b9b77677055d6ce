"""Several files as one table: their rows one after the other, with what their folders say of them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.file_list import TableFile
from celosia.tables.format import Format, Options, Reader, check_names, reading
from celosia.tables.staged import name_of
from celosia.types import ColumnType

__all__ = ["JoinedReader", "read_files"]

_ReaderPart = tuple[str, Reader, Mapping[str, str | None]]
"""What people call a file, its reader, and the values that its folders give to all its rows."""

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def read_files(files: Sequence[TableFile], format: Format, options: Options) -> Reader:
    """One reader of all files, or of the only one there is, where its folders say nothing of its rows."""
    parts = [(name_of(file.path), _read(file, format, options), file.partition) for file in files]
    (_, reader, partition), *others = parts
    if not others and not partition:
        return reader
    return JoinedReader(_looking_together(parts))


def _looking_together(parts: Sequence[_ReaderPart]) -> list[_ReaderPart]:
    """The files, where they are texts, looked at together: what one leaves open another may show."""
    readers: list[Any] = [reader for _, reader, _ in parts]
    if not all(hasattr(reader, "looking_with") for reader in readers):
        return list(parts)
    together = readers[0].looking_with(readers[1:])
    return [(name, reader, said) for (name, _, said), reader in zip(parts, together, strict=True)]


def _read(file: TableFile, format: Format, options: Options) -> Reader:
    with reading(name_of(file.path), say("a file in the format {format}", format=format.name)):
        return format.read(file.path, replace(options, sheet=file.sheet))


class JoinedReader:
    """Files with the same columns, in any order; numbers of several widths become the widest."""

    def __init__(self, parts: Sequence[_ReaderPart]) -> None:
        self._parts = parts
        where, first, partition = parts[0]
        own = [name for name in first.names if name not in partition]
        self.names = check_names([*own, *partition], where=where)
        for name, reader, said in parts[1:]:
            self._check_columns(name, {*reader.names, *said})
        self._said = {name: _typed([said.get(name) for _, _, said in parts]) for name in partition}
        kinds = [self._kind(name) for name in own]
        self.dtypes: tuple[pl.DataType, ...] = (*kinds, *(series.dtype for series in self._said.values()))
        self.declared: Mapping[str, ColumnType] = {
            name: kind
            for name, kind in first.declared.items()
            if all(reader.declared.get(name) == kind for _, reader, _ in parts)
        }

    @property
    def options(self) -> Options:
        """How the first file writes its values."""
        return self._parts[0][1].options

    def declaring(self, types: Mapping[str, ColumnType]) -> "JoinedReader":
        """The same files where somebody declares the types of some columns."""
        return self._with(lambda reader: reader.declaring(types) if hasattr(reader, "declaring") else reader)

    def exactly(self) -> "JoinedReader":
        """The same files for a reader who tells every spelling from every other."""
        return self._with(lambda reader: reader.exactly() if hasattr(reader, "exactly") else reader)

    def _with(self, change: Callable[[Any], Reader]) -> "JoinedReader":
        return JoinedReader([(name, change(reader), said) for name, reader, said in self._parts])

    @property
    def doubts(self) -> tuple[Any, ...]:
        """What may be read in two ways, each text with its line in the first file that has it."""
        doubts: dict[str, Any] = {}
        for _, reader, _ in self._parts:
            for doubt, line, second in getattr(reader, "doubts", ()):
                _, known, other = doubts.get(doubt.column, (doubt, 0, None))
                doubts[doubt.column] = (doubt, known or line, other or second)
        return tuple(doubts.values())

    def _check_columns(self, where: str, names: set[str]) -> None:
        lacking = [name for name in self.names if name not in names]
        extra = sorted(names.difference(self.names))
        if lacking or extra:
            first = self._parts[0][0]
            raise TableError(
                say("column {name!r} of {file} is not in this file", name=lacking[0], file=first)
                if lacking
                else say("column {name!r} is not in {file}", name=extra[0], file=first),
                where=where,
                remedy=say("files of one table have the same columns: leave this one out, or mend it"),
            )

    def _kind(self, name: str) -> pl.DataType:
        """The type of a column in all files."""
        kinds = [dict(zip(reader.names, reader.dtypes, strict=True))[name] for _, reader, _ in self._parts]
        widest = kinds[0]
        for (where, _, _), kind in zip(self._parts, kinds, strict=True):
            if kind != widest:
                wider = _wider(widest, kind)
                if wider is None:
                    raise TableError(
                        say(
                            "column {name!r} holds {type} here and {other} in {file}",
                            name=name,
                            type=kind,
                            other=widest,
                            file=self._parts[0][0],
                        ),
                        where=where,
                        remedy=say(
                            "files of one table have the same columns: leave this one out, or mend it"
                        ),
                    )
                widest = wider
        return widest

    def size(self) -> tuple[int, int]:
        """Rows and bytes of all files."""
        sizes = [reader.size() for _, reader, _ in self._parts]
        return sum(rows for rows, _ in sizes), sum(size for _, size in sizes)

    def lazy(self) -> pl.LazyFrame | None:
        """All files as one query, where each is one."""
        queries = [reader.lazy() for _, reader, _ in self._parts]
        if any(query is None for query in queries):
            return None
        return pl.concat(
            [
                query.select(self._columns(place, self.names))
                for place, query in enumerate(queries)
                if query is not None
            ]
        )

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows of one file after those of another."""
        chosen = list(self.names if columns is None else columns)
        for place, (_, reader, _) in enumerate(self._parts):
            own = [name for name in reader.names if name in chosen and name not in self._said]
            read = own or [reader.names[0]]  # for the number of rows
            for batch in reader.batches(read):
                yield batch.select(self._columns(place, chosen, read)).head(batch.height)

    def _columns(self, place: int, chosen: Sequence[str], held: Sequence[str] | None = None) -> list[pl.Expr]:
        """Columns by their places, because a name may mean something else to the engine."""
        names = self._parts[place][1].names if held is None else held
        kinds = dict(zip(self.names, self.dtypes, strict=True))
        return [
            self._constant(name, place, kinds[name])
            if name in self._said
            else pl.nth(list(names).index(name)).cast(kinds[name])
            for name in chosen
        ]

    def _constant(self, name: str, place: int, dtype: pl.DataType) -> pl.Expr:
        value: Any = self._said[name][place]
        return pl.repeat(value, pl.len(), dtype=dtype).alias(name)


def _wider(one: pl.DataType, other: pl.DataType) -> pl.DataType | None:
    """A type that holds the values of both without changing any; None if there is none."""
    if pl.Null in (one, other):
        return other if one == pl.Null else one
    texts = (pl.String, pl.Categorical, pl.Enum)
    if one in texts and other in texts:
        return pl.String()
    is_number = one.is_numeric() and other.is_numeric()
    is_moment = isinstance(one, pl.Datetime) and isinstance(other, pl.Datetime)
    if not is_number and not is_moment:
        return None
    frames = [pl.DataFrame(schema={"value": kind}) for kind in (one, other)]
    try:
        return pl.concat(frames, how="vertical_relaxed").dtypes[0]
    except pl.exceptions.PolarsError:
        return None


def _typed(values: list[str | None]) -> pl.Series:
    """What folders say as numbers or dates, where all of it is; as text else.

    >>> _typed(["2023", None]).dtype, _typed(["007", "2023"]).dtype, _typed(["2024-02-30"]).dtype
    (Int64, String, String)
    """
    said = [value for value in values if value is not None]
    if said and all(_WHOLE.fullmatch(value) for value in said):
        return pl.Series(values, dtype=pl.String).cast(pl.Int64)
    if said and all(_DAY.fullmatch(value) and _is_day(value) for value in said):
        return pl.Series(values, dtype=pl.String).str.to_date("%Y-%m-%d")
    return pl.Series(values, dtype=pl.String)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
