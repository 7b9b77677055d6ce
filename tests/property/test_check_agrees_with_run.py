"""``check`` passes a project if and only if a run does, and says what the run says; what ``convert`` writes passes."""

import json
import os
import random as randomness
import tempfile
from pathlib import Path
from typing import Any

import pytest
from foreign_projects import random_document, random_job
from hypothesis import given, settings
from hypothesis import strategies as st
from small_projects import random_project

from celosia.check import Remark, check_project
from celosia.errors import CelosiaError, HierarchyError, NoSolutionError, ProjectError
from celosia.project import Project, make_project
from celosia.project.convert import convert
from celosia.project.document import parse_document
from celosia.project.load import load_project
from celosia.project.parts import ColumnPlan
from celosia.project.writing import to_yaml
from celosia.release.open_source import open_source
from celosia.run import run_project
from celosia.tables import close_table
from celosia.types import Role
from hypothesis_profiles import examples


@pytest.fixture(autouse=True, scope="module")
def _key():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CELOSIA_KEY", "00112233445566778899aabbccddeeff" * 2)
        yield


def checked(project: Project, folder: Path) -> list[Remark]:
    """The mistakes that a check finds, once it is clear that it left nothing behind."""
    before = sorted(os.listdir(folder))
    remarks = check_project(project)
    assert sorted(os.listdir(folder)) == before
    return [remark for remark in remarks if remark.kind == "mistake"]


def stopped(project: Project) -> CelosiaError | None:
    """What stops a run."""
    try:
        run_project(project)
    except CelosiaError as error:
        return error
    return None


def assert_agreed(mistakes: list[Remark], error: CelosiaError | None) -> None:
    told = [remark.what for remark in mistakes]
    if error is None:
        assert told == []
    elif not told:
        assert isinstance(error, NoSolutionError), error
    elif not isinstance(error, HierarchyError):  # of those a check withholds the values
        assert error.what in told


@settings(max_examples=examples(120))
@given(seed=st.integers(0, 2**32))
def test_a_check_passes_what_runs_and_says_what_stops_it(seed):
    random = randomness.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        fields = random_project(random, Path(name))
        try:
            project = make_project(**fields)
        except ProjectError:  # a document that contradicts itself is no project
            return
        assert_agreed(checked(project, Path(name)), stopped(project))


def converted(document: dict[str, Any], folder: Path, trees: dict[str, Any] | None = None) -> Project:
    """The project that is read from what was converted and written."""
    found = convert(
        parse_document(json.dumps(document), "foreign.json", "json"),
        trees=None if trees is None else parse_document(json.dumps(trees), "trees.json", "json"),
    )
    path = folder / "project.yaml"
    path.write_text(to_yaml(found.project), encoding="utf-8")
    return load_project(path)


def answered_for(project: Project) -> Project:
    """The project as a person leaves it who says of every column that it may leave."""
    tables = {}
    for name, table in project.tables.items():
        found = open_source(project, project.plan(name).source)
        known = {**project.columns, **table.columns}
        rest = {one: ColumnPlan(role="common") for one in found.columns() if one not in known}
        bare = {
            one: plan.model_copy(update={"role": Role.COMMON})
            for one, plan in known.items()
            if _is_bare(plan)
        }
        close_table(found)
        tables[name] = table.model_copy(update={"columns": {**table.columns, **bare, **rest}})
    return project.model_copy(update={"tables": tables})


def _is_bare(plan: ColumnPlan) -> bool:
    return plan.role is None and not plan.operation


def assert_runs(project: Project, folder: Path) -> None:
    project = answered_for(project)
    mistakes = checked(project, folder)
    assert [str(remark) for remark in mistakes] == []
    error = stopped(project)
    assert error is None or isinstance(error, NoSolutionError), error


@settings(max_examples=examples(60))
@given(seed=st.integers(0, 2**32))
def test_what_is_converted_from_anonylitics_passes_and_runs(seed):
    with tempfile.TemporaryDirectory() as name:
        document = random_document(randomness.Random(seed), Path(name))
        assert_runs(converted(document, Path(name)), Path(name))


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 2**32))
def test_what_is_converted_from_sparktptds_passes_and_runs(seed):
    with tempfile.TemporaryDirectory() as name:
        job, trees = random_job(randomness.Random(seed), Path(name))
        assert_runs(converted(job, Path(name), trees), Path(name))
