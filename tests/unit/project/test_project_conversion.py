"""Projects of Anonylitics and jobs of SparkTPTDS, read into projects."""

import json
from typing import Any

import pytest

from celosia.errors import ProjectError
from celosia.hierarchies import Hierarchy
from celosia.project.convert import ConvertedProject, convert
from celosia.project.document import parse_document
from celosia.project.load import parse_project
from celosia.project.writing import to_yaml


def converted(data: dict[str, Any], trees: dict[str, Any] | None = None) -> ConvertedProject:
    return convert(
        parse_document(json.dumps(data, indent=1), "p.json", "json"),
        trees=None if trees is None else parse_document(json.dumps(trees, indent=1), "t.json", "json"),
    )


def column(name: str, **more: Any) -> dict[str, Any]:
    return {"column_name": name, **more}


def operation(name: str, *parameters: Any) -> dict[str, Any]:
    return {"name": name, "parametrization": list(parameters)}


def anonylitics(**more: Any) -> dict[str, Any]:
    return {
        "user": "ana",
        "project_name": "flu",
        "anonymization_type": "Completa",
        "connection": {
            "ip": "10.0.0.7",
            "port": 3306,
            "database": "clinic",
            "username": "reader",
            "password": "hunter2",
        },
        "tables": [
            {
                "table_name": "people",
                "table_schema": "clinic",
                "anonymized_table_name": "people_safe",
                "anonymized_table_schema": "public",
                "columns": [
                    column(
                        "id",
                        data_type="Categórico",
                        attribute_type="Identificador",
                        operation=operation("Cifrar"),
                    ),
                    column(
                        "city",
                        data_type="Categorico",
                        attribute_type="Cuasi-identificador",
                        keep_data_type=True,
                        operation=operation(
                            "Generalizar",
                            {"Soria": [{"level": 2, "value": "Spain"}, {"level": 1, "value": "North"}]},
                            {"Cádiz": [{"level": 1, "value": "South"}, {"level": 2, "value": "Spain"}]},
                            {},
                        ),
                    ),
                    column(
                        "age",
                        data_type="Numérico",
                        attribute_type="pseudo-identificador",
                        keep_data_type=True,
                        operation={"name": "Generalizar"},
                    ),
                    column(
                        "disease",
                        data_type="Categórico",
                        attribute_type="Sensible",
                        operation={"name": "N/A"},
                    ),
                    column("ward", attribute_type="COMUN", operation="N/A"),
                ],
            }
        ],
        "principles": [{"principle_name": "k-anonymity", "principle_value": 5}],
        **more,
    }


def one_column(**more: Any) -> ConvertedProject:
    """A project without a connection whose only column is as given."""
    data = anonylitics(principles=[])
    del data["connection"]
    data["tables"] = [{"table_name": "people", "columns": [column("x", **more)]}]
    return converted(data)


def plan_of(found: ConvertedProject) -> dict[str, Any]:
    plan: dict[str, Any] = found.project["tables"]["people"]["columns"]["x"]
    return plan


def test_a_whole_project_of_anonylitics():
    found = converted(anonylitics())
    assert found.system == "Anonylitics"
    assert found.project == {
        "version": 2,
        "name": "flu",
        "owner": "ana",
        "kind": "complete",
        "connections": {"source": "mariadb://reader@10.0.0.7:3306/clinic"},
        "keys": {"project": {"environment": "CELOSIA_KEY"}},
        "hierarchies": {"city": [["Soria", "North", "Spain"], ["Cádiz", "South", "Spain"]]},
        "tables": {
            "people": {
                "source": {"connection": "source", "table": "clinic.people"},
                "destination": {"connection": "source", "table": "public.people_safe"},
                "columns": {
                    "id": {"role": "identifier", "operation": {"name": "encrypt", "key": "project"}},
                    "city": {"role": "quasi-identifier", "hierarchy": "city"},
                    "age": {"role": "quasi-identifier", "keep_type": True},
                    "disease": {"role": "sensitive"},
                    "ward": {"role": "common"},
                },
            }
        },
        "models": [{"model": "k-anonymity", "k": 5}],
        "technique": {
            "name": "mondrian",
            "split": "distribution",
            "represent": "mode",
            "width": "deviation",
        },
    }


def test_the_password_is_left_behind_and_nowhere_told():
    found = converted(anonylitics())
    assert "hunter2" not in json.dumps([found.project, found.notes])
    assert any("password was not carried over" in note for note in found.notes)


