"""Several tables in one run: all of them leave or none, and what could be joined still can."""

import json
import os
import secrets
import sqlite3
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia import run
from celosia.errors import CelosiaError, NoSolutionError, ProjectError, ReleaseError, TableError
from celosia.hierarchies import Hierarchy
from celosia.project import make_project
from celosia.release import finish, people, publish
from celosia.run import run_project
from celosia.say import keep_texts

PERSON = {"role": "identifier", "operation": {"name": "pseudonymize"}}
K3 = [{"model": "k-anonymity", "k": 3}]
SAME = [["people.id", "visits.person"]]


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("CELOSIA_KEY", secrets.token_hex(32))


def people_table(rows=60):
    random = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "id": np.arange(rows),
            "age": random.integers(30, 36, rows),
            "sex": random.choice(["f", "m"], rows),
        }
    )


def visits_table(rows=120, of=60):
    random = np.random.default_rng(2)
    return pl.DataFrame(
        {
            "person": random.integers(0, of, rows),
            "year": random.integers(2020, 2022, rows),
            "ill": random.choice(["flu", "gout", "asthma"], rows),
        }
    )


def tables_of(**changes):
    """The plans of two tables: a table of people and one of their visits; ``changes`` are fields by table."""
    plans = {
        "people": {
            "person": "id",
            "columns": {"id": PERSON, "age": "quasi-identifier", "sex": "quasi-identifier"},
        },
        "visits": {
            "person": "person",
            "columns": {"person": PERSON, "year": "quasi-identifier", "ill": "sensitive"},
        },
    }
    return {name: plan | changes.get(name, {}) for name, plan in plans.items()}


def released(sources=None, hierarchies=None, **fields):
    fields = {
        "tables": tables_of(),
        "models": K3,
        "suppression": 0.4,
        "repeated_attributes": SAME,
        **fields,
    }
    sources = sources or {"people": people_table(), "visits": visits_table()}
    return run_project(make_project(**fields), sources=sources, hierarchies=hierarchies)


def light(folder, **changes):
    """A light project of two files in a folder; ``changes`` are fields by table."""
    people_table().write_csv(folder / "people.csv")
    visits_table().write_csv(folder / "visits.csv")
    plans = {
        "people": {
            "source": str(folder / "people.csv"),
            "destination": str(folder / "safe people.csv"),
            "columns": {"id": PERSON, "age": {"operation": {"name": "round", "to": 10}}, "sex": "common"},
        },
        "visits": {
            "source": str(folder / "visits.csv"),
            "destination": str(folder / "safe visits.csv"),
            "columns": {"person": PERSON},
        },
    }
    plans = {name: plan | changes.get(name, {}) for name, plan in plans.items()}
    return make_project(kind="light", tables=plans, repeated_attributes=SAME)


def left_in(folder):
    return sorted(path.name for path in folder.iterdir())


SOURCES = ["people.csv", "visits.csv"]
ALL = sorted(
    [
        *SOURCES,
        "safe people.csv",
        "safe people.record.json",
        "safe visits.csv",
        "safe visits.record.json",
    ]
)


# --- all or none
# ----------------------------------------------------------------------------------------------------


def test_all_tables_are_written_each_with_its_record(tmp_path):
    releases = run_project(light(tmp_path))
    assert left_in(tmp_path) == ALL
    assert list(releases) == ["people", "visits"]
    for name, release in releases.items():
        record = json.loads((tmp_path / f"safe {name}.record.json").read_text())
        assert record["table"] == name
        assert record["destination"]["path"] == str(tmp_path / f"safe {name}.csv")
        assert record == json.loads(json.dumps(keep_texts(release.record), default=str))
        assert any("the join of" in finding["text"] for finding in record["verification"]["findings"])


def test_tables_are_joined_by_their_pseudonyms_as_they_were_by_their_keys(tmp_path):
    run_project(light(tmp_path))
    one = pl.read_csv(tmp_path / "safe people.csv").join(
        pl.read_csv(tmp_path / "safe visits.csv"), left_on="id", right_on="person"
    )
    before = people_table().join(visits_table(), left_on="id", right_on="person")
    count = ["sex", "year", "ill"]
    assert sorted(one.select(count).rows()) == sorted(before.select(count).rows())
    assert set(one["id"]).isdisjoint(before["id"].cast(pl.String))


