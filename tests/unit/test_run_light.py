"""Light releases: operations on columns and rows, with no promise about people, from any kind of table to any other."""

import json
import secrets
from pathlib import Path

import polars as pl
import pytest

from celosia.errors import CelosiaError, HierarchyError, ProjectError, ReleaseError, TableError
from celosia.mask.operations.round import Round
from celosia.project import load_project, make_project
from celosia.run import anonymize, run_project
from celosia.tables import open_table, write_frame

FILES = [
    "people.csv",
    "people.tsv",
    "people.parquet",
    "people.xlsx",
    "people.json",
    "people.ndjson",
    "people.arff",
]
FRAMES = ["polars", "lazy", "pandas", "arrow", "duckdb"]


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("CELOSIA_KEY", secrets.token_hex(32))


def people(rows=40):
    """Ages and pays that repeat, a zip code, a city that is missing in every fifth row."""
    return pl.DataFrame(
        {
            "code": [f"person {i}" for i in range(rows)],
            "zip": [f"{28000 + i % 4}" for i in range(rows)],
            "age": [20 + i for i in range(rows)],
            "paid": [1000 + 13 * i for i in range(rows)],
            "city": [None if i % 5 == 0 else ["Soria", "Lugo"][i % 2] for i in range(rows)],
        }
    )


OPERATIONS = {
    "code": {"role": "identifier", "operation": "pseudonymize"},
    "zip": {"operation": {"name": "truncate", "first": 3}},
    "paid": {"operation": {"name": "round", "to": 100}},
}
COMMON = dict.fromkeys(["zip", "age", "paid", "city"], "common")
"""What leaves as it is where nothing else is said."""


def released(source=None, columns=OPERATIONS, **fields):
    options = {name: fields.pop(name) for name in ("overwrite", "hierarchies") if name in fields}
    top = {name: fields.pop(name) for name in ("hierarchies_", "models", "keys") if name in fields}
    if "hierarchies_" in top:
        top["hierarchies"] = top.pop("hierarchies_")
    listed = columns if "unlisted" in fields else COMMON | columns
    project = make_project(tables={"people": {"kind": "light", "columns": listed, **fields}}, **top)
    return anonymize(project, source=people() if source is None else source, **options)


def as_texts(place, columns):
    """The rows of a release as texts, sorted."""
    table = open_table(place)
    counts = table.count_by(columns)
    texts = [values.gather(codes).to_list() for values, codes in zip(counts.texts, counts.codes, strict=True)]
    rows = zip(*texts, strict=True)
    return sorted(
        (row for row, times in zip(rows, counts.counts, strict=True) for _ in range(times)),
        key=str,
    )


def expected():
    frame = people()
    return sorted(
        zip(
            frame["zip"].str.head(3).to_list(),
            (str(round(paid / 100) * 100) for paid in frame["paid"]),
            frame["city"].to_list(),
            map(str, frame["age"]),
            strict=True,
        ),
        key=str,
    )


# --- kinds of tables
# ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("out", ["safe.csv", "safe.parquet", "safe.json"])
@pytest.mark.parametrize("name", FILES)
def test_every_format_becomes_others_with_its_columns_masked(tmp_path, name, out):
    write_frame(people(), tmp_path / name)
    release = released(tmp_path / name, destination=str(tmp_path / out))
    assert release.table == tmp_path / out
    assert as_texts(release.table, ["zip", "paid", "city", "age"]) == expected()
    assert open_table(release.table).columns() == ("code", "zip", "age", "paid", "city")
    assert release.verification.passed
    assert release.written.written == 40


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_frame_comes_back_as_it_went_in(kind):
    frame = people()
    native = {
        "polars": lambda: frame,
        "lazy": frame.lazy,
        "pandas": frame.to_pandas,
        "arrow": lambda: frame.to_arrow(compat_level=pl.CompatLevel.oldest()),
        "duckdb": lambda: pytest.importorskip("duckdb").from_arrow(
            frame.to_arrow(compat_level=pl.CompatLevel.oldest())
        ),
    }[kind]()
    table = released(native).table
    assert type(table) is type(native)
    assert as_texts(table, ["zip", "paid", "city", "age"]) == expected()


def test_pseudonyms_are_all_different_and_are_nobodys_name():
    table = released().table
    assert table["code"].n_unique() == 40
    assert not set(table["code"]) & set(people()["code"])


