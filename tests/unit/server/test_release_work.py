"""What jobs leave: rows beside what they were, and nothing of the table for those who only look."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from celosia.server.access import DeniedError, MemberRole, User
from celosia.server.accounts import local_user
from celosia.server.projects import StoredProject, create_project
from celosia.server.releases import (
    erase_release,
    evidence_of,
    list_releases,
    release_before_after,
    release_files,
    release_report,
)
from celosia.server.service import Service, new_id
from celosia.server.settings import Settings
from celosia.server.store import jobs, members, now, users
from celosia.server.work import KINDS
from celosia.server.work.kind import JobContext
from celosia.server.work.release import BESIDE
from celosia.server.workspace import job_folder, project_folder
from celosia.words import Words

NAMES = ["Ana", "Berta", "Carla", "Dora", "Eva", "Zoe"]
PEOPLE = pl.DataFrame(
    {
        "name": NAMES,
        "age": [31, 32, 33, 51, 52, 97],
        "town": ["Lugo", "Lugo", "Lugo", "Vigo", "Vigo", "Vigo"],
        "job": ["cook", "nurse", "cook", "cook", "nurse", "nurse"],
    }
)
LEVELS = [[str(age), f"[{age // 10 * 10}-{age // 10 * 10 + 9}]", "*"] for age in PEOPLE["age"]]
DOCUMENT: dict[str, Any] = {
    "version": 2,
    "models": [{"model": "k-anonymity", "k": 2}],
    "suppression": 0.2,
    "technique": "full-domain",
    "tables": {
        "people": {
            "source": "data/people.csv",
            "columns": {
                "name": {"role": "identifier"},
                "age": {"role": "quasi-identifier", "hierarchy": LEVELS},
                "town": {"role": "common"},
                "job": {"role": "sensitive"},
            },
        }
    },
}


def carry_out(folder: Path, kind: str, job: str, document: dict[str, Any], **parameters: Any) -> Path:
    """What the process of a job does, without the process."""
    made = folder / "jobs" / job
    order = {
        "kind": kind,
        "parameters": parameters,
        "document": document,
        "folder": str(folder),
        "made": str(made),
        "passwords": {},
        "spark": {},
    }
    task = JobContext.ordered(order, lambda stage, share: None)
    with task.cleaned_up():
        KINDS[kind].work(task)
    return made


def put_people(folder: Path) -> None:
    (folder / "data").mkdir(parents=True, exist_ok=True)
    PEOPLE.write_csv(folder / "data" / "people.csv")


def test_rows_are_kept_beside_what_became_of_them(tmp_path: Path) -> None:
    put_people(tmp_path)
    made = carry_out(tmp_path, "release", "0" * 16, DOCUMENT)
    found = json.loads((made / BESIDE).read_text())["people"]
    assert found["released"] == ["age", "town", "job"]
    assert found["before"][0] == ["Ana", "31", "Lugo", "cook"]
    assert found["after"][0] == ["[30-39]", "Lugo", "cook"]
    assert found["after"][5] is None  # nobody else is as old
    released = pl.read_csv(made / "people.csv").rows()
    assert sorted(released) == sorted(tuple(row) for row in found["after"] if row is not None)


def test_local_recodings_and_operations_are_shown_as_well(tmp_path: Path) -> None:
    put_people(tmp_path)
    columns = {**DOCUMENT["tables"]["people"]["columns"]}
    columns["name"] = {"operation": {"name": "mask-characters", "keep_first": 1}}
    document = {
        **DOCUMENT,
        "technique": "mondrian",
        "suppression": 0.0,
        "tables": {
            "people": {
                "source": "data/people.csv",
                "columns": columns,
                "rows": [{"name": "drop-rows", "where": "age > 90"}],
            }
        },
    }
    made = carry_out(tmp_path, "release", "0" * 16, document)
    found = json.loads((made / BESIDE).read_text())["people"]
    assert found["after"][5] is None
    assert found["after"][0][0] == "A**"
    released = pl.read_csv(made / "people.csv").rows()
    assert sorted(released) == sorted(tuple(row) for row in found["after"] if row is not None)


def test_what_everybody_may_read_holds_no_row_of_the_table(tmp_path: Path) -> None:
    put_people(tmp_path)
    made = carry_out(tmp_path, "release", "0" * 16, DOCUMENT)
    result = json.loads((made / "result.json").read_text())
    told = json.dumps({name: part for name, part in result.items() if name != "records"})
    assert not any(name in told for name in NAMES)
    assert "97" not in told
    assert result["first"]["people"]["columns"] == ["age", "town", "job"]
    assert result["distributions"]["people"]["town"]["groups"] == ["Lugo", "Vigo"]


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(Settings(tmp_path / "workspace"))


def known(service: Service) -> tuple[User, StoredProject]:
    with service.store.begin() as data:
        user = local_user(data)
    return user, create_project(service, user, "Clinic")


def released(service: Service, user: User, held: StoredProject) -> str:
    """A release as the queue leaves it."""
    folder, job = project_folder(service.settings.workspace, held.id), new_id()
    put_people(folder)
    carry_out(folder, "release", job, DOCUMENT)
    with service.store.begin() as data:
        number = len(service.queue.list(user, held.id)) + 1
        values = {"id": job, "project_id": held.id, "number": number, "kind": "release", "version": 1}
        values |= {"parameters": {}, "state": "done", "by": user.name, "created": now(), "ended": now()}
        data.execute(jobs.insert().values(**values))
    return job


def somebody(service: Service, held: StoredProject, part: MemberRole) -> User:
    user = User(new_id(), f"some {part}")
    with service.store.begin() as data:
        data.execute(users.insert().values(id=user.id, name=user.name, password="", mail="", created=now()))
        data.execute(members.insert().values(project_id=held.id, user_id=user.id, role=str(part)))
    return user


def test_only_who_may_see_the_table_sees_its_rows(service: Service) -> None:
    owner, held = known(service)
    job = released(service, owner, held)
    assert release_before_after(service, somebody(service, held, MemberRole.ANALYST), job)["people"]["before"]
    with pytest.raises(DeniedError, match="analyst"):
        release_before_after(service, somebody(service, held, MemberRole.VIEWER), job)
    assert BESIDE not in release_files(service, service.queue.find(owner, job))


def test_a_report_is_there_for_whoever_looks_and_knows_of_earlier_releases(service: Service) -> None:
    owner, held = known(service)
    first, second = released(service, owner, held), released(service, owner, held)
    viewer = somebody(service, held, MemberRole.VIEWER)
    assert "Earlier releases" in release_report(service, viewer, second, Words("en"))
    assert "Earlier releases" not in release_report(service, viewer, first, Words("en"))
    assert evidence_of(service, viewer, first) is None


def test_an_erased_release_is_gone_with_its_rows(service: Service) -> None:
    owner, held = known(service)
    job = released(service, owner, held)
    with pytest.raises(DeniedError, match="owner"):
        erase_release(service, somebody(service, held, MemberRole.ANALYST), job)
    erase_release(service, owner, job)
    assert list_releases(service, owner, held.id) == []
    assert not job_folder(service.settings.workspace, held.id, job).exists()


def test_only_an_owner_writes_to_a_database_and_only_to_one_that_is_connected(service: Service) -> None:
    owner, held = known(service)
    asked = {"connection": "sqlite:////tmp/other.db", "out_table": "safe"}
    with pytest.raises(DeniedError, match="owner"):
        service.queue.submit(somebody(service, held, MemberRole.ANALYST), held.id, "release", asked)
    with pytest.raises(Exception, match="not connected to the project"):
        service.queue.submit(owner, held.id, "release", asked)
    with pytest.raises(Exception, match="not connected to the project"):
        service.queue.submit(owner, held.id, "tables", {"address": "postgresql://ana@elsewhere/clinic"})


def test_a_look_at_the_table_tells_of_every_column(tmp_path: Path) -> None:
    put_people(tmp_path)
    made = carry_out(tmp_path, "look", "0" * 16, DOCUMENT, target="job", start=4, rows=10)
    found = json.loads((made / "result.json").read_text())
    assert found["summary"]["class"] == "job"
    assert found["rows"]["rows"][0][0] == "Eva"
    assert found["statistics"]["age"]["maximum"] == 97
    assert set(found["distributions"]["town"]["classes"]) == {"cook", "nurse"}


def test_a_comparison_keeps_its_tables_its_figures_and_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("celosia.compare.compare.usable_cores", lambda: 1)  # no processes for six rows
    put_people(tmp_path)
    table = {**DOCUMENT["tables"]["people"], "targets": ["job"]}
    plan = {
        "techniques": ["noise(columns=[age])"],
        "models": ["majority"],
        "folds": 2,
        "measures": ["singled-out"],
    }
    document = {**DOCUMENT, "tables": {"people": table}, "compare": plan}
    made = carry_out(tmp_path, "comparison", "0" * 16, document)
    found = json.loads((made / "result.json").read_text())
    assert {row["table"] for row in found["results"]["details"]} == {
        "original",
        "original, scaled",
        "noise(columns=[age])",
    }
    assert found["written"]["summary"]["tex"].startswith("\\begin{tabular}")
    assert set(found["figures"]["frontier-singled-out"]["points"]) >= {"original"}