def test_a_second_table_that_fails_leaves_nothing_of_the_first(tmp_path):
    visits = {"columns": {"person": PERSON, "ill": {"operation": {"name": "round", "to": 10}}}}
    with pytest.raises(TableError):
        run_project(light(tmp_path, visits=visits))
    assert left_in(tmp_path) == SOURCES


def test_a_second_table_that_fails_its_verification_leaves_nothing_of_the_first(tmp_path, monkeypatch):
    verify = finish.count_written
    monkeypatch.setattr(finish, "count_written", lambda table: verify(table) - ("person" in table.columns()))
    with pytest.raises(ReleaseError, match="120 rows were written and 119 read back"):
        run_project(light(tmp_path))
    assert left_in(tmp_path) == SOURCES


@pytest.mark.parametrize("when", ["writing", "verifying", "moving"])
def test_an_interrupt_leaves_nothing_of_any_table(tmp_path, monkeypatch, when):
    def interrupt(*_args, **_how):
        raise KeyboardInterrupt

    project = light(tmp_path)
    if when == "writing":  # the second table
        write = run._write_file
        monkeypatch.setattr(
            run, "_write_file", lambda job, *rest: interrupt() if job.name == "visits" else write(job, *rest)
        )
    elif when == "verifying":
        monkeypatch.setattr(finish, "make_record", interrupt)
    else:  # the table that gets its name last
        move = publish._move_both
        monkeypatch.setattr(
            publish,
            "_move_both",
            lambda file, place, **how: (
                interrupt() if place.name == "safe people.csv" else move(file, place, **how)
            ),
        )
    with pytest.raises(KeyboardInterrupt):
        run_project(project)
    assert left_in(tmp_path) == SOURCES


def test_a_name_that_is_taken_meanwhile_leaves_nothing_of_the_other_table(tmp_path, monkeypatch):
    described = finish.make_record

    def take(job, *rest, **how):
        Path(job.plan.destination.path).parent.joinpath("safe people.csv").write_text("somebody else's")
        return described(job, *rest, **how)

    monkeypatch.setattr(finish, "make_record", take)
    with pytest.raises(ReleaseError, match=r"safe people\.csv exists already"):
        run_project(light(tmp_path))
    assert left_in(tmp_path) == [*SOURCES[:1], "safe people.csv", *SOURCES[1:]]
    assert (tmp_path / "safe people.csv").read_text() == "somebody else's"


@pytest.mark.parametrize("fails", ["the file", "the database"])
@pytest.mark.parametrize("in_database", ["people", "visits"])
def test_a_file_and_a_table_of_a_database_leave_together_or_not_at_all(
    tmp_path, monkeypatch, in_database, fails
):
    address = f"sqlite:///{tmp_path / 'safe.db'}"
    sqlite3.connect(tmp_path / "safe.db").close()
    project = light(tmp_path, **{in_database: {"destination": {"path": address, "table": "safe"}}})

    def trouble(*_, **_how):
        raise ReleaseError("trouble")

    with monkeypatch.context() as patch:
        if fails == "the file":
            patch.setattr(publish, "_move_both", trouble)
        else:
            patch.setattr("celosia.tables.sql.new_table.NewTable.publish", trouble)
        with pytest.raises(ReleaseError, match="trouble"):
            run_project(project)
    assert left_in(tmp_path) == sorted([*SOURCES, "safe.db"])
    assert tables_in(tmp_path / "safe.db") == []
    run_project(project)
    assert tables_in(tmp_path / "safe.db") == ["safe"]
    other = {"people": "visits", "visits": "people"}[in_database]
    assert (tmp_path / f"safe {other}.csv").exists()