def test_rows_leave_in_random_order_which_a_seed_repeats():
    one, same, other, any_ = (released(seed=seed).table["age"].to_list() for seed in (1, 1, 2, None))
    assert one == same != other
    assert sorted(any_) == sorted(one)
    assert people()["age"].to_list() not in (one, other, any_)


def test_the_source_is_not_changed(tmp_path):
    write_frame(people(), tmp_path / "people.csv")
    before = (tmp_path / "people.csv").read_bytes()
    released(tmp_path / "people.csv", destination=str(tmp_path / "safe.csv"))
    assert (tmp_path / "people.csv").read_bytes() == before


# --- rows and missing values
# ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["people.csv", "people.parquet", None])
def test_rows_that_a_rule_drops_are_counted(tmp_path, name):
    source = people()
    if name:
        source = write_frame(people(), tmp_path / name) or tmp_path / name
    where = {} if name is None else {"destination": str(tmp_path / f"safe{Path(name).suffix}")}
    release = released(source, rows=[{"name": "drop-rows", "where": "age >= 50"}], **where)
    assert release.dropped == 10
    assert release.written.written == 30
    assert release.record["rows"]["dropped"] == 10
    assert max(int(age) for (age,) in as_texts(release.table, ["age"])) == 49


def test_a_rule_may_ask_for_a_column_that_does_not_leave():
    release = released(
        columns={"code": "identifier"}, rows=[{"name": "drop-rows", "where": "code = 'person 3'"}]
    )
    assert "code" not in release.table.columns
    assert 23 not in release.table["age"].to_list()
    assert release.dropped == 1


CITY = {"name": "truncate", "first": 1}


@pytest.mark.parametrize("name", ["people.csv", "people.parquet", None])
@pytest.mark.parametrize(
    ("policy", "cities", "dropped"),
    [
        ({"missing": "keep"}, {"S", "L", None}, 0),
        ({"missing": "replace", "replacement": "unknown"}, {"S", "L", "unknown"}, 0),
        ({"missing": "drop"}, {"S", "L"}, 8),
    ],
)
def test_missing_values_are_kept_replaced_or_dropped(tmp_path, name, policy, cities, dropped):
    columns = {"code": "identifier", "city": {"operation": {**CITY, **policy}}}
    source, where = people(), {}
    if name:
        write_frame(people(), tmp_path / name)
        source, where = tmp_path / name, {"destination": str(tmp_path / f"safe{Path(name).suffix}")}
    release = released(source, columns, **where)
    assert {city for (city,) in as_texts(release.table, ["city"])} == cities
    assert release.dropped == dropped
    assert release.written.written == 40 - dropped


def test_missing_values_can_be_refused(tmp_path):
    write_frame(people(), tmp_path / "people.csv")
    columns = {"code": "identifier", "city": {"operation": {**CITY, "missing": "refuse"}}}
    with pytest.raises(TableError, match="'city' misses 8 values"):
        released(tmp_path / "people.csv", columns, destination=str(tmp_path / "safe.csv"))
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_number_is_not_replaced_by_a_text():
    frame = people().with_columns(paid=pl.when(pl.col("age") > 30).then("paid"))
    operation = {"name": "round", "to": 10, "missing": "replace", "replacement": "none"}
    with pytest.raises(TableError, match="'none' cannot replace a missing value of column 'paid'"):
        released(frame, {"code": "identifier", "paid": {"operation": operation}})


def test_a_table_of_which_nothing_is_left_is_not_released():
    with pytest.raises(ReleaseError, match="no row is left"):
        released(rows=[{"name": "drop-rows", "where": "age > 0"}])


# --- columns
# --------------------------------------------------------------------------------------------------------


def test_operations_on_a_column_are_done_in_order():
    chain = [{"name": "truncate", "first": 2}, {"name": "substitute", "pairs": [["28", "Madrid"]]}]
    table = released(columns={"code": "identifier", "zip": {"operation": chain}}).table
    assert set(table["zip"]) == {"Madrid"}
    backwards = {"code": "identifier", "zip": {"operation": chain[::-1]}}
    with pytest.raises(TableError, match="values that no pair speaks of"):
        released(columns=backwards)


def test_identifiers_without_an_operation_never_leave_and_keeping_one_is_no_operation():
    for plan in ("identifier", {"role": "identifier", "operation": "keep"}):
        assert "code" not in released(columns={"code": plan}).table.columns


