"""Multidimensional recoding from a table to its release: types, files, and whatever a table may hold."""

import math
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError, HierarchyError, NoSolutionError, ProjectError, TableError
from celosia.tables import records, write_frame
from celosia.tables.formats import parquet

TOWNS = [("Lugo", "Galicia", "*"), ("Vigo", "Galicia", "*"), ("Soria", "Castilla", "*")]
QIS = ["age", "born", "height", "town"]
START = datetime(2024, 1, 1)


def people(rows=300, seed=0):
    random = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "index": range(rows),
            "name": [f"person {i}" for i in range(rows)],
            "age": random.integers(18, 80, rows),
            "born": [date(1950, 1, 1) + timedelta(days=int(day)) for day in random.integers(0, 9999, rows)],
            "height": random.normal(170, 10, rows).round(1),
            "town": random.choice(["Lugo", "Vigo", "Soria"], rows),
            "disease": random.choice(["flu", "asthma", "gout", "angina"], rows),
        }
    )


def anonymized(frame=None, **options):
    options = {"quasi_identifiers": QIS, "identifiers": ["name"], "sensitive": ["disease"], "k": 5, **options}
    options.setdefault("technique", "mondrian")
    options.setdefault("common", ["index"])
    options.setdefault("hierarchies", {"town": TOWNS})
    return celosia.anonymize(people() if frame is None else frame, **options)


def column(values, k=2, **options):
    """What becomes of a table of one column."""
    frame = pl.DataFrame({"x": values})
    options.setdefault("technique", "mondrian")
    return celosia.anonymize(frame, quasi_identifiers=["x"], k=k, **options)


def sizes(frame, names):
    return frame.group_by(names).len()["len"].to_list()


# --- what a release is
# ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("split", ["loss", "median", "distribution"])
@pytest.mark.parametrize("represent", ["range", "node", "mode", "median", "mean"])
def test_a_release_is_verified_and_nobody_is_lost(split, represent):
    release = anonymized(split=split, represent=represent)
    assert min(sizes(release.table, QIS)) >= 5
    assert release.table["index"].sort().to_list() == list(range(300))
    assert release.verification.passed
    assert release.plan.classes == len(sizes(release.table, QIS))
    assert release.written.suppressed == release.written.excluded == 0


def test_every_row_shows_what_covers_its_own_values():
    frame = people()
    both = anonymized(frame).table.join(frame, on="index", suffix="_before")
    region = {town: label for town, label, _ in TOWNS}
    for row in both.iter_rows(named=True):
        low, _, high = row["age"].strip("[]").partition("-")
        assert int(low) <= row["age_before"] <= int(high or low)
        low, _, high = row["born"].strip("[]").partition(" - ")
        assert low <= row["born_before"].isoformat() <= (high or low)
        assert row["town"] in (row["town_before"], region[row["town_before"]], "*")
        assert row["disease"] == row["disease_before"]


def test_it_loses_less_than_one_level_for_all():
    frame = people(1000)
    wholes = {
        name: anonymized(frame, technique=name).plan.measures["loss"] for name in ("mondrian", "full-domain")
    }
    assert wholes["mondrian"] < wholes["full-domain"]


def test_other_models_hold_too():
    models = [
        {"model": "entropy-l-diversity", "column": "disease", "l": 2},
        {"model": "t-closeness", "column": "disease", "t": 0.3},
    ]
    release = anonymized(models=models)
    assert release.verification.passed
    assert len(release.verification.findings) == 4


def test_relaxed_parts_of_one_combination_stand_in_several_classes():
    release = column([1] * 5 + [2], k=3, relaxed=True)
    assert Counter(release.table["x"]) == {"1": 3, "[1-2]": 3}
    assert column([1] * 5 + [2], k=3).table["x"].unique().to_list() == ["[1-2]"]


def test_cuts_by_gain_keep_what_tells_about_the_target():
    frame = pl.DataFrame({"x": range(8), "y": list(range(4)) * 2, "s": ["u"] * 4 + ["v"] * 4})
    options = {"quasi_identifiers": ["y", "x"], "k": 4, "technique": "mondrian", "split": "gain"}
    released = celosia.anonymize(frame, target="s", **options).table
    assert sizes(released, ["x", "s"]) == [4, 4]


