"""Columns of text files are counted by value: which type they have, and one spelling for each value that leaves."""

import tempfile
from collections import Counter
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import celosia
from celosia.errors import CelosiaError
from celosia.tables import Recoding, count, open_table
from celosia.tables.parsers import ColumnParsers
from celosia.types import ColumnType

few = settings(max_examples=25, deadline=None)
LONG = "0.1234567890123456789012345678901234567"


def lines(name, texts):
    """A file with one column; quoted, so that a missing value is no blank line."""
    return "\n".join([name, *(f'"{text}"' for text in texts)]) + "\n"


def counted(table, column):
    counts = table.count_by([column])
    return dict(zip(counts.values[0].to_list(), counts.rows_of(0).tolist(), strict=True))


# --- which type
# -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "dtype", "values"),
    [
        (["10", "9", "-1"], pl.Int64(), [-1, 9, 10]),
        (["18446744073709551617", "18446744073709551616"], pl.Int128(), [2**64, 2**64 + 1]),
        (["9" * 45, "1"], pl.String(), ["1", "9" * 45]),
        (["1.10", "1.1", "10"], pl.Float64(), [1.1, 10.0]),
        (["1.10", "2.20"], pl.Float64(), [1.1, 2.2]),
        (["-0", "0.0", "1e1"], pl.Float64(), [0.0, 10.0]),
        ([f"{LONG}8", f"{LONG}9"], pl.Decimal(38, 38), [Decimal(f"{LONG}8"), Decimal(f"{LONG}9")]),
        (
            ["0.12345678901234567", "0.5"],
            pl.Decimal(38, 17),
            [Decimal("0.12345678901234567"), Decimal("0.5")],
        ),
        (["08001", "28001"], pl.String(), ["08001", "28001"]),
        (["1", "01"], pl.String(), ["01", "1"]),
        (["1,5", "1.5"], pl.String(), ["1,5", "1.5"]),
        (["true", "FALSE", "True"], pl.Boolean(), [False, True]),
        (["2024-05-01", "1999-12-31"], pl.Date(), [date(1999, 12, 31), date(2024, 5, 1)]),
        (["2024-02-30", "2024-05-01"], pl.String(), ["2024-02-30", "2024-05-01"]),
        (["2024-05-01T10:30", "2024-05-01 10:30:00"], pl.Datetime("us"), [datetime(2024, 5, 1, 10, 30)]),
        (
            ["2024-05-01T10:30Z", "2024-05-01 12:30+02:00"],
            pl.Datetime("us", "UTC"),
            [datetime(2024, 5, 1, 10, 30, tzinfo=UTC)],
        ),
        (["2024-05-01T10:30Z", "2024-05-01T10:30"], pl.String(), ["2024-05-01T10:30", "2024-05-01T10:30Z"]),
        (["10", "nine"], pl.String(), ["10", "nine"]),
        (["a", "A", "a "], pl.String(), ["A", "a", "a "]),
    ],
)
@pytest.mark.parametrize("suffix", ["csv", "tsv", "txt"])
def test_the_type_of_a_column_of_text_is_that_of_all_its_texts(save, suffix, texts, dtype, values):
    table = open_table(save(f"people.{suffix}", lines("x", [*texts, "?"])), separator=",")
    counts = table.count_by(["x"])
    assert counts.values[0].dtype == dtype
    assert counts.values[0].to_list() == [*values, None]
    assert counts.rows == len(texts) + 1