def test_a_suppressed_column_does_not_leave_whatever_its_role():
    columns = {"code": "identifier", "age": {"role": "common", "operation": "suppress"}}
    release = released(columns=columns)
    assert release.table.columns == ["zip", "paid", "city"]
    assert set(release.record["operations"]["left out"]) == {"code", "age"}


def test_a_column_that_looks_like_an_identifier_leaves_only_if_somebody_says_so():
    frame = people().with_columns(surname=pl.lit("Gil"))
    with pytest.raises(ProjectError, match=r"'surname' is not declared .*the name says 'surname'"):
        released(frame)
    assert "surname" in released(frame, {**OPERATIONS, "surname": "common"}).table.columns
    masked = released(frame, {**OPERATIONS, "surname": {"operation": "pseudonymize"}}).table
    assert "Gil" not in masked["surname"].to_list()


@pytest.mark.parametrize(("unlisted", "columns"), [("common", 5), ("drop", 3)])
def test_columns_that_are_not_listed_leave_or_do_not(unlisted, columns):
    release = released(
        people().rename({"age": "arm", "city": "kind"}).with_columns(arm=pl.lit("a")), unlisted=unlisted
    )
    assert len(release.table.columns) == columns
    changes = release.record["changes"]
    assert changes == (
        []
        if columns == 5
        else [f"column {name!r} is not in the project, and left out" for name in ("arm", "kind")]
    )


def test_a_project_may_stop_at_a_column_that_it_does_not_list():
    with pytest.raises(ProjectError, match="column 'age' is not in the project, nor are 1 more"):
        released(unlisted="stop")


def test_a_column_that_is_gone_stops_the_run_unless_new_ones_are_left_out():
    with pytest.raises(ProjectError, match="column 'paid' does not exist"):
        released(people().drop("paid"))
    release = released(people().drop("paid"), unlisted="drop")
    assert release.table.columns == ["code", "zip"]
    assert "column 'paid' is gone" in release.record["changes"]


def test_a_person_column_leaves_only_if_something_is_said_of_it():
    columns = {"zip": OPERATIONS["zip"]}
    assert "code" not in released(columns=columns, person="code").table.columns
    kept = released(columns={**columns, "code": "common"}, person="code").table
    assert kept["code"].n_unique() == 40
    with pytest.raises(ProjectError, match="'who', which tells people apart, does not exist"):
        released(columns=columns, person="who")


def test_hierarchies_may_be_rows_a_tree_groups_a_name_or_a_file(tmp_path):
    rows = [["Soria", "centre", "*"], ["Lugo", "north", "*"], ["Vigo", "north", "*"]]
    tree = {
        "value": "*",
        "children": [
            {"value": "centre", "children": [{"value": "Soria"}]},
            {"value": "north", "children": [{"value": "Lugo"}, {"value": "Vigo"}]},
        ],
    }
    groups = {"centre": ["Soria"], "north": ["Lugo", "Vigo"]}
    (tmp_path / "city.csv").write_text("Soria;centre;*\nLugo;north;*\nVigo;north;*\n")
    level = {"name": "generalize", "level": 1}
    for hierarchy in (rows, tree, groups, str(tmp_path / "city.csv"), "towns"):
        columns = {"code": "identifier", "city": {"operation": level, "hierarchy": hierarchy}}
        table = released(columns=columns, hierarchies_={"towns": groups}).table
        assert set(table["city"]) == {"centre", "north", None}
    columns = {"code": "identifier", "city": {"operation": {**level, "hierarchy": "towns"}}}
    assert set(released(columns=columns, hierarchies_={"towns": rows}).table["city"]) == {
        "centre",
        "north",
        None,
    }


def test_a_value_that_a_hierarchy_lacks_is_said():
    columns = {
        "code": "identifier",
        "city": {"operation": {"name": "generalize", "level": 1}, "hierarchy": [["Soria", "*"]]},
    }
    with pytest.raises(HierarchyError, match="'city' holds 1 values that its hierarchy does not know"):
        released(columns=columns)


# --- evidence
# -------------------------------------------------------------------------------------------------------


