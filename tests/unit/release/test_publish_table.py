"""The record of a table in a database: put into place with the table, or as it was before."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from celosia.errors import ReleaseError
from celosia.release.publish_table import publishing_table

pytest.importorskip("sqlalchemy")


class Target:
    """A table that gets its name, unless ``error`` stops it."""

    is_published = is_lost = withdrawn = False

    def __init__(self, folder: Path, error: Exception | None = None) -> None:
        self.folder, self.error = folder, error

    def ensure_free(self):
        pass

    def exists(self):
        return False

    def publish(self):
        if self.error is not None:
            raise self.error
        self.is_published = True

    def withdraw(self):
        self.withdrawn = True


def release(target, record, *, make=lambda: 1, overwrite=False):
    rows = []
    with (
        ExitStack() as held,
        publishing_table(
            target, record=record, describe=lambda: {"rows": rows[0]}, held=held, overwrite=overwrite
        ),
    ):
        rows.append(make())
    return rows[0]


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_record_that_came_during_the_run_is_replaced_only_if_that_is_allowed(tmp_path, overwrite):
    target, record = Target(tmp_path), tmp_path / "safe.record.json"

    def make():
        record.write_text("of another run")
        return 1

    if overwrite:
        release(target, record, make=make, overwrite=True)
        assert '"rows": 1' in record.read_text()
        return
    with pytest.raises(ReleaseError, match="exists already"):
        release(target, record, make=make)
    assert record.read_text() == "of another run"
    assert (target.is_published, target.withdrawn) == (False, True)
    assert list(tmp_path.iterdir()) == [record]


@pytest.mark.parametrize("before", [None, "the record before"])
def test_a_table_that_gets_no_name_leaves_the_record_as_it_was(tmp_path, before):
    target, record = Target(tmp_path, ReleaseError("lost")), tmp_path / "safe.record.json"
    if before is not None:
        record.write_text(before)
    with pytest.raises(ReleaseError, match="lost"):
        release(target, record, overwrite=True)
    assert (record.read_text() if record.exists() else None) == before
    assert target.withdrawn
