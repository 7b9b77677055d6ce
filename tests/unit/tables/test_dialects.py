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
DIALECTS = list(product(SEPARATORS, ENCODINGS))


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


WAYS = list(product(NUMBERS, DATES, HEADERS))


def typed(table):
    """Types of the columns, and their values as plain texts."""
    rows = pl.concat(list(table.scan()))
    return [column.type for column in table.schema()], rows.rows()


def check(people, folder, separator, encoding, ways):
    source, copy = folder / "people.csv", folder / "copy.csv"
    source.write_bytes(written(spelt(people, ".", "", DATES[0]), ",", "utf-8", header=True))
    expected = typed(open_table(source))
    for (decimal, thousands), dates, header in ways:
        content = written(spelt(people, decimal, thousands, dates), separator, encoding, header=header)
        source.write_bytes(content)
        table = open_table(source)
        assert typed(table) == expected, (decimal, thousands, dates, header)
        copy.unlink(missing_ok=True)
        table.write(Recoding(keeps_order=True), copy)
        assert copy.read_bytes() == content, (decimal, thousands, dates, header)


@pytest.mark.parametrize(("place", "separator", "encoding"), [(i, *way) for i, way in enumerate(DIALECTS)])
def test_ways_of_writing_are_read_to_the_same_table_and_written_again(
    people, tmp_path, place, separator, encoding
):
    """Every separator with every encoding, and in turn every way of numbers, dates and headers."""
    check(people, tmp_path, separator, encoding, [WAYS[place % len(WAYS)], WAYS[(5 * place + 7) % len(WAYS)]])


@pytest.mark.exhaustive
@pytest.mark.parametrize(("separator", "encoding"), DIALECTS)
def test_every_way_of_writing_is_read_to_the_same_table_and_written_again(
    people, tmp_path, separator, encoding
):
    check(people, tmp_path, separator, encoding, WAYS)


def test_the_sample_has_numbers_and_dates(people, tmp_path):
    source = tmp_path / "people.csv"
    source.write_bytes(written(spelt(people, ",", ".", DATES[1]), ";", "cp1252", header=True))
    types = {column.name: column.type.value for column in open_table(source).schema()}
    assert types["fecha_nacimiento"] == "date"
    assert types["coste"] == "decimal"
    assert types["edad"] == "integer"
    assert types["codigo_postal"] == "text"


@pytest.mark.parametrize("quoting", [csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_quotes_and_line_ends_are_written_as_they_came(people, tmp_path, quoting, end, last):
    texts = spelt(people.drop("observaciones"), ",", "", DATES[1])
    frame = texts.with_columns(pl.col("edad").cast(pl.Int64))
    content = written(frame.drop_nulls(), ";", "utf-8", header=True, quoting=quoting, end=end)
    content = content if last else content.removesuffix(end.encode())
    (tmp_path / "people.csv").write_bytes(content)
    open_table(tmp_path / "people.csv").write(Recoding(keeps_order=True), tmp_path / "copy.csv")
    assert (tmp_path / "copy.csv").read_bytes() == content


def test_apostrophes_quote_as_well(tmp_path):
    content = "name;'said it';n\n'O''Hara; Ana';'5\" pipe';1,5\n'Eva';'no';2,5\n"
    (tmp_path / "people.csv").write_text(content.replace('"', "in"))
    table = open_table(tmp_path / "people.csv")
    assert table.columns() == ("name", "said it", "n")
    assert pl.concat(list(table.scan())).rows()[0] == ("O'Hara; Ana", "5in pipe", "1.5")
    assert table.options.quote == "'"
    table.write(Recoding(keeps_order=True), tmp_path / "copy.csv")
    copy = (tmp_path / "copy.csv").read_text().splitlines()
    assert copy[1:] == content.replace('"', "in").splitlines()[1:]


def test_apostrophes_in_words_quote_nothing(tmp_path):
    (tmp_path / "people.csv").write_text("name;town\nO'Hara;L'Hospitalet\n'Ana;Soria\n")
    table = open_table(tmp_path / "people.csv")
    assert pl.concat(list(table.scan())).rows() == [("O'Hara", "L'Hospitalet"), ("'Ana", "Soria")]