def tables_in(path):
    database = sqlite3.connect(path)
    try:
        return [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
    finally:
        database.close()


@pytest.mark.parametrize("taken", ["safe people.csv", "safe visits.csv", "safe visits.record.json"])
def test_a_destination_that_exists_is_refused_before_anything_is_read(tmp_path, taken):
    project = light(tmp_path)
    (tmp_path / taken).write_text("there")
    (tmp_path / "people.csv").unlink()  # so that reading it would be another error
    with pytest.raises(ReleaseError, match="exists already"):
        run_project(project)
    assert left_in(tmp_path) == sorted([taken, "visits.csv"])


def test_existing_releases_are_replaced_if_that_is_allowed(tmp_path):
    project = light(tmp_path)
    run_project(project)
    run_project(project, overwrite=True)
    assert left_in(tmp_path) == ALL


@pytest.mark.parametrize("place", ["safe people.csv", "../{here}/safe people.csv", "safe people.parquet"])
def test_two_tables_cannot_go_to_one_place_nor_their_records(tmp_path, place):
    place = str(tmp_path / place.format(here=tmp_path.name))
    with pytest.raises(ProjectError, match="'people' and 'visits', or their records, go to the same place"):
        run_project(light(tmp_path, visits={"destination": place}))
    assert left_in(tmp_path) == SOURCES


def test_a_project_without_tables_says_so():
    with pytest.raises(ProjectError, match="the project has no table"):
        run_project(make_project())


# --- formats
# --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"), [("csv", "parquet"), ("parquet", "csv"), ("json", "jsonl"), ("xlsx", "txt")]
)
def test_tables_go_from_any_format_to_any_other_and_still_join(tmp_path, first, second):
    people_table().write_parquet(tmp_path / "people.parquet")
    visits_table().write_csv(tmp_path / "visits.csv")
    changes = {
        "people": {
            "source": str(tmp_path / "people.parquet"),
            "destination": str(tmp_path / f"one.{first}"),
        },
        "visits": {"source": str(tmp_path / "visits.csv"), "destination": str(tmp_path / f"two.{second}")},
    }
    releases = run_project(
        make_project(models=K3, suppression=0.4, tables=tables_of(**changes), repeated_attributes=SAME)
    )
    from celosia.tables import open_table

    ids, persons = (
        set(open_table(releases[name].table).count_by([column]).values[0])
        for name, column in (("people", "id"), ("visits", "person"))
    )
    assert persons <= ids
    assert len(ids) == 60 - releases["people"].record["people"]["left out"]


def test_one_table_can_be_a_frame_and_another_a_file(tmp_path):
    visits_table().write_parquet(tmp_path / "visits.parquet")
    where = {"source": str(tmp_path / "visits.parquet"), "destination": str(tmp_path / "safe.parquet")}
    releases = released({"people": people_table().to_pandas()}, tables=tables_of(visits=where))
    assert type(releases["people"].table).__module__.startswith("pandas")
    assert releases["visits"].table == tmp_path / "safe.parquet"
    joined = pl.from_pandas(releases["people"].table).join(
        pl.read_parquet(tmp_path / "safe.parquet"), left_on="id", right_on="person"
    )
    assert len(joined) > 0


# --- people
# ---------------------------------------------------------------------------------------------------------


def test_people_are_hidden_among_k_on_the_join_and_one_left_out_is_in_no_table():
    releases = released()
    one, two = releases["people"].table, releases["visits"].table
    looks = (
        one.join(
            two.group_by("person").agg(pl.col("year").unique().sort()),
            left_on="id",
            right_on="person",
            how="left",
        )
        .group_by("age", "sex", "year")
        .len()
    )
    assert looks["len"].min() >= 3
    assert set(two["person"]) <= set(one["id"])
    told = releases["people"].record["people"]
    assert one.height == 60 - told["left out"] == told["people"] - told["left out"]
    assert told["left out"] > 0
    assert releases["visits"].record["people"]["rows of people left out"] == 120 - two.height


def test_the_person_column_is_left_out_as_an_identifier_that_nothing_is_done_to():
    tables = tables_of(
        people={"columns": {"age": "quasi-identifier", "sex": "quasi-identifier"}},
        visits={"columns": {"year": "quasi-identifier", "ill": "sensitive"}},
    )
    releases = released(tables=tables)
    assert releases["people"].table.columns == ["age", "sex"]
    assert releases["visits"].table.columns == ["year", "ill"]
    texts = [finding.text for finding in releases["visits"].verification.findings]
    assert "the rows are those in which people were counted" in texts


