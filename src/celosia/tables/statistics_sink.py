"""Rows into a file of SPSS, Stata or SAS, with what values mean and the codes of missing ones, where they are known."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import polars as pl

from celosia.errors import CelosiaError, TableError
from celosia.say import say
from celosia.tables.format import ColumnNotes, FileLayout
from celosia.tables.private import private_folder
from celosia.values.text import text_of

__all__ = ["MARKS", "StatisticsSink", "load_pyreadstat"]

MARKS = ("<", ">")
"""What stands around the code of a missing value of SPSS."""


def load_pyreadstat(where: str) -> Any:
    """The package that reads and writes files of statistics programs."""
    try:
        import pyreadstat
    except ImportError:
        raise TableError(
            say("the package for files of SPSS, Stata and SAS is not installed"),
            where=where,
            remedy=say('install it: pip install "celosia[statistics]"'),
        ) from None
    return pyreadstat


class StatisticsSink:
    """A file of a statistics program; its rows are kept until the end."""

    def __init__(self, file: IO[bytes], layout: FileLayout, *, kind: str) -> None:
        self._file, self._layout, self._kind = file, layout, kind
        self._parts: list[pl.DataFrame] = []
        self._module = load_pyreadstat(say("the output"))

    def append(self, part: pl.DataFrame) -> None:
        """Add rows."""
        self._parts.append(part)

    def abandon(self) -> None:
        """Forget the rows."""
        self._parts = []

    def close(self) -> None:
        """Write the file, by way of a private one: the package writes to names only."""
        frame = pl.concat(self._parts)
        notes = {name: note for name, note in self._layout.notes.items() if name in frame.columns}
        columns = [self._storable(column, notes.get(column.name)) for column in frame.iter_columns()]
        stored = pl.DataFrame(columns)
        with private_folder(Path(tempfile.gettempdir())) as folder:
            path = folder / f"release.{self._kind}"
            try:
                self._write(stored, path, notes)
            except CelosiaError:
                raise
            except Exception as error:
                reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(". ")
                raise TableError(
                    say("the table cannot be written as {kind} ({reason})", kind=self._kind, reason=reason),
                    remedy=say("rename the column that is named, or write CSV or Parquet"),
                ) from None
            with path.open("rb") as written:
                shutil.copyfileobj(written, self._file)

    def _write(self, frame: pl.DataFrame, path: Path, notes: dict[str, ColumnNotes]) -> None:
        labels = {name: note.label for name, note in notes.items() if note.label}
        values = {name: _used(frame.get_column(name), note) for name, note in notes.items()}
        values = {name: labelled for name, labelled in values.items() if labelled}
        told: dict[str, Any] = {"column_labels": labels or None}
        match self._kind:
            case "sav" | "zsav":
                told["compress"] = self._kind == "zsav"
                told["variable_value_labels"] = values or None
                told["missing_ranges"] = {
                    name: [{"lo": low, "hi": high} if low != high else low for low, high in note.missing]
                    for name, note in notes.items()
                    if note.missing
                } or None
                told["variable_measure"] = {
                    name: note.measure
                    for name, note in notes.items()
                    if note.measure not in (None, "unknown")
                } or None
                self._module.write_sav(frame, str(path), **told)
            case "dta":
                told["variable_value_labels"] = values or None
                told["missing_user_values"] = {
                    column.name: sorted({value for value in column if isinstance(value, str)})
                    for column in frame.iter_columns()
                    if column.dtype == pl.Object
                } or None
                self._module.write_dta(frame, str(path), **told)
            case _:
                self._module.write_xport(frame, str(path), file_format_version=8, **told)

    def _storable(self, column: pl.Series, note: ColumnNotes | None) -> pl.Series:
        """A column as these programs can hold it: numbers, texts, dates and times."""
        name, values = column.name, column.alias("")
        if note is not None and self._layout.is_coded and values.dtype == pl.String:
            values = self._decoded(values, note)
        dtype = values.dtype
        if dtype == pl.Object:
            return values.alias(name)
        if dtype == pl.Boolean:
            values = values.cast(pl.Float64)
        elif dtype.is_numeric():
            values = values.cast(pl.Float64).fill_nan(None)
        elif dtype not in (pl.Date, pl.Time) and not (
            isinstance(dtype, pl.Datetime) and dtype.time_zone is None
        ):
            values = (
                values.to_frame().select(text_of(pl.nth(0), dtype, column=name).fill_null("")).to_series()
            )
        return values.alias(name)

    def _decoded(self, texts: pl.Series, note: ColumnNotes) -> pl.Series:
        """Values of a column that came from such a file, codes of missing ones among them."""
        if self._kind == "dta":
            letters = [text[1:] if text is not None and _is_letter(text) else None for text in texts]
            if not any(letters):
                return _typed(texts, note)
            numbers = _typed(
                pl.Series([None if _is_letter(text) else text for text in texts], dtype=pl.String), note
            )
            mixed = [
                number if letter is None else letter for number, letter in zip(numbers, letters, strict=True)
            ]
            return pl.Series(mixed, dtype=pl.Object)
        start, end = MARKS
        codes = {f"{start}{code}{end}": code for code in _inner(texts)}
        return _typed(texts.replace(codes) if note.missing else texts, note)


def _inner(texts: pl.Series) -> list[str]:
    """What stands between marks."""
    found = texts.unique().str.extract(f"^{MARKS[0]}(.*){MARKS[1]}$").drop_nulls()
    return list(found)


def _is_letter(text: str | None) -> bool:
    return text is not None and len(text) == 2 and text[0] == "."


def _typed(texts: pl.Series, note: ColumnNotes) -> pl.Series:
    """Texts as the numbers or dates that they were."""
    if not note.is_number:
        return texts
    readings: tuple[Callable[[pl.Series], pl.Series], ...] = (
        lambda texts: texts.cast(pl.Float64, strict=False),
        lambda texts: texts.str.to_date("%Y-%m-%d", strict=False),
        lambda texts: texts.str.to_time("%H:%M:%S%.f", strict=False),
        lambda texts: texts.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", strict=False),
        lambda texts: texts.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", strict=False),
    )
    for read in readings:
        values = read(texts)
        if values.null_count() == texts.null_count():
            return values
    return texts


def _used(column: pl.Series, note: ColumnNotes) -> dict[Any, str]:
    """What values mean that occur, or that are codes of missing ones: others would tell of rows that are gone."""
    if column.dtype == pl.Object:
        present = set(column)
    elif column.dtype == pl.String or column.dtype.is_numeric():
        present = set(column.alias("").unique().drop_nulls())
    else:
        return {}
    return {value: label for value, label in note.values.items() if value in present}
