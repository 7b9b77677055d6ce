"""SUDA scores of public tables, as sdcMicro 5.8.1 has them.

Where its conventions are odd:

- The shares of the columns add up to more than 1: a unique of three columns counts wholly for each of the three.
- Its DIS score counts as uniques of the table only rows whose combination shares a hash bucket with no other
  combination. In these three tables there are no such collisions; in general our number of uniques is the larger one.
- A DIS score rests on 32-bit numbers in some places, hence the tolerance.
- With fewer than three columns it adds constant columns, which makes its scores larger than (columns - size)!; we do
  not follow it there.
- A missing value is never part of one of its uniques, but it does tell two rows apart otherwise. With us it is a value
  like any other. None of the three tables has any.
"""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia.measure.risk.suda import dis_scores, suda
from celosia.tables import open_table

KEYS = ["urbrur", "roof", "walls", "water", "sex"]


@pytest.mark.parametrize(
    ("table", "columns", "fraction", "answer"),
    [
        ("francdat", ["Key1", "Key2", "Key3", "Key4"], 0.01, "francdat_2456"),
        ("testdata2", KEYS, 0.01, "testdata2_5v_orig"),
        ("testdata", KEYS, 0.05, "testdata_dis0.05"),
    ],
)
def test_scores_and_shares_are_those_of_sdcmicro(
    shared: Path, table: str, columns: list[str], fraction: float, answer: str
) -> None:
    frame = pl.read_csv(shared / "data" / "sdcmicro" / f"{table}.csv", columns=columns, infer_schema=False)
    expected = pl.read_csv(shared / "oracles" / "sdcmicro" / f"suda2_{answer}.csv", infer_schema_length=None)
    counts = open_table(frame).count_by(columns)
    found = suda(counts)
    by_combination = pl.DataFrame(
        {
            name: values.gather(codes)
            for name, values, codes in zip(columns, counts.values, counts.codes, strict=True)
        }
    ).with_columns(
        pl.Series("score", found.scores),
        pl.Series("dis", dis_scores(found, fraction=fraction)),
        *(pl.Series(f"share {name}", found.shares[:, place]) for place, name in enumerate(columns)),
    )
    rows = frame.join(by_combination, on=columns, how="left", maintain_order="left")
    assert rows["score"].to_list() == expected["score"].to_list()
    np.testing.assert_allclose(rows["dis"], expected["disScore"], atol=1e-6)
    for name in columns:
        np.testing.assert_allclose(rows[f"share {name}"], expected[f"{name}_contribution"], atol=1e-9)