def test_rows_that_differ_from_those_in_which_people_were_counted_are_withdrawn(monkeypatch):
    columns = {"id": "identifier", "age": "quasi-identifier", "sex": "common"}
    tables = tables_of(people={"columns": columns})
    tables["visits"]["columns"]["person"] = "identifier"
    recode = run._recode_frame

    def broken(job, plan):
        frame, _, written = recode(job, plan)
        frame = frame.with_columns(year=pl.lit("2020")) if "year" in frame.columns else frame
        return frame, run.open_table(frame, missing=()), written

    monkeypatch.setattr(run, "_recode_frame", broken)
    with pytest.raises(ReleaseError, match="not those in which people were counted"):
        released(tables=tables)


def test_a_release_in_which_people_are_not_hidden_is_withdrawn(monkeypatch):
    monkeypatch.setattr(people.PeopleCounting, "sizes", lambda _: (np.array([2, 5]), np.array([1, 1])))
    with pytest.raises(ReleaseError, match="asked 3, reached 2"):
        released()


def test_rows_of_somebody_left_out_that_a_missing_value_excludes_are_counted_once():
    visits = visits_table().with_columns(
        year=pl.when(pl.int_range(pl.len()) % 4 == 0).then(None).otherwise("year")
    )
    technique = {"name": "full-domain", "node": [0, 0, 1]}
    releases = released(
        {"people": people_table(), "visits": visits}, missing="drop", technique=technique, suppression=0.9
    )
    told, written = releases["visits"].record["people"], releases["visits"].written
    assert told["left out"] > 0
    assert 0 < written.excluded < 30
    assert (written.source, written.suppressed) == (120, told["rows of people left out"])
    assert written.written == written.source - written.excluded - written.suppressed


def test_a_model_of_a_column_is_asked_of_the_table_that_has_it():
    diverse = [*K3, {"model": "distinct-l-diversity", "column": "ill", "l": 2}]
    releases = released(models=diverse)
    two = releases["visits"].table.join(
        releases["people"].table.with_columns(looks=pl.struct("age", "sex")), left_on="person", right_on="id"
    )
    values = (
        two.with_columns(
            years=pl.col("year").unique().sort().implode().over("person").cast(pl.List(pl.Int64))
        )
        .group_by("looks", pl.col("years").cast(pl.List(pl.String)).list.join(" "))
        .agg(pl.col("ill").n_unique())
    )
    assert values["ill"].min() >= 2


def test_a_column_declared_once_for_all_tables_is_asked_of_those_that_have_it():
    tables = tables_of(visits={"columns": {"person": PERSON, "year": "quasi-identifier"}})
    diverse = [*K3, {"model": "distinct-l-diversity", "column": "ill", "l": 2}]
    releases = released(tables=tables, models=diverse, columns={"ill": "sensitive"})
    assert "distinct-l-diversity of 'ill'" in str(releases["visits"].verification.findings)


def test_a_model_of_a_column_that_no_table_has_is_not_forgotten():
    diverse = [*K3, {"model": "distinct-l-diversity", "column": "wealth", "l": 2}]
    with pytest.raises(ProjectError, match="'wealth'"):
        released(models=diverse, columns={"wealth": "sensitive"})
    with pytest.raises(ProjectError, match="'wealth'"):
        released(models=diverse)


def test_a_sensitive_column_of_the_same_name_is_looked_at_in_every_table():
    ids = [1, 2, 3, 4]
    one = pl.DataFrame({"id": ids, "a": [1] * 4, "ill": ["flu", "gout", "flu", "gout"]})
    two = pl.DataFrame({"id": ids, "b": [1] * 4, "ill": ["flu"] * 4})
    plans = {
        name: {
            "person": "id",
            "columns": {"id": "identifier", column: "quasi-identifier", "ill": "sensitive"},
        }
        for name, column in (("one", "a"), ("two", "b"))
    }
    fields = {
        "tables": plans,
        "models": [{"model": "distinct-l-diversity", "column": "ill", "l": 2}],
        "repeated_attributes": [["one.id", "two.id"]],
    }
    with pytest.raises(NoSolutionError, match="4 of 4 people would be left out"):
        run_project(make_project(**fields), sources={"one": one, "two": two})
    fields["tables"]["two"]["models"] = K3
    found = run_project(make_project(**fields), sources={"one": one, "two": two})
    assert found["two"].table["ill"].to_list() == ["flu"] * 4