def test_what_is_converted_survives_being_written():
    project = converted(anonylitics()).project
    assert parse_document(to_yaml(project), "p.yaml", "yaml").data == project


@pytest.mark.parametrize("kind", ["Completa", "Ligera"])
def test_what_is_converted_is_a_project(kind):
    project = converted(two_tables(anonymization_type=kind)).project
    assert parse_project(to_yaml(project)).name == "flu"


@pytest.mark.parametrize("key", ["initial_val", "origin_val"])
def test_both_spellings_of_a_substitution_count(key):
    found = one_column(
        attribute_type="Común",
        operation=operation("Sustituir", {key: "f", "target_val": "1"}, {key: " m ", "target_val": 2}, {}),
    )
    pairs = {"f": "1", " m ": "2"}
    assert plan_of(found)["operation"] == {"name": "substitute", "pairs": pairs, "others": "keep"}


def test_a_value_that_is_substituted_in_two_ways_is_an_error_that_does_not_tell_it():
    pairs = [{"origin_val": "Ana", "target_val": "1"}, {"initial_val": "Ana", "target_val": "2"}]
    with pytest.raises(ProjectError, match=r"p\.json, line \d+, .*substituted in two ways") as caught:
        one_column(operation=operation("Sustituir", *pairs))
    assert "Ana" not in str(caught.value)


@pytest.mark.parametrize("word", ["Suprimir", "SUPRIMIR", "suprimir"])
def test_a_column_is_suppressed(word):
    assert plan_of(one_column(operation=operation(word)))["operation"] == {"name": "suppress"}


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("Cuasi-identificador", "quasi-identifier"),
        ("cuasiidentificador", "quasi-identifier"),
        ("Pseudo-identificador", "quasi-identifier"),
        ("Común", "common"),
        ("Comun", "common"),
        ("Sensible", "sensitive"),
        ("IDENTIFICADOR", "identifier"),
    ],
)
def test_roles_are_read_with_and_without_accents(word, role):
    assert plan_of(one_column(attribute_type=word))["role"] == role


def test_an_identifier_without_operation_is_noted():
    found = one_column(attribute_type="Identificador", operation="N/A")
    assert "operation" not in plan_of(found)
    told = "people.x: an identifier without an operation does not leave; give it the role common if it must be released"
    assert any(told in note for note in found.notes)


def test_a_light_project_has_no_models_and_generalizes_to_the_first_level():
    data = anonylitics(anonymization_type="Ligera")
    found = converted(data)
    assert found.project["kind"] == "light"
    assert "models" not in found.project
    assert "technique" not in found.project
    assert found.project["tables"]["people"]["columns"]["city"]["operation"] == {
        "name": "generalize",
        "hierarchy": "city",
        "level": 1,
    }
    assert any("principles" in note for note in found.notes)
    assert any("level 1" in note for note in found.notes)


def test_hierarchies_with_holes_and_without_a_root_become_whole_ones():
    found = one_column(
        attribute_type="Cuasi-identificador",
        operation=operation(
            "Generalizar",
            {"a": [{"level": 0, "value": "a"}, {"level": 1, "value": "A"}, {"level": 3, "value": "top"}]},
            {"b": [{"level": 0, "value": "b"}, {"level": 1, "value": "B"}]},
        ),
    )
    rows = found.project["hierarchies"]["x"]
    assert rows == [["a", "A", "top", "*"], ["b", "B", "B", "*"]]
    assert Hierarchy.from_rows("x", rows).height == 3
    assert any("no common root" in note for note in found.notes)


def test_equal_hierarchies_are_shared_and_others_get_names_of_their_own():
    def city(name: str, top: str) -> dict[str, Any]:
        levels = [{"level": 1, "value": top}]
        return column(
            name, attribute_type="Cuasi-identificador", operation=operation("Generalizar", {"Soria": levels})
        )

    data = anonylitics()
    data["tables"] = [
        {"table_name": "a", "columns": [city("city", "Spain"), city("birthplace", "Spain")]},
        {"table_name": "b", "columns": [city("city", "Europe")]},
    ]
    project = converted(data).project
    assert project["hierarchies"] == {"city": [["Soria", "Spain"]], "city_2": [["Soria", "Europe"]]}
    assert project["tables"]["a"]["columns"]["birthplace"]["hierarchy"] == "city"
    assert project["tables"]["b"]["columns"]["city"]["hierarchy"] == "city_2"