def test_columns_may_keep_their_type_or_show_labels_one_by_one():
    kept = anonymized(represent="mode", keep_type={"age": False, "town": True})
    assert kept.table.schema["age"] == pl.String
    assert kept.table.schema["born"] == pl.Date
    assert set(kept.table["town"]) <= {"Lugo", "Vigo", "Soria"}
    labels = anonymized(keep_type=["height"])
    assert labels.table.schema["height"] == pl.Float64
    assert labels.table.schema["age"] == pl.String


def test_a_seed_repeats_the_order_and_the_record_quotes_no_value():
    one, same = (anonymized(seed=3) for _ in range(2))
    assert one.table.equals(same.table)
    assert "Lugo" not in str(one.record["technique"])


# --- tables that are hard to cut
# ---------------------------------------------------------------------------------------


def test_k_larger_than_the_table_is_refused_and_k_as_large_is_one_class():
    with pytest.raises(ProjectError, match="k = 4 is more than the 3 rows"):
        column([1, 2, 3], k=4)
    assert column([1, 2, 3], k=3).table["x"].to_list() == ["[1-3]"] * 3
    with pytest.raises(ProjectError, match="1 rows"):
        column([1])


def test_a_table_without_rows_is_refused():
    with pytest.raises(ProjectError, match="no rows"):
        column(pl.Series([], dtype=pl.Int64))


@pytest.mark.parametrize("relaxed", [False, True])
def test_rows_that_are_all_equal_stay_as_they_are(relaxed):
    assert column([7] * 10, relaxed=relaxed).table["x"].to_list() == ["7"] * 10
    assert column([7] * 10, relaxed=relaxed, represent="mean").table["x"].to_list() == [7] * 10


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float32, pl.Date, pl.Datetime("ms"), pl.String, pl.Boolean])
def test_a_column_that_is_all_missing_stays_missing(dtype):
    frame = pl.DataFrame({"x": pl.Series([None] * 4, dtype=dtype), "y": [1, 2, 3, 4]})
    for represent in ("range", "mode"):
        released = celosia.anonymize(
            frame,
            quasi_identifiers=["x", "y"],
            k=2,
            technique="mondrian",
            represent=represent,
            keep_type=["x"],
        ).table
        assert released["x"].null_count() == 4
        assert released.schema["x"] == dtype
        assert sizes(released, ["y"]) == [2, 2]


def test_infinities_and_numbers_that_are_none_find_their_place():
    released = column([math.inf] * 2 + [-math.inf] * 2 + [math.nan, None, 1.0, 2.0]).table
    assert Counter(released["x"]) == {"inf": 2, "-inf": 2, None: 2, "[1.0 - 2.0]": 2}
    typed = column([math.inf, math.inf, math.nan, None, 1.0, 2.0], represent="mode").table
    assert Counter(typed["x"]) == {math.inf: 2, None: 2, 1.5: 2}


def test_a_number_that_is_none_written_down_as_text_is_named():
    with pytest.raises(ProjectError, match="'NaN'"):
        column(["1.5", "2.5", "NaN"], types={"x": "real"})


@pytest.mark.parametrize("split", ["loss", "median", "distribution"])
def test_integers_keep_all_their_digits(split):
    values = [2**53, 2**53 + 1, 2**62, 2**62 + 1]
    released = column(values * 2, split=split, represent="mode").table
    assert sorted(released["x"]) == sorted(values * 2)


