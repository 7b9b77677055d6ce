"""Editing hierarchies keeps them hierarchies."""

import random

import pytest

from celosia.errors import HierarchyError
from celosia.hierarchies import check
from celosia.web.hierarchies.builder_dialog import BUILDERS, build_rows, parse_groups
from celosia.web.hierarchies.hierarchy_names import file_name, own_file, set_hierarchy
from celosia.web.hierarchies.levels import (
    HierarchyEditor,
    Rows,
    add_level,
    add_missing,
    add_root,
    find_rows,
    groups_of,
    move,
    relabel,
    remove_level,
    rename,
    summaries,
)
from celosia.web.pages.hierarchies import seen_of

TOWNS: Rows = (
    ("Lugo", "Galicia", "Spain", "*"),
    ("Vigo", "Galicia", "Spain", "*"),
    ("Faro", "Algarve", "Portugal", "*"),
)


def test_what_moves_to_a_group_takes_what_is_above_it_along() -> None:
    assert move(TOWNS, 1, ["Vigo"], "Algarve")[1] == ("Vigo", "Algarve", "Portugal", "*")


def test_a_new_group_stays_where_its_values_were() -> None:
    assert move(TOWNS, 1, ["Vigo"], "Rías")[1] == ("Vigo", "Rías", "Spain", "*")


def test_a_label_moves_with_all_values_under_it() -> None:
    assert [row[2] for row in move(TOWNS, 2, ["Galicia"], "Portugal")] == ["Portugal"] * 3


def test_a_group_with_the_name_of_another_becomes_one_with_it() -> None:
    assert rename(TOWNS, 1, "Galicia", "Algarve")[0] == ("Lugo", "Algarve", "Portugal", "*")


def test_whatever_is_done_to_a_sound_hierarchy_only_its_root_can_go_wrong() -> None:
    chance = random.Random(5)
    for _ in range(150):
        rows: Rows = tuple(
            (str(value), f"a{value // 2}", f"b{value // 4}", "*") for value in range(chance.randint(2, 12))
        )
        for _ in range(6):
            level = chance.randint(1, len(rows[0]) - 2)
            below = [row[level - 1] for row in rows]
            names = [row[level] for row in rows]
            what = chance.randint(0, 3)
            if what == 0:
                rows = move(rows, level, chance.sample(below, 1), chance.choice([*names, f"new{level}"]))
            elif what == 1:
                rows = rename(rows, level, chance.choice(names), chance.choice([*names, f"other{level}"]))
            elif what == 2:
                rows = relabel(rows, chance.randrange(len(rows)), level, f"own{level}")
            else:
                rows = remove_level(add_level(rows, level), level)
        # A label may come to stand above itself, by the names that people choose; nothing else can happen.
        assert {problem.kind for problem in check(rows, [row[0] for row in rows])} <= {"cycle"}


def test_mended_hierarchies_have_one_root_and_all_values() -> None:
    rows = add_missing(add_root((("Lugo", "North"), ("Faro", "South"))), ["Lugo", "Faro", "Ávila", "Ávila"])
    assert check(rows, ["Lugo", "Faro", "Ávila"]) == []
    assert len(rows) == 3


def test_every_change_can_be_undone_and_saving_is_remembered() -> None:
    editing = HierarchyEditor(TOWNS)
    editing.change(remove_level(editing.rows, 1))
    editing.keep()
    editing.change(TOWNS)
    assert editing.is_changed
    assert editing.undo()
    assert not editing.is_changed
    assert editing.undo()
    assert editing.rows == TOWNS
    assert not editing.undo()


def test_changing_nothing_is_no_change() -> None:
    editing = HierarchyEditor(TOWNS)
    editing.change([list(row) for row in TOWNS])
    assert not editing.past


def test_groups_count_rows_of_the_table_and_are_searched() -> None:
    counts = {"Lugo": 3, "Vigo": 4, "Faro": 5}
    spain, portugal = groups_of(TOWNS, 2, counts)
    assert (spain["rows"], spain["values"], spain["items"]) == (7, 2, [{"label": "Galicia", "rows": 7}])
    assert [item["label"] for item in groups_of(TOWNS, 1, counts, "vig")[0]["items"]] == ["Vigo"]
    assert portugal["label"] == "Portugal"


def test_a_level_is_summed_up_by_its_smallest_group() -> None:
    found = summaries(TOWNS, {"Lugo": 3, "Vigo": 4, "Faro": 5})
    assert [each["smallest"] for each in found] == [3, 5, 5, 12]
    assert found[2]["examples"][0] == ("Faro", "Portugal")


def test_a_search_looks_at_labels_too_and_tells_how_many_there_are() -> None:
    assert find_rows(TOWNS, "spain", 1) == ([0], 2)
    assert find_rows(TOWNS, "", 2) == ([0, 1], 3)


@pytest.mark.parametrize("builder", [name for name in BUILDERS if name != "taxonomy"])
def test_rules_build_sound_hierarchies(builder: str) -> None:
    values = {f"20{year}-0{month}-11": 2 for year in (19, 20, 21) for month in (1, 5)}
    if builder in ("intervals", "digits"):
        values = {str(number): 1 for number in range(20, 60)}
    rows = build_rows(builder, "x", values, {"levels": ["month", "year"], "bins": "8"})
    assert check(rows, list(values)) == []


def test_groups_that_are_written_down_are_a_hierarchy() -> None:
    rows = build_rows(
        "taxonomy",
        "town",
        {"Lugo": 1},
        {"groups": "Spain > Galicia: Lugo, Vigo\nSpain > Aragón: Teruel\nAndorra:"},
    )
    assert rows[0] == ("Lugo", "Galicia", "Spain", "*")


@pytest.mark.parametrize("text", ["no mark", "A: x\nA > B: y", "A > B: y\nA: x", " > A: x"])
def test_groups_that_make_no_sense_are_mistakes(text: str) -> None:
    with pytest.raises(HierarchyError):
        parse_groups(text)


@pytest.mark.parametrize("text", ["two", "-1", "99999999"])
def test_a_parameter_that_is_no_number_is_a_mistake(text: str) -> None:
    with pytest.raises(HierarchyError):
        build_rows("prefixes", "x", {"ab": 1}, {"step": text})


def test_two_columns_never_share_a_file_by_accident() -> None:
    document = {
        "tables": {"a": {"columns": {"age": "quasi-identifier"}}, "b": {"columns": {"age": "sensitive"}}}
    }
    set_hierarchy(document, "a", "age", f"hierarchies/{file_name(document, 'a', 'age')}.csv")
    set_hierarchy(document, "b", "age", f"hierarchies/{file_name(document, 'b', 'age')}.csv")
    assert own_file(document, "a", "age") == "age"
    assert own_file(document, "b", "age") == "b age"


@pytest.mark.parametrize("column", ["../../etc/passwd", "<script>", "a/b", ".hidden"])
def test_a_file_of_a_hierarchy_has_a_plain_name_whatever_the_column_is_called(column: str) -> None:
    name = file_name({"tables": {"people": {}}}, "people", column)
    assert "/" not in name
    assert not name.startswith(".")


def test_values_are_counted_again_only_if_that_matters() -> None:
    document = {"tables": {"people": {"source": "p.csv", "columns": {"age": "quasi-identifier"}}}}
    before = seen_of(document, "people")
    set_hierarchy(document, "people", "age", "hierarchies/age.csv")
    assert seen_of(document, "people") == before
    document["tables"]["people"]["source"] = "q.csv"
    assert seen_of(document, "people") != before