def test_a_table_without_quasi_identifiers_is_released_with_those_who_hide_its_people():
    tables = tables_of(visits={"columns": {"person": PERSON, "ill": "sensitive"}})
    releases = released(
        {"people": people_table(), "visits": visits_table().drop("year")},
        tables=tables,
        models=[*K3, {"model": "distinct-l-diversity", "column": "ill", "l": 2}],
    )
    assert releases["visits"].table.columns == ["person", "ill"]
    with pytest.raises(ProjectError, match="no quasi-identifier is declared"):
        released(
            {"visits": visits_table()},
            tables={"visits": {"person": "person", "columns": {"person": PERSON, "ill": "sensitive"}}},
            repeated_attributes=[],
        )


def test_a_quasi_identifier_that_tables_share_becomes_the_same_in_all():
    one = pl.DataFrame({"id": range(20), "age": [20 + 3 * i for i in range(20)]})
    two = pl.DataFrame({"id": range(20), "years": [20 + i for i in range(20)]})
    plans = {
        "one": {"person": "id", "columns": {"id": PERSON, "age": "quasi-identifier"}},
        "two": {"person": "id", "columns": {"id": PERSON, "years": "quasi-identifier"}},
    }
    project = make_project(
        models=[{"model": "k-anonymity", "k": 2}],
        tables=plans,
        suppression=0.2,
        repeated_attributes=[["one.id", "two.id"], ["one.age", "two.years"]],
    )
    found = run_project(project, sources={"one": one, "two": two})
    assert found["one"].record["node"]["age"] == found["two"].record["node"]["years"] > 0
    labels = [set(found["one"].table["age"]), set(found["two"].table["years"])]

    def ends(label):
        low, _, high = label.strip("[]").partition("-")
        return int(low), int(high)

    for label, other in ((a, b) for a in labels[0] for b in labels[1] if "*" not in a + b):
        (a, b), (c, d) = ends(label), ends(other)
        assert label == other or b < c or d < a


def test_one_hierarchy_holds_for_a_shared_column_and_two_are_refused():
    ids = list(range(6))
    town = Hierarchy.from_rows(
        "town", [("Lugo", "north", "*"), ("Vigo", "north", "*"), ("Cádiz", "south", "*")]
    )
    other = Hierarchy.from_rows("town", [("Lugo", "*"), ("Vigo", "*"), ("Cádiz", "*")])
    frame = pl.DataFrame({"id": ids, "town": ["Lugo", "Vigo", "Lugo", "Vigo", "Cádiz", "Cádiz"]})
    plans = {
        name: {"person": "id", "columns": {"id": PERSON, "town": "quasi-identifier"}}
        for name in ("one", "two")
    }
    project = make_project(
        models=[{"model": "k-anonymity", "k": 2}],
        tables=plans,
        repeated_attributes=[["one.id", "two.id"], ["one.town", "two.town"]],
        technique={"name": "full-domain", "node": [1]},
    )
    sources = {"one": frame, "two": frame}
    found = run_project(project, sources=sources, hierarchies={"one": {"town": town}})
    assert set(found["two"].table["town"]) == {"north", "south"}
    with pytest.raises(ProjectError, match=r"one\.town and two\.town .* different hierarchies"):
        run_project(project, sources=sources, hierarchies={"one": {"town": town}, "two": {"town": other}})


