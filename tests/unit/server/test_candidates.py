"""The job that tells every candidate, carried out here and now."""

import json
from pathlib import Path
from typing import Any

import pytest

from celosia.errors import ProjectError
from celosia.project import Project
from celosia.server.work import KINDS, JobContext
from celosia.server.work.release import _with_destinations

PEOPLE = "age,sex,ill\n" + "".join(f"{20 + n % 12},{'fm'[n % 2]},{'abc'[n % 3]}\n" for n in range(120))
COLUMNS = {"age": "quasi-identifier", "sex": "quasi-identifier", "ill": "sensitive"}


def work(folder: Path, kind: str, *names: str, **parameters: Any) -> tuple[JobContext, dict[str, Any]]:
    for name in names:
        (folder / f"{name}.csv").write_text(PEOPLE)
    tables = {name: {"source": str(folder / f"{name}.csv"), "columns": COLUMNS} for name in names}
    project = Project(models=[{"model": "k-anonymity", "k": 15}], suppression=0.2, tables=tables)
    made = folder / "made"
    task = JobContext(project, folder, made, KINDS[kind].parameters.model_validate(parameters))
    if kind != "candidates":
        return task, {}
    KINDS[kind].work(task)
    return task, json.loads((made / "result.json").read_text())


def test_the_frontier_is_what_no_other_candidate_beats(tmp_path: Path) -> None:
    _, found = work(tmp_path, "candidates", "people")
    valid = [each for each in found["candidates"] if each["valid"] and each["suppressed"] < found["rows"]]
    pairs = {(each["risk"], each["measures"]["loss"]) for each in valid}
    best = {
        pair
        for pair in pairs
        if not any(other != pair and other[0] <= pair[0] and other[1] <= pair[1] for other in pairs)
    }
    by_node = {tuple(each["node"]): each for each in found["candidates"]}
    front = [by_node[tuple(node)] for node in found["frontier"]]
    assert [(each["risk"], each["measures"]["loss"]) for each in front] == sorted(best)


def test_the_best_is_optimal_and_levels_are_told(tmp_path: Path) -> None:
    _, found = work(tmp_path, "candidates", "people")
    best = next(each for each in found["candidates"] if each["node"] == found["best"])
    assert best["optimal"]
    assert found["table"] == "people"
    assert [len(found["samples"][name]) for name in found["columns"]] == [
        height + 1 for height in found["heights"]
    ]
    assert found["samples"]["age"][0] == ""  # no value of the table
    assert found["shapes"]["age"][0]["kind"] == "interval"
    assert found["shapes"]["sex"][-1]["kind"] == "one"


def test_where_few_are_kept_those_on_the_frontier_are_among_them(tmp_path: Path) -> None:
    _, found = work(tmp_path, "candidates", "people", most=1)
    kept = [each["node"] for each in found["candidates"]]
    assert all(node in kept for node in found["frontier"])
    assert len(kept) < found["nodes"]


def test_a_node_is_for_the_table_that_is_named(tmp_path: Path) -> None:
    task, _ = work(tmp_path, "release", "people", "guests", node=[1, 1], table="guests")
    project = _with_destinations(task)
    assert project.plan("guests").technique.node == (1, 1)
    assert project.plan("people").technique.name == "auto"


def test_a_node_for_a_table_that_is_not_there_is_a_mistake(tmp_path: Path) -> None:
    task, _ = work(tmp_path, "release", "people", "guests", node=[1, 1], table="gests")
    with pytest.raises(ProjectError, match="there is no table 'gests'"):
        _with_destinations(task)