def test_a_release_whose_operation_is_broken_is_withdrawn(tmp_path, monkeypatch):
    write_frame(people(), tmp_path / "people.csv")
    monkeypatch.setattr(Round, "start", lambda *_: lambda values, _rows: values)
    with pytest.raises(ReleaseError, match="'paid' not rounded to 100"):
        released(tmp_path / "people.csv", destination=str(tmp_path / "safe.csv"))
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_every_operation_is_in_the_record_with_what_it_still_tells():
    record = released().record
    told = record["operations"]["columns"]
    assert set(told) == {"code", "zip", "paid"}
    assert told["paid"] == [
        {"name": "round", "what": "rounded to 100", "reversible": "no", "leaks": told["paid"][0]["leaks"]}
    ]
    assert told["paid"][0]["leaks"]
    assert record["kind"] == "light"
    assert "technique" not in record


def test_weak_choices_are_in_the_record():
    columns = {"code": "identifier", "zip": {"operation": "hash"}}
    weaknesses = released(columns=columns).record["weaknesses"]
    assert len(weaknesses) == 1
    assert weaknesses[0].startswith("'zip', hash: without a salt")
    assert released(columns={"code": "identifier"}).record["weaknesses"] == []
    sampled = released(columns={"code": "identifier"}, rows=[{"name": "sample", "share": 0.9}])
    assert sampled.record["weaknesses"][0].startswith("sample: a share of 90 %")


def test_risk_is_that_of_the_quasi_identifiers_before_and_after():
    columns = {
        "code": "identifier",
        "zip": {"role": "quasi-identifier", "operation": {"name": "truncate", "first": 3}},
        "age": {"role": "quasi-identifier", "operation": {"name": "code", "top": 30}},
    }
    release = released(columns=columns)
    assert release.risk_before.uniques == 40
    assert release.risk_after.uniques == 10
    assert release.record["risk"]["after"]["k"] == 1
    quiet = released(columns=columns, evaluate=[])
    assert quiet.risk_before is quiet.risk_after is None
    assert "risk" not in quiet.record


def test_the_record_holds_no_value_of_the_table(tmp_path):
    write_frame(people(), tmp_path / "people.csv")
    pairs = [["Soria", "a town"], ["Lugo", "another"]]
    release = released(
        tmp_path / "people.csv",
        {
            "code": {"operation": {"name": "suppress", "where": "code = 'person 7'", "label": "?"}},
            "city": {"operation": {"name": "substitute", "pairs": pairs}},
        },
        rows=[{"name": "drop-rows", "where": "city = 'Lugo' and age = 23"}],
        destination=str(tmp_path / "safe.csv"),
    )
    text = (tmp_path / "safe.record.json").read_text()
    for value in ("Soria", "Lugo", "person 7", "a town", "= 23"):
        assert value not in text
    record = json.loads(text)
    assert record["operations"]["columns"]["code"][0]["what"] == "'?' where a condition holds"
    assert record["operations"]["rows"][0]["what"] == "without rows where a condition holds"
    assert record["project"]["tables"]["people"]["columns"]["city"]["operation"]["pairs"].startswith(
        "2 pairs"
    )
    assert release.dropped == 1
    # What is withheld is not made up: whoever runs the record's project is told.
    with pytest.raises(ProjectError, match=r"where|pairs"):
        load_project(tmp_path / "safe.record.json")


def test_a_record_without_conditions_and_pairs_can_be_run_again(tmp_path):
    write_frame(people(), tmp_path / "people.csv")
    first = make_project(
        kind="light",
        seed=5,
        tables={
            "people": {
                "source": str(tmp_path / "people.csv"),
                "destination": str(tmp_path / "safe.csv"),
                "columns": COMMON | OPERATIONS,
            }
        },
    )
    run_project(first)
    before = (tmp_path / "safe.csv").read_bytes()
    run_project(load_project(tmp_path / "safe.record.json"), overwrite=True)
    assert (tmp_path / "safe.csv").read_bytes() == before


# --- operations under a privacy model
# -------------------------------------------------------------------------------


def complete(columns, source=None, **fields):
    project = make_project(
        models=[{"model": "k-anonymity", "k": fields.pop("k", 5)}],
        tables={"people": {"columns": {"code": "identifier", **COMMON, **columns}, **fields}},
    )
    return anonymize(project, source=people() if source is None else source)


QUASI = {"role": "quasi-identifier"}