def two_tables(**more: Any) -> dict[str, Any]:
    data = anonylitics(**more)
    data["tables"].append(
        {
            "table_name": "visits",
            "table_schema": "clinic",
            "anonymized_table_name": "visits_safe",
            "columns": [
                column("person", attribute_type="Identificador", operation=operation("Cifrar")),
                column("cost", attribute_type="Sensible"),
            ],
        }
    )
    return data


def test_repeated_attributes_become_places():
    group = [
        {"column_name": "id", "table_name": "people"},
        {"column_name": "person", "table_name": "visits"},
        {},
    ]
    lost = [
        {"column_name": "nothing", "table_name": "people"},
        {"column_name": "ward", "table_name": "people"},
    ]
    found = converted(two_tables(repeated_attributes=[group, lost, []]))
    assert found.project["repeated_attributes"] == [["people.id", "visits.person"]]
    assert any("no column 'nothing'" in note for note in found.notes)
    assert any("people.ward stands alone" in note for note in found.notes)


def test_an_identifier_gets_the_operation_of_the_same_attribute_elsewhere():
    data = two_tables(
        repeated_attributes=[
            [
                {"column_name": "person", "table_name": "visits"},
                {"column_name": "client", "table_name": "bills"},
            ]
        ]
    )
    bills = [column("client", attribute_type="Identificador"), column("code", attribute_type="Identificador")]
    data["tables"].append(
        {
            "table_name": "bills",
            "table_schema": "clinic",
            "anonymized_table_name": "bills_safe",
            "columns": bills,
        }
    )
    found = converted(data)
    about = [note for note in found.notes if note.startswith("bills.")]
    assert about[0] == "bills.client: it holds the same attribute as visits.person and gets its operation"
    assert about[1].startswith("bills.code: an identifier without an operation does not leave")
    plan = parse_project(to_yaml(found.project)).plan("bills")
    assert [one.name for one in plan.columns["client"].operation] == ["encrypt"]
    assert plan.dropped == ("code",)


def test_tables_of_the_same_name_in_two_schemas_are_two():
    data = anonylitics()
    data["tables"].append({"table_name": "people", "table_schema": "old.one", "columns": []})
    tables = converted(data).project["tables"]
    assert tables["people_2"]["source"]["table"] == '"old.one".people'


@pytest.mark.parametrize(
    ("value", "k"),
    [(5, 5), (5.0, 5), ("5", 5), (4.5, 5), ("4,5", 5)],
    ids=["whole", "real", "text", "half", "comma"],
)
def test_k_is_a_whole_number(value, k):
    found = converted(anonylitics(principles=[{"principle_name": "k-anonymity", "principle_value": value}]))
    assert found.project["models"] == [{"model": "k-anonymity", "k": k}]
    assert any("rounded up" in note for note in found.notes) is (value in (4.5, "4,5"))


@pytest.mark.parametrize(("value", "t"), [(0.2, 0.2), ("0,2", 0.2), (20, 0.2), ("20%", 0.2), (1, 1.0)])
def test_t_is_a_fraction_of_every_sensitive_column(value, t):
    principles = [
        {"principle_name": "t-closeness", "principle_value": value},
        {"principle_name": "k-anonymity", "principle_value": 3},
    ]
    assert converted(anonylitics(principles=principles)).project["models"] == [
        {"model": "k-anonymity", "k": 3},
        {"model": "t-closeness", "t": t, "column": "disease"},
    ]
    data = two_tables(principles=principles)
    data["tables"][1]["columns"].append(column("year", attribute_type="Cuasi-identificador"))
    project = converted(data).project
    assert "models" not in project
    assert {name: table["models"][1]["column"] for name, table in project["tables"].items()} == {
        "people": "disease",
        "visits": "cost",
    }


def test_a_principle_without_a_number_is_an_error():
    with pytest.raises(ProjectError, match=r"principles\[0\].principle_value: k-anonymity has no number"):
        converted(anonylitics(principles=[{"principle_name": "k-anonymity", "principle_value": "many"}]))


@pytest.mark.parametrize(
    ("connection", "address"),
    [
        ({"ip": "db", "port": 5432, "database": "x"}, "postgresql://db:5432/x"),
        ({"ip": "db", "database": "x", "type": "PostgreSQL", "username": "a b"}, "postgresql://a%20b@db/x"),
        ({"ip": "::1", "port": "3306", "database": "a/b"}, "mariadb://[::1]:3306/a%2Fb"),
        ({"cluster": "hive", "token": "hunter2"}, None),
        ({"ip": "db", "database": "x", "type": "Hive"}, None),
    ],
)
def test_connections_become_addresses(connection, address):
    found = converted(anonylitics(connection=connection))
    assert found.project.get("connections", {}).get("source") == address
    if address is None:
        assert found.project["tables"]["people"]["source"] == "people.csv"
        assert found.project["tables"]["people"]["destination"] == "people_safe.csv"
        assert found.project["tables"]["people"]["columns"]["city"]["type"] == "text"
    assert "hunter2" not in json.dumps([found.project, found.notes])


