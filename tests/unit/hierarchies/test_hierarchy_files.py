"""Hierarchies are read from level tables and trees as people have them, and come back as written."""

import json

import pytest

from celosia.errors import HierarchyError
from celosia.hierarchies import Hierarchy, find_hierarchies, read_hierarchy, write_hierarchy

SEX = [("F", "*"), ("M", "*")]


def read(tmp_path, content, name="sex.csv", **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_hierarchy(path, "sex", **options)


@pytest.mark.parametrize(
    "content",
    [
        "F;*\nM;*\n",
        "F,*\r\nM,*\r\n",
        "F\t*\nM\t*",
        "F|*\n\nM|*\n\n",
        "F||*\nM||*\n",
        "F::*\nM::*\n",
        '"F";"*"\n"M";"*"\n',
        "F;*;;\nM;*;;\n",
        "level0;level1\nF;*\nM;*\n",
        "Nivel_1,Nivel_2\nF,*\nM,*\n",
        "\ufeffF;*\nM;*\n",
        "F;*\nM;*\nF;*\n",
    ],
)
def test_the_separator_and_a_header_are_recognized(tmp_path, content):
    assert read(tmp_path, content).rows() == SEX


def test_any_separator_can_be_said(tmp_path):
    assert read(tmp_path, "F -> * \nM -> * ", separator=" -> ").values == ("F", "M")
    assert read(tmp_path, 'F~~*\n"x~~y"~~*', separator="~~").values == ("F", "x~~y")


@pytest.mark.parametrize("separator", ["", '"', "a\nb"])
def test_a_separator_that_cannot_be_is_refused(tmp_path, separator):
    with pytest.raises(HierarchyError, match="cannot separate labels"):
        read(tmp_path, "F;*", separator=separator)


def test_commas_inside_labels_do_not_mislead_the_sniffing(tmp_path):
    hierarchy = read(tmp_path, "1;[0, 5[;*\n7;[5, 10[;*\n")
    assert hierarchy.rows() == [("1", "[0, 5[", "*"), ("7", "[5, 10[", "*")]


def test_lines_of_different_length_join_at_the_root(tmp_path):
    hierarchy = read(tmp_path, "Single;*\nMarried;Family;*\n")
    assert hierarchy.rows() == [("Single", "Single", "*"), ("Married", "Family", "*")]


def test_other_encodings_are_read_when_said(tmp_path):
    assert read(tmp_path, "Años;*\n".encode("latin-1"), encoding="latin-1").values == ("Años",)
    with pytest.raises(HierarchyError, match=r"sex\.csv: it is not utf-8: .*; say its encoding"):
        read(tmp_path, "Años;*\n".encode("latin-1"))
    with pytest.raises(HierarchyError, match="it is not klingon: unknown encoding"):
        read(tmp_path, "F;*\n", encoding="klingon")


def test_one_tree_or_trees_by_column_are_read_from_json(tmp_path):
    tree = {"value": "*", "children": [{"value": "F"}, {"value": "M"}]}
    assert read(tmp_path, json.dumps(tree), "sex.json").rows() == SEX
    assert read(tmp_path, json.dumps({"age": {}, "sex": tree}), "all.JSON").rows() == SEX
    named = tmp_path / "value.json"
    named.write_text(json.dumps({"value": tree}))
    assert read_hierarchy(named, "value").rows() == SEX


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "it is no JSON"),
        ("[1]", "neither a tree nor trees by column"),
        ('{"age": {}}', "it has no tree for 'sex'; its columns are 'age'"),
        ("{}", "its columns are none"),
        ('{"value": "\\ud800"}', "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
    ],
)
def test_json_of_another_kind_is_refused(tmp_path, content, message):
    with pytest.raises(HierarchyError, match=message) as caught:
        read(tmp_path, content, "sex.json")
    assert caught.value.where == str(tmp_path / "sex.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it has no values"),
        ("\n\n", "it has no values"),
        ("level0;level1\n", "it has no values"),
        ("F;*\nF;x\n", "'F'"),
        ("F;;*\nM;x;*\n", "is empty for 1 value: 'F'"),
    ],
)
def test_a_malformed_level_table_is_refused_with_the_name_of_the_file(tmp_path, content, message):
    with pytest.raises(HierarchyError, match=message) as caught:
        read(tmp_path, content)
    assert caught.value.where == str(tmp_path / "sex.csv")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(HierarchyError, match=r"nowhere\.csv: cannot read: No such file"):
        read_hierarchy(tmp_path / "nowhere.csv", "sex")


