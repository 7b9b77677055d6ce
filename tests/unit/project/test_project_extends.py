"""Projects made of others: who wins, what is taken away, where fields come from, and chains that never end."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.errors import ProjectError
from celosia.project.document import parse_document
from celosia.project.extending import extend, merge, read_extended, relative_to_folder
from celosia.project.nodes import plain

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return make


def merged(*texts: str) -> dict[str, Any]:
    nodes = [parse_document(text, f"{i}.yaml", "yaml").root for i, text in enumerate(texts)]
    found = nodes[0]
    for node in nodes[1:]:
        found = merge(found, node)
    data: dict[str, Any] = plain(found)
    return data


def test_the_child_wins_and_mappings_are_merged_deep(write):
    write("parent.yaml", "suppression: 0.1\ntables: {a: {person: id, columns: {age: common, sex: common}}}")
    child = write(
        "child.yaml", "extends: parent.yaml\ntables: {a: {columns: {age: sensitive}, unlisted: drop}}"
    )
    assert read_extended(child).data == {
        "suppression": 0.1,
        "tables": {
            "a": {
                "person": "id",
                "columns": {"age": {"role": "sensitive"}, "sex": "common"},
                "unlisted": "drop",
            }
        },
    }


def test_lists_are_replaced_and_later_fragments_win(write):
    write("a.yaml", "models: [{model: k-anonymity, k: 5}, {model: t-closeness}]\nseed: 1\nmeasure: loss")
    write("b.yaml", "models: [{model: k-anonymity, k: 10}]\nseed: 2")
    child = write("c.json", '{"extends": ["a.yaml", "b.yaml"], "seed": 3}')
    assert read_extended(child).data == {
        "models": [{"model": "k-anonymity", "k": 10}],
        "seed": 3,
        "measure": "loss",
    }


def test_null_takes_away_what_the_parent_says_and_stays_where_it_says_nothing():
    assert merged("a: {b: 1, c: 2}", "a: {b: null}") == {"a": {"c": 2}}
    assert merged("pairs: {x: y}", "pairs: {z: null}") == {"pairs": {"x": "y", "z": None}}


def test_what_a_text_stands_for_is_merged_as_such():
    before = "tables: {t: {source: {path: old.csv, separator: ';'}, columns: {age: quasi-identifier}}}"
    after = "tables: {t: {source: new.csv, columns: {age: {weight: 2}}}}"
    assert merged(before, after)["tables"]["t"] == {
        "source": {"path": "new.csv", "separator": ";"},
        "columns": {"age": {"role": "quasi-identifier", "weight": 2}},
    }


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        (
            "columns: {zip: {operation: {name: truncate, first: 3}}}",
            "columns: {zip: {operation: {name: suppress}}}",
            {"columns": {"zip": {"operation": {"name": "suppress"}}}},
        ),
        (
            "columns: {zip: {operation: {name: truncate, first: 3}}}",
            "columns: {zip: {operation: {first: 2}}}",
            {"columns": {"zip": {"operation": {"name": "truncate", "first": 2}}}},
        ),
        (
            "technique: {name: mondrian, split: median}",
            "technique: local",
            {"technique": {"name": "local"}},
        ),
        (
            "tables: {t: {source: {path: a.csv, separator: ';'}}}",
            "tables: {t: {source: {connection: db, table: a}}}",
            {"tables": {"t": {"source": {"connection": "db", "table": "a"}}}},
        ),
        ("keys: {a: {environment: X}}", "keys: {a: {file: y}}", {"keys": {"a": {"file": "y"}}}),
    ],
)
def test_another_thing_does_not_inherit_the_parameters_of_the_first(before, after, left):
    assert merged(before, after) == left


def test_columns_that_are_called_like_fields_are_columns():
    before = "tables: {t: {columns: {name: common, path: common, operation: common}}}"
    after = "tables: {t: {columns: {name: identifier, connection: common, operation: {weight: 2}}}}"
    assert merged(before, after)["tables"]["t"]["columns"] == {
        "name": {"role": "identifier"},
        "path": "common",
        "connection": "common",
        "operation": {"role": "common", "weight": 2},
    }


def test_every_field_keeps_the_place_where_it_is_written(write):
    write("parent.yaml", "\n\nsuppression: 0.1\ncolumns: {age: common}")
    child = write("child.yaml", "extends: parent.yaml\nseed: 1")
    document = read_extended(child)
    places = {path[-1]: (Path(place.file).name, place.line) for path, place in document.places if path}
    assert places == {
        "suppression": ("parent.yaml", 3),
        "columns": ("parent.yaml", 4),
        "age": ("parent.yaml", 4),
        "seed": ("child.yaml", 2),
    }
    assert [Path(file).name for file in document.files] == ["child.yaml", "parent.yaml"]


def test_paths_are_relative_to_the_file_in_which_they_stand(write, tmp_path):
    write("shared/base.yaml", "extends: more/roles.yaml\nhierarchies: {ages: ages.csv}\nseed: 5")
    write("shared/more/roles.yaml", "hierarchies: {sex: sex.csv}\nconnections: {db: 'postgresql://db/x'}")
    child = write("mine/p.yaml", "extends: ../shared/base.yaml\ntables: {t: {source: t.csv}}")

    def resolve(path, value, folder):
        return relative_to_folder(value, folder) if path[0] != "seed" else value

    found = read_extended(child, resolve=resolve).data
    there = {"ages": found["hierarchies"]["ages"], "sex": found["hierarchies"]["sex"]}
    assert {name: Path(path).resolve() for name, path in there.items()} == {
        "ages": tmp_path.resolve() / "shared" / "ages.csv",
        "sex": tmp_path.resolve() / "shared" / "more" / "sex.csv",
    }
    assert Path(found["tables"]["t"]["source"]) == tmp_path / "mine" / "t.csv"
    assert (found["connections"]["db"], found["seed"]) == ("postgresql://db/x", 5)


def test_the_paths_of_a_record_stay_as_they_are(write):
    write("old/safe.record.json", '{"project": {"tables": {"t": {"source": "t.csv"}}}}')
    child = write("p.yaml", "extends: old/safe.record.json\nseed: 1")
    found = read_extended(child, resolve=lambda path, value, folder: f"{folder.name}!{value}")
    assert found.data["tables"] == {"t": {"source": "t.csv"}}


def test_a_text_is_extended_relative_to_what_it_is_called(write, tmp_path):
    write("base.yaml", "seed: 7")
    document = parse_document("extends: base.yaml", str(tmp_path / "p.yaml"), "yaml")
    assert extend(document).data == {"seed": 7}


def test_a_circle_shows_the_chain(write):
    write("a.yaml", "extends: b.yaml")
    write("b.yaml", "x: 1\nextends: [c.yaml]")
    start = write("c.yaml", "extends: ./a.yaml")
    with pytest.raises(ProjectError) as caught:
        read_extended(start)
    told = str(caught.value)
    names = [Path(part).name for part in told.partition("circle: ")[2].partition(";")[0].split(" → ")]
    assert names == ["c.yaml", "a.yaml", "b.yaml", "c.yaml"]
    assert "b.yaml, line 2, extends" in told


def test_a_file_that_extends_itself_is_a_circle(write):
    with pytest.raises(ProjectError, match="circle"):
        read_extended(write("a.yaml", "extends: a.yaml"))


def test_a_chain_that_is_too_long_is_refused(write):
    for i in range(30):
        write(f"{i}.yaml", f"extends: {i + 1}.yaml")
    with pytest.raises(ProjectError, match="more than 20 files"):
        read_extended(write("p.yaml", "extends: 0.yaml"))


def test_files_that_are_extended_many_times_are_read_once(write):
    for i in range(15):  # 2^15 ways lead to the last one
        write(f"{i}.yaml", f"extends: [{i + 1}.yaml, {i + 1}.yaml]\nf{i}: {i}")
    write("15.yaml", "seed: 7")
    found = read_extended(write("p.yaml", "extends: 0.yaml"))
    assert found.data["seed"] == 7
    assert len(found.files) == 17


def test_a_parent_that_does_not_exist_is_told_where_it_is_named(write):
    with pytest.raises(ProjectError, match=r"p\.yaml, line 2, extends: the file .*none\.yaml does not exist"):
        read_extended(write("p.yaml", "seed: 1\nextends: none.yaml"))


@pytest.mark.parametrize("text", ["extends: 5", "extends: [a, {b: c}]", "extends: {a: b}", "extends: ''"])
def test_what_is_no_path_cannot_be_extended(write, text):
    write("a", "seed: 1")
    with pytest.raises(ProjectError, match="should be the path of a file"):
        read_extended(write("p.yaml", text))


def test_extends_that_says_nothing_does_nothing(write):
    assert read_extended(write("p.yaml", "extends: null\nseed: 1")).data == {"seed": 1}
    assert read_extended(write("q.yaml", "extends: []\nseed: 1")).data == {"seed": 1}


documents = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(
        st.none() | st.integers(0, 3) | st.lists(st.integers(0, 3), max_size=2),
        lambda inner: st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
        max_leaves=6,
    ),
    max_size=3,
)


def by_definition(parent: Any, child: Any) -> Any:
    if not isinstance(parent, dict) or not isinstance(child, dict):
        return child
    kept = {key: value for key, value in parent.items() if key not in child}
    new = {key: value for key, value in child.items() if key not in parent}
    both = {
        key: by_definition(parent[key], child[key])
        for key in child
        if key in parent and child[key] is not None
    }
    return kept | new | both


@given(documents, documents)
def test_merging_is_what_its_definition_says(parent, child):
    import json

    nodes = [parse_document(json.dumps(each), "p.json", "json").root for each in (parent, child)]
    assert plain(merge(*nodes)) == by_definition(parent, child)