def test_a_password_in_the_place_of_the_host_is_not_told():
    with pytest.raises(ProjectError, match="not the name of a server") as caught:
        converted(anonylitics(connection={"ip": "ana:hunter2@db", "database": "x"}))
    assert "hunter2" not in str(caught.value)


def test_a_release_never_takes_the_place_of_its_table():
    data = anonylitics()
    data["tables"][0] |= {"anonymized_table_name": "people", "anonymized_table_schema": "clinic"}
    found = converted(data)
    assert found.project["tables"]["people"]["destination"]["table"] == "clinic.people_safe"
    assert any("take the place of a table" in note for note in found.notes)


def test_fields_that_nobody_knows_are_noted():
    data = anonylitics(colour="blue")
    data["tables"][0]["columns"][0]["width"] = 5
    notes = converted(data).notes
    assert "the field 'colour' is not known and was not carried over" in notes
    assert "tables.columns: the field 'width' is not known and was not carried over" in notes


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"anonymization_type": "Media"}, "anonymization_type: 'Media' means nothing here"),
        ({"tables": {"people": {}}}, "tables: it should be a list"),
        ({"tables": [{"columns": []}]}, "tables[0]: the table has no name"),
        ({"tables": [{"table_name": "a", "columns": [5]}]}, "tables[0].columns[0]: it should be an object"),
        ({"tables": [{"table_name": "a"}, {"table_name": "a"}]}, "described twice"),
        (
            {"tables": [{"table_name": "a", "columns": [{"column_name": "x", "attribute_type": "Cosa"}]}]},
            "tables[0].columns[0].attribute_type: 'Cosa' means nothing here",
        ),
        ({"repeated_attributes": ["a"]}, "repeated_attributes: it should be a list of lists"),
        ({"connection": {"ip": "a", "port": "x", "database": "b"}}, "the port should be a number"),
    ],
)
def test_what_is_wrong_is_told_by_field_and_line(change, said):
    with pytest.raises(ProjectError) as caught:
        converted(anonylitics(**change))
    assert str(caught.value).startswith("p.json, line ")
    assert said in str(caught.value)


# SparkTPTDS

JOB = {
    "attributes_to_remove": ["fnlwgt"],
    "sensitive_attributes": ["class"],
    "categorical_attributes": ["sex", "race"],
    "continous_attributes": ["age"],
    "dataset_missing_values": True,
    "save_anonymization_result": True,
    "result_file_name": "tds_anonymization",
    "partitions": 3,
    "file_path": "../data/adult/adult.json",
}
TREES = {
    "sex": {"value": "All sex", "children": [{"value": "Female"}, {"value": "Male"}]},
    "race": {"value": "All race", "children": [{"value": "White"}, {"value": "Black"}]},
}
EXPECTED = {
    "version": 2,
    "hierarchies": TREES,
    "tables": {
        "adult": {
            "source": "../data/adult/adult.json",
            "destination": "../data/adult/tds_anonymization.json",
            "columns": {
                "fnlwgt": {"role": "identifier"},
                "sex": {"type": "text", "role": "quasi-identifier", "hierarchy": "sex"},
                "race": {"type": "text", "role": "quasi-identifier", "hierarchy": "race"},
                "age": {"type": "integer", "role": "quasi-identifier"},
                "class": {"role": "sensitive"},
            },
        }
    },
    "models": [{"model": "k-anonymity", "k": 5}],
    "technique": {"name": "two-phase", "partitions": 3},
    "missing": "mode",
}


def test_a_job_of_sparktptds_and_its_trees():
    found = converted(JOB, TREES)
    assert found.system == "SparkTPTDS"
    assert found.project == EXPECTED
    assert any(note.startswith("k: ") for note in found.notes)


def test_both_may_stand_in_one_document():
    assert converted({"data_information": JOB, "categorical_trees": TREES}).project == EXPECTED
    assert converted({**JOB, "categorical_trees": TREES}).project == EXPECTED
    assert converted(JOB, {"categorical_trees": TREES}).project == EXPECTED