def test_nanoseconds_are_told_apart_in_counting(save):
    texts = [f"2024-05-01T10:00:00.00000000{i}" for i in (3, 1, 2, 1)]
    counts = open_table(save("people.csv", lines("at", texts))).count_by(["at"])
    assert counts.values[0].dtype == pl.String  # Python has no value for finer times than microseconds
    assert counts.texts[0].to_list() == sorted(set(texts))
    assert counts.counts.tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("declared", "texts", "expected"),
    [
        ("text", ["1.10", "1.1"], {"1.1": 1, "1.10": 1}),
        ("integer", ["007", "7", "8"], {7: 2, 8: 1}),
        ("real", ["7", "7.0", "8"], {7.0: 2, 8.0: 1}),
        ("decimal", ["1.10", "1.1", "2"], {1.1: 2, 2.0: 1}),
        ("boolean", ["TRUE", "true"], {True: 2}),
        ("date", ["2024-05-01", "2024-05-01"], {date(2024, 5, 1): 2}),
        ("datetime", ["2024-05-01T10:30", "2024-05-01 10:30"], {datetime(2024, 5, 1, 10, 30): 2}),
        ("integer", ["7", "07", "x"], {"07": 1, "7": 1, "x": 1}),  # not all are
    ],
)
@pytest.mark.parametrize("kind", ["csv", "parquet", "frame"])
def test_texts_are_read_as_declared_wherever_they_are(tmp_path, kind, declared, texts, expected):
    frame = pl.DataFrame({"x": texts})
    if kind == "csv":
        frame.write_csv(tmp_path / "people.csv")
    frame.write_parquet(tmp_path / "people.parquet")
    source = frame if kind == "frame" else tmp_path / f"people.{kind}"
    found = counted(open_table(source, types={"x": declared}), "x")
    assert found == expected
    assert {type(value) for value in found} == {type(value) for value in expected}


def test_texts_of_a_typed_table_stay_texts_unless_declared():
    frame = pl.DataFrame({"x": ["1.10", "1.1"], "y": pl.Series(["2", "02"], dtype=pl.Categorical)})
    assert counted(open_table(frame), "x") == {"1.1": 1, "1.10": 1}
    assert counted(open_table(frame, types={"x": "real", "y": "integer"}), "x") == {1.1: 2}
    assert counted(open_table(frame, types={"x": "real", "y": "integer"}), "y") == {2: 2}


def test_the_type_that_a_file_declares_is_that_of_its_values(save):
    arff = "@relation r\n@attribute n numeric\n@attribute s string\n@data\n1.10,1.10\n1.1,1.1\n?,?\n"
    table = open_table(save("people.arff", arff))
    assert counted(table, "n") == {1.1: 2, None: 1}


def test_a_parser_is_chosen_once_by_all_texts_of_the_column(save):
    path = save("people.csv", "dose,town\n1.10,Lugo\n1.1,Vigo\n2,Lugo\n")
    asked, counting = open_table(path), open_table(path)
    counting.count_by(["dose", "town"])
    for table in (asked, counting):
        parsers = table.parsers_of(["dose", "town"])
        assert {name: parser.dtype for name, parser in parsers.items()} == {"dose": pl.Float64()}
    chosen = ColumnParsers()
    first = chosen.choose("x", pl.Series(["1", "2"]), declared=None, infers=True)
    assert first is chosen.choose("x", pl.Series(["a"]), declared=None, infers=True)
    assert first.dtype == pl.Int64
    assert (
        ColumnParsers(reads=False).choose("x", pl.Series(["1"]), declared=ColumnType.REAL, infers=True)
        is None
    )


def test_to_the_sharpest_reader_every_spelling_is_a_value(save):
    table = open_table(save("people.csv", "dose\n1.10\n1.1\n2\n"), types={"dose": "real"})
    assert counted(table, "dose") == {1.1: 2, 2.0: 1}
    assert counted(table.unparsed(), "dose") == {"1.1": 1, "1.10": 1, "2": 1}
    assert table.unparsed().parsers_of(["dose"]) == {}


# --- spellings
# ------------------------------------------------------------------------------------------------------------

DOSES = [["1.1", "1.10", "1.100", "11e-1"], ["2", "2.0", "2.00"], ["0", "-0", "0.0"], ["-3.5"]]
spelled = st.lists(st.none() | st.sampled_from(DOSES).flatmap(st.sampled_from), min_size=1, max_size=20)