# --- mistakes
# -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"technique": "mondrian", "suppression": 0},
            "by technique full-domain and its optimal search only",
        ),
        (
            {"technique": {"name": "full-domain", "search": "datafly"}},
            "by technique full-domain and its optimal search only",
        ),
        (
            {"technique": {"name": "full-domain", "node": [9, 9]}},
            "is not a node; give one level per column",
        ),
        ({"technique": {"name": "full-domain", "node": [-1, 0, 0]}}, "is not a node"),
        ({"technique": {"name": "full-domain", "node": [0, 0, 0]}, "suppression": 0}, "would be left out"),
        ({"measure": "discernibility"}, "choose loss, precision"),
        ({"tables": tables_of(visits={"measure": "precision"})}, "ask for different measures"),
        (
            {"tables": tables_of(visits={"person": "nobody"})},
            "'nobody', which tells people apart, does not exist",
        ),
        ({"tables": tables_of(people={"person": "age"})}, "'age' tells people apart"),
        (
            {"repeated_attributes": [*SAME, ["people.age", "visits.age"]]},
            "column 'age' does not exist",
        ),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(fields, words):
    with pytest.raises(CelosiaError) as error:
        released(**fields)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "operation",
    [
        "shuffle",
        {"name": "encrypt", "mode": "gcm"},
        {"name": "suppress", "where": "year > 2020", "label": "x"},
    ],
)
def test_an_operation_that_makes_two_people_of_one_is_refused(operation):
    plan = {"person": "person", "columns": {"person": {"operation": operation}, "year": "quasi-identifier"}}
    with pytest.raises(ProjectError, match="nobody could be counted"):
        released({"visits": visits_table()}, tables={"visits": plan}, repeated_attributes=[])


def test_rows_that_do_not_say_whose_they_are_are_refused():
    visits = visits_table()
    visits = visits.with_columns(person=pl.when(pl.col("person") != visits["person"][0]).then("person"))
    with pytest.raises(ProjectError, match=r"\d+ rows do not say whose they are: 'person' is missing"):
        released({"people": people_table(), "visits": visits})


def test_a_person_column_that_an_operation_removes_is_refused():
    tables = tables_of(visits={"columns": {"person": {"operation": "suppress"}, "year": "quasi-identifier"}})
    tables["people"]["columns"].pop("id")
    with pytest.raises(ProjectError, match="removes 'id', by which people are told apart"):
        released(tables=tables)


def test_an_attribute_cannot_be_treated_differently_in_two_tables():
    tables = tables_of(visits={"columns": {"person": {"operation": {"name": "pseudonymize", "domain": "b"}}}})
    with pytest.raises(ProjectError, match=r"people\.id and visits\.person .* have different operations"):
        released(tables=tables)


def test_what_is_said_of_an_attribute_in_one_table_holds_in_all():
    tables = tables_of()
    tables["visits"]["columns"].pop("person")
    releases = released(tables=tables)
    assert set(releases["visits"].table["person"]) <= set(releases["people"].table["id"])


def test_a_repeated_quasi_identifier_of_tables_that_are_not_of_the_same_people_is_refused():
    frame = pl.DataFrame({"zip": ["1", "1", "2", "2"]})
    plans = {name: {"columns": {"zip": "quasi-identifier"}} for name in ("one", "two")}
    fields = {"models": [{"model": "k-anonymity", "k": 2}], "tables": plans}
    with pytest.raises(ProjectError, match="it would no longer join"):
        run_project(
            make_project(**fields, repeated_attributes=[["one.zip", "two.zip"]]),
            sources={"one": frame, "two": frame},
        )
    assert len(run_project(make_project(**fields), sources={"one": frame, "two": frame})) == 2


def test_tables_without_people_in_common_are_each_planned_by_itself():
    frame = people_table().drop("id")
    plans = {
        "a": {"columns": {"age": "quasi-identifier", "sex": "quasi-identifier"}},
        "b": {"columns": {"age": "quasi-identifier", "sex": "quasi-identifier"}, "technique": "mondrian"},
        "c": {
            "kind": "light",
            "columns": {"age": {"operation": {"name": "round", "to": 10}}, "sex": "common"},
        },
    }
    found = run_project(make_project(models=K3, tables=plans), sources=dict.fromkeys(plans, frame))
    assert found["a"].table.group_by("age", "sex").len()["len"].min() >= 3
    assert found["b"].table.group_by("age", "sex").len()["len"].min() >= 3
    assert set(found["c"].table["age"]) == {30, 40}


def test_no_temporary_file_stays_behind(tmp_path):
    run_project(light(tmp_path))
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


# --- attributes said once
# -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ref", "code"])
def test_what_is_said_for_all_tables_holds_for_an_attribute_under_any_name(name):
    one = pl.DataFrame({"ref": ["a1", "a2", "a3"], "x": [1, 2, 3]})
    two = pl.DataFrame({name: ["a1", "a1", "a3"], "y": [1, 2, 3]})
    project = make_project(
        kind="light",
        columns={"ref": {"operation": "pseudonymize"}},
        tables={"one": {}, "two": {}},
        repeated_attributes=[["one.ref", f"two.{name}"]],
    )
    found = run_project(project, sources={"one": one, "two": two})
    assert not set(found["one"].table["ref"]) & {"a1", "a2", "a3"}
    assert set(found["two"].table[name]) < set(found["one"].table["ref"])