def test_a_quasi_identifier_is_counted_as_its_operation_leaves_it():
    release = complete({"zip": {**QUASI, "operation": {"name": "truncate", "first": 3}}}, k=40)
    assert release.table["zip"].to_list() == ["280"] * 40
    assert release.levels == {"zip": 0}


def test_a_top_coded_age_is_generalized_further_where_it_must_be():
    coded = {**QUASI, "operation": {"name": "code", "top": 30}}
    hierarchy = [[str(age), "young" if age < 30 else "30 or more", "*"] for age in range(20, 31)]
    release = complete({"age": {**coded, "hierarchy": hierarchy}})
    assert sorted(set(release.table["age"])) == ["30 or more", "young"]
    assert release.table["age"].to_list().count("young") == 10
    assert release.levels == {"age": 1}


def test_labels_of_an_operation_are_values_of_a_quasi_identifier():
    coded = {
        **QUASI,
        "operation": {"name": "code", "top": 30, "top_label": "30+", "bottom": 30, "bottom_label": "young"},
    }
    table = complete({"age": coded}).table
    assert set(table["age"]) == {"30+", "young"}


def test_a_common_column_may_have_an_operation_under_a_privacy_model(tmp_path):
    write_frame(people(), tmp_path / "people.csv")
    release = complete(
        {"zip": QUASI, "paid": OPERATIONS["paid"]},
        tmp_path / "people.csv",
        destination=str(tmp_path / "safe.parquet"),
        rows=[{"name": "drop-rows", "where": "age < 30"}],
    )
    table = pl.read_parquet(tmp_path / "safe.parquet")
    assert table["zip"].value_counts()["count"].min() >= 5
    assert all(int(paid) % 100 == 0 for paid in table["paid"])
    assert release.dropped == 10
    assert {finding.name for finding in release.verification.findings} >= {"operation round", "k-anonymity"}


def test_numbers_that_keep_their_type_are_numbers_after_their_operation():
    release = complete(
        {"paid": {**QUASI, "operation": {"name": "round", "to": 10}, "keep_type": True}}, technique="mondrian"
    )
    assert release.table.schema["paid"].is_numeric()
    assert release.table["paid"].value_counts()["count"].min() >= 5
    assert release.comparison is not None
    quiet = complete({"paid": {**QUASI, "keep_type": True}}, technique="mondrian", evaluate=["risk"])
    assert quiet.comparison is None
    assert "measures" not in quiet.record
    assert "risk" in quiet.record


def test_a_declared_type_is_that_of_the_source_not_of_what_an_operation_leaves(tmp_path):
    write_frame(people(), tmp_path / "people.csv")
    columns = {
        "age": {**QUASI, "type": "integer", "operation": {"name": "code", "top": 30, "top_label": "30+"}}
    }
    release = complete(columns, tmp_path / "people.csv", destination=str(tmp_path / "safe.csv"), k=2)
    ages = pl.read_csv(tmp_path / "safe.csv", infer_schema=False)["age"]
    assert ages.value_counts()["count"].min() >= 2
    assert release.verification.passed


def test_an_operation_for_a_column_that_is_not_there_is_a_mistake_of_the_project():
    with pytest.raises(CelosiaError, match="column 'salary' does not exist"):
        released(columns={**OPERATIONS, "salary": {"operation": {"name": "round", "to": 10}}})
    with pytest.raises(CelosiaError, match="column 'salary' does not exist"):
        released(rows=[{"name": "drop-rows", "where": "salary > 3"}])


def test_a_document_of_the_first_version_may_say_a_role_alone(tmp_path):
    write_frame(people(), tmp_path / "people.csv")
    document = {
        "version": 1,
        "source": {"path": str(tmp_path / "people.csv"), "types": {"zip": "text", "age": "integer"}},
        "destination": str(tmp_path / "safe.csv"),
        "columns": {
            "code": "identifier",
            "zip": "quasi-identifier",
            "age": {"role": "common"},
            "city": "common",
            "paid": "common",
        },
        "models": [{"model": "k-anonymity", "k": 5}],
    }
    (tmp_path / "old.json").write_text(json.dumps(document))
    project = load_project(tmp_path / "old.json")
    plan = project.plan("people")
    assert plan.quasi_identifiers == ("zip",)
    assert {name: str(column.type) for name, column in plan.columns.items() if column.type} == {
        "zip": "text",
        "age": "integer",
    }
    assert run_project(project)["people"].written.written == 40
