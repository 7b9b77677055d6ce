"""The schema that is published with the pages is the one of this version."""

import json
from pathlib import Path

from celosia.project import json_schema
from celosia.project.load import parse_project

PUBLISHED = Path(__file__).parents[3] / "docs" / "celosia.schema.json"


def test_the_published_schema_is_that_of_this_version():
    """``celosia schema --out docs/celosia.schema.json --overwrite`` writes it anew."""
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == json_schema()


def test_a_project_may_say_where_its_schema_is():
    assert (
        parse_project('{"$schema": "celosia.schema.json", "version": 2, "name": "Census"}').name == "Census"
    )