def test_integers_beyond_64_bits_keep_every_digit():
    released = column(pl.Series([2**64 - 1] * 2, dtype=pl.UInt64)).table["x"]
    assert [int(value) for value in released] == [2**64 - 1] * 2


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([date(2024, 1, day) for day in (1, 2, 8, 9)]),
        pl.Series([START + timedelta(hours=hours) for hours in (1, 2, 8, 9)], dtype=pl.Datetime("ns")),
        pl.Series([START + timedelta(hours=hours) for hours in (1, 2, 8, 9)]).dt.replace_time_zone(
            "Europe/Madrid"
        ),
        pl.Series([Decimal("1.10"), Decimal("1.20"), Decimal("8.05"), Decimal("9.00")]),
        pl.Series([1, 2, 8, 9], dtype=pl.UInt8),
        pl.Series([1, 2, 8, 9], dtype=pl.Int128),
        pl.Series([1.5, 2.5, 8.0, 9.0], dtype=pl.Float32),
    ],
    ids=lambda values: str(values.dtype),
)
def test_whatever_has_an_order_is_cut_and_keeps_its_type(values):
    for represent in ("mode", "median", "mean"):
        released = column(values, represent=represent).table["x"]
        assert released.dtype == values.dtype
        assert sorted(Counter(released).values()) == [2, 2]
        low, high = sorted(set(released))
        assert values[0] <= low <= values[1] < values[2] <= high <= values[3]
    assert sorted(Counter(column(values).table["x"]).values()) == [2, 2]


@pytest.mark.parametrize(
    "values", [[True, False], ["a", "b"], [START.time(), (START + timedelta(hours=1)).time()]]
)
def test_whatever_has_no_order_is_told_apart_by_its_text(values):
    assert sorted(Counter(column(values * 2).table["x"]).values()) == [2, 2]
    assert sorted(Counter(column(values * 2, keep_type=["x"]).table["x"]).values()) == [2, 2]


def test_times_are_told_with_their_zone():
    moment = datetime(2024, 5, 1, 12, tzinfo=UTC)
    values = pl.Series([moment, moment]).dt.convert_time_zone("America/Bogota")
    assert datetime.fromisoformat(column(values).table["x"][0]) == moment
    assert column(values, represent="mode").table["x"].to_list() == [moment] * 2


def test_lists_have_no_place():
    with pytest.raises(TableError, match="list values"):
        column([[1], [2]])


def test_more_columns_than_can_be_cut_are_refused_and_the_most_that_can_are_not():
    frame = pl.DataFrame({f"x{place}": [1, 2, 3, 4] for place in range(63)})
    with pytest.raises(ProjectError, match="63 quasi-identifiers"):
        celosia.anonymize(frame, quasi_identifiers=frame.columns, k=2, technique="mondrian")
    frame = frame.drop("x0")
    for split in ("loss", "median", "distribution"):
        released = celosia.anonymize(
            frame, quasi_identifiers=frame.columns, k=2, technique="mondrian", split=split
        ).table
        assert sizes(released, frame.columns) == [2, 2]


# --- missing and unknown values
# ----------------------------------------------------------------------------------------


def test_a_missing_value_is_a_value_and_beside_others_shows_nothing():
    assert Counter(column([1, 1, None, None]).table["x"]) == {"1": 2, None: 2}
    assert column([1, 2, None], k=3).table["x"].to_list() == ["*"] * 3


@pytest.mark.parametrize("relaxed", [False, True])
def test_rows_with_missing_values_can_be_dropped(relaxed):
    values = [1, 1, 1, 2, None]
    release = column(values, missing="drop", relaxed=relaxed)
    assert (release.written.written, release.written.excluded) == (4, 1)
    assert min(Counter(release.table["x"]).values()) >= 2
    with pytest.raises(NoSolutionError):
        column([1, None, None], missing="drop")


@pytest.mark.parametrize("relaxed", [False, True])
@pytest.mark.parametrize("represent", ["range", "mode"])
def test_missing_values_can_become_the_most_frequent_value(relaxed, represent):
    """Nobody else who has that value is like those whose value is missing."""
    frame = pl.DataFrame({"x": [8, 8, 8, None, None, 9], "y": [1, 1, 1, 5, 5, 5]})
    release = celosia.anonymize(
        frame,
        quasi_identifiers=["x", "y"],
        k=3,
        technique="mondrian",
        missing="mode",
        relaxed=relaxed,
        represent=represent,
    )
    shown = {"range": ["8", "[8-9]"], "mode": [8]}[represent]
    assert sorted(release.table["x"].unique()) == shown
    assert release.written.written == 6


