"""Text files in every way of writing: all read to the same table, and written again as they came."""

import csv
import io
from itertools import product

import polars as pl
import pytest

from celosia.sample import discharges
from celosia.tables import open_table
from celosia.tables.table import Recoding

SEPARATORS = (",", ";", "\t", "|")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1")
NUMBERS = ((".", ""), (",", ""), (",", "."))
DATES = ("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y")
HEADERS = (True, False)


@pytest.fixture(scope="module")
def people():
    return discharges(60, seed=3, language="es")


def number(value, decimal, thousands):
    text = f"{value:,}" if thousands else str(value)
    return text.translate(str.maketrans({",": thousands, ".": decimal}))


def spelt(frame, decimal, thousands, dates):
    """Every value as the text that such a file has of it."""
    columns = []
    for column in frame.iter_columns():
        if column.dtype == pl.Date:
            texts = [None if day is None else day.strftime(dates) for day in column]
        elif column.dtype.is_decimal():
            texts = [None if value is None else number(value, decimal, thousands) for value in column]
        else:
            texts = [None if value is None else str(value) for value in column]
        columns.append(pl.Series(column.name, texts, dtype=pl.String))
    return pl.DataFrame(columns)


def written(frame, separator, encoding, *, header, quoting=csv.QUOTE_MINIMAL, end="\r\n"):
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, quoting=quoting, lineterminator=end)
    if header:
        writer.writerow(frame.columns)
    writer.writerows(frame.rows())
    return file.getvalue().encode(encoding)


def typed(table, folder):
    """The table as a format with types has it."""
    path = folder / "typed.parquet"
    path.unlink(missing_ok=True)
    table.write(Recoding(keeps_order=True), path)
    found = pl.read_parquet(path)
    return found.rename({name: str(place) for place, name in enumerate(found.columns)})


@pytest.mark.parametrize(("separator", "encoding"), list(product(SEPARATORS, ENCODINGS)))
def test_every_way_of_writing_is_read_to_the_same_table_and_written_again(
    people, tmp_path, separator, encoding
):
    source, copy = tmp_path / "people.csv", tmp_path / "copy.csv"
    source.write_bytes(written(spelt(people, ".", "", DATES[0]), ",", "utf-8", header=True))
    expected = typed(open_table(source), tmp_path)
    assert {pl.Date, pl.Int64} < set(expected.dtypes)
    assert any(dtype.is_decimal() or dtype.is_float() for dtype in expected.dtypes)
    for (decimal, thousands), dates, header in product(NUMBERS, DATES, HEADERS):
        source.unlink()
        content = written(spelt(people, decimal, thousands, dates), separator, encoding, header=header)
        source.write_bytes(content)
        table = open_table(source)
        assert typed(table, tmp_path).equals(expected), (decimal, thousands, dates, header)
        copy.unlink(missing_ok=True)
        table.write(Recoding(keeps_order=True), copy)
        assert copy.read_bytes() == content, (decimal, thousands, dates, header)