def plain(text):
    return None if text is None else float(text) + 0.0


def shortest(texts):
    return min(texts, key=lambda text: (len(text), text))


@few
@given(
    texts=spelled,
    towns=st.lists(st.sampled_from(["Lugo", "Vigo"]), min_size=20, max_size=20),
    places=st.booleans(),
)
def test_rows_are_counted_by_value_and_each_value_has_the_shortest_of_its_spellings(texts, towns, places):
    rows = list(zip(texts, towns, strict=False))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "people.csv")
        path.write_text("dose,town\n" + "".join(f"{text or ''},{town}\n" for text, town in rows))
        counts = open_table(path).count_by(["dose", "town"], places=places)
    values = [column.to_list() for column in counts.values]
    expected = sorted({plain(text) for text in texts} - {None}) + [None] * (None in texts)
    assert values[0] == expected
    found = {
        (values[0][i], values[1][j]): rows
        for i, j, rows in zip(
            *(codes.tolist() for codes in counts.codes), counts.counts.tolist(), strict=True
        )
    }
    assert found == Counter((plain(text), town) for text, town in rows)
    by_value = {
        value: {text for text in texts if plain(text) == value} for value in expected if value is not None
    }
    assert counts.texts[0].to_list() == [
        None if value is None else shortest(by_value[value]) for value in expected
    ]
    more = sum(len(met) - 1 for met in by_value.values())
    assert counts.respelled == ({"dose": more} if more else {})
    if counts.places is not None:
        shown = [
            (values[0][counts.codes[0][place]], values[1][counts.codes[1][place]]) for place in counts.places
        ]
        assert shown == [(plain(text), town) for text, town in rows]


def test_spellings_of_a_missing_value_are_one(save):
    path = save("people.csv", 'dose\n1.10\n?\n""\nNA\n1.1\n')
    counts = open_table(path, missing=("?", "", "NA")).count_by(["dose"])
    assert counts.values[0].to_list() == [1.1, None]
    assert counts.texts[0].to_list() == ["1.1", None]
    assert counts.counts.tolist() == [2, 3]


def test_a_recoding_holds_for_every_spelling_of_its_values(save, tmp_path):
    table = open_table(save("people.csv", "dose,row\n1.10,a\n1.1,b\n2,c\n2.00,d\n3,e\n?,f\n"))
    recoding = Recoding(
        maps={"dose": {1.1: "low", 2.0: "high", 3.0: "high", None: None}},
        excluded={"dose": (3.0,)},
    )
    written = table.write(recoding, tmp_path / "safe.csv")
    rows = sorted((tmp_path / "safe.csv").read_text().splitlines()[1:], key=lambda line: line[-1])
    assert rows == ["low,a", "low,b", "high,c", "high,d", ",f"]
    assert (written.written, written.excluded) == (5, 1)


TWICE = [text for i in range(12) for text in (f"{i}.50", f"{i}.5")]
"""Twelve numbers in two spellings each."""


def test_a_seed_repeats_the_spellings_too(save, tmp_path):
    path = save("people.csv", lines("dose", [*TWICE, "?", ""]))
    releases = []
    for run in range(3):
        out = tmp_path / f"safe{run}.csv"
        open_table(path).write(Recoding(unified=("dose",)), out, seed=1)
        releases.append(out.read_text().splitlines())
    assert releases[0] == releases[1] == releases[2]
    kept = [text.strip('"') for text in releases[0][1:] if text.strip('"')]
    assert sorted(kept) == sorted(TWICE)


def test_a_value_that_is_kept_is_suppressed_in_all_its_spellings(save, tmp_path):
    table = open_table(save("people.csv", lines("dose", TWICE)))
    labels = table.count_by(["dose"]).texts[0].to_list()[:6]
    written = table.write(Recoding(suppressed=pl.DataFrame({"dose": labels})), tmp_path / "safe.csv")
    left = (tmp_path / "safe.csv").read_text().splitlines()[1:]
    assert {float(text.strip('"')) for text in left} == {i + 0.5 for i in range(6, 12)}
    assert (written.written, written.suppressed) == (12, 12)