def test_k_and_k_i_are_taken_where_they_are_given():
    found = converted({**JOB, "k": 50, "k_i": 100}, TREES)
    assert found.project["models"] == [{"model": "k-anonymity", "k": 50}]
    assert found.project["technique"] == {"name": "two-phase", "partitions": 3, "k_partition": 100}
    plan = parse_project(to_yaml(found.project)).plan()
    assert (plan.technique.partitions, plan.technique.k_partition) == (3, 100)


def test_without_partitions_the_technique_has_its_own():
    job = {name: value for name, value in JOB.items() if name != "partitions"}
    assert converted(job, TREES).project["technique"] == "two-phase"


@pytest.mark.parametrize(
    ("path", "result", "table", "source", "destination"),
    [
        ("hdfs:///d/adult.csv", "safe", "adult", {}, "hdfs:///d/safe.csv"),
        ("hdfs://host:8020/d/adult.parquet/", "x/safe.orc", "adult", {}, "x/safe.orc"),
        ("hive:census.adult", "safe", "adult", {}, "hive:census.safe"),
        ("hive:adult", "other.safe", "adult", {}, "hive:other.safe"),
        ("hive:adult", "hdfs:///safe", "adult", {}, "hdfs:///safe.parquet"),
        ("file:///d/adult", "safe", "adult", {"format": "json"}, "file:///d/safe.json"),
    ],
)
def test_what_is_on_a_cluster_is_read_and_released_there(path, result, table, source, destination):
    found = converted({**JOB, "file_path": path, "result_file_name": result, **source}, TREES)
    expected = {"path": path, "engine": "spark", **source}
    assert found.project["tables"][table]["source"] == expected
    assert found.project["tables"][table]["destination"] == destination
    plan = parse_project(to_yaml(found.project)).plan()
    assert plan.source.is_on_cluster


def test_what_is_done_otherwise_is_noted():
    notes = converted(JOB, TREES).notes
    assert any(note.startswith("result_file_name: k and the date") for note in notes)
    assert any(note.startswith("dataset_missing_values: only quasi-identifiers") for note in notes)
    assert not any(note.startswith("technique") for note in notes)
    odd = converted({**JOB, "file_path": "maprfs:///adult.csv"}, TREES).notes
    assert any("nothing here reads such a place" in note for note in odd)


def test_the_right_spelling_counts_too():
    job = {**JOB, "continuous_attributes": ["age"]}
    del job["continous_attributes"]
    assert converted(job, TREES).project == EXPECTED


def test_trees_that_are_missing_or_too_many_are_noted():
    found = converted(JOB, {"sex": TREES["sex"], "colour": TREES["race"]})
    assert list(found.project["hierarchies"]) == ["sex"]
    assert any("race: it has no tree" in note for note in found.notes)
    assert any("colour is no categorical attribute" in note for note in found.notes)


def test_a_result_that_was_not_saved_gets_a_destination():
    found = converted({**JOB, "save_anonymization_result": False}, TREES)
    assert found.project["tables"]["adult"]["destination"] == "../data/adult/safe.json"
    assert any("it is released as ../data/adult/safe.json" in note for note in found.notes)


@pytest.mark.parametrize(
    ("job", "trees", "said"),
    [
        ({**JOB, "sensitive_attributes": ["sex"]}, TREES, "the attribute 'sex' is listed twice"),
        ({**JOB, "sensitive_attributes": 5}, TREES, "it should be a list of texts"),
        ({**JOB, "dataset_missing_values": "maybe"}, TREES, "it should be true or false"),
        ({**JOB, "partitions": "some"}, TREES, "p.json, line 18, partitions: it should be a whole number"),
        (JOB, {"sex": {"children": []}}, 't.json, line 2, sex: a node at the root has no "value"'),
        (JOB, {"sex": {"value": "*", "children": "x"}}, "are no list"),
    ],
)
def test_mistakes_in_a_job_are_told(job, trees, said):
    with pytest.raises(ProjectError) as caught:
        converted(job, trees)
    assert said in str(caught.value)


def test_what_is_neither_is_told():
    with pytest.raises(ProjectError, match="neither a project of Anonylitics nor a job of SparkTPTDS"):
        converted({"a": 1})
    with pytest.raises(ProjectError, match="a project already"):
        converted({"version": 2, "tables": {}})
    with pytest.raises(ProjectError, match="leave the trees out"):
        converted(anonylitics(), TREES)
