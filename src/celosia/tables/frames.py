"""The kinds of frame a caller may bring, each read as Polars and given back as it came."""

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import check_names, reading

__all__ = ["Frame", "wrap_frame"]

Rows = npt.NDArray[np.int64]


class Frame(Protocol):
    """What a kind of frame can do."""

    kind: str
    names: tuple[str, ...]
    mixed: set[str]
    """Columns met so far that hold objects of several types, of which only the texts can be compared."""

    def dtypes(self) -> dict[str, pl.DataType]:
        """Types as Polars calls them."""
        ...

    def holds_objects(self, name: str) -> bool:
        """Whether values of a column are objects of Python, of which several may be one value."""
        ...

    def told_apart(self, name: str) -> bool:
        """Whether some of them are one value when they are counted, and two to whoever looks at the objects."""
        ...

    def to_polars(self, columns: Sequence[str]) -> pl.DataFrame:
        """Some columns, in the order of the rows."""
        ...

    def take(self, rows: Rows, columns: Sequence[str], changed: Sequence[pl.Series]) -> Any:
        """A new native frame: those rows of those columns, some of them replaced by ``changed``."""
        ...


def wrap_frame(native: Any) -> Frame:
    """The frame, whatever its kind.

    >>> wrap_frame(pl.DataFrame({"age": [31]})).kind
    'polars'
    >>> wrap_frame(42)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: an object of type int is not a table; give a path, a Polars, pandas ...
    """
    import narwhals as nw

    if isinstance(native, pl.DataFrame | pl.LazyFrame):
        return _PolarsFrame(native)
    try:
        frame = nw.from_native(native)
    except TypeError as error:
        if not _hands_over_arrow(native):
            raise _not_a_table(native) from error
        return _ArrowFrame(native)
    except Exception as error:  # e.g. narwhals refuses repeated names in its own words
        raise TableError(
            say("the frame cannot be read ({cause})", cause=error),
            remedy=say("give every column a name of its own"),
        ) from error
    if isinstance(frame, nw.DataFrame):
        return _EagerFrame(frame)
    if frame.implementation.is_duckdb():
        return _DuckdbFrame(native)
    if _hands_over_arrow(native):
        return _ArrowFrame(native)
    raise _not_a_table(native)


def _hands_over_arrow(native: Any) -> bool:
    """Whether an object hands its rows over as Arrow, whoever made it."""
    return hasattr(native, "__arrow_c_stream__") or hasattr(native, "__arrow_c_array__")


def _not_a_table(native: Any) -> TableError:
    return TableError(
        say("an object of type {type} is not a table", type=type(native).__name__),
        remedy=say("give a path, a Polars, pandas or DuckDB frame, or anything that hands over Arrow"),
    )


def _names(names: Sequence[Any], kind: str) -> tuple[str, ...]:
    where = say("the {kind} frame", kind=kind)
    for name in names:
        if not isinstance(name, str) or not _is_whole(name):
            raise TableError(
                say("the column name {name!r} is not text", name=name),
                where=where,
                remedy=say("rename the column"),
            )
    return check_names(names, where=where)


def _with(frame: pl.DataFrame, changed: Sequence[pl.Series]) -> pl.DataFrame:
    new = {series.name: series for series in changed}
    return pl.DataFrame([new.get(column.name, column) for column in frame.iter_columns()])


class _PolarsFrame:
    """A frame, or a query that is run once: its rows may come in another order each time."""

    kind = "polars"

    def __init__(self, native: pl.DataFrame | pl.LazyFrame) -> None:
        self._native = native
        self._ran = native if isinstance(native, pl.DataFrame) else None
        self.mixed: set[str] = set()
        with reading(say("the {kind} frame", kind="polars"), say("a query that can be run")):
            self._schema = native.collect_schema()
        self.names = _names(self._schema.names(), self.kind)

    def dtypes(self) -> dict[str, pl.DataType]:
        return dict(self._schema)

    def holds_objects(self, name: str) -> bool:
        return False

    def told_apart(self, name: str) -> bool:
        return False

    def to_polars(self, columns: Sequence[str]) -> pl.DataFrame:
        if self._ran is None:
            with reading(say("the {kind} frame", kind="polars"), say("a query that can be run")):
                self._ran = self._native.lazy().collect()
        return pl.DataFrame([self._ran.get_column(name) for name in columns])

    def take(self, rows: Rows, columns: Sequence[str], changed: Sequence[pl.Series]) -> Any:
        kept = self.to_polars(columns)[rows]
        frame = _with(pl.DataFrame([_without_unused(column) for column in kept.iter_columns()]), changed)
        return frame.lazy() if isinstance(self._native, pl.LazyFrame) else frame