def test_a_text_that_came_after_counting_and_is_no_value_is_refused(save, tmp_path):
    path = save("people.csv", "dose\n1.10\n1.1\n")
    table = open_table(path)
    table.count_by(["dose"])
    path.write_text("dose\n1.10\nmuch\n")
    with pytest.raises(CelosiaError, match="column 'dose' is read as real, and 'much' is none"):
        table.write(Recoding(maps={"dose": {1.1: "low"}}), tmp_path / "safe.csv")
    assert not (tmp_path / "safe.csv").exists()


@pytest.mark.parametrize("reads", ["recoding", "counting"])
def test_nanoseconds_are_told_apart_in_recoding(save, tmp_path, reads):
    texts = [f"2024-05-01T10:00:00.00000000{i}" for i in (1, 2, 2)]
    table = open_table(save("people.csv", lines("at", texts)))
    if reads == "counting":
        table.count_by(["at"])
    recoding = Recoding(suppressed=pl.DataFrame({"at": texts[:1]}))
    assert table.write(recoding, tmp_path / "safe.csv").suppressed == 1
    assert sorted((tmp_path / "safe.csv").read_text().splitlines()[1:]) == [f'"{text}"' for text in texts[1:]]


# --- releases
# -------------------------------------------------------------------------------------------------------------

TECHNIQUES = ["full-domain", "local", "mondrian", "top-down", "two-phase"]
SPELLED = {
    "dose": [["1.10", "1.1", "1.100"], ["2", "2.0"], ["0", "-0"], ["10", "1e1"]],
    "at": [["2024-05-01T10:00", "2024-05-01 10:00:00"], ["2024-05-02 10:00"], ["2020-01-01T00:00"]],
    "zoned": [["2024-05-01T10:00Z", "2024-05-01 12:00+02:00"], ["2024-05-02T10:00Z"]],
    "paid": [["true", "TRUE", "True"], ["false", "False"]],
    "big": [["18446744073709551616"], ["18446744073709551617"], ["1"]],
    "long": [[f"{LONG}8"], [f"{LONG}9"], ["0.5", "0.50"]],
}