def test_missing_values_of_a_file_become_the_most_frequent_value(tmp_path):
    (tmp_path / "people.csv").write_text("x,y\n8,a\n8,a\n?,b\nNA,b\n,b\n9,c\n9,c\n9,c\n")
    celosia.anonymize(
        tmp_path / "people.csv",
        quasi_identifiers=["x", "y"],
        k=2,
        technique="mondrian",
        missing="mode",
        out=tmp_path / "safe.csv",
    )
    written = pl.read_csv(tmp_path / "safe.csv", infer_schema=False)
    assert Counter(written.rows()) == {("8", "a"): 2, ("9", "b"): 3, ("9", "c"): 3}


@pytest.mark.parametrize("relaxed", [False, True])
def test_values_that_a_hierarchy_lacks_are_an_error_or_left_out(relaxed):
    values = ["Lugo", "Lugo", "Lugo", "Vigo", "Paris"]
    options = {"hierarchies": {"x": TOWNS}, "relaxed": relaxed}
    with pytest.raises(HierarchyError, match="Paris"):
        column(values, **options)
    release = column(values, unknown="suppress", **options)
    assert (release.written.written, release.written.excluded) == (4, 1)
    assert min(Counter(release.table["x"]).values()) >= 2


# --- what does not go together
# ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"suppression": 0.1}, "suppresses no rows"),
        ({"split": "gain", "target": "age"}, "quasi-identifier"),
        ({"split": "gain", "target": "name"}, "identifier"),
        ({"split": "gain", "target": "nothing"}, "'nothing' does not exist"),
        ({"split": "gain"}, "target"),
        ({"node": (0, 0, 0, 0)}, "no parameter 'node'"),
        ({"nonsense": 1}, "no option 'nonsense'"),
        ({"keep_type": ["disease"]}, "'disease' is to keep its type"),
        ({"keep_type": {"disease": False}}, "'disease' is to keep its type"),
        ({"technique": "distribution-mondrian"}, "'born' is date"),
        ({"technique": "mondrain"}, "did you mean 'mondrian'?"),
        ({"types": {"town": "integer"}}, "'town' is of type integer"),
        ({"types": {"town": "datetime"}, "hierarchies": {}}, "'town' is of type datetime"),
        ({"hierarchies": {"town": [("Lugo", "x"), ("Vigo", "y")]}}, "ends in 2 labels"),
        (
            {"models": [{"model": "t-closeness", "column": "disease", "t": 0.5, "distance": "hierarchical"}]},
            "needs a hierarchy",
        ),
        (
            {"models": [{"model": "distinct-l-diversity", "column": "disease", "l": 5}]},
            "one class of all rows",
        ),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_written(options, words, tmp_path):
    with pytest.raises(CelosiaError) as error:
        anonymized(out=tmp_path / "safe.csv", **options)
    assert words in str(error.value)
    assert list(tmp_path.iterdir()) == []


# --- files
# -----------------------------------------------------------------------------------------------------------------

TYPED = {
    "small": pl.Series([1, 2, 8, 9] * 3, dtype=pl.UInt8),
    "whole": pl.Series([1, 2, 8, 9] * 3, dtype=pl.Int32),
    "real": pl.Series([0.5, 1.5, 8.5, None] * 3, dtype=pl.Float32),
    "paid": pl.Series([Decimal("1.10"), Decimal("1.20"), Decimal("8.05"), Decimal("9.99")] * 3),
    "day": pl.Series([date(2024, 1, day) for day in (1, 2, 8, 9)] * 3),
    "at": pl.Series([START + timedelta(days=day) for day in (1, 2, 8, 9)] * 3, dtype=pl.Datetime("ms")),
    "moment": pl.Series([START + timedelta(days=day) for day in (1, 2, 8, 9)] * 3).dt.replace_time_zone(
        "UTC"
    ),
}


@pytest.mark.parametrize("represent", ["mode", "median", "mean"])
def test_parquet_keeps_the_types_of_its_columns(represent, tmp_path):
    frame = pl.DataFrame(TYPED)
    frame.write_parquet(tmp_path / "people.parquet")
    celosia.anonymize(
        tmp_path / "people.parquet",
        quasi_identifiers=frame.columns,
        k=4,
        technique="mondrian",
        represent=represent,
        out=tmp_path / "safe.parquet",
    )
    released = pl.read_parquet(tmp_path / "safe.parquet")
    assert released.schema == frame.schema
    assert len(released) == 12
    assert min(sizes(released, frame.columns)) >= 4