def test_a_repeated_column_that_is_gone_from_one_table_is_reported():
    frame = pl.DataFrame({"zip": ["1", "1", "2", "2"]})
    plans = {
        "one": {"columns": {"zip": "quasi-identifier"}},
        "two": {"unlisted": "drop", "columns": {"zip": "quasi-identifier", "age": "quasi-identifier"}},
    }
    project = make_project(
        models=[{"model": "k-anonymity", "k": 2}], tables=plans, repeated_attributes=[["one.zip", "two.zip"]]
    )
    found = run_project(project, sources={"one": frame, "two": pl.DataFrame({"age": [1, 1, 2, 2]})})
    assert found["two"].record["changes"] == ["column 'zip' is gone"]
    assert found["one"].table["zip"].value_counts()["count"].to_list() == [2, 2]


def test_missing_values_of_files_are_one_value_for_people_too(tmp_path):
    (tmp_path / "people.csv").write_text(
        "id,age,job\n" + "".join(f"{i},{20 + i % 2},{['cook', 'NA', ''][i % 3]}\n" for i in range(12))
    )
    (tmp_path / "visits.csv").write_text(
        "id,year\n" + "".join(f"{i % 12},{2020 + i % 2}\n" for i in range(24))
    )
    quasi = {"people": ("age", "job"), "visits": ("year",)}
    plans = {
        name: {
            "source": str(tmp_path / f"{name}.csv"),
            "destination": str(tmp_path / f"safe {name}.csv"),
            "person": "id",
            "columns": dict.fromkeys(columns, "quasi-identifier"),
        }
        for name, columns in quasi.items()
    }
    project = make_project(
        models=[{"model": "k-anonymity", "k": 2}],
        tables=plans,
        repeated_attributes=[["people.id", "visits.id"]],
    )
    found = run_project(project)
    assert found["people"].record["node"] == {"age": 0, "job": 0}
    assert found["people"].record["people"]["smallest class"] == 2
    jobs = pl.read_csv(tmp_path / "safe people.csv", infer_schema=False)["job"].value_counts()
    assert sorted(jobs["count"]) == [4, 8]


def test_a_repeated_attribute_takes_no_operation_that_tells_equal_values_apart(tmp_path):
    person = {"role": "identifier", "operation": {"name": "encrypt", "mode": "gcm"}}
    project = light(
        tmp_path, people={"columns": {"id": person, "age": "common", "sex": "common"}}, visits={"columns": {}}
    )
    with pytest.raises(ProjectError, match=r"after encrypt no table can be joined by people\.id"):
        run_project(project)
    assert left_in(tmp_path) == SOURCES


def test_whoever_joins_tables_knows_the_quasi_identifiers_of_both():
    """By ward alone nobody is found among the stays; with the age that the other table shows, everybody is."""
    people = pl.DataFrame({"id": [f"p{n}" for n in range(40)], "age": [20 + n // 5 for n in range(40)]})
    stays = pl.DataFrame({"who": people["id"], "year": [2024] * 40, "ward": [f"w{n % 5}" for n in range(40)]})
    document = {
        "keys": {"default": {"environment": "CELOSIA_KEY"}},
        "models": [{"model": "k-anonymity", "k": 5}],
        "tables": {
            "people": {
                "person": "id",
                "columns": {
                    "id": {"role": "identifier", "operation": "pseudonymize"},
                    "age": "quasi-identifier",
                },
            },
            "stays": {"person": "who", "columns": {"year": "quasi-identifier", "ward": "common"}},
        },
        "repeated_attributes": [["people.id", "stays.who"]],
    }
    releases = run_project(make_project(**document), sources={"people": people, "stays": stays})
    exposure = releases["stays"].exposure["ward"]
    assert (exposure.small, exposure.alone_with) == (0, 40)
    assert not releases["stays"].verdict.is_protected
