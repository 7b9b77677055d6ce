"""Every text that people read has its Spanish, and the catalogue holds nothing else."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PLACE = re.compile(r"\{(\w+)(?:![rsa])?(?::[^{} ]*)?\}")


@pytest.fixture(scope="module")
def tool():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import words

        yield words
    finally:
        sys.path.remove(str(ROOT / "tools"))


@pytest.fixture(scope="module")
def spanish(tool):
    return tool.read_spanish()


def pairs(catalogue) -> Iterator[tuple[str, str]]:
    for message in catalogue:
        if not message.id:
            continue
        if message.pluralizable:
            yield from zip(message.id, message.string, strict=True)
        else:
            yield message.id, message.string


def test_every_text_has_its_spanish(tool):
    assert tool.untranslated(tool.update()) == []


def test_no_entry_is_left_that_nobody_needs(tool, spanish):
    needed = {message.id for message in tool.extract()}
    assert [message.id for message in spanish if message.id not in needed] == []


def test_what_is_read_is_what_was_compiled(tool, spanish):
    assert tool.SPANISH.with_suffix(".mo").read_bytes() == tool.compiled(spanish)


def test_a_translation_has_the_places_of_its_source(spanish):
    differing = [
        text for text, told in pairs(spanish) if set(PLACE.findall(text)) != set(PLACE.findall(told))
    ]
    assert differing == []


def test_no_entry_is_fuzzy_or_obsolete(spanish):
    assert [message.id for message in spanish if message.id and message.fuzzy] == []
    assert not spanish.obsolete


def test_a_translation_is_written_out_as_its_source_is(spanish):
    """Whoever translated a sentence halfway left its end, its quotes or its commands behind."""
    for text, told in pairs(spanish):
        assert text.endswith(".") == told.endswith("."), text
        assert text.count("`") == told.count("`"), text
        assert told == told.strip() or text != text.strip(), text


def test_spanish_says_archivo(spanish):
    assert [text for text, told in pairs(spanish) if "fichero" in told.lower()] == []