def released(rows, names, technique, k, **more):
    """Rows of texts as a file, anonymized, and read back as texts."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder, "people.csv"), Path(folder, "safe.csv")
        path.write_text("\n".join([",".join([*names, "ill"]), *(",".join(row) for row in rows)]) + "\n")
        release = celosia.anonymize(
            path,
            quasi_identifiers=names,
            sensitive=["ill"],
            k=k,
            seed=1,
            technique=technique,
            out=out,
            **more,
        )
        return release, pl.read_csv(out, infer_schema=False)


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_a_value_leaves_in_one_spelling(technique):
    rows = [
        (dose, "x" if i % 2 else "y")
        for i, dose in enumerate(["1.10", "1.1", "1.100", "2", "2.0", "2.00"] * 2)
    ]
    release, safe = released(rows, ["dose"], technique, k=6)
    shown = Counter(safe["dose"])
    assert sorted(shown.values()) == [6, 6]
    assert {float(text) for text in shown} == {1.1, 2.0}
    assert (release.risk_before.k, release.risk_before.uniques, release.risk_after.k) == (6, 0, 6)


@pytest.mark.parametrize("technique", TECHNIQUES)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_classes_are_as_large_as_promised_to_whoever_reads_the_bare_text(technique, data):
    names = data.draw(st.lists(st.sampled_from(sorted(SPELLED)), min_size=1, max_size=2, unique=True))
    cells = [st.sampled_from(SPELLED[name]).flatmap(st.sampled_from) for name in names]
    rows = data.draw(st.lists(st.tuples(*cells, st.sampled_from("uv")), min_size=6, max_size=24))
    _, safe = released(rows, names, technique, k=3)
    assert safe.height == len(rows)
    classes = Counter(safe.select(names).rows())
    assert min(classes.values()) >= 3
    for name in names:
        texts = safe[name].unique().drop_nulls().to_list()
        for one in SPELLED[name]:
            assert len({*one} & {*texts}) <= 1, "two spellings of one value left"


FIRST, SECOND = (f"2024-05-01T10:00:00.00000000{i}" for i in (1, 2))
"""One time to whoever counts in microseconds."""


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_times_in_nanoseconds_leave_as_they_are(technique):
    rows = [(text, ill) for text in (FIRST, SECOND) for ill in "uvw"]
    _, safe = released(rows, ["at"], technique, k=3)
    if technique == "mondrian":  # an axis of times has microseconds: both lie at one place of it
        assert Counter(safe["at"]) == {"2024-05-01T10:00:00": 6}
    else:
        assert Counter(safe["at"]) == {FIRST: 3, SECOND: 3}


@pytest.mark.parametrize("technique", ["full-domain", "local", "top-down", "two-phase"])
def test_times_in_nanoseconds_are_suppressed_one_by_one(technique):
    rows = [(FIRST, ill) for ill in "uvw"] + [(SECOND, "u")]
    release, safe = released(rows, ["at"], technique, k=3, suppression=0.5)
    assert Counter(safe["at"]) in ({FIRST: 3}, {"*": 4})
    assert release.risk_after.k == safe.height


@pytest.mark.parametrize("technique", ["full-domain", "local", "mondrian"])
def test_spellings_of_a_sensitive_value_make_no_diversity(technique):
    rows = [("31", "HIV"), ("31", "hiv "), ("31", "HIV\u200b"), ("45", "flu"), ("45", "HIV"), ("45", "flu")]
    model = {"model": "distinct-l-diversity", "l": 2, "column": "ill"}
    _, safe = released(rows, ["age"], technique, k=2, models=[model])
    assert (
        safe.group_by("age")
        .agg(pl.col("ill").str.to_lowercase().str.replace_all("[ \u200b]", "").n_unique())["ill"]
        .min()
        == 2
    )
    assert "31" not in safe["age"].to_list()
    assert sorted(safe["ill"]) == sorted(ill for _, ill in rows)


def test_whoever_measures_a_release_sees_what_it_promised(tmp_path):
    """A file with two spellings of one value is no class of two to whoever reads texts."""
    frame = pl.DataFrame({"dose": ["1.10", "1.1", "2", "2"], "ill": ["a", "b", "a", "b"]})
    frame.write_csv(tmp_path / "people.csv")
    table = open_table(tmp_path / "people.csv")
    assert np.min(table.count_by(["dose"]).counts) == 2
    assert np.min(table.unparsed().count_by(["dose"]).counts) == 1


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("pairs", [0, 800])
def test_rows_that_are_nearly_all_different_are_counted_without_grouping_them_first(
    tmp_path, monkeypatch, suffix, pairs
):
    ids = [*range(2000 - pairs), *range(pairs)]
    frame = pl.DataFrame({"id": ids, "dose": [None if one % 7 == 0 else one / 8 for one in ids]})
    path = tmp_path / f"people{suffix}"
    frame.write_csv(path) if suffix == ".csv" else frame.write_parquet(path)
    expected = open_table(path).count_by(["id", "dose"])
    monkeypatch.setattr("celosia.tables.count._MANY_ROWS", 0)
    grouped = []
    group = count._group
    monkeypatch.setattr(count, "_group", lambda *given, **how: grouped.append(1) or group(*given, **how))
    found = open_table(path).count_by(["id", "dose"])
    assert bool(grouped) == bool(pairs)
    assert found.places is None
    assert found.counts.tolist() == expected.counts.tolist() == [2] * pairs + [1] * (2000 - 2 * pairs)
    for place in range(2):
        assert found.values[place].equals(expected.values[place])
        assert found.codes[place].tolist() == expected.codes[place].tolist()
