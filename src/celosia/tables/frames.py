"""The kinds of frame a caller may bring, each read as Polars and given back as it came."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.tables.format import check_names, reading

__all__ = ["Frame", "wrap_frame"]

Rows = npt.NDArray[np.int64]


class Frame(Protocol):
    """What a kind of frame can do."""

    kind: str
    names: tuple[str, ...]

    def dtypes(self) -> dict[str, pl.DataType]:
        """Types as Polars calls them."""
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
    celosia.errors.TableError: an object of type int is not a table; give a path, or a Polars, pandas, ...
    """
    import narwhals as nw

    if isinstance(native, pl.DataFrame | pl.LazyFrame):
        return _PolarsFrame(native)
    try:
        frame = nw.from_native(native)
    except TypeError as error:
        raise _not_a_table(native) from error
    except Exception as error:  # e.g. narwhals refuses repeated names in its own words
        raise TableError(
            f"the frame cannot be read ({error})", remedy="give every column a name of its own"
        ) from error
    if isinstance(frame, nw.DataFrame):
        return _EagerFrame(frame)
    if frame.implementation.is_duckdb():
        return _DuckdbFrame(native)
    raise _not_a_table(native)


def _not_a_table(native: Any) -> TableError:
    return TableError(
        f"an object of type {type(native).__name__} is not a table",
        remedy="give a path, or a Polars, pandas, Arrow or DuckDB frame",
    )


def _names(names: Sequence[Any], kind: str) -> tuple[str, ...]:
    where = f"the {kind} frame"
    for name in names:
        if not isinstance(name, str):
            raise TableError(f"the column name {name!r} is not text", where=where, remedy="rename the column")
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
        with reading("the polars frame", "a query that can be run"):
            self._schema = native.collect_schema()
        self.names = _names(self._schema.names(), self.kind)

    def dtypes(self) -> dict[str, pl.DataType]:
        return dict(self._schema)

    def to_polars(self, columns: Sequence[str]) -> pl.DataFrame:
        if self._ran is None:
            with reading("the polars frame", "a query that can be run"):
                self._ran = self._native.lazy().collect()
        return pl.DataFrame([self._ran.get_column(name) for name in columns])

    def take(self, rows: Rows, columns: Sequence[str], changed: Sequence[pl.Series]) -> Any:
        kept = self.to_polars(columns)[rows]
        frame = _with(pl.DataFrame([_without_unused(column) for column in kept.iter_columns()]), changed)
        return frame.lazy() if isinstance(self._native, pl.LazyFrame) else frame


def _without_unused(column: pl.Series) -> pl.Series:
    """An Enum lists its categories in its type: those of rows that are gone must go too."""
    if not isinstance(column.dtype, pl.Enum):
        return column
    used = set(column.unique().drop_nulls().cast(pl.String).to_list())
    return column.cast(pl.String).cast(pl.Enum([one for one in column.dtype.categories if one in used]))


class _EagerFrame:
    """pandas, Arrow and whatever else narwhals holds in memory."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.kind = frame.implementation.name.lower()
        self.names = _names(frame.columns, self.kind)

    def dtypes(self) -> dict[str, pl.DataType]:
        return {name: self._column(name, rows=1000).dtype for name in self.names}

    def _column(self, name: str, *, rows: int | None = None) -> pl.Series:
        column = self._frame.get_column(name)
        column = column if rows is None else column.head(rows)
        try:
            return pl.Series(name, column.to_polars())
        except Exception:  # a column of mixed objects has no type but the text of each
            missing = column.is_null().to_list()
            texts = [
                None if gone else str(value) for gone, value in zip(missing, column.to_list(), strict=True)
            ]
            return pl.Series(name, texts, dtype=pl.String)

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
        self.names = _names(relation.columns, self.kind)

    def _run(self) -> _EagerFrame:
        import narwhals as nw

        if self._ran is None:
            with reading("the duckdb frame", "a query that can be run"):
                self._ran = _EagerFrame(nw.from_native(self._relation.to_arrow_table()))
        return self._ran

    def dtypes(self) -> dict[str, pl.DataType]:
        return self._run().dtypes()

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
