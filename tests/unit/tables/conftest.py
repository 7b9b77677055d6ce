"""Every kind of table there is, opened over the same rows and read back after a recoding."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from celosia.tables import FileTable, FrameTable, Recoding, Written, open_table, write_frame

FILES: dict[str, dict[str, Any]] = {
    "csv": {"name": "people.csv"},
    "csv with semicolons": {"name": "people.csv", "separator": ";"},
    "csv in latin-1": {"name": "people.csv", "encoding": "latin-1"},
    "csv in utf-16": {"name": "people.csv", "encoding": "utf-16"},
    "txt with ||": {"name": "people.txt", "separator": "||"},
    "tsv": {"name": "people.tsv"},
    "parquet": {"name": "people.parquet"},
    "xlsx": {"name": "people.xlsx"},
    "json": {"name": "people.json"},
    "ndjson": {"name": "people.ndjson"},
    "arff": {"name": "people.arff"},
    "arrow": {"name": "people.feather"},
    "ods": {"name": "people.ods"},
    "csv in gzip": {"name": "people.csv.gz"},
    "csv in a zip": {"name": "people.csv.zip"},
}
FRAMES = ["polars", "polars lazy", "pandas", "pyarrow", "duckdb"]


def to_native(frame: pl.DataFrame, kind: str) -> Any:
    if kind == "polars lazy":
        return frame.lazy()
    if kind == "pandas":
        pytest.importorskip("pandas")
        native = frame.to_pandas()
        native.index = native.index + 1000
        return native
    if kind == "pyarrow":
        return frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    if kind == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        return duckdb.from_arrow(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))
    return frame


def to_polars(native: Any) -> pl.DataFrame:
    if isinstance(native, pl.LazyFrame):
        return native.collect()
    if isinstance(native, pl.DataFrame):
        return native
    if type(native).__module__.startswith("pandas"):
        return pl.DataFrame({name: pl.from_pandas(native[name]) for name in native.columns})
    frame = pl.from_arrow(native.to_arrow_table() if hasattr(native, "to_arrow_table") else native)
    assert isinstance(frame, pl.DataFrame)
    return frame


@dataclass(frozen=True)
class Kind:
    """One kind of table: opens rows, recodes them, reads the result back as text."""

    name: str
    folder: Path

    def open(self, frame: pl.DataFrame) -> FileTable | FrameTable:
        if self.name in FRAMES:
            return open_table(to_native(frame, self.name))
        options = dict(FILES[self.name])
        path = self.folder / options.pop("name")
        write_frame(frame, path, **options)
        return open_table(path, encoding=options.get("encoding", "utf-8"), separator=options.get("separator"))

    def recode(
        self, table: FileTable | FrameTable, recoding: Recoding, seed: int | None = 1
    ) -> tuple[pl.DataFrame, Written]:
        if isinstance(table, FrameTable):
            native, written = table.recode(recoding, seed=seed)
            return to_polars(native), written
        path = self.folder / FILES[self.name]["name"].replace("people", "safe")
        path.unlink(missing_ok=True)
        written = table.write(recoding, path, seed=seed)
        given = table.reader.options
        safe = open_table(path, separator=given.separator, encoding=given.encoding)
        return pl.concat(list(safe.scan())), written


@pytest.fixture(params=[*FILES, *FRAMES])
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> Kind:
    return Kind(request.param, tmp_path)


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file as it is given, text or bytes."""

    def write(name: str, content: str | bytes, encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write
