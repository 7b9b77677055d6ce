"""Every kind of file that is read may be uploaded, compressed too, and several are one table."""

import gzip
import io
import zipfile

import polars as pl
import pytest

from celosia.errors import TableError
from celosia.server import projects, sources

ROWS = "town;age\n" + "Lugo;31\nVigo;47\n" * 10


def zipped(name, content):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return held.getvalue()


def arrow():
    held = io.BytesIO()
    pl.read_csv(io.StringIO(ROWS), separator=";").write_ipc(held)
    return held.getvalue()


FILES = {
    "people.csv.gz": gzip.compress(ROWS.encode()),
    "people.zip": zipped("inside.csv", ROWS),
    "people.feather": arrow(),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_a_new_kind_is_uploaded_and_profiled(service, ana, clinic, wait, name):
    made = sources.add_file(service, ana, clinic.id, name, [FILES[name]])
    document = {"tables": {"people": {"source": made["address"], "unlisted": "common"}}}
    projects.update_project(service, ana, clinic.id, document)
    service.queue.start()
    profile = wait(ana, service.queue.submit(ana, clinic.id, "profile"))
    assert profile["summary"] == {"rows": 20, "columns": 2}, profile["error"]


def test_a_file_that_unpacks_to_a_mountain_is_a_failed_job_with_a_sentence(service, ana, clinic, wait):
    mountain = gzip.compress(b"0" * (120 << 20), compresslevel=9)
    made = sources.add_file(service, ana, clinic.id, "mountain.csv.gz", [mountain])
    projects.update_project(service, ana, clinic.id, {"tables": {"people": {"source": made["address"]}}})
    service.queue.start()
    profile = wait(ana, service.queue.submit(ana, clinic.id, "profile"))
    assert profile["state"] == "failed"
    assert "over 200 times as much, which no table does" in profile["error"]["what"]


def test_a_file_that_is_no_table_is_refused(service, ana, clinic):
    with pytest.raises(TableError, match=r"files that end in '.exe' are not known"):
        sources.add_file(service, ana, clinic.id, "people.exe", [b"MZ"])
