"""Tables in an object store, read and released without Spark: against a server of S3 that the tests start."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError, ReleaseError, TableError
from celosia.release import publish_store
from celosia.tables import open_table, remote, stores


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("s3") / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=out,
            stderr=out,
            env={**os.environ, "PYTHONPATH": ""},
        )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(
                    urllib.request.Request(f"{url}/clinic", method="PUT"), timeout=5
                ).close()
                break
            except OSError:
                assert process.poll() is None, log.read_text()
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(autouse=True)
def store(server, monkeypatch):
    for name, value in {
        "AWS_ACCESS_KEY_ID": "ana",
        "AWS_SECRET_ACCESS_KEY": "not-in-an-address",
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": server,
    }.items():
        monkeypatch.setenv(name, value)
    for found in stores.list_objects("s3://clinic/"):
        stores.remove_object(found.place)


@pytest.fixture
def put(tmp_path):
    def put_bytes(name, content):
        path = tmp_path / "given"
        path.write_bytes(content)
        stores.put_object(path, f"s3://clinic/{name}", overwrite=True)
        return f"s3://clinic/{name}"

    return put_bytes


def names():
    return [found.place for found in stores.list_objects("s3://clinic/")]


def get(place):
    return b"".join(stores.read_object(place))


PEOPLE = "age,town\n" + "".join(f"{30 + row % 2},Lugo\n" for row in range(40))


def test_a_table_in_a_store_is_read_as_one_here(put, tmp_path):
    place = put("data/people.csv", PEOPLE.encode())
    table = open_table(place)
    assert table.name == place
    assert table.count_by(["age"]).values[0].to_list() == [30, 31]
    frame = pl.DataFrame({"age": [31, 47]})
    frame.write_parquet(tmp_path / "a.parquet")
    assert open_table(put("a.parquet", (tmp_path / "a.parquet").read_bytes())).count_by(["age"]).rows == 2


def test_patterns_and_folders_of_a_store_are_tables(put, tmp_path):
    for year, month in ((2023, 1), (2023, 2), (2024, 1)):
        pl.DataFrame({"age": [month]}).write_parquet(tmp_path / "a.parquet")
        put(f"visits/year={year}/m{month}.parquet", (tmp_path / "a.parquet").read_bytes())
    put("visits/_SUCCESS", b"x")
    rows = pl.concat(list(open_table("s3://clinic/visits/").scan())).rows()
    assert sorted(rows) == [(1, 2023), (1, 2024), (2, 2023)]
    assert open_table("s3://clinic/visits").count_by(["year"]).rows == 3
    rows = pl.concat(list(open_table("s3://clinic/visits/year=*/m1.parquet").scan())).rows()
    assert sorted(rows) == [(1, 2023), (1, 2024)]


def test_a_release_appears_in_the_store_with_its_record(put):
    place = put("people.csv", PEOPLE.encode())
    celosia.anonymize(place, out="s3://clinic/safe.parquet", quasi_identifiers=["age", "town"], k=5)
    assert names() == ["s3://clinic/people.csv", "s3://clinic/safe.parquet", "s3://clinic/safe.record.json"]
    record = json.loads(get("s3://clinic/safe.record.json"))
    assert record["destination"]["path"] == "s3://clinic/safe.parquet"
    assert "not-in-an-address" not in json.dumps(record)
    assert open_table("s3://clinic/safe.parquet").count_by(["age"]).rows == 40
    with pytest.raises(ReleaseError, match=r"s3://clinic/safe.parquet exists already; choose another name"):
        celosia.anonymize(place, out="s3://clinic/safe.parquet", quasi_identifiers=["age", "town"], k=5)
    celosia.anonymize(
        place, out="s3://clinic/safe.parquet", quasi_identifiers=["age", "town"], k=5, overwrite=True
    )


def test_a_release_that_fails_leaves_nothing_in_the_store(put, monkeypatch):
    place = put("people.csv", PEOPLE.encode())
    with pytest.raises(CelosiaError):
        celosia.anonymize(
            place, out="s3://clinic/safe.csv", quasi_identifiers=["age", "town"], k=500, suppression=0
        )
    assert names() == [place]
    real = stores.put_object

    def breaks(path, to, *, overwrite):
        if to.endswith("safe.csv"):
            raise TableError("the store cannot be reached")
        real(path, to, overwrite=overwrite)

    monkeypatch.setattr(publish_store, "put_object", breaks)
    with pytest.raises(TableError, match="cannot be reached"):
        celosia.anonymize(place, out="s3://clinic/safe.csv", quasi_identifiers=["age", "town"], k=5)
    assert names() == [place]


def test_the_record_of_the_release_before_is_put_back_if_the_new_one_fails(put, monkeypatch):
    place = put("people.csv", PEOPLE.encode())
    celosia.anonymize(place, out="s3://clinic/safe.csv", quasi_identifiers=["age", "town"], k=5)
    before = get("s3://clinic/safe.record.json"), get("s3://clinic/safe.csv")
    real = stores.put_object

    def breaks(path, to, *, overwrite):
        if to.endswith("safe.csv"):
            raise KeyboardInterrupt
        real(path, to, overwrite=overwrite)

    monkeypatch.setattr(publish_store, "put_object", breaks)
    with pytest.raises(KeyboardInterrupt):
        celosia.anonymize(
            place, out="s3://clinic/safe.csv", quasi_identifiers=["age", "town"], k=10, overwrite=True
        )
    assert before == (get("s3://clinic/safe.record.json"), get("s3://clinic/safe.csv"))


def test_a_name_taken_meanwhile_is_not_overwritten(put, monkeypatch):
    place = put("people.csv", PEOPLE.encode())
    real = publish_store.record_text

    def somebody_is_quicker(record):
        put("safe.csv", b"theirs")
        return real(record)

    monkeypatch.setattr(publish_store, "record_text", somebody_is_quicker)
    with pytest.raises(ReleaseError, match="exists already"):
        celosia.anonymize(place, out="s3://clinic/safe.csv", quasi_identifiers=["age", "town"], k=5)
    assert get("s3://clinic/safe.csv") == b"theirs"
    assert "s3://clinic/safe.record.json" not in names()


def test_of_two_tables_neither_stays_if_one_cannot_be_put(put, tmp_path, monkeypatch):
    place = put("people.csv", PEOPLE.encode())
    table = {
        "source": place,
        "columns": {"age": {"role": "quasi-identifier"}, "town": {"role": "quasi-identifier"}},
    }
    project = {
        "tables": {
            "a": {**table, "destination": "s3://clinic/safe_a.csv"},
            "b": {**table, "destination": "s3://clinic/safe_b.csv"},
        },
        "models": [{"model": "k-anonymity", "k": 5}],
    }
    (tmp_path / "project.json").write_text(json.dumps(project))
    real = stores.put_object

    def breaks(path, to, *, overwrite):
        # Tables are put in the reverse order of their writing.
        if to.endswith("safe_a.csv"):
            raise TableError("the store cannot be reached")
        real(path, to, overwrite=overwrite)

    monkeypatch.setattr(publish_store, "put_object", breaks)
    with pytest.raises(TableError, match="cannot be reached"):
        celosia.run_project(tmp_path / "project.json")
    assert names() == [place]


def test_a_large_file_is_put_in_pieces_that_appear_together(tmp_path, monkeypatch):
    monkeypatch.setattr(stores, "_AT_ONCE", 1 << 10)
    path = tmp_path / "large"
    path.write_bytes(os.urandom(11 << 20))
    stores.put_object(path, "s3://clinic/large", overwrite=False)
    assert get("s3://clinic/large") == path.read_bytes()
    with pytest.raises(FileExistsError):
        stores.put_object(path, "s3://clinic/large", overwrite=False)


def test_a_table_is_fetched_once_until_it_changes(put, monkeypatch):
    place = put("people.csv", PEOPLE.encode())
    real, fetched = stores.read_object, []

    def count(address):
        fetched.append(address)
        return real(address)

    monkeypatch.setattr(stores, "read_object", count)
    remote._fetch_object.cache_clear()
    for _ in range(3):
        assert open_table(place).count_by([]).rows == 40
    assert fetched == [place]
    put("people.csv", PEOPLE.encode() + b"99,Vigo\n")
    assert open_table(place).count_by([]).rows == 41


def test_what_is_wrong_with_a_store_is_said_in_a_sentence(put, monkeypatch):
    with pytest.raises(TableError) as caught:
        open_table("s3://clinic/nobody.csv")
    assert str(caught.value) == (
        "s3://clinic/nobody.csv: there is no such file in the store; check the bucket and the name"
    )
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(TableError, match=r"s3://clinic/nobody.csv: the store cannot be reached") as caught:
        open_table("s3://clinic/nobody.csv")
    assert "\n" not in str(caught.value)


def test_commands_take_places_in_a_store(put):
    place = put("people.csv", PEOPLE.encode())
    words = [
        "anonymize",
        place,
        "--qi",
        "age,town",
        "-k",
        "5",
        "--out",
        "s3://clinic/safe.csv.gz",
    ]
    run = subprocess.run(
        [sys.executable, "-m", "celosia", *words], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "s3://clinic/safe.csv.gz" in run.stdout
    assert open_table("s3://clinic/safe.csv.gz").count_by([]).rows == 40