def _as_texts(name: str, texts: list[str | None], where: str) -> pl.Series:
    """A column of texts, unless one of them holds half a character: no file could hold that."""
    try:
        return pl.Series(name, texts, dtype=pl.String)
    except UnicodeEncodeError:
        broken = sum(text is not None and not _is_whole(text) for text in texts)
        raise TableError(
            say(
                "column {name!r} holds {count} texts with half a character (a lone surrogate), "
                "which are no texts",
                name=name,
                count=broken,
            ),
            where=where,
            remedy=say(
                "read the file that they come from in its own encoding, or replace them with "
                "text.encode('utf-8', 'replace').decode()"
            ),
        ) from None


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _without_unused(column: pl.Series) -> pl.Series:
    """An Enum lists its categories in its type: those of rows that are gone must go too."""
    if not isinstance(column.dtype, pl.Enum):
        return column
    used = set(column.alias("").unique().drop_nulls().cast(pl.String).to_list())
    return column.cast(pl.String).cast(pl.Enum([one for one in column.dtype.categories if one in used]))


class _EagerFrame:
    """pandas, Arrow and whatever else narwhals holds in memory."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.mixed: set[str] = set()
        self.kind = frame.implementation.name.lower()
        self.names = _names(frame.columns, self.kind)

    def dtypes(self) -> dict[str, pl.DataType]:
        # Of objects the first ones do not tell what the others are.
        return {
            name: self._column(name, rows=None if self.holds_objects(name) else 1000).dtype
            for name in self.names
        }

    def holds_objects(self, name: str) -> bool:
        if not self._frame.implementation.is_pandas():
            return False
        dtype = self._frame.get_column(name).to_native().dtype
        kept = dtype.categories.dtype if str(dtype) == "category" else dtype
        return str(kept) == "object"

    def told_apart(self, name: str) -> bool:
        if not self.holds_objects(name):
            return False
        from pandas.api.types import infer_dtype  # type: ignore[import-untyped, unused-ignore]

        native = self._frame.get_column(name).to_native().astype(object)
        missing = {type(value) for value in native[native.isna()]}
        present = native[~native.isna()]
        if infer_dtype(present) in ("string", "empty"):
            return len(missing) > 1
        objects = {(type(value), repr(value)) for value in present}
        values = self._column(name).alias("").drop_nulls()
        return len(missing) > 1 or len(objects) > values.n_unique()

    def _column(self, name: str, *, rows: int | None = None) -> pl.Series:
        column = self._frame.get_column(name)
        column = column if rows is None else column.head(rows)
        try:
            found = pl.Series(name, column.to_polars())
        except Exception:  # a column of mixed objects has no type but the text of each
            return self._mixed_column(name, column)
        if self.holds_objects(name) and not _says_the_same(column, found):
            return self._mixed_column(name, column)
        return found

    def _mixed_column(self, name: str, column: Any) -> pl.Series:
        """The text of every object."""
        self.mixed.add(name)
        missing = column.is_null().to_list()
        texts = [None if gone else str(value) for gone, value in zip(missing, column.to_list(), strict=True)]
        return _as_texts(name, texts, say("the {kind} frame", kind=self.kind))

    def to_polars(self, columns: Sequence[str]) -> pl.DataFrame:
        return pl.DataFrame([self._column(name) for name in columns])

    def take(self, rows: Rows, columns: Sequence[str], changed: Sequence[pl.Series]) -> Any:
        import narwhals as nw

        frame = nw.maybe_reset_index(self._frame.select(*columns)[rows])
        backend = self._frame.implementation
        new = [
            nw.new_series(values.name, values.to_list(), nw.String(), backend=backend)
            if values.dtype == pl.String
            else _as_before(values, self._frame.get_column(values.name))
            for values in changed
        ]
        return _forget(frame.with_columns(*new).to_native(), backend)


def _says_the_same(column: Any, found: pl.Series) -> bool:
    """Whether objects of several types are still what they were: among dates the number 2 becomes 1970-01-03."""
    objects = column.to_list()
    if found.dtype.is_nested() or len({type(value) for value in objects if value is not None}) <= 1:
        return True
    missing = column.is_null().to_list()
    pairs = zip(missing, objects, found.to_list(), strict=True)
    return all(gone or _meaning(before) == _meaning(after) for gone, before, after in pairs)


def _meaning(value: Any) -> Any:
    """What an object says, whatever its type: a day is its midnight, and truth is no number."""
    if isinstance(value, bool | np.bool_):
        return ("truth", bool(value))
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time())
    return value


def _as_before(values: pl.Series, column: Any) -> Any:
    """New values of a column in the type that it has, which the caller knows and we would have to guess."""
    import narwhals as nw

    native = column.to_native()
    if column.implementation.is_pandas():
        new = type(native)(values.to_list(), dtype=native.dtype, name=values.name)
    else:
        import pyarrow

        new = pyarrow.chunked_array([pyarrow.array(values.to_list(), type=native.type)])
    return nw.from_native(new, series_only=True).alias(values.name)


def _forget(native: Any, backend: Any) -> Any:
    """Drop what a frame remembers of rows that are gone: unused categories, notes, an old index."""
    if backend.is_pandas():
        native.attrs = {}
        for name in native.columns:
            if str(native[name].dtype) == "category":
                native[name] = native[name].cat.remove_unused_categories()
    elif backend.is_pyarrow():
        native = native.replace_schema_metadata(None)
        for place, field in enumerate(native.schema):
            if str(field.type).startswith("dictionary"):
                plain = native.column(place).cast(field.type.value_type)
                native = native.set_column(place, field, plain.dictionary_encode().cast(field.type))
    return native


class _DuckdbFrame:
    """A relation: looked at and taken from in one and the same run, since a query need not repeat its order."""

    kind = "duckdb"

    def __init__(self, relation: Any) -> None:
        self._relation = relation
        self._ran: _EagerFrame | None = None
        self.mixed: set[str] = set()
        self.names = _names(relation.columns, self.kind)

    def _run(self) -> _EagerFrame:
        import narwhals as nw

        if self._ran is None:
            with reading(say("the {kind} frame", kind="duckdb"), say("a query that can be run")):
                self._ran = _EagerFrame(nw.from_native(self._relation.to_arrow_table()))
        return self._ran

    def dtypes(self) -> dict[str, pl.DataType]:
        return self._run().dtypes()

    def holds_objects(self, name: str) -> bool:
        return False

    def told_apart(self, name: str) -> bool:
        return False

    def to_polars(self, columns: Sequence[str]) -> pl.DataFrame:
        return self._run().to_polars(columns)

    def take(self, rows: Rows, columns: Sequence[str], changed: Sequence[pl.Series]) -> Any:
        import duckdb

        table = self._run().take(rows, columns, changed)
        types = dict(zip(self.names, self._relation.types, strict=True))
        types |= {values.name: "VARCHAR" for values in changed if values.dtype == pl.String}
        # On the way through Arrow some types become others: say what they were.
        quoted = {name: '"' + name.replace('"', '""') + '"' for name in columns}
        casts = [f"CAST({quoted[name]} AS {types[name]}) AS {quoted[name]}" for name in columns]
        return duckdb.from_arrow(table).project(", ".join(casts))


class _ArrowFrame:
    """Anything that hands its rows over as Arrow, once: a stream cannot be read again, and a query may change."""

    kind = "arrow"

    def __init__(self, native: Any) -> None:
        import narwhals as nw
        import pyarrow

        self._native = type(native)
        self.mixed: set[str] = set()
        try:
            table = pyarrow.table(native)
        except (TypeError, ValueError, pyarrow.ArrowException) as error:  # a column alone, for example
            raise _not_a_table(native) from error
        self._rows = _EagerFrame(nw.from_native(table))
        self.names = self._rows.names

    def dtypes(self) -> dict[str, pl.DataType]:
        return self._rows.dtypes()

    def holds_objects(self, name: str) -> bool:
        return False

    def told_apart(self, name: str) -> bool:
        return False

    def to_polars(self, columns: Sequence[str]) -> pl.DataFrame:
        return self._rows.to_polars(columns)

    def take(self, rows: Rows, columns: Sequence[str], changed: Sequence[pl.Series]) -> Any:
        """The same kind, where it can be made of Arrow; else a table of Arrow."""
        import pyarrow

        table = self._rows.take(rows, columns, changed)
        if self._native is pyarrow.RecordBatch:
            batches = table.combine_chunks().to_batches()
            return batches[0] if batches else pyarrow.RecordBatch.from_pylist([], schema=table.schema)
        if issubclass(self._native, pyarrow.RecordBatchReader):
            return table.to_reader()
        make = getattr(self._native, "from_arrow", None)
        return table if make is None else make(table)
