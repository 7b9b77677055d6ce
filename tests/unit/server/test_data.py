"""What the service does for the pages of data and hierarchies."""

import asyncio
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from starlette.requests import Request

from celosia.errors import HierarchyError, TableError
from celosia.mask.keys import KeySource
from celosia.server import store
from celosia.server.access import DeniedError, User
from celosia.server.accounts import local_user
from celosia.server.erasing import erase_previews
from celosia.server.hierarchies import list_hierarchies, read_file, read_rows
from celosia.server.keys import make_key
from celosia.server.projects import copy_project, create_project, update_project
from celosia.server.rest.sources import put_file
from celosia.server.samples import SAMPLES, add_sample
from celosia.server.service import Service
from celosia.server.settings import Settings
from celosia.server.sources import list_sources
from celosia.server.workspace import job_folder, project_folder
from celosia.web.data.columns import set_operation
from celosia.web.data.reading_form import source_of


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service(Settings(tmp_path / "workspace"))
    yield made
    made.store.close()


@pytest.fixture
def user(service: Service) -> User:
    with service.store.begin() as data:
        return local_user(data)


def test_a_key_is_made_once_and_read_by_nobody_else(service: Service, user: User) -> None:
    project = create_project(service, user, "people").id
    place = make_key(service, user, project)
    path = project_folder(service.settings.workspace, project) / place
    before = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert make_key(service, user, project) == place
    assert path.read_text() == before
    assert KeySource(file=Path(place)).load(path.parent.parent)


def test_nobody_makes_a_key_in_the_project_of_another(service: Service, user: User) -> None:
    project = create_project(service, user, "people").id
    with pytest.raises(DeniedError):
        make_key(service, User("somebody", "somebody"), project)


def test_a_copy_of_a_project_has_a_key_of_its_own(service: Service, user: User) -> None:
    held = create_project(service, user, "people")
    document = {
        **held.document,
        "tables": {"people": {"source": "data/p.csv", "columns": {"id": "identifier"}}},
    }
    set_operation(document, "people", "id", {"name": "pseudonymize"})
    make_key(service, user, held.id)
    update_project(service, user, held.id, document)
    copy = copy_project(service, user, held.id, "copy")
    folders = [project_folder(service.settings.workspace, each) for each in (held.id, copy.id)]
    keys = [(folder / "keys" / "default.key").read_text() for folder in folders]
    assert keys[0] != keys[1]


def test_the_sample_comes_with_its_file_hierarchies_and_treatments_but_without_roles(
    service: Service, user: User
) -> None:
    held = add_sample(service, user, create_project(service, user, "sample").id)
    table = held.document["tables"][SAMPLES["en"]]
    folder = project_folder(service.settings.workspace, held.id)
    assert len((folder / table["source"]).read_text().splitlines()) == 2001
    assert set(list_hierarchies(service, user, held.id)) >= {"sex", "education", "occupation", "diagnosis"}
    said = {name: set(column) for name, column in table["columns"].items()}
    assert set(map(frozenset, said.values())) == {frozenset({"hierarchy"}), frozenset({"operation"})}
    assert said["cost"] == said["birth_date"] == {"operation"}
    assert table["person"] == "national_id"
    assert read_rows(service, user, held.id, "sex") == [["F", "*"], ["M", "*"]]
    assert add_sample(service, user, held.id).document == held.document


def test_the_spanish_sample_is_a_file_of_a_spanish_office(service: Service, user: User) -> None:
    project = create_project(service, user, "muestra").id
    held = add_sample(service, user, project, language="es")
    table = held.document["tables"][SAMPLES["es"]]
    lines = (project_folder(service.settings.workspace, project) / table["source"]).read_text().splitlines()
    assert lines[0].startswith("num_historia;nombre;dni;fecha_nacimiento;")
    assert lines[1].split(";")[3] == "03/07/1950"
    assert lines[1].split(";")[15] == "2066,58"
    assert table["person"] == "dni"


def test_hierarchies_of_other_tools_are_read_in_any_format() -> None:
    tree = b'{"town": {"value": "*", "children": [{"value": "Lugo"}, {"value": "Vigo"}]}}'
    assert read_file(tree, ".json", "town") == [["Lugo", "*"], ["Vigo", "*"]]
    assert read_file("Ávila,North,*\n".encode("cp1252"), ".csv", "town") == [["Ávila", "North", "*"]]


@pytest.mark.parametrize(("content", "ending"), [(b"x;*", ".exe"), (b"{", ".json"), (b"", ".csv")])
def test_what_is_no_hierarchy_is_a_mistake_that_tells_no_path_of_the_service(
    content: bytes, ending: str
) -> None:
    with pytest.raises(HierarchyError) as found:
        read_file(content, ending, "town")
    assert "/" not in str(found.value)


def test_what_a_person_says_about_a_file_is_written_only_where_it_differs() -> None:
    chosen = {"separator": "found", "encoding": "found", "header": "found", "missing": "?; NA"}
    assert source_of("p.csv", chosen) == "p.csv"


def test_what_was_seen_of_a_table_goes_with_it(service: Service, user: User) -> None:
    project = create_project(service, user, "people").id
    jobs = [service.queue.submit(user, project, "profile", {"table": name}) for name in ("people", "visits")]
    folders = []
    with service.store.begin() as data:
        for job in jobs:
            data.execute(update(store.jobs).where(store.jobs.c.id == job["id"]).values(state="done"))
            folders.append(job_folder(service.settings.workspace, project, job["id"]))
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "result.json").write_text("{}")
    assert erase_previews(service, user, project, "people") == 1
    assert [folder.exists() for folder in folders] == [False, True]


def upload(service: Service, user: User, project: str, messages: list[dict[str, Any]]) -> Any:
    waiting = iter(messages)

    async def receive() -> dict[str, Any]:
        return next(waiting)

    request = Request({"type": "http", "method": "PUT", "headers": [], "path": "/"}, receive)
    # In a thread of its own: a browser under test keeps a loop running in this one.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(
            lambda: asyncio.run(put_file(service, user, request, project, "people.csv"))
        ).result()


def test_a_file_that_arrives_in_parts_is_kept_whole(service: Service, user: User) -> None:
    project = create_project(service, user, "people").id
    parts = [{"type": "http.request", "body": b"name\n", "more_body": True}]
    parts += [{"type": "http.request", "body": b"Ana\n", "more_body": False}]
    upload(service, user, project, parts)
    folder = project_folder(service.settings.workspace, project) / "data"
    assert (folder / "people.csv").read_bytes() == b"name\nAna\n"


def test_an_upload_that_is_cancelled_leaves_nothing(service: Service, user: User) -> None:
    project = create_project(service, user, "people").id
    half = [{"type": "http.request", "body": b"name\nAna", "more_body": True}, {"type": "http.disconnect"}]
    with pytest.raises(TableError, match="interrupted"):
        upload(service, user, project, half)
    assert list((project_folder(service.settings.workspace, project) / "data").iterdir()) == []
    assert list_sources(service, user, project) == []