def test_a_level_table_is_written_as_it_is_read(tmp_path):
    path = tmp_path / "age.csv"
    write_hierarchy(Hierarchy.from_rows("age", [("1", "[0, 5[", "*"), ("7", "5+", "*")]), path)
    assert path.read_text() == '1;"[0, 5[";*\n7;5+;*\n'
    write_hierarchy(Hierarchy.from_rows("age", [("1", "a=b", "*")]), path, separator=" => ")
    assert path.read_text() == '1 => "a=b" => *\n'


def test_a_first_value_that_looks_like_a_header_survives(tmp_path):
    hierarchy = Hierarchy.from_rows("x", [("level0", "level1")])
    write_hierarchy(hierarchy, tmp_path / "x.csv")
    assert read_hierarchy(tmp_path / "x.csv", "x") == hierarchy


def test_an_encoding_that_lacks_a_letter_is_refused(tmp_path):
    with pytest.raises(HierarchyError, match="cannot write as ascii"):
        write_hierarchy(Hierarchy.from_rows("x", [("ñ", "*")]), tmp_path / "x.csv", encoding="ascii")


def folder_of(tmp_path, *names):
    for name in names:
        (tmp_path / name).write_text("x;*\n")
    return tmp_path


def names_found(folder, *columns):
    return {column: path.name for column, path in find_hierarchies(folder, columns).items()}


def test_files_are_found_by_the_columns_name(tmp_path):
    folder = folder_of(tmp_path, "adult_hierarchy_age.csv", "adult_hierarchy_marital-status.csv", "notes.md")
    assert names_found(folder, "age", "Marital status", "sex") == {
        "age": "adult_hierarchy_age.csv",
        "Marital status": "adult_hierarchy_marital-status.csv",
    }


def test_a_whole_word_beats_a_part_of_a_word(tmp_path):
    folder = folder_of(tmp_path, "h_marriage.csv", "h_age.csv")
    assert names_found(folder, "age") == {"age": "h_age.csv"}


def test_a_part_of_a_word_will_do_where_there_is_nothing_better(tmp_path):
    folder = folder_of(tmp_path, "hierarchynativecountry.txt")
    assert names_found(folder, "native-country") == {"native-country": "hierarchynativecountry.txt"}


def test_a_file_belongs_to_the_column_it_names_best(tmp_path):
    folder = folder_of(tmp_path, "h_age_group.csv", "h_marriage.csv")
    assert names_found(folder, "age", "group", "age_group", "marriage") == {
        "age_group": "h_age_group.csv",
        "marriage": "h_marriage.csv",
    }


def test_the_end_of_a_name_beats_its_middle_and_the_exact_name_beats_both(tmp_path):
    folder = folder_of(tmp_path, "h_age.csv", "h_age_of_spouse.csv")
    assert names_found(folder, "age") == {"age": "h_age.csv"}
    folder_of(tmp_path, "age.json")
    assert names_found(folder, "age") == {"age": "age.json"}


def test_accents_and_case_do_not_matter(tmp_path):
    folder = folder_of(tmp_path, "jerarquía_CÓDIGO_postal.csv")
    assert names_found(folder, "codigo postal") == {"codigo postal": "jerarquía_CÓDIGO_postal.csv"}


def test_two_files_for_one_column_are_an_error_that_names_both(tmp_path):
    folder = folder_of(tmp_path, "old_age.csv", "new_age.csv")
    with pytest.raises(
        HierarchyError, match=r"2 files could be the hierarchy of 'age': 'new_age.csv', 'old_"
    ):
        find_hierarchies(folder, ["age"])


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(HierarchyError, match="the folder does not exist"):
        find_hierarchies(tmp_path / "none", ["age"])
    assert find_hierarchies(tmp_path, ["", "--"]) == {}