def csv_of_people(folder):
    write_frame(people().drop("name"), folder / "people.csv")
    return folder / "people.csv"


READ = {
    "safe.csv": lambda path: pl.read_csv(path, try_parse_dates=True),
    "safe.parquet": pl.read_parquet,
    "safe.json": lambda path: pl.read_json(path).with_columns(pl.col("born").str.to_date()),
    "safe.xlsx": pl.read_excel,
}


@pytest.mark.parametrize("name", READ)
def test_a_text_file_becomes_any_other_with_the_same_numbers(name, tmp_path):
    options = {"identifiers": [], "represent": "mode", "seed": 1}
    expected = anonymized(people().drop("name"), **options).table
    anonymized(csv_of_people(tmp_path), out=tmp_path / name, **options)
    written = READ[name](tmp_path / name)
    assert written.sort("index").select(QIS).rows() == expected.sort("index").select(QIS).rows()


@pytest.mark.parametrize("name", READ)
def test_a_text_file_becomes_any_other_with_the_same_labels(name, tmp_path):
    expected = anonymized(people().drop("name"), identifiers=[]).table
    anonymized(csv_of_people(tmp_path), identifiers=[], out=tmp_path / name)
    read = READ[name] if name != "safe.json" else pl.read_json
    assert Counter(read(tmp_path / name).select(QIS).rows()) == Counter(expected.select(QIS).rows())


def test_texts_of_one_number_are_one_value(tmp_path):
    (tmp_path / "people.csv").write_text("x\n1.0\n1.00\n2.5\n2.50\n-0.0\n0\n")
    celosia.anonymize(
        tmp_path / "people.csv", quasi_identifiers=["x"], k=2, technique="mondrian", out=tmp_path / "safe.csv"
    )
    written = pl.read_csv(tmp_path / "safe.csv")
    assert Counter(written["x"]) == {0.0: 2, 1.0: 2, 2.5: 2}


def test_a_missing_value_is_written_as_the_file_writes_it(tmp_path):
    (tmp_path / "people.csv").write_text("x,y\n?,1\nNA,1\n?,1\n5,2\n5,2\n5,2\n")
    for represent in ("range", "mode"):
        options = {"k": 3, "technique": "mondrian", "represent": represent, "overwrite": True}
        for markers, marker in [(("?", "NA"), "?"), (("", "NA", "?"), "")]:
            celosia.anonymize(
                tmp_path / "people.csv",
                quasi_identifiers=["x", "y"],
                markers=markers,
                out=tmp_path / "safe.csv",
                **options,
            )
            lines = (tmp_path / "safe.csv").read_text().split()
            assert Counter(lines[1:]) == {f"{marker},1": 3, "5,2": 3}
        celosia.anonymize(
            tmp_path / "people.csv", quasi_identifiers=["x", "y"], out=tmp_path / "safe.parquet", **options
        )
        assert pl.read_parquet(tmp_path / "safe.parquet")["x"].null_count() == 3


def test_booleans_of_a_file_are_what_they_say(tmp_path):
    (tmp_path / "people.csv").write_text("x\nTrue\nTrue\nTrue\nFalse\n")
    celosia.anonymize(
        tmp_path / "people.csv",
        quasi_identifiers=["x"],
        k=4,
        technique="mondrian",
        keep_type=["x"],
        out=tmp_path / "safe.parquet",
    )
    assert pl.read_parquet(tmp_path / "safe.parquet")["x"].to_list() == [True] * 4


