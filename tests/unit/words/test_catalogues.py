"""Every text that people read has its Spanish, and the catalogues hold nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

import celosia.words
from celosia.concepts import concept_texts
from celosia.words import error_templates, library_texts, phrase_texts, progress_texts

FOLDER = Path(celosia.words.__file__).parent / "es"
PLACE = re.compile(r"\{\w*\}")


def read() -> Iterator[tuple[Path, Message]]:
    for path in sorted(FOLDER.glob("*.po")):
        with path.open("rb") as file:
            yield from ((path, entry) for entry in read_po(file) if entry.id)


ENTRIES = list(read())
SPANISH = {str(entry.id): str(entry.string) for _, entry in ENTRIES}


@pytest.mark.parametrize(
    "texts",
    [phrase_texts, concept_texts, error_templates, library_texts, progress_texts],
    ids=["phrases", "concepts", "mistakes", "reasons and findings", "stages"],
)
def test_every_text_has_its_spanish(texts):
    assert sorted(text for text in texts() if not SPANISH.get(text)) == []


def test_no_entry_is_left_that_nobody_needs():
    needed = phrase_texts() | concept_texts() | error_templates() | library_texts() | progress_texts()
    assert sorted(set(SPANISH) - needed) == []


def test_a_translation_has_the_places_of_its_source():
    differing = [text for text in SPANISH if set(PLACE.findall(text)) != set(PLACE.findall(SPANISH[text]))]
    assert differing == []


def test_a_text_means_the_same_in_every_file():
    found: dict[str, set[str]] = {}
    for _, entry in ENTRIES:
        found.setdefault(str(entry.id), set()).add(str(entry.string))
    assert [text for text, meanings in found.items() if len(meanings) > 1] == []


def test_no_entry_is_fuzzy_plural_or_obsolete():
    strange = [
        str(entry.id)
        for _, entry in ENTRIES
        if entry.fuzzy or entry.pluralizable or not isinstance(entry.string, str)
    ]
    assert strange == []
    assert [path.name for path in FOLDER.glob("*.po") if "#~" in path.read_text(encoding="utf-8")] == []


def test_entries_stand_in_order():
    for path in FOLDER.glob("*.po"):
        texts = [str(entry.id) for where, entry in ENTRIES if where == path]
        assert texts == sorted(texts), path.name


def test_a_translation_is_written_out_as_its_source_is():
    """Whoever translated a sentence halfway left its end, its quotes or its commands behind."""
    for text, spanish in SPANISH.items():
        assert text.endswith(".") == spanish.endswith("."), text
        assert text.count("`") == spanish.count("`"), text
        assert spanish == spanish.strip() or text != text.strip(), text
