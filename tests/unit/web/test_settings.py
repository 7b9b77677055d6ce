"""Settings from a file: what is wrong is said before anything is served."""

import pytest

from celosia.errors import ProjectError
from celosia.web.server_process import settings_from


@pytest.mark.parametrize(
    "fields", [{"upload_limits": 5}, {"mail": {"host": "x", "sender": "a@b.example", "prt": 25}}]
)
def test_a_field_that_does_not_exist_is_a_mistake(fields, tmp_path):
    with pytest.raises(ProjectError, match="there is no setting"):
        settings_from({"workspace": str(tmp_path), **fields})


def test_fields_that_exist_are_taken(tmp_path):
    mail = {"host": "x", "sender": "a@b.example"}
    made = settings_from({"workspace": str(tmp_path), "upload_limit": 5, "mail": mail})
    assert (made.upload_limit, made.mail.port) == (5, 587)