@pytest.mark.parametrize("name", ["people.csv", "people.parquet"])
def test_relaxed_classes_keep_their_size_through_a_file_in_batches(name, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_BATCH_BYTES", 1)
    monkeypatch.setattr(parquet, "_GROUP_BYTES", 1)
    monkeypatch.setattr(records, "_utf8", partial(records._utf8, size=4096))
    random = np.random.default_rng(1)
    frame = pl.DataFrame(
        {"x": random.integers(0, 5, 6000), "y": random.integers(0, 3, 6000), "n": range(6000)}
    )
    write_frame(frame, tmp_path / name)
    release = celosia.anonymize(
        tmp_path / name,
        quasi_identifiers=["x", "y"],
        common=["n"],
        k=7,
        technique="mondrian",
        relaxed=True,
        split="median",
        out=tmp_path / "safe.parquet",
    )
    released = pl.read_parquet(tmp_path / "safe.parquet")
    assert not release.plan.recoding.assignment.is_whole
    assert min(sizes(released, ["x", "y"])) >= 7
    assert sorted(released["n"]) == list(range(6000))
    labels = release.plan.recoding.assignment
    promised = Counter()
    for number, rows in zip(labels.classes.tolist(), labels.rows.tolist(), strict=True):
        promised[labels.released.row(number)] += rows
    assert Counter(released.select("x", "y").rows()) == promised
    assert sum(labels.rows) == 6000


# --- frames of the caller
# ------------------------------------------------------------------------------------------------


def test_a_pandas_frame_comes_back_with_its_types():
    pandas = pytest.importorskip("pandas")
    days = pandas.to_datetime(["2024-01-01", "2024-01-02", "2024-01-08", "2024-01-09"])
    frame = pandas.DataFrame(
        {
            "a": [1, 2, 8, 9],
            "b": pandas.Series([1, 2, 8, 9], dtype="int32"),
            "c": pandas.Series([1, 2, None, None], dtype="Int64"),
            "d": pandas.Series([1.5, 2.5, None, 9.5], dtype="float32"),
            "e": days,
            "f": days.tz_localize("Europe/Madrid"),
            "g": [True, True, False, False],
            "kept": ["u", "v", "w", "z"],
        }
    )
    names = list("abcdefg")
    for represent in ("mode", "mean"):
        released = celosia.anonymize(
            frame, quasi_identifiers=names, k=2, technique="mondrian", represent=represent, keep_type=names
        ).table
        assert released.dtypes.to_dict() == frame.dtypes.to_dict()
        assert sorted(released["a"]) == [1, 1, 8, 8] if represent == "mode" else len(released) == 4
        assert released["c"].isna().sum() == 2
    labels = celosia.anonymize(frame, quasi_identifiers=names, k=2, technique="mondrian").table
    assert sorted(labels["a"]) == ["[1-2]", "[1-2]", "[8-9]", "[8-9]"]


def test_an_arrow_table_comes_back_with_its_types():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(
        {
            "a": pyarrow.array([1, 2, 8, 9], pyarrow.int16()),
            "b": pyarrow.array([date(2024, 1, day) for day in (1, 2, 8, 9)]),
            "c": pyarrow.array([1.5, 2.5, None, 9.5], pyarrow.float32()),
        }
    )
    released = celosia.anonymize(
        table, quasi_identifiers=["a", "b", "c"], k=2, technique="mondrian", represent="mode"
    ).table
    assert released.schema == table.schema
    assert sorted(released["a"].to_pylist()) == [1, 1, 8, 8]


def test_a_duckdb_relation_comes_back_with_its_types():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql(
        "select * from (values (1::SMALLINT, DATE '2024-01-01', 'u'), (2, DATE '2024-01-02', 'v'), "
        "(8, DATE '2024-01-08', 'u'), (9, DATE '2024-01-09', 'v')) as people(a, b, c)"
    )
    released = celosia.anonymize(
        relation, quasi_identifiers=["a", "b", "c"], k=2, technique="mondrian", represent="mode"
    ).table
    assert [str(kind) for kind in released.types] == ["SMALLINT", "DATE", "VARCHAR"]
    assert sorted(row[0] for row in released.fetchall()) == [1, 1, 8, 8]


def test_a_lazy_frame_comes_back_lazy():
    released = celosia.anonymize(
        pl.LazyFrame({"a": [1, 2, 8, 9]}),
        quasi_identifiers=["a"],
        k=2,
        technique="mondrian",
        represent="mode",
    ).table
    assert isinstance(released, pl.LazyFrame)
    assert released.collect()["a"].sort().to_list() == [1, 1, 8, 8]


def test_the_callers_frame_is_not_changed():
    frame = people()
    before = frame.clone()
    anonymized(frame, represent="mode")
    assert frame.equals(before)
