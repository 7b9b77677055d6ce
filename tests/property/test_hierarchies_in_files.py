"""Hierarchies survive their files, other files raise HierarchyError only, checks agree with brute force."""

import itertools
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.errors import HierarchyError
from celosia.hierarchies import Hierarchy, check, ensure, find_hierarchies, read_hierarchy, write_hierarchy

labels = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8) | st.text(
    ';,|:\t"\n\r *a', min_size=1, max_size=5
)


@st.composite
def sound_rows(draw):
    """Random paths that nest: each level's labels are drawn for the groups of the level below."""
    values = draw(st.lists(labels | st.just(""), min_size=1, max_size=8, unique=True))
    paths = [[value] for value in values]
    used = set()
    for _ in range(draw(st.integers(0, 3))):
        fresh = draw(
            st.lists(labels.filter(lambda label: label not in used), min_size=1, max_size=4, unique=True)
        )
        used.update(fresh)
        groups = list(dict.fromkeys(path[-1] for path in paths))
        above = {group: draw(st.sampled_from(fresh)) for group in groups}
        for path in paths:
            path.append(above[path[-1]])
    return [tuple(path) for path in paths]


small = st.sampled_from(["a", "b", "x", "y", "*", ""])
any_rows = st.lists(st.lists(small, max_size=5).map(tuple), max_size=6)


def problems_by_brute_force(rows, values):
    """Every rule of a sound hierarchy, word by word, over all pairs of paths."""
    rows = [path for path in rows if path]
    if not rows:
        return {"empty"}
    length = max(map(len, rows))
    rows = [(path[0],) * (length - len(path)) + tuple(path) for path in rows]
    found = set()
    for one, other in itertools.product(rows, rows):
        for level in range(length - 1):
            if one[level] == other[level] and one[level + 1] != other[level + 1]:
                found.add("parent" if level == 0 else "finer")
        if one[-1] != other[-1]:
            found.add("root")
    for path in rows:
        if path[0] and "" in path:
            found.add("label")
        above = list(itertools.dropwhile(lambda label, value=path[0]: label == value, path))
        for low, middle, high in itertools.combinations(above, 3):
            if low == high != middle:
                found.add("cycle")
    if any(value is not None and value not in {path[0] for path in rows} for value in values):
        found.add("missing")
    return found


@settings(deadline=None)
@given(any_rows, st.lists(small | st.none(), max_size=4))
def test_checks_agree_with_brute_force(rows, values):
    problems = check(rows, values)
    assert {problem.kind for problem in problems} == problems_by_brute_force(rows, values)
    if problems:
        with pytest.raises(HierarchyError):
            ensure(rows, values)
    else:
        ensure(rows, values)


@settings(deadline=None)
@given(any_rows)
def test_what_becomes_a_hierarchy_is_what_is_sound_but_for_its_roots(rows):
    if problems_by_brute_force(rows, []) <= {"root"}:
        hierarchy = Hierarchy.from_rows("c", rows)
        assert check(hierarchy.with_root("#").rows(), hierarchy.values) == []
    else:
        with pytest.raises(HierarchyError):
            Hierarchy.from_rows("c", rows)


@settings(deadline=None)
@given(sound_rows())
def test_level_tables_come_back_as_they_were_written(rows):
    hierarchy = Hierarchy.from_rows("c", rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "c.csv")
        for separator in (";", ",", "\t", "||", " "):
            write_hierarchy(hierarchy, path, separator=separator)
            assert read_hierarchy(path, "c", separator=separator) == hierarchy
        write_hierarchy(hierarchy, path)
        assert read_hierarchy(path, "c") == hierarchy


@settings(deadline=None)
@given(sound_rows())
def test_trees_come_back_as_they_were_written(rows):
    hierarchy = Hierarchy.from_rows("c", rows).with_root("the root")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "c.json")
        write_hierarchy(hierarchy, path)
        again = read_hierarchy(path, "c")
    assert sorted(again.rows()) == sorted(hierarchy.rows())


garbage = (
    st.binary(max_size=200)
    | st.text(max_size=200).map(str.encode)
    | st.text(';,|:"\n\rab*', max_size=80).map(str.encode)
    | st.text('{}[]":,value children12nul', max_size=80).map(str.encode)
    | st.lists(
        st.sampled_from(['{"value":', '"a"', ',"children":[', "]", "}", "1", "null", ","]), max_size=20
    ).map(lambda parts: "".join(parts).encode())
)


def attempt(function, *arguments, **options):
    """The result and no error, or no result and the error."""
    try:
        return function(*arguments, **options), None
    except HierarchyError as error:
        return None, error


@settings(deadline=None)
@given(garbage, st.sampled_from(["c.csv", "c.txt", "c.json"]), st.sampled_from([None, ";", "::", "\0"]))
def test_files_of_anything_are_read_or_refused(content, name, separator):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        hierarchy, error = attempt(read_hierarchy, path, "c", separator=separator)
        if error:
            assert error.what
            assert error.remedy
            assert error.where == str(path)
        else:
            assert {problem.kind for problem in check(hierarchy.rows(), hierarchy.values)} <= {"root"}


@settings(deadline=None)
@given(
    st.lists(st.text("ab_-", min_size=1, max_size=6), max_size=5),
    st.lists(st.text("ab_- ", max_size=4), max_size=4),
)
def test_files_are_found_or_their_ambiguity_reported(names, columns):
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            Path(folder, f"{name}.csv").write_text("x;*")
        found, error = attempt(find_hierarchies, folder, columns)
    if error:
        assert "could be the hierarchy of" in error.what
        return
    for column, path in found.items():
        assert re.sub("[^ab]", "", column) in re.sub("[^ab]", "", path.stem)
