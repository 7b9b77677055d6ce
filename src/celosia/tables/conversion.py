"""How values of one table become values of another."""

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from celosia.tables.format import ColumnNotes, FileLayout, Format
from celosia.tables.infer import cast_text
from celosia.tables.recoder import Recoder, check_columns
from celosia.tables.table import Recoding
from celosia.tables.target import FileTarget, RowSource, WriteTarget
from celosia.types import Column, Schema
from celosia.values.text import column_type, missing_to_null

__all__ = ["Conversion"]


class Conversion:
    """How values of one table become values of another."""

    def __init__(self, source: RowSource, recoding: Recoding, target: WriteTarget) -> None:
        self.reader = source.reader
        self.empty = pl.DataFrame()
        self._source, self._has_parts = source, recoding.parts is not None
        given = self.reader.options
        self._missing = given.missing
        from_text = source.format is not None and source.format.holds_text
        # Between two text files nothing changes that is not recoded, not even how a missing value is written.
        self._verbatim = source.format is not None and source.format.keeps_markers and target.keeps_markers
        self._notes: Mapping[str, ColumnNotes] = getattr(self.reader, "notes", {})
        self._coded = bool(self._notes) and _code_alike(source.format, target)
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
            # Rows of parts were counted as they lie there: texts are texts.
            parsers={} if self._has_parts else self._source.parsers_of(recoding.looked_at),
            where=self._source.name,
            is_part=self._has_parts,
            in_order=self._is_in_order(recoding),
        )
        self._changed, self._labels = found.changed, found.labels
        return found

    def _is_in_order(self, recoding: Recoding) -> bool:
        counted = None if recoding.assignment is None else recoding.assignment.combinations
        return not self._has_parts and counted is not None and self._source.is_as_counted(counted)

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
    def layout(self) -> FileLayout:
        """What will be written, once a recoding was asked for."""
        native = self._source.native_types() if hasattr(self._source, "native_types") else {}
        return FileLayout(
            schema=self._schema(Schema(()) if self._verbatim else self._source.schema()),
            options=replace(self._options, missing=("",)) if self._verbatim else self._options,
            labels=self._labels | self._enumerated,
            native={name: kind for name, kind in native.items() if name not in self._changed},
            notes={
                name: notes
                for name, notes in self._notes.items()
                if name in self._names and name not in self._changed
            },
            is_coded=self._coded,
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
        # A layer may have left numbers in a table of text: they need no type, and have no markers.
        typed = (name for name, dtype in frame.schema.items() if dtype != pl.String)
        kept = {*self._changed, *(self._notes if self._coded else ()), *typed}
        return frame.select(
            pl.nth(i) if name in kept else self._typed(missing_to_null(pl.nth(i), self._missing), name)
            for i, name in enumerate(frame.columns)
        )

    def _typed(self, texts: pl.Expr, name: str) -> pl.Expr:
        return (cast_text(texts, self._casts[name]) if name in self._casts else texts).alias(name)


def _code_alike(source: Format | None, target: WriteTarget) -> bool:
    """Whether both write the several kinds of a missing value in the same way."""
    written = target.format.codes if isinstance(target, FileTarget) else None
    return source is not None and source.codes is not None and source.codes == written
