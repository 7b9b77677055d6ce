"""Names of columns that mean something to an engine: they are names like any other."""

import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError

NAMES = ["^a$", "*", "^.*$"]
TECHNIQUES = [
    "full-domain",
    "local",
    "mondrian",
    "clustering",
    "distribution-mondrian",
    "top-down",
    "two-phase",
]


def people(names) -> pl.DataFrame:
    """Two quasi-identifiers, one of them of a type that lists its values, and a sensitive column."""
    where = pl.Enum(["north", "south", "west"])
    columns = [
        pl.Series([20, 21, 22, 40, 41, 42], dtype=pl.Int64),
        pl.Series([1.5, 1.5, 2.5, 0.0, -0.0, None]),
        pl.Series(["north", "south", "south", "north", "north", None], dtype=where),
    ]
    return pl.DataFrame(dict(zip(names, columns, strict=True)))


@pytest.mark.parametrize("out", ["", "csv", "parquet", "xlsx", "ndjson", "arff"])
@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.parametrize("turn", range(3))
def test_patterns_are_names(tmp_path, turn, technique, out):
    names = NAMES[turn:] + NAMES[:turn]
    release = celosia.anonymize(
        people(names),
        quasi_identifiers=names[:2],
        sensitive=names[2:],
        out=tmp_path / f"safe.{out}" if out else None,
        technique=technique,
        k=2,
    )
    assert release.verification.smallest >= 2


@pytest.mark.parametrize("kind", ["pandas", "arrow", "duckdb"])
@pytest.mark.parametrize("represent", ["range", "mode", "node"])
def test_patterns_are_names_in_frames_of_every_kind(kind, represent):
    duckdb = pytest.importorskip("duckdb")
    table = people(NAMES).to_arrow()
    frame = {"arrow": table, "pandas": table.to_pandas(), "duckdb": duckdb.from_arrow(table)}[kind]
    release = celosia.anonymize(
        frame,
        quasi_identifiers=NAMES[1:],
        sensitive=NAMES[:1],
        technique="mondrian",
        represent=represent,
        k=2,
    )
    assert release.verification.smallest >= 2


def test_patterns_are_names_where_memory_is_short(tmp_path):
    path, names = tmp_path / "people.parquet", NAMES
    pl.concat([people(names)] * 50).write_parquet(path)
    release = celosia.anonymize(
        path,
        quasi_identifiers=names[:2],
        sensitive=names[2:],
        out=tmp_path / "safe.csv",
        technique="mondrian",
        memory=1 << 30,
        k=2,
    )
    assert release.verification.smallest >= 2


def test_duckdb_says_which_column_it_has_twice(tmp_path):
    frame = pl.DataFrame({"Q": ["x"] * 5, "q": ["y"] * 5, "s": list("abcde")})
    place = f"duckdb:///{tmp_path / 'released.duckdb'}"
    with pytest.raises(CelosiaError, match='"q" already exists'):
        celosia.anonymize(frame, out=place, out_table="t", quasi_identifiers=["Q", "q"], sensitive=["s"], k=5)
